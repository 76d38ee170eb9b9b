# A network whose edges were found by a search: what each adds to the score is known.
searched_network <- function(...) {
  net <- gaussian_network(class = "dag_gnn", threshold = 0, threshold_rule = "auto", ...)
  net$daggnn$n <- 5000
  net$daggnn$control <- dag_gnn_control()
  cost <- edge_cost(net$daggnn)
  gain <- coef(net) * NA
  gain[net$arcs] <- 5 * cost
  gain["B", "C"] <- 0.1 * cost
  gain["C", "G"] <- -0.1 * cost # may come
  gain["G", "E"] <- -0.3 * cost # too far
  net$daggnn$gain <- gain
  net
}

test_that("edges that hardly pay their charge, or nearly, are named", {
  near <- summary(searched_network())$near
  expect_identical(paste(near$from, near$to), c("B C", "C G"))
  expect_identical(near$becomes, c("goes if higher", "comes if lower"))
  expect_identical(nrow(summary(searched_network(), margin = 0.05)$near), 0L)
  expect_identical(nrow(summary(searched_network(), margin = 0.35)$near), 3L)
})

test_that("required edges are not near", {
  prior <- check_prior(names(bnlearn::gaussian.test), whitelist = c("B", "C"))
  near <- summary(searched_network(prior = prior))$near
  expect_identical(paste(near$from, near$to), "C G")
})

test_that("another threshold has no gain", {
  net <- rethreshold(searched_network(), 0.3)
  expect_false("gain" %in% names(summary(net)$edges))
  expect_true("gain" %in% names(summary(searched_network())$edges))
})

test_that("what an edge adds comes from the search", {
  net <- dag_gnn(bnlearn::gaussian.test[1:500, ])
  expect_true(all(summary(net)$edges$gain > 0))
  wide <- summary(net, margin = 1)$near
  expect_true(all(wide$becomes %in% c("goes if higher", "comes if lower")))
  expect_gt(nrow(wide), 0)
})
