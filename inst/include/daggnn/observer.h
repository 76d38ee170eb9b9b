// Who looks on: shows progress, and says when to stop. Only ever called from the calling thread.
#pragma once

#include "types.h"

namespace daggnn {

struct Progress {
  int round = 0;        // of the augmented Lagrangian
  int epoch = 0;        // within the round
  double loss = 0;      // without constraint and penalty
  double h = 0;         // the acyclicity constraint
  double c = 0;         // its weight
  Index edges = 0;      // weights above the threshold so far
  double fraction = 0;  // of the work that is done, from 0 to 1, as far as can be told
  bool ended = false;   // the round is over: loss and h are its results
};

enum class Stop { none, interrupt, time_limit };

struct Observer {
  virtual ~Observer() = default;
  // Cheap enough to be asked after every step; anything but `none` asks the learner to return
  // what it has.
  virtual Stop poll(const Progress&) { return Stop::none; }
};

}  // namespace daggnn
