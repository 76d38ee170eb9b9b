#' Compare learners in one table
#'
#' Runs learners on the same data, takes ready networks, and gives a row to each: how well it fits,
#' how long it took, and, where the truth is known, how far it is from that.
#'
#' @param x The data, as for [dag_gnn()], also a [data_source()]: `"dag_gnn"`, `"notears"`,
#'   `"exact"` and `"fges"` learn from all of its rows, the others from its sample, on which the BIC
#'   is computed too; or a function without arguments that draws them anew for
#'   each repetition, and returns them alone or as `list(x = , truth = )`. For `print()` and
#'   `plot()`, a table from `compare_learners()`.
#' @param learners What to compare: names among `"dag_gnn"`, `"notears"`, `"exact"` ([exact_dag()]),
#'   `"hc"`, `"tabu"`, `"mmhc"`, `"pc"` (the stable PC algorithm; all four by bnlearn), `"fges"`
#'   (greedy equivalence search, see below) and `"ges"` (the same by the package pcalg, for
#'   numbers); or a list of names, functions of the data that return a network, and ready networks,
#'   such as one that [read_gobnilp()] has read. Functions and networks must be named. `"exact"`
#'   allows any number of parents up to 10 variables, and 3 beyond, unless `maxp` says otherwise.
#' @param truth The true network, if it is known: as in [dag_metrics()].
#' @param cluster,task_limit As for [boot_dag()]: learners and repetitions are spread over the
#'   workers. The table is the same, but for the seconds.
#' @param repeats How often to run each learner, from 1, each time with other random numbers.
#' @param baselines Networks that learn little or nothing, each with a row of its own: names among
#'   * `"empty"`, the network without edges;
#'   * `"random_dag"`, a random network with as many edges as the truth or, where that is not known,
#'     as the first learner's network;
#'   * `"sort_variance"`, which sorts the variables by their variance and regresses each on those
#'     before it. Where it does as well as a learner, the learner may owe its success to the scale
#'     of the data (see [varsortability()]);
#'   * `"sort_r2"`, the same by the share of the variance that all other variables explain, which
#'     does not depend on units.
#'
#'   The latter two are for numbers without missing values, and choose regressors by BIC, forward
#'   and then backward. By default, all that suit the data where the truth is known, and else the
#'   empty network; `character()` for none.
#' @param folds The number of folds of the cross-validation behind the column `predictive`, from 2;
#'   with fewer rows than that, the number of rows. 0 leaves the column out, which saves time where
#'   the data are large.
#' @param progress Whether to show how many of the runs are done, where there are repetitions that
#'   take more than two seconds together; by default the option `daggnn.progress`, else `TRUE` in
#'   interactive sessions only.
#' @param ... Further arguments, such as `whitelist`, `maxp` or `time_limit`: every learner gets
#'   those that it has.
#' @return A data frame of class `"compare_learners"` with a row for each learner, each baseline and
#'   the truth:
#'   * `bic`, `loglik`: bnlearn's, higher is better. For mixed, vector-valued and incomplete data,
#'     which bnlearn scores in part or not at all, those of [network_score()] with linear effects,
#'     in all rows. `NA` where there is none, with the reason in `message`. A network with
#'     undirected edges, as from `"pc"` and `"ges"`, is first completed to a DAG.
#'   * `predictive`: the log-likelihood of rows that were held out in a cross-validation, by
#'     [network_score()] with its defaults: numeric parents act by smooth curves. Higher is better.
#'     All networks have the same folds and the same family of models, whatever the data, so that
#'     this column ranks learners also where effects are curved, variables mixed or values missing.
#'     Equivalent networks of discrete variables have the same value where no value is missing,
#'     others nearly the same. Divided by the number of rows, a difference is what one network
#'     predicts better than the other for a new row, on the scale of the log-likelihood.
#'   * `edges`, `seconds`. The seconds are those of learning; scores are not part of them.
#'   * `gap`: how far the BIC is below the certified optimum, as a share of it, where `"exact"` is
#'     among the learners and has proven one by bnlearn's BIC. Below 0 where a network has more
#'     parents than that allows.
#'   * `shd`, `fdr`, `tpr`, `fpr`, `shd_cpdag`, `sid` and, where gadjid is installed, `aid`: as in
#'     [dag_metrics()], with a truth.
#'   * `message`: why a learner failed, or has no score. The others go on. A learner that fails on
#'     data with missing values is run again on the complete rows, and the message says so.
#'
#'   With repetitions these are means over the runs that succeeded, and columns that end in `_sd`
#'   have their standard deviations. The attribute `"runs"` has a row for each run, the attribute
#'   `"networks"` the networks, in the same order, and `"source"` says what a [data_source()] was
#'   read for, as `print()` does.
#' @section Greedy equivalence search: `"fges"` searches classes of equivalent DAGs by their BIC: it
#'   inserts edges, deletes edges and turns edges, each time the one that raises the score most, and
#'   repeats this until nothing does (Chickering 2002; Hauser and Buehlmann 2012; the bookkeeping is
#'   that of Ramsey et al. 2017). The network is a DAG of the class, and `$daggnn$cpdag` has the
#'   class itself, with undirected edges where the direction is open. It takes `whitelist`,
#'   `blacklist`, `tiers`, `maxp`, `time_limit` and `threads`; the DAG agrees with the three lists,
#'   and so does every DAG that `$daggnn$cpdag` stands for.
#' @references Reisach, Seiler and Weichwald (2021), Beware of the simulated DAG! Causal discovery
#'   benchmarks may be easy to game, NeurIPS 34. Reisach, Tami, Seiler, Chambaz and Weichwald
#'   (2023), A scale-invariant sorting criterion to find a causal order in additive noise models,
#'   NeurIPS 36. They choose the regressors of the two sorted baselines by the lasso.
#'
#'   Chickering (2002), Optimal structure identification with greedy search, Journal of
#'   Machine Learning Research 3, 507-554.
#'   Hauser and Buehlmann (2012), Characterization and greedy learning of interventional Markov
#'   equivalence classes of directed acyclic graphs, Journal of Machine Learning Research 13,
#'   2409-2464.
#'   Ramsey, Glymour, Sanchez-Romero and Glymour (2017), A million variables and more, International
#'   Journal of Data Science and Analytics 3, 121-129.
#' @seealso [dag_metrics()], [boot_dag()]; `plot()` draws the table.
#' @examples
#' set.seed(1)
#' dag <- random_dag(6, degree = 2)
#' compared <- compare_learners(simulate_sem(dag, 500), c("notears", "hc"), truth = dag)
#' compared
#' plot(compared)
#'
#' # Numbers and factors, some of them missing: the predictive column ranks all networks.
#' x <- bnlearn::clgaussian.test[1:300, ]
#' x$A[1:10] <- NA
#' compare_learners(x, c("dag_gnn", "hc"))
#'
#' # Means over data sets that are drawn anew.
#' draw <- function() {
#'   dag <- random_dag(6, degree = 2)
#'   list(x = simulate_sem(dag, 200), truth = dag)
#' }
#' compare_learners(draw, c("hc", "pc"), repeats = 3)
#' @export
compare_learners <- function(x, learners = c(
                               "dag_gnn", "notears", "exact", "hc", "tabu", "pc", "ges"
                             ),
                             truth = NULL, cluster = NULL, repeats = 1, baselines = NULL,
                             folds = 10, progress = NULL, task_limit = Inf, ...) {
  learners <- check_learners(learners)
  repeats <- check_number(repeats, "repeats", 1, 1e6, whole = TRUE)
  check_cluster(cluster)
  arguments <- list(...)
  check_arguments(arguments, learners)
  check_baselines(baselines)
  folds <- check_folds(folds)
  draws <- draw_data(x, truth, repeats)
  sources <- Filter(Negate(is.null), lapply(draws, function(draw) draw$rows$source))
  check_source_travels(sources, cluster)
  runs <- expand.grid(learner = seq_along(learners), draw = seq_len(repeats))
  # Before the runs, which leave the generator in another state on a cluster.
  streams <- random_streams(repeats)
  reporter <- progress_of_runs(repeats, nrow(runs), progress)
  on.exit(reporter$done())
  done <- run_tasks(
    learn_one, list(runs, learners, arguments, draws), nrow(runs), cluster, task_limit,
    reporter$update
  )
  if (done$interrupted) warn_user("Interrupted: learners that did not run have no figures.")
  warn_lost_workers(done$lost)

  outcomes <- Map(outcome_of_task, done$values, done$table$message)
  networks <- lapply(outcomes, `[[`, "net")
  describe <- function(names, outcomes, draws, repetition) {
    Map(describe_run, names, outcomes, draws, repetition, folds)
  }
  rows <- describe(names(learners)[runs$learner], outcomes, draws[runs$draw], runs$draw)
  baseline_rows <- lapply(seq_len(repeats), function(draw) {
    learned <- networks[runs$draw == draw]
    found <- with_stream(streams[[draw]], references(draws[[draw]], baselines, learned))
    describe(names(found), found, draws[draw], draw)
  })
  table <- do.call(rbind, c(rows, unlist(baseline_rows, FALSE), make.row.names = FALSE))
  # The optimum over all rows is none over the sample.
  if (length(sources) == 0 && all(vapply(draws, function(draw) has_bnlearn_score(draw$x), NA))) {
    table <- add_gap(table, networks)
  }
  structure(
    new_comparison(table, networks, repeats), source = comparison_source(draws[[1]], learners)
  )
}

check_source_travels <- function(sources, cluster) {
  if (!is.null(cluster) && any(vapply(sources, inherits, NA, "source_sql"))) {
    stop_input(
      "`cluster` must be NULL where `x` is a database table: its connection belongs to this ",
      "process."
    )
  }
}

# What the sample of a source was used for; NULL where all rows are in memory.
comparison_source <- function(draw, learners) {
  rows <- draw$rows
  if (is.null(rows$source)) {
    return(NULL)
  }
  others <- names(learners)[!vapply(learners, learns_from_all, NA)]
  paste0(
    "The data are ", format_count(rows$n), " rows in ", rows$label, ". The scores",
    if (length(others) > 0) paste0(" and ", paste(others, collapse = ", ")),
    " use a random sample of ", format_count(nrow(rows$x)), " of them."
  )
}

# Repetitions show how many runs are done; a single run of each learner shows the learner's own
# progress. `done` ends both.
progress_of_runs <- function(repeats, total, show) {
  if (repeats > 1) {
    return(task_reporter("compare_learners", total, show))
  }
  before <- if (!is.null(show)) options(daggnn.progress = check_flag(show, "progress"))
  list(update = NULL, done = function() options(before))
}

check_baselines <- function(baselines) {
  known <- names(baseline_learners)
  if (!is.null(baselines) && (!is.character(baselines) || !all(baselines %in% known))) {
    unknown <- if (is.character(baselines)) setdiff(baselines, known)[1] else baselines
    stop_input("`baselines` must be among ", quoted(known), ", not ", show_value(unknown), ".")
  }
}

check_folds <- function(folds) {
  folds <- check_number(folds, "folds", 0, 1e6, whole = TRUE)
  if (folds == 1) stop_input("`folds` must be 0 or a whole number from 2, not 1.")
  folds
}

check_arguments <- function(arguments, learners) {
  given <- names(arguments)
  if (length(arguments) > 0 && (is.null(given) || any(given == ""))) {
    stop_input("Further arguments of compare_learners() must have names.")
  }
  taken <- unlist(lapply(learners, function(learner) names(arguments_for(learner, arguments))))
  unknown <- setdiff(given, taken)
  if (length(unknown) > 0) {
    stop_input("No learner has an argument `", unknown[1], "`.")
  }
}

# For each repetition a list of x, its nodes, and the truth as a network or NULL.
draw_data <- function(x, truth, repeats) {
  if (!is.function(x)) {
    return(rep(list(describe_draw(x, truth)), repeats))
  }
  lapply(seq_len(repeats), function(k) {
    drawn <- tryCatch(x(), error = function(condition) {
      stop_input("`x`, a function that draws data, failed: ", conditionMessage(condition))
    })
    # A data frame is a list too.
    if (is.data.frame(drawn) || !is.list(drawn)) drawn <- list(x = drawn)
    describe_draw(drawn$x, if (is.null(drawn$truth)) truth else drawn$truth)
  })
}

describe_draw <- function(x, truth) {
  rows <- read_rows(x)
  nodes <- samples(rows$x)$nodes
  if (!is.null(truth)) {
    adjacency <- adjacency_on(truth, nodes, "truth", "x")
    check_dag(adjacency, "truth")
    truth <- bn_of(adjacency, "truth")
  }
  list(x = rows$x, rows = rows, nodes = nodes, truth = truth)
}

# One task: run a learner, or hand over a ready network.
learn_one <- function(task, runs, learners, arguments, draws) {
  learner <- learners[[runs$learner[task]]]
  draw <- draws[[runs$draw[task]]]
  began <- proc.time()[["elapsed"]]
  learn <- function(x) {
    tryCatch(
      list(net = do.call(learner, c(list(x), arguments_for(learner, arguments)))),
      error = function(condition) list(message = conditionMessage(condition))
    )
  }
  outcome <- if (is.function(learner)) learn(data_for(learner, draw)) else list(net = learner)
  note <- NULL
  if (!is.null(outcome$message)) {
    complete <- complete_rows(draw$x)
    if (is.null(complete)) {
      return(outcome)
    }
    outcome <- learn(complete)
    note <- paste0("learned from the ", nrow(complete), " complete rows.")
  }
  if (is.null(outcome$net)) {
    return(outcome)
  }
  seconds <- if (is.function(learner)) proc.time()[["elapsed"]] - began else NA_real_
  check_learned_network(outcome$net, draw$nodes, seconds, note)
}

# NULL where no row has a missing value, or where too few are complete to learn from.
complete_rows <- function(x) {
  frame <- as_frame(variables_of(x, "x"))
  complete <- stats::complete.cases(frame)
  if (all(complete) || sum(complete) < least_rows) NULL else frame[complete, , drop = FALSE]
}

# All rows for the learners of this package, where they are elsewhere; the sample for others.
data_for <- function(learner, draw) {
  if (learns_from_all(learner)) draw$rows else draw$x
}

# Ready networks have learned.
learns_from_all <- function(learner) {
  ours <- list(dag_gnn, notears, exact_up_to, fges)
  !is.function(learner) || any(vapply(ours, identical, NA, learner))
}

check_learned_network <- function(net, nodes, seconds, note = NULL) {
  if (inherits(net, "bn.fit")) net <- bnlearn::bn.net(net)
  wrong <- if (!inherits(net, "bn")) {
    paste("gave", show_value(net), "instead of a network")
  } else if (!setequal(names(net$nodes), nodes)) {
    "gave a network of other nodes than the columns of `x`"
  }
  if (is.null(wrong)) list(net = net, seconds = seconds, note = note) else list(message = wrong)
}

# What run_tasks() knows of a task whose worker was lost or that was not run.
outcome_of_task <- function(value, message) {
  if (is.null(value)) list(message = if (is.na(message)) "was not run" else message) else value
}

# One row of the table. outcome: net, or a message why there is none; seconds.
describe_run <- function(learner, outcome, draw, repetition, folds) {
  scores <- c("bic", "loglik", if (folds > 0) "predictive")
  row <- data.frame(learner = learner, stringsAsFactors = FALSE)
  row[c(scores, "edges")] <- NA_real_
  row$seconds <- if (is.null(outcome$seconds)) NA_real_ else outcome$seconds
  metrics <- c("shd", "fdr", "tpr", "fpr", "shd_cpdag", "sid")
  if (requireNamespace("gadjid", quietly = TRUE)) metrics <- c(metrics, "aid")
  if (!is.null(draw$truth)) row[metrics] <- NA_real_
  row$message <- NA_character_
  row$draw <- repetition
  if (is.null(outcome$net)) {
    row$message <- outcome$message
    return(row)
  }
  row$edges <- count_edges(outcome$net)
  fit <- fit_of(outcome$net, draw$x, folds)
  known <- intersect(scores, names(fit))
  row[known] <- fit[known]
  row$message <- c(fit$message, outcome$note, NA_character_)[1]
  if (!is.null(draw$truth)) {
    row[metrics] <- dag_metrics(draw$truth, outcome$net)[metrics]
  }
  row
}

count_edges <- function(net) {
  nrow(bnlearn::arcs(net)) - nrow(bnlearn::undirected.arcs(net)) / 2
}

# A list of the scores of a network, without those that cannot be computed, for which `message` has
# the reason. Which BIC it is depends on the data alone, so that all rows of a table have
# the same.
fit_of <- function(net, x, folds) {
  or_message <- function(scores) {
    tryCatch(scores(), error = function(condition) list(message = conditionMessage(condition)))
  }
  c(
    or_message(function() {
      finite_scores(if (has_bnlearn_score(x)) bnlearn_fit(net, x) else own_fit(net, x))
    }),
    if (folds > 0) or_message(function() finite_scores(held_out_fit(net, x, folds)))
  )
}

# bnlearn scores every network on complete numbers and on complete factors, but not on both.
has_bnlearn_score <- function(x) {
  columns <- variables_of(x, "x")
  numeric <- vapply(columns, is.numeric, NA)
  length(unique(numeric)) == 1 && all(vapply(columns, NCOL, 1L) == 1) && !anyNA(columns, TRUE)
}

bnlearn_fit <- function(net, x) {
  frame <- scorable(x, "The BIC")
  type <- bic_type(frame)
  dag <- bnlearn::empty.graph(names(frame))
  bnlearn::amat(dag, check.cycles = FALSE) <- bnlearn::amat(net)[names(frame), names(frame)]
  if (!bnlearn::directed(dag)) dag <- completed_dag(dag)
  score <- function(type) without_level_warnings(bnlearn::score(dag, frame, type = type))
  list(bic = score(type), loglik = score(sub("bic", "loglik", type)))
}

completed_dag <- function(net) {
  tryCatch(bnlearn::cextend(net), error = function(condition) {
    stop_input(
      "The network has no score: its undirected edges cannot all be directed without a cycle or a ",
      "new collider."
    )
  })
}

own_fit <- function(net, x) {
  # Networks of this package carry columns of their own; their edges are all that counts here.
  adjacency <- bnlearn::amat(net)
  score <- function(type) network_score(adjacency, x, type, effects = "linear")
  list(bic = score("bic"), loglik = score("loglik"))
}

held_out_fit <- function(net, x, folds) {
  rows <- NROW(variables_of(x, "x")[[1]])
  list(predictive = network_score(bnlearn::amat(net), x, "predictive", folds = min(folds, rows)))
}

# Where a variable has no noise left, or hardly any, the likelihood is infinite.
finite_scores <- function(scores) {
  infinite <- names(scores)[!vapply(scores, is.finite, NA)]
  if (length(infinite) > 0) {
    title <- if (infinite[1] == "predictive") "held-out log-likelihood" else "BIC"
    stop_input("The ", title, " is not finite: some variable has no noise that could be measured.")
  }
  scores
}

# The baselines, and the truth where it is known, as outcomes of learners by their names. networks:
# what the learners found on this draw.
references <- function(draw, baselines, networks) {
  chosen <- baselines
  if (is.null(chosen)) chosen <- if (is.null(draw$truth)) "empty" else names(baseline_learners)
  known <- Filter(Negate(is.null), c(list(draw$truth), networks))
  edges <- if (length(known) > 0) count_edges(known[[1]]) else 0
  outcomes <- lapply(stats::setNames(chosen, chosen), function(name) {
    tryCatch(
      list(net = baseline_learners[[name]](draw$x, edges)),
      error = function(condition) list(message = conditionMessage(condition))
    )
  })
  # Nobody asked for those that do not suit the data.
  if (is.null(baselines)) outcomes <- Filter(function(outcome) !is.null(outcome$net), outcomes)
  if (!is.null(draw$truth)) outcomes$truth <- list(net = draw$truth)
  outcomes
}

# The certified optimum of each repetition, and how far each network is below it.
add_gap <- function(table, networks) {
  proven <- vapply(networks, function(net) isTRUE(net$optimal), NA)
  if (!any(proven)) {
    return(table)
  }
  optimum <- rep(NA_real_, max(table$draw))
  optimum[table$draw[which(proven)]] <- table$bic[which(proven)]
  gap <- (optimum[table$draw] - table$bic) / abs(optimum[table$draw])
  after <- match("seconds", names(table))
  cbind(table[seq_len(after)], gap = gap, table[-seq_len(after)])
}

new_comparison <- function(runs, networks, repeats) {
  measures <- setdiff(names(runs), c("learner", "message", "draw"))
  if (repeats == 1) {
    table <- runs[c("learner", measures, "message")]
  } else {
    table <- summarise_runs(runs, measures)
  }
  structure(
    table, class = c("compare_learners", "data.frame"), runs = runs, networks = networks
  )
}

# Means and standard deviations over the runs of each learner, in the order of the first run.
summarise_runs <- function(runs, measures) {
  statistic <- function(rows, name, f) {
    values <- rows[[name]][!is.na(rows[[name]])]
    if (length(values) == 0) NA_real_ else f(values)
  }
  rows <- lapply(unique(runs$learner), function(learner) {
    own <- runs[runs$learner == learner, ]
    means <- vapply(measures, function(name) statistic(own, name, mean), 0)
    spreads <- vapply(measures, function(name) statistic(own, name, stats::sd), 0)
    columns <- c(rbind(measures, paste0(measures, "_sd")))
    values <- stats::setNames(as.list(c(rbind(means, spreads))), columns)
    data.frame(
      learner = learner, values, message = stats::na.omit(own$message)[1], stringsAsFactors = FALSE
    )
  })
  do.call(rbind, rows)
}

#' @rdname compare_learners
#' @param digits Digits after the point of the shares.
#' @export
print.compare_learners <- function(x, digits = 2, ...) {
  shown <- format_comparison(x, digits)
  shown[[1]] <- formatC(shown[[1]], width = -max(nchar(shown[[1]])))
  shown[-1] <- lapply(shown[-1], function(column) formatC(column, width = max(nchar(column))))
  for (block in column_blocks(nchar(vapply(shown, `[`, "", 1)))) {
    cat(sub(" +$", "", do.call(paste, c(shown[c(1, block)], sep = "  "))), sep = "\n")
  }
  told <- which(!is.na(x$message))
  notes <- c(attr(x, "source"), paste0(x$learner[told], ": ", x$message[told], recycle0 = TRUE))
  if (length(notes) > 0) cat("\n")
  for (note in notes) cat(strwrap(note, exdent = 2), sep = "\n")
  invisible(x)
}

# The columns after the first, in as many blocks as the width of the console needs.
column_blocks <- function(width) {
  block <- integer(length(width))
  used <- Inf
  for (k in seq_along(width)[-1]) {
    fits <- used + 2 + width[k] <= getOption("width")
    block[k] <- block[k - 1] + !fits
    used <- if (fits) used + 2 + width[k] else width[1] + 2 + width[k]
  }
  split(seq_along(width)[-1], block[-1])
}

# A list of columns of strings, the names of the columns in its first row.
format_comparison <- function(x, digits) {
  fixed <- function(places) function(v) formatC(v, format = "f", digits = places)
  score <- fixed(1)
  share <- fixed(digits)
  count <- fixed(if (any(grepl("_sd$", names(x)))) 1 else 0)
  # Rounded first, and 0 added: a score may be above the optimum by its last digit, which is no -0.
  percent <- function(v) paste0(fixed(digits + 1)(round(100 * v, digits + 1) + 0), " %")
  forms <- list(
    bic = score, loglik = score, predictive = score, edges = count, seconds = share, gap = percent,
    shd = count, fdr = share, tpr = share, fpr = share, shd_cpdag = count, sid = count, aid = count
  )
  present <- intersect(names(forms), names(x))
  columns <- lapply(present, function(name) {
    mean <- trimws(forms[[name]](x[[name]]))
    spread <- x[[paste0(name, "_sd")]]
    if (!is.null(spread)) {
      spread <- ifelse(is.na(spread), "", paste0(" (", trimws(forms[[name]](spread)), ")"))
      mean <- paste0(mean, spread)
    }
    c(name, ifelse(is.na(x[[name]]), "-", mean))
  })
  c(list(c("", x$learner)), columns)
}

#' @rdname compare_learners
#' @param measures Columns to draw, a panel each; by default `bic`, `predictive`, `shd`, `tpr`,
#'   `fdr` and `seconds`, as far as the table has them. Lines reach one standard deviation to each
#'   side, circles are baselines and the truth, and the dotted line is the truth. A baseline whose
#'   score is outside the range of the learners does not squeeze them together: its value is written
#'   instead. So is the message of a learner that failed.
#' @export
plot.compare_learners <- function(x, measures = NULL, ...) {
  measures <- drawn_measures(x, measures)
  before <- graphics::par(
    mfrow = grDevices::n2mfrow(length(measures)), mar = c(3.2, 0.5, 2, 1), mgp = c(2, 0.6, 0)
  )
  on.exit(graphics::par(before))
  for (name in measures) draw_measure(as.data.frame(x), name)
  invisible(x)
}

# The measures that were asked for, or those that say most; an error where the table has none such.
drawn_measures <- function(x, measures) {
  available <- setdiff(names(x), c("learner", "message"))
  available <- available[!grepl("_sd$", available)]
  available <- available[vapply(x[available], function(column) any(is.finite(column)), NA)]
  if (is.null(measures)) {
    measures <- intersect(c("bic", "predictive", "shd", "tpr", "fdr", "seconds"), available)
  }
  if (!is.character(measures) || length(measures) == 0 || !all(measures %in% available)) {
    stop_input(
      "`measures` must be among ", quoted(available, length(available)), ", not ",
      show_value(measures), "."
    )
  }
  measures
}

measure_titles <- c(
  bic = "BIC (higher is better)", loglik = "log-likelihood",
  predictive = "held-out log-likelihood (higher is better)", edges = "edges", seconds = "seconds",
  gap = "gap to the optimum (lower is better)", shd = "SHD (lower is better)",
  fdr = "false discovery rate (lower is better)", tpr = "true positive rate (higher is better)",
  fpr = "false positive rate (lower is better)",
  shd_cpdag = "SHD of the CPDAGs (lower is better)",
  sid = "structural intervention distance (lower is better)",
  aid = "adjustment identification distance (lower is better)"
)

# Measures of the fit, which may be as low as can be.
without_bounds <- c("bic", "loglik", "predictive", "gap")

# Which rows are drawn as dots in the panel of a measure. Baselines far from the learners, such as
# the empty network, would squeeze them together where the measure has no natural bounds.
drawn_rows <- function(table, name) {
  value <- table[[name]]
  drawn <- is.finite(value)
  others <- drawn & !table$learner %in% names(baseline_learners)
  if (!name %in% without_bounds || !any(others)) {
    return(drawn)
  }
  spread <- table[[paste0(name, "_sd")]]
  spread <- if (is.null(spread)) 0 else replace(spread, is.na(spread), 0)
  drawn & value >= min((value - spread)[others]) & value <= max((value + spread)[others])
}

# What is written in the place of a dot: "" where there is a dot.
row_notes <- function(table, name, drawn) {
  value <- table[[name]]
  failed <- is.na(table$edges)
  note <- ifelse(
    is.finite(value), paste("off the scale:", formatC(value, format = "f", digits = 1)), "none"
  )
  note[failed] <- paste("failed:", table$message[failed])
  # Nobody expects seconds of what was not learned.
  untimed <- name == "seconds" & table$learner %in% reference_names
  ifelse(drawn | untimed, "", note)
}

# A dot for each learner, from the first at the top, with a line of one standard deviation each way.
draw_measure <- function(table, name) {
  value <- table[[name]]
  spread <- table[[paste0(name, "_sd")]]
  if (is.null(spread)) spread <- rep(0, nrow(table))
  spread[is.na(spread)] <- 0
  reference <- table$learner %in% reference_names
  shown <- drawn_rows(table, name)
  from <- value - spread
  to <- value + spread
  if (!name %in% without_bounds) from <- pmax(from, 0)
  if (name %in% c("tpr", "fdr", "fpr")) to <- pmin(to, 1)
  logarithmic <- name == "seconds" && all(from[shown] > 0)
  ends <- range(from[shown], to[shown])
  height <- rev(seq_len(nrow(table)))
  names_width <- max(graphics::strwidth(table$learner, "inches")) + 0.3
  margins <- graphics::par("mai")
  graphics::par(mai = c(margins[1], names_width, margins[3], margins[4]))
  graphics::plot.default(
    NA, xlim = widen(ends, logarithmic), ylim = c(0.5, nrow(table) + 0.5), yaxt = "n", xlab = "",
    ylab = "", bty = "n", log = if (logarithmic) "x" else "", main = measure_titles[[name]],
    cex.main = 1, font.main = 1
  )
  notes <- row_notes(table, name, shown)
  graphics::abline(h = height[notes == ""], col = "grey90")
  graphics::axis(2, height, table$learner, las = 1, tick = FALSE, line = -0.5)
  truth <- value[table$learner == "truth"]
  if (length(truth) == 1 && is.finite(truth)) graphics::abline(v = truth, lty = 3, col = "grey50")
  colour <- ifelse(reference, colours[["grey"]], colours[["blue"]])
  graphics::segments(from[shown], height[shown], to[shown], height[shown], colour[shown], lwd = 2)
  graphics::points(
    value[shown], height[shown], pch = ifelse(reference, 21, 19)[shown], bg = "white", cex = 1.3,
    col = colour[shown]
  )
  draw_notes(notes, height, is.na(table$edges))
}

draw_notes <- function(notes, height, failed, size = 0.8) {
  written <- notes != ""
  if (!any(written)) {
    return(invisible())
  }
  room <- 0.98 * graphics::par("pin")[1]
  notes <- vapply(notes[written], cut_to_width, "", room, size)
  corner <- graphics::grconvertX(0.01, "npc")
  graphics::text(
    corner, height[written], notes, adj = c(0, 0.5), cex = size,
    col = ifelse(failed, colours[["vermillion"]], "grey40")[written]
  )
}

# A text with an ellipsis where it is wider than so many inches.
cut_to_width <- function(text, inches, size) {
  width <- function(text) graphics::strwidth(text, "inches", cex = size)
  if (width(text) <= inches) {
    return(text)
  }
  lengths <- seq_len(nchar(text))
  fits <- width(paste0(substring(text, 1, lengths), "...")) <= inches
  paste0(substring(text, 1, max(0, lengths[fits])), "...")
}

widen <- function(ends, logarithmic) {
  if (logarithmic) {
    return(ends * c(0.8, 1.25))
  }
  ends + c(-1, 1) * max(diff(ends), 1e-3 * abs(ends), 1e-3) * 0.06
}
