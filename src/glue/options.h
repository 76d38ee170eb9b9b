// The core's options and the R lists that hold them: each field stands here once, with its name in
// R, to be read and to tell the core's defaults.
#pragma once

#include <RcppEigen.h>

#include <cstddef>

#include "base/enumeration.h"
#include "learn/trainer.h"
#include "models/vae.h"
#include "search/structure_options.h"

// Sets a field to the element of the list that has its name.
class FromList {
 public:
  explicit FromList(const Rcpp::List& list) : list_(list) {}

  template <class Number>
  void operator()(const char* name, Number& field) const {
    field = static_cast<Number>(Rcpp::as<double>(list_[name]));
  }
  template <class Enumeration, std::size_t count>
  void operator()(const char* name, Enumeration& field,
                  const daggnn::Name<Enumeration> (&names)[count]) const {
    field = daggnn::from_name(names, name, list_[name]);
  }
  template <class Options>
  void nested(const char* name, Options& options) const {
    const Rcpp::List list = list_[name];
    each_option(options, FromList(list));
  }

 private:
  const Rcpp::List& list_;
};

// Adds a field to the list, under its name.
class ToList {
 public:
  explicit ToList(Rcpp::List& list) : list_(list) {}

  void operator()(const char* name, bool field) const { list_[name] = field; }
  template <class Number>
  void operator()(const char* name, Number field) const {
    list_[name] = static_cast<double>(field);
  }
  template <class Enumeration, std::size_t count>
  void operator()(const char* name, Enumeration field,
                  const daggnn::Name<Enumeration> (&names)[count]) const {
    list_[name] = daggnn::to_name(names, field);
  }
  template <class Options>
  void nested(const char* name, Options& options) const {
    Rcpp::List list;
    each_option(options, ToList(list));
    list_[name] = list;
  }

 private:
  Rcpp::List& list_;
};

template <class Visit>
void each_option(daggnn::Tuning& tuning, const Visit& visit) {
  visit("costly_restarts", tuning.costly_restarts);
  visit("density_restarts", tuning.density_restarts);
  visit("costly_candidates", tuning.costly_candidates);
  visit("effects_by_chance", tuning.effects_by_chance);
  visit("rows_of_chance", tuning.rows_of_chance);
  visit("gain_by_chance", tuning.gain_by_chance);
  visit("always_curved", tuning.always_curved);
  visit("noise_rounds", tuning.noise_rounds);
  visit("hopeless_loss", tuning.hopeless_loss);
  visit("imputation_rounds", tuning.imputation_rounds);
  visit("first_sweeps", tuning.first_sweeps);
  visit("later_sweeps", tuning.later_sweeps);
  visit("least_copies", tuning.least_copies);
}

template <class Visit>
void each_option(daggnn::StructureOptions& options, const Visit& visit) {
  visit("effects", options.effects, daggnn::effects_names);
  visit("noise", options.noise, daggnn::noise_scale_names);
  visit("density", options.density, daggnn::density_names);
  visit("edge_charge", options.edge_charge);
  visit("least_edge_charge", options.least_edge_charge);
  visit("curve_charge", options.curve_charge);
  visit("index_charge", options.index_charge);
  visit("joint_charge", options.joint_charge);
  visit("model_charge", options.model_charge);
  visit("tail_charge", options.tail_charge);
  visit("density_charge", options.density_charge);
  visit("density_edge_charge", options.density_edge_charge);
  visit("splines", options.splines);
  visit("intervals", options.intervals);
  visit("index_terms", options.index_terms);
  visit("centres", options.centres);
  visit("index_variables", options.index_variables);
  visit("index_rows", options.index_rows);
  visit("joint_variables", options.joint_variables);
  visit("joint_rows", options.joint_rows);
  visit("copies", options.copies);
  visit("restarts", options.search.restarts);
  visit("maxp", options.search.maxp);
  visit.nested("tuning", options.tuning);
}

// What every learner with an augmented Lagrangian takes from the user.
template <class Visit>
void each_option(daggnn::LagrangianControl& control, const Visit& visit) {
  visit("max_rounds", control.max_rounds);
  visit("c", control.c);
  visit("eta", control.eta);
  visit("gamma", control.gamma);
  visit("h_tolerance", control.h_tolerance);
  visit("c_max", control.c_max);
}

template <class Visit>
void each_option(daggnn::Control& control, const Visit& visit) {
  each_option(static_cast<daggnn::LagrangianControl&>(control), visit);
  visit("constraint", control.constraint, daggnn::constraint_names);
  visit("penalty", control.penalty, daggnn::penalty_names);
  visit("penalty_weight", control.penalty_weight);
  visit("first_epochs", control.first_epochs);
  visit("epochs", control.epochs);
  visit("patience", control.patience);
  visit("batch_size", control.batch);
  visit("graph_rate", control.graph_rate);
  visit("rate", control.rate);
  visit("lambda", control.lambda);
}

constexpr daggnn::Name<bool> variance_names[] = {{"unit", false}, {"learned", true}};

template <class Visit>
void each_option(daggnn::VaeOptions& options, const Visit& visit) {
  visit("architecture", options.architecture, daggnn::architecture_names);
  visit("hidden", options.hidden);
  visit("latent", options.latent);
  visit("biases", options.biases);
  visit("monte_carlo", options.monte_carlo);
  visit("encoder_variance", options.learn_encoder_spread, variance_names);
  visit("decoder_variance", options.learn_decoder_spread, variance_names);
}

template <class Options>
Options options_from(const Rcpp::List& list) {
  Options options;
  each_option(options, FromList(list));
  return options;
}
