test_that("integer programming agrees with dynamic programming, with and without lists", {
  skip_if_not_installed("highs")
  for (seed in 1:8) {
    m <- 4 + seed
    x <- if (seed %% 2 == 0) random_factors(150, m, seed) else random_numbers(60, m, seed)
    nodes <- names(x)
    rules <- list(
      list(NULL, NULL),
      list(cbind(nodes[1], nodes[2]), cbind(nodes[c(3, 4)], nodes[c(4, 3)]))
    )
    for (rule in rules) {
      dynamic <- exact_dag(x, rule[[1]], rule[[2]], method = "dynamic")
      integer <- exact_dag(x, rule[[1]], rule[[2]], method = "integer")
      expect_true(integer$optimal)
      expect_equal(integer$score, dynamic$score, tolerance = 1e-9)
      type <- if (seed %% 2 == 0) "bic" else "bic-g"
      expect_equal(integer$score, bnlearn::score(integer, x, type = type), tolerance = 1e-9)
    }
  }
})

test_that("a poor start changes nothing", {
  skip_if_not_installed("highs")
  x <- random_factors(150, 9, 11)
  scores <- local_scores(x, maxp = 2)
  best <- exact_dag(scores, method = "dynamic")
  # Every node with its worst set that leaves no cycle: no parents at all.
  empty <- list(set = which(scores$size == 0))
  empty$score <- sum(scores$score[empty$set])
  found <- solve_integer(scores, empty, stopwatch(Inf), NULL)
  expect_equal(found$score, best$score)
  nothing <- list(set = integer(), score = -Inf)
  expect_equal(solve_integer(scores, nothing, stopwatch(Inf), NULL)$score, best$score)
})

test_that("the dual solution proves the value of the linear program", {
  skip_if_not_installed("highs")
  scores <- local_scores(random_factors(150, 8, 3))
  incumbent <- order_search_cpp(scores, integer(), 10L, 1, Inf)
  program <- new_program(scores, incumbent, stopwatch(Inf), NULL)
  build_solver(program, seq_along(program$cost))
  expect_identical(relax(program)$L, 0)
  for (round in 1:3) {
    result <- relax(program)
    add_cuts(program, find_cuts_cpp(program$finder, result$x, 100L))
  }
  result <- relax(program)
  expect_gt(result$L, 0)
  expect_equal(result$L, sum(program$cost * result$x), tolerance = 1e-9)
})

test_that("a search that runs out of time tells how far it got", {
  skip_if_not_installed("highs")
  scores <- local_scores(bnlearn::alarm[1:500, 1:25], maxp = 2)
  net <- exact_dag(scores, time_limit = 0)
  expect_false(net$optimal)
  expect_gt(net$gap, 0)
  expect_equal(net$gap, (net$bound - net$score) / abs(net$score))
  best <- exact_dag(scores)
  expect_true(best$optimal)
  expect_lte(best$score, net$bound)
  expect_gte(best$score, net$score)
})

test_that("debug shows incumbent, bound and gap", {
  skip_if_not_installed("highs")
  x <- random_factors(150, 8, 3)
  expect_output(
    exact_dag(x, method = "integer", debug = TRUE), "best -[0-9.]+, bound -[0-9.]+, gap [0-9.e-]+ %"
  )
})

test_that("the published optima of alarm, insurance and hailfinder are certified", {
  skip_unless_slow()
  skip_if_not_installed("highs")
  published <- c(insurance = -264708.860, alarm = -218632.316, hailfinder = -990162.805)
  for (name in names(published)) {
    where <- new.env()
    utils::data(list = name, package = "bnlearn", envir = where)
    x <- where[[name]]
    net <- exact_dag(x)
    expect_true(net$optimal)
    expect_equal(round(net$score, 3), published[[name]])
    expect_equal(net$score, bnlearn::score(net, x, type = "bic"), tolerance = 1e-10)
  }
})

test_that("Child, Alarm and Pigs are certified", {
  skip_unless_slow()
  skip_if_not_installed("highs")
  known <- list(
    list("mmhc", "Child_s1000_v1.txt", 3, -12660.8292),
    list("mmhc", "Alarm1_s1000_v1.txt", 3, -10358.8583),
    list("pigs", "pigs_1000.txt.gz", 2, -348810.4381)
  )
  for (case in known) {
    x <- utils::read.table(data_file(case[[1]], case[[2]]))
    x[] <- lapply(x, factor)
    net <- exact_dag(x, maxp = case[[3]])
    expect_true(net$optimal)
    expect_equal(round(net$score, 4), case[[4]])
  }
})

test_that("Ctrl-C returns the best network so far", {
  skip_if_not_installed("highs")
  scores <- local_scores(bnlearn::alarm[1:300, 1:15], maxp = 2)
  incumbent <- order_search_cpp(scores, integer(), 0L, 1, Inf)
  rounds <- 0
  press <- function(state) {
    rounds <<- rounds + 1
    rounds < 3
  }
  found <- solve_integer(scores, incumbent, stopwatch(Inf), press)
  expect_identical(found$reason, "interrupted")
  expect_false(found$optimal)
  expect_gt(found$bound, found$score)
})
