#' Edge strengths by bootstrap
#'
#' Draws rows with replacement, learns a network from each resample, and counts how often each edge
#' was found and in which direction. The result has bnlearn's class:
#' [bnlearn::averaged.network()], [bnlearn::inclusion.threshold()] and [bnlearn::strength.plot()]
#' accept it. `plot()` draws the
#' averaged network with the strength of each edge as its width and its direction as a label.
#'
#' With `seeds`, networks are learned from all rows with different random numbers instead, and the
#' strength of an edge is the share of these runs that found it. This shows how much the result
#' depends on random numbers, and the averaged network is a consensus of the runs. It does not
#' measure the uncertainty that comes from the sample: for that, resample. The default model of
#' [dag_gnn()] draws no random numbers, so all its runs agree.
#'
#' Each resample is a task with a random stream of its own, so the same [set.seed()] gives the same
#' strengths here and on any cluster. Tasks are handed out one by one, as workers become free. One
#' that fails is tried three times in all and then left out, with a warning. When a worker is lost,
#' or gives no answer within `task_limit`, its task goes to another one, and to this process when
#' none is left; a task that two workers did not finish in time is left out. The result says what
#' happened, and so does a warning. Ctrl-C gives back the strengths over the resamples that are
#' done, with a warning; on a cluster those that are running are waited for (press it again to give
#' up on them). A cluster of which a worker was given up is best stopped afterwards.
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
#' @param cluster `NULL` to work in this process; a cluster of the parallel package:
#'   [parallel::makeCluster()] (sockets, several machines, MPI) or `mirai::make_cluster()`; or the
#'   name of a compute profile of mirai, `"default"` for the daemons of a plain `mirai::daemons()`
#'   call, which is the way to Slurm and other schedulers: daemons may come and go, and the first
#'   one is waited for.
#' @param ... Further arguments of `learner`.
#' @param warm_start `TRUE` learns a network from `x` first and gives it to `learner` as `start` for
#'   each resample; `FALSE` by default.
#' @param seeds `NULL` to resample rows, or whole numbers: a network is learned from all of `x` for
#'   each seed, and `R` and `m` play no part.
#' @param cpdag `TRUE` counts the edges of each network's equivalence class, as bnlearn's
#'   `boot.strength()` does: an edge that could point either way counts half for each direction.
#'   `FALSE`, the default, counts the arrows as learned.
#' @param task_limit How many seconds a worker of `cluster` may take for one resample before it is
#'   given up, a number above 0; `Inf`, the default, waits for ever. It plays no part in this
#'   process and on MPI clusters.
#' @param progress Whether to show how many resamples are done, where they take more than two
#'   seconds together; by default the option `daggnn.progress`, else `TRUE` in interactive sessions
#'   only.
#' @return A data frame of class `bn.strength` with the columns `from`, `to`, `strength` (how often
#'   the two were joined) and `direction` (how often that edge pointed this way). Its attribute
#'   `"resamples"` is a data frame with a row for each resample: `status` (`"done"`, `"failed"`,
#'   `"not run"`), `tries`, and a `message` that says why the last unsuccessful try was one. Its
#'   attribute `"lost"` has a message for each worker that was lost or given up. It has the class
#'   `"boot_dag"` as well.
#' @seealso [plot_bn()], [tidy.boot_dag()], [bnlearn::custom.strength()], [check_scale()],
#'   [select_penalty()].
#' @examples
#' set.seed(1)
#' x <- bnlearn::gaussian.test[1:500, ]
#' strength <- boot_dag(x, R = 10, learner = bnlearn::hc)
#' plot(strength)
#' tidy(strength)
#' bnlearn::averaged.network(strength)
#'
#' # The paper's model begins with random numbers: a consensus of three runs.
#' short <- dag_gnn_control(epochs = 5, max_rounds = 5)
#' runs <- suppressWarnings(boot_dag(x[1:4], seeds = 1:3, model = "vae", control = short))
#' tidy(runs)
#' @export
boot_dag <- function(x, R = 100, learner = dag_gnn, m = nrow(x), cluster = NULL, ...,
                     warm_start = FALSE, seeds = NULL, cpdag = FALSE, task_limit = Inf,
                     progress = NULL) {
  R <- check_number(R, "R", 1, 1e7, whole = TRUE)
  check_learner(learner)
  check_cluster(cluster)
  check_flag(warm_start, "warm_start")
  check_flag(cpdag, "cpdag")
  nodes <- samples(x)$nodes
  m <- check_number(m, "m", 1, .Machine$integer.max, whole = TRUE)
  seeds <- check_seeds(seeds)
  arguments <- list(...)
  if (warm_start) arguments$start <- learner(x, ...)
  count <- if (is.null(seeds)) R else length(seeds)
  reporter <- task_reporter("boot_dag", count, progress)
  on.exit(reporter$done())
  run <- function(fun, args) run_tasks(fun, args, count, cluster, task_limit, reporter$update)
  if (is.null(seeds)) {
    done <- run(learn_resample, list(x, m, learner, arguments))
    report_tasks(done, "resample", "`learner`")
  } else {
    done <- run(learn_seeded, list(x, seeds, learner, arguments))
    report_tasks(done, "seed", "`learner`")
    done$table$seed <- seeds
  }
  finished <- done$values[done$table$status == "done"]
  warn_unconverged(vapply(finished, function(each) each$reason, ""))
  learned <- lapply(finished, function(each) each$arcs)
  strength <- bnlearn::custom.strength(learned, nodes, cpdag = cpdag)
  attr(strength, "resamples") <- done$table
  attr(strength, "lost") <- done$lost
  class(strength) <- c("boot_dag", class(strength))
  strength
}

check_seeds <- function(seeds) {
  fine <- is.null(seeds) || (
    is.numeric(seeds) && length(seeds) > 0 && all(is.finite(seeds)) && all(seeds == round(seeds)) &&
      all(abs(seeds) <= .Machine$integer.max)
  )
  if (!fine) {
    stop_input("`seeds` must be NULL or whole numbers for set.seed(), not ", show_value(seeds), ".")
  }
  if (anyDuplicated(seeds)) {
    stop_input("`seeds` must be different from each other, but ", seeds[duplicated(seeds)][1],
      " is there more than once."
    )
  }
  seeds
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

# One task: the edges of a network learned from all rows, from this task's seed on. The generator is
# R's default one, so that set.seed() and `learner` alone give the same network.
learn_seeded <- function(task, x, seeds, learner, arguments) {
  before <- RNGkind()
  on.exit(do.call(RNGkind, as.list(before)))
  RNGkind("default", "default", "default")
  set.seed(seeds[task])
  learned_edges(learner, x, arguments)
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
  list(arcs = bnlearn::arcs(net), reason = c(net$daggnn$reason, "converged")[1])
}

# The warnings of single fits are not passed on: one says how many there were.
warn_unconverged <- function(reasons) {
  stopped <- reasons[!reasons %in% c("converged", "optimal")]
  if (length(stopped) == 0) {
    return(invisible())
  }
  counts <- table(stopped)
  warn_user(
    length(stopped), " of ", length(reasons), " fits did not converge (",
    paste0(names(counts), ": ", counts, collapse = ", "), "); their networks count as they are."
  )
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

#' @rdname boot_dag
#' @param what `"network"` draws the averaged network, `"strengths"` the distribution of the
#'   strengths with the threshold, as bnlearn does.
#' @param threshold,truth,main,longest,engine As in [plot_bn()].
#' @export
plot.boot_dag <- function(x, what = c("network", "strengths"), threshold = NULL, truth = NULL,
                          main = NULL, longest = 20, engine = c("base", "ggplot2", "html"), ...) {
  what <- check_choice(what, "what", c("network", "strengths"))
  if (what == "strengths") {
    plot(structure(x, class = setdiff(class(x), "boot_dag")), ...)
    return(invisible(x))
  }
  drawn <- plot_bn(
    x, threshold = threshold, truth = truth, main = main, longest = longest, engine = engine
  )
  if (inherits(drawn, "bn")) invisible(x) else drawn
}
