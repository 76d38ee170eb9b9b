#' Choose the weight of the penalty
#'
#' Learns a network for each penalty weight of a grid and chooses one of them: by BIC, or by how
#' stable the edges are under subsampling.
#'
#' `"bic"` chooses the network with the best BIC of bnlearn on `x`. It is quick, but for continuous
#' data it only measures linear dependence.
#'
#' `"stability"` (StARS, Liu, Roeder and Wasserman 2010) learns from subsamples drawn without
#' replacement. An edge that is found in a share p of them has instability 2 p (1 - p); the mean
#' over all pairs of variables, made monotone along the grid, is the instability of a weight. The
#' smallest weight whose instability is at most `most_unstable` is chosen.
#'
#' All networks of a path start from the same random numbers, so that they differ by the penalty
#' alone. With [dag_gnn()] they are learned by `model = "vae"`: the mechanism chooses its edges by
#' their score, without a penalty.
#'
#' @param x The data, as for [dag_gnn()].
#' @param grid Penalty weights to try, numbers from 0.
#' @param criterion `"bic"` or `"stability"`.
#' @param learner [dag_gnn()], whose control's `penalty_weight` is set (with `penalty = "l1"` where
#'   the control asks for none), or a function of the data and an argument `lambda`: [notears()].
#' @param resamples For `"stability"`: how many subsamples, a whole number from 2; 20 by default.
#' @param most_unstable For `"stability"`: the largest instability to accept, from 0 to 0.5; 0.05 by
#'   default, as in the paper on StARS.
#' @param cluster,task_limit,progress As for [boot_dag()]: fits are independent tasks.
#' @param ... Further arguments of `learner`.
#' @return A list of class `"select_penalty"` with `path` (a data frame with a row for each weight:
#'   `weight`, `edges`, and `bic` or `instability`), `weight`, the one chosen, and `net`, the
#'   network learned with it from all rows. `plot()` draws the path.
#' @references Liu, Roeder and Wasserman (2010), Stability approach to regularization selection for
#'   high dimensional graphical models, <https://arxiv.org/abs/1006.3316>.
#' @seealso [rethreshold()] for the choice of the threshold, [boot_dag()] for the strength of edges.
#' @examples
#' set.seed(1)
#' x <- simulate_sem(random_dag(5), 200)
#' quick <- dag_gnn_control(epochs = 2, max_rounds = 5)
#' chosen <- select_penalty(x, c(0.01, 0.1, 1), control = quick)
#' chosen
#' plot(chosen)
#' @export
select_penalty <- function(x, grid = c(0, 0.01, 0.02, 0.05, 0.1, 0.2),
                           criterion = c("bic", "stability"), learner = dag_gnn, resamples = 20,
                           most_unstable = 0.05, cluster = NULL, ..., task_limit = Inf,
                           progress = NULL) {
  grid <- check_grid(grid)
  criterion <- check_choice(criterion, "criterion", c("bic", "stability"))
  check_learner(learner)
  resamples <- check_number(resamples, "resamples", 2, 1e6, whole = TRUE)
  most_unstable <- check_number(most_unstable, "most_unstable", 0, 0.5)
  check_cluster(cluster)
  data <- samples(x)
  scored <- if (criterion == "bic") scorable(x, "`criterion = \"bic\"`")
  arguments <- list(learner = learner, arguments = list(...), stream = random_streams(1)[[1]])

  fit_all <- function(fun, args, count) {
    reporter <- task_reporter("select_penalty", count, progress)
    on.exit(reporter$done())
    complete_tasks(run_tasks(fun, args, count, cluster, task_limit, reporter$update))
  }

  nets <- fit_all(fit_on_path, c(list(x, grid), arguments), length(grid))
  path <- data.frame(weight = grid, edges = vapply(nets, bnlearn::narcs, 1))
  if (criterion == "bic") {
    path$bic <- vapply(nets, bnlearn::score, 1, data = scored, type = bic_type(scored))
    best <- max(which(path$bic == max(path$bic)))
  } else {
    size <- subsample_size(nrow(x))
    arguments <- c(list(x, grid, subsamples(nrow(x), size, resamples)), arguments)
    found <- fit_all(fit_on_subsample, arguments, resamples * length(grid))
    path$instability <- instability(found, grid, data$nodes)
    best <- smallest_stable(path$instability, most_unstable)
  }
  structure(
    list(path = path, weight = grid[best], net = nets[[best]], criterion = criterion),
    class = "select_penalty"
  )
}

check_grid <- function(grid) {
  fine <- is.numeric(grid) && length(grid) > 0 && all(is.finite(grid)) && all(grid >= 0)
  if (!fine) {
    stop_input("`grid` must hold finite numbers from 0, not ", show_value(grid), ".")
  }
  sort(unique(as.vector(grid)))
}

# All tasks were done, or there is no path.
complete_tasks <- function(done) {
  if (done$interrupted) {
    stop_input("Interrupted before the path was complete.")
  }
  failed <- which(done$table$status == "failed")
  if (length(failed) > 0) {
    stop_input(
      "`learner` failed on ", length(failed), " of ", nrow(done$table), " fits, first with: ",
      done$table$message[failed[1]]
    )
  }
  report_tasks(done, "fit", "`learner`")
  done$values
}

fit_on_path <- function(task, x, grid, learner, arguments, stream) {
  with_stream(stream, learn_penalised(x, grid[task], learner, arguments))
}

# Tasks count through the grid for the first subsample, then for the second, and so on.
fit_on_subsample <- function(task, x, grid, subsamples, learner, arguments, stream) {
  rows <- subsamples[[(task - 1) %/% length(grid) + 1]]
  weight <- grid[(task - 1) %% length(grid) + 1]
  net <- with_stream(stream, learn_penalised(take_rows(x, rows), weight, learner, arguments))
  bnlearn::amat(net)
}

learn_penalised <- function(x, weight, learner, arguments) {
  if (identical(learner, dag_gnn)) {
    control <- if (is.null(arguments$control)) dag_gnn_control() else arguments$control
    if (is.null(control$penalty) || identical(control$penalty, "none")) control$penalty <- "l1"
    control$penalty_weight <- weight
    arguments$control <- control
    if (is.null(arguments$model)) arguments$model <- "vae"
  } else {
    arguments$lambda <- weight
  }
  net <- suppressWarnings(do.call(learner, c(list(x), arguments)), classes = "daggnn_warning")
  if (!inherits(net, "bn")) {
    stop_input("`learner` must return a bnlearn network, not ", show_value(net), ".")
  }
  net
}

# StARS's choice of size.
subsample_size <- function(n) {
  if (n > 144) floor(10 * sqrt(n)) else max(2, floor(0.8 * n))
}

subsamples <- function(n, size, count) {
  lapply(seq_len(count), function(k) sample.int(n, min(size, n)))
}

# found: adjacency matrices in the order of fit_on_subsample()'s tasks. For each weight the mean
# instability of a pair, or of a sparser weight where that is larger.
instability <- function(found, grid, nodes) {
  joined <- vapply(found, function(adjacency) {
    edges <- adjacency[nodes, nodes]
    (edges + t(edges))[upper.tri(edges)] > 0
  }, logical(length(nodes) * (length(nodes) - 1) / 2))
  joined <- matrix(joined, ncol = length(found))
  weight <- rep_len(seq_along(grid), length(found))
  unstable <- vapply(seq_along(grid), function(k) {
    share <- rowMeans(joined[, weight == k, drop = FALSE])
    mean(2 * share * (1 - share))
  }, 1)
  rev(cummax(rev(unstable)))
}

smallest_stable <- function(unstable, most) {
  stable <- which(unstable <= most)
  if (length(stable) == 0) {
    warn_user(
      "No weight of `grid` has an instability of at most ", format(most),
      ": the largest is taken. Add larger ones."
    )
    return(length(unstable))
  }
  min(stable)
}

#' @export
print.select_penalty <- function(x, ...) {
  name <- if (x$criterion == "bic") "BIC" else "stability"
  cat("Penalty weight ", format(x$weight), ", chosen by ", name, "\n\n", sep = "")
  shown <- x$path
  shown[[3]] <- signif(shown[[3]], 6)
  shown$chosen <- ifelse(shown$weight == x$weight, "*", "")
  names(shown)[4] <- ""
  print(shown, row.names = FALSE)
  invisible(x)
}

#' @importFrom graphics abline axis
#' @export
plot.select_penalty <- function(x, ...) {
  measure <- names(x$path)[3]
  # The grid is usually a geometric one, and 0 has no logarithm: equal steps show it best.
  step <- seq_len(nrow(x$path))
  defaults <- list(
    type = "b", pch = 19, xaxt = "n", xlab = "penalty weight",
    ylab = if (measure == "bic") "BIC" else measure
  )
  settings <- utils::modifyList(defaults, list(...))
  do.call(graphics::plot.default, c(list(step, x$path[[measure]]), settings))
  axis(1, step, format(x$path$weight, trim = TRUE))
  abline(v = which(x$path$weight == x$weight), lty = 2)
  invisible(x)
}
