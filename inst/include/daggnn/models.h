// The models by name.
#pragma once

#include <memory>
#include <string>

#include "executor.h"
#include "model.h"
#include "samples.h"
#include "vae.h"

namespace daggnn {

// allowed: m x m, 1 where an edge i -> j may be, else 0.
inline std::unique_ptr<Model> make_model(const std::string& name, const Samples& samples,
                                         const Matrix& allowed, const VaeOptions& vae,
                                         Executor& executor) {
  if (name == "vae") return std::make_unique<Vae>(samples, allowed, vae, executor);
  VaeOptions linear;
  linear.architecture = Architecture::linear;
  return std::make_unique<Vae>(samples, allowed, linear, executor);
}

}  // namespace daggnn
