# The web site, into docs/: reference, tutorials and articles.
.libPaths(c(normalizePath("build/library"), .libPaths()))
# Nothing is looked up on other servers: the site is the same with and without a connection.
options(pkgdown.internet = FALSE)
pkgdown::build_site_github_pages(dest_dir = "docs", new_process = FALSE, install = FALSE)
