# Every DAG of m nodes as a 0/1 matrix: the slow twin of exact_dag(). Listed once for each m.
all_dags <- local({
  known <- list()
  function(m) {
    key <- as.character(m)
    if (is.null(known[[key]])) known[[key]] <<- list_dags(m)
    known[[key]]
  }
})

# By trying all matrices.
list_dags <- function(m) {
  cells <- which(row(diag(m)) != col(diag(m)))
  dags <- lapply(seq_len(2^length(cells)) - 1, function(code) {
    adjacency <- matrix(0L, m, m)
    adjacency[cells] <- bitwAnd(code, 2^(seq_along(cells) - 1)) > 0
    power <- adjacency
    for (k in seq_len(m)) {
      if (sum(diag(power)) > 0) {
        return(NULL)
      }
      power <- power %*% adjacency
    }
    adjacency
  })
  dags[!vapply(dags, is.null, NA)]
}

# The best score of all DAGs that agree with the rules, from bnlearn's scores of the families.
best_by_hand <- function(x, type, maxp = Inf, allowed = NULL, required = NULL, ...) {
  m <- ncol(x)
  family_score <- local({
    known <- list()
    function(child, parents) {
      key <- paste(child, paste(parents, collapse = ","), sep = "|")
      if (is.null(known[[key]])) {
        net <- bnlearn::empty.graph(names(x))
        for (p in parents) net <- bnlearn::set.arc(net, names(x)[p], names(x)[child])
        known[[key]] <<- bnlearn::score(net, x, type = type, by.node = TRUE, ...)[[names(x)[child]]]
      }
      known[[key]]
    }
  })
  best <- -Inf
  for (dag in all_dags(m)) {
    if (any(colSums(dag) > maxp)) next
    if (!is.null(allowed) && any(dag == 1 & !allowed)) next
    if (!is.null(required) && any(required & dag == 0)) next
    total <- 0
    for (child in seq_len(m)) total <- total + family_score(child, which(dag[, child] == 1))
    best <- max(best, total)
  }
  best
}

# m factors that depend on each other at random.
random_factors <- function(n, m, seed) {
  set.seed(seed)
  x <- matrix(0L, n, m)
  for (j in seq_len(m)) {
    parents <- sample(seq_len(j - 1), min(j - 1, sample(0:2, 1)))
    noise <- sample(0:2, n, replace = TRUE, prob = c(0.6, 0.2, 0.2))
    x[, j] <- (rowSums(x[, parents, drop = FALSE]) + noise) %% sample(2:3, 1)
  }
  x <- as.data.frame(x[, sample(m)])
  x[] <- lapply(x, factor)
  stats::setNames(x, paste0("v", sample(m)))
}

random_numbers <- function(n, m, seed) {
  set.seed(seed)
  x <- matrix(0, n, m)
  for (j in seq_len(m)) {
    parents <- sample(seq_len(j - 1), min(j - 1, sample(0:2, 1)))
    x[, j] <- rowSums(x[, parents, drop = FALSE]) + stats::rnorm(n)
  }
  stats::setNames(as.data.frame(x[, sample(m)]), paste0("v", sample(m)))
}
