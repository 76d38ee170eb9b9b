// Who does the work: the core splits it into tasks of fixed size and number, so that results do not
// depend on how many threads share them.
#pragma once

#include <algorithm>
#include <functional>

#include "base/types.h"

namespace daggnn {

struct Executor {
  virtual ~Executor() = default;
  virtual int threads() const = 0;
  // Calls task(0), ..., task(count - 1), in any order and on any thread, and waits for all of them.
  virtual void run(Index count, const std::function<void(Index)>& task) = 0;
};

struct SerialExecutor final : Executor {
  int threads() const override { return 1; }
  void run(Index count, const std::function<void(Index)>& task) override {
    for (Index k = 0; k < count; ++k) task(k);
  }
};

// Calls body(first, some) for blocks of the columns 0, ..., columns - 1, of `work` simple
// operations each. The blocks may depend on the threads: for work on one column at a time, where
// nothing is summed up across columns.
template <class Body>
void for_each_block(Executor& executor, Index columns, double work, const Body& body) {
  // Some 2 microseconds: below that a second thread costs more than it gives.
  constexpr double grain = 4e3;
  const double most = static_cast<double>(columns) * work / grain;
  const double threads = executor.threads();
  const Index number = threads == 1 || most < threads ? 1
                       : most < 4 * threads           ? executor.threads()
                                                      : 2 * executor.threads();
  const Index size = (columns + number - 1) / number;
  if (number == 1) {
    body(Index{0}, columns);
    return;
  }
  executor.run(number, [&](Index block) {
    const Index first = std::min(columns, block * size);
    body(first, std::min(size, columns - first));
  });
}

}  // namespace daggnn
