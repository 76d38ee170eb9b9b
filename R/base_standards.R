# Which of rOpenSci's standards for statistical software hold, general (G) and for unsupervised
# learning (UL), in the form that the package srr reads. Only what holds has a tag.

#' srr_stats
#'
#' @srrstatsVerbose FALSE
#'
#' @srrstats {G1.0} The help pages and inst/CITATION cite the papers of each method.
#' @srrstats {G1.1} `?dag_gnn` says which model is that of a paper and which is this package's.
#' @srrstats {G1.3} Tutorials and help define share, gain, charge, strength and direction.
#' @srrstats {G1.4} All exported functions are documented with roxygen2.
#' @srrstats {G1.5} inst/benchmarks has a script for each table of results.
#' @srrstats {G1.6} `compare_learners()` and inst/benchmarks compare with bnlearn, pcalg and others.
#'
#' @srrstats {G2.0, G2.0a} R/base_errors.R checks lengths; help pages give each allowed range.
#' @srrstats {G2.1, G2.1a} R/base_errors.R and R/data_samples.R check types; help pages name them.
#' @srrstats {G2.2} `check_number()`, `check_flag()` and `check_choice()` refuse longer vectors.
#' @srrstats {G2.3, G2.3a} `check_choice()` lists the allowed words in its error.
#' @srrstats {G2.4} R/data_samples.R converts integers, logicals, characters and factors.
#' @srrstats {G2.5} The data-types tutorial says that the order of the levels plays no part.
#' @srrstats {G2.7} Data frames, tibbles, data.tables, matrices, arrays and sparse matrices.
#' @srrstats {G2.8} `samples()` makes one form of all of them, which everything downstream uses.
#' @srrstats {G2.10} Columns are taken from a list, so that tibbles and data frames are alike.
#' @srrstats {G2.11} Columns with classes such as dates are errors that name the column.
#' @srrstats {G2.12} List columns are errors that name the column.
#' @srrstats {G2.13} `samples()` looks for missing values.
#' @srrstats {G2.15} Functions for which missing values matter check for them first.
#' @srrstats {G2.16} Infinite numbers are errors that name the column; NaN counts as missing.
#'
#' @srrstats {G5.0} Tests use the data sets of bnlearn.
#' @srrstats {G5.2, G5.2a, G5.2b} Error messages are sentences of their own, and are tested.
#' @srrstats {G5.4, G5.4a, G5.4b} Closed forms have slow twins; scores are those of bnlearn.
#' @srrstats {G5.5} Tests set their seeds.
#' @srrstats {G5.6} Tests find the true networks of simulated data.
#' @srrstats {G5.8, G5.8a, G5.8b, G5.8c, G5.8d} tests/testthat/test-hostile.R.
#' @srrstats {G5.9} tests/testthat/test-invariance.R: units, order, names and seeds.
#' @srrstats {G5.10} Slow tests run where `DAGGNN_TEST_SLOW` is set.
#'
#' @srrstats {UL1.0} `?dag_gnn` describes the forms of data that are accepted.
#' @srrstats {UL1.1} Other forms are errors that say what is wanted.
#' @srrstats {UL1.3} Variables keep their names from the data to the network and its tables.
#' @srrstats {UL1.4, UL1.4a, UL1.4b} The tutorial "Can I believe it?" states the assumptions, and
#'   contrasts raw with standardised columns.
#' @srrstats {UL2.0} `check_scale()`, `varsortability()` and the argument `scale`.
#' @srrstats {UL2.1} `?dag_gnn` describes `scale`; nothing else is transformed.
#' @srrstats {UL2.2} `dag_gnn_control(copies = )` sets the number of imputations; Inf is an error.
#' @srrstats {UL2.3} Columns that repeat each other are named in a warning.
#' @srrstats {UL3.3} `predict()` takes new data.
#' @srrstats {UL4.0} Networks have a class of their own, which is a bnlearn network too.
#' @srrstats {UL4.2} The options are kept with the network, in `$daggnn$control`.
#' @srrstats {UL4.3, UL4.3a} `print()` shows at most twelve lines of the model.
#' @srrstats {UL4.4} `summary()` lists the edges, by their strength.
#' @srrstats {UL6.0} `plot()` draws networks, effects, weights, traces and strengths.
#' @srrstats {UL7.0} tests/testthat/test-hostile.R learns from inappropriate data.
#' @noRd
NULL
