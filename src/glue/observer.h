// R as the core's observer: Ctrl-C, a time limit, and a progress function, all on R's own thread.
#pragma once

#include <Rcpp.h>

#include <chrono>

#include "base/observer.h"

class RObserver final : public daggnn::Observer {
 public:
  // show: an R function of one list, FALSE where it was interrupted, or NULL; time_limit in
  // seconds.
  RObserver(SEXP show, double time_limit) : show_(show), time_limit_(time_limit) {}

  daggnn::Stop poll(const daggnn::Progress& progress) override {
    if (interrupted_) return daggnn::Stop::interrupt;
    const Clock::time_point now = Clock::now();
    if (seconds(now - began_) > time_limit_) return daggnn::Stop::time_limit;
    if (seconds(now - looked_) < interval && !progress.ended) return daggnn::Stop::none;
    looked_ = now;
    interrupted_ = R_ToplevelExec(check_interrupt, nullptr) == FALSE;
    if (!interrupted_ && !Rf_isNull(show_)) {
      Rcpp::Function show(show_);
      const SEXP go_on = show(Rcpp::List::create(
          Rcpp::_["round"] = progress.round, Rcpp::_["epoch"] = progress.epoch,
          Rcpp::_["loss"] = progress.loss, Rcpp::_["h"] = progress.h, Rcpp::_["c"] = progress.c,
          Rcpp::_["edges"] = static_cast<double>(progress.edges()),
          Rcpp::_["fraction"] = progress.fraction, Rcpp::_["seconds"] = seconds(now - began_),
          Rcpp::_["ended"] = progress.ended));
      interrupted_ = !Rf_asLogical(go_on);
    }
    return interrupted_ ? daggnn::Stop::interrupt : daggnn::Stop::none;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double interval = 0.2;  // seconds between two looks at R

  static double seconds(Clock::duration span) {
    return std::chrono::duration<double>(span).count();
  }
  // Leaves by a long jump when the user asked to stop; R_ToplevelExec() catches it.
  static void check_interrupt(void*) { R_CheckUserInterrupt(); }

  SEXP show_;
  double time_limit_;
  bool interrupted_ = false;  // once and for all: a learner may go through several parts
  Clock::time_point began_ = Clock::now(), looked_ = began_;
};
