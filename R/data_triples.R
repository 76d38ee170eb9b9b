# A knowledge base as data: triples of head, relation and tail.

#' Read a knowledge base of triples
#'
#' Reads text files with a triple on each line: head, relation and tail, separated by tabs, as
#' FB15K-237 and most knowledge bases come.
#'
#' @param file Path of the file, plain or compressed by gzip; several paths are read one after the
#'   other, as for the training, validation and test parts of a knowledge base. Lines end in LF or
#'   CRLF, text is UTF-8, and empty lines are skipped.
#' @return A data frame with the columns `head`, `relation` and `tail`, all character, and a row for
#'   each triple in the order of the file. A line that is not a triple is an error that names it.
#' @seealso [triples_to_data()] to make a data set of it.
#' @examples
#' file <- tempfile(fileext = ".txt")
#' writeLines(c("ann\tborn_in\trome", "ann\tspeaks\titalian", "bob\tspeaks\tdanish"), file)
#' read_triples(file)
#' @export
read_triples <- function(file) {
  if (!is.character(file) || length(file) == 0 || anyNA(file)) {
    stop_input("`file` must be the path of a file, or several, not ", show_value(file), ".")
  }
  do.call(rbind, lapply(file, read_triples_file))
}

read_triples_file <- function(file) {
  lines <- file_lines(file)
  number <- which(lines != "")
  if (length(number) == 0) {
    stop_input("`file` ", quote_path(file), " must have at least one triple.")
  }
  fields <- strsplit(lines[number], "\t", fixed = TRUE)
  # strsplit() drops a last field that is empty, so that it shows as one too few.
  wrong <- lengths(fields) != 3
  if (!any(wrong)) wrong <- colSums(matrix(!nzchar(unlist(fields)), 3)) > 0
  if (any(wrong)) {
    line <- number[which(wrong)[1]]
    stop_input(
      "Line ", line, " of `file` ", quote_path(file), " must be a head, a relation and a tail ",
      "separated by tabs, not ", quoted(lines[line]), "."
    )
  }
  fields <- matrix(unlist(fields), 3)
  data.frame(head = fields[1, ], relation = fields[2, ], tail = fields[3, ])
}

#' A knowledge base as a data set
#'
#' Makes a data set of the paper's kind: a row for each entity, a column for each relation, and 1
#' where the entity has the relation. A network that is learned from it tells which relations
#' suggest which others.
#'
#' With `role = "head"` and all three parts of FB15K-237 this is the paper's data set: of its 14541
#' entities 13891 are the head of a triple, and these have 7.36 relations on average, the figure of
#' the paper's appendix.
#'
#' @param triples A data frame with the columns `head`, `relation` and `tail`, as from
#'   [read_triples()].
#' @param role In which place of a triple an entity has the relation: `"head"` (default, as in the
#'   paper), `"tail"`, or `"either"`.
#' @return A sparse `Matrix` of 0 and 1 (class `dgCMatrix`): a row for each entity that has a
#'   relation, a column for each relation, both named and sorted. [dag_gnn()] takes it as it is.
#' @references Yu, Chen, Gao and Yu (2019), DAG-GNN: DAG structure learning with graph neural
#'   networks, appendix B.
#' @seealso [read_triples()], [dag_gnn()].
#' @examples
#' triples <- data.frame(
#'   head = c("ann", "ann", "bob"), relation = c("born_in", "speaks", "speaks"),
#'   tail = c("rome", "italian", "danish")
#' )
#' triples_to_data(triples)
#' @export
#' @importFrom Matrix sparseMatrix
triples_to_data <- function(triples, role = c("head", "tail", "either")) {
  check_triples(triples)
  role <- check_choice(role, "role", c("head", "tail", "either"))
  entity <- switch(role,
    head = triples$head,
    tail = triples$tail,
    either = c(triples$head, triples$tail)
  )
  relation <- rep_len(triples$relation, length(entity))
  entities <- sort(unique(entity), method = "radix")
  relations <- sort(unique(relation), method = "radix")
  # Counted along the columns of the matrix from 0.
  has <- unique(match(entity, entities) - 1 + length(entities) * (match(relation, relations) - 1))
  sparseMatrix(
    has %% length(entities), has %/% length(entities),
    x = 1, index1 = FALSE, dims = c(length(entities), length(relations)),
    dimnames = list(entities, relations)
  )
}

check_triples <- function(triples) {
  columns <- c("head", "relation", "tail")
  if (!is.data.frame(triples) || !all(columns %in% names(triples)) || nrow(triples) == 0) {
    stop_input(
      "`triples` must be a data frame with the columns head, relation and tail and at least one ",
      "row, not ", show_value(triples), "."
    )
  }
  for (column in columns) {
    texts <- triples[[column]]
    if (!is.character(texts) || anyNA(texts) || !all(nzchar(texts))) {
      stop_input("Column \"", column, "\" of `triples` must be text, none of it missing or empty.")
    }
  }
}
