# Text files, read and written whole or not at all.

check_file <- function(file) {
  if (!inherits(file, "connection") && !(is.character(file) && length(file) == 1 && !is.na(file))) {
    stop_input("`file` must be the name of a file or a connection, not ", show_value(file), ".")
  }
}

# How a message calls the file: in full, unlike other names, since a path that is cut cannot be
# found.
name_of_file <- function(file) {
  if (is.character(file)) paste0("`file` ", quote_path(file)) else "`file`"
}

quote_path <- function(file) encodeString(file, quote = "\"")

# The lines of a file, plain or compressed, or of a connection, without their ends.
file_lines <- function(file) {
  check_file(file)
  if (is.character(file) && (!file.exists(file) || dir.exists(file))) {
    stop_input("`file` must be the path of a file that exists, not ", quote_path(file), ".")
  }
  unreadable <- function(condition) {
    stop_input(name_of_file(file), " cannot be read: ", conditionMessage(condition), ".")
  }
  lines <- tryCatch(read_lines(file), error = unreadable, warning = unreadable)
  invalid <- which(!validUTF8(lines))
  if (length(invalid) > 0) {
    stop_input(name_of_file(file), " must be UTF-8 text, but line ", invalid[1], " is not.")
  }
  # A byte order mark may stand before the first line.
  if (length(lines) > 0) lines[1] <- sub("^\ufeff", "", lines[1])
  sub("\r$", "", lines, perl = TRUE)
}

read_lines <- function(file) {
  if (is.character(file)) {
    if (is_cut_off(file)) stop("it is compressed, and its end is missing")
    file <- gzfile(file, "rb")
    on.exit(close(file))
  }
  readLines(file, encoding = "UTF-8", warn = FALSE, skipNul = TRUE)
}

# R reads what is left of a gzip file as if it were all. The last four bytes of a whole one tell how
# much it unpacks to; in a file that may have several parts, only how much the last of them does.
is_cut_off <- function(file) {
  if (!identical(gzip_parts(file), 1L)) {
    return(FALSE)
  }
  connection <- file(file, "rb")
  on.exit(close(connection))
  seek(connection, file.size(file) - 4)
  told <- sum(as.integer(readBin(connection, "raw", 4)) * 256^(0:3))
  told != read_in_blocks(gzfile(file, "rb"), length, 0) %% 256^4
}

# How many parts a gzip file has; 0 where it is none.
gzip_parts <- function(file) {
  if (!identical(readBin(file, "raw", 3), gzip_mark)) {
    return(0L)
  }
  # The end of a block stands before the next one: a header may lie across.
  before <- raw()
  as.integer(read_in_blocks(file(file, "rb"), function(block) {
    bytes <- c(before, block)
    before <<- utils::tail(bytes, gzip_header - 1)
    starts <- grepRaw(gzip_mark, bytes, fixed = TRUE, all = TRUE)
    starts <- starts[starts + gzip_header - 1 <= length(bytes)]
    # By chance these three bytes stand every 16 MiB; flags, level and system tell a header.
    sum(bytes[starts + 3] < 32 & bytes[starts + 8] %in% as.raw(c(0, 2, 4)) &
      bytes[starts + 9] %in% as.raw(c(0:13, 255)))
  }, 0))
}

gzip_mark <- as.raw(c(0x1f, 0x8b, 0x08))
gzip_header <- 10

# The sum of value(bytes) over the blocks of a connection, which is closed.
read_in_blocks <- function(connection, value, sum) {
  on.exit(close(connection))
  repeat {
    block <- readBin(connection, "raw", 1e6)
    if (length(block) == 0) {
      return(sum)
    }
    sum <- sum + value(block)
  }
}

# Whether all of it reached the disk shows when the file is closed, at the latest.
write_lines <- function(lines, file) {
  if (is.character(file) && (dir.exists(file) || !dir.exists(dirname(file)))) {
    stop_input("`file` must be in a folder that exists, and not be one: ", quote_path(file), ".")
  }
  unwritable <- function(condition) {
    stop_input(name_of_file(file), " cannot be written: ", conditionMessage(condition), ".")
  }
  tryCatch(
    if (is.character(file)) write_file(lines, file) else writeLines(lines, file),
    error = unwritable, warning = unwritable
  )
}

write_file <- function(lines, file) {
  connection <- file(file, "w")
  # The warning of close() is the one that counts: R's own clean-up would be silent. UTF-8 in every
  # locale.
  tryCatch(
    writeLines(enc2utf8(lines), connection, useBytes = TRUE), finally = close(connection)
  )
}
