# Any network of bnlearn, drawn in layers.

#' Draw any Bayesian network
#'
#' Draws any network top-down in layers, with a box as wide as its name for each node: networks of
#' bnlearn's learners, equivalence classes with undirected edges ([bnlearn::cpdag()]), averaged
#' networks, fitted ones and adjacency matrices. No package beyond R's own graphics is needed.
#'
#' `dag_layout()` returns the positions of nodes and edges, for drawing them by other means.
#'
#' With `engine = "html"` the network becomes a page for the web browser: nodes can be dragged,
#' an edge under the mouse shows its weight, gain and strength, a slider hides weak edges, and a
#' field finds a node by its name. The package visNetwork must be installed.
#' `htmlwidgets::saveWidget()` writes the page into a file.
#'
#' @param x A network of class `"bn"` or `"bn.fit"`, an adjacency or weight matrix, or strengths
#'   from [boot_dag()], [bnlearn::boot.strength()] and the like, of which the averaged network is
#'   drawn.
#' @param strength Strengths of the edges, of class `"bn.strength"`: the width of an edge shows its
#'   strength, and the number on it is its direction, the share of the networks with this edge in
#'   which it points this way. Edges that point this way in fewer than three of four networks are
#'   drawn in orange. By default `x` where it has strengths.
#' @param threshold The least strength of an edge of the averaged network, from 0 to 1; by default
#'   what [bnlearn::inclusion.threshold()] estimates.
#' @param truth The true network, as in [plot.daggnn()]; optional.
#' @param main The title; none by default.
#' @param longest As in [plot.daggnn()].
#' @param engine `"base"`, `"ggplot2"` or `"html"`. The latter two need the packages
#'   ggplot2 and visNetwork.
#' @return For `plot_bn()`, the network that was drawn, invisibly; for the engines `"ggplot2"` and
#'   `"html"` the plot or widget. For `dag_layout()` a list with `nodes`, a data frame of `name`,
#'   `label`, `x`, `y`, `width` and `height`, and `edges`, a data frame of `from`, `to`, `directed`
#'   and `path`, each path a matrix of points from one box to the other. Units are characters (x)
#'   and lines of text (y).
#' @seealso [plot.daggnn()], [boot_dag()]
#' @examples
#' x <- bnlearn::learning.test
#' plot_bn(bnlearn::cpdag(bnlearn::hc(x)))
#'
#' set.seed(1)
#' strength <- boot_dag(x[1:300, ], R = 20, learner = bnlearn::hc)
#' plot_bn(strength)
#' plot_bn(bnlearn::hc(x), strength = strength)
#' dag_layout(bnlearn::hc(x))$nodes
#' @export
plot_bn <- function(x, strength = NULL, threshold = NULL, truth = NULL, main = NULL, longest = 20,
                    engine = c("base", "ggplot2", "html")) {
  engine <- check_choice(engine, "engine", c("base", "ggplot2", "html"))
  longest <- check_number(longest, "longest", 5, whole = TRUE)
  if (inherits(x, "bn.strength") && is.null(strength)) strength <- x
  net <- drawable_network(x, threshold)
  strength <- check_strength(strength, net)
  if (engine == "html") {
    return(html_network(net, strength, truth, main, longest))
  }
  picture <- network_picture(net, truth, longest, strength)
  if (engine == "ggplot2") {
    need_package("ggplot2", "`engine = \"ggplot2\"`")
    return(ggplot_network(picture) + ggplot2::labs(title = main))
  }
  draw_network(picture, main)
  invisible(net)
}

#' @rdname plot_bn
#' @param aspect How many characters the layout should be wide for each line that it is high.
#' @export
dag_layout <- function(x, longest = 20, aspect = 2.5) {
  longest <- check_number(longest, "longest", 5, whole = TRUE)
  aspect <- check_number(aspect, "aspect", 0, open = TRUE)
  net <- drawable_network(x, NULL)
  names <- bnlearn::nodes(net)
  edges <- edges_of(net)
  layout <- layered_layout(
    wrapped_labels(names, longest), match(edges$from, names), match(edges$to, names), aspect
  )
  nodes <- data.frame(name = names, layout$boxes, height = 2 * layout_edge)
  edges <- data.frame(from = edges$from, to = edges$to, directed = edges$arrow)
  edges$path <- lapply(layout$routes, smooth_route)
  list(nodes = nodes, edges = edges)
}
