#include "models/registry.h"

namespace daggnn {

std::unique_ptr<Model> make_model(const ModelOptions& options, const Samples& samples,
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
