// Numbers given their parents: a sum of functions, one for each parent, curves of weighted sums of
// the parents, or one function of all.
#pragma once

#include <utility>
#include <vector>

#include "features/uniform_spline.h"
#include "models/design.h"
#include "models/family_form.h"

namespace daggnn {

// A curve of a weighted sum of features.
struct Ridge {
  Vector direction;
  UniformSpline spline;
  Vector coefficients;

  Ridge() = default;
  Ridge(NumberReader& reader, Index features);
  void write(NumberWriter& writer) const;
};

// y = center + scale * (features * coefficients + ridges + kernel with the centres * weights
//                       - constant)
struct Regression {
  double center = 0, scale = 1;
  double spread = 1;  // of the noise
  Design design;
  Vector coefficients;
  // The kernel is that of JointScore, on the features; no centres where effects are additive.
  Matrix centres;
  Vector weights;
  double constant = 0, length = 1;
  std::vector<Ridge> ridges;

  bool additive() const { return centres.rows() == 0 && ridges.empty(); }

  Regression() = default;
  Regression(NumberReader& reader, const std::vector<Variable>& variables, const Parents& parents);
  void write(NumberWriter& writer) const;
  Vector mean(const Matrix& outputs) const;
};

class RegressionForm final : public FamilyForm {
 public:
  explicit RegressionForm(std::vector<Regression> components)
      : components_(std::move(components)) {}
  RegressionForm(NumberReader& reader, const std::vector<Variable>& variables, Index child,
                 const Parents& parents);
  Expected expect(const Matrix& outputs) const override;
  void write(NumberWriter& writer) const override;

  const std::vector<Regression>& components() const { return components_; }

 private:
  std::vector<Regression> components_;
};

}  // namespace daggnn
