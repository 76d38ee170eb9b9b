test_that("every hyperparameter is checked, and the error names it", {
  wrong <- function(...) {
    name <- ...names()
    expect_error(
      dag_gnn_control(...), paste0("^`", name, "` must "), class = "daggnn_input_error"
    )
  }
  wrong(architecture = "other")
  wrong(hidden = -1)
  wrong(hidden = 2.5)
  wrong(latent = 0)
  wrong(numbering = "alphabet")
  wrong(biases = NA)
  wrong(monte_carlo = -1)
  wrong(encoder_variance = "half")
  wrong(decoder_variance = 1)
  wrong(noise = "none")
  wrong(constraint = "power")
  wrong(penalty = "l2")
  wrong(penalty_weight = -1)
  wrong(epochs = 0)
  wrong(first_epochs = 1.5)
  wrong(patience = 0)
  wrong(max_rounds = 0)
  wrong(batch_size = 0)
  wrong(graph_rate = 0)
  wrong(rate = 2)
  wrong(lambda = -1)
  wrong(c = 0)
  wrong(eta = 1)
  wrong(gamma = 2)
  wrong(h_tolerance = -1)
  wrong(c_max = 0)
  wrong(train = "yes")
  wrong(edge_charge = -1)
  wrong(splines = 0)
  wrong(effects = "cubic")
  for (name in c("lambda", "c", "gamma", "h_tolerance", "max_rounds", "batch_size")) {
    for (value in list(NA_real_, NaN, "1", c(1, 2), NULL, list())) {
      do.call(wrong, stats::setNames(list(value), name))
    }
  }
  expect_error(
    dag_gnn(bnlearn::gaussian.test, control = list(epochs = 1)), "`control` must come from",
    class = "daggnn_input_error"
  )
})

test_that("what is not given is the model's own, and what is given stays", {
  numbers <- samples(bnlearn::gaussian.test[1:500, ])
  levels <- samples(bnlearn::learning.test[1:500, ])
  completed <- function(data, model, ...) {
    complete_control(dag_gnn_control(...), model, data)
  }
  for (model in c("vae", "mechanism")) {
    for (data in list(numbers, levels)) {
      control <- completed(data, model)
      expect_false(any(vapply(control[names(control) != "checkpoint"], is.null, NA)))
      expect_identical(control$patience, Inf)
      given <- completed(data, model, epochs = 7, eta = 3, penalty = "huber")
      expect_identical(given[c("epochs", "eta", "penalty")], list(
        epochs = 7, eta = 3, penalty = "huber"
      ))
      # Where only `epochs` is given, it is the number of the first round too.
      expect_identical(given$first_epochs, 7)
    }
  }
  expect_identical(completed(numbers, "vae")$constraint, "polynomial")
  expect_identical(completed(levels, "mechanism")$penalty, "l1")
})

test_that("the core has the same defaults as dag_gnn_control()", {
  core <- default_options_cpp()
  control <- dag_gnn_control()
  # Where the default depends on the model that is trained, the core's is the paper's.
  open <- vapply(model_defaults$vae, function(value) TRUE, NA)
  control[names(open)] <- model_defaults$vae
  control$maxp <- as.numeric(control$maxp)
  for (name in names(core)) expect_equal(core[[name]], control[[name]], label = name)
  # What the core does not know of: names of columns and files, and what R does before it is called.
  of_r <- c("counts", "train", "numbering", "checkpoint")
  expect_setequal(c(names(core), of_r), names(formals(dag_gnn_control)))
})

test_that("tuning is a list of known numbers", {
  expect_identical(dag_gnn_control()$tuning, default_options_cpp()$tuning)
  expect_identical(dag_gnn_control(tuning = list(costly_restarts = 5))$tuning$costly_restarts, 5)
  expect_error(dag_gnn_control(tuning = list(other = 1)), "^`tuning` must be a list with names")
  expect_error(dag_gnn_control(tuning = list(1)), "^`tuning` must be a list with names")
  expect_error(
    dag_gnn_control(tuning = list(least_copies = 0)), "^`tuning\\$least_copies` must be a whole"
  )
})
