nodes <- c("a", "b", "c")
weights <- matrix(c(0, 0, 0, 1.5, 0, 0, 0, -2, 0), 3, dimnames = list(nodes, nodes))
values <- edge_values(nodes, 1:2, 2:3, c(1.5, -2))

test_that("values of edges are asked for as a matrix is", {
  expect_identical(as.matrix(values), weights)
  expect_identical(values["a", "b"], 1.5)
  expect_identical(values[c("b", "a"), nodes], weights[c("b", "a"), nodes])
  arcs <- cbind(c("b", "c", "a"), c("c", "a", "b"))
  expect_identical(values[arcs], weights[arcs])
  expect_identical(values[cbind(1:3, 3:1)], weights[cbind(1:3, 3:1)])
  expect_identical(dim(values), c(3L, 3L))
  expect_identical(dimnames(values), dimnames(weights))
  none <- edge_values(nodes, integer(), integer(), numeric(), NA_real_)
  expect_true(all(is.na(as.matrix(none))))
  expect_identical(none["a", "b"], NA_real_)
})

test_that("values keep their edges when the nodes come in another order", {
  expect_identical(as.matrix(reordered_values(values, nodes[3:1])), weights[3:1, 3:1])
})

test_that("the list of a matrix has what is neither zero nor missing", {
  listed <- listed_values(replace(weights, 1, NA))
  expect_identical(listed, listed_values(values))
  expect_identical(listed$value, c(1.5, -2))
})

test_that("lists of edges are sorted by child and then by parent, each once", {
  edges <- rbind(c(3, 1), c(1, 2), c(2, 1), c(3, 1))
  expect_identical(sorted_edges(edges), rbind(2:1, c(3L, 1L), 1:2))
  expect_identical(edge_list(adjacency_of_edges(edges, nodes)), sorted_edges(edges))
  expect_identical(nrow(sorted_edges(NULL)), 0L)
  expect_identical(renumbered_edges(cbind(1L, 2L), nodes, nodes[3:1]), cbind(3L, 2L))
})

test_that("a network of a list of edges is the one that bnlearn makes of a matrix", {
  set.seed(2)
  for (prob in c(0, 0.1, 0.4, 1)) {
    for (trial in 1:5) {
      theirs <- bnlearn::random.graph(LETTERS[sample(7)], prob = prob)
      amat <- bnlearn::amat(theirs)
      wanted <- bnlearn::empty.graph(rownames(amat))
      bnlearn::amat(wanted) <- amat
      expect_identical(bn_of_edges(edge_list(amat), rownames(amat)), wanted)
      expect_identical(edges_of_bn(theirs), edge_list(amat))
    }
  }
})
