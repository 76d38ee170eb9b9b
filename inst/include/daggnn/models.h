// The models by name.
#pragma once

#include <memory>
#include <string>

#include "executor.h"
#include "mechanism.h"
#include "model.h"
#include "samples.h"
#include "vae.h"

namespace daggnn {

struct ModelOptions {
  std::string name;  // "vae" or "mechanism"
  VaeOptions vae;
  MechanismOptions mechanism;
};

// allowed: m x m, 1 where an edge i -> j may be, else 0. Samples and executor outlive the model.
inline std::unique_ptr<Model> make_model(const ModelOptions& options, const Samples& samples,
                                         const Matrix& allowed, Executor& executor) {
  if (options.name == "vae") {
    return std::make_unique<Vae>(samples, allowed, options.vae, executor);
  }
  if (options.name == "mechanism") {
    return std::make_unique<Mechanism>(samples, allowed, options.mechanism, executor);
  }
  throw Error("there is no model of this name");
}

}  // namespace daggnn
