# Ordinary data: what users have and the paper's simulations do not.
#
#   Rscript ordinary.R [--quick] [--parts=noise,units,...] [--sets=5] [--noise_sets=200]
#                      [--largest=250] [--threads=2] [--folder=.]
#
# Parts, all of them by default:
#   noise         6 independent normal columns, n = 30, 60, 100, 300: every edge is wrong
#   units         linear, cosine and sine, m = 10 and 20, n = 5000, as they are and in other units
#   nearly        standardised linear data, m = 20, n = 500; then with one row dropped, or rounded
#                 to 3 digits
#   resamples     standardised cosine data, m = 10, n = 5000: all rows, and bootstrap resamples
#   boston        MASS::Boston under 5 seeds, raw and standardised
#   lung          survival::lung, as it is and in other units
#   weak          b = 0.09 a + e, n = 20000
#   nongaussian   linear, m = 20, n = 1000, standardised, five kinds of noise
#   wide          linear with m = n = 100, and cosine with m = 50, n = 100
#   mixed         bnlearn's clgaussian.test; conditional Gaussian data, m = 20, n = 5000
#   missing       Child with 20 and 40 %, linear with 20 % and sine with 10 % of the values missing
#   networks      1000 rows of each network in bif/*.bif or *.bif.gz that has at most --largest
#                 variables: BIC against the best of hc and tabu over five random orders of the
#                 columns
# Child and the networks are read from the folder that DAGGNN_DATA names, and left out without it;
# so are boston and lung without the packages MASS and survival.
#
# A row for each setting and learner, with means and standard deviations over --sets data sets
# (--noise_sets for noise), whose seeds are 101, 102, ...: edges, SHD to the truth, SHD between the
# CPDAGs, and
#   changed   pairs of nodes on which the network differs from that of the data as they are; for
#             boston, pairs that are not the same under all seeds
#   above     BIC above the best of hc and tabu, and the same in per cent
# Learners: dag_gnn; hc and tabu by bnlearn, on complete rows; notears; notears_l1, which has
# lambda = 0.1; imputed_dag_gnn and imputed_hc, which replace missing values by the mode or the mean
# first; complete_dag_gnn, on complete rows. Writes ordinary.csv, with a row for each run, and
# ordinary.png into --folder.
# --quick: one data set for each setting (noise: 5), the smaller settings, no networks beyond 40
# variables.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))
source(file.path(dirname(script), "recipes.R"))

all_parts <- c(
  "noise", "units", "nearly", "resamples", "boston", "lung", "weak", "nongaussian", "wide",
  "mixed", "missing", "networks"
)
settings <- script_options(
  parts = all_parts, sets = 5, noise_sets = 200, largest = 250,
  quick = list(sets = 1, noise_sets = 5, largest = 40)
)
has_data <- nzchar(Sys.getenv("DAGGNN_DATA"))

# -- Cases -----------------------------------------------------------------------------------------

# One row of the table. run(seed, learner): the figures of a data set, as figures() gives them, with
# the columns changed, above and percent where the part has them.
case_of <- function(part, setting, learner, run, sets = settings$sets) {
  list(part = part, setting = setting, learner = learner, run = run, sets = sets)
}

cases_for <- function(part, setting, learners, run, ...) {
  lapply(learners, function(learner) case_of(part, setting, learner, run, ...))
}

# Learning from what `draw` returns: list(x, truth).
learn_from <- function(draw) {
  function(seed, learner) {
    set.seed(seed)
    data <- draw()
    figures(learn(learner, data$x), data$truth)
  }
}

# The same from other(x), held against the network of x itself.
learn_twice <- function(draw, other) {
  function(seed, learner) {
    set.seed(seed)
    data <- draw()
    again <- other(data$x)
    first <- learn(learner, data$x)
    second <- learn(learner, again)
    row <- figures(second, data$truth)
    known <- !is.null(first$net) && !is.null(second$net)
    row$changed <- if (known) changed_pairs(first$net, second$net) else NA_real_
    row
  }
}

draw_sem <- function(m, n, type, form = identity, ..., degree = 3) {
  function() {
    dag <- random_dag(m, degree = degree)
    list(x = form(simulate_sem(dag, n, type, ...)), truth = dag)
  }
}

# -- Parts -----------------------------------------------------------------------------------------

noise_cases <- function() {
  unlist(lapply(c(30, 60, 100, 300), function(n) {
    draw <- function() {
      empty <- bnlearn::empty.graph(sprintf("V%d", 1:6))
      list(x = simulate_sem(empty, n), truth = empty)
    }
    cases_for(
      "noise", sprintf("n = %d", n), c("dag_gnn", "hc"), learn_from(draw), settings$noise_sets
    )
  }), FALSE)
}

units_cases <- function() {
  grid <- expand.grid(type = c("linear", "cosine", "sine"), m = c(10, 20), stringsAsFactors = FALSE)
  if (settings$quick) grid <- grid[grid$m == 10, ]
  n <- if (settings$quick) 1000 else 5000
  unlist(Map(function(type, m) {
    draw <- draw_sem(m, n, type)
    setting <- sprintf("%s, m = %.0f", type, m)
    changed <- paste0(setting, ", other units")
    c(
      cases_for("units", setting, "dag_gnn", learn_from(draw)),
      cases_for("units", changed, "dag_gnn", learn_twice(draw, other_units))
    )
  }, grid$type, grid$m), FALSE)
}

nearly_cases <- function() {
  draw <- draw_sem(20, 500, "linear", standardised)
  changes <- list(
    "one row dropped" = function(x) x[-1, ], "3 digits" = function(x) round(x, 3)
  )
  learners <- c("dag_gnn", "hc")
  c(
    cases_for("nearly", "standardised", learners, learn_from(draw)),
    unlist(lapply(names(changes), function(name) {
      cases_for("nearly", name, learners, learn_twice(draw, changes[[name]]))
    }), FALSE)
  )
}

resamples_cases <- function() {
  n <- if (settings$quick) 1000 else 5000
  draw <- draw_sem(10, n, "cosine", standardised)
  # The same data in each, and other rows.
  resample <- function(seed, learner) {
    set.seed(first_seed)
    data <- draw()
    set.seed(seed)
    rows <- sample.int(n, n, replace = TRUE)
    again <- data$x[rows, ]
    rownames(again) <- NULL
    figures(learn(learner, again), data$truth)
  }
  c(
    cases_for("resamples", "all rows", "dag_gnn", learn_from(draw), 1),
    cases_for("resamples", "resamples", "dag_gnn", resample, settings$sets + 1)
  )
}

boston_cases <- function() {
  if (!requireNamespace("MASS", quietly = TRUE)) {
    return(list())
  }
  seeds <- 5
  unlist(lapply(c("raw", "standardised"), function(form) {
    x <- column_forms[[form]](MASS::Boston)
    run <- function(seed, learner) {
      outcomes <- lapply(seed + seq_len(seeds) - 1, function(each) {
        set.seed(each)
        learn(learner, x)
      })
      row <- figures(outcomes[[1]])
      networks <- lapply(outcomes, `[[`, "net")
      if (any(vapply(networks, is.null, NA))) {
        return(row)
      }
      adjacency <- lapply(networks, bnlearn::amat)
      differs <- Reduce(`|`, lapply(adjacency, function(each) each != adjacency[[1]]))
      row$changed <- sum((differs | t(differs))[upper.tri(differs)])
      row
    }
    cases_for("boston", paste0(form, ", ", seeds, " seeds"), c("dag_gnn", "hc"), run, 1)
  }), FALSE)
}

lung_cases <- function() {
  if (!requireNamespace("survival", quietly = TRUE)) {
    return(list())
  }
  draw <- function() list(x = survival::lung, truth = NULL)
  learners <- c("dag_gnn", "hc")
  c(
    cases_for("lung", "as it is", learners, learn_from(draw), 1),
    cases_for("lung", "other units", learners, learn_twice(draw, other_units))
  )
}

weak_cases <- function() {
  draw <- function() {
    a <- stats::rnorm(20000)
    list(
      x = data.frame(a, b = 0.09 * a + stats::rnorm(20000)),
      truth = bnlearn::model2network("[a][b|a]")
    )
  }
  cases_for("weak", "0.09, n = 20000", c("dag_gnn", "hc"), learn_from(draw), 2 * settings$sets)
}

nongaussian_cases <- function() {
  kinds <- c("exponential", "gumbel", "laplace", "uniform", "t")
  if (settings$quick) kinds <- kinds[1]
  unlist(lapply(kinds, function(noise) {
    draw <- draw_sem(20, 1000, "linear", standardised, noise = noise)
    cases_for("nongaussian", noise, c("dag_gnn", "notears", "hc"), learn_from(draw))
  }), FALSE)
}

wide_cases <- function() {
  size <- if (settings$quick) 0.3 else 1
  linear <- draw_sem(100 * size, 100 * size, "linear")
  cosine <- draw_sem(50 * size, 100 * size, "cosine")
  learners <- c("dag_gnn", "notears_l1", "hc")
  c(
    cases_for("wide", sprintf("linear, m = n = %.0f", 100 * size), learners, learn_from(linear)),
    cases_for(
      "wide", sprintf("cosine, m = %.0f, n = %.0f", 50 * size, 100 * size), learners,
      learn_from(cosine)
    )
  )
}

mixed_cases <- function() {
  # The network of bnlearn's help page.
  known <- function() {
    list(
      x = bnlearn::clgaussian.test,
      truth = bnlearn::model2network("[A][B][C][H][D|A:H][F|B:C][E|B:D][G|A:D:E:F]")
    )
  }
  n <- if (settings$quick) 1000 else 5000
  learners <- c("dag_gnn", "hc", "tabu")
  c(
    cases_for("mixed", "clgaussian.test", learners, learn_from(known), 1),
    cases_for(
      "mixed", sprintf("conditional Gaussian, m = 20, n = %.0f", n), learners,
      learn_from(draw_sem(20, n, "conditional_gaussian"))
    )
  )
}

missing_cases <- function() {
  child <- if (has_data) {
    x <- read_levels("mmhc", "Child_s1000_v1.txt")
    adjacency <- as.matrix(utils::read.table(data_file("mmhc", "Child_graph.txt")))
    dimnames(adjacency) <- list(names(x), names(x))
    lapply(c(0.2, 0.4), function(share) {
      draw <- function() list(x = with_missing(x, share), truth = adjacency)
      cases_for(
        "missing", sprintf("Child, %.0f %%", 100 * share),
        c("dag_gnn", "imputed_dag_gnn", "imputed_hc"), learn_from(draw)
      )
    })
  }
  simulated <- Map(function(type, share) {
    learners <- c("dag_gnn", "complete_dag_gnn", "imputed_dag_gnn", "hc")
    draw <- draw_sem(10, 1000, type, function(x) with_missing(x, share))
    cases_for("missing", sprintf("%s, %.0f %%", type, 100 * share), learners, learn_from(draw))
  }, c("linear", "sine"), c(0.2, 0.1))
  unlist(c(child, simulated), FALSE)
}

# Rows of a network without the columns that have a single level in them.
sampled_levels <- function(network, n) {
  x <- droplevels(bnlearn::rbn(network, n))
  x[vapply(x, nlevels, 1L) > 1]
}

best_climbed <- function(x, orders) {
  scores <- replicate(orders, {
    shuffled <- x[sample.int(ncol(x))]
    max(vapply(list(bnlearn::hc, bnlearn::tabu), function(climb) {
      bnlearn::score(climb(shuffled), shuffled, type = "bic")
    }, 1))
  })
  max(scores)
}

networks_cases <- function() {
  files <- list.files(
    file.path(Sys.getenv("DAGGNN_DATA"), "bif"), "[.]bif([.]gz)?$", full.names = TRUE
  )
  if (!has_data || length(files) == 0) {
    return(list())
  }
  networks <- lapply(files, read_network)
  names(networks) <- sub("[.]bif.*$", "", basename(files))
  networks <- networks[vapply(networks, length, 1L) <= settings$largest]
  unlist(lapply(names(networks), function(name) {
    run <- function(seed, learner) {
      set.seed(seed)
      x <- sampled_levels(networks[[name]], 1000)
      best <- best_climbed(x, 5)
      outcome <- learn(learner, x)
      row <- figures(outcome)
      if (!is.null(outcome$net)) {
        row$above <- bnlearn::score(outcome$net, x, type = "bic") - best
        row$percent <- 100 * row$above / abs(best)
      }
      row
    }
    cases_for("networks", paste0(name, ", n = 1000"), "dag_gnn", run)
  }), FALSE)
}

# -- Rows ------------------------------------------------------------------------------------------

unknown <- setdiff(settings$parts, all_parts)
if (length(unknown) > 0) {
  known <- paste(all_parts, collapse = ", ")
  stop("unknown part ", unknown[1], "; there are ", known, call. = FALSE)
}
if (!has_data && any(c("missing", "networks") %in% settings$parts)) {
  cat("DAGGNN_DATA is not set: Child and the networks of bif/ are left out.\n")
}
makers <- list(
  noise = noise_cases, units = units_cases, nearly = nearly_cases, resamples = resamples_cases,
  boston = boston_cases, lung = lung_cases, weak = weak_cases, nongaussian = nongaussian_cases,
  wide = wide_cases, mixed = mixed_cases, missing = missing_cases, networks = networks_cases
)
cases <- unlist(lapply(settings$parts, function(part) makers[[part]]()), FALSE)
if (length(cases) == 0) stop("no data set is left to learn from", call. = FALSE)

measures <- c("edges", "shd", "shd_cpdag", "changed", "above", "percent", "seconds")
one_case <- function(case) {
  seeds <- first_seed + seq_len(case$sets) - 1
  rows <- lapply(seeds, function(seed) {
    row <- case$run(seed, case$learner)
    row[setdiff(measures, names(row))] <- NA_real_
    data.frame(case[c("part", "setting", "learner")], seed, row[c(measures, "message")])
  })
  do.call(rbind, rows)
}

show_summary <- function() {
  show <- print_rows(c(
    part = "%-11s", setting = "%-38s", learner = "%-16s", sets = "%4.0f", edges = "%13s",
    SHD = "%13s", CPDAG = "%13s", changed = "%12s", above = "%14s", percent = "%8s",
    seconds = "%8.2f", failed = "%6.0f"
  ))
  function(rows) {
    share <- rows$percent[!is.na(rows$percent)]
    show(data.frame(
      rows[1, c("part", "setting", "learner")], sets = nrow(rows),
      edges = mean_and_spread(rows$edges, 2), SHD = mean_and_spread(rows$shd),
      CPDAG = mean_and_spread(rows$shd_cpdag), changed = mean_and_spread(rows$changed),
      above = mean_and_spread(rows$above),
      percent = if (length(share) > 0) sprintf("%.3f %%", mean(share)) else "-",
      seconds = mean(rows$seconds), failed = sum(!is.na(rows$message))
    ))
  }
}

labels <- vapply(cases, function(case) {
  paste(case$part, case$setting, case$learner, sep = ", ")
}, "")
runs <- run_cases(cases, labels, one_case, settings, show_summary())
tell_failures(runs, c("part", "setting", "learner"))

# Wrong or changed edges: SHD where there is a truth, else what changed.
runs$wrong <- ifelse(is.na(runs$shd), runs$changed, runs$shd)
drawn <- unique(runs$part[!is.na(runs$wrong)])
rows <- ceiling(max(length(drawn), 1) / 2)
write_picture(function() {
  graphics::par(mfrow = c(rows, 2))
  if (length(drawn) == 0) graphics::plot.new()
  for (part in drawn) {
    here <- runs[runs$part == part & !is.na(runs$wrong), ]
    labels <- paste(here$setting, here$learner, sep = ", ")
    means <- tapply(here$wrong, factor(labels, unique(labels)), mean)
    draw_bars(unname(c(means)), names(means), part, "mean SHD, or pairs that changed")
  }
}, 16, 4.5 * rows, settings)
