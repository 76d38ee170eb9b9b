// The choices of dag_gnn_control() about scores and search.
#pragma once

#include <Rcpp.h>

#include "structure.h"

inline daggnn::StructureOptions as_structure_options(const Rcpp::List& list) {
  daggnn::StructureOptions options;
  options.effects = daggnn::from_name(daggnn::effects_names, "effects", list["effects"]);
  options.noise = daggnn::from_name(daggnn::noise_scale_names, "noise", list["noise"]);
  options.density = daggnn::from_name(daggnn::density_names, "density", list["density"]);
  options.edge_charge = list["edge_charge"];
  options.least_edge_charge = list["least_edge_charge"];
  options.curve_charge = list["curve_charge"];
  options.index_charge = list["index_charge"];
  options.joint_charge = list["joint_charge"];
  options.model_charge = list["model_charge"];
  options.tail_charge = list["tail_charge"];
  options.density_charge = list["density_charge"];
  options.density_edge_charge = list["density_edge_charge"];
  options.splines = Rcpp::as<int>(list["splines"]);
  options.intervals = Rcpp::as<int>(list["intervals"]);
  options.index_terms = Rcpp::as<int>(list["index_terms"]);
  options.centres = Rcpp::as<int>(list["centres"]);
  options.index_variables = Rcpp::as<int>(list["index_variables"]);
  options.index_rows = Rcpp::as<int>(list["index_rows"]);
  options.joint_variables = Rcpp::as<int>(list["joint_variables"]);
  options.joint_rows = Rcpp::as<int>(list["joint_rows"]);
  options.copies = Rcpp::as<int>(list["copies"]);
  options.search.restarts = list["restarts"];
  options.search.maxp = Rcpp::as<int>(list["maxp"]);
  return options;
}
