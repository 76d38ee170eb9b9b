# Independent tasks, here or on a cluster. Each has a random stream of its own and is handed out
# when a worker is free. What is finished stays finished: a task that fails is tried again, the
# tasks of a lost worker go to the others (in the end to this process), and an interrupt gives back
# what is done.

# How often a task is tried, whether it failed or its worker was lost.
task_tries <- 3
# A task that two workers did not finish in time would keep this process for ever too.
task_hangs <- 2

# Calls do.call(fun, c(task, args)) for task = 1, ..., count. `cluster`: NULL, a cluster of the
# parallel package, or the name of a compute profile of mirai. Returns a list with
#   values       of the tasks that were done, NULL for the others
#   table        a row for each task: status ("done", "failed", "not run"), tries, and a message
#                that says why the last unsuccessful try was one
#   lost         a message for each worker that was lost
#   interrupted  TRUE or FALSE
# limit: a worker that has not answered after so many seconds is given up.
# report: NULL, or a function that is told the number of tasks that are settled after each of them,
# and returns FALSE where the user interrupted meanwhile.
run_tasks <- function(fun, args, count, cluster = NULL, limit = Inf, report = NULL) {
  check_cluster(cluster)
  limit <- check_number(limit, "task_limit", 0, open = TRUE)
  job <- list(fun = fun, args = args, streams = random_streams(count))
  tasks <- new_task_table(count, report)
  if (!is.null(cluster)) run_on_cluster(job, tasks, cluster, limit)
  if (!tasks$interrupted) run_here(job, tasks)
  list(
    values = tasks$values,
    table = data.frame(
      task = seq_len(count), status = sub("waiting|running", "not run", tasks$status),
      tries = tasks$tries, message = tasks$message, stringsAsFactors = FALSE
    ),
    lost = tasks$lost, interrupted = tasks$interrupted
  )
}

check_cluster <- function(cluster) {
  named <- is.character(cluster) && length(cluster) == 1 && !is.na(cluster)
  if (named && !(requireNamespace("mirai", quietly = TRUE) && mirai::daemons_set(cluster))) {
    stop_input(
      "`cluster` must name a compute profile of mirai that has daemons, not ", show_value(cluster),
      ": call mirai::daemons() first."
    )
  }
  if (!named && !is.null(cluster) && (!inherits(cluster, "cluster") || length(cluster) == 0)) {
    stop_input(
      "`cluster` must be NULL, a cluster of the parallel package or the name of a compute profile ",
      "of mirai, not ", show_value(cluster), "."
    )
  }
}

# Says what went wrong with the tasks, and stops where none was done.
report_tasks <- function(done, thing, culprit) {
  status <- done$table$status
  count <- length(status)
  failed <- which(status == "failed")
  if (!any(status == "done")) {
    if (length(failed) > 0) {
      first <- done$table$message[failed[1]]
      stop_input(culprit, " failed on each ", thing, ", first with: ", first)
    }
    stop_input("Interrupted before the first ", thing, " was done.")
  }
  if (done$interrupted) {
    warn_user("Interrupted: ", sum(status == "done"), " of ", count, " ", thing, "s are done.")
  }
  if (length(failed) > 0) {
    warn_user(
      culprit, " failed on ", length(failed), " of ", count, " ", thing, "s, which are left out; ",
      "the first with: ", done$table$message[failed[1]]
    )
  }
  warn_lost_workers(done$lost)
}

warn_lost_workers <- function(lost, most = 3) {
  if (length(lost) > 0) {
    more <- if (length(lost) > most) paste("; and", length(lost) - most, "more")
    warn_user(
      "Workers of `cluster` were lost, and others did their tasks: ",
      paste(utils::head(lost, most), collapse = "; "), more, "."
    )
  }
}

# -- random streams --------------------------------------------------------------------------------

# States of R's "L'Ecuyer-CMRG" generator, far apart, all ruled by set.seed().
random_streams <- function(count) {
  code <- 10407L # of this generator, with normals by inversion and sampling by rejection
  first <- c(code, sample.int(.Machine$integer.max - 1L, 6))
  step <- function(stream, k) parallel::nextRNGStream(stream)
  Reduce(step, seq_len(count), first, accumulate = TRUE)[-1]
}

with_stream <- function(stream, code) {
  # A generator that was never used has no state to go back to.
  if (!exists(".Random.seed", globalenv(), inherits = FALSE)) stats::runif(1)
  before <- get(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(assign(".Random.seed", before, envir = globalenv()))
  assign(".Random.seed", stream, envir = globalenv())
  force(code)
}

# -- the task table: what became of each task ------------------------------------------------------

new_task_table <- function(count, report = NULL) {
  list2env(parent = emptyenv(), list(
    values = vector("list", count), status = rep("waiting", count), tries = integer(count),
    hangs = integer(count), message = rep(NA_character_, count), lost = character(),
    interrupted = FALSE, report = report
  ))
}

# The next task to do, or NA where none is waiting. First tries go before second ones.
next_task <- function(tasks) {
  waiting <- which(tasks$status == "waiting")
  if (length(waiting) == 0 || tasks$interrupted) {
    return(NA_integer_)
  }
  task <- waiting[which.min(tasks$tries[waiting])]
  tasks$status[task] <- "running"
  task
}

# outcome: list(value =) or list(message =), the latter with hung = TRUE where time ran out.
record <- function(tasks, task, outcome) {
  tasks$tries[task] <- tasks$tries[task] + 1L
  tasks$hangs[task] <- tasks$hangs[task] + isTRUE(outcome$hung)
  if (is.null(outcome$message)) {
    tasks$values[task] <- list(outcome$value)
    tasks$status[task] <- "done"
  } else {
    again <- tasks$tries[task] < task_tries && tasks$hangs[task] < task_hangs
    tasks$status[task] <- if (again) "waiting" else "failed"
    tasks$message[task] <- outcome$message
  }
  settled <- sum(tasks$status %in% c("done", "failed"))
  if (!is.null(tasks$report) && isFALSE(tasks$report(settled))) tasks$interrupted <- TRUE
}

# -- doing a task ----------------------------------------------------------------------------------

perform <- function(job, task) {
  with_stream(job$streams[[task]], tryCatch(
    list(value = do.call(job$fun, c(list(task), job$args))),
    error = function(condition) list(message = shorten(conditionMessage(condition)))
  ))
}

shorten <- function(message, most = 300) {
  if (nchar(message) > most) paste0(substr(message, 1, most), " ...") else message
}

run_here <- function(job, tasks) {
  until_interrupted(tasks, while (!is.na(task <- next_task(tasks))) {
    record(tasks, task, perform(job, task))
  })
}

until_interrupted <- function(tasks, code) {
  tryCatch(code, interrupt = function(condition) tasks$interrupted <- TRUE)
}

run_on_cluster <- function(job, tasks, cluster, limit) {
  job$key <- paste(c(Sys.getpid(), Sys.time(), stats::runif(1)), collapse = "-")
  transport <- NULL
  task_of <- integer() # of each worker; NA: the worker is idle
  gone <- integer() # workers that were lost
  busy <- function() which(!is.na(task_of))

  # A worker gets the job, with the data, when it asks for it.
  post <- function(worker, task, job_too = FALSE) {
    task_of[worker] <<- task
    message <- list(key = job$key, task = task, job = if (job_too) job)
    tryCatch(
      transport$post(worker, message),
      error = function(condition) settle(list(worker = worker, lost = conditionMessage(condition)))
    )
  }
  settle <- function(answer) {
    worker <- answer$worker
    outcome <- answer$value
    if (identical(outcome$wants, job$key)) {
      return(post(worker, task_of[worker], job_too = TRUE))
    }
    if (!is.null(answer$lost)) {
      gone <<- c(gone, worker)
      tasks$lost <- c(tasks$lost, paste0("worker ", worker, ": ", answer$lost))
      outcome <- list(message = paste("its worker was lost:", answer$lost), hung = answer$hung)
    } else if (!identical(outcome$key, job$key)) {
      return() # the answer to a question that was interrupted long ago
    }
    record(tasks, task_of[worker], outcome)
    task_of[worker] <<- NA_integer_
  }
  hand_out <- function() {
    for (worker in setdiff(transport$workers(), c(busy(), gone))) {
      task <- next_task(tasks)
      if (is.na(task)) {
        break
      }
      post(worker, task)
    }
  }
  receive <- function() suspendInterrupts(settle(transport$collect(busy())))
  until_interrupted(tasks, {
    transport <- transport_to(cluster, limit)
    repeat {
      suspendInterrupts(hand_out())
      if (length(busy()) == 0) break
      receive()
    }
  })
  # After an interrupt the running tasks are waited for, so that the cluster can be used again; a
  # second interrupt gives up on them.
  until_interrupted(tasks, while (length(busy()) > 0) receive())
}

# -- on a worker -----------------------------------------------------------------------------------

remembered <- new.env(parent = emptyenv())

# Workers share the cores of their machine, so each of them uses one thread.
perform_remotely <- function(message) {
  if (!is.null(message$job)) {
    remembered$job <- message$job
  }
  if (!identical(remembered$job$key, message$key)) {
    return(list(wants = message$key))
  }
  before <- options(daggnn.threads = 1)
  on.exit(options(before))
  c(list(key = message$key), perform(remembered$job, message$task))
}

# What is sent to a worker calls the package by name: one that does not have it says so.
relay <- function(message) asNamespace("daggnn")$perform_remotely(message)
environment(relay) <- baseenv()

# -- transports: how messages reach the workers of each kind of cluster ----------------------------

# A list with workers(), the numbers of those that there are at present, post(worker, message), and
# collect(busy): waits for one of the busy workers and returns list(worker, value), or list(worker,
# lost = why, hung = TRUE or NULL). Only the waiting can be interrupted: half a message read would
# make the connection useless.
transport_to <- function(cluster, limit) {
  if (is.character(cluster)) {
    mirai_transport(cluster, limit)
  } else if (inherits(cluster, "miraiCluster")) {
    mirai_transport(attr(cluster, "id"), limit)
  } else if (all(vapply(cluster, function(node) inherits(node$con, "sockconn"), NA))) {
    parallel_transport(cluster, limit, wait_for_socket(cluster))
  } else {
    parallel_transport(cluster, limit, wait_for_any(cluster))
  }
}

# clusterCall(), clusterApplyLB() and the like cannot do what is needed here. They stop at the first
# worker that is lost, drop what the others have answered by then, leave the answers of those that
# still compute in the connections, where the next call takes them for its own, and know no limit of
# time. So messages are sent one by one through the interface that lies below them, which parallel
# documents and exports from R 4.4 on (`?sendData`), and has under the same names before.
back_end <- function(name) utils::getFromNamespace(name, "parallel")

# wait: a function of the busy workers and their deadlines that returns a worker and its answer.
parallel_transport <- function(cluster, limit, wait) {
  deadline <- rep(Inf, length(cluster))
  list(
    workers = function() seq_along(cluster),
    post = function(worker, message) {
      deadline[worker] <<- now() + limit
      call <- list(fun = relay, args = list(message), return = TRUE, tag = worker)
      back_end("sendData")(cluster[[worker]], list(type = "EXEC", data = call))
    },
    collect = function(busy) wait(busy, deadline[busy])
  )
}

now <- function() proc.time()[["elapsed"]]

wait_for_socket <- function(cluster) {
  function(busy, deadline) {
    left <- max(0, min(deadline) - now())
    sockets <- lapply(cluster[busy], `[[`, "con")
    ready <- allowInterrupts(
      socketSelect(sockets, write = FALSE, timeout = if (is.finite(left)) left)
    )
    if (!any(ready)) {
      return(gave_no_answer(busy[which.min(deadline)]))
    }
    worker <- busy[ready][1]
    tryCatch(
      understood(worker, back_end("recvData")(cluster[[worker]])$value),
      error = function(condition) list(worker = worker, lost = conditionMessage(condition))
    )
  }
}

# A cluster of another kind (MPI) cannot tell which worker is lost, nor be asked to wait for some
# time only: where one is lost, all are.
wait_for_any <- function(cluster) {
  function(busy, deadline) {
    tryCatch(
      {
        answer <- back_end("recvOneData")(cluster[busy])$value
        understood(answer$tag, answer$value)
      },
      error = function(condition) list(worker = busy[1], lost = conditionMessage(condition))
    )
  }
}

# mirai has its own queue: any of its daemons may take any message, so that a worker is a place in
# that queue. Daemons come and go; there are as many places as daemons, and one more for each that
# was lost together with its place.
mirai_transport <- function(profile, limit) {
  pause <- 0.01 # seconds between two looks
  timeout <- if (is.finite(limit)) min(1000 * limit, .Machine$integer.max)
  sent <- list()
  died <- 0
  hung <- FALSE
  lose <- function(worker, why) {
    died <<- died + 1
    list(worker = worker, lost = why)
  }
  heard <- function(worker) {
    value <- sent[[worker]]$data
    if (!mirai::is_error_value(value) || mirai::is_mirai_error(value)) {
      understood(worker, value)
    } else if (unclass(value) == mirai_timed_out) {
      hung <<- TRUE
      gave_no_answer(worker)
    } else {
      lose(worker, paste("mirai reports error", unclass(value)))
    }
  }
  await_first_daemon(profile, pause)
  list(
    workers = function() {
      state <- mirai::status(profile)
      # Without a dispatcher, messages would go on to be sent to the daemon that hangs.
      if (hung && is.null(state$mirai)) integer() else seq_len(state$connections + died)
    },
    post = function(worker, message) {
      sent[[worker]] <<- mirai::mirai(
        relay(message),
        .args = list(relay = relay, message = message), .timeout = timeout, .compute = profile
      )
    },
    collect = function(busy) {
      repeat {
        ready <- busy[!vapply(sent[busy], mirai::unresolved, NA)]
        if (length(ready) > 0) {
          return(heard(ready[1]))
        }
        if (mirai::status(profile)$connections == 0) {
          mirai::stop_mirai(sent[[busy[1]]])
          return(lose(busy[1], "no daemon is left"))
        }
        allowInterrupts(Sys.sleep(pause))
      }
    }
  )
}

# What mirai gives for a task that ran out of time.
mirai_timed_out <- 5L

# A scheduler starts daemons when it has room for them. The dispatcher knows whether there ever was
# one; where there is no dispatcher, the first one is waited for this long.
daemon_patience <- 30 # seconds

await_first_daemon <- function(profile, pause) {
  began <- now()
  none_yet <- function() {
    state <- mirai::info(profile)
    ever <- state[["cumulative"]]
    state[["connections"]] == 0 && if (is.na(ever)) now() < began + daemon_patience else ever == 0
  }
  if (none_yet()) message("Waiting for the first daemon of `cluster`.")
  while (none_yet()) Sys.sleep(pause)
}

gave_no_answer <- function(worker) {
  list(worker = worker, lost = "it gave no answer within `task_limit`", hung = TRUE)
}

# A worker that does not answer in our words cannot be used: it may not have the package.
understood <- function(worker, value) {
  if (is.list(value) && !is.null(c(value$key, value$wants))) {
    return(list(worker = worker, value = value))
  }
  why <- trimws(paste(as.character(value), collapse = " "))
  list(worker = worker, lost = if (nzchar(why)) why else "it gave no answer")
}
