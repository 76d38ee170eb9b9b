# The web site, into docs/: reference, tutorials and articles. Fails where a link leads nowhere.
.libPaths(c(normalizePath("build/library"), .libPaths()))
# Nothing is looked up on other servers: the site is the same with and without a connection. downlit
# would ask CRAN for the sites of packages that are not installed, and fail without an answer.
options(pkgdown.internet = FALSE)
utils::assignInNamespace(
  "CRAN_urls", function() data.frame(Package = character(), URL = character()), "downlit"
)
pkgdown::build_site_github_pages(dest_dir = "docs", new_process = FALSE, install = FALSE)

pages <- list.files("docs", "[.]html$", recursive = TRUE, full.names = TRUE)
# Debian's pkgdown points to a file of the machine that builds the site, which no reader has.
mathjax <- c(
  debian = "file:///usr/share/javascript/mathjax/MathJax.js",
  web = "https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.5/MathJax.js"
)
for (page in pages) {
  lines <- readLines(page, encoding = "UTF-8", warn = FALSE)
  if (any(grepl(mathjax[["debian"]], lines, fixed = TRUE))) {
    lines <- gsub(mathjax[["debian"]], mathjax[["web"]], lines, fixed = TRUE)
    writeLines(lines, page, useBytes = TRUE)
  }
}

# The links of a page to files of the site that are not there.
broken_links <- function(page) {
  text <- paste(readLines(page, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  found <- regmatches(text, gregexpr("(href|src)=\"[^\"#?]+", text))[[1]]
  links <- unique(sub("^[a-z]+=\"", "", found))
  links <- links[!grepl("^([a-z]+:|//)", links)]
  links[!file.exists(file.path(dirname(page), vapply(links, utils::URLdecode, "")))]
}
broken <- lapply(stats::setNames(pages, pages), broken_links)
broken <- broken[lengths(broken) > 0]
for (page in names(broken)) message(page, ": ", paste(broken[[page]], collapse = ", "))
if (length(broken) > 0) stop("The site has links that lead nowhere.")
