// The models by name.
#pragma once

#include <memory>
#include <string>

#include "executor.h"
#include "linear_sem.h"
#include "model.h"
#include "samples.h"

namespace daggnn {

// allowed: m x m, 1 where an edge i -> j may be, else 0.
inline std::unique_ptr<Model> make_model(const std::string&, const Samples& samples,
                                         const Matrix& allowed, Executor&) {
  return std::make_unique<LinearSem>(samples, allowed);
}

}  // namespace daggnn
