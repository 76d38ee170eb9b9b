# Table 1 of the paper: BIC on three discrete benchmarks with 1000 rows, with our columns beside it.
#
#   Rscript table1.R [--quick] [--threads=2] [--time_limit=300] [--csv=table1.csv]
#
# One row per data set and method: the BIC (bnlearn's, higher is better), the edges, the SHD to the
# true graph, the seconds, and the paper's figure for the same column where it has one. exact_dag()
# has at most 3 parents (Pigs: 2); its row says whether the optimum is proven. The refined networks
# are those of the rows before them, improved by refine(). DAGGNN_DATA names a folder with the
# files of the MMHC study: mmhc/Child_s1000_v1.txt, mmhc/Child_graph.txt and so on. --quick leaves
# out Pigs.

library(daggnn)

given <- commandArgs(trailingOnly = TRUE)
option <- function(name, default) {
  prefix <- paste0("--", name, "=")
  value <- given[startsWith(given, prefix)]
  if (length(value) > 0) substring(value[1], nchar(prefix) + 1) else default
}
quick <- "--quick" %in% given
threads <- as.integer(option("threads", 2))
time_limit <- as.numeric(option("time_limit", 300))
csv <- option("csv", "table1.csv")
folder <- Sys.getenv("DAGGNN_DATA")
if (!file.exists(file.path(folder, "mmhc", "Child_s1000_v1.txt"))) {
  stop("DAGGNN_DATA must name a folder with mmhc/Child_s1000_v1.txt", call. = FALSE)
}

# The paper's figures: of the true graph, of GOBNILP and of DAG-GNN.
cases <- list(
  Child = list(
    data = "mmhc/Child_s1000_v1.txt", graph = "mmhc/Child_graph.txt", maxp = 3,
    paper = c(truth = -1.27e4, exact_dag = -1.27e4, dag_gnn_vae = -1.38e4)
  ),
  Alarm = list(
    data = "mmhc/Alarm1_s1000_v1.txt", graph = "mmhc/Alarm1_graph.txt", maxp = 3,
    paper = c(truth = -1.07e4, exact_dag = -1.12e4, dag_gnn_vae = -1.28e4)
  ),
  Pigs = list(
    data = "pigs/pigs_1000.txt.gz", graph = "pigs/Pigs_graph.txt.gz", maxp = 2,
    paper = c(truth = -3.48e5, exact_dag = -3.50e5, dag_gnn_vae = -3.69e5)
  )
)
if (quick) cases$Pigs <- NULL

read_case <- function(case) {
  x <- utils::read.table(file.path(folder, case$data))
  x[] <- lapply(x, factor)
  adjacency <- as.matrix(utils::read.table(file.path(folder, case$graph)))
  dimnames(adjacency) <- list(names(x), names(x))
  truth <- bnlearn::empty.graph(names(x))
  bnlearn::amat(truth) <- adjacency
  list(x = x, truth = truth)
}

run_case <- function(name) {
  case <- cases[[name]]
  data <- read_case(case)
  x <- data$x
  rows <- list()
  networks <- list()
  add <- function(method, learn) {
    set.seed(1)
    began <- proc.time()[["elapsed"]]
    net <- networks[[method]] <<- learn()
    seconds <- proc.time()[["elapsed"]] - began
    row <- data.frame(
      data = name, method = method, bic = bnlearn::score(net, x, type = "bic"),
      edges = bnlearn::narcs(net), shd = dag_metrics(data$truth, net)$shd,
      seconds = if (method == "truth") NA else round(seconds, 1),
      proven = if (is.null(net$optimal)) NA else net$optimal, paper = unname(case$paper[method])
    )
    rows[[method]] <<- row
    message(paste(format(row), collapse = "  "))
  }
  learn <- function(model) {
    dag_gnn(x, model = model, threads = threads, time_limit = time_limit)
  }
  add("truth", function() data$truth)
  add("exact_dag", function() {
    exact_dag(x, maxp = case$maxp, time_limit = time_limit, threads = threads)
  })
  add("hc", function() bnlearn::hc(x))
  add("dag_gnn_vae", function() learn("vae"))
  add("dag_gnn_vae_refined", function() refine(networks$dag_gnn_vae, x, threads = threads))
  add("dag_gnn_mechanism", function() learn("mechanism"))
  add("dag_gnn_mechanism_refined", function() {
    refine(networks$dag_gnn_mechanism, x, threads = threads)
  })
  do.call(rbind, rows)
}

table <- do.call(rbind, lapply(names(cases), run_case))
print(table, row.names = FALSE)
utils::write.csv(table, csv, row.names = FALSE)
