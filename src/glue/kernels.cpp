#include <RcppEigen.h>

#include "linalg/simd/kernels.h"

// The instruction set that the kernels use on this machine.
// [[Rcpp::export]]
std::string instruction_set_cpp() {
  const daggnn::Kernels* const kernels = daggnn::fastest_kernels();
  return kernels == nullptr ? "plain" : kernels->name;
}
