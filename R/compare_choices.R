# The learners that compare_learners() knows by name: functions of the data that return a network.

named_learners <- function() {
  list(
    dag_gnn = dag_gnn, notears = notears, exact = exact_up_to, hc = hill_climbing,
    tabu = tabu_search, mmhc = max_min_hill_climbing, pc = pc_stable, fges = fges, ges = ges
  )
}

# Up to this many variables all parent sets are few enough to look at.
few_variables <- 10

exact_up_to <- function(x, whitelist = NULL, blacklist = NULL, maxp = NULL, time_limit = Inf,
                        tiers = NULL, threads = NULL) {
  x <- read_rows(x)
  m <- length(variables_of(x$x, "x"))
  if (is.null(maxp)) maxp <- if (m <= few_variables) m - 1 else 3
  exact_dag(
    x, whitelist, blacklist, maxp = maxp, time_limit = time_limit, tiers = tiers, threads = threads
  )
}

hill_climbing <- function(x, whitelist = NULL, blacklist = NULL, maxp = Inf) {
  by_bnlearn(bnlearn::hc, "\"hc\"", x, whitelist, blacklist, maxp = maxp)
}

tabu_search <- function(x, whitelist = NULL, blacklist = NULL, maxp = Inf) {
  by_bnlearn(bnlearn::tabu, "\"tabu\"", x, whitelist, blacklist, maxp = maxp)
}

max_min_hill_climbing <- function(x, whitelist = NULL, blacklist = NULL) {
  by_bnlearn(bnlearn::mmhc, "\"mmhc\"", x, whitelist, blacklist)
}

# The PC algorithm of Spirtes and Glymour; in this version the skeleton does not depend on the order
# of the columns (Colombo and Maathuis 2014). The result may have undirected edges.
pc_stable <- function(x, whitelist = NULL, blacklist = NULL, alpha = 0.05) {
  # Tests that contradict each other are usual, and bnlearn warns of each pair.
  withCallingHandlers(
    by_bnlearn(bnlearn::pc.stable, "\"pc\"", x, whitelist, blacklist, alpha = alpha),
    warning = function(condition) {
      if (startsWith(conditionMessage(condition), "vstructure")) invokeRestart("muffleWarning")
    }
  )
}

# bnlearn gets lists that were checked, so that wrong ones have one message, whoever learns.
by_bnlearn <- function(learn, label, x, whitelist, blacklist, ...) {
  frame <- scorable(x, label)
  arcs <- prior_arcs(check_prior(names(frame), whitelist, blacklist))
  without_level_warnings(learn(frame, whitelist = arcs$required, blacklist = arcs$forbidden, ...))
}

# Greedy equivalence search (Chickering 2002) by pcalg, with the BIC. The result is the CPDAG.
ges <- function(x) {
  frame <- only_numbers(x, "\"ges\"")
  if (!requireNamespace("pcalg", quietly = TRUE)) {
    stop_input(
      "\"ges\" needs the package pcalg, which builds on Bioconductor: ",
      "install.packages(\"BiocManager\"), then BiocManager::install(\"pcalg\")."
    )
  }
  score <- methods::new("GaussL0penObsScore", as.matrix(frame))
  cpdag_network(methods::as(pcalg::ges(score)$essgraph, "matrix"), names(frame))
}

# What the user wrote as a named list of functions and networks.
check_learners <- function(learners) {
  known <- named_learners()
  if (is_learner(learners)) learners <- list(learners)
  if (is.character(learners)) learners <- as.list(learners)
  if (!is.list(learners) || length(learners) == 0) {
    stop_input(
      "`learners` must be names of learners, functions or networks, not ", show_value(learners), "."
    )
  }
  given <- names(learners)
  if (is.null(given)) given <- rep("", length(learners))
  for (k in seq_along(learners)) {
    learner <- learners[[k]]
    if (is.character(learner)) {
      if (length(learner) != 1 || !learner %in% names(known)) {
        stop_input(
          "`learners` must be among ", quoted(names(known), length(known)), ", or functions or ",
          "networks, not ", show_value(learner), "."
        )
      }
      if (given[k] == "") given[k] <- learner
      learners[[k]] <- known[[learner]]
    } else if (!is_learner(learner)) {
      stop_input("`learners` must hold functions or networks, not ", show_value(learner), ".")
    } else if (given[k] == "") {
      stop_input("`learners` must have a name for each function and each network.")
    }
  }
  # Rows of the table are told apart by their names, and these are taken.
  reserved <- reference_names
  given <- make.unique(c(reserved, given))[-seq_along(reserved)]
  stats::setNames(learners, given)
}

is_learner <- function(learner) {
  is.function(learner) || inherits(learner, "bn") || inherits(learner, "bn.fit")
}

# Those of the further arguments that this learner has.
arguments_for <- function(learner, arguments) {
  if (!is.function(learner)) {
    return(list())
  }
  accepted <- names(formals(args(learner)))
  if ("..." %in% accepted) arguments else arguments[names(arguments) %in% accepted]
}
