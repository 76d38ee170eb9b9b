#include "likelihood/categorical.h"

#include <algorithm>

namespace daggnn {

double softmax(Index levels, Index stride, const double* logits, double* probabilities) {
  double highest = logits[0], total = 0;
  for (Index k = 1; k < levels; ++k) highest = std::max(highest, logits[k * stride]);
  for (Index k = 0; k < levels; ++k) {
    total += probabilities[k * stride] = std::exp(logits[k * stride] - highest);
  }
  for (Index k = 0; k < levels; ++k) probabilities[k * stride] /= total;
  return highest + std::log(total);
}

Index draw_level(Index levels, Index stride, const double* probabilities, double uniform) {
  Index level = 0;
  while (level + 1 < levels && (uniform -= probabilities[level * stride]) >= 0) ++level;
  return level;
}

namespace {

class CategoricalLikelihood final : public Likelihood {
 public:
  double loss_forward_backward(const Observations& of) const override {
    double total = 0;
    for (Index r = 0; r < of.rows; ++r) {
      if (!of.is_seen(r)) {
        for (Index k = 0; k < of.width; ++k) of.doutputs[r + k * of.stride] = 0;
        continue;
      }
      const double log_total = softmax(of.width, of.stride, of.outputs + r, of.doutputs + r);
      for (Index k = 0; k < of.width; ++k) {
        const Index at = r + k * of.stride;
        total += of.x[at] * (log_total - of.outputs[at]);
        of.doutputs[at] = of.share * (of.doutputs[at] - of.x[at]);
      }
    }
    return of.share * total;
  }

  void expect(Index width, Index stride, double* outputs) const override {
    softmax(width, stride, outputs, outputs);
  }

  void outputs_of_expected(Index width, Index stride, double* expected) const override {
    for (Index k = 0; k < width; ++k) {
      expected[k * stride] = std::log(std::max(expected[k * stride], least_probability));
    }
  }

  double log_density(Index stride, const double* expected, double value) const override {
    return std::log(std::max(expected[static_cast<Index>(value) * stride], least_probability));
  }

  double draw(Index width, Index stride, const double* expected,
              const NoiseDraw& from) const override {
    return static_cast<double>(draw_level(width, stride, expected, from.uniform));
  }
};

}  // namespace

const Likelihood& categorical_likelihood() {
  static const CategoricalLikelihood likelihood;
  return likelihood;
}

}  // namespace daggnn
