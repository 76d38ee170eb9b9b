# The resident size of this process, in MiB.
resident_size <- function() {
  gc()
  line <- grep("^VmRSS:", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

test_that("memory does not grow over 1000 fits", {
  skip_unless_slow()
  skip_if_not(file.exists("/proc/self/status"), "the system does not tell the size of a process")
  set.seed(1)
  x <- data.frame(a = rnorm(200), f = factor(sample(letters[1:3], 200, TRUE)), b = rnorm(200))
  control <- dag_gnn_control(epochs = 1, max_rounds = 2)
  fit <- function(k) {
    model <- if (k %% 2 == 0) "vae" else "mechanism"
    suppressWarnings(dag_gnn(x, model = model, threads = 2, control = control))
    NULL
  }
  # What is kept for good (threads, caches, compiled code) is there after some fits.
  for (k in 1:100) fit(k)
  before <- resident_size()
  for (k in 1:1000) fit(k)
  # A leak of one copy of the data (5 kB) in each fit would be 5 MiB.
  expect_lt(resident_size() - before, 4)
})
