// A generalised linear model: the outputs of a likelihood are linear in the parents' linear
// features. Levels have a multinomial logit, the last level's being 0; counts a log-linear rate.
#pragma once

#include <utility>

#include "likelihood/likelihood.h"
#include "models/design.h"
#include "models/family_form.h"

namespace daggnn {

class GeneralisedLinearForm final : public FamilyForm {
 public:
  // coefficients: (1 + features) x outputs, intercepts first; levels have an output less than there
  // are levels.
  GeneralisedLinearForm(Distribution distribution, Design design, Matrix coefficients)
      : distribution_(distribution),
        design_(std::move(design)),
        coefficients_(std::move(coefficients)) {}
  GeneralisedLinearForm(NumberReader& reader, const std::vector<Variable>& variables, Index child,
                        const Parents& parents);
  Expected expect(const Matrix& outputs) const override;
  void write(NumberWriter& writer) const override;

  Distribution distribution() const { return distribution_; }
  // What the first feature of the k-th parent adds to the first output.
  double slope(std::size_t k) const { return coefficients_(1 + design_.first(k), 0); }

 private:
  Distribution distribution_;
  Design design_;
  Matrix coefficients_;
};

}  // namespace daggnn
