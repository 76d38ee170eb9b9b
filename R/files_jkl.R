# Local-score files of GOBNILP (.jkl): comment lines that begin with #, the number of variables,
# then for each variable a line `name k` and k lines `score p parent_1 ... parent_p`.

#' Read and write local scores
#'
#' `read_jkl()` reads a file of local scores in the format of the program GOBNILP, for
#' [exact_dag()]; `write_jkl()` writes one, so that scores made here can be solved there.
#'
#' @param file The name of a file, or a connection. Text is UTF-8.
#' @param scores Local scores from [local_scores()] or `read_jkl()`.
#' @return `read_jkl()`: an object of class `"local_scores"`. `write_jkl()`: its argument `scores`,
#'   invisibly.
#' @seealso [local_scores()], [exact_dag()], [read_gobnilp()]
#' @references Cussens and Bartlett, GOBNILP: Globally OptimiSed BayesiaN network learning using
#'   Integer Linear Programming, <https://www.cs.york.ac.uk/aig/sw/gobnilp/>.
#' @examples
#' file <- tempfile(fileext = ".jkl")
#' write_jkl(local_scores(bnlearn::learning.test), file)
#' cat(readLines(file, 5), sep = "\n")
#' exact_dag(read_jkl(file))
#' unlink(file)
#' @export
read_jkl <- function(file) {
  lines <- text_lines(file_lines(file))
  if (length(lines$number) == 0) stop_input("`file` must have a line with the number of variables.")
  m <- whole_numbers(lines$words[[1]], 1, "the number of variables", lines$number[1])
  if (length(lines$words[[1]]) != 1) {
    stop_line(lines$number[1], "must have the number of variables alone")
  }
  parse_families(lines, m)
}

#' @rdname read_jkl
#' @export
write_jkl <- function(scores, file) {
  if (!inherits(scores, "local_scores")) {
    stop_input("`scores` must be local scores, not ", show_value(scores), ".")
  }
  check_file(file)
  spaced <- grepl("[[:space:]#]", scores$nodes)
  if (any(spaced)) {
    stop_input(
      "The format has no place for the space in the name ", quoted(scores$nodes[spaced][1]),
      ": rename the column."
    )
  }
  parents <- split(scores$names[scores$parents], factor(
    rep(seq_along(scores$child), scores$size), seq_along(scores$child)
  ))
  set <- paste(
    formatC(scores$score, digits = 17, format = "g"), scores$size,
    vapply(parents, paste, "", collapse = " ")
  )
  by_node <- split(trimws(set), factor(scores$names[scores$child], scores$nodes))
  block <- function(name, sets) c(paste(name, length(sets)), sets)
  body <- unlist(Map(block, scores$nodes, by_node))
  write_lines(c(as.character(length(scores$nodes)), body), file)
  invisible(scores)
}

# The lines after the first: for each of m variables a head and its sets.
parse_families <- function(lines, m) {
  at <- 2
  nodes <- character()
  families <- vector("list", 0)
  next_line <- function(what) {
    if (at > length(lines$words)) {
      stop_line(lines$number[length(lines$number)], "is the last, but ", what, " must follow")
    }
    at <<- at + 1
    lines$words[[at - 1]]
  }
  for (i in seq_len(m)) {
    head <- next_line(paste("variable", i, "of", m))
    number <- lines$number[at - 1]
    if (length(head) != 2) stop_line(number, "must have a variable and how many sets it has")
    count <- whole_numbers(head[2], 1, "the number of sets", number)
    if (head[1] %in% nodes) stop_line(number, "names the variable ", quoted(head[1]), " again")
    nodes[i] <- head[1]
    if (count > length(lines$words) - at + 1) {
      left <- length(lines$words) - at + 1
      stop_line(number, "tells of ", count, " sets, but only ", left, " lines follow")
    }
    range <- at + seq_len(count) - 1
    sets <- parse_sets(lines$words[range], lines$number[range])
    at <- at + count
    families[[i]] <- c(list(child = rep(i, count), line = lines$number[range]), sets)
  }
  if (at <= length(lines$words)) {
    stop_line(lines$number[at], "is one too many: all variables are there")
  }
  field <- function(name) unlist(lapply(families, `[[`, name), recursive = FALSE)
  scores_of_families(
    nodes, field("child"), field("score"), field("size"), field("parents"), field("line")
  )
}

parse_sets <- function(words, number) {
  short <- lengths(words) < 2
  if (any(short)) stop_line(number[short][1], "must have a score and the number of parents")
  first <- vapply(words, `[`, "", 1)
  score <- suppressWarnings(as.numeric(first))
  bad <- !is.finite(score)
  if (any(bad)) stop_line(number[bad][1], "must begin with a score, not ", quoted(first[bad][1]))
  size <- mapply(function(word, line) {
    whole_numbers(word[2], 0, "the number of parents", line)
  }, words, number)
  wrong <- lengths(words) - 2 != size
  if (any(wrong)) {
    stop_line(
      number[wrong][1], "tells of ", size[wrong][1], " parents, but names ",
      (lengths(words) - 2)[wrong][1]
    )
  }
  list(score = score, size = as.integer(size), parents = lapply(words, `[`, -(1:2)))
}

# nodes: the names in the order of the file; line: of each set.
scores_of_families <- function(nodes, child, score, size, parents, line) {
  names <- sort(nodes, method = "radix")
  named <- as.character(unlist(parents))
  index <- match(named, names)
  of_set <- rep(seq_along(parents), lengths(parents))
  complain <- function(wrong, why) {
    if (any(wrong)) {
      first <- which(wrong)[1]
      stop_line(line[of_set[first]], "has the parent ", quoted(named[first]), why)
    }
  }
  own <- match(nodes, names)[child]
  complain(is.na(index), ", which is no variable of the file")
  complain(index == own[of_set], " for that node itself")
  complain(duplicated(paste(of_set, index)), " twice")
  sets <- sort_scores_cpp(list(
    names = names, child = own, score = score, size = size, parents = as.integer(index)
  ))
  new_local_scores(names, nodes, sets)
}

# The lines of a file that are not empty and no comments, split into words, with their numbers.
text_lines <- function(text) {
  text <- trimws(text)
  number <- which(nzchar(text) & !startsWith(text, "#"))
  list(words = strsplit(text[number], "[[:space:]]+"), number = number)
}

stop_line <- function(number, ...) {
  stop_input("Line ", number, " of `file` ", ..., ".")
}

whole_numbers <- function(word, lower, what, line) {
  value <- suppressWarnings(as.numeric(word[1]))
  if (is.na(value) || value < lower || value != round(value) || value > .Machine$integer.max) {
    stop_line(line, "must give ", what, ", a whole number from ", lower, ", not ", quoted(word[1]))
  }
  as.integer(value)
}
