test_that("some set of kernels is in use on this machine", {
  expect_true(instruction_set_cpp() %in% c("plain", "baseline", "avx2", "avx512"))
})

test_that("training gives the same bits with 1, 2, 3 and 4 threads", {
  set.seed(1)
  x <- matrix(rnorm(200 * 60), 200, 60)
  vectors <- array(rnorm(200 * 20 * 3), c(200, 20, 3))
  control <- dag_gnn_control(epochs = 2, patience = Inf, max_rounds = 1)
  for (data in list(x, vectors)) {
    weights <- lapply(1:4, function(threads) {
      set.seed(2)
      suppressWarnings(coef(dag_gnn(data, model = "vae", control = control, threads = threads)))
    })
    for (other in weights[-1]) expect_identical(other, weights[[1]])
  }
})
