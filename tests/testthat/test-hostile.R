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
})

test_that("dag_gnn() takes hostile input", {
  expect_civil_ends(dag_gnn, 1:300)
  skip_unless_slow()
  expect_civil_ends(dag_gnn, 301:5000)
})
