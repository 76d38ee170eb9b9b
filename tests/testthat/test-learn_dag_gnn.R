test_that("a data frame goes in, a bnlearn network comes out", {
  set.seed(1)
  a <- rnorm(500)
  b <- 1.5 * a + rnorm(500)
  x <- data.frame(c = -b + rnorm(500), b = b, "an a" = a, check.names = FALSE)
  net <- dag_gnn(x)
  expect_s3_class(net, "bn")
  expect_setequal(
    paste(bnlearn::arcs(net)[, 1], bnlearn::arcs(net)[, 2]),
    c("an a b", "b c")
  )
  expect_identical(net$daggnn$reason, "converged")
  expect_type(bnlearn::score(net, x, type = "bic-g"), "double")
})

test_that("learning that is cut short says so", {
  set.seed(1)
  x <- simulate_sem(random_dag(8), 500)
  expect_warning(net <- dag_gnn(x, time_limit = 0), "`time_limit`", class = "daggnn_warning")
  expect_identical(net$daggnn$reason, "time_limit")
})

quick <- function(...) dag_gnn_control(epochs = 2, max_rounds = 2, ...)

# One column of each kind.
all_kinds <- function(n) {
  a <- rnorm(n)
  x <- data.frame(a = a, f = factor(ifelse(a + rnorm(n) > 0, "high", "low")), b = 2 * a + rnorm(n))
  x$v <- cbind(x$b, -x$b) + rnorm(2 * n)
  x$s <- sample(c("red", "green", "blue"), n, replace = TRUE)
  x
}

test_that("every variant of the paper's model trains on data of every kind", {
  set.seed(2)
  x <- all_kinds(60)
  x[cbind(1:5, 1)] <- NA
  x$f[7] <- NA
  variants <- list(
    quick(), quick(architecture = "switched"), quick(architecture = "linear"), quick(latent = 2),
    quick(biases = FALSE), quick(monte_carlo = 2), quick(encoder_variance = "learned"),
    quick(decoder_variance = "learned"), quick(hidden = 3), quick(constraint = "exponential"),
    quick(constraint = "logdet"), quick(penalty = "l1", penalty_weight = 0.1),
    quick(penalty = "huber", penalty_weight = 0.1)
  )
  weights <- lapply(variants, function(control) {
    set.seed(3)
    net <- dag_gnn(x, model = "vae", control = control)
    expect_true(bnlearn::directed(net) && bnlearn::acyclic(net))
    expect_identical(bnlearn::nodes(net), names(x))
    expect_true(all(is.finite(coef(net))))
    coef(net)
  })
  # Each hyperparameter does something.
  expect_length(unique(weights), length(variants))
})

test_that("every variant of the mechanism trains on data of every kind", {
  set.seed(2)
  x <- all_kinds(60)
  x[cbind(1:5, 1)] <- NA
  for (data in list(x, x[c("a", "b", "v")], x[c("f", "s")])) {
    variants <- list(
      quick(), quick(hidden = 0), quick(hidden = 3), quick(noise = "own"),
      quick(penalty = "huber", penalty_weight = 0.1), quick(train = TRUE)
    )
    for (control in variants) {
      net <- dag_gnn(data, control = control)
      expect_true(bnlearn::directed(net) && bnlearn::acyclic(net))
      expect_identical(bnlearn::nodes(net), names(data))
      expect_true(all(is.finite(coef(net))))
    }
  }
})

for (model in c("mechanism", "vae")) {
  test_that(paste(model, "holds to lists and tiers, against the data too"), {
    set.seed(4)
    a <- rnorm(200)
    b <- 2 * a + rnorm(200)
    x <- data.frame(a = a, b = b, c = rnorm(200), d = -2 * b + rnorm(200))
    learn <- function(...) {
      arcs <- bnlearn::arcs(dag_gnn(x, model = model, control = quick(), ...))
      paste(arcs[, 1], arcs[, 2])
    }
    expect_true(all(c("c a", "d c") %in% learn(whitelist = rbind(c("c", "a"), c("d", "c")))))
    pairs <- cbind(c("a", "b", "b", "d"), c("b", "a", "d", "b"))
    expect_length(intersect(learn(blacklist = pairs), paste(pairs[, 1], pairs[, 2])), 0)
    backwards <- learn(tiers = list("d", c("b", "c"), "a"))
    expect_length(intersect(backwards, c("a b", "a c", "a d", "b d", "c d")), 0)
    everything <- expand.grid(from = names(x), to = names(x), stringsAsFactors = FALSE)
    expect_length(learn(blacklist = everything[everything$from != everything$to, ]), 0)
  })

  test_that(paste(model, "takes fewer rows than a batch, and units from 1e-12 to 1e12"), {
    set.seed(5)
    a <- rnorm(40)
    x <- data.frame(a = a, b = 2 * a + rnorm(40))
    for (size in c(1, 1e-12, 1e12)) {
      net <- suppressWarnings(dag_gnn(x * size, model = model, control = quick()))
      expect_true(all(is.finite(coef(net))))
      expect_true(bnlearn::acyclic(net))
    }
    mixed <- suppressWarnings(
      dag_gnn(data.frame(a = 1e12 * a, b = 1e-12 * x$b), model = model, control = quick())
    )
    expect_true(all(is.finite(coef(mixed))))
  })
}

test_that("training that diverges ends in the last good result and a warning", {
  set.seed(6)
  x <- data.frame(a = rnorm(50), b = rnorm(50), c = rnorm(50))
  for (model in c("mechanism", "vae")) {
    wild <- quick(train = TRUE, penalty = "l1", penalty_weight = 1e308)
    expect_warning(net <- dag_gnn(x, model = model, control = wild), class = "daggnn_warning")
    expect_identical(net$daggnn$reason, "not_finite")
    expect_true(all(is.finite(coef(net))))
    expect_true(bnlearn::acyclic(net))
  }
})

test_that("the result tells how training went", {
  set.seed(7)
  net <- dag_gnn(bnlearn::gaussian.test[1:200, 1:3], control = quick(train = TRUE))
  trace <- net$daggnn$trace
  expect_true(all(
    c("round", "h", "c", "lambda", "loss", "epochs", "seconds") %in% names(trace)
  ))
  expect_identical(trace$epochs, rep(2L, nrow(trace)))
  expect_true(net$daggnn$reason %in% c("converged", "max_rounds"))
  expect_output(print(net), "dag_gnn")
})

test_that("bnlearn works with what was learned, before and after it was stored", {
  x <- bnlearn::gaussian.test[1:500, ]
  set.seed(8)
  net <- dag_gnn(x)
  file <- tempfile(fileext = ".rds")
  saveRDS(net, file)
  stored <- readRDS(file)
  unlink(file)
  expect_identical(stored, net)
  twin <- bnlearn::model2network(bnlearn::modelstring(net))
  for (one in list(net, stored)) {
    expect_equal(bnlearn::score(one, x, type = "bge"), bnlearn::score(twin, x, type = "bge"))
    expect_equal(bnlearn::shd(one, twin), 0)
    expect_true(all.equal(bnlearn::cpdag(one), bnlearn::cpdag(twin)))
    expect_equal(
      predict(bnlearn::bn.fit(one, x), "F", x), predict(bnlearn::bn.fit(twin, x), "F", x)
    )
    expect_identical(bnlearn::vstructs(one), bnlearn::vstructs(twin))
    expect_setequal(bnlearn::node.ordering(one), names(x))
    strengths <- bnlearn::custom.strength(list(one, twin), names(x), cpdag = FALSE)
    expect_identical(sort(unique(strengths$strength)), c(0, 1))
  }
})

test_that("parents that interact are found in incomplete data", {
  set.seed(1)
  x <- data.frame(a = rnorm(700), b = rnorm(700))
  # The sum of a curve of a and one of b explains a half of y.
  x$y <- x$a * x$b + (x$a + x$b) / sqrt(2) + rnorm(700, sd = 0.3)
  for (j in 1:3) x[runif(700) < 0.1, j] <- NA
  expect_identical(bnlearn::modelstring(dag_gnn(x)), "[a][b][y|a:b]")
})
