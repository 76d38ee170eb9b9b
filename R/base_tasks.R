# Independent tasks, here or on a cluster. Each has a random stream of its own and is handed out
# when a worker is free. What is finished stays finished: a task that fails is tried again, the
# tasks of a lost worker go to the others (in the end to this process), and an interrupt gives back
# what is done.

# How often a task is tried, whether it failed or its worker was lost.
task_tries <- 3

# Calls do.call(fun, c(task, args)) for task = 1, ..., count. `cluster`: NULL, or a cluster of the
# parallel package. Returns a list with
#   values       of the tasks that were done, NULL for the others
#   table        a row for each task: status ("done", "failed", "not run"), tries, message
#   lost         a message for each worker that was lost
#   interrupted  TRUE or FALSE
# report: NULL, or a function that is told the number of tasks that are settled after each of them,
# and returns FALSE where the user interrupted meanwhile.
run_tasks <- function(fun, args, count, cluster = NULL, report = NULL) {
  check_cluster(cluster)
  job <- list(fun = fun, args = args, streams = random_streams(count))
  ledger <- new_ledger(count)
  ledger$report <- report
  if (!is.null(cluster)) run_on_cluster(job, ledger, cluster_courier(cluster))
  if (!ledger$interrupted) run_here(job, ledger)
  list(
    values = ledger$values,
    table = data.frame(
      task = seq_len(count), status = sub("waiting|running", "not run", ledger$status),
      tries = ledger$tries, message = ledger$message, stringsAsFactors = FALSE
    ),
    lost = ledger$lost, interrupted = ledger$interrupted
  )
}

check_cluster <- function(cluster) {
  if (!is.null(cluster) && (!inherits(cluster, "cluster") || length(cluster) == 0)) {
    stop_input(
      "`cluster` must be NULL or a cluster of the parallel package, not ", show_value(cluster), "."
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
  if (length(done$lost) > 0) {
    warn_user(
      "Workers of `cluster` were lost, and others did their tasks: ",
      paste(done$lost, collapse = "; "), "."
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

# -- the ledger: what became of each task ----------------------------------------------------------

new_ledger <- function(count) {
  ledger <- new.env(parent = emptyenv())
  ledger$values <- vector("list", count)
  ledger$status <- rep("waiting", count)
  ledger$tries <- integer(count)
  ledger$message <- rep(NA_character_, count)
  ledger$lost <- character()
  ledger$interrupted <- FALSE
  ledger
}

# The next task to do, or NA where none is waiting. First tries go before second ones.
next_task <- function(ledger) {
  waiting <- which(ledger$status == "waiting")
  if (length(waiting) == 0 || ledger$interrupted) {
    return(NA_integer_)
  }
  task <- waiting[which.min(ledger$tries[waiting])]
  ledger$status[task] <- "running"
  task
}

# outcome: list(value =) or list(message =).
record <- function(ledger, task, outcome) {
  ledger$tries[task] <- ledger$tries[task] + 1L
  if (is.null(outcome$message)) {
    ledger$values[task] <- list(outcome$value)
    ledger$status[task] <- "done"
    ledger$message[task] <- NA_character_
  } else {
    ledger$status[task] <- if (ledger$tries[task] < task_tries) "waiting" else "failed"
    ledger$message[task] <- outcome$message
  }
  settled <- sum(ledger$status %in% c("done", "failed"))
  if (!is.null(ledger$report) && isFALSE(ledger$report(settled))) ledger$interrupted <- TRUE
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

run_here <- function(job, ledger) {
  until_interrupted(ledger, while (!is.na(task <- next_task(ledger))) {
    record(ledger, task, perform(job, task))
  })
}

until_interrupted <- function(ledger, code) {
  tryCatch(code, interrupt = function(condition) ledger$interrupted <- TRUE)
}

run_on_cluster <- function(job, ledger, courier) {
  job$key <- paste(c(Sys.getpid(), Sys.time(), stats::runif(1)), collapse = "-")
  task_of <- rep(NA_integer_, courier$size) # NA: the worker is idle
  knows <- rep(FALSE, courier$size) # the data; they are sent once
  lost <- rep(FALSE, courier$size)

  lose <- function(worker, why) {
    lost[worker] <<- TRUE
    ledger$lost <- c(ledger$lost, paste0("worker ", worker, ": ", why))
    record(ledger, task_of[worker], list(message = paste("its worker was lost:", why)))
    task_of[worker] <<- NA_integer_
  }
  post <- function(worker) {
    message <- list(key = job$key, task = task_of[worker], job = if (!knows[worker]) job)
    knows[worker] <<- TRUE
    tryCatch(
      courier$post(worker, message),
      error = function(condition) lose(worker, conditionMessage(condition))
    )
  }
  receive <- function() {
    suspendInterrupts(settle(courier$collect(which(!is.na(task_of)))))
  }
  settle <- function(answer) {
    worker <- answer$worker
    if (!is.null(answer$lost)) {
      lose(worker, answer$lost)
    } else if (identical(answer$value$wants, job$key)) {
      knows[worker] <<- FALSE
      post(worker)
    } else if (identical(answer$value$key, job$key)) {
      record(ledger, task_of[worker], answer$value)
      task_of[worker] <<- NA_integer_
    }
    # Anything else answers a question that was interrupted long ago.
  }
  hand_out <- function() {
    for (worker in which(is.na(task_of) & !lost)) {
      task <- next_task(ledger)
      if (is.na(task)) {
        break
      }
      task_of[worker] <<- task
      post(worker)
    }
  }
  until_interrupted(ledger, repeat {
    suspendInterrupts(hand_out())
    if (all(is.na(task_of))) break
    receive()
  })
  # After an interrupt the running tasks are waited for, so that the cluster can be used again; a
  # second interrupt gives up on them.
  until_interrupted(ledger, while (!all(is.na(task_of))) receive())
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

# -- couriers: how messages reach the workers of each kind of cluster ------------------------------

# A list with size (workers), post(worker, message), and collect(busy): waits for one of the busy
# workers and returns list(worker, value), or list(worker, lost = why). Only the waiting can be
# interrupted: half a message read would make the connection useless.
cluster_courier <- function(cluster) {
  if (inherits(cluster, "miraiCluster")) {
    return(mirai_courier(cluster))
  }
  on_socket <- vapply(cluster, function(node) inherits(node$con, "sockconn"), NA)
  if (all(on_socket)) socket_courier(cluster) else wave_courier(cluster)
}

# A worker of a socket cluster reads calls from its connection and writes what they return. The
# functions of parallel that do the same wait for all workers, and fail as a whole when one is lost.
socket_courier <- function(cluster) {
  connection <- function(worker) cluster[[worker]]$con
  list(
    size = length(cluster),
    post = function(worker, message) {
      call <- list(fun = relay, args = list(message), return = TRUE, tag = NULL)
      serialize(list(type = "EXEC", data = call), connection(worker))
    },
    collect = function(busy) {
      ready <- allowInterrupts(socketSelect(lapply(busy, connection), write = FALSE))
      worker <- busy[ready][1]
      tryCatch(
        understood(worker, unserialize(connection(worker))$value),
        error = function(condition) list(worker = worker, lost = conditionMessage(condition))
      )
    }
  )
}

# mirai has its own queue: any of its daemons may take any message.
mirai_courier <- function(cluster) {
  pause <- 0.005 # seconds between two looks
  profile <- attr(cluster, "id")
  sent <- vector("list", length(cluster))
  list(
    size = length(cluster),
    post = function(worker, message) {
      sent[[worker]] <<- mirai::mirai(
        relay(message),
        .args = list(relay = relay, message = message), .compute = profile
      )
    },
    collect = function(busy) {
      repeat {
        ready <- busy[!vapply(sent[busy], mirai::unresolved, NA)]
        if (length(ready) > 0) {
          return(understood(ready[1], sent[[ready[1]]]$data))
        }
        if (!mirai_lives(profile)) {
          return(list(worker = busy[1], lost = "no daemon is left"))
        }
        allowInterrupts(Sys.sleep(pause))
      }
    }
  )
}

mirai_lives <- function(profile) {
  connections <- mirai::status(.compute = profile)$connections
  is.numeric(connections) && connections > 0
}

# Any other cluster (MPI): one task for each worker at a time by parallel's own means. A failure
# there is a failure of all, and the tasks of that wave are done again.
wave_courier <- function(cluster) {
  posted <- answers <- list()
  list(
    size = length(cluster),
    post = function(worker, message) {
      posted[[length(posted) + 1]] <<- list(worker = worker, message = message)
    },
    collect = function(busy) {
      if (length(answers) == 0) {
        answers <<- send_wave(cluster, posted)
        posted <<- list()
      }
      answer <- answers[[1]]
      answers <<- answers[-1]
      answer
    }
  )
}

send_wave <- function(cluster, posted) {
  workers <- vapply(posted, `[[`, 1L, "worker")
  values <- tryCatch(
    parallel::clusterApply(cluster[workers], lapply(posted, `[[`, "message"), relay),
    error = identity
  )
  if (inherits(values, "error")) {
    return(lapply(workers, function(w) list(worker = w, lost = conditionMessage(values))))
  }
  Map(understood, workers, values)
}

# A worker that does not answer in our words cannot be used: it may not have the package.
understood <- function(worker, value) {
  if (is.list(value) && !is.null(c(value$key, value$wants))) {
    return(list(worker = worker, value = value))
  }
  if (inherits(value, "errorValue") && is.integer(value)) {
    value <- paste("mirai reports error", unclass(value))
  }
  why <- trimws(paste(as.character(value), collapse = " "))
  list(worker = worker, lost = if (nzchar(why)) why else "it gave no answer")
}
