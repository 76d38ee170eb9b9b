# The paper's application to a knowledge base (its Table 3 and appendix B): which relations of
# FB15K-237 suggest which others.
#
#   Rscript knowledge_base.R [--quick] [--model=mechanism|vae] [--minutes=15] [--folder=.]
#
# DAGGNN_DATA names a folder with fb15k-237/FB15k-237.tar.gz. Prints the strongest edges within a
# domain, as the paper does, and how many of its ten edges are found. An edge of the paper means
# that one relation suggests another, so relations of a domain are ranked by their gain: the BIC of
# the relation on the right with this parent alone, less that without parents. Writes
# knowledge_base.csv and knowledge_base.png into --folder. --quick learns from 3000 entities and the
# relations that 50 of them have.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

settings <- script_options(model = "mechanism", minutes = 15)
archive <- data_file("fb15k-237", "FB15k-237.tar.gz")

# -- The paper's ten edges -------------------------------------------------------------------------

edges_of <- function(type, to, from) {
  data.frame(from = paste0(type, from), to = paste0(type, to))
}
paper <- rbind(
  edges_of("/film/film/", "country", c("produced_by", "production_companies")),
  edges_of(
    "/tv/tv_program/", "languages",
    c("country_of_origin", "regular_cast./tv/regular_tv_appearance/actor")
  ),
  edges_of("/people/person/", "languages", c("nationality", "place_of_birth")),
  edges_of(
    "/people/person/", "nationality",
    c("place_of_birth", "places_lived./people/place_lived/location")
  ),
  edges_of(
    "/organization/organization/", "place_founded",
    paste0("headquarters./location/mailing_address/", c("citytown", "state_province_region"))
  )
)
# The paper omits "the relations that are common to the associated entity types" and names these.
omitted <- c(
  "/people/person/profession", "/people/person/gender", "/film/film/genre", "/tv/tv_program/genre"
)

# -- Data ------------------------------------------------------------------------------------------

folder <- tempfile()
utils::untar(archive, exdir = folder)
parts <- list.files(folder, "^(train|valid|test)[.]txt$", recursive = TRUE, full.names = TRUE)
x <- triples_to_data(read_triples(parts))
unlink(folder, recursive = TRUE)
set.seed(1)
if (settings$quick) {
  x <- x[sample(nrow(x), 3000), ]
  x <- x[, Matrix::colSums(x) >= 50]
}
cat(sprintf(
  "%d entities, %d relations, %.2f relations per entity\n",
  nrow(x), ncol(x), mean(Matrix::rowSums(x))
))

# -- Learn -----------------------------------------------------------------------------------------

net <- dag_gnn(
  x, model = settings$model, time_limit = 60 * settings$minutes, threads = settings$threads,
  progress = settings$progress
)
relations <- colnames(x)
weights <- coef(net)[relations, relations]
edges <- bnlearn::amat(net)[relations, relations] == 1
cat(sprintf(
  "model %s: %d edges in %.0f seconds; stopped: %s\n",
  settings$model, sum(edges), net$daggnn$seconds, net$daggnn$reason
))

# -- What is said of an edge -----------------------------------------------------------------------

has <- as.matrix(x) == 1
# [i, j]: the log-likelihood ratio of j with the only parent i, less BIC's charge for it.
pair_gains <- function(has) {
  n <- nrow(has)
  term <- function(count) ifelse(count > 0, count * log(count), 0)
  both <- crossprod(has)
  alone <- diag(both)
  first <- matrix(alone, nrow(both), ncol(both))
  second <- t(first)
  joint <- term(both) + term(first - both) + term(second - both) + term(n - first - second + both)
  joint - term(first) - term(n - first) - term(second) - term(n - second) + term(n) - log(n) / 2
}
gains <- pair_gains(has)
# The domain is what stands before the relation's own name: /people/person.
domain <- sub("^(/[^/]+/[^/]+)/.*", "\\1", relations)
name_of <- function(relation) sub("^/[^/]+/", "", relation)

# from, to: numbers of relations. with, without: the share of entities that have `to`, among those
# that have `from` and among the others. rank: of the gain among those of the domain's relations.
describe <- function(from, to) {
  pair <- cbind(from, to)
  data.frame(
    from = name_of(relations[from]), to = name_of(relations[to]), weight = weights[pair],
    gain = gains[pair], rank = mapply(rank_in_domain, from, to),
    found = ifelse(edges[pair], "yes", ifelse(edges[pair[, 2:1, drop = FALSE]], "reversed", "no")),
    with = mapply(function(i, j) mean(has[has[, i], j]), from, to),
    without = mapply(function(i, j) mean(has[!has[, i], j]), from, to)
  )
}
rank_in_domain <- function(from, to) {
  rivals <- setdiff(which(domain == domain[to] & !relations %in% omitted), to)
  match(from, rivals[order(-gains[rivals, to])])
}
show <- function(table) {
  cat("weight    gain  rank  found      with without\n")
  cat(sprintf(
    "%6.2f %7.0f %5d  %-8s %6.3f %7.3f  %s => %s\n",
    table$weight, table$gain, table$rank, table$found, table$with, table$without, table$from,
    table$to
  ), sep = "")
}

# -- The strongest edges, and the paper's ----------------------------------------------------------

within <- which(edges & outer(domain, domain, "==") & !relations %in% omitted, arr.ind = TRUE)
within <- within[order(-gains[within]), , drop = FALSE]
within <- utils::head(within, 30)
strongest <- describe(within[, 1], within[, 2])
cat("\nThe strongest edges within a domain\n")
show(strongest)

index <- cbind(match(paper$from, relations), match(paper$to, relations))
known <- stats::complete.cases(index)
published <- describe(index[known, 1], index[known, 2])
cat("\nThe paper's edges\n")
show(published)
# The paper's table shows the two highest ranks for each relation on the right.
cat(sprintf(
  paste0(
    "\nOf the paper's %d edges %d have rank 1 or 2, as they have there; ",
    "%d are in the network, and %d the other way round\n"
  ),
  nrow(paper), sum(published$rank <= 2), sum(published$found == "yes"),
  sum(published$found == "reversed")
))

labelled <- function(table, label) cbind(table = rep(label, nrow(table)), table)
results <- rbind(labelled(published, "paper"), labelled(strongest, "strongest"))
write_rows(results, settings)
short <- function(names) {
  different <- unique(names)
  daggnn:::short_labels(different, 36)[match(names, different)]
}
write_picture(function() {
  fill <- c(yes = "blue", reversed = "orange", no = "grey")[results$found]
  draw_bars(
    results$gain, paste(short(results$from), "=>", short(results$to)),
    "The paper's edges, then the strongest ones", "gain in BIC", fill = colours[fill]
  )
  graphics::legend(
    "bottomright", c("in the network", "the other way round", "not in it"), border = NA, bty = "n",
    fill = colours[c("blue", "orange", "grey")]
  )
}, 14, 2 + 0.25 * nrow(results), settings)
