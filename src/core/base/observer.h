// Who looks on: shows progress, and says when to stop. Only ever called from the calling thread.
#pragma once

#include <functional>

#include "base/enumeration.h"
#include "base/types.h"

namespace daggnn {

struct Progress {
  int round = 0;    // of the augmented Lagrangian
  int epoch = 0;    // within the round
  double loss = 0;  // without constraint and penalty
  double h = 0;     // the acyclicity constraint
  double c = 0;     // its weight
  // Weights above the threshold so far: counted only where somebody asks.
  std::function<Index()> edges = [] { return Index{0}; };
  double fraction = 0;  // of the work that is done, from 0 to 1, as far as can be told
  bool ended = false;   // the round is over: loss and h are its results
};

enum class Stop { none, interrupt, time_limit };
constexpr Name<Stop> stop_names[] = {
    {"none", Stop::none}, {"interrupt", Stop::interrupt}, {"time_limit", Stop::time_limit}};

struct Observer {
  virtual ~Observer() = default;
  // Cheap enough to be asked after every step; anything but `none` asks the learner to return
  // what it has.
  virtual Stop poll(const Progress&) { return Stop::none; }
};

}  // namespace daggnn
