# Table 1 of the paper: BIC on three discrete benchmarks with 1000 rows, with our columns beside it.
#
#   Rscript table1.R [--quick] [--threads=2] [--time_limit=300] [--folder=.]
#
# One row per data set and method: the BIC (bnlearn's, higher is better), the edges, the SHD to the
# true graph, the seconds, and the paper's figure for the same column where it has one. exact_dag()
# has at most 3 parents (Pigs: 2); its row says whether the optimum is proven. dag_gnn_vae is the
# paper's model alone, with its default threshold by BIC; dag_gnn_vae_at_0.3 has the same weights
# with the paper's threshold; dag_gnn_vae_search is the default model among the pairs of variables
# that dag_gnn_vae joins. The refined networks are those of the rows before them, improved by
# refine(). DAGGNN_DATA names a folder with the files of the MMHC study: mmhc/Child_s1000_v1.txt,
# mmhc/Child_graph.txt and so on. --quick leaves out Pigs. Writes table1.csv and table1.png into
# --folder.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

settings <- script_options(time_limit = 300)

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
if (settings$quick) cases$Pigs <- NULL

read_case <- function(case) {
  x <- read_levels(case$data)
  adjacency <- as.matrix(utils::read.table(data_file(case$graph)))
  dimnames(adjacency) <- list(names(x), names(x))
  truth <- bnlearn::empty.graph(names(x))
  bnlearn::amat(truth) <- adjacency
  list(x = x, truth = truth)
}
data <- lapply(cases, read_case)

learn <- function(x, model, ...) {
  dag_gnn(
    x, model = model, ..., threads = settings$threads, time_limit = settings$time_limit,
    progress = settings$progress
  )
}
refine_again <- function(method) {
  function(name) refine(networks[[name]][[method]], data[[name]]$x, threads = settings$threads)
}
# The default model's search with no other edges than those of the network, in either direction.
search_among <- function(method) {
  function(name) {
    proposed <- bnlearn::amat(bnlearn::skeleton(networks[[name]][[method]]))
    others <- which(proposed == 0 & row(proposed) != col(proposed), arr.ind = TRUE)
    nodes <- rownames(proposed)
    learn(
      data[[name]]$x, "mechanism",
      blacklist = cbind(from = nodes[others[, 1]], to = nodes[others[, 2]])
    )
  }
}
methods <- list(
  truth = function(name) data[[name]]$truth,
  exact_dag = function(name) {
    exact_dag(
      data[[name]]$x, maxp = cases[[name]]$maxp, time_limit = settings$time_limit,
      threads = settings$threads, progress = settings$progress
    )
  },
  hc = function(name) bnlearn::hc(data[[name]]$x),
  dag_gnn_vae = function(name) learn(data[[name]]$x, "vae"),
  dag_gnn_vae_at_0.3 = function(name) rethreshold(networks[[name]]$dag_gnn_vae, 0.3),
  dag_gnn_vae_search = search_among("dag_gnn_vae"),
  dag_gnn_vae_refined = refine_again("dag_gnn_vae"),
  dag_gnn_mechanism = function(name) learn(data[[name]]$x, "mechanism"),
  dag_gnn_mechanism_refined = refine_again("dag_gnn_mechanism")
)
networks <- lapply(cases, function(case) list())

row_of <- function(case) {
  name <- case$data
  set.seed(1)
  began <- proc.time()[["elapsed"]]
  net <- methods[[case$method]](name)
  seconds <- proc.time()[["elapsed"]] - began
  networks[[name]][[case$method]] <<- net
  data.frame(
    data = name, method = case$method, bic = bnlearn::score(net, data[[name]]$x, type = "bic"),
    edges = bnlearn::narcs(net), shd = dag_metrics(data[[name]]$truth, net)$shd,
    seconds = if (case$method == "truth") NA else round(seconds, 1),
    proven = if (is.null(net$optimal)) NA else net$optimal,
    paper = unname(cases[[name]]$paper[case$method])
  )
}

grid <- expand.grid(method = names(methods), data = names(cases), stringsAsFactors = FALSE)
formats <- c(
  data = "%-6s", method = "%-26s", bic = "%12.2f", edges = "%5.0f", shd = "%4.0f",
  seconds = "%8.1f", proven = "%-6s", paper = "%8.0f"
)
table <- run_cases(
  split(grid, seq_len(nrow(grid))), paste(grid$data, grid$method), row_of, settings,
  print_rows(formats)
)
write_picture(function() {
  graphics::par(mfrow = c(1, length(cases)))
  for (name in names(cases)) {
    here <- table[table$data == name, ]
    draw_bars(max(here$bic) - here$bic, here$method, name, "BIC below the best of these")
  }
}, 5 * length(cases), 4, settings)
