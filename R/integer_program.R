# The best network by integer programming: minimise the loss against the best set of each node,
#   sum of cost(i, J) x(i, J)   subject to   sum over J of x(i, J) = 1 for each node i,   x 0 or 1,
# and x without cycles. The linear program without the last two conditions is solved by HiGHS;
# inequalities that it violates (inst/include/daggnn/cuts.h) are added until none is found; then one of
# two nodes goes before the other, in two branches. Symbols:
#   U  the loss of the best network so far, the incumbent
#   L  a lower bound on the loss of every network of a branch
# A branch is closed when L reaches U; a column whose reduced cost takes L above U is never used.

# A proof to this share of U is a proof: local scores themselves are rounded.
proof_tolerance <- 1e-10
most_new_cuts <- 200L # rows added in one round
most_idle_rows <- 400L # rows that do not bind, before they are purged
cut_patience <- 5L # rounds without progress, before a branch is split
cut_progress <- 0.005 # the share of U - L that counts as progress

solve_integer <- function(scores, incumbent, clock, show) {
  program <- new_program(scores, incumbent, clock, show)
  stop <- tryCatch(branch_and_cut(program), interrupt = function(signal) "interrupt")
  found <- list(set = program$set, score = program$best - program$U)
  if (stop == "none" && length(found$set) == 0) stop_without_network()
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
  program$clock <- clock
  program$show <- show
  program$finder <- cut_finder_cpp(scores)
  program$best <- sum(top)
  program$cost <- top[scores$child] - scores$score
  program$set <- incumbent$set
  program$U <- if (length(incumbent$set) > 0) sum(program$cost[incumbent$set]) else Inf
  program$L <- 0
  program$cuts <- 0L
  program$columns <- which(program$cost <= program$U) # sets that may be used, numbers in `scores`
  program$rows <- list() # the cuts in the solver: for each its sets
  program$right <- numeric() # and its right side
  program$idle <- integer() # and for how long it has not been binding
  # Which set has which parent: for branching.
  program$child_of <- scores$child
  program$arc_set <- rep(seq_along(scores$child), scores$size)
  program
}

build_solver <- function(program) {
  columns <- program$columns
  m <- length(program$scores$names)
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
  program$place <- integer(length(program$cost))
  program$place[columns] <- seq_along(columns)
  program$upper <- rep(1, length(columns))
  choice <- split(columns, factor(program$child_of[columns], levels = seq_len(m)))
  send_rows(program, choice, rep(1, m), rep(1, m))
  kept <- vapply(program$rows, function(row) any(program$place[row] > 0), NA)
  program$rows <- program$rows[kept]
  program$right <- program$right[kept]
  program$idle <- program$idle[kept]
  send_rows(program, program$rows, rep(-Inf, length(program$rows)), program$right)
}

send_rows <- function(program, rows, left, right) {
  if (length(rows) == 0) {
    return(invisible())
  }
  places <- lapply(rows, function(row) {
    place <- program$place[row]
    place[place > 0] - 1L
  })
  size <- lengths(places)
  highs::hi_solver_add_rows(
    program$solver, left, right, cumsum(c(0L, size[-length(size)])), unlist(places),
    rep(1, sum(size))
  )
}

# Solves the linear program under the upper bounds of a branch.
relax <- function(program, upper) {
  changed <- which(upper != program$upper)
  if (length(changed) > 0) {
    highs::hi_solver_set_variable_bounds(
      program$solver, changed - 1L, rep(0, length(changed)), upper[changed]
    )
    program$upper <- upper
  }
  highs::hi_solver_set_option(
    program$solver, "time_limit",
    min(highs::hi_solver_get_run_time(program$solver) + program$clock$left(), 1e300)
  )
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
  list(
    state = "solved", x = x, reduced = solution$col_dual, row_dual = solution$row_dual,
    row_value = solution$row_value, L = dual_bound(program, solution)
  )
}

highs_optimal <- 7L
highs_infeasible <- 8L

# The bound that the dual solution proves, whatever the solver's tolerances: all columns lie between 0
# and their upper bounds, and all coefficients of cuts are 1.
dual_bound <- function(program, solution) {
  m <- length(program$scores$names)
  dual <- solution$row_dual
  cut <- seq_along(dual) > m
  sum(dual[!cut]) + sum(pmin(dual[cut], 0) * program$right) +
    sum(pmin(solution$col_dual, 0) * program$upper)
}

# Works on the most promising branch until none is left; why it stopped, or "none".
branch_and_cut <- function(program) {
  open <- list(root_branch(length(program$scores$names)))
  build_solver(program)
  while (length(open) > 0) {
    bounds <- vapply(open, `[[`, 1, "L")
    program$L <- min(bounds)
    if (program$L >= cutoff(program)) break
    chosen <- which.min(bounds)
    branch <- open[[chosen]]
    open[[chosen]] <- NULL
    result <- cut_branch(program, branch)
    if (result$state %in% c("time_limit", "trouble")) {
      return(result$state)
    }
    if (result$state == "solved") open <- c(open, split_branch(program, branch, result))
    report(program, length(open))
  }
  program$L <- program$U
  "none"
}

cutoff <- function(program) program$U - proof_tolerance * abs(program$best)

report <- function(program, open) {
  if (!is.null(program$show)) {
    program$show(list(
      incumbent = program$best - program$U, bound = program$best - program$L,
      gap = relative_gap(program$best - program$L, program$best - program$U), ended = TRUE
    ))
  }
}

# before[i, j]: in this branch i comes before j; with, without: edges (from, to) that it must and must
# not have.
root_branch <- function(m) {
  none <- matrix(0L, 0, 2)
  list(before = matrix(FALSE, m, m), with = none, without = none, L = 0, depth = 0)
}

# Which sets a branch may use, in the order of program$columns.
branch_upper <- function(program, branch) {
  if (branch$depth == 0) {
    return(rep(1, length(program$columns)))
  }
  scores <- program$scores
  banned <- logical(length(scores$child))
  child <- scores$child[program$arc_set]
  banned[program$arc_set[branch$before[cbind(child, scores$parents)]]] <- TRUE
  sets_with <- function(edge) program$arc_set[scores$parents == edge[1] & child == edge[2]]
  for (k in seq_len(nrow(branch$without))) banned[sets_with(branch$without[k, ])] <- TRUE
  for (k in seq_len(nrow(branch$with))) {
    others <- scores$child == branch$with[k, 2]
    others[sets_with(branch$with[k, ])] <- FALSE
    banned <- banned | others
  }
  as.numeric(!banned[program$columns])
}

# Solves and cuts until the branch is closed ("infeasible"), or cuts help no more ("solved").
cut_branch <- function(program, branch) {
  idle <- 0L
  last <- branch$L
  repeat {
    result <- relax(program, branch_upper(program, branch))
    if (result$state != "solved") {
      return(result)
    }
    result$L <- max(result$L, branch$L)
    if (result$L >= cutoff(program)) {
      return(list(state = "infeasible"))
    }
    if (branch$depth == 0) {
      program$L <- result$L
      report(program, 1)
    }
    found <- find_cuts_cpp(program$finder, result$x, most_new_cuts)
    if (length(found$right) == 0 && all(result$x < 1e-6 | result$x > 1 - 1e-6)) {
      take_incumbent(program, which(result$x > 0.5))
      return(list(state = "infeasible"))
    }
    idle <- if (result$L - last > cut_progress * (program$U - last)) 0L else idle + 1L
    last <- result$L
    if (length(found$right) == 0 || idle >= cut_patience) {
      return(result)
    }
    refresh(program, branch, result)
    add_cuts(program, found)
  }
}

add_cuts <- function(program, found) {
  rows <- split(found$columns, rep(seq_along(found$size), found$size))
  names(rows) <- NULL
  send_rows(program, rows, rep(-Inf, length(rows)), found$right)
  program$rows <- c(program$rows, rows)
  program$right <- c(program$right, found$right)
  program$idle <- c(program$idle, integer(length(rows)))
  program$cuts <- program$cuts + length(rows)
}

# Leaves out columns that cannot be used in any better network and rows that have long been idle.
# HiGHS takes no rows out of a model from R, so it is built anew, which is worth it only now and then.
refresh <- function(program, branch, result) {
  m <- length(program$scores$names)
  binding <- result$row_value[-seq_len(m)] > program$right - 1e-7
  program$idle <- ifelse(binding, 0L, program$idle + 1L)
  above <- program$U + proof_tolerance * abs(program$best)
  dead <- branch$depth == 0 & result$L + result$reduced > above
  purge <- program$idle > 5L
  if (sum(dead) > 0.05 * length(dead) || sum(purge) > most_idle_rows) {
    program$columns <- program$columns[!dead]
    program$rows <- program$rows[!purge]
    program$right <- program$right[!purge]
    program$idle <- program$idle[!purge]
    build_solver(program)
  }
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
  scores <- program$scores
  m <- length(scores$names)
  weight <- matrix(0, m, m)
  used <- result$x[program$arc_set] > 1e-9
  arcs <- cbind(scores$parents, scores$child[program$arc_set])[used, , drop = FALSE]
  value <- result$x[program$arc_set][used]
  sums <- rowsum(value, (arcs[, 2] - 1) * m + arcs[, 1])
  weight[as.integer(rownames(sums))] <- sums
  both <- pmin(weight, t(weight))
  branch$depth <- branch$depth + 1
  branch$L <- result$L
  if (max(both) > 1e-6) {
    pair <- arrayInd(which.max(both), dim(both))
    return(list(put_before(branch, pair[1], pair[2]), put_before(branch, pair[2], pair[1])))
  }
  edge <- arrayInd(which.min(abs(weight - 0.5)), dim(weight))
  present <- put_before(branch, edge[1], edge[2])
  present$with <- rbind(present$with, edge)
  absent <- branch
  absent$without <- rbind(absent$without, edge)
  list(present, absent)
}

# i before j, and all that follows from it.
put_before <- function(branch, i, j) {
  sooner <- branch$before[, i]
  sooner[i] <- TRUE
  later <- branch$before[j, ]
  later[j] <- TRUE
  branch$before[sooner, later] <- TRUE
  branch
}
