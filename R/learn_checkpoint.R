# Checkpoints: a network that training goes on from, written after each round.

check_checkpoint <- function(file) {
  if (is.null(file)) {
    return(NULL)
  }
  fine <- is.character(file) && length(file) == 1 && !is.na(file) && nzchar(file)
  if (!fine) {
    stop_input("`checkpoint` must be NULL or the name of a file, not ", show_value(file), ".")
  }
  if (!dir.exists(dirname(file))) {
    stop_input("`checkpoint` must be in a folder that exists, not ", show_value(file), ".")
  }
  if (dir.exists(file)) {
    stop_input("`checkpoint` must be the name of a file, but ", show_value(file), " is a folder.")
  }
  file
}

# A function of what training has learned so far, or NULL. describe: makes a network of it. A file
# that cannot be written is no reason to lose the fit; Ctrl-C waits until the core can look at it.
checkpoint_writer <- function(file, describe) {
  if (is.null(file)) {
    return(NULL)
  }
  complained <- FALSE
  complain <- function(condition) {
    if (!complained) {
      warn_user("No checkpoint was written to ", file, ": ", conditionMessage(condition))
    }
    complained <<- TRUE
  }
  function(fit) {
    suspendInterrupts(tryCatch(save_atomically(describe(fit), file), error = complain))
  }
}

# Whenever the process ends, the file holds a whole object: the old one or the new one. R is silent
# when a disk is full at the last bytes of a compressed file, so what was written is read again.
save_atomically <- function(object, file) {
  # In the same folder, since renaming is atomic only within a file system.
  temporary <- tempfile(paste0(basename(file), "-"), dirname(file))
  on.exit(unlink(temporary))
  saved <- suppressWarnings(tryCatch(
    {
      saveRDS(object, temporary)
      readRDS(temporary)
      file.rename(temporary, file)
    },
    error = function(condition) FALSE
  ))
  if (!saved) {
    stop_input("the folder may be gone, full or not writable.")
  }
}
