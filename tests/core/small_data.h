// Small random data sets, their features as the scores take them, and threads for an executor.
#pragma once

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "base/executor.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "features/contrasts.h"
#include "features/spline_basis.h"
#include "scores/additive_score.h"

// gemm() keeps memory for each thread that calls it and frees it never; threads of a PoolExecutor
// end before the program does.
extern "C" const char* __lsan_default_suppressions() { return "leak:daggnn::gemm"; }

inline daggnn::Vector normal_vector(daggnn::Index n, daggnn::Random& random) {
  daggnn::Vector values(n);
  for (daggnn::Index r = 0; r < n; ++r) values[r] = random.normal();
  return values;
}

inline daggnn::Matrix normal_matrix(daggnn::Index n, daggnn::Index m, daggnn::Random& random) {
  daggnn::Matrix values(n, m);
  for (daggnn::Index j = 0; j < m; ++j) values.col(j) = normal_vector(n, random);
  return values;
}

// The edges of a random DAG whose order of variables is random too: m x m, 1 for an edge.
inline daggnn::Matrix random_edges(daggnn::Index m, double share, daggnn::Random& random) {
  std::vector<daggnn::Index> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), daggnn::Index{0});
  random.shuffle(order);
  daggnn::Matrix edges = daggnn::Matrix::Zero(m, m);
  for (std::size_t later = 0; later < order.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (random.uniform() < share) edges(order[earlier], order[later]) = 1;
    }
  }
  return edges;
}

// x_j = sum of effect(x_i) over its parents i + spread * noise, for the edges of a DAG.
template <class Effect>
daggnn::Matrix simulate(daggnn::Index n, const daggnn::Matrix& edges, double spread,
                        const Effect& effect, daggnn::Random& random) {
  const daggnn::Index m = edges.rows();
  daggnn::Matrix values(n, m);
  std::vector<bool> placed(static_cast<std::size_t>(m), false);
  for (daggnn::Index round = 0; round < m; ++round) {
    for (daggnn::Index j = 0; j < m; ++j) {
      bool ready = !placed[j];
      for (daggnn::Index i = 0; i < m; ++i) ready = ready && (edges(i, j) == 0 || placed[i]);
      if (!ready) continue;
      values.col(j) = spread * normal_vector(n, random);
      for (daggnn::Index i = 0; i < m; ++i) {
        if (edges(i, j) != 0) values.col(j) += values.col(i).unaryExpr(effect);
      }
      placed[j] = true;
    }
  }
  return values;
}

// Numeric variables with their splines side by side.
struct NumericFeatures {
  daggnn::Matrix values, gram;
  std::vector<daggnn::FeatureBlock> blocks;
  std::vector<daggnn::Matrix> coordinates;
  daggnn::Vector variances;
};

inline NumericFeatures numeric_features(const daggnn::Matrix& data, daggnn::Index splines) {
  NumericFeatures features;
  features.values.resize(data.rows(), data.cols() * splines);
  features.variances.resize(data.cols());
  daggnn::Index columns = 0;
  for (daggnn::Index j = 0; j < data.cols(); ++j) {
    const daggnn::Vector column = data.col(j);
    const daggnn::Matrix part = daggnn::SplineBasis(column, splines).evaluate(column);
    features.values.middleCols(columns, part.cols()) = part;
    features.blocks.push_back({columns, 1, part.cols() - 1, 1, 0});
    features.coordinates.push_back(part.leftCols(1));
    features.variances[j] = (column.array() - column.mean()).square().mean();
    columns += part.cols();
  }
  features.values.conservativeResize(Eigen::NoChange, columns);
  features.gram = features.values.transpose() * features.values / static_cast<double>(data.rows());
  return features;
}

// A thread pool with workers of its own.
class PoolExecutor final : public daggnn::Executor {
 public:
  explicit PoolExecutor(int threads) {
    for (int k = 1; k < threads; ++k) workers_.emplace_back([this] { pool_.worker_loop(); });
  }
  ~PoolExecutor() override {
    pool_.shut_down();
    for (std::thread& worker : workers_) worker.join();
  }
  int threads() const override { return static_cast<int>(workers_.size()) + 1; }
  void run(daggnn::Index count, const std::function<void(daggnn::Index)>& task) override {
    pool_.run(count, task);
  }

 private:
  daggnn::ThreadPool pool_;
  std::vector<std::thread> workers_;
};
