# The paper's model on discrete data: what it needs there that numbers do not.
#
# With Z = M_Z the graph is in the KL term alone, |(I - A^T) MLP(X)|^2 / 2, so that A is learned
# from the second moments of MLP(X), one number for each pair of variables. With d_Z as wide as the
# one-hot rows that number is how often two variables are at the same level, which says little of
# how they depend. With d_Z = 1 the networks give each level a value, and the second moments are
# those of values. In trials on samples of four networks (asia, sachs, insurance, alarm) the rest
# of the training hardly matters: inst/benchmarks/vae_settings.R shows it.

# With the numberings that are asked for; of two networks, the one with the better BIC.
train_vae <- function(start, asked) {
  by_bic <- all(asked$data$kind == "discrete") && !is.numeric(asked$threshold)
  numbering <- asked$control$numbering
  if (numbering == "best") numbering <- if (by_bic) c("frequency", "axis") else "frequency"
  asked$time_limit <- asked$time_limit / length(numbering)
  nets <- lapply(numbering, function(one) {
    asked$control$numbering <- one
    asked$data <- with_level_codes(asked$data, one)
    train_network(start, asked)
  })
  if (length(nets) == 1) {
    return(nets[[1]])
  }
  bic <- vapply(nets, function(net) max(net$daggnn$path$bic, -Inf), 1)
  nets[[which.max(bic)]]
}

# A network without edges may be right, but it must not look as if nothing had to be said.
warn_empty <- function(net) {
  details <- net$daggnn
  if (details$model != "vae" || nrow(net$arcs) > 0) {
    return(invisible())
  }
  largest <- format(max(abs(threshold_weights(details))), digits = 2)
  why <- if (is.null(details$path)) {
    paste0(
      "no weight is above the threshold ", format(details$threshold, digits = 2),
      " (the largest is ", largest, "). See rethreshold() for a lower one."
    )
  } else {
    paste0("the empty network has the best BIC on the path (the largest weight is ", largest, ").")
  }
  warn_user("dag_gnn() has learned a network without edges: ", why)
}
