#' Edge strengths by bootstrap
#'
#' Draws rows with replacement, learns a network from each resample, and counts how often each edge
#' came out and which way it pointed. The result is bnlearn's: [bnlearn::averaged.network()],
#' [bnlearn::inclusion.threshold()] and [bnlearn::strength.plot()] take it.
#'
#' Each resample is a task with a random stream of its own, so the same [set.seed()] gives the same
#' strengths here and on any cluster. Tasks are handed out one by one, as workers become free. One
#' that fails is tried three times in all and then left out, with a warning. When a worker is lost,
#' its task goes to another one, and to this process when none is left. Ctrl-C gives back the
#' strengths over the resamples that are done, with a warning; on a cluster those that are running
#' are waited for (press it again to give up on them; stop that cluster then).
#'
#' The workers need this package. Each uses one thread, as workers usually share the cores of a
#' machine.
#'
#' A warm start begins each resample where the fit to all rows ended. It is faster, and it favours
#' the optimum that was found there: resamples that would have ended in another one may not leave
#' it, so strengths can come out more extreme.
#'
#' @param x The data, as for [dag_gnn()].
#' @param R How many resamples, a whole number from 1; 100 by default.
#' @param learner A function of a data frame that returns a bnlearn network: [dag_gnn()] by default,
#'   [notears()], [exact_dag()], `bnlearn::hc` or your own.
#' @param m How many rows to draw for each resample, a whole number from 1; by default as many as
#'   `x` has.
#' @param cluster `NULL` to work in this process, or a cluster of the parallel package:
#'   [parallel::makeCluster()] (sockets, several machines, MPI) or `mirai::make_cluster()`.
#' @param ... Further arguments of `learner`.
#' @param warm_start `TRUE` learns a network from `x` first and gives it to `learner` as `start` for
#'   each resample; `FALSE` by default.
#' @param cpdag `TRUE` counts the edges of each network's equivalence class, as bnlearn's
#'   `boot.strength()` does: an edge that could point either way counts half for each direction.
#'   `FALSE`, the default, counts the arrows as learned.
#' @return A data frame of class `bn.strength` with the columns `from`, `to`, `strength` (how often
#'   the two were joined) and `direction` (how often that edge pointed this way). Its attribute
#'   `"resamples"` is a data frame with a row for each resample: `status` (`"done"`, `"failed"`,
#'   `"not run"`), `tries` and the last `message`.
#' @seealso [bnlearn::custom.strength()], [check_scale()], [select_penalty()].
#' @examples
#' set.seed(1)
#' x <- bnlearn::gaussian.test[1:500, ]
#' strength <- boot_dag(x, R = 10, learner = bnlearn::hc)
#' bnlearn::averaged.network(strength)
#' @export
boot_dag <- function(x, R = 100, learner = dag_gnn, m = nrow(x), cluster = NULL, ...,
                     warm_start = FALSE, cpdag = FALSE) {
  R <- check_number(R, "R", 1, 1e7, whole = TRUE)
  check_learner(learner)
  check_cluster(cluster)
  check_flag(warm_start, "warm_start")
  check_flag(cpdag, "cpdag")
  nodes <- samples(x)$nodes
  m <- check_number(m, "m", 1, .Machine$integer.max, whole = TRUE)
  arguments <- list(...)
  if (warm_start) arguments$start <- learner(x, ...)
  done <- run_tasks(learn_resample, list(x, m, learner, arguments), R, cluster)
  report_tasks(done, "resample", "`learner`")
  learned <- done$values[done$table$status == "done"]
  strength <- bnlearn::custom.strength(learned, nodes, cpdag = cpdag)
  attr(strength, "resamples") <- done$table
  strength
}

check_learner <- function(learner) {
  if (!is.function(learner)) {
    stop_input(
      "`learner` must be a function of a data frame that returns a network, not ",
      show_value(learner), "."
    )
  }
}

# One task: the edges of a network learned from m rows drawn with replacement.
learn_resample <- function(task, x, m, learner, arguments) {
  rows <- sample.int(nrow(x), m, replace = TRUE)
  learned_edges(learner, take_rows(x, rows), arguments)
}

learned_edges <- function(learner, x, arguments) {
  net <- suppressWarnings(do.call(learner, c(list(x), arguments)), classes = "daggnn_warning")
  if (!inherits(net, "bn")) {
    stop_input("`learner` must return a bnlearn network, not ", show_value(net), ".")
  }
  # Our learners answer Ctrl-C with what they have: that is no whole network.
  if (is_network(net) && identical(net$daggnn$reason, "interrupt")) {
    signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
  }
  bnlearn::arcs(net)
}

take_rows <- function(x, rows) {
  if (length(dim(x)) == 3) {
    return(x[rows, , , drop = FALSE])
  }
  if (is.data.frame(x)) x <- as.data.frame(x)
  x <- x[rows, , drop = FALSE]
  rownames(x) <- NULL
  x
}
