# The web site, into docs/: reference, tutorials and articles.
.libPaths(c(normalizePath("build/library"), .libPaths()))
pkgdown::build_site_github_pages(dest_dir = "docs", new_process = FALSE, install = FALSE)
