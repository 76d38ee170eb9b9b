random_layout <- function(m, longest, degree = 3) {
  probability <- min(degree / (m - 1), 1)
  dag <- bnlearn::amat(bnlearn::random.graph(as.character(seq_len(m)), prob = probability))
  index <- which(dag == 1, arr.ind = TRUE)
  labels <- vapply(sample(longest, m, replace = TRUE), strrep, "", x = "n")
  list(
    from = index[, 1], to = index[, 2], layout = layered_layout(labels, index[, 1], index[, 2])
  )
}

test_that("boxes never overlap, and every edge of a DAG leads down", {
  set.seed(1)
  for (m in c(2, 10, 37, 50)) {
    for (longest in c(2, 20)) {
      drawn <- random_layout(m, longest)
      boxes <- drawn$layout$boxes
      near <- outer(seq_len(m), seq_len(m), function(i, j) {
        i < j & boxes$y[i] == boxes$y[j] &
          abs(boxes$x[i] - boxes$x[j]) < (boxes$width[i] + boxes$width[j]) / 2
      })
      expect_false(any(near))
      expect_true(all(boxes$y[drawn$from] > boxes$y[drawn$to]))
      ends <- vapply(drawn$layout$routes, function(route) route[c(1, nrow(route)), "y"], numeric(2))
      expect_equal(ends[1, ], boxes$y[drawn$from] - layout_edge)
      expect_equal(ends[2, ], boxes$y[drawn$to] + layout_edge)
    }
  }
})

test_that("an edge that closes a cycle is drawn upwards", {
  layout <- layered_layout(c("a", "b", "c"), c(1, 2, 3), c(2, 3, 1))
  expect_identical(keeps_acyclic(3, c(1, 2, 3), c(2, 3, 1)), c(TRUE, TRUE, FALSE))
  up <- layout$routes[[3]]
  expect_lt(up[1, "y"], up[nrow(up), "y"])
})

test_that("waypoints keep long edges off the boxes between", {
  set.seed(2)
  drawn <- random_layout(30, 15)
  boxes <- drawn$layout$boxes
  for (k in seq_along(drawn$from)) {
    route <- drawn$layout$routes[[k]]
    inner <- route[-c(1, nrow(route)), , drop = FALSE]
    for (i in seq_len(nrow(inner))) {
      inside <- abs(boxes$x - inner[i, "x"]) < boxes$width / 2 &
        abs(boxes$y - inner[i, "y"]) < layout_edge
      expect_false(any(inside))
    }
  }
})

test_that("crossings are counted, and none is left where there need be none", {
  # Two pairs that cross as they are numbered.
  parts <- with_waypoints(c(1, 1, 2, 2), rep(3, 4), c(1, 2), c(4, 3))
  expect_identical(crossings(parts, c(1, 2, 1, 2)), 1)
  x <- order_and_place(parts)
  expect_identical(x[1] < x[2], x[4] < x[3])
})

test_that("a network without edges has a layout", {
  layout <- layered_layout(c("a", "b", "c"), integer(), integer())
  expect_identical(nrow(layout$boxes), 3L)
  expect_length(layout$routes, 0)
})

test_that("nodes without edges stand below all others", {
  layout <- layered_layout(letters[1:5], c(1, 2), c(2, 4))
  y <- layout$boxes$y
  expect_true(all(y[c(3, 5)] < min(y[c(1, 2, 4)])))
  # Below the middle of the others.
  x <- layered_layout(letters[1:6], c(1, 1, 1, 1), 2:5)$boxes$x
  expect_equal(x[6], mean(range(x[1:5])))
})

test_that("of layouts that fit with text of full size, the one with the shortest edges is taken", {
  # Three children of one node: below each other where the drawing should be small, in one layer
  # where there is room.
  labels <- strrep(c("a", "b", "c", "d"), 10)
  layers <- function(lines) {
    length(unique(layered_layout(labels, c(1, 1, 1), 2:4, aspect = 2, lines)$boxes$y))
  }
  expect_gt(layers(0), 2)
  expect_identical(layers(40), 2L)
})

test_that("a stretched layout keeps its edges at their boxes", {
  set.seed(3)
  drawn <- random_layout(12, 8)
  wide <- stretch_columns(drawn$layout, 1.7, drawn$from, drawn$to)
  expect_equal(wide$boxes$x, 1.7 * drawn$layout$boxes$x)
  expect_identical(wide$boxes$width, drawn$layout$boxes$width)
  for (k in seq_along(drawn$from)) {
    ends <- wide$routes[[k]][c(1, nrow(wide$routes[[k]])), "x"]
    boxes <- wide$boxes[c(drawn$from[k], drawn$to[k]), ]
    expect_true(all(abs(ends - boxes$x) <= boxes$width / 2))
  }
})
