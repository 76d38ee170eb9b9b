# The paper's synthetic data, for synthetic.R, heat_maps.R and patience.R, and the learners that the
# first two try on it.

synthetic_rows <- 5000

draw_data <- function(type, m, seed) {
  set.seed(seed)
  dag <- random_dag(m, degree = 3)
  list(dag = dag, x = simulate_sem(dag, synthetic_rows, type = type))
}

# The first principal component of each vector-valued variable, in the spread of its columns.
first_components <- function(x) {
  as.data.frame(lapply(x, function(column) {
    if (is.matrix(column)) stats::prcomp(column)$x[, 1] else column
  }))
}

learn_synthetic <- function(learner, x, type, scale) {
  set.seed(1)
  # As the paper's d_Z = 1: a vector-valued variable stands for one number.
  control <- if (type == "vector") dag_gnn_control(latent = 1) else dag_gnn_control()
  switch(learner,
    mechanism = dag_gnn(x, model = "mechanism", scale = scale, control = control),
    vae = dag_gnn(x, model = "vae", threshold = 0.3, scale = scale, control = control),
    notears = notears(if (type == "vector") first_components(x) else x, scale = scale)
  )
}
