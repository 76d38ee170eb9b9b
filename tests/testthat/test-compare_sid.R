# All paths from i to j, edges taken in either direction, no node twice.
all_paths <- function(adjacency, path, j) {
  last <- path[length(path)]
  if (last == j) {
    return(list(path))
  }
  joined <- which(adjacency[last, ] != 0 | adjacency[, last] != 0)
  unlist(lapply(setdiff(joined, path), function(v) all_paths(adjacency, c(path, v), j)), FALSE)
}

all_descendants <- function(adjacency, i) {
  below <- which(adjacency[i, ] != 0)
  unique(c(i, unlist(lapply(below, function(v) all_descendants(adjacency, v)))))
}

# The definition of d-separation, node by node.
path_is_open <- function(adjacency, path, given) {
  for (k in seq_along(path)[-c(1, length(path))]) {
    collider <- adjacency[path[k - 1], path[k]] != 0 && adjacency[path[k + 1], path[k]] != 0
    if (collider && !any(all_descendants(adjacency, path[k]) %in% given)) {
      return(FALSE)
    }
    if (!collider && path[k] %in% given) {
      return(FALSE)
    }
  }
  TRUE
}

# The distance by its definition: Peters and Buehlmann (2015), definition 5 and equation (7).
slow_sid <- function(true, found) {
  wrong <- 0
  for (i in seq_len(nrow(true))) {
    given <- which(found[, i] != 0)
    for (j in setdiff(seq_len(nrow(true)), i)) {
      if (j %in% given) {
        wrong <- wrong + (j %in% all_descendants(true, i))
        next
      }
      paths <- all_paths(true, i, j)
      causal <- vapply(paths, function(path) {
        all(true[cbind(path[-length(path)], path[-1])] != 0)
      }, NA)
      between <- setdiff(unlist(paths[causal]), i)
      below <- unlist(lapply(between, function(v) all_descendants(true, v)))
      open <- vapply(paths[!causal], function(path) path_is_open(true, path, given), NA)
      wrong <- wrong + (any(given %in% below) || any(open))
    }
  }
  wrong
}

random_pair <- function(largest) {
  m <- sample(2:largest, 1)
  draw <- function() bnlearn::amat(random_dag(m, edges = sample(0:(m * (m - 1) / 2), 1)))
  list(true = draw(), found = draw())
}

test_that("the structural intervention distance agrees with its definition, path by path", {
  set.seed(1)
  for (k in 1:150) {
    pair <- random_pair(6)
    fast <- intervention_distance(pair$true, pair$found)
    expect_equal(fast, slow_sid(pair$true, pair$found))
  }
})

test_that("it agrees with bnlearn", {
  skip_if_not("sid" %in% getNamespaceExports("bnlearn"), "bnlearn::sid() is not there")
  set.seed(2)
  for (k in 1:30) {
    pair <- random_pair(12)
    by_bnlearn <- bnlearn::sid(bn_of(pair$found, "learned"), bn_of(pair$true, "truth"))
    expect_equal(intervention_distance(pair$true, pair$found), as.numeric(by_bnlearn))
  }
})

test_that("it agrees with gadjid, from which the ancestors' distance comes", {
  skip_if_not_installed("gadjid")
  set.seed(3)
  for (k in 1:50) {
    pair <- random_pair(30)
    by_gadjid <- gadjid::sid(pair$true * 1, pair$found * 1, "from row to column")[2]
    expect_equal(intervention_distance(pair$true, pair$found), by_gadjid)
    expect_equal(
      dag_metrics(pair$true, pair$found)$aid,
      gadjid::ancestor_aid(pair$true * 1, pair$found * 1, "from row to column")[2]
    )
  }
  truth <- random_dag(8)
  expect_equal(dag_metrics(truth, truth)$aid, 0)
  # Open directions are effects that cannot be told.
  cpdag <- bnlearn::cpdag(bnlearn::model2network("[a][b|a]"))
  expect_equal(dag_metrics(bnlearn::model2network("[a][b|a]"), cpdag)$aid, 2)
  # A directed edge where its CPDAG has none is no CPDAG.
  chain <- bnlearn::model2network("[a][b|a][c|b]")
  mixture <- rbind(c(0, 1, 0), c(1, 0, 1), c(0, 0, 0))
  expect_identical(dag_metrics(chain, mixture)$aid, NA_real_)
})

test_that("examples of the paper that defined it", {
  # A network that has all edges of the truth and more is without error; a reversed edge is not.
  truth <- bnlearn::model2network("[a][b|a][c|b]")
  more <- bnlearn::model2network("[a][b|a][c|a:b]")
  reversed <- bnlearn::model2network("[b][a|b][c|b]")
  expect_equal(dag_metrics(truth, more)$sid, 0)
  expect_gt(dag_metrics(more, truth)$sid, 0)
  # Reversed: wrong are the effects of a on b and on c, and of b on a.
  expect_equal(dag_metrics(truth, reversed)$sid, 3)
  # The empty network is wrong wherever there is an effect or a common cause.
  empty <- bnlearn::empty.graph(c("a", "b", "c"))
  expect_equal(dag_metrics(truth, empty)$sid, 3)
})

test_that("partially directed and very large networks have none", {
  truth <- bnlearn::model2network("[a][b|a]")
  expect_identical(dag_metrics(truth, bnlearn::cpdag(truth))$sid, NA_real_)
  large <- matrix(0, most_sid_nodes + 1, most_sid_nodes + 1)
  expect_identical(intervention_distance(large, large), NA_real_)
})
