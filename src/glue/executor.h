// RcppParallel's threads as the core's executor.
#pragma once

// RcppParallel's matrices are not used here, and their header uses what C++17 deprecates.
#define __RCPP_PARALLEL_RMATRIX__
#include <RcppParallel.h>

#if RCPP_PARALLEL_USE_TBB
#include <tbb/task_arena.h>
#endif

#include <map>
#include <memory>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "base/executor.h"
#include "base/thread_pool.h"

// The threads of a process do not survive fork(), which parallel::mclapply() calls: a child of a
// process that has used threads must work alone, or may wait for threads that are not there.
inline bool is_forked() {
#ifdef _WIN32
  return false;
#else
  static const pid_t home = getpid();
  return getpid() != home;
#endif
}

// Who hands out the tasks: the core's pool, whose workers are TBB's threads, or, where there is no
// TBB and for inst/benchmarks/threads.R, which compares the two, RcppParallel::parallelFor().
enum class Engine { pool, parallel_for };

// Two calls of run() never overlap: the core works from one thread.
class ParallelExecutor final : public daggnn::Executor {
 public:
  explicit ParallelExecutor(int threads, Engine engine = Engine::pool)
      : threads_(threads), alone_(threads == 1 || is_forked()), engine_(engine) {}
  ~ParallelExecutor() override {
#if RCPP_PARALLEL_USE_TBB
    if (pool_ && !is_forked()) pool_->shut_down();
#endif
  }
  ParallelExecutor(const ParallelExecutor&) = delete;
  ParallelExecutor& operator=(const ParallelExecutor&) = delete;

  int threads() const override { return threads_; }

  void run(daggnn::Index count, const std::function<void(daggnn::Index)>& task) override {
    if (alone_ || count <= 1) {
      for (daggnn::Index k = 0; k < count; ++k) task(k);
      return;
    }
#if RCPP_PARALLEL_USE_TBB
    if (engine_ == Engine::pool) {
      if (!pool_) pool_ = start_workers(threads_);
      pool_->run(count, task);
      return;
    }
#endif
    Tasks tasks(task);
    RcppParallel::parallelFor(0, static_cast<std::size_t>(count), tasks, 1, threads_);
  }

 private:
#if RCPP_PARALLEL_USE_TBB
  // RcppParallel::parallelFor() needs longer to find its threads than a small task takes. Here
  // TBB's threads come once and stay until the executor goes; where none is free, run() does all
  // the work alone. They share the ownership of the pool: one may start when the executor is gone.
  static std::shared_ptr<daggnn::ThreadPool> start_workers(int threads) {
    const auto pool = std::make_shared<daggnn::ThreadPool>();
    // More threads than the machine has would only be in each other's way.
    const int most = tbb::this_task_arena::max_concurrency();
    const int together = threads < most ? threads : most;
    for (int worker = 1; worker < together; ++worker) {
      arena(together).enqueue([pool] { pool->worker_loop(); });
    }
    return pool;
  }

  // One for each number of threads, for as long as the process lives: TBB does not give back all
  // the memory of an arena, so that one for each fit would grow without end.
  static tbb::task_arena& arena(int threads) {
    static auto& arenas = *new std::map<int, tbb::task_arena>;
    return arenas.try_emplace(threads, threads).first->second;
  }

  std::shared_ptr<daggnn::ThreadPool> pool_;
#endif
  struct Tasks : RcppParallel::Worker {
    const std::function<void(daggnn::Index)>& task;
    explicit Tasks(const std::function<void(daggnn::Index)>& task_) : task(task_) {}
    void operator()(std::size_t begin, std::size_t end) override {
      for (std::size_t k = begin; k < end; ++k) task(static_cast<daggnn::Index>(k));
    }
  };

  const int threads_;
  const bool alone_;  // R forks between two calls of ours, never within one
  const Engine engine_;
};
