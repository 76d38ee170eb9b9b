// The models by name.
#pragma once

#include <memory>
#include <string>

#include "base/executor.h"
#include "data/samples.h"
#include "models/mechanism.h"
#include "models/model.h"
#include "models/vae.h"

namespace daggnn {

struct ModelOptions {
  std::string name;  // "vae" or "mechanism"
  VaeOptions vae;
  MechanismOptions mechanism;
};

// allowed: m x m, 1 where an edge i -> j may be, else 0. Samples and executor outlive the model.
std::unique_ptr<Model> make_model(const ModelOptions& options, const Samples& samples,
                                  const Matrix& allowed, Executor& executor);

}  // namespace daggnn
