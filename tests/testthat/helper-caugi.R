# caugi 1.4 can be installed on versions of R on which it cannot make a graph.
skip_unless_caugi_works <- function() {
  skip_if_not_installed("caugi")
  pair <- bnlearn::model2network("[a][b|a]")
  works <- tryCatch(!is.null(caugi::as_caugi(pair, class = "DAG")), error = function(e) FALSE)
  skip_if_not(works, "caugi does not work with this version of R")
}
