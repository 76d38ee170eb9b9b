# A chain a -> b -> c -> d of three levels, each of another frequency so that codes have no ties.
chain_rows <- function(n) {
  follow <- function(parent) ifelse(runif(n) < 0.8, parent, sample(3, n, TRUE, c(0.6, 0.3, 0.1)))
  a <- sample(3, n, TRUE, c(0.6, 0.3, 0.1))
  b <- follow(a)
  c <- follow(b)
  d <- follow(c)
  data.frame(lapply(list(a = a, b = b, c = c, d = d), function(k) factor(letters[k])))
}

learn_vae <- function(x, ...) {
  set.seed(3)
  dag_gnn(x, model = "vae", ...)
}

few <- function(...) dag_gnn_control(epochs = 5, max_rounds = 20, ...)

test_that("on discrete data the autoencoder finds the pairs that depend, without a threshold", {
  set.seed(1)
  net <- learn_vae(chain_rows(1000))
  joined <- bnlearn::amat(bnlearn::skeleton(net))[cbind(c("a", "b", "c"), c("b", "c", "d"))]
  expect_identical(joined, rep(1L, 3))
  expect_lte(bnlearn::narcs(net), 4)
})

test_that("the names and the order of levels change nothing", {
  set.seed(1)
  x <- chain_rows(500)
  plain <- learn_vae(x, control = few())
  other <- x
  other$b <- factor(x$b, levels = c("c", "a", "b"), labels = c("one", "two", "three"))
  other$d <- factor(x$d, levels = c("b", "c", "a"))
  renamed <- learn_vae(other, control = few())
  expect_identical(coef(renamed), coef(plain))
  expect_identical(bnlearn::amat(renamed), bnlearn::amat(plain))
  # Predictions carry the names and the order of the data that they are made for.
  before <- predict(plain, x, type = "prob")
  after <- predict(renamed, other, type = "prob")
  expect_identical(colnames(after$b), levels(other$b))
  expect_identical(unname(after$b[, c(2, 3, 1)]), unname(before$b))
  expect_identical(levels(predict(renamed, other)$d), levels(other$d))
  expect_identical(as.character(predict(renamed, other)$d), as.character(predict(plain, x)$d))
  rows <- simulate(renamed, 200, seed = 1)
  expect_identical(levels(rows$b), levels(other$b))
  expect_identical(
    factor(rows$b, levels = c("two", "three", "one"), labels = c("a", "b", "c")),
    simulate(plain, 200, seed = 1)$b
  )
})

test_that("\"auto\" is the best BIC on discrete data and the paper's threshold on others", {
  set.seed(1)
  x <- chain_rows(300)
  discrete <- learn_vae(x, control = few())
  expect_identical(discrete$daggnn$threshold, best_threshold(discrete$daggnn$path))
  expect_identical(
    bnlearn::amat(discrete), bnlearn::amat(learn_vae(x, threshold = "bic", control = few()))
  )
  expect_identical(bnlearn::amat(rethreshold(discrete, "auto", x)), bnlearn::amat(discrete))
  numbers <- learn_vae(bnlearn::gaussian.test[1:300, ], control = few())
  expect_identical(numbers$daggnn$threshold, 0.3)
  mixed <- cbind(x, n = rnorm(300) + 2 * (x$a == "a"))
  expect_identical(learn_vae(mixed, control = few())$daggnn$threshold, 0.3)
})

test_that("of two numberings of the levels the network with the better BIC is kept", {
  set.seed(1)
  x <- chain_rows(300)
  best <- learn_vae(x, control = few())
  numbering <- best$daggnn$control$numbering
  expect_true(numbering %in% c("frequency", "axis"))
  bic <- function(net) bnlearn::score(net, x, type = "bic")
  frequency <- learn_vae(x, control = few(numbering = "frequency"))
  expect_identical(frequency$daggnn$control$numbering, "frequency")
  expect_gte(bic(best), bic(frequency))
  # There is nothing to compare by where the threshold is given.
  fixed <- suppressWarnings(learn_vae(x, threshold = 0.1, control = few()))
  expect_identical(fixed$daggnn$control$numbering, "frequency")
})

test_that("only discrete data have one value for each level by default", {
  latent <- function(x, ...) complete_control(dag_gnn_control(...), "vae", samples(x))$latent
  x <- chain_rows(50)
  expect_identical(latent(x), 1)
  expect_identical(latent(cbind(x, n = 1:50)), 0)
  expect_identical(latent(bnlearn::gaussian.test), 0)
  expect_identical(latent(x, latent = 3), 3)
  # Without networks, Z is as wide as X.
  expect_identical(latent(x, architecture = "linear"), 0)
  expect_no_error(suppressWarnings(learn_vae(x, control = few(architecture = "linear"))))
})

test_that("a network without edges comes with a warning that says why", {
  set.seed(1)
  x <- chain_rows(300)
  expect_warning(
    learn_vae(x, threshold = 99, control = few()),
    "without edges: no weight is above the threshold 99 \\(the largest is 0\\.",
    class = "daggnn_warning"
  )
  independent <- as.data.frame(lapply(x, sample))
  expect_warning(
    learn_vae(independent, control = few()), "without edges: the empty network has the best BIC",
    class = "daggnn_warning"
  )
  expect_no_warning(learn_vae(x, control = few()))
})
