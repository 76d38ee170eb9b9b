test_that("random networks are DAGs that carry a weight on each edge and on nothing else", {
  set.seed(1)
  for (graph in c("erdos-renyi", "scale-free")) {
    for (m in c(2, 7, 40)) {
      dag <- random_dag(m, degree = min(3, m - 1), graph = graph, weights = c(0.5, 2))
      expect_s3_class(dag, c("weighted_dag", "bn"), exact = TRUE)
      expect_true(bnlearn::acyclic(dag) && bnlearn::directed(dag))
      weights <- coef(dag)
      expect_equal((weights != 0) * 1, bnlearn::amat(dag) * 1)
      sizes <- abs(weights[weights != 0])
      expect_true(all(sizes >= 0.5 & sizes <= 2))
    }
  }
})

test_that("the expected degree is met, in all nodes' positions alike", {
  set.seed(2)
  edges <- replicate(200, {
    adjacency <- bnlearn::amat(random_dag(20, degree = 3))
    c(sum(adjacency), sum(adjacency[upper.tri(adjacency)]))
  })
  # 190 pairs with probability 3 / 19: mean 30, standard error below 0.4 over 200 graphs.
  expect_equal(mean(edges[1, ]), 30, tolerance = 0.05)
  expect_equal(mean(edges[2, ]), 15, tolerance = 0.06)
  expect_equal(bnlearn::narcs(random_dag(5, degree = 4)), 10)
  expect_equal(bnlearn::narcs(random_dag(5, degree = 0)), 0)
})

test_that("scale-free networks have hubs, and degree / 2 edges for each newcomer", {
  set.seed(3)
  adjacency <- bnlearn::amat(random_dag(200, degree = 4, graph = "scale-free"))
  expect_equal(sum(adjacency), 2 * 198 + 1)
  expect_equal(max(rowSums(adjacency)), 2)
  erdos <- bnlearn::amat(random_dag(200, degree = 4))
  expect_gt(max(colSums(adjacency)), 1.5 * max(colSums(erdos)))
})

test_that("the number of edges is exact where it is given", {
  set.seed(6)
  for (graph in c("erdos-renyi", "scale-free")) {
    for (edges in c(0, 1, 10, 40, 45)) {
      dag <- random_dag(10, graph = graph, edges = edges)
      expect_identical(bnlearn::narcs(dag), as.integer(edges))
      expect_true(bnlearn::acyclic(dag))
    }
  }
  expect_identical(bnlearn::narcs(random_dag(50, edges = 200)), 200L)
})

test_that("every pair of nodes is joined equally often, in either direction", {
  set.seed(7)
  counts <- Reduce(`+`, lapply(1:2000, function(k) bnlearn::amat(random_dag(5, edges = 4))))
  # 4 of 10 pairs: 400 edges in each of the 20 places, standard deviation below 18.
  expect_lt(max(abs(counts[row(counts) != col(counts)] - 400)), 4 * 18)
})

test_that("scale-free newcomers share the edges as equally as they can", {
  set.seed(8)
  sent <- sort(rowSums(bnlearn::amat(random_dag(30, graph = "scale-free", edges = 70))))
  # The first node has nobody to point to, the second one node, the third two.
  expect_identical(unname(sent[1:3]), c(0, 1, 2))
  expect_true(all(sent[-(1:3)] %in% 2:3))
  expect_equal(sum(sent), 70)
})

test_that("weights are uniform with random signs", {
  set.seed(4)
  weights <- coef(random_dag(60, degree = 30, weights = c(1, 3)))
  weights <- weights[weights != 0]
  expect_gt(stats::ks.test(abs(weights), "punif", 1, 3)$p.value, 0.001)
  expect_gt(stats::binom.test(sum(weights > 0), length(weights))$p.value, 0.001)
})

test_that("the same seed gives the same network, and names are kept", {
  draw <- function(seed) {
    set.seed(seed)
    random_dag(c("my var", "b", "\u00e9"), degree = 2)
  }
  expect_identical(draw(1), draw(1))
  expect_false(identical(coef(draw(1)), coef(draw(2))))
  expect_identical(bnlearn::nodes(draw(1)), c("my var", "b", "\u00e9"))
})

test_that("bnlearn's functions take a random network, and weights follow its edges", {
  set.seed(5)
  dag <- random_dag(6, degree = 3)
  arcs <- bnlearn::arcs(dag)
  less <- bnlearn::drop.arc(dag, arcs[1, 1], arcs[1, 2])
  expect_identical(coef(less)[arcs[1, 1], arcs[1, 2]], 0)
  expect_identical(sum(coef(less) != 0), nrow(arcs) - 1L)
  x <- simulate_sem(dag, 50)
  expect_type(bnlearn::score(dag, x, type = "bic-g"), "double")
  fitted <- bnlearn::bn.fit(dag, x)
  expect_type(coef(fitted), "list")
  expect_s3_class(bnlearn::cpdag(dag), "bn")
  expect_output(print(dag), "nodes")
})

test_that("wrong arguments are named", {
  expect_error_snapshot({
    random_dag(1)
    random_dag(c("a", "a"))
    random_dag(c("a", NA))
    random_dag(TRUE)
    random_dag(5, degree = 5)
    random_dag(5, degree = "3")
    random_dag(5, graph = "tree")
    random_dag(5, weights = c(2, 1))
    random_dag(5, weights = 1)
    random_dag(5, weights = c(-1, 1))
    random_dag(5, edges = 11)
    random_dag(5, edges = 2.5)
    random_dag(5, degree = 2, edges = 4)
  })
})
