drawn <- function(plotting) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  force(plotting)
}
x <- bnlearn::learning.test[1:500, ]
climbed <- bnlearn::hc(x)
set.seed(1)
strength <- boot_dag(x, R = 10, learner = bnlearn::hc)

test_that("networks from anywhere are drawn", {
  expect_identical(drawn(plot_bn(climbed)), climbed)
  fitted <- bnlearn::bn.fit(climbed, x)
  expect_true(all.equal(drawn(plot_bn(fitted)), climbed))
  class_of <- bnlearn::cpdag(climbed)
  expect_identical(drawn(plot_bn(class_of, main = "title")), class_of)
  expect_true(all.equal(drawn(plot_bn(bnlearn::amat(climbed))), climbed))
  expect_identical(drawn(plot_bn(bnlearn::empty.graph("a"))), bnlearn::empty.graph("a"))
  expect_s3_class(drawn(plot_bn(bnlearn::pc.stable(x), truth = climbed)), "bn")
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    expect_s3_class(plot_bn(class_of, engine = "ggplot2"), "ggplot")
    expect_s3_class(drawn(print(plot_bn(strength, engine = "ggplot2"))), "ggplot")
  }
})

test_that("widths are strengths and numbers are directions", {
  net <- bnlearn::averaged.network(strength, threshold = 0.5)
  picture <- network_picture(net, strength = strength)
  row <- match(edge_keys(picture$edges), edge_keys(strength))
  expect_identical(picture$edges$size, strength$strength[row])
  directed <- picture$edges$arrow
  expect_equal(
    as.numeric(picture$edges$label[directed]), strength$direction[row][directed], tolerance = 0.01
  )
  unclear <- picture$edges$meaning == "direction unclear"
  expect_identical(unclear, !directed | strength$direction[row] < clear_direction)
  expect_match(picture$notes[1], "^width: strength.*\\(.*1( for all)?\\)$")
  expect_match(picture$notes[2], "^number: .* points this way$")
})

test_that("strengths are drawn as an averaged network, with any threshold", {
  expect_true(all.equal(drawn(plot_bn(strength)), bnlearn::averaged.network(strength)))
  few <- drawn(plot_bn(strength, threshold = 1))
  expect_true(all.equal(few, bnlearn::averaged.network(strength, threshold = 1)))
  expect_identical(drawn(plot(strength)), strength)
  expect_identical(drawn(plot(strength, what = "strengths")), strength)
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    expect_s3_class(ggplot2::autoplot(strength), "ggplot")
  }
  expect_identical(drawn(plot_bn(climbed, strength = strength)), climbed)
})

test_that("the layout places every node once, and paths lead from box to box", {
  layout <- dag_layout(bnlearn::cpdag(climbed))
  expect_identical(layout$nodes$name, bnlearn::nodes(climbed))
  expect_identical(anyDuplicated(layout$nodes[c("x", "y")]), 0L)
  for (k in seq_len(nrow(layout$edges))) {
    path <- unname(layout$edges$path[[k]])
    from <- layout$nodes[layout$nodes$name == layout$edges$from[k], ]
    to <- layout$nodes[layout$nodes$name == layout$edges$to[k], ]
    expect_lte(abs(path[1, 1] - from$x), from$width / 2)
    expect_equal(abs(path[1, 2] - from$y), from$height / 2)
    expect_equal(abs(path[nrow(path), 2] - to$y), to$height / 2)
  }
})

test_that("what cannot be drawn is named", {
  expect_error_snapshot({
    plot_bn("a -> b")
    plot_bn(climbed, strength = data.frame(from = "A", to = "B"))
    plot_bn(climbed, strength = strength[strength$from != "F" & strength$to != "F", ])
    plot_bn(strength, threshold = 2)
    plot_bn(climbed, engine = "oil")
    plot_bn(climbed, longest = 2)
    dag_layout(climbed, aspect = 0)
  })
})
