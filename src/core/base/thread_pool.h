// A thread pool for many short jobs. Between two jobs its workers spin for a moment before they
// sleep: training runs several jobs in each step, of some 20 microseconds each, and waking a thread
// takes as long as that.
//
// The caller takes tasks from the first on, the first worker from the last back, and so on in turn:
// consecutive jobs over the same columns find most of them in the cache of the thread that had them
// before, and yet no thread is idle while there is a task.
//
// The pool starts no threads: its owner lets threads of its own call worker_loop(), any number of
// them, also none.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>

#include "base/types.h"

namespace daggnn {

class ThreadPool {
 public:
  // Calls task(0), ..., task(count - 1) here and on the workers, and waits for all of them. Passes
  // on what a task throws. Two calls never overlap.
  void run(Index count, const std::function<void(Index)>& task);

  // Shares the work of run() until shut_down().
  void worker_loop();

  void shut_down();

 private:
  // Which tasks nobody has taken yet, in one word: those from `first` on, before `last`; and the
  // number of the job above.
  static constexpr int bits = 20;
  static constexpr Index most = (Index{1} << bits) - 1;  // tasks at a time
  static std::uint64_t word(std::uint64_t job, Index first, Index last) {
    return (job << 2 * bits) | (static_cast<std::uint64_t>(first) << bits) |
           static_cast<std::uint64_t>(last);
  }
  static Index first_of(std::uint64_t tickets) {
    return static_cast<Index>(tickets >> bits) & most;
  }
  static Index last_of(std::uint64_t tickets) { return static_cast<Index>(tickets) & most; }
  static std::uint64_t job_of(std::uint64_t tickets) { return tickets >> 2 * bits; }

  static constexpr int spins_before_sleep = 4000;  // some 0.2 ms
  static constexpr int spins_before_yield = 500;

  void run_some(Index count);

  // Takes tasks as long as there are any; whether there was one.
  bool work(bool from_back);

  static void spin(int idle);

  // Until the next job, even if others finish that one first: jobs seldom come alone.
  void sleep();

  // What workers read while they spin has a cache line of its own.
  static constexpr std::size_t line = 64;
  alignas(line) std::atomic<std::uint64_t> tickets_{0};  // see word()
  const std::function<void(Index)>* task_ = nullptr;
  Index offset_ = 0;                          // of the tasks that tickets_ tells of
  alignas(line) std::atomic<Index> open_{0};  // tasks that are not done
  alignas(line) std::exception_ptr failure_;
  std::atomic<int> workers_{0}, sleeping_{0};
  std::atomic<bool> closed_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace daggnn
