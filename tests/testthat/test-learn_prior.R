nodes <- c("a", "b", "c", "d")
arcs <- function(...) matrix(c(...), ncol = 2, byrow = TRUE, dimnames = list(NULL, c("from", "to")))

test_that("no prior knowledge allows every edge but loops", {
  prior <- check_prior(nodes)
  expect_identical(unname(allowed_edges(prior)), !diag(TRUE, 4))
  expect_false(any(required_edges(prior)))
  expect_identical(dimnames(allowed_edges(prior)), list(nodes, nodes))
})

test_that("every form that bnlearn takes means the same", {
  wanted <- arcs("a", "b", "c", "b")
  forms <- list(
    wanted, unname(wanted), as.data.frame(wanted), as.data.frame(wanted, stringsAsFactors = TRUE)
  )
  for (form in forms) {
    prior <- check_prior(nodes, whitelist = form)
    expect_identical(which(required_edges(prior)), c(5L, 7L))
    # What is required leaves no room for its reverse.
    allowed <- allowed_edges(prior)
    expect_false(allowed["b", "a"] || allowed["b", "c"])
    expect_identical(sum(allowed), 10L)
    expect_identical(which(!allowed_edges(check_prior(nodes, blacklist = form))), sort(c(
      which(diag(4) == 1), 5L, 7L
    )))
  }
  expect_identical(check_prior(nodes, c("a", "b")), check_prior(nodes, arcs("a", "b")))
  expect_identical(
    check_prior(nodes, as.data.frame(arcs("a", "b"))), check_prior(nodes, arcs("a", "b"))
  )
  for (empty in list(NULL, wanted[0, ], as.data.frame(wanted)[0, ], character(), list())) {
    expect_identical(check_prior(nodes, empty, empty), check_prior(nodes))
  }
})

test_that("tiers forbid what bnlearn's blacklist of tiers forbids", {
  tiers <- list("b", c("a", "d"), "c")
  expect_identical(
    check_prior(nodes, tiers = tiers),
    check_prior(nodes, blacklist = bnlearn::tiers2blacklist(tiers))
  )
  # A node in no tier is free.
  prior <- check_prior(nodes, tiers = list("b", "a"))
  allowed <- allowed_edges(prior)
  expect_identical(sum(!allowed), 5L)
  expect_false(allowed["a", "b"])
  expect_identical(check_prior(nodes, tiers = list()), check_prior(nodes))
})

test_that("impossible wishes are named", {
  expect_error_snapshot({
    check_prior(nodes, whitelist = arcs("a", "b", "b", "a"))
    check_prior(nodes, whitelist = arcs("a", "b", "b", "c", "c", "a"))
    check_prior(nodes, whitelist = arcs("a", "b"), blacklist = arcs("a", "b"))
    check_prior(nodes, whitelist = arcs("a", "b"), tiers = list("b", "a"))
    check_prior(nodes, whitelist = arcs("a", "e"))
    check_prior(nodes, blacklist = arcs("a", NA, "x", "y"))
    check_prior(nodes, blacklist = arcs("a", "a"))
    check_prior(nodes, blacklist = "a")
    check_prior(nodes, blacklist = c("a", "b", "c"))
    check_prior(nodes, blacklist = arcs(1, 2))
    check_prior(nodes, blacklist = data.frame(from = "a", to = "b", strength = 1))
    check_prior(nodes, blacklist = data.frame(from = 1, to = 2))
    check_prior(nodes, blacklist = list("a", "b"))
    check_prior(nodes, blacklist = bnlearn::empty.graph(nodes))
    check_prior(nodes, whitelist = TRUE)
    check_prior(nodes, tiers = c("a", "b"))
    check_prior(nodes, tiers = list("a", 2))
    check_prior(nodes, tiers = list("a", c("b", "a")))
    check_prior(nodes, tiers = list("a", "z"))
  })
})
