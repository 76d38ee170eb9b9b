// RcppParallel as the core's executor.
#pragma once

// RcppParallel's matrices are not used here, and their header uses what C++17 deprecates.
#define __RCPP_PARALLEL_RMATRIX__
#include <RcppParallel.h>

#ifndef _WIN32
#include <unistd.h>
#endif

#include <daggnn/executor.h>

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

class ParallelExecutor final : public daggnn::Executor {
 public:
  explicit ParallelExecutor(int threads) : threads_(threads) {}

  int threads() const override { return threads_; }

  void run(daggnn::Index count, const std::function<void(daggnn::Index)>& task) override {
    if (threads_ == 1 || count <= 1 || is_forked()) {
      for (daggnn::Index k = 0; k < count; ++k) task(k);
      return;
    }
    Tasks tasks(task);
    RcppParallel::parallelFor(0, static_cast<std::size_t>(count), tasks, 1, threads_);
  }

 private:
  struct Tasks : RcppParallel::Worker {
    const std::function<void(daggnn::Index)>& task;
    explicit Tasks(const std::function<void(daggnn::Index)>& task_) : task(task_) {}
    void operator()(std::size_t begin, std::size_t end) override {
      for (std::size_t k = begin; k < end; ++k) task(static_cast<daggnn::Index>(k));
    }
  };

  int threads_;
};
