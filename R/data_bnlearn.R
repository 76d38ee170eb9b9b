#' Data in the form that bnlearn accepts
#'
#' Converts data for the learners of this package into a data frame that bnlearn accepts.
#' [bnlearn::score()], [bnlearn::bn.fit()], [bnlearn::hc()] and bnlearn's other functions refuse the
#' integers, characters and logicals that [read.csv()] makes.
#'
#' Numbers become doubles. Characters and logicals become factors with their values as levels, in
#' the order of their code points. Factors, ordered or not, keep their levels. Tibbles, data.tables,
#' matrices and sparse 0/1 matrices become plain data frames. Missing values stay missing.
#'
#' bnlearn itself refuses the following, and no form of the data changes that.
#'   * A number that is a parent of a factor: `bn.fit()` and `score()` have conditional Gaussian
#'     distributions for mixed data, which allow no such edge ("violates the assumptions of the
#'     model"). Tiers prevent these edges when a network is learned: see the example.
#'   * Missing values: `score()` takes them with the types `"pnal"`, `"pnal-g"` and `"pnal-cg"`
#'     only.
#'   * Vector-valued variables (matrix columns), for which `bnlearn_data()` stops with an error.
#'
#' @param x The data, as for [dag_gnn()].
#' @param like A data frame from `bnlearn_data()`, or `NULL`. With it, the columns are those of
#'   `like` in the same order, and factors have the levels that they have there, as
#'   [predict()][bnlearn::bn.fit] of a fitted network demands of new data.
#' @return A data frame of doubles and factors, with the rows of `x`.
#' @seealso [dag_gnn()], [bnlearn::bn.fit()], [bnlearn::score()]
#' @examples
#' set.seed(1)
#' x <- data.frame(
#'   smoker = sample(c("yes", "no"), 200, replace = TRUE), age = sample(20:70, 200, replace = TRUE)
#' )
#' x$dose <- as.integer(round(10 * (x$smoker == "yes") + x$age / 5 + rnorm(200)))
#' # No number may be a parent of a factor where bnlearn is to fit the network.
#' net <- dag_gnn(x, tiers = list("smoker", c("age", "dose")))
#' fitted <- bnlearn::bn.fit(net, bnlearn_data(x))
#' bnlearn::score(net, bnlearn_data(x), type = "bic-cg")
#'
#' new <- data.frame(age = 40:42, smoker = "yes", dose = 15L)
#' predict(fitted, "dose", bnlearn_data(new, like = bnlearn_data(x)))
#' @export
bnlearn_data <- function(x, like = NULL) {
  if (!is.null(like) && !is.data.frame(like)) {
    stop_input("`like` must be a data frame or NULL, not ", show_value(like), ".")
  }
  columns <- variables_of(x, "x")
  if (!is.null(like)) {
    absent <- setdiff(names(like), names(columns))
    if (length(absent) > 0) {
      stop_input("`x` must have all columns of `like`, but lacks ", quoted(absent), ".")
    }
    columns <- columns[names(like)]
  }
  labels <- column_labels(names(columns), "x")
  for (k in seq_along(columns)) {
    columns[[k]] <- as_bnlearn_column(columns[[k]], labels[k], like[[names(columns)[k]]])
  }
  rows <- if (is.data.frame(x)) row.names(x) else rownames(x)
  as_frame(columns, rows)
}

as_bnlearn_column <- function(column, label, like = NULL) {
  # A column of bare NA is logical, whatever its kind.
  unknown <- is.logical(column) && all(is.na(column))
  if (unknown && !is.null(like)) {
    return(rep(like[NA_integer_], length(column)))
  }
  kind <- kind_of(column, label)
  if (NCOL(column) > 1) {
    stop_input(label, " is a matrix: bnlearn has no vector-valued variables.")
  }
  if (!is.null(like) && is.factor(like) != (kind == "discrete")) {
    stop_input(
      label, " must be ", if (is.factor(like)) "discrete" else "numeric", " as in `like`."
    )
  }
  if (kind == "continuous") {
    return(as.vector(column, "double"))
  }
  levels <- if (is.factor(like)) {
    levels(like)
  } else if (is.factor(column)) {
    levels(column)[!is.na(levels(column))]
  } else {
    sort(unique(enc2utf8(as.character(column))), method = "radix")
  }
  texts <- enc2utf8(as.character(column))
  unknown <- setdiff(texts, c(levels, NA))
  if (length(unknown) > 0) {
    stop_input(label, " has ", quoted(unknown), ", but `like` has only ", quoted(levels), ".")
  }
  factor(texts, levels, ordered = is.ordered(if (is.factor(like)) like else column))
}
