# The best network by integer programming: minimise the loss against the best set of each node,
#   sum of cost(i, J) x(i, J)   subject to   sum over J of x(i, J) = 1 for each node i,   x 0 or 1,
# and x without cycles. The linear program without the last two conditions is solved by HiGHS;
# inequalities that it violates (src/core/search/cuts.h) are added until they help no more; then
# one of two nodes goes before the other, in two branches. Symbols:
#   U  the loss of the best network so far, the incumbent
#   L  a lower bound on the loss of every network of a branch
# A branch is closed when L reaches U; a column (a parent set) whose reduced cost takes L above U is
# of no use in its branch.

# A proof to this share of the score is a proof: local scores themselves are rounded.
proof_tolerance <- 1e-10
most_new_cuts <- 200L # rows added in one round
idle_rounds <- 10L # after which a row that does not bind is taken out
cut_patience <- 3L # rounds without progress, before a branch is split
cut_progress <- 0.01 # the share of U - L that counts as progress
column_share <- 0.1 # of the columns must be of no use, before the program is built anew

solve_integer <- function(scores, incumbent, clock, show) {
  program <- new_program(scores, incumbent, clock, show)
  stop <- tryCatch(branch_and_cut(program), interrupt = function(signal) "interrupt")
  found <- list(set = program$set, score = sum(scores$score[program$set]))
  solution <- stopped_solution(
    found, program$best - program$L, stop, cuts = program$cuts, method = "integer"
  )
  if (stop == "none") {
    solution$bound <- solution$score
    solution$optimal <- TRUE
  }
  solution
}

# Everything that changes as the search goes on.
new_program <- function(scores, incumbent, clock, show) {
  program <- new.env(parent = emptyenv())
  top <- as.numeric(tapply(scores$score, scores$child, max))
  program$scores <- scores
  program$edge_set <- rep(seq_along(scores$child), scores$size) # the set that each parent is in
  program$edges <- cbind(scores$parents, scores$child[program$edge_set])
  program$clock <- clock
  program$show <- show
  program$finder <- cut_finder_cpp(scores)
  program$best <- sum(top)
  program$cost <- top[scores$child] - scores$score
  program$set <- incumbent$set
  program$U <- if (length(incumbent$set) > 0) sum(program$cost[incumbent$set]) else Inf
  program$L <- 0
  program$cuts <- 0L
  # The cuts: for each its sets, their coefficients (none negative), its right side, and for how
  # many rounds it has not been binding.
  program$rows <- list()
  program$values <- list()
  program$right <- numeric()
  program$idle <- integer()
  program
}

# A linear program of the columns of a branch and all cuts that can matter to them. HiGHS takes no
# rows and columns out of a model from R, so it is built anew when there is much to take out.
build_solver <- function(program, columns) {
  model <- highs::hi_new_model()
  highs::hi_model_set_ncol(model, length(columns))
  highs::hi_model_set_nrow(model, 0L)
  highs::hi_model_set_objective(model, program$cost[columns])
  highs::hi_model_set_lower(model, rep(0, length(columns)))
  highs::hi_model_set_upper(model, rep(1, length(columns)))
  program$solver <- highs::hi_new_solver(model)
  options <- list(
    output_flag = FALSE, presolve = "off", threads = 1L, parallel = "off", solver = "simplex"
  )
  for (name in names(options)) {
    highs::hi_solver_set_option(program$solver, name, options[[name]])
  }
  program$columns <- columns
  program$place <- integer(length(program$cost))
  program$place[columns] <- seq_along(columns)
  choice <- split(columns, factor(program$scores$child[columns], seq_along(program$scores$names)))
  ones <- rep(1, length(choice))
  send_rows(program, choice, lapply(choice, function(row) rep(1, length(row))), ones, ones)

  kept <- program$idle <= idle_rounds
  for (field in c("rows", "values", "right", "idle")) program[[field]] <- program[[field]][kept]
  most <- mapply(
    function(row, values) sum(values[program$place[row] > 0]), program$rows, program$values
  )
  program$sent <- which(as.numeric(most) > program$right) # the cuts in the solver
  send_rows(
    program, program$rows[program$sent], program$values[program$sent],
    rep(-Inf, length(program$sent)), program$right[program$sent]
  )
}

send_rows <- function(program, rows, values, left, right) {
  if (length(rows) == 0) {
    return(invisible())
  }
  place <- program$place[unlist(rows)]
  size <- tabulate(rep(seq_along(rows), lengths(rows))[place > 0], length(rows))
  highs::hi_solver_add_rows(
    program$solver, left, right, cumsum(c(0L, size[-length(size)])), place[place > 0] - 1L,
    unlist(values)[place > 0]
  )
}

highs_optimal <- 7L
highs_infeasible <- 8L

# Solves the linear program. `state` is "solved", "infeasible", "time_limit" or "trouble".
relax <- function(program) {
  limit <- highs::hi_solver_get_run_time(program$solver) + program$clock$left()
  highs::hi_solver_set_option(program$solver, "time_limit", min(limit, 1e9))
  highs::hi_solver_run(program$solver)
  status <- highs::hi_solver_status(program$solver)
  if (status == highs_infeasible) {
    return(list(state = "infeasible"))
  }
  if (status != highs_optimal) {
    return(list(state = if (program$clock$left() <= 0) "time_limit" else "trouble"))
  }
  solution <- highs::hi_solver_get_solution(program$solver)
  x <- numeric(length(program$cost))
  x[program$columns] <- solution$col_value
  cut_value <- solution$row_value[-seq_along(program$scores$names)]
  binding <- cut_value > program$right[program$sent] - 1e-7
  program$idle[program$sent] <- ifelse(binding, 0L, program$idle[program$sent] + 1L)
  list(state = "solved", x = x, reduced = solution$col_dual, L = dual_bound(program, solution))
}

# The bound that the dual solution proves, whatever the solver's tolerances: all columns lie between
# 0 and 1, and no coefficient of a cut is negative.
dual_bound <- function(program, solution) {
  dual <- solution$row_dual
  cut <- seq_along(dual) > length(program$scores$names)
  sum(dual[!cut]) + sum(pmin(dual[cut], 0) * program$right[program$sent]) +
    sum(pmin(solution$col_dual, 0))
}

# Works on the most promising branch until none is left; why it stopped, or "none".
branch_and_cut <- function(program) {
  open <- list(root_branch(program))
  while (length(open) > 0) {
    bounds <- vapply(open, `[[`, 1, "L")
    program$L <- min(bounds)
    report(program)
    if (program$L >= cutoff(program)) break
    chosen <- which.min(bounds)
    branch <- open[[chosen]]
    open[[chosen]] <- NULL
    result <- cut_branch(program, branch)
    if (result$state %in% c("time_limit", "trouble")) {
      return(result$state)
    }
    if (result$state == "solved") open <- c(open, split_branch(program, branch, result))
  }
  program$L <- program$U
  "none"
}

cutoff <- function(program) program$U - proof_tolerance * abs(program$best)

report <- function(program) {
  if (!is.null(program$show)) {
    score <- program$best - program$U
    bound <- program$best - program$L
    go_on <- program$show(list(
      incumbent = score, bound = bound, gap = relative_gap(bound, score), ended = TRUE
    ))
    # Ctrl-C while the progress was shown: for solve_integer() to catch.
    if (isFALSE(go_on)) {
      signalCondition(structure(
        class = c("interrupt", "condition"), list(message = "interrupted", call = NULL)
      ))
    }
  }
}

# columns: the sets that a branch may use; before[i, j]: in this branch i comes before j.
root_branch <- function(program) {
  m <- length(program$scores$names)
  list(
    columns = which(program$cost <= program$U), before = matrix(FALSE, m, m), L = 0, root = TRUE
  )
}

# Solves and cuts until the branch is closed ("infeasible"), or cuts help no more ("solved").
cut_branch <- function(program, branch) {
  build_solver(program, branch$columns)
  idle <- 0L
  last <- branch$L
  repeat {
    result <- relax(program)
    if (result$state == "trouble") {
      # A fresh start without the basis that led there.
      build_solver(program, program$columns)
      result <- relax(program)
    }
    if (result$state != "solved") {
      return(result)
    }
    result$L <- max(result$L, branch$L)
    if (result$L >= cutoff(program)) {
      return(list(state = "infeasible"))
    }
    if (branch$root) {
      program$L <- result$L
      report(program)
    }
    found <- find_cuts_cpp(program$finder, result$x, most_new_cuts)
    if (length(found$right) == 0 && all(result$x < 1e-6 | result$x > 1 - 1e-6)) {
      take_incumbent(program, which(result$x > 0.5))
      return(list(state = "infeasible"))
    }
    idle <- if (result$L - last > cut_progress * (program$U - last)) 0L else idle + 1L
    last <- result$L
    useful <- result$L + result$reduced <= program$U + proof_tolerance * abs(program$best)
    if (length(found$right) == 0 || idle >= cut_patience) {
      result$columns <- program$columns[useful]
      return(result)
    }
    if (mean(!useful) > column_share) build_solver(program, program$columns[useful])
    add_cuts(program, found)
  }
}

add_cuts <- function(program, found) {
  of_row <- rep(seq_along(found$size), found$size)
  rows <- unname(split(found$columns, of_row))
  values <- unname(split(found$coefficients, of_row))
  send_rows(program, rows, values, rep(-Inf, length(rows)), found$right)
  program$sent <- c(program$sent, length(program$rows) + seq_along(rows))
  program$rows <- c(program$rows, rows)
  program$values <- c(program$values, values)
  program$right <- c(program$right, found$right)
  program$idle <- c(program$idle, integer(length(rows)))
  program$cuts <- program$cuts + length(rows)
}

take_incumbent <- function(program, set) {
  loss <- sum(program$cost[set])
  if (loss < program$U) {
    program$U <- loss
    program$set <- set
  }
}

# Two branches that both exclude the solution at hand: one of two nodes before the other where the
# solution has edges both ways, else an edge there or not.
split_branch <- function(program, branch, result) {
  branch$L <- result$L
  branch$root <- FALSE
  branch$columns <- result$columns
  weight <- edge_weights(program, result$x)
  both <- pmin(weight, t(weight))
  if (max(both) > 1e-6) {
    pair <- arrayInd(which.max(both), dim(both))
    return(list(
      put_before(program, branch, pair[1], pair[2]), put_before(program, branch, pair[2], pair[1])
    ))
  }
  edge <- arrayInd(which.min(abs(weight - 0.5)), dim(weight))
  with_edge <- program$edge_set[program$edges[, 1] == edge[1] & program$edges[, 2] == edge[2]]
  of_child <- which(program$scores$child == edge[2])
  present <- put_before(program, branch, edge[1], edge[2])
  present$columns <- setdiff(present$columns, setdiff(of_child, with_edge))
  branch$columns <- setdiff(branch$columns, with_edge)
  list(present, branch)
}

# How much of each edge the solution has.
edge_weights <- function(program, x) {
  m <- length(program$scores$names)
  value <- x[program$edge_set]
  used <- value > 1e-9
  place <- (program$edges[used, 2] - 1) * m + program$edges[used, 1]
  weight <- matrix(0, m, m)
  sums <- rowsum(value[used], place)
  weight[as.integer(rownames(sums))] <- sums
  weight
}

# i before j, and all that follows from it.
put_before <- function(program, branch, i, j) {
  sooner <- branch$before[, i]
  sooner[i] <- TRUE
  later <- branch$before[j, ]
  later[j] <- TRUE
  branch$before[sooner, later] <- TRUE
  backwards <- branch$before[program$edges[, 2:1, drop = FALSE]]
  branch$columns <- setdiff(branch$columns, program$edge_set[backwards])
  branch
}

# A search that ended early: the best network so far and what is known about all others.
stopped_solution <- function(incumbent, bound, stop, cuts = 0, method = "dynamic") {
  if (length(incumbent$set) == 0) stop_without_network()
  list(
    set = incumbent$set, score = incumbent$score, bound = max(bound, incumbent$score),
    optimal = bound <= incumbent$score, cuts = cuts, method = method,
    reason = switch(stop,
      time_limit = "time limit",
      interrupt = "interrupted",
      trouble = "the solver failed",
      none = "proven optimal"
    )
  )
}

relative_gap <- function(bound, score) {
  if (bound <= score) 0 else (bound - score) / abs(score)
}

# Local scores that were read from a file need not hold the empty set for every node.
stop_without_network <- function() {
  stop_input("No network without cycles can be made of the parent sets in `x`.")
}
