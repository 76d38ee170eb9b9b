# A snapshot of what calls complain about: each call of a block with the class and the message of
# its error. expect_snapshot(error = TRUE) lays errors out differently from one version of testthat
# to the next.
expect_error_snapshot <- function(calls) {
  block <- substitute(calls)
  each <- if (identical(block[[1]], quote(`{`))) as.list(block)[-1] else list(block)
  frame <- parent.frame()
  complaint <- function(call) {
    found <- tryCatch({
      eval(call, frame)
      NULL
    }, error = identity)
    if (is.null(found)) stop("no error from ", paste(deparse(call), collapse = " "), call. = FALSE)
    c(paste(">", deparse(call, width.cutoff = 90L)), class(found)[1], conditionMessage(found))
  }
  complaints <- unlist(lapply(each, complaint))
  expect_snapshot(writeLines(complaints))
}
