# Whatever comes in, a call ends in a valid DAG or in an error of ours.

test_that("every trait of the generator is reached, and a case is ruled by its seed", {
  traits <- vapply(1:1500, function(seed) hostile_case(seed)$trait, "")
  expect_setequal(traits, c(names(data_traits), names(argument_traits)))
  expect_identical(hostile_case(11), hostile_case(11))
})

test_that("the judge of endings tells good ones from bad ones", {
  fine <- bnlearn::model2network("[a][b|a]")
  case <- list(arguments = list())
  judge <- function(code, case) ending(code, function(net) fault_of_network(net, case))
  expect_identical(judge(fine, case), "network")
  expect_identical(judge(stop_input("no"), case), "our error")
  expect_match(judge(stop("no"), case), "foreign error")
  expect_match(judge(as.integer("a"), case), "foreign warning")
  expect_match(judge(1, case), "not a network")
  undirected <- bnlearn::set.edge(bnlearn::empty.graph(c("a", "b")), "a", "b")
  expect_match(judge(undirected, case), "not a DAG")
  weighted <- fine
  weighted$daggnn$weights <- NaN
  expect_match(judge(weighted, case), "not finite")
  expect_match(judge(fine, list(arguments = list(whitelist = cbind("b", "a")))), "whitelisted")
  expect_match(judge(fine, list(arguments = list(blacklist = cbind("a", "b")))), "blacklisted")
  expect_match(judge(fine, list(arguments = list(tiers = list("b", "a")))), "earlier tier")
  expect_identical(judge(fine, list(arguments = list(tiers = list("a", "b")))), "network")
  expect_match(judge(fine, list(x = data.frame(a = 1, B = 2))), "other names")
  expect_identical(fault_of_comparison(1), "not a table")
  table <- data.frame(bic = NA, loglik = NaN, seconds = 1)
  expect_match(fault_of_comparison(table), "not finite")
  attr(table, "networks") <- list(undirected)
  expect_identical(fault_of_comparison(table), "not a DAG")
})

test_that("dag_gnn() takes hostile input", {
  expect_civil_ends(dag_gnn, 1:300)
  skip_unless_slow()
  expect_civil_ends(dag_gnn, 301:2500)
})

test_that("notears() takes hostile input", {
  expect_civil_ends(notears, 1:150)
  skip_unless_slow()
  expect_civil_ends(notears, 5001:7500)
})

test_that("exact_dag() takes hostile input", {
  expect_civil_ends(exact_dag, 1:150)
  skip_unless_slow()
  expect_civil_ends(exact_dag, 7501:9500)
})

test_that("compare_learners() takes hostile input", {
  ends <- function(seeds) {
    vapply(seeds, function(seed) end_of_comparison(hostile_case(seed)), "")
  }
  expect_setequal(ends(1:30), c("table", "our error"))
  skip_unless_slow()
  expect_setequal(ends(9501:10000), c("table", "our error"))
})

for (reader in names(whole_files)) {
  test_that(paste0(reader, "() takes damaged files"), {
    ends <- function(seeds) {
      ends <- vapply(seeds, function(seed) end_of_reading(reader, seed), "")
      bad <- !ends %in% c("read", "our error")
      expect_identical(sprintf("seed %d: %s", seeds[bad], ends[bad]), character())
      expect_setequal(ends, c("read", "our error"))
    }
    ends(1:200)
    skip_unless_slow()
    ends(201:1500)
  })
}
