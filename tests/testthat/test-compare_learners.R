small <- function(seed = 1) {
  set.seed(seed)
  dag <- random_dag(6, degree = 2)
  list(x = simulate_sem(dag, 300), truth = dag)
}

test_that("each learner has a row, and so have the baselines and the truth", {
  data <- small()
  table <- compare_learners(data$x, c("notears", "hc", "exact", "pc"), truth = data$truth)
  baselines <- c("empty", "random_dag", "sort_variance", "sort_r2")
  expect_identical(table$learner, c("notears", "hc", "exact", "pc", baselines, "truth"))
  expect_true(all(is.na(table$message)))
  expect_true(all(is.finite(table$bic)))
  expect_identical(is.na(table$seconds), rep(c(FALSE, TRUE), c(4, 5)))
  # Without a truth there is nothing to be near to by chance.
  expect_identical(compare_learners(data$x, "hc")$learner, c("hc", "empty"))
  none <- compare_learners(data$x, "hc", truth = data$truth, baselines = character())
  expect_identical(none$learner, c("hc", "truth"))
})

test_that("the random network has the edges of the truth, or of the first learner that has some", {
  data <- small()
  table <- compare_learners(data$x, "hc", truth = data$truth)
  expect_equal(table$edges[table$learner == "random_dag"], bnlearn::narcs(data$truth))
  full <- bnlearn::model2network("[V1][V2|V1][V3|V1:V2][V4|V1:V2:V3][V5|V1][V6|V1]")
  table <- compare_learners(
    data$x, list(broken = function(x) stop("no"), full = full, "hc"), baselines = "random_dag"
  )
  expect_equal(table$edges[table$learner == "random_dag"], 8)
  # Other networks at each repetition, the same after set.seed().
  repeated <- function(seed) {
    set.seed(seed)
    runs <- attr(compare_learners(data$x, "hc", data$truth, repeats = 5), "runs")
    runs$shd[runs$learner == "random_dag"]
  }
  expect_gt(length(unique(repeated(1))), 1)
  expect_identical(repeated(1), repeated(1))
})

test_that("baselines that do not suit the data are left out, or tell why if they were asked for", {
  discrete <- bnlearn::learning.test[1:200, ]
  truth <- bnlearn::hc(discrete)
  table <- compare_learners(discrete, "hc", truth = truth)
  expect_identical(table$learner, c("hc", "empty", "random_dag", "truth"))
  asked <- compare_learners(discrete, "hc", truth = truth, baselines = "sort_r2")
  expect_match(asked$message[2], "\"sort_r2\" is for numbers, but column \"A\"")
  few <- compare_learners(small()$x[1:5, ], "hc", baselines = "sort_variance")
  expect_match(few$message[2], "needs more rows than columns, but `x` has 5 rows and 6 columns")
})

test_that("a learner with the name of a baseline is told apart from it", {
  data <- small()
  table <- compare_learners(data$x, list(empty = bnlearn::hc, truth = bnlearn::hc), data$truth)
  expect_identical(sum(table$learner == "empty"), 1L)
  expect_identical(table$learner[1:2], c("empty.1", "truth.1"))
})

test_that("repetitions tell how many runs are done, and learners keep quiet meanwhile", {
  talks <- function(x) {
    expect_false(getOption("daggnn.progress"))
    Sys.sleep(1.1) # two of them are more than progress_delay
    bnlearn::hc(x)
  }
  told <- capture_messages(
    compare_learners(small()$x, list(talks = talks), repeats = 2, progress = TRUE)
  )
  expect_match(told, "compare_learners: 2 of 2")
  expect_null(getOption("daggnn.progress"))
  quiet <- capture_messages(compare_learners(small()$x, "hc", repeats = 2))
  expect_length(quiet, 0)
})

test_that("a worker that hangs is told of, and its runs have their figures", {
  cluster <- local_cluster(1)
  parallel::clusterCall(cluster, loadNamespace, "daggnn")
  late <- function(x) {
    if (Sys.getpid() != host) Sys.sleep(20)
    bnlearn::hc(x)
  }
  environment(late) <- list2env(list(host = Sys.getpid()), parent = baseenv())
  expect_warning(
    table <- compare_learners(
      small()$x, list(late = late, hc = bnlearn::hc), cluster = cluster, task_limit = 2
    ),
    "were lost.*no answer within `task_limit`", class = "daggnn_warning"
  )
  expect_equal(table$bic[1], table$bic[2])
})

test_that("the figures are those of bnlearn and of dag_metrics()", {
  data <- small()
  table <- compare_learners(data$x, "hc", truth = data$truth)
  net <- attr(table, "networks")[[1]]
  expect_equal(table$bic[1], bnlearn::score(net, data$x, type = "bic-g"))
  expect_equal(table$loglik[1], bnlearn::score(net, data$x, type = "loglik-g"))
  metrics <- c("edges", "shd", "fdr", "tpr", "fpr", "shd_cpdag", "sid")
  by_hand <- dag_metrics(data$truth, net)[metrics]
  expect_equal(unlist(as.data.frame(table)[1, metrics]), unlist(by_hand))
  expect_equal(table$shd[table$learner == "truth"], 0)
})

test_that("the gap is to the certified optimum", {
  table <- compare_learners(small()$x, c("exact", "hc"))
  expect_equal(table$gap[1], 0)
  expect_true(all(table$gap >= 0))
  expect_equal(table$gap[3], (table$bic[1] - table$bic[3]) / abs(table$bic[1]))
  expect_null(compare_learners(small()$x, "hc")$gap)
})

test_that("a learner that fails says why and does not stop the others", {
  table <- compare_learners(
    small()$x, list("hc", broken = function(x) stop("out of order"), odd = function(x) 3)
  )
  expect_identical(table$message, c(NA, "out of order", "gave 3 instead of a network", NA))
  expect_true(is.finite(table$bic[1]))
})

test_that("ready networks, fitted ones and functions are taken under their names", {
  x <- small()$x
  hc <- bnlearn::hc(x)
  other <- bnlearn::empty.graph(c("a", "b"))
  table <- compare_learners(
    x, list(ready = hc, fitted = bnlearn::bn.fit(hc, x), mine = bnlearn::hc, other = other)
  )
  expect_equal(table$bic[1:2], rep(table$bic[3], 2))
  expect_true(is.na(table$seconds[1]))
  expect_match(table$message[4], "other nodes")
})

test_that("partially directed networks are completed for their BIC", {
  x <- small()$x
  table <- compare_learners(x, list(dag = bnlearn::hc(x), cpdag = bnlearn::cpdag(bnlearn::hc(x))))
  expect_equal(table$bic[2], table$bic[1])
  expect_equal(table$edges[2], table$edges[1])
})

test_that("a network whose undirected edges fit no DAG says that this is why it has no score", {
  x <- small()$x
  # A cycle of four undirected edges has a collider in every direction.
  square <- cpdag_network(matrix(0, 6, 6), names(x))
  for (pair in list(c("V1", "V2"), c("V2", "V3"), c("V3", "V4"), c("V4", "V1"))) {
    square <- bnlearn::set.edge(square, pair[1], pair[2])
  }
  table <- compare_learners(x, list(square = square))
  expect_match(table$message[1], "no score: its undirected edges cannot all be directed")
  expect_identical(table$edges[1], 4)
})

test_that("incomplete and mixed data have the BIC of network_score(), in all rows", {
  mixed <- bnlearn::clgaussian.test[1:200, ]
  backwards <- bnlearn::empty.graph(names(mixed))
  bnlearn::arcs(backwards) <- cbind(from = "D", to = "A")
  table <- compare_learners(mixed, list("hc", backwards = backwards))
  expect_true(all(is.finite(table$bic)))
  expect_equal(table$bic[2], network_score(backwards, mixed, "bic", effects = "linear"))
  mixed$D[3] <- NA
  table <- compare_learners(mixed, "hc")
  expect_true(all(is.finite(table$bic)))
})

test_that("held-out rows rank every network, of curved, mixed and incomplete data", {
  set.seed(2)
  dag <- random_dag(5, degree = 2)
  curved <- simulate_sem(dag, 400, "cosine")
  table <- compare_learners(curved, list("hc", "pc"), truth = dag, baselines = "empty")
  expect_identical(which.max(table$predictive), 4L) # the truth
  mixed <- bnlearn::clgaussian.test[1:200, ]
  mixed$D[3] <- mixed$A[7] <- NA
  backwards <- bnlearn::empty.graph(names(mixed))
  bnlearn::arcs(backwards) <- cbind(from = "D", to = "A")
  table <- compare_learners(mixed, list("dag_gnn", backwards = backwards))
  expect_equal(table$predictive[2], network_score(backwards, mixed, "predictive"))
  expect_identical(which.max(table$predictive), 1L)
  expect_true(all(is.finite(table$predictive)))
})

test_that("the held-out rows are those of as many folds as wanted, and may be left out", {
  x <- small()$x[1:8, ]
  net <- bnlearn::hc(x)
  table <- compare_learners(x, list(net = net), folds = 4)
  expect_equal(table$predictive[1], network_score(net, x, "predictive", folds = 4))
  # No more folds than rows.
  few <- compare_learners(x, list(net = net))
  expect_equal(few$predictive[1], network_score(net, x, "predictive", folds = 8))
  expect_null(compare_learners(x, list(net = net), folds = 0)$predictive)
})

test_that("a learner that needs complete data gets the complete rows, and its row says so", {
  x <- small()$x
  holes <- x
  holes$V2[3] <- NA
  table <- compare_learners(holes, "hc")
  expect_match(table$message[1], paste("the", nrow(x) - 1, "complete rows"))
  expect_equal(bnlearn::arcs(attr(table, "networks")[[1]]), bnlearn::arcs(bnlearn::hc(x[-3, ])))
  # Where hardly any row is complete, the learner's own message stays.
  holes$V1[-(1:5)] <- NA
  expect_match(compare_learners(holes, "hc")$message[1], "needs complete data")
})

test_that("data without a BIC have a reason for it", {
  x <- small()$x
  x$V2 <- x$V1
  copies <- bnlearn::empty.graph(names(x))
  bnlearn::arcs(copies) <- cbind(from = "V1", to = "V2")
  expect_match(compare_learners(x, list(copies = copies))$message[1], "not finite")
})

test_that("learners get those further arguments that they have", {
  x <- small()$x
  forbidden <- bnlearn::arcs(bnlearn::hc(x))[1, , drop = FALSE]
  table <- compare_learners(x, list("hc", "notears", mine = function(x) bnlearn::hc(x)),
                            blacklist = forbidden)
  has <- vapply(attr(table, "networks"), function(net) {
    bnlearn::amat(net)[forbidden] == 1
  }, NA)
  expect_identical(unname(has), c(FALSE, FALSE, TRUE))
  expect_error(compare_learners(x, "hc", lambda = 3), "`lambda`", class = "daggnn_input_error")
})

test_that("repetitions give means and standard deviations", {
  set.seed(3)
  table <- compare_learners(function() {
    dag <- random_dag(5, degree = 2)
    list(x = simulate_sem(dag, 100), truth = dag)
  }, c("hc", "notears"), repeats = 3)
  runs <- attr(table, "runs")
  expect_identical(nrow(runs), 21L) # two learners, four baselines and the truth
  own <- runs[runs$learner == "hc", ]
  expect_equal(table$shd[1], mean(own$shd))
  expect_equal(table$bic_sd[1], sd(own$bic))
  expect_length(unique(own$bic), 3)
})

test_that("a cluster gives the same table", {
  cluster <- local_cluster(2)
  data <- small()
  random <- function(x) bnlearn::random.graph(names(x))
  learn <- function(cluster) {
    set.seed(5)
    table <- compare_learners(
      data$x, list("hc", random = random), data$truth, cluster = cluster, repeats = 3
    )
    runs <- attr(table, "runs")
    runs[names(runs) != "seconds"]
  }
  here <- learn(NULL)
  expect_equal(learn(cluster), here)
  expect_gt(length(unique(here$shd[here$learner == "random"])), 1)
})

test_that("a truth without names is matched by position", {
  data <- small()
  adjacency <- unname(bnlearn::amat(data$truth))
  shd <- function(truth) compare_learners(data$x, "hc", truth, baselines = "empty")$shd
  expect_equal(shd(adjacency), shd(data$truth))
})

test_that("a function for data that fails is told apart from a learner that does", {
  expect_error(
    compare_learners(function() stop("no disk"), "hc"), "`x`, a function .* failed: no disk",
    class = "daggnn_input_error"
  )
})

test_that("a score above the optimum by rounding alone is no negative gap", {
  table <- compare_learners(small()$x, c("exact", "hc"))
  table$gap <- c(-1e-15, 0.5, 0)
  expect_false(any(grepl("-0.0", capture.output(print(table)), fixed = TRUE)))
})

test_that("ges runs through pcalg", {
  skip_if_not_installed("pcalg")
  data <- small()
  table <- compare_learners(data$x, c("ges", "exact"), truth = data$truth)
  expect_true(is.na(table$message[1]))
  expect_lt(table$gap[1], 0.01)
})

test_that("ges is for numbers, and says what it needs", {
  discrete <- compare_learners(bnlearn::learning.test[1:100, ], "ges")
  expect_match(discrete$message[1], "is for numbers, but column \"A\"")
  skip_if(requireNamespace("pcalg", quietly = TRUE), "pcalg is there")
  expect_match(compare_learners(small()$x, "ges")$message[1], "needs the package pcalg")
})

test_that("the matrix of a CPDAG becomes a network with open directions", {
  # Of a and b no direction, from b to c one.
  adjacency <- rbind(c(FALSE, TRUE, FALSE), c(TRUE, FALSE, TRUE), c(FALSE, FALSE, FALSE))
  net <- cpdag_network(adjacency, c("a", "b", "c"))
  expect_identical(unname(bnlearn::directed.arcs(net)), cbind("b", "c"))
  expect_setequal(bnlearn::undirected.arcs(net), c("a", "b"))
})

test_that("the table is printed aligned, with the messages below", {
  x <- bnlearn::learning.test[1:200, ]
  table <- compare_learners(x, list("hc", "notears", truth2 = bnlearn::hc(x)))
  table$seconds[1] <- 0.01
  expect_snapshot(print(table))
  set.seed(1)
  dag <- random_dag(5)
  repeated <- compare_learners(simulate_sem(dag, 100), "hc", truth = dag, repeats = 2)
  repeated$seconds[1] <- 0.01
  repeated$seconds_sd[1] <- 0
  repeated$aid <- repeated$aid_sd <- NULL # which only some have
  expect_snapshot(print(repeated))
})

test_that("the chart is drawn, for any of its columns", {
  file <- tempfile(fileext = ".png")
  on.exit(unlink(file))
  grDevices::png(file)
  data <- small()
  table <- compare_learners(data$x, list("hc", bad = function(x) stop("no")), truth = data$truth)
  expect_identical(plot(table), table)
  plot(table, c("loglik", "edges", "sid"))
  plot(compare_learners(data$x, "hc", repeats = 2))
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
  expect_error(plot(table, "speed"), "`measures`", class = "daggnn_input_error")
})

test_that("what has no dot is written: failures, values off the scale and missing ones", {
  table <- data.frame(
    learner = c("a", "b", "c", "empty", "random_dag", "sort_r2", "truth"),
    bic = c(-100, NA, NA, -900, -99, NA, -90), edges = c(3, NA, 2, 0, 3, 2, 3),
    shd = c(1, NA, 2, 3, 5, 0, 0), message = c(NA, "no luck", "no BIC", NA, NA, NA, NA)
  )
  drawn <- drawn_rows(table, "bic")
  expect_identical(drawn, c(TRUE, FALSE, FALSE, FALSE, TRUE, FALSE, TRUE))
  wide <- cbind(table, bic_sd = c(900, NA, NA, 0, 0, NA, 0))
  expect_true(drawn_rows(wide, "bic")[4]) # the line of "a" reaches beyond it
  notes <- row_notes(table, "bic", drawn)
  expect_identical(
    notes, c("", "failed: no luck", "none", "off the scale: -900.0", "", "none", "")
  )
  table$seconds <- c(1, NA, 2, NA, NA, NA, NA)
  notes <- row_notes(table, "seconds", drawn_rows(table, "seconds"))
  expect_identical(notes, c("", "failed: no luck", "", "", "", "", ""))
  # Distances have a scale of their own: every baseline is on it.
  expect_identical(drawn_rows(table, "shd"), is.finite(table$shd))
  grDevices::pdf(NULL)
  graphics::plot.new()
  expect_identical(cut_to_width("short", 5, 1), "short")
  cut <- cut_to_width(strrep("long ", 50), 2, 1)
  expect_match(cut, "[.]{3}$")
  expect_lt(graphics::strwidth(cut, "inches"), 2)
  grDevices::dev.off()
})

test_that("what is no learner gets a sentence", {
  x <- small()$x
  expect_error_snapshot({
    compare_learners(x, "hcc")
    compare_learners(x, 3)
    compare_learners(x, list())
    compare_learners(x, list(3))
    compare_learners(x, list(bnlearn::hc))
    compare_learners(x, "hc", truth = diag(2))
    compare_learners(x, "hc", truth = "dag")
    compare_learners(x, "hc", cluster = 2)
    compare_learners(x, "hc", repeats = 0)
    compare_learners(x, "hc", folds = 1)
    compare_learners(x, "hc", folds = "ten")
    compare_learners(x, "hc", baselines = "zero")
    compare_learners(x, "hc", baselines = TRUE)
  })
})
