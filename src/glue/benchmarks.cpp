// What inst/benchmarks/threads.R measures.
#include <RcppEigen.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "base/enumeration.h"
#include "base/random.h"
#include "linalg/gemm.h"

#include "executor.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr daggnn::Name<Engine> engine_names[] = {{"pool", Engine::pool},
                                                 {"parallelFor", Engine::parallel_for}};

}  // namespace

// Seconds of each of `jobs` jobs of `tasks` tasks, a task being `steps` square roots one after the
// other.
// [[Rcpp::export]]
Rcpp::NumericVector time_jobs_cpp(const std::string& engine, int threads, int tasks, double steps,
                                  int jobs) {
  ParallelExecutor executor(threads, daggnn::from_name(engine_names, "engine", engine));
  std::vector<double> results(static_cast<std::size_t>(tasks));
  Rcpp::NumericVector seconds(jobs);
  for (double& each : seconds) {
    const Clock::time_point start = Clock::now();
    executor.run(tasks, [&](daggnn::Index k) {
      double x = static_cast<double>(k + 2);
      for (double step = 0; step < steps; ++step) x = std::sqrt(x + step);
      results[static_cast<std::size_t>(k)] = x;
    });
    each = seconds_since(start);
  }
  return seconds;
}

// Seconds of each of `times` products of n x m and m x m matrices, by the kernels and by Eigen.
// [[Rcpp::export]]
Rcpp::DataFrame time_products_cpp(int n, int m, int times) {
  daggnn::SerialExecutor executor;
  daggnn::Random random(1);
  daggnn::Matrix A(n, m), B(m, m), C(n, m);
  for (daggnn::Index e = 0; e < A.size(); ++e) A(e) = random.normal();
  for (daggnn::Index e = 0; e < B.size(); ++e) B(e) = random.normal();
  Rcpp::NumericVector kernels(times), eigen(times);
  for (int k = 0; k < times; ++k) {
    Clock::time_point start = Clock::now();
    daggnn::gemm(n, m, m, 1, {A.data(), n}, {B.data(), m}, 0, C.data(), n, executor);
    kernels[k] = seconds_since(start);
    start = Clock::now();
    C.noalias() = A * B;
    eigen[k] = seconds_since(start);
  }
  return Rcpp::DataFrame::create(Rcpp::_["kernels"] = kernels, Rcpp::_["eigen"] = eigen);
}
