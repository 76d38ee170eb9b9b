# The fitted model behind a network: the distribution of each variable given its parents.

# A list: numbers (all parameters), parameters (their effective number for each variable), edges
# (of the DAG) and, where edge_effects asks for them, shares and weights of the edges, in the units
# of data$values. data: of samples(); edges: between its sorted variables; control: from
# dag_gnn_control(), with the effects and the density to fit. smoothing: tables of probabilities are
# estimated as if so many more rows had been seen, in which all variables are independent.
fit_families <- function(data, edges, control, smoothing = table_smoothing, edge_effects = TRUE,
                         threads = 1) {
  fit <- families_cpp(data, edges, control, smoothing, edge_effects, threads)
  families <- c(fit[c("numbers", "parameters")], list(edges = sorted_edges(edges)))
  effects <- fit$effects
  if (edge_effects) {
    families$shares <- edge_values(data$names, effects$from, effects$to, effects$share)
    families$weights <- edge_values(data$names, effects$from, effects$to, effects$weight)
  }
  families
}

# Held-out rows of samples of 200 to 2000 rows have the highest likelihood with 10 to 20.
table_smoothing <- 10

# Those of a network that learn_structure_cpp() found, with the effects that it chose.
fitted_families <- function(found, data, control, threads) {
  # Where all variables are discrete there is nothing to choose.
  if (found$effects != "tables") control[c("effects", "density")] <- found[c("effects", "density")]
  fit_families(data, found$edges, control, threads = threads)
}

# The families of a network of ours, or NULL where it has none for the edges that it has now.
families_of <- function(net) {
  families <- net$daggnn$parameters$families
  sorted <- net$daggnn$samples$names
  if (!is.null(families) && identical(edges_of_bn(net, sorted), families$edges)) families
}

# The columns that were declared counts when the network was learned.
declared_counts <- function(net) if (is.list(net)) net$daggnn$control$counts
