# Installs what is missing, and nothing else.
#
#   Rscript tools/setup.R        what the package and its tutorials need to be built and used
#   Rscript tools/setup.R test   and what its tests, checks and manual need
#
# Debian's built packages are taken where R is Debian's and apt may be used (seconds); everything
# else comes from CRAN, into the first library that can be written to.

description <- read.dcf("DESCRIPTION")[1, ]

# Tools that only developers call, and so are not in DESCRIPTION.
developer_tools <- c("covr", "lintr", "roxygen2", "pkgdown", "xml2")
# Not on CRAN, built on packages that are not, in need of Rust or an hour to be built: installed
# where Debian's packages can be had, and the tests that need them are skipped elsewhere.
optional <- c(
  "arrow", "duckdb", "caugi", "causalDisco", "dagitty", "gadjid", "graph", "pcalg", "pkgdown"
)
# CRAN has these, but parts of what they are built on are Bioconductor's, which Debian has. Debian
# has the other parts too, so that they need not be built.
built_on_debian <- list(
  pcalg = c(
    "graph", "RBGL", "abind", "bdsmatrix", "BH", "clue", "corpcor", "fastICA", "ggm", "igraph",
    "Rcpp", "RcppArmadillo", "robustbase", "sfsmisc", "vcd"
  )
)
# What builds the tutorials: without them, the package works all the same.
tutorial_tools <- c("knitr", "rmarkdown")
# The last versions that older versions of R can build.
archived <- list(
  list(package = "bnlearn", version = "4.9", before = "4.4.0"),
  list(package = "Matrix", version = "1.6-5", before = "4.4.0")
)
# What current versions of some packages need to be built from source: a program or a library, and
# Debian's package of it.
system_needs <- list(
  list(packages = c("RcppParallel", "highs"), program = "cmake", debian = "cmake"),
  list(packages = "fs", library = "libuv", debian = "libuv1-dev"),
  list(packages = "RPostgres", library = "libpq", debian = "libpq-dev")
)
programs <- c(
  pandoc = "pandoc", "clang-format" = "clang-format", tidy = "tidy", qpdf = "qpdf",
  pg_ctlcluster = "postgresql"
)

# "Rcpp (>= 1.0.10)" -> c(Rcpp = "1.0.10"); no version is "0".
parse_dependencies <- function(field) {
  entries <- trimws(strsplit(description[[field]], ",")[[1]])
  names <- sub("[[:space:]]*\\(.*", "", entries)
  versions <- ifelse(grepl("\\(", entries), gsub(".*>=[[:space:]]*|\\).*", "", entries), "0")
  wanted <- stats::setNames(versions, names)
  wanted[!names(wanted) %in% "R"]
}

needed_packages <- function() c(parse_dependencies("Imports"), parse_dependencies("LinkingTo"))

wanted_packages <- function(for_tests) {
  tools <- c(tutorial_tools, if (for_tests) developer_tools)
  wanted <- c(
    needed_packages(), if (for_tests) parse_dependencies("Suggests"),
    stats::setNames(rep("0", length(tools)), tools)
  )
  wanted[!duplicated(names(wanted))]
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
  prefix <- ifelse(packages %in% c("graph", "RBGL"), "r-bioc-", "r-cran-")
  paste0(prefix, tolower(packages))
}

is_installed <- function(packages) {
  nzchar(vapply(packages, function(package) system.file(package = package), ""))
}

# What to ask apt for: the missing packages, or what they are built on where Debian lacks them.
debian_packages <- function(missing) {
  below <- unlist(built_on_debian[intersect(missing, names(built_on_debian))])
  unique(debian_name(c(setdiff(missing, names(built_on_debian)), below[!is_installed(below)])))
}

# Of the missing packages those that CRAN alone can complete now.
buildable <- function(missing) {
  ready <- vapply(built_on_debian, function(below) all(is_installed(below)), NA)
  intersect(missing, names(built_on_debian)[ready])
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

# Those of `system_needs` that these packages have and this machine has not.
lacking <- function(packages) {
  is_there <- function(need) {
    if (is.null(need$program)) {
      status <- suppressWarnings(
        system2("pkg-config", c("--exists", need$library), stdout = FALSE, stderr = FALSE)
      )
      status == 0
    } else {
      nzchar(Sys.which(need$program))
    }
  }
  Filter(function(need) any(need$packages %in% packages) && !is_there(need), system_needs)
}

# The packages that these need, from CRAN's own list; they are installed along with them.
with_dependencies <- function(packages) {
  needed <- tryCatch(
    unlist(tools::package_dependencies(packages, recursive = TRUE)),
    error = function(problem) character()
  )
  unique(c(packages, needed))
}

install_archived <- function(old, library) {
  file <- paste0(
    getOption("repos")["CRAN"], "/src/contrib/Archive/", old$package, "/", old$package, "_",
    old$version, ".tar.gz"
  )
  # Where it fails, once more with the installer's messages.
  for (quiet in c(TRUE, FALSE)) {
    if (is_missing(old$package, old$version)) {
      utils::install.packages(file, lib = library, repos = NULL, type = "source", quiet = quiet)
    }
  }
}

install_from_cran <- function(packages) {
  library <- writable_library()
  if (identical(unname(getOption("repos")["CRAN"]), "@CRAN@")) {
    utils::chooseCRANmirror(ind = 1)
  }
  options(timeout = max(600, getOption("timeout")))
  Sys.setenv(MAKEFLAGS = "-j2")
  every <- with_dependencies(packages)
  apt <- apt_prefix()
  if (!is.null(apt) && length(lacking(every)) > 0) {
    install_with_apt(vapply(lacking(every), `[[`, "", "debian"), apt)
  }
  for (need in lacking(every)) {
    message(
      intersect(need$packages, every)[1], " may need ", c(need$program, need$library)[1],
      " to be built, which was not found (`", need$debian, "` on Debian and Ubuntu)."
    )
  }
  output <- tempfile()
  dir.create(output)
  message("Installing ", paste(packages, collapse = ", "), " from CRAN into ", library, ".")
  for (old in archived) {
    if (old$package %in% packages && getRversion() < old$before) {
      install_archived(old, library)
      packages <- setdiff(packages, old$package)
    }
  }
  if (length(packages) > 0) {
    utils::install.packages(packages, lib = library, quiet = TRUE, keep_outputs = output)
  }
  show_failures(output)
}

# What the installer said about each package that it could not install; a package that others wait
# for is the one to look at.
show_failures <- function(output) {
  for (file in list.files(output, full.names = TRUE)) {
    lines <- readLines(file, warn = FALSE)
    if (any(startsWith(lines, "ERROR:"))) {
      message("---- ", sub("[.]out$", "", basename(file)), " was not installed:")
      message(paste(utils::tail(lines, 25), collapse = "\n"))
    }
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
  needed <- c(names(needed_packages()), if (for_tests) c("testthat", tutorial_tools))
  programs <- if (for_tests) programs else programs["pandoc"]
  absent <- programs[!nzchar(Sys.which(names(programs)))]
  apt <- apt_prefix()
  sought <- c(must, if (!is.null(apt)) wanted[names(wanted) %in% names(built_on_debian)])
  if (length(still_missing(sought)) == 0 && length(absent) == 0) {
    return(invisible())
  }

  if (!is.null(apt)) {
    install_with_apt(c(debian_packages(names(still_missing(wanted))), unname(absent)), apt)
  }
  from_cran <- union(names(still_missing(must)), buildable(names(still_missing(wanted))))
  if (length(from_cran) > 0) {
    install_from_cran(from_cran)
  }

  absent <- absent[!nzchar(Sys.which(names(absent)))]
  if (length(absent) > 0) {
    message(
      "Not found: ", paste(absent, collapse = ", "), ". What needs it is left out; install it ",
      "with your system's package manager."
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
