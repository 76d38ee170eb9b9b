# Columns that a network can make little of are named in an error or a warning; others are not.

test_that("columns that repeat each other in other units are named", {
  set.seed(1)
  a <- rnorm(50)
  x <- data.frame(a = a, b = rnorm(50), c = 3 - 2 * a, d = rnorm(50))
  expect_warning(dag_gnn(x), "repeat each other.*\"a\", \"c\"")
  f <- factor(rep(c("no", "yes"), 25))
  turned <- factor(rep(c("yes", "no"), 25))
  y <- data.frame(f = f, g = turned, h = factor(sample(f)))
  expect_warning(dag_gnn(y), "\"f\", \"g\"")
})

test_that("balanced binary columns that differ are no copies of each other", {
  set.seed(2)
  x <- data.frame(lapply(1:4, function(k) factor(sample(rep(c("no", "yes"), 30)))))
  names(x) <- letters[1:4]
  expect_no_warning(dag_gnn(x))
  # Nor are columns without a row in which both are known.
  x$a[1:30] <- NA
  x$b[31:60] <- NA
  expect_identical(duplicated_columns(samples(x)), list())
})

test_that("a text column with a value for nearly every row is an error that says what to do", {
  set.seed(3)
  x <- data.frame(a = rnorm(60), b = rnorm(60))
  expect_error(dag_gnn(cbind(x, id = sprintf("P%02d", 1:60))), "\"id\".*60 different.*leave it out")
  # All such columns at once, a line each.
  expect_error(
    dag_gnn(cbind(x, id = sprintf("P%02d", 1:60), other = sprintf("Q%02d", 1:60))),
    "\"id\".*\n.*\"other\""
  )
  day <- as.character(as.Date("2024-01-01") + 1:60)
  expect_error(dag_gnn(cbind(x, day = day)), "\"day\".*look like dates: as.numeric")
  german <- format(as.Date("2024-01-01") + 1:60, "%d.%m.%Y")
  expect_error(dag_gnn(cbind(x, day = german)), "as.Date(..., format = \"%d.%m.%Y\")", fixed = TRUE)
  commas <- format(rnorm(60), decimal.mark = ",")
  expect_error(dag_gnn(cbind(x, y = commas)), "\"y\".*decimal commas: read.csv2")
})

test_that("a file with semicolons that was read as one column gets a hint", {
  x <- utils::read.csv(text = paste(1:20, 20:1, sep = ";"), header = FALSE)
  expect_error(dag_gnn(x), "two columns, not 1. Its values hold semicolons: read.csv2()")
  expect_error(dag_gnn(data.frame(a = 1:20)), "two columns, not 1.$")
})

test_that("text that was hardly meant as levels is named in a warning", {
  set.seed(4)
  x <- data.frame(a = rnorm(60), b = rnorm(60))
  commas <- sample(c("1,5", "2,5", "3"), 60, TRUE)
  expect_warning(dag_gnn(cbind(x, y = commas)), "\"y\".*decimal commas")
  holes <- sample(c("n/a", 1:12), 60, TRUE)
  expect_warning(dag_gnn(cbind(x, y = holes)), "except for \"n/a\"")
  expect_warning(dag_gnn(cbind(x, y = sample(c("", "no", "yes"), 60, TRUE))), "\"y\".*empty text")
  expect_no_warning(dag_gnn(cbind(x, y = factor(sample(3, 60, TRUE)))))
})

test_that("many levels are announced at once to those who watch, and to nobody else", {
  set.seed(5)
  x <- data.frame(a = rnorm(150), y = sample(sprintf("l%02d", 1:60), 150, TRUE))
  expect_message(check_doubtful_columns(samples(x), tell = TRUE), "\"y\".*more than 50 levels")
  expect_no_message(check_doubtful_columns(samples(x)))
})

test_that("the format of a date is told from its fields", {
  expect_identical(date_format(c("2024-01-31", "2024-02-01")), "")
  expect_identical(date_format(c("2024.01.31", "2024.02.01")), ", format = \"%Y.%m.%d\"")
  expect_identical(date_format(c("1/2/2024", "1/31/2024")), ", format = \"%m/%d/%Y\"")
  expect_identical(date_format(c("1/2/24", "31/1/24")), ", format = \"%d/%m/%y\"")
})
