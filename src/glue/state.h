// The state of training as an R list, to be saved and gone on from.
#pragma once

#include <RcppEigen.h>

#include "learn/trainer.h"

#include "trace.h"

inline std::vector<daggnn::Round> as_rounds(const Rcpp::DataFrame& trace) {
  const Rcpp::IntegerVector round = trace["round"], epochs = trace["epochs"];
  const Rcpp::NumericVector h = trace["h"], c = trace["c"], lambda = trace["lambda"],
                            loss = trace["loss"], seconds = trace["seconds"];
  std::vector<daggnn::Round> rounds;
  for (int k = 0; k < round.size(); ++k) {
    rounds.push_back({round[k], epochs[k], h[k], c[k], lambda[k], loss[k], seconds[k]});
  }
  return rounds;
}

inline Rcpp::List state_list(const daggnn::TrainerState& state) {
  const Rcpp::List adam =
      Rcpp::List::create(Rcpp::_["mean"] = state.adam.mean, Rcpp::_["square"] = state.adam.square,
                         Rcpp::_["steps"] = state.adam.steps);
  return Rcpp::List::create(
      Rcpp::_["theta"] = state.theta, Rcpp::_["adam"] = adam, Rcpp::_["lambda"] = state.lambda,
      Rcpp::_["c"] = state.c, Rcpp::_["last_h"] = state.last_h, Rcpp::_["round"] = state.round,
      Rcpp::_["epoch"] = state.epoch, Rcpp::_["total_epochs"] = state.total_epochs,
      Rcpp::_["epoch_loss"] = state.epoch_loss, Rcpp::_["best"] = state.best,
      Rcpp::_["scale"] = state.scale, Rcpp::_["stale"] = state.stale,
      Rcpp::_["backoff"] = state.backoff, Rcpp::_["rollbacks"] = state.rollbacks,
      Rcpp::_["seconds"] = state.seconds, Rcpp::_["trace"] = as_trace(state.trace));
}

// list: from state_list().
inline daggnn::TrainerState as_state(const Rcpp::List& list, const daggnn::Control& control) {
  daggnn::TrainerState state(Rcpp::as<daggnn::Vector>(list["theta"]), control);
  const Rcpp::List adam = list["adam"];
  state.adam.mean = Rcpp::as<daggnn::Vector>(adam["mean"]);
  state.adam.square = Rcpp::as<daggnn::Vector>(adam["square"]);
  state.adam.steps = adam["steps"];
  state.lambda = list["lambda"];
  state.c = list["c"];
  state.last_h = list["last_h"];
  state.round = list["round"];
  state.epoch = list["epoch"];
  state.total_epochs = list["total_epochs"];
  state.epoch_loss = list["epoch_loss"];
  state.best = list["best"];
  state.stale = list["stale"];
  state.scale = list["scale"];
  state.backoff = list["backoff"];
  state.rollbacks = list["rollbacks"];
  state.seconds = list["seconds"];
  state.trace = as_rounds(Rcpp::as<Rcpp::DataFrame>(list["trace"]));
  return state;
}
