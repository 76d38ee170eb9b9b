# Networks as GOBNILP and pygobnilp print them.

#' Read a network that GOBNILP found
#'
#' Reads what the programs GOBNILP and pygobnilp print, or the adjacency matrix that GOBNILP writes,
#' into a network that bnlearn and [compare_learners()] take.
#'
#' Three forms are known, and told apart by themselves:
#' * GOBNILP: a line `A<-B,C, -123.456` for each node (`A<-, -123.456` without parents), then
#'   `BN score is ...`;
#' * pygobnilp: a line `A<-B,C -123.456` for each node, then `bnlearn modelstring =` and the model
#'   string on the next line;
#' * an adjacency matrix of 0 and 1 without a header, a row for each parent.
#' Other lines of the programs' output are skipped.
#'
#' @param file The name of a file, or a connection. Text is UTF-8.
#' @param nodes For an adjacency matrix the names of the nodes; by default `"V1"`, `"V2"`, ...
#' @return A network of class `"gobnilp"`, which is a bnlearn `bn`; `net$score` is the score that
#'   was printed, `NA` where there was none.
#' @seealso [read_jkl()], [exact_dag()], [compare_learners()]
#' @examples
#' file <- tempfile()
#' writeLines(c("A<-, -10.5", "B<-A, -8.25", "C<-A,B, -7.0", "BN score is -25.75"), file)
#' read_gobnilp(file)
#' unlink(file)
#' @export
read_gobnilp <- function(file, nodes = NULL) {
  text <- trimws(file_lines(file))
  filled <- which(nzchar(text))
  if (length(filled) > 0 && all(grepl("^[01]([[:space:],]+[01])*$", text[filled]))) {
    return(network_of_matrix(text, filled, nodes))
  }
  families <- grep("<-", text, fixed = TRUE)
  if (length(families) == 0) {
    stop_input(
      "`file` must have a line like \"A<-B,C, -123.456\" for each node or be an adjacency matrix; ",
      "it has neither."
    )
  }
  network_of_families(text, families)
}

network_of_matrix <- function(text, number, nodes) {
  rows <- strsplit(text[number], "[[:space:],]+")
  m <- length(rows)
  wrong <- lengths(rows) != m
  if (any(wrong)) {
    entries <- lengths(rows)[wrong][1]
    stop_line(number[wrong][1], "has ", entries, " entries, but there are ", m, " rows")
  }
  if (is.null(nodes)) nodes <- paste0("V", seq_len(m))
  if (!is.character(nodes) || length(nodes) != m || anyNA(nodes) || anyDuplicated(nodes) ||
    any(nodes == "")) {
    stop_input("`nodes` must be ", m, " different names, not ", show_value(nodes), ".")
  }
  adjacency <- matrix(as.integer(unlist(rows)), m, m, byrow = TRUE, dimnames = list(nodes, nodes))
  gobnilp_network(adjacency, NA_real_)
}

network_of_families <- function(text, number) {
  families <- lapply(number, function(line) parse_family(text[line], line))
  nodes <- vapply(families, `[[`, "", "child")
  if (anyDuplicated(nodes)) {
    again <- which(duplicated(nodes))[1]
    stop_line(number[again], "gives the parents of ", quoted(nodes[again]), " again")
  }
  adjacency <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  for (k in seq_along(families)) {
    parents <- families[[k]]$parents
    unknown <- setdiff(parents, nodes)
    if (length(unknown) > 0) {
      stop_line(number[k], "has the parent ", quoted(unknown), ", which has no line of its own")
    }
    adjacency[parents, k] <- 1L
  }
  total <- sub("^BN score is[[:space:]]*", "", grep("^BN score is", text, value = TRUE))
  scores <- vapply(families, `[[`, 1, "score")
  score <- if (length(total) > 0) suppressWarnings(as.numeric(total[1])) else sum(scores)
  gobnilp_network(adjacency, score)
}

# "A<-B,C, -123.456" or "A<-B,C -123.456" or "A<-, -123.456" or "A<- -123.456"
parse_family <- function(text, line) {
  child <- trimws(sub("<-.*$", "", text))
  rest <- sub("^[^<]*<-", "", text)
  last <- regmatches(rest, regexpr("[^[:space:],]*$", rest))
  score <- suppressWarnings(as.numeric(last))
  if (!nzchar(child)) stop_line(line, "must begin with the name of a node")
  if (!is.finite(score)) stop_line(line, "must end with a score, not ", quoted(last))
  parents <- trimws(strsplit(sub("[[:space:],]*[^[:space:],]*$", "", rest), ",", fixed = TRUE)[[1]])
  parents <- parents[nzchar(parents)]
  if (anyDuplicated(parents)) {
    stop_line(line, "names the parent ", quoted(parents[duplicated(parents)][1]), " twice")
  }
  list(child = child, parents = parents, score = score)
}

gobnilp_network <- function(adjacency, score) {
  if (nrow(adjacency) < 1 || !are_acyclic(edge_list(adjacency), nrow(adjacency))) {
    stop_input("The network in `file` must not have a cycle.")
  }
  net <- new_network(adjacency, list(learner = "gobnilp", score = score), class = "gobnilp")
  net$score <- score
  net
}
