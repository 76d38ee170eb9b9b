// RcppParallel as the core's executor.
#pragma once

#include <RcppParallel.h>

#include <daggnn/executor.h>

class ParallelExecutor final : public daggnn::Executor {
 public:
  explicit ParallelExecutor(int threads) : threads_(threads) {}

  int threads() const override { return threads_; }

  void run(daggnn::Index count, const std::function<void(daggnn::Index)>& task) override {
    if (threads_ == 1 || count <= 1) {
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
