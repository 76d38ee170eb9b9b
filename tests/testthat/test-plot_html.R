skip_if_not_installed("visNetwork")
skip_if_not_installed("htmlwidgets")

net <- with_shares(gaussian_network(weights = c(2, -1, 0.5, 0.4, 0.3, 0.2, 0.1), class = "dag_gnn"))

test_that("the page has every node and edge, with what is known about them", {
  widget <- plot(net, engine = "html", main = "title")
  expect_s3_class(widget, "visNetwork")
  nodes <- widget$x$nodes
  edges <- widget$x$edges
  expect_identical(nodes$id, bnlearn::nodes(net))
  expect_identical(cbind(edges$from, edges$to), unname(net$arcs))
  expect_equal(edges$size, abs(coef(net, "shares")[net$arcs]))
  expect_match(edges$title[1], "<b>A &rarr; C</b><br>weight: 0.02<br>share: 0.2", fixed = TRUE)
  expect_match(nodes$title[3], "parents: A, B", fixed = TRUE)
  expect_false(widget$x$options$physics$enabled)
})

test_that("an edge past another layer bends around its nodes, others do not", {
  triangle <- plot_bn(bnlearn::model2network("[a][b|a][c|a:b]"), engine = "html")
  edges <- triangle$x$edges
  expect_identical(grepl("^curved", edges$smooth.type), edges$from == "a" & edges$to == "c")
})

test_that("names cannot break the page", {
  nasty <- known_network(c("</script", "<b & \"c\""), "</script><b & \"c\"")
  widget <- plot(nasty, engine = "html")
  expect_match(
    widget$x$edges$title, "<b>&lt;/script &rarr; &lt;b &amp; &quot;c&quot;</b>", fixed = TRUE
  )
})

test_that("strengths and undirected edges are shown", {
  x <- bnlearn::gaussian.test[1:100, ]
  set.seed(1)
  strength <- boot_dag(x, R = 5, learner = bnlearn::hc)
  widget <- plot(strength, engine = "html")
  expect_match(widget$x$edges$title, "strength: ")
  both <- plot(net, engine = "html", strength = strength)
  expect_match(both$x$edges$title[1], "share: .*strength: ")
  partly <- plot_bn(bnlearn::cpdag(bnlearn::model2network("[a][b|a]")), engine = "html")
  expect_identical(partly$x$edges$arrows, "")
  empty <- plot_bn(bnlearn::empty.graph(c("a", "b")), engine = "html")
  expect_s3_class(empty, "visNetwork")
})

# The text of an element of the page after a script has run in it, in a browser without a window.
in_browser <- function(widget, script) {
  chromium <- Sys.which(c("chromium", "chromium-browser", "google-chrome"))
  chromium <- chromium[nzchar(chromium)][1]
  skip_if(is.na(chromium), "no Chromium here")
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  page <- file.path(folder, "network.html")
  # Without pandoc the scripts stay in files beside the page.
  htmlwidgets::saveWidget(widget, page, selfcontained = FALSE)
  lines <- readLines(page)
  run <- c(
    "<script>window.addEventListener('load', function() { setTimeout(function() {",
    "var graph = document.querySelector('[id^=graph]');",
    "var answer = document.createElement('pre'); answer.id = 'answer';",
    "try { answer.textContent = 'answer:' + JSON.stringify((function() {", script, "})());",
    "} catch (error) { answer.textContent = 'answer:' + JSON.stringify(String(error)); }",
    "document.body.appendChild(answer); }, 500); });</script>"
  )
  writeLines(c(lines, run), page)
  dom <- system2(
    chromium,
    c(
      "--headless", "--no-sandbox", "--disable-gpu", paste0("--user-data-dir=", folder),
      "--virtual-time-budget=5000", "--dump-dom", shQuote(paste0("file://", page))
    ),
    stdout = TRUE, stderr = FALSE
  )
  answer <- regmatches(dom, regexpr("<pre id=\"answer\">answer:[^<]*", dom))
  if (length(answer) != 1) skip("Chromium does not start here")
  sub("^.*answer:", "", answer)
}

test_that("in a browser, the slider hides weak edges and the field finds a node", {
  skip_unless_slow()
  answer <- in_browser(plot(net, engine = "html"), c(
    "var slider = document.querySelector('.daggnn-threshold');",
    "var shown = function() { return graph.edges.get().filter(",
    "  function(edge) { return !edge.hidden; }).length; };",
    "var before = shown();",
    "slider.value = 0.06; slider.dispatchEvent(new Event('input'));",
    "var after = shown();",
    "var find = document.querySelector('.daggnn-find');",
    "find.value = 'F'; find.dispatchEvent(new Event('input'));",
    "var label = document.querySelector('.daggnn-shown').textContent;",
    "return [before, after, graph.chart.getSelectedNodes().join(), label];"
  ))
  expect_identical(answer, "[7,2,\"F\",\" share from 0.06: 2 edges\"]")
})

test_that("in a browser, the whole network is in view", {
  skip_unless_slow()
  answer <- in_browser(plot(net, engine = "html", main = "title"), c(
    "var canvas = graph.querySelector('canvas').getBoundingClientRect();",
    "var places = graph.chart.getPositions(), outside = 0;",
    "Object.keys(places).forEach(function(id) {",
    "  var at = graph.chart.canvasToDOM(places[id]);",
    "  if (at.x < 0 || at.y < 0 || at.x > canvas.width || at.y > canvas.height) outside += 1;",
    "});",
    "return [canvas.height > 100, Object.keys(places).length, outside];"
  ))
  expect_identical(answer, "[true,7,0]")
})

test_that("in a browser, nodes can be moved and edges tell what they are", {
  skip_unless_slow()
  answer <- in_browser(plot(net, engine = "html"), c(
    "var options = graph.chart.interactionHandler.options;",
    "graph.chart.moveNode('A', 11, 12);",
    "var place = graph.chart.getPositions(['A']).A;",
    "var edge = graph.edges.get()[0];",
    "return [options.dragNodes, place.x, place.y, edge.title.indexOf('share') > 0];"
  ))
  expect_identical(answer, "[true,11,12,true]")
})
