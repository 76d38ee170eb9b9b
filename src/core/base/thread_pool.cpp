#include "base/thread_pool.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace daggnn {

void ThreadPool::run(Index count, const std::function<void(Index)>& task) {
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

void ThreadPool::worker_loop() {
  const bool from_back = workers_++ % 2 == 0;
  for (int idle = 0; !closed_.load(); ++idle) {
    if (work(from_back)) idle = 0;
    if (idle < spins_before_sleep) {
      spin(idle);
    } else {
      sleep();
      idle = 0;
    }
  }
}

void ThreadPool::shut_down() {
  const std::lock_guard<std::mutex> lock(mutex_);
  closed_.store(true);
  wake_.notify_all();
}

void ThreadPool::run_some(Index count) {
  open_.store(count, std::memory_order_relaxed);
  tickets_.store(word(job_of(tickets_.load()) + 1, 0, count));
  if (sleeping_.load() > 0) {
    const std::lock_guard<std::mutex> lock(mutex_);
    wake_.notify_all();
  }
  work(false);
  for (int idle = 0; open_.load(std::memory_order_acquire) > 0; ++idle) spin(idle);
}

bool ThreadPool::work(bool from_back) {
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

void ThreadPool::spin(int idle) {
  if (idle % spins_before_yield == spins_before_yield - 1) {
    std::this_thread::yield();
    return;
  }
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void ThreadPool::sleep() {
  const std::uint64_t last = job_of(tickets_.load());
  std::unique_lock<std::mutex> lock(mutex_);
  ++sleeping_;
  wake_.wait(lock, [&] { return closed_.load() || job_of(tickets_.load()) != last; });
  --sleeping_;
}

}  // namespace daggnn
