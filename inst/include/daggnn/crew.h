// Threads that share the tasks of one job after another. In between they stay awake for a moment:
// training asks for several jobs in each step, of some 20 microseconds each, and waking a thread
// takes as long as that.
//
// Whoever starts the threads lets them call help(); there may be any number of them, also none.
#pragma once

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
    if (count <= 0) return;
    task_ = &task;
    open_.store(count, std::memory_order_relaxed);
    ++job_;
    tickets_.store((job_ << bits) | static_cast<std::uint64_t>(count));
    if (sleepers_.load() > 0) {
      const std::lock_guard<std::mutex> lock(mutex_);
      wake_.notify_all();
    }
    work();
    for (int idle = 0; open_.load(std::memory_order_acquire) > 0; ++idle) linger(idle);
    if (failure_) {
      std::exception_ptr failure;
      std::swap(failure, failure_);
      std::rethrow_exception(failure);
    }
  }

  // Works with run() until dismiss().
  void help() {
    for (int idle = 0; !dismissed_.load(); ++idle) {
      if (work()) idle = 0;
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
  static constexpr int bits = 32;
  static constexpr std::uint64_t left = (std::uint64_t{1} << bits) - 1;
  static constexpr int patience = 4000;  // looks before a thread goes to sleep: some 0.2 ms
  static constexpr int polite = 500;     // looks before it lets others have the processor

  // Takes tasks as long as there are any; whether there was one.
  bool work() {
    bool any = false;
    std::uint64_t tickets = tickets_.load();
    while ((tickets & left) > 0) {
      // The number of the job is part of it, so that nobody takes a task of a job that is over.
      if (!tickets_.compare_exchange_weak(tickets, tickets - 1)) continue;
      any = true;
      try {
        (*task_)(static_cast<Index>(tickets & left) - 1);
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
    const std::uint64_t last = tickets_.load() >> bits;
    std::unique_lock<std::mutex> lock(mutex_);
    ++sleepers_;
    wake_.wait(lock, [&] { return dismissed_.load() || tickets_.load() >> bits != last; });
    --sleepers_;
  }

  // The number of the job above, how many of its tasks nobody has taken yet below.
  std::atomic<std::uint64_t> tickets_{0};
  std::uint64_t job_ = 0;
  const std::function<void(Index)>* task_ = nullptr;
  std::atomic<Index> open_{0};  // tasks that are not done
  std::exception_ptr failure_;
  std::atomic<int> sleepers_{0};
  std::atomic<bool> dismissed_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace daggnn
