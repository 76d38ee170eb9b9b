# A network of numbers by "auto": what each edge is worth is known.
priced_network <- function(...) {
  net <- gaussian_network(class = "dag_gnn", threshold = 0, threshold_rule = "auto", ...)
  worth <- coef(net) * 0
  worth[net$arcs] <- 5
  worth["B", "C"] <- 1.1
  worth["C", "G"] <- 0.9 # may come
  worth["F", "A"] <- 3 # would close a cycle
  worth["G", "E"] <- 0.7 # too far
  net$daggnn$worth <- worth
  net
}

test_that("edges that are hardly worth their price, or nearly, are named", {
  near <- summary(priced_network())$near
  expect_identical(paste(near$from, near$to), c("B C", "C G"))
  expect_identical(near$becomes, c("goes if higher", "comes if lower"))
  expect_identical(near$worth, c(1.1, 0.9))
  expect_identical(nrow(summary(priced_network(), margin = 0.05)$near), 0L)
  expect_identical(nrow(summary(priced_network(), margin = 0.35)$near), 3L)
  expect_snapshot(summary(priced_network()))
})

test_that("lists are no matter of price", {
  nodes <- names(bnlearn::gaussian.test)
  prior <- check_prior(nodes, whitelist = c("B", "C"), blacklist = c("C", "G"))
  expect_identical(nrow(summary(priced_network(prior = prior))$near), 0L)
})

test_that("another threshold has no price", {
  net <- rethreshold(priced_network(), 0.3)
  expect_false("worth" %in% names(summary(net)$edges))
  expect_true("worth" %in% names(summary(priced_network())$edges))
})

test_that("what an edge of numbers is worth comes from the fit", {
  set.seed(1)
  x <- bnlearn::gaussian.test[1:500, ]
  net <- dag_gnn(x)
  edges <- summary(net)$edges
  expect_true(all(edges$worth > 1))
  absent <- net$daggnn$worth[bnlearn::amat(net) == 0 & t(bnlearn::amat(net)) == 0]
  expect_true(all(is.finite(absent)))
  # A wide margin reaches every edge, a narrow one none.
  wide <- summary(net, margin = 1)$near
  expect_true(all(wide$becomes %in% c("goes if higher", "comes if lower")))
  expect_gt(nrow(wide), 0)
})

test_that("discrete children choose anew at another price, as BIC would", {
  set.seed(2)
  x <- bnlearn::learning.test[1:400, ]
  net <- dag_gnn(x)
  near <- summary(net, margin = 0.9)$near
  expect_gt(nrow(near), 0)
  expect_identical(nrow(summary(net, margin = 0)$near), 0L)
  net$daggnn$call <- NULL # without the data nobody can tell
  expect_null(summary(net)$near)
  # The price of a parameter is what BIC subtracts for it.
  columns <- as.list(x)
  dearer <- priced_bic_scorer(columns, 3)
  plain <- local_bic_scorer(columns)
  expect_equal(plain("A", c("B", "F")) - dearer("A", c("B", "F")), 2 * 2 * 3 * 2 * log(400) / 2)
})
