edges_of <- function(net) sort(apply(bnlearn::arcs(net), 1, paste, collapse = " -> "))

local_csv <- function(frame, env = parent.frame()) {
  file <- withr::local_tempfile(fileext = ".csv.gz", .local_envir = env)
  con <- gzfile(file, "w")
  utils::write.csv(frame, con, row.names = FALSE)
  close(con)
  file
}

test_that("a compressed file in chunks gives the network of the data frame", {
  for (frame in list(bnlearn::gaussian.test, bnlearn::learning.test)) {
    file <- local_csv(frame)
    net <- dag_gnn(chunks(file, rows = 700, sample = 1000))
    expect_identical(edges_of(net), edges_of(dag_gnn(frame)))
    expect_identical(net$daggnn$n, 5000)
    expect_equal(
      exact_dag(chunks(file, rows = 700, sample = 1000))$score, exact_dag(frame)$score,
      tolerance = 1e-9
    )
    # Few rows are all read.
    expect_identical(
      coef(dag_gnn(chunks(file, rows = 700, sample = 5000))), coef(dag_gnn(frame)),
      tolerance = 1e-10
    )
  }
})

test_that("missing values and mixtures of kinds are learned from a sample, always the same", {
  frame <- bnlearn::clgaussian.test
  frame$G[1:500] <- NA
  file <- local_csv(frame)
  set.seed(1)
  one <- dag_gnn(chunks(file, sample = 1500))
  set.seed(2)
  after <- stats::runif(1)
  set.seed(2)
  other <- dag_gnn(chunks(file, sample = 1500))
  expect_identical(stats::runif(1), after)
  expect_identical(coef(one), coef(other))
  expect_match(one$daggnn$source$used, "since values are missing")
  complete <- dag_gnn(chunks(local_csv(bnlearn::clgaussian.test), sample = 2000))
  expect_identical(edges_of(complete), edges_of(dag_gnn(bnlearn::clgaussian.test)))
  numbers <- with(list(x = bnlearn::gaussian.test), {
    x$B[1:400] <- NA
    x
  })
  moments_of <- function(net) net$daggnn$parameters[c("center", "sd", "correlation")]
  expect_equal(
    moments_of(notears(chunks(local_csv(numbers), sample = 1000))), moments_of(notears(numbers))
  )
})

test_that("the sample is a random sample of all rows", {
  make <- function(k) if (k <= 10) data.frame(a = 100 * k + 1:100, b = rnorm(100))
  drawn <- daggnn:::describe_rows(chunks(make, sample = 200))$frame$a
  expect_length(unique(drawn), 200)
  # By chunk, 20 are expected, with a standard deviation of 4.
  expect_true(all(abs(tabulate(drawn %/% 100 - (drawn %% 100 == 0), 10) - 20) < 16))
})

test_that("rows that a function makes are learned from, whatever random numbers it draws", {
  make <- function(k) {
    set.seed(k)
    if (k <= 4) data.frame(a = a <- rnorm(500), b = a + rnorm(500), s = sample(0:1, 500, TRUE))
  }
  net <- dag_gnn(chunks(make, sample = 600))
  expect_identical(edges_of(net), edges_of(dag_gnn(do.call(rbind, lapply(1:4, make)))))
  net <- dag_gnn(chunks(make, sample = 600, factors = "s"))
  expect_identical(net$daggnn$samples$kind[["s"]], "discrete")
})

test_that("too many combinations of levels for chunks are learned from the sample", {
  source <- chunks(local_csv(bnlearn::learning.test), sample = 2000)
  source$most_combinations <- 10
  net <- dag_gnn(source)
  expect_match(net$daggnn$source$used, "since too many combinations")
  expect_identical(edges_of(net), edges_of(dag_gnn(bnlearn::learning.test)))
})

test_that("a file is read as the same file at once, whatever its first rows look like", {
  set.seed(1005)
  frame <- data.frame(a = round(rnorm(400)), b = rnorm(400), flag = rep(c("T", "F"), 200))
  frame$a[301:400] <- rnorm(100)
  frame$code <- c(rep("x", 200), rep(1:2, 100))
  read_all <- function(...) {
    reader <- chunks(...)$open()
    on.exit(reader$close())
    do.call(rbind, list(reader$read(), reader$read(), reader$read(), reader$read()))
  }
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(frame, file, row.names = FALSE)
  expect_equal(read_all(file, rows = 100), transform(frame, flag = flag == "T"))
  # Numbers in quotes, decimal commas, columns that are left out, lines before the names.
  quoted <- format(frame, digits = 15, decimal.mark = ",", trim = TRUE)
  utils::write.csv2(quoted, file, row.names = FALSE)
  classes <- c(flag = "NULL", code = "NULL")
  expect_equal(
    read_all(file, rows = 100, sep = ";", dec = ",", colClasses = classes), frame[1:2]
  )
  writeLines(c("made by hand", readLines(file)), file)
  expect_identical(
    names(read_all(file, rows = 100, sep = ";", dec = ",", skip = 1)), names(frame)
  )
})

test_that("text in a column of numbers is said", {
  file <- withr::local_tempfile(fileext = ".csv")
  frame <- data.frame(a = c(rnorm(30), "n/a", rnorm(9)), b = rnorm(40))
  utils::write.csv(frame, file, row.names = FALSE)
  expect_error(dag_gnn(chunks(file, rows = 20)), "\"a\" of `x` has no text .* \"n/a\" later")
  net <- dag_gnn(chunks(file, rows = 20, na.strings = "n/a"))
  expect_identical(net$daggnn$samples$kind[["a"]], "continuous")
})

test_that("what is wrong with chunks is said", {
  expect_error(chunks("nowhere.csv"), "There is no file")
  expect_error(chunks(3), "`x` must be the name of a file or a function")
  expect_error(dag_gnn(chunks(function(k) if (k == 1) 1:3)), "Chunk 1 of `x` must be a data frame")
  expect_error(dag_gnn(chunks(function(k) NULL)), "at least one row")
  uneven <- function(k) switch(k, data.frame(a = 1:9, b = 2), data.frame(a = 1:9, c = 2))
  expect_error(dag_gnn(chunks(uneven)), "\"b\" is not in all")
  changing <- function(k) switch(k, data.frame(a = 1:9, b = 2), data.frame(a = "x", b = 2))
  expect_error(dag_gnn(chunks(changing)), "numeric in some chunks and discrete in others")
  broken <- function(k) stop("the disk is full")
  expect_error(
    dag_gnn(chunks(broken)), "could not be read from chunks of a function: the disk is full"
  )
  dated <- function(k) if (k == 1) data.frame(a = rnorm(20), day = Sys.Date())
  expect_error(dag_gnn(chunks(dated)), "\"day\" of `x` has the type Date")
})
