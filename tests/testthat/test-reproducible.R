# The same seed gives the same bits, and what has no meaning (the number of threads, the order of
# columns and rows, where a fit runs) changes nothing.

mixed_rows <- function(n) {
  a <- rnorm(n)
  b <- 1.5 * a + rnorm(n)
  f <- factor(ifelse(b + rnorm(n) > 0, "high", "low"))
  data.frame(b = b, "an a" = a, f = f, z = rnorm(n), check.names = FALSE)
}

few_rounds <- function(...) dag_gnn_control(epochs = 3, max_rounds = 4, ...)

for (model in c("mechanism", "vae")) {
  test_that(paste(model, "gives the same bits on 1 to 4 threads"), {
    set.seed(1)
    x <- mixed_rows(500)
    fits <- lapply(1:4, function(threads) {
      set.seed(7)
      dag_gnn(x, model = model, threads = threads, control = few_rounds())$daggnn
    })
    for (k in 2:4) {
      expect_identical(fits[[k]]$weights, fits[[1]]$weights)
      expect_identical(fits[[k]]$trace$loss, fits[[1]]$trace$loss)
    }
  })

  test_that(paste(model, "gives another result for another seed"), {
    set.seed(1)
    x <- mixed_rows(300)
    first <- dag_gnn(x, model = model, control = few_rounds())
    second <- dag_gnn(x, model = model, control = few_rounds())
    expect_false(identical(first$daggnn$weights, second$daggnn$weights))
  })

  test_that(paste(model, "permutes its network when columns are permuted"), {
    set.seed(2)
    x <- mixed_rows(300)
    learn <- function(x) {
      set.seed(3)
      dag_gnn(x, model = model, control = few_rounds())
    }
    permutations <- replicate(10, x[sample(ncol(x))], simplify = FALSE)
    plain <- learn(x)
    for (columns in permutations) {
      permuted <- learn(columns)
      expect_equal(
        permuted$daggnn$weights[names(x), names(x)], plain$daggnn$weights, tolerance = 1e-6
      )
      expect_identical(
        bnlearn::amat(permuted)[names(x), names(x)], bnlearn::amat(plain)[names(x), names(x)]
      )
    }
  })

  test_that(paste(model, "does not see the order of rows with full batches"), {
    set.seed(4)
    x <- mixed_rows(200)
    shuffled <- x[sample(nrow(x)), ]
    learn <- function(x) {
      set.seed(3)
      # Hill climbing over DAGs stops by a tolerance of its own, wider than rounding.
      control <- few_rounds(batch_size = nrow(x), polish = FALSE)
      dag_gnn(x, model = model, control = control)$daggnn$weights
    }
    expect_equal(learn(shuffled), learn(x), tolerance = 1e-6)
  })

  test_that(paste(model, "is safe inside mclapply(), also after threads were used"), {
    skip_on_os("windows")
    set.seed(5)
    x <- mixed_rows(500)
    learn <- function(k) {
      set.seed(6)
      dag_gnn(x, model = model, threads = 2, control = few_rounds())$daggnn$weights
    }
    here <- learn(0)
    forked <- parallel::mclapply(1:4, learn, mc.cores = 2)
    for (weights in forked) expect_identical(weights, here)
  })
}
