# Inputs that try to break a learner: used by the tests and by inputs.R.
#
# hostile_case(seed) makes one: a small data set and a call's other arguments, all random but ruled
# by the seed, with one trait of the list below on top. end_of(learner, case) says how the call
# ended: "network", "our error", or what went wrong.

# Tables of values read better in long lines.
# nolint start: line_length_linter, brace_linter.

# -- benign data, the base of every case -----------------------------------------------------------

hostile_base <- function(n, m) {
  columns <- lapply(seq_len(m), function(j) {
    switch(sample(4, 1, prob = c(6, 2, 1, 1)),
      rnorm(n),
      factor(sample(letters[1:sample(2:4, 1)], n, replace = TRUE)),
      runif(n) < 0.5,
      sample(c("red", "green", "blue"), n, replace = TRUE)
    )
  })
  frame <- structure(columns, class = "data.frame", row.names = seq_len(n))
  names(frame) <- sample(c(letters, "x.1", "Y_2"), m)
  frame
}

pick <- function(items) items[[sample.int(length(items), 1)]]

# Puts `value` into one column, or `column` in place of one.
with_value <- function(x, value) {
  j <- pick(seq_along(x))
  rows <- sample(nrow(x), min(nrow(x), pick(c(1, 2, nrow(x)))))
  if (!is.numeric(x[[j]])) x[[j]] <- rnorm(nrow(x))
  x[[j]][rows] <- value
  x
}

with_column <- function(x, column) {
  x[[pick(seq_along(x))]] <- column
  x
}

with_name <- function(x, name) {
  names(x)[pick(seq_along(x))] <- name
  x
}

unchecked_frame <- function(columns, rows) {
  structure(columns, class = "data.frame", row.names = seq_len(rows))
}

odd_names <- function() {
  latin <- "\xe9t\xe9"
  Encoding(latin) <- "latin1"
  list(
    "my var", "", NA, "\u00e9t\u00e9", latin, "\u5909\u6570", "\U0001F600", "TRUE", "if", "a\nb",
    "[a]", "a|b", "a:b", "a~b", ".", "..1", "`q`", "\"q\"", "'q'", "a,b", "a -> b", "from", "\\",
    "a\tb", " ", "%s", "%d", "{}", "NULL", "NA", "0", "-1", "1e5", "\u00a0", "\u200b",
    strrep("long", 2500), "\x80\xff", "sqrt(x)", "weights", "daggnn", "(Intercept)", "V1", "a b ",
    "\u0430", "e\u0301"
  )
}

# -- traits ----------------------------------------------------------------------------------------

# Each takes a benign data frame and returns what is given as `x`.
data_traits <- list(
  "benign" = function(x) x,
  "some values missing" = function(x) {
    for (j in seq_along(x)) x[[j]][runif(nrow(x)) < pick(c(0.1, 0.5, 0.9))] <- NA
    x
  },
  "a row missing" = function(x) {
    x[sample(nrow(x), 1), ] <- NA
    x
  },
  "a column missing" = function(x) {
    none <- rep(NA, nrow(x))
    with_column(x, pick(list(none, as.numeric(none), factor(none), NaN * none, as.character(none))))
  },
  "two values left" = function(x) {
    with_column(x, c(1, 2, rep(NA, nrow(x)))[seq_len(nrow(x))])
  },
  "never seen together" = function(x) {
    first <- seq_len(nrow(x)) <= nrow(x) / 2
    x[first, 1] <- NA
    x[!first, 2] <- NA
    x
  },
  "infinite" = function(x) with_value(x, pick(list(Inf, -Inf))),
  "NaN" = function(x) with_value(x, NaN),
  "constant" = function(x) with_column(x, pick(list(0, 1L, TRUE, "a", factor("a"), -1e300))),
  "nearly constant" = function(x) {
    with_column(x, c(1 + pick(c(1, 1e-8, 1e-15)), rep(1, nrow(x) - 1)))
  },
  "two columns equal" = function(x) with_column(x, x[[1]]),
  "all columns equal" = function(x) {
    column <- rnorm(nrow(x))
    for (j in seq_along(x)) x[[j]] <- column
    x
  },
  "sum of others" = function(x) {
    for (j in seq_along(x)) x[[j]] <- rnorm(nrow(x))
    x[[ncol(x)]] <- Reduce(`+`, x[-ncol(x)])
    x
  },
  "one row many times" = function(x) {
    x[c(1, 2, rep(2, nrow(x) - 2)), , drop = FALSE]
  },
  "huge" = function(x) {
    with_column(x, rnorm(nrow(x)) * pick(c(1e12, 1e100, 1e154, 1e155, 1e300, 1e307)))
  },
  "tiny" = function(x) {
    with_column(x, rnorm(nrow(x)) * pick(c(1e-12, 1e-100, 1e-160, 1e-300, 1e-310)))
  },
  "largest number" = function(x) with_value(x, pick(c(-1, 1)) * .Machine$double.xmax),
  "huge beside tiny" = function(x) {
    for (j in seq_along(x)) x[[j]] <- rnorm(nrow(x)) * 10^(300 * (-1)^j)
    x
  },
  "huge offset" = function(x) with_column(x, rnorm(nrow(x)) + pick(c(1e8, 1e15, 1e16, 1e300))),
  "outlier" = function(x) {
    x[[1]] <- rnorm(nrow(x))
    x[[1]][1] <- pick(c(1e10, 1e100, -1e200))
    x
  },
  "integers" = function(x) {
    with_column(x, sample(c(0L, 1L, .Machine$integer.max, NA), nrow(x), TRUE))
  },
  "odd name" = function(x) with_name(x, pick(odd_names())),
  "odd names" = function(x) {
    names(x) <- unlist(sample(odd_names(), ncol(x)))
    x
  },
  "two names equal" = function(x) {
    names(x)[seq_len(min(2, ncol(x)))] <- "a"
    x
  },
  "no names" = function(x) structure(x, names = NULL),
  "few rows" = function(x) x[seq_len(min(nrow(x), pick(0:3))), , drop = FALSE],
  "few columns" = function(x) x[seq_len(min(ncol(x), pick(0:2)))],
  "thousands of levels" = function(x) {
    levels <- pick(c(1000, 2000))
    x <- x[rep_len(seq_len(nrow(x)), pick(c(50, 1000))), , drop = FALSE]
    with_column(x, factor(sample(levels, nrow(x), TRUE), levels = seq_len(levels)))
  },
  "a level for each row" = function(x) with_column(x, paste("row", seq_len(nrow(x)))),
  "odd levels" = function(x) {
    rows <- nrow(x)
    with_column(x, pick(list(
      factor(sample(c("", " "), rows, TRUE)), addNA(factor(sample(c("a", NA), rows, TRUE))),
      factor(sample(c("\u00e9", "e\u0301", "\U0001F600"), rows, TRUE)),
      factor(rep("a", rows), c("a", "b")), factor(sample(c("a", "b"), rows, TRUE), letters),
      ordered(sample(3, rows, TRUE)),
      structure(rep(1L, rows), levels = character(), class = "factor"),
      structure(rep(7L, rows), levels = c("a", "b"), class = "factor"),
      structure(runif(rows), levels = c("a", "b"), class = "factor"),
      factor(sample(c("NA", "NaN", "NULL"), rows, TRUE))
    )))
  },
  "odd class" = function(x) {
    rows <- nrow(x)
    with_column(x, pick(list(
      Sys.Date() + seq_len(rows), Sys.time() + seq_len(rows),
      as.POSIXlt(Sys.time() + seq_len(rows)), as.difftime(seq_len(rows), units = "mins"),
      complex(rows, 1, 2), raw(rows), I(rnorm(rows)), as.list(seq_len(rows)), rep(list(NULL), rows),
      ts(rnorm(rows)), data.frame(p = rnorm(rows), q = 1),
      numeric_version(paste0("1.", seq_len(rows))), expression(a, b)[rep(1, rows)],
      structure(rnorm(rows), class = "odd"), structure(rnorm(rows), units = "m", class = "units"),
      structure(list(1), class = "numeric")[rep(1, rows)]
    )))
  },
  "matrix column" = function(x) {
    rows <- nrow(x)
    with_column(x, pick(list(
      matrix(rnorm(3 * rows), rows), matrix(rnorm(rows), rows), matrix(0, rows, 0),
      matrix("a", rows, 2), matrix(runif(2 * rows) < 0.5, rows), cbind(rnorm(rows), 1),
      cbind(rnorm(rows), NA), cbind(rnorm(rows), Inf), array(rnorm(8 * rows), c(rows, 2, 4)),
      cbind(1e300 * rnorm(rows), rnorm(rows))
    )))
  },
  "ragged frame" = function(x) {
    columns <- as.list(x)
    columns[[1]] <- columns[[1]][seq_len(max(1, nrow(x) - pick(1:3)))]
    unchecked_frame(columns, nrow(x))
  },
  "NULL column" = function(x) unchecked_frame(c(as.list(x), list(none = NULL)), nrow(x)),
  "not a frame" = function(x) pick(list(
    NULL, list(), as.list(x), 1, "a", rnorm(20), TRUE, NA, mean, globalenv(), quote(x), y ~ x,
    table(1:3), Sys.time(), structure(list(), class = "bn"), complex(4),
    structure(1, class = "data.frame"), structure(list(1, 2), class = "data.frame"),
    bnlearn::empty.graph(c("a", "b"))
  )),
  "matrix" = function(x) {
    rows <- nrow(x)
    pick(list(
      matrix(rnorm(4 * rows), rows), matrix(sample(2, 4 * rows, TRUE), rows),
      matrix(letters[1:4], 2), matrix(runif(3 * rows) < 0.5, rows), matrix(complex(4), 2),
      matrix(0, 0, 3), matrix(0, rows, 0), matrix(list(1, 2, 3, 4), 2),
      cbind(a = rnorm(rows), rnorm(rows)), cbind(a = rnorm(rows), a = rnorm(rows)),
      matrix(NA, rows, 3), matrix(rnorm(2 * rows), rows, dimnames = list(NULL, c("", NA)))
    ))
  },
  "array" = function(x) {
    rows <- nrow(x)
    pick(list(
      array(rnorm(6 * rows), c(rows, 3, 2)), array(rnorm(3 * rows), c(rows, 3, 1)),
      array(0, c(0, 3, 2)), array(rnorm(rows), c(rows, 1, 1)), array(0, c(rows, 3, 0)),
      array("a", c(rows, 2, 2)), array(rnorm(16 * rows), c(rows, 2, 2, 4)),
      array(rnorm(rows), rows), array(NA_real_, c(rows, 2, 2))
    ))
  },
  "sparse matrix" = function(x) {
    rows <- nrow(x)
    bits <- matrix(rbinom(4 * rows, 1, 0.4), rows)
    pick(list(
      Matrix::Matrix(bits, sparse = TRUE), Matrix::Matrix(bits * 2, sparse = TRUE),
      Matrix::Matrix(0, rows, 3, sparse = TRUE), Matrix::Matrix(bits, sparse = TRUE) > 0,
      Matrix::Matrix(replace(bits, 1, NA), sparse = TRUE),
      Matrix::sparseMatrix(integer(), integer(), dims = c(0, 3)),
      Matrix::Matrix(diag(3), sparse = TRUE), Matrix::sparseMatrix(1:2, 1:2, dims = c(rows, 2)),
      Matrix::Matrix(rnorm(3 * rows), rows)
    ))
  },
  "tibble or data.table" = function(x) {
    if (runif(1) < 0.5 && requireNamespace("tibble", quietly = TRUE)) {
      tibble::as_tibble(x)
    } else if (requireNamespace("data.table", quietly = TRUE)) {
      data.table::as.data.table(x)
    } else {
      x
    }
  }
)

# Each takes names of the columns and returns arguments of the call.
argument_traits <- list(
  "fine lists" = function(nodes) {
    from <- sample(nodes)
    pairs <- as.matrix(expand.grid(from = nodes, to = nodes))
    pick(list(
      list(whitelist = cbind(from[1], from[2])), list(blacklist = cbind(from[1], from[2])),
      list(blacklist = data.frame(from = from[1], to = from[2])), list(tiers = as.list(from)),
      list(whitelist = cbind(from[-length(from)], from[-1])),
      list(blacklist = pairs[pairs[, "from"] != pairs[, "to"], ]),
      list(whitelist = matrix(character(), 0, 2), blacklist = pairs[0, ]),
      list(tiers = list(from[1], character(), from[-1])),
      list(whitelist = rbind(from[1:2], from[1:2]))
    ))
  },
  "wrong lists" = function(nodes) {
    a <- nodes[1]
    b <- nodes[length(nodes)]
    wrong <- list(
      cbind(a, "nobody"), cbind(a, a), rbind(c(a, b), c(b, a)), cbind(a, NA), cbind(1, 2),
      cbind(a, b, a), c(a, b, a), list(a, b), data.frame(a, b, a), a, 1, TRUE, NA, mean, "a -> b",
      list(), data.frame(), matrix(list(a, b), 1), factor(c(a, b)), cbind(a, ""),
      array(a, c(1, 2, 1)), y ~ x, matrix("", 0, 3), data.frame(from = I(list(a)), to = b),
      data.frame(from = 1, to = 2), cbind(a, b)[0, ], "\xff", matrix(1:4, 2), diag(length(nodes))
    )
    pick(list(
      list(whitelist = pick(wrong)), list(blacklist = pick(wrong)), list(tiers = pick(wrong)),
      list(whitelist = cbind(a, b), blacklist = cbind(a, b)),
      list(whitelist = cbind(b, a), tiers = list(a, b)), list(tiers = list(a, a)),
      list(tiers = list(c(a, NA))), list(tiers = list(list(a), b)), list(tiers = c(a, b))
    ))
  },
  "wrong argument" = function(nodes) {
    wrong <- list(
      -1, NA, NaN, NULL, Inf, -Inf, "x", "", character(), numeric(), c(1, 2), 1.5, 0, TRUE, list(),
      mean, 1e9, NA_character_, factor("a"), 1i, quote(x), globalenv(), "bic", "auto", matrix(1),
      1e-320, -0.0
    )
    names <- c(
      "threshold", "model", "scale", "time_limit", "debug", "control", "start", "lambda", "maxp",
      "loss", "penalty", "max_iterations", "score", "iss", "refine", "progress"
    )
    stats::setNames(list(pick(wrong)), pick(names))
  },
  "extreme control" = function(nodes) {
    setting <- pick(list(
      list(graph_rate = 1), list(rate = 1), list(graph_rate = 1e-300), list(lambda = 1e300),
      list(c = 1e300), list(eta = 1e300), list(eta = 1 + 1e-15), list(gamma = 0), list(gamma = 1),
      list(h_tolerance = 0), list(c_max = 1e-300), list(batch_size = 1), list(batch_size = 1e9),
      list(penalty = "l1", penalty_weight = 1e300), list(penalty = "huber", penalty_weight = 1e10),
      list(constraint = "exponential"), list(constraint = "logdet"),
      list(constraint = "logdet", graph_rate = 1), list(constraint = "exponential", graph_rate = 1),
      list(c = 1e-300), list(c = 1e300, lambda = 1e300, graph_rate = 1), list(latent = 1),
      list(latent = 2, hidden = 3)
    ))
    list(setting = setting)
  }
)

# -- a case ----------------------------------------------------------------------------------------

hostile_case <- function(seed) {
  set.seed(seed)
  n <- pick(c(5, 8, 20, 50))
  x <- hostile_base(n, pick(2:6))
  # Half of the cases have one kind of column only: some learners take no others.
  if (runif(1) < 0.5) {
    column <- pick(list(rnorm, function(n) factor(sample(c("a", "b", "c"), n, replace = TRUE))))
    x[] <- lapply(x, function(any) column(n))
  }
  trait <- pick(names(data_traits))
  arguments <- list()
  if (runif(1) < 0.35) {
    trait <- pick(names(argument_traits))
    # Data that are fine, so that the arguments are looked at.
    for (j in seq_along(x)) if (anyNA(x[[j]]) || length(unique(x[[j]])) < 2) x[[j]] <- rnorm(n)
    arguments <- argument_traits[[trait]](names(x))
  } else {
    x <- data_traits[[trait]](x)
    # Now and then a second trait on top.
    if (is.data.frame(x) && ncol(x) > 1 && nrow(x) > 1 && runif(1) < 0.2) {
      second <- pick(names(data_traits))
      x <- tryCatch(data_traits[[second]](x), error = function(e) x)
    }
  }
  list(seed = seed, trait = trait, x = x, arguments = arguments)
}

# The arguments of a case that the learner has, with as little work as it can be told to do.
hostile_call <- function(learner, case) {
  known <- names(formals(learner))
  setting <- case$arguments$setting
  arguments <- case$arguments[names(case$arguments) %in% known]
  if ("control" %in% known && !"control" %in% names(arguments)) {
    quick <- list(epochs = 1, max_rounds = 2, batch_size = 20, train = case$seed %% 3 == 0)
    arguments$control <- do.call(daggnn::dag_gnn_control, utils::modifyList(quick, as.list(setting)))
  }
  if ("model" %in% known && !"model" %in% names(arguments)) {
    arguments$model <- if (case$seed %% 2 == 0) "vae" else "mechanism"
  }
  if ("threads" %in% known) arguments$threads <- 1
  if ("time_limit" %in% known && !"time_limit" %in% names(arguments)) arguments$time_limit <- 5
  if ("max_rounds" %in% known && !"max_rounds" %in% names(arguments)) arguments$max_rounds <- 3
  if ("maxp" %in% known && !"maxp" %in% names(arguments)) arguments$maxp <- 2
  c(list(case$x), arguments)
}

# -- how a call ended ------------------------------------------------------------------------------

# What is wrong with a network, or NULL.
fault_of_network <- function(net, case) {
  if (!inherits(net, "bn")) {
    return("not a network")
  }
  if (!bnlearn::directed(net) || !bnlearn::acyclic(net)) {
    return("not a DAG")
  }
  if (is.data.frame(case$x) && !identical(bnlearn::nodes(net), enc2utf8(names(case$x)))) {
    return("other names than those of the columns")
  }
  numbers <- unlist(lapply(c("weights", "shares"), function(what) {
    values <- net$daggnn[[what]]
    if (!is.null(values)) as.matrix(values)
  }))
  if (any(!is.finite(numbers))) {
    return("weights that are not finite")
  }
  arcs <- apply(bnlearn::arcs(net), 1, paste, collapse = "\r")
  listed <- function(list) {
    if (NROW(list) == 0) {
      return(character())
    }
    apply(matrix(as.matrix(list), ncol = 2), 1, paste, collapse = "\r")
  }
  if (!all(listed(case$arguments$whitelist) %in% arcs)) {
    return("a whitelisted edge is not there")
  }
  if (any(listed(case$arguments$blacklist) %in% arcs)) {
    return("a blacklisted edge is there")
  }
  tiers <- case$arguments$tiers
  tier <- stats::setNames(rep(seq_along(tiers), lengths(tiers)), unlist(tiers))
  ends <- bnlearn::arcs(net)
  if (any(tier[ends[, 1]] > tier[ends[, 2]], na.rm = TRUE)) {
    return("an edge leads to an earlier tier")
  }
  NULL
}

# Runs code; `check` looks at what it returns. "network" or another word for success, "our error",
# or a sentence about what went wrong.
ending <- function(code, check, success = "network", most_seconds = 20) {
  foreign <- NULL
  # Of the processor: a busy machine makes nothing a hang.
  seconds_used <- function() sum(proc.time()[1:2])
  began <- seconds_used()
  # What `debug` and the like print is not of interest here.
  utils::capture.output(result <- tryCatch(
    withCallingHandlers(code, warning = function(condition) {
      if (!inherits(condition, "daggnn_warning")) foreign <<- conditionMessage(condition)
      invokeRestart("muffleWarning")
    }),
    error = function(condition) condition
  ))
  seconds <- seconds_used() - began
  if (seconds > most_seconds) {
    return(paste("took", round(seconds), "seconds"))
  }
  if (inherits(result, "daggnn_input_error")) {
    return(if (nzchar(conditionMessage(result))) "our error" else "an empty message")
  }
  if (inherits(result, "error")) {
    return(paste("foreign error:", conditionMessage(result)))
  }
  if (!is.null(foreign)) {
    return(paste("foreign warning:", foreign))
  }
  fault <- check(result)
  if (is.null(fault)) success else fault
}

end_of <- function(learner, case) {
  ending(do.call(learner, hostile_call(learner, case), quote = TRUE),
  function(net) fault_of_network(net, case))
}

# nolint end

# -- damaged files ---------------------------------------------------------------------------------

whole_files <- list(
  read_gobnilp = list(
    c("A<-B,C, -123.456", "B<- -10.5", "C<-B, -20.25", "BN score is -154.206"),
    c("D<-A,C -3555.01", "A<- -10", "C<-A -20.5", "bnlearn modelstring =", "[A][C|A][D|A:C]"),
    c("0 1 1", "0 0 1", "0 0 0")
  ),
  read_jkl = list(
    c("# scores", "3", "0 2", "-10.5 0", "-9.25 1 1", "1 1", "-3 0", "2 2", "-7.5 2 0 1", "-8 0"),
    c("2", "a 1", "-1.5 0", "b 2", "-2.5 0", "-2 1 a")
  ),
  read_triples = list(
    c("/m/01\t/film/actor\t/m/02", "/m/02\t/film/genre\t/m/03", "/m/01\t/film/genre\t/m/03"),
    "a\tb\tc"
  )
)

tokens <- c(
  "-1", "1e999", "NaN", "NA", "Inf", "", "\n", "\r\n", "\t", "<-", ",", "#", "0", "99999999999",
  "|", "[", "]", ":", "e", " ", "-", "1.5", "\"", "'", "\\", "%", "A", "B", "a", "0x1p-3",
  "1e-999", "2"
)

# A whole file with a few bytes, words or lines changed, lost, doubled or moved.
damaged_file <- function(reader, seed) {
  set.seed(seed)
  bytes <- charToRaw(paste0(paste(pick(whole_files[[reader]]), collapse = "\n"), "\n"))
  for (edit in seq_len(pick(0:4))) {
    if (length(bytes) < 2) break
    at <- sort(sample(length(bytes), 2))
    before <- bytes[seq_len(at[1])]
    after <- bytes[seq(at[1] + 1, length(bytes))]
    bytes <- switch(sample(7, 1),
      before,
      c(before, bytes[seq(at[2], length(bytes))]),
      c(before, bytes[at[1]:at[2]], after),
      replace(bytes, at[1], as.raw(sample(0:255, 1))),
      c(before, charToRaw(pick(tokens)), after),
      c(after, before),
      c(before, as.raw(sample(0:255, 5)), after)
    )
  }
  bytes
}

end_of_reading <- function(reader, seed, file = tempfile()) {
  on.exit(unlink(file))
  writeBin(damaged_file(reader, seed), file)
  read <- getExportedValue("daggnn", reader)
  ending(read(file), function(result) {
    if (inherits(result, "bn")) fault_of_network(result, list())
  }, "read")
}

# -- comparisons -----------------------------------------------------------------------------------

end_of_comparison <- function(case) {
  set.seed(case$seed)
  net <- bnlearn::empty.graph(c("a", "b"))
  learners <- list("hc", "notears", c("notears", "hc"), c("hc", "exact"))
  wrong <- list(
    "nobody", character(), NULL, NA, 1, list(mean), list(hc = "hc", f = stop), list(f = sum),
    list(a = net), list(a = 1), c("hc", NA), mean, list()
  )
  truths <- list(
    net, "a", 1, diag(2), matrix(0, 2, 3), list(), NA, bnlearn::random.graph(letters[1:4])
  )
  arguments <- case$arguments[names(case$arguments) %in% c("whitelist", "blacklist")]
  arguments$learners <- pick(if (runif(1) < 0.7) learners else wrong)
  if (runif(1) < 0.3) arguments$truth <- pick(truths)
  ending(
    do.call(daggnn::compare_learners, c(list(case$x), arguments), quote = TRUE),
    fault_of_comparison, "table"
  )
}

fault_of_comparison <- function(table) {
  if (!is.data.frame(table)) {
    return("not a table")
  }
  for (net in Filter(Negate(is.null), attr(table, "networks"))) {
    fault <- fault_of_network(net, list())
    if (!is.null(fault)) {
      return(fault)
    }
  }
  figures <- unlist(table[c("bic", "loglik", "seconds")])
  # A figure that is not known is NA.
  if (any(is.nan(figures) | is.infinite(figures))) "figures that are not finite"
}
