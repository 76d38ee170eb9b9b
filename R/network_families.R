# The fitted model behind a network: the distribution of each variable given its parents.

# A list: numbers (all parameters), parameters (their effective number for each variable), edges (0
# or 1, of the sorted variables) and, where edge_effects asks for them, shares and weights, in the
# units of data$values. data: of samples(); adjacency: of its sorted variables; control: from
# dag_gnn_control(), with the effects and the density to fit. smoothing: tables of probabilities are
# estimated as if so many more rows had been seen, in which all variables are independent.
fit_families <- function(data, adjacency, control, smoothing = table_smoothing, edge_effects = TRUE,
                         threads = 1) {
  edges <- matrix((adjacency != 0) * 1, length(data$names))
  families <- families_cpp(data, edges, control, smoothing, edge_effects, threads)
  families$edges <- edges
  families
}

# Held-out rows of samples of 200 to 2000 rows have the highest likelihood with 10 to 20.
table_smoothing <- 10

# Those of a network that learn_structure_cpp() found, with the effects that it chose.
fitted_families <- function(found, data, control, threads) {
  # Where all variables are discrete there is nothing to choose.
  if (found$effects != "tables") control[c("effects", "density")] <- found[c("effects", "density")]
  fit_families(data, found$adjacency, control, threads = threads)
}

# The families of a network of ours, or NULL where it has none for the edges that it has now.
families_of <- function(net) {
  families <- net$daggnn$parameters$families
  sorted <- net$daggnn$samples$names
  if (!is.null(families) && all(bnlearn::amat(net)[sorted, sorted] == families$edges)) families
}

# The columns that were declared counts when the network was learned.
declared_counts <- function(net) if (is.list(net)) net$daggnn$control$counts
