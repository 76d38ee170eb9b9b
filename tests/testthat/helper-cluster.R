# A cluster of local workers, stopped when the test ends. They are told where this process found the
# package; under R CMD check they would know.
local_cluster <- function(workers, make = parallel::makePSOCKcluster, envir = parent.frame()) {
  skip_on_cran()
  cluster <- make(workers)
  defer(try(parallel::stopCluster(cluster), silent = TRUE), envir)
  parallel::clusterCall(cluster, eval, call(".libPaths", .libPaths()))
  cluster
}

# Runs `code` when the function with the frame `envir` ends.
defer <- function(code, envir) {
  thunk <- as.call(list(function() code))
  do.call(on.exit, list(thunk, add = TRUE), envir = envir)
}

# The process ids of the workers.
worker_pids <- function(cluster) unlist(parallel::clusterCall(cluster, Sys.getpid))

# Kills a process the hard way, some seconds from now.
kill_later <- function(pid, seconds) {
  skip_on_cran()
  system(sprintf("(sleep %g; kill -9 %d) > /dev/null 2>&1 &", seconds, pid))
}
