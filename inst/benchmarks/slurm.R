# A bootstrap on a scheduler: Slurm on this machine alone, whose jobs are cancelled in the middle.
#
#   Rscript slurm.R [--quick] [--install] [--resamples=200] [--jobs=4] [--cancel=0,2,4] [--folder=.]
#
# --install    install Debian's slurm-wlm and munge where they are missing; they stay installed
# --jobs       how many daemons of mirai are started as Slurm jobs
# --cancel     how many of these are cancelled by scancel while they work, a row for each number
#
# Starts munged, slurmctld and slurmd by hand, on the loopback address, with ports and folders of
# their own, so that a Slurm that is already there is left alone, and stops them in the end. `lost`
# counts resamples that a serial run has and this one does not, `again` those that were done more
# than once, `same` says whether strengths and directions are those of the serial run. Slurm's
# daemons want a Unix and, but for experts, root. --quick takes 40 resamples. Writes slurm.csv and
# slurm.png into --folder.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

settings <- script_options(
  install = FALSE, resamples = 200, jobs = 4, cancel = c(0, 2, 4), quick = list(resamples = 40)
)

# -- what is needed --------------------------------------------------------------------------------

missing_programs <- function() {
  needed <- c("munged", "slurmctld", "slurmd", "sbatch", "scancel", "squeue", "sinfo")
  needed[!nzchar(Sys.which(needed))]
}

require_slurm <- function(install) {
  if (!requireNamespace("mirai", quietly = TRUE)) {
    stop("the R package mirai is missing: install.packages(\"mirai\")", call. = FALSE)
  }
  apt <- "apt-get install -y --no-install-recommends slurm-wlm munge"
  if (install && length(missing_programs()) > 0) {
    system(paste("DEBIAN_FRONTEND=noninteractive", apt, "> /dev/null"))
  }
  if (length(missing_programs()) > 0) {
    stop(
      "not found: ", paste(missing_programs(), collapse = ", "), "; run this script with ",
      "--install, or `", apt, "` (Debian, Ubuntu)", call. = FALSE
    )
  }
}

# -- Slurm on one node -----------------------------------------------------------------------------

# A port that nobody listens to.
free_port <- function() {
  for (port in sample(20000:30000, 100)) {
    socket <- tryCatch(serverSocket(port), error = function(condition) NULL)
    if (!is.null(socket)) {
      close(socket)
      return(port)
    }
  }
  stop("no free port was found", call. = FALSE)
}

# slurm.conf: no control groups, no accounting, and more processors than the machine may have, as
# the jobs only share them.
slurm_conf <- function(folder, jobs) {
  user <- Sys.info()[["effective_user"]]
  place <- function(name) file.path(folder, name)
  c(
    "ClusterName=daggnn",
    "SlurmctldHost=localhost(127.0.0.1)",
    paste0("SlurmctldPort=", free_port()),
    paste0("SlurmdPort=", free_port()),
    paste0("SlurmUser=", user),
    paste0("SlurmdUser=", user),
    "AuthType=auth/munge",
    "CredType=cred/munge",
    paste0("AuthInfo=socket=", place("munge.socket")),
    paste0("StateSaveLocation=", place("state")),
    paste0("SlurmdSpoolDir=", place("spool")),
    paste0("SlurmctldPidFile=", place("slurmctld.pid")),
    paste0("SlurmdPidFile=", place("slurmd.pid")),
    paste0("SlurmctldLogFile=", place("slurmctld.log")),
    paste0("SlurmdLogFile=", place("slurmd.log")),
    "ProctrackType=proctrack/linuxproc",
    "TaskPlugin=task/none",
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_CPU",
    "SlurmdParameters=config_overrides",
    "MpiDefault=none",
    "ReturnToService=2",
    "KillWait=1",
    paste0("NodeName=localhost NodeAddr=127.0.0.1 CPUs=", jobs, " State=UNKNOWN"),
    "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
  )
}

# Starts the three daemons and waits until the node takes jobs.
start_slurm <- function(folder, jobs) {
  place <- function(name) file.path(folder, name)
  for (name in c("state", "spool")) dir.create(place(name))
  writeBin(as.raw(sample(0:255, 1024, replace = TRUE)), place("munge.key"))
  Sys.chmod(place("munge.key"), "0400")
  writeLines(slurm_conf(folder, jobs), place("slurm.conf"))
  Sys.setenv(SLURM_CONF = place("slurm.conf"))
  munge <- paste0(
    "--", c("key-file", "socket", "pid-file", "log-file", "seed-file"), "=",
    place(paste0("munge.", c("key", "socket", "pid", "log", "seed")))
  )
  start <- function(...) {
    status <- system2(..., stdout = place("output"), stderr = place("output"))
    if (status != 0) fail(folder, paste(c(...)[1], "did not start"))
  }
  start("munged", munge)
  start("slurmctld")
  start("slurmd", c("-N", "localhost"))
  wait_for(identical(shell("sinfo -h -o %T"), "idle"), folder)
}

# Ends a daemon by the process id that it has written, and waits until it is gone.
stop_daemon <- function(file) {
  pid <- suppressWarnings(tryCatch(scan(file, quiet = TRUE), error = function(condition) NULL))
  if (length(pid) == 1) {
    tools::pskill(pid, tools::SIGTERM)
    # One that has ended may still be listed, as a zombie.
    runs <- function() any(grepl("^[^Z]", shell(paste("ps -o stat= -p", pid))))
    for (k in 1:100) if (runs()) Sys.sleep(0.1)
  }
}

stop_slurm <- function(folder) {
  for (name in c("slurmd", "slurmctld", "munge")) {
    stop_daemon(file.path(folder, paste0(name, ".pid")))
  }
  unlink(folder, recursive = TRUE)
}

shell <- function(command) suppressWarnings(system(paste(command, "2> /dev/null"), intern = TRUE))

# Waits for `condition`, an expression, to come true.
wait_for <- function(condition, folder, seconds = 60) {
  condition <- substitute(condition)
  began <- proc.time()[["elapsed"]]
  while (!isTRUE(eval(condition, parent.frame()))) {
    if (proc.time()[["elapsed"]] - began > seconds) {
      fail(folder, paste("waited too long for", deparse1(condition)))
    }
    Sys.sleep(0.1)
  }
}

# An error with what the daemons wrote last.
fail <- function(folder, why) {
  for (file in file.path(folder, c("output", "munge.log", "slurmctld.log", "slurmd.log"))) {
    if (file.exists(file)) writeLines(c(file, utils::tail(readLines(file), 10)), stderr())
  }
  stop(why, call. = FALSE)
}

# -- the bootstrap ---------------------------------------------------------------------------------

# Counts the resamples that were begun by a file for each of them.
learner_that_counts <- function(begun) {
  force(begun)
  function(x) {
    file.create(tempfile("begun", begun))
    daggnn::dag_gnn(x)
  }
}

# Cancels so many of the running jobs as soon as half of the resamples were begun: from the outside,
# as this process waits for the bootstrap.
cancel_later <- function(count, begun, half) {
  command <- c(
    sprintf("while [ -d '%s' ] && [ $(ls '%s' | wc -l) -lt %d ]; do sleep 0.05; done", begun, begun,
      half),
    sprintf("scancel $(squeue -h -t RUNNING -o %%i | head -n %d)", count)
  )
  if (count > 0) system(paste0("(", paste(command, collapse = "; "), ") > /dev/null 2>&1 &"))
}

boot <- function(learner, cluster = NULL) {
  set.seed(102)
  suppressWarnings(boot_dag(x, settings$resamples, learner, cluster = cluster, task_limit = 120))
}

timed <- function(code) {
  seconds <- system.time(value <- code)[["elapsed"]]
  list(value = value, seconds = seconds)
}

run <- function(cancel) {
  begun <- file.path(slurm, "begun")
  dir.create(begun)
  on.exit({
    mirai::daemons(0)
    shell("scancel --user=$(id -un)")
    unlink(begun, recursive = TRUE)
    wait_for(length(shell("squeue -h")) == 0, slurm)
  })
  mirai::daemons(
    settings$jobs, url = mirai::local_url(tcp = TRUE),
    remote = mirai::cluster_config(
      "sbatch --quiet", "#SBATCH --job-name=daggnn\n#SBATCH --ntasks=1\n#SBATCH --output=/dev/null",
      file.path(R.home("bin"), "Rscript")
    )
  )
  wait_for(mirai::status()$connections == settings$jobs, slurm)
  cancel_later(cancel, begun, settings$resamples %/% 2)
  there <- timed(boot(learner_that_counts(begun), "default"))
  tasks <- attr(there$value, "resamples")
  data.frame(
    jobs = settings$jobs, cancelled = cancel, resamples = settings$resamples,
    lost = sum(tasks$status != "done"), again = sum(tasks$tries > 1),
    same = identical(there$value$strength, here$value$strength) &&
      identical(there$value$direction, here$value$direction),
    seconds = there$seconds, serial_seconds = here$seconds
  )
}

require_slurm(settings$install)
# Jobs inherit the environment, and find the packages where this process does.
do.call(Sys.setenv, as.list(c(R_LIBS = sub("^R_LIBS=", "", same_libraries()))))
options(daggnn.threads = 1) # as the workers do
set.seed(101)
x <- simulate_sem(random_dag(5), 100)
here <- timed(boot(function(x) dag_gnn(x)))
# munged wants a folder that everybody can enter, which R's own temporary folder is not.
slurm <- tempfile("slurm", dirname(tempdir()))
dir.create(slurm, mode = "0755")
table <- tryCatch(
  {
    start_slurm(slurm, settings$jobs)
    labels <- paste(settings$cancel, "of", settings$jobs, "jobs cancelled")
    run_cases(settings$cancel, labels, run, settings, print_rows())
  },
  finally = stop_slurm(slurm)
)
write_picture(function() {
  ends <- rbind("done once" = table$resamples - table$again, "done again" = table$again)
  draw_bars(
    ends, paste(table$cancelled, "cancelled"),
    paste("Jobs of Slurm cancelled, resamples lost:", sum(table$lost)),
    "resamples", fill = colours[c("blue", "vermillion")]
  )
}, 8, 3, settings)
