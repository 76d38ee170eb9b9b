// Minimisation of a smooth function with lower bounds on its arguments, by limited-memory BFGS
// (Nocedal 1980, <doi:10.1090/S0025-5718-1980-0572855-7>) on the arguments that are free to move
// and projection on the bounds (two-metric projection, Bertsekas 1982, <doi:10.1137/0320018>).
//
//   x          the arguments; lower: their bounds, -infinity where there is none
//   f, df      value and gradient
//   curvature  a rough, positive diagonal of the Hessian at x: the better it is, the fewer steps
//   s, y       the last few changes of x and of df: what is remembered of the true curvature
//
// An objective is anything that can be called as f = objective(x, df, curvature).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/types.h"

namespace daggnn {

struct LbfgsControl {
  int memory = 10;  // pairs (s, y) to remember
  int max_iterations = 15000;
  double gradient_tolerance = 1e-5;  // stop where no projected slope is steeper
  double value_tolerance = 1e-8;     // or where f falls by less than this share of max(|f|, 1)
  double sufficient = 1e-4;          // share of the predicted decrease that a step must bring
  double flatter = 0.9;              // share of the slope that may be left after a step
  int max_trials = 60;               // function values per step: enough to shrink it by 1e18

  void check() const;
};

enum class Ended { gradient, value, no_descent, iterations, stopped };

struct Minimum {
  double f = 0;
  int iterations = 0;
  Ended ended = Ended::iterations;
};

// The curvature seen so far, as a product of the inverse Hessian with a vector.
class CurvatureMemory {
 public:
  explicit CurvatureMemory(int most) : most_(static_cast<std::size_t>(most)) {}

  void clear() { pairs_.clear(); }
  bool empty() const { return pairs_.empty(); }

  // A pair that shows no positive curvature would make the inverse Hessian indefinite: it stays
  // out.
  void add(const Vector& s, const Vector& y);

  // result = -H df on the free arguments (free = 1), 0 on the others (free = 0). Pairs are cut down
  // to the free arguments, where some no longer show positive curvature.
  void direction(const Vector& df, const Vector& free, const Vector& curvature, Vector& result);

 private:
  struct Pair {
    Vector s, y;
  };

  static bool curved(double product, double y_square) {
    return product > std::numeric_limits<double>::epsilon() * y_square;
  }

  std::size_t most_;
  std::vector<Pair> pairs_;
  std::vector<double> weights_, products_;
};

// Moves x to a minimum. go_on() is asked after every function value; where it says false, the
// search stops at the best x so far.
template <class Objective, class GoOn>
Minimum minimise(Objective&& objective, const Vector& lower, const LbfgsControl& control, Vector& x,
                 GoOn&& go_on) {
  control.check();
  const Index size = x.size();
  CurvatureMemory memory(control.memory);
  Vector df(size), free(size), curvature(size), direction(size);
  Vector trial(size), dtrial(size), better(size), dbetter(size);

  x = x.cwiseMax(lower);
  Minimum minimum;
  minimum.f = objective(x, df, curvature);
  const auto end = [&](Ended ended) {
    minimum.ended = ended;
    return minimum;
  };
  if (!std::isfinite(minimum.f)) return end(Ended::no_descent);
  if (!go_on()) return end(Ended::stopped);

  while (minimum.iterations < control.max_iterations) {
    const Vector projected = x - (x - df).cwiseMax(lower);
    if (size == 0 || projected.lpNorm<Eigen::Infinity>() <= control.gradient_tolerance) {
      return end(Ended::gradient);
    }
    // At its bound and pushed against it: not free.
    free = (x.array() > lower.array() || df.array() < 0).template cast<double>();
    memory.direction(df, free, curvature, direction);
    if (!(direction.dot(df) < 0)) {
      memory.clear();
      memory.direction(df, free, curvature, direction);
    }

    // A step along the projected path by the weak Wolfe conditions, by bisection (Lewis and Overton
    // 2013, <doi:10.1007/s10107-012-0514-2>). better: the longest step so far that decreases f
    // enough.
    double shortest = 0, longest = std::numeric_limits<double>::infinity(), step = 1;
    double f_better = minimum.f;
    bool stopped = false;
    for (int trials = 0; trials < control.max_trials; ++trials) {
      trial = (x + step * direction).cwiseMax(lower);
      const double f = objective(trial, dtrial, curvature);
      const double predicted = df.dot(trial - x);
      const bool enough = std::isfinite(f) && f <= minimum.f + control.sufficient * predicted;
      bool flat = false;
      if (enough) {
        flat = dtrial.dot(trial - x) >= control.flatter * predicted;
        shortest = step;
        f_better = f;
        better.swap(trial);
        dbetter.swap(dtrial);
      } else {
        longest = step;
      }
      stopped = !go_on();
      if (stopped || flat) break;
      if (std::isinf(longest)) {
        step *= 2;
      } else if (shortest > 0 || !std::isfinite(f)) {
        step = (shortest + longest) / 2;
      } else {
        // The parabola through value and slope at 0 and the value here, kept away from both ends.
        const double vertex = -predicted * step / (2 * (f - minimum.f - predicted));
        step = std::clamp(vertex, 0.1 * step, 0.5 * step);
      }
    }
    if (shortest == 0) {
      if (stopped) return end(Ended::stopped);
      if (memory.empty()) return end(Ended::no_descent);
      memory.clear();
      minimum.f = objective(x, df, curvature);  // for the curvature at x, not at the last trial
      continue;
    }

    memory.add(better - x, dbetter - df);
    const double decrease = minimum.f - f_better;
    x.swap(better);
    df.swap(dbetter);
    minimum.f = f_better;
    ++minimum.iterations;
    if (stopped) return end(Ended::stopped);
    if (decrease <= control.value_tolerance * std::max(std::abs(f_better), 1.0)) {
      return end(Ended::value);
    }
  }
  return end(Ended::iterations);
}

}  // namespace daggnn
