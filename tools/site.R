# The web site, into docs/: reference, tutorials and articles.
.libPaths(c(normalizePath("build/library"), .libPaths()))
# Nothing is looked up on other servers: the site is the same with and without a connection. downlit
# would ask CRAN for the sites of packages that are not installed, and fail without an answer.
options(pkgdown.internet = FALSE)
utils::assignInNamespace(
  "CRAN_urls", function() data.frame(Package = character(), URL = character()), "downlit"
)
pkgdown::build_site_github_pages(dest_dir = "docs", new_process = FALSE, install = FALSE)
