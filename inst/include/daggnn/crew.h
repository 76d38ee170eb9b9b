// Threads that share the tasks of one job after another. In between they stay awake for a moment:
// training asks for several jobs in each step, of some 20 microseconds each, and waking a thread
// takes as long as that.
//
// The caller takes tasks from the first on, the first thread that helps from the last back, and so
// on in turn: jobs over the same columns, one after the other, find most of them in the cache of
// the thread that had them before, and yet nobody waits while there is a task.
//
// Whoever starts the threads lets them call help(); there may be any number of them, also none.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "types.h"

namespace daggnn {

class Crew {
 public:
  // Calls task(0), ..., task(count - 1) here and on the threads that help, and waits for all of
  // them. Passes on what a task throws. Two calls never overlap.
  void run(Index count, const std::function<void(Index)>& task) {
    task_ = &task;
    for (offset_ = 0; offset_ < count; offset_ += most) {
      run_some(std::min(most, count - offset_));
    }
    if (failure_) {
      std::exception_ptr failure;
      std::swap(failure, failure_);
      std::rethrow_exception(failure);
    }
  }

  // Works with run() until dismiss().
  void help() {
    const bool from_back = helpers_++ % 2 == 0;
    for (int idle = 0; !dismissed_.load(); ++idle) {
      if (work(from_back)) idle = 0;
      if (idle < patience) {
        linger(idle);
      } else {
        sleep();
        idle = 0;
      }
    }
  }

  void dismiss() {
    const std::lock_guard<std::mutex> lock(mutex_);
    dismissed_.store(true);
    wake_.notify_all();
  }

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

  static constexpr int patience = 4000;  // looks before a thread goes to sleep: some 0.2 ms
  static constexpr int polite = 500;     // looks before it lets others have the processor

  void run_some(Index count) {
    open_.store(count, std::memory_order_relaxed);
    tickets_.store(word(job_of(tickets_.load()) + 1, 0, count));
    if (sleepers_.load() > 0) {
      const std::lock_guard<std::mutex> lock(mutex_);
      wake_.notify_all();
    }
    work(false);
    for (int idle = 0; open_.load(std::memory_order_acquire) > 0; ++idle) linger(idle);
  }

  // Takes tasks as long as there are any; whether there was one.
  bool work(bool from_back) {
    bool any = false;
    std::uint64_t tickets = tickets_.load();
    while (first_of(tickets) < last_of(tickets)) {
      const Index first = first_of(tickets) + (from_back ? 0 : 1);
      const Index last = last_of(tickets) - (from_back ? 1 : 0);
      if (!tickets_.compare_exchange_weak(tickets, word(job_of(tickets), first, last))) continue;
      any = true;
      try {
        (*task_)(offset_ + (from_back ? last : first - 1));
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        failure_ = std::current_exception();
      }
      open_.fetch_sub(1, std::memory_order_release);
      tickets = tickets_.load();
    }
    return any;
  }

  static void linger(int idle) {
    if (idle % polite == polite - 1) {
      std::this_thread::yield();
      return;
    }
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  // Until the next job, even if others finish it first: one seldom comes alone.
  void sleep() {
    const std::uint64_t last = job_of(tickets_.load());
    std::unique_lock<std::mutex> lock(mutex_);
    ++sleepers_;
    wake_.wait(lock, [&] { return dismissed_.load() || job_of(tickets_.load()) != last; });
    --sleepers_;
  }

  // What threads look at while they wait has a cache line of its own.
  static constexpr std::size_t line = 64;
  alignas(line) std::atomic<std::uint64_t> tickets_{0};  // see word()
  const std::function<void(Index)>* task_ = nullptr;
  Index offset_ = 0;                          // of the tasks that tickets_ tells of
  alignas(line) std::atomic<Index> open_{0};  // tasks that are not done
  alignas(line) std::exception_ptr failure_;
  std::atomic<int> helpers_{0}, sleepers_{0};
  std::atomic<bool> dismissed_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace daggnn
