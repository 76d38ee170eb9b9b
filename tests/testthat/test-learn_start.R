rows <- bnlearn::gaussian.test[1:300, 1:5]

few <- function(..., train = TRUE) dag_gnn_control(epochs = 3, train = train, ...)

for (model in c("mechanism", "vae")) {
  test_that(paste(model, "goes on from a fit that ran out of rounds, to the same bits"), {
    set.seed(1)
    whole <- dag_gnn(rows, model = model, control = few(max_rounds = 6))
    set.seed(1)
    part <- dag_gnn(rows, model = model, control = few(max_rounds = 2))
    expect_identical(part$daggnn$reason, "max_rounds")
    rest <- dag_gnn(rows, model = model, start = part, control = few(max_rounds = 6))
    expect_identical(rest$daggnn$weights, whole$daggnn$weights)
    expect_identical(bnlearn::arcs(rest), bnlearn::arcs(whole))
    expect_identical(rest$daggnn$trace$h, whole$daggnn$trace$h)
  })
}

test_that("a fit that ran out of time goes on to the network of an undisturbed one", {
  control <- few(max_rounds = 5)
  set.seed(2)
  whole <- dag_gnn(rows, control = control)
  set.seed(2)
  net <- suppressWarnings(dag_gnn(rows, control = control, time_limit = 0))
  expect_identical(net$daggnn$reason, "time_limit")
  expect_identical(dag_gnn(rows, start = net)$daggnn$weights, whole$daggnn$weights)
})

test_that("Ctrl-C while the rule for edges looks at the data keeps what was trained", {
  skip_on_os("windows")
  file <- tempfile(fileext = ".rds")
  said <- in_new_process(
    pressing_ctrl_c("choose_edges"), "set.seed(1)",
    "control <- daggnn::dag_gnn_control(epochs = 3, max_rounds = 2)",
    "rows <- bnlearn::gaussian.test[1:300, 1:5]",
    "net <- daggnn::dag_gnn(rows, model = 'vae', control = control)",
    sprintf("saveRDS(net, %s)", deparse(file))
  )
  expect_match(said, "dag_gnn\\(\\) was interrupted", all = FALSE)
  kept <- readRDS(file)
  expect_identical(kept$daggnn$reason, "interrupt")
  set.seed(1)
  whole <- dag_gnn(rows, model = "vae", control = few(max_rounds = 2, train = FALSE))
  expect_identical(kept$daggnn$weights, whole$daggnn$weights)
  rest <- dag_gnn(rows, start = kept)
  expect_identical(bnlearn::arcs(rest), bnlearn::arcs(whole))
})

test_that("going on keeps the prior knowledge, the model and the columns' order apart", {
  set.seed(3)
  forbidden <- cbind("A", "C")
  part <- dag_gnn(rows, blacklist = forbidden, model = "vae", control = few(max_rounds = 1))
  rest <- dag_gnn(rows[5:1], start = part)
  expect_identical(rest$daggnn$model, "vae")
  expect_false(allowed_edges(rest$daggnn$prior)["A", "C"])
  expect_identical(bnlearn::nodes(rest), names(rows)[5:1])
  expect_identical(rest$daggnn$control$epochs, 3)
})

test_that("a network that has converged is given back as it is", {
  set.seed(4)
  net <- dag_gnn(rows[1:3])
  expect_identical(net$daggnn$reason, "converged")
  expect_null(net$daggnn$state)
})

test_that("other rows begin with the parameters, and take fewer epochs", {
  set.seed(5)
  trained <- dag_gnn_control(train = TRUE)
  net <- dag_gnn(rows[1:3], control = trained)
  other <- bnlearn::gaussian.test[301:600, 1:3]
  set.seed(6)
  cold <- dag_gnn(other, control = trained)
  set.seed(6)
  warm <- dag_gnn(other, start = net)
  expect_lt(sum(warm$daggnn$trace$epochs), sum(cold$daggnn$trace$epochs) / 1.5)
  expect_lte(max(warm$daggnn$trace$h[nrow(warm$daggnn$trace)]), 1e-8)
})

test_that("weights to begin with may be a matrix or another network", {
  weights <- matrix(0, 3, 3, dimnames = list(c("C", "A", "B"), c("C", "A", "B")))
  weights["A", "C"] <- 0.7
  one_step <- dag_gnn_control(
    epochs = 1, max_rounds = 1, graph_rate = 1e-12, batch_size = 300
  )
  set.seed(7)
  begun <- dag_gnn(rows[1:3], model = "vae", start = weights, control = one_step)
  expect_equal(begun$daggnn$weights["A", "C"], 0.7, tolerance = 1e-6)
  start <- bnlearn::model2network("[A][B][C|A]")
  from_net <- dag_gnn(rows[1:3], model = "vae", start = start, control = one_step)
  expect_equal(from_net$daggnn$weights["A", "C"], 1, tolerance = 1e-6)
})

test_that("a start that does not fit is named", {
  wrong <- function(..., says) {
    expect_error(dag_gnn(rows, ...), says, class = "daggnn_input_error")
  }
  part <- dag_gnn(rows, control = few(max_rounds = 1))
  wrong(start = 1, says = "`start` must be NULL, a network or a matrix")
  wrong(start = "net", says = "`start` must be NULL, a network or a matrix")
  wrong(start = diag(2), says = "`start`")
  wrong(start = part, model = "vae", says = "learned with `model = \"vae\"`")
  wrong(start = part, control = few(hidden = 3), says = "the same `hidden`")
  wrong(start = dag_gnn(rows[1:3], control = few(max_rounds = 1)), says = "columns of `x`")
  expect_error(
    dag_gnn(bnlearn::learning.test[1:100, ], start = diag(6), control = few()),
    "more than one number",
    class = "daggnn_input_error"
  )
})
