# A method for the package causalDisco: disco(data, dag_gnn_method()). See README.md beside this
# file.

# learner: dag_gnn(), notears() or exact_dag() of the package daggnn; ...: its further arguments.
dag_gnn_method <- function(..., learner = daggnn::dag_gnn) {
  arguments <- list(...)
  builder <- function(knowledge = NULL) {
    lists <- list()
    runner <- list(
      set_knowledge = function(knowledge) lists <<- lists_of_knowledge(knowledge),
      run = function(data) {
        net <- do.call(learner, c(list(as.data.frame(data)), lists, arguments))
        causalDisco::as_disco(net, class = "DAG")
      }
    )
    if (!is.null(knowledge)) runner$set_knowledge(knowledge)
    runner
  }
  causalDisco::new_disco_method(builder, "dag_gnn", engine = "daggnn", graph_class = "DAG")
}

# Required and forbidden edges, tiers included, as whitelist and blacklist. An empty list is none.
lists_of_knowledge <- function(knowledge) {
  lists <- causalDisco::as_bnlearn_knowledge(knowledge)
  lists <- lists[c("whitelist", "blacklist")]
  lists[vapply(lists, NROW, 1L) > 0]
}
