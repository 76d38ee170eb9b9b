// The form that the distribution of a child given its parents has, independent of the data that it
// was fitted to.
//
// clang-format off
//   RegressionForm         numbers           regression_form.h
//   ConfigurationsForm     numbers           table_forms.h
//   TableForm              levels            table_forms.h
//   GeneralisedLinearForm  levels, counts    generalised_linear_form.h
// clang-format on
// A parent's level need not be known: its probabilities then stand for it.
#pragma once

#include <memory>
#include <vector>

#include "base/numbers.h"
#include "data/samples.h"
#include "scores/local_score.h"

namespace daggnn {

// What the parents say of their child, a row for each row.
struct Expected {
  Matrix mean;    // of each component of a number; the probability of each level; the rate
  Matrix spread;  // standard deviation of the noise of each component; none for levels and counts
};

class FamilyForm {
 public:
  virtual ~FamilyForm() = default;
  // outputs: of all variables, complete for the parents.
  virtual Expected expect(const Matrix& outputs) const = 0;
  virtual void write(NumberWriter& writer) const = 0;
};

// A form with its kind, as numbers.
void write_form(const FamilyForm& form, NumberWriter& writer);
std::unique_ptr<FamilyForm> read_form(NumberReader& reader, const std::vector<Variable>& variables,
                                      Index child, const Parents& parents);

}  // namespace daggnn
