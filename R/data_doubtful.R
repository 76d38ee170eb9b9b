# Columns that can be learned from, but hardly mean what a network makes of them.

# data: from samples(). An error for columns that have too many levels, warnings for others. tell:
# whether somebody is watching, to whom a message at once is of use.
check_doubtful_columns <- function(data, tell = FALSE) {
  discrete <- data$names[data$kind == "discrete"]
  identifiers <- unlist(lapply(discrete, describe_identifier, data))
  # All at once, so that they are mended in one go.
  if (length(identifiers) > 0) stop_input(paste(identifiers, collapse = "\n"))
  misread <- lapply(data$levels[discrete], reading_hint)
  for (name in discrete[lengths(misread) > 0]) {
    warn_user(column_labels(name, "x"), " is discrete. ", misread[[name]])
  }
  many <- discrete[data$width[match(discrete, data$names)] > slow_level_count]
  if (tell && length(many) > 0) {
    message(
      "Column ", quoted(many), " of `x` has more than ", slow_level_count, " levels, which makes ",
      "learning slow: merge rare levels, or leave it out."
    )
  }
  twins <- duplicated_columns(data)
  if (length(twins) > 0) {
    warn_user(
      "Columns of `x` that repeat each other up to their units: ",
      paste(vapply(twins, quoted, ""), collapse = "; "),
      ". One explains the other completely, so that their edges say nothing about the rest."
    )
  }
}

# A multinomial logit takes a time that grows as the cube of the number of levels: a second at 40.
slow_level_count <- 50
# Fewer distinct values than this are no sign of an identifier in a small sample.
identifier_level_count <- 20

# What is wrong with a column of which the typical level has fewer than two rows, so that its
# probability given a parent is unknown; NULL for others.
describe_identifier <- function(name, data) {
  codes <- column_of(data, match(name, data$names))
  codes <- codes[!is.na(codes)]
  count <- length(unique(codes))
  if (count > identifier_level_count && count > length(codes) / 2) {
    hint <- reading_hint(data$levels[[name]])
    if (is.null(hint)) hint <- "If it identifies rows, leave it out; otherwise merge its levels."
    paste0(
      column_labels(name, "x"), " is discrete and has ", count, " different values in ",
      length(codes), " rows, too many to learn from. ", hint
    )
  }
}

# What the levels of a discrete variable look like where they are hardly meant as levels, and how to
# read them; NULL where they look like levels.
reading_hint <- function(levels) {
  all_like <- function(pattern) length(levels) > 2 && all(grepl(pattern, levels))
  # A factor of whole numbers is a code that somebody made on purpose.
  numbers <- grepl("^\\s*-?[0-9]*[.,]?[0-9]+([eE][-+]?[0-9]+)?\\s*$", levels)
  if (all_like("^\\s*[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}([ T].*)?$")) {
    paste0(
      "Its values look like dates: as.numeric(as.Date(...", date_format(levels), ")) makes ",
      "numbers of them."
    )
  } else if (all_like("^\\s*-?([0-9]+(,[0-9]+)?|,[0-9]+)\\s*$") && any(grepl(",", levels))) {
    "Its values look like numbers with decimal commas: read.csv2() reads them."
  } else if (sum(numbers) > 10 && !all(numbers) && mean(numbers) > 0.5) {
    paste0(
      "Its values look like numbers except for ", quoted(levels[!numbers]), ": if that means ",
      "missing, name it in read.csv(na.strings = )."
    )
  } else if (!all(nzchar(trimws(levels)))) {
    paste(
      "One of its levels is empty text: if that means missing, read the file with",
      "read.csv(na.strings = c(\"NA\", \"\"))."
    )
  }
}

# What as.Date() must be told to read such dates: nothing where the year comes first, as in
# 2024-01-31.
date_format <- function(dates) {
  numbers <- strsplit(trimws(dates), "[^0-9]")
  separator <- substr(sub("^[0-9]+", "", trimws(dates[1])), 1, 1)
  year_first <- nchar(numbers[[1]][1]) == 4
  if (year_first && separator != ".") {
    return("")
  }
  year <- if (year_first || nchar(numbers[[1]][3]) == 4) "%Y" else "%y"
  second <- as.numeric(vapply(numbers, `[`, "", 2))
  fields <- if (year_first) {
    c(year, "%m", "%d")
  } else if (any(second > 12)) {
    c("%m", "%d", year)
  } else {
    c("%d", "%m", year)
  }
  paste0(", format = \"", paste(fields, collapse = separator), "\"")
}

column_of <- function(data, j) data$values[, places_of(column_count(data), j)[1]]

# Pairs of scalar columns with the same values, or a correlation of 1 up to rounding.
duplicated_columns <- function(data) {
  single <- which(column_count(data) == 1)
  values <- vapply(single, function(j) standard_scores(as.numeric(column_of(data, j))), numeric(
    nrow(data$values)
  ))
  # A column that was turned around is the same column: these sums do not depend on the sign.
  keys <- colSums(round(abs(values), 9), na.rm = TRUE)
  twins <- list()
  for (key in keys[duplicated(signif(keys, 8))]) {
    alike <- which(abs(keys - key) <= 1e-7 * (1 + abs(key)))
    for (pair in utils::combn(alike, 2, simplify = FALSE)) {
      if (same_up_to_sign(values[, pair[1]], values[, pair[2]])) {
        twins <- c(twins, list(data$names[single[pair]]))
      }
    }
  }
  unique(twins)
}

# One sign for the whole column: all balanced binary columns have the same absolute scores.
same_up_to_sign <- function(one, other) {
  known <- !is.na(one) & !is.na(other)
  one <- one[known]
  other <- other[known]
  length(one) > 0 && (all(abs(one - other) < 1e-8) || all(abs(one + other) < 1e-8))
}

standard_scores <- function(values) {
  # Divided first, so that squares of huge or tiny values stay finite.
  values <- values / max(abs(values), na.rm = TRUE)
  (values - mean(values, na.rm = TRUE)) / stats::sd(values, na.rm = TRUE)
}
