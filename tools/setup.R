# Installs what is missing, and nothing else.
#
#   Rscript tools/setup.R        what the package needs to be built and used
#   Rscript tools/setup.R test   and what its tests, checks and manual need
#
# Debian's built packages are taken where R is Debian's and apt may be used (seconds); everything
# else comes from CRAN, into the first library that can be written to.

description <- read.dcf("DESCRIPTION")[1, ]

# Tools that only developers call, and so are not in DESCRIPTION.
developer_tools <- c("covr", "lintr", "roxygen2", "pkgdown", "xml2", "withr")
# Not on CRAN, or built on packages that are not: taken from Debian where it has them, and the tests
# that need them are skipped elsewhere.
optional <- c("graph", "pcalg", "pkgdown")
# The last versions that older versions of R can build.
archived <- list(
  list(package = "bnlearn", version = "4.9", before = "4.4.0"),
  list(package = "Matrix", version = "1.6-5", before = "4.4.0")
)
programs <- c(pandoc = "pandoc", "clang-format" = "clang-format", tidy = "tidy", qpdf = "qpdf")

# "Rcpp (>= 1.0.10)" -> c(Rcpp = "1.0.10"); no version is "0".
parse_dependencies <- function(field) {
  entries <- trimws(strsplit(description[[field]], ",")[[1]])
  names <- sub("[[:space:]]*\\(.*", "", entries)
  versions <- ifelse(grepl("\\(", entries), gsub(".*>=[[:space:]]*|\\).*", "", entries), "0")
  wanted <- stats::setNames(versions, names)
  wanted[!names(wanted) %in% "R"]
}

wanted_packages <- function(for_tests) {
  needed <- c(parse_dependencies("Imports"), parse_dependencies("LinkingTo"))
  if (for_tests) {
    tools <- stats::setNames(rep("0", length(developer_tools)), developer_tools)
    needed <- c(needed, parse_dependencies("Suggests"), tools)
  }
  needed[!duplicated(names(needed))]
}

is_missing <- function(package, version) {
  folder <- system.file(package = package)
  folder == "" || (version != "0" && utils::packageVersion(package) < version)
}

still_missing <- function(wanted) {
  wanted[mapply(is_missing, names(wanted), wanted)]
}

# How to call apt: "" as root, "sudo -n" where that needs no password, NULL where it cannot be used.
apt_prefix <- function() {
  debian <- startsWith(R.home(), "/usr/lib/R") && nzchar(Sys.which("apt-get"))
  if (!debian) {
    return(NULL)
  }
  if (identical(unname(Sys.info()["effective_user"]), "root")) {
    return("")
  }
  sudo <- nzchar(Sys.which("sudo")) &&
    system2("sudo", c("-n", "true"), stdout = FALSE, stderr = FALSE) == 0
  if (sudo) "sudo -n" else NULL
}

known_to_apt <- function(names) {
  lines <- suppressWarnings(
    system2("apt-cache", c("madison", names), stdout = TRUE, stderr = FALSE)
  )
  intersect(names, trimws(sub("\\|.*", "", lines)))
}

install_with_apt <- function(names, prefix) {
  apt <- function(...) {
    call <- paste(prefix, "env DEBIAN_FRONTEND=noninteractive apt-get -qq", ...)
    system(call, ignore.stdout = TRUE)
  }
  found <- known_to_apt(names)
  if (length(found) < length(names)) {
    apt("update")
    found <- known_to_apt(names)
  }
  if (length(found) > 0) {
    message("Installing Debian's ", paste(found, collapse = ", "), ".")
    apt("install -y --no-install-recommends", paste(found, collapse = " "))
  }
}

debian_name <- function(packages) {
  prefix <- ifelse(packages %in% "graph", "r-bioc-", "r-cran-")
  paste0(prefix, tolower(packages))
}

# The first library that can be written to; a user's own one is made where it is missing.
writable_library <- function() {
  current <- .libPaths()[1]
  if (file.access(current, 2) == 0) {
    return(current)
  }
  library <- strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep, fixed = TRUE)[[1]][1]
  made <- !is.na(library) &&
    (dir.exists(library) || dir.create(library, recursive = TRUE, showWarnings = FALSE))
  if (!made) {
    stop_setup("No R library can be written to: set R_LIBS_USER to a folder of yours.")
  }
  .libPaths(c(library, .libPaths()))
  library
}

install_from_cran <- function(packages) {
  library <- writable_library()
  if (identical(unname(getOption("repos")["CRAN"]), "@CRAN@")) {
    utils::chooseCRANmirror(ind = 1)
  }
  options(timeout = max(600, getOption("timeout")))
  Sys.setenv(MAKEFLAGS = "-j2")
  message("Installing ", paste(packages, collapse = ", "), " from CRAN into ", library, ".")
  for (old in archived) {
    if (old$package %in% packages && getRversion() < old$before) {
      utils::install.packages(
        paste0(
          getOption("repos")["CRAN"], "/src/contrib/Archive/", old$package, "/", old$package, "_",
          old$version, ".tar.gz"
        ),
        lib = library, repos = NULL, type = "source", quiet = TRUE
      )
      packages <- setdiff(packages, old$package)
    }
  }
  if (length(packages) > 0) {
    utils::install.packages(packages, lib = library, quiet = TRUE)
  }
}

stop_setup <- function(...) {
  message(...)
  quit(status = 1)
}

check_compiler <- function() {
  r <- file.path(R.home("bin"), "R")
  compiler <- suppressWarnings(
    system2(r, c("CMD", "config", "CXX17"), stdout = TRUE, stderr = FALSE)
  )
  works <- length(compiler) > 0 && nzchar(compiler[1]) &&
    suppressWarnings(system(paste(compiler[1], "--version > /dev/null 2>&1"))) == 0
  if (!works) {
    stop_setup(
      "A C++17 compiler is needed and R knows of none that runs. Install one: ",
      "`sudo apt-get install r-base-dev` on Debian and Ubuntu, `xcode-select --install` on macOS, ",
      "Rtools on Windows."
    )
  }
}

main <- function(for_tests) {
  if (getRversion() < "4.1.0") {
    stop_setup("R 4.1.0 or later is needed, and this is R ", getRversion(), ": install a newer R.")
  }
  check_compiler()
  wanted <- wanted_packages(for_tests)
  must <- wanted[!names(wanted) %in% optional]
  needed <- c(names(wanted_packages(FALSE)), if (for_tests) c("testthat", "knitr", "rmarkdown"))
  absent <- if (for_tests) programs[!nzchar(Sys.which(names(programs)))] else character()
  if (length(still_missing(must)) == 0 && length(absent) == 0) {
    return(invisible())
  }

  apt <- apt_prefix()
  if (!is.null(apt)) {
    install_with_apt(c(debian_name(names(still_missing(wanted))), unname(absent)), apt)
  }
  if (length(still_missing(must)) > 0) {
    install_from_cran(names(still_missing(must)))
  }

  absent <- absent[!nzchar(Sys.which(names(absent)))]
  if (length(absent) > 0) {
    message(
      "Not found and left out of the checks: ", paste(absent, collapse = ", "),
      ". Install them with your system's package manager to have all of them."
    )
  }
  missing <- names(still_missing(must))
  if (length(missing) > 0) {
    complain <- if (any(missing %in% needed)) stop_setup else message
    complain(
      "These R packages are missing and could not be installed: ", paste(missing, collapse = ", "),
      ". Look at the messages above for a missing system library or a broken connection, then ",
      "install them with install.packages() and try again."
    )
  }
}

main(for_tests = identical(commandArgs(trailingOnly = TRUE), "test"))
