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
  numbers <- data.frame(a = rnorm(1000), b = rnorm(1000), c = rnorm(1000))
  mixed <- cbind(numbers, f = factor(sample(letters[1:3], 1000, TRUE)))
  quick <- dag_gnn_control(epochs = 1, max_rounds = 2)
  # Each way of learning, on two threads, in turn.
  ways <- list(
    function() dag_gnn(mixed, model = "vae", threads = 2, control = quick),
    function() dag_gnn(mixed, threads = 2, control = quick),
    function() dag_gnn(numbers, threads = 2, control = quick),
    function() notears(numbers, max_rounds = 3),
    function() exact_dag(numbers)
  )
  fit <- function(k) {
    suppressWarnings(ways[[k %% length(ways) + 1]]())
    NULL
  }
  # What is kept for good (threads, caches, compiled code) is there after some fits.
  for (k in 1:100) fit(k)
  before <- resident_size()
  for (k in 1:1000) fit(k)
  # A leak of one copy of the data (24 kB) in each fit of one way alone would be 4.7 MiB.
  expect_lt(resident_size() - before, 4)
})
