#include "models/regression_form.h"

namespace daggnn {

Ridge::Ridge(NumberReader& reader, Index features) : direction(reader.vector(features)) {
  const double low = reader.number(), high = reader.number();
  const Index intervals = reader.count();
  if (!(high > low) || intervals < 1) NumberReader::fail();
  spline = UniformSpline(low, high, intervals);
  coefficients = reader.vector(spline.size());
}

void Ridge::write(NumberWriter& writer) const {
  writer.vector(direction);
  for (const double each : {spline.low(), spline.high()}) writer.number(each);
  writer.count(spline.intervals());
  writer.vector(coefficients);
}

Regression::Regression(NumberReader& reader, const std::vector<Variable>& variables,
                       const Parents& parents)
    : center(reader.number()),
      scale(reader.number()),
      spread(reader.number()),
      design(reader, variables, parents),
      coefficients(reader.vector(design.size())),
      centres(reader.matrix()),
      weights(reader.vector(centres.rows())),
      constant(reader.number()),
      length(reader.number()) {
  if (centres.rows() > 0 && centres.cols() != design.size()) NumberReader::fail();
  const Index count = reader.count();
  for (Index k = 0; k < count; ++k) ridges.emplace_back(reader, design.size());
}

void Regression::write(NumberWriter& writer) const {
  for (const double each : {center, scale, spread}) writer.number(each);
  design.write(writer);
  writer.vector(coefficients);
  writer.matrix(centres);
  writer.vector(weights);
  for (const double each : {constant, length}) writer.number(each);
  writer.count(static_cast<Index>(ridges.size()));
  for (const Ridge& ridge : ridges) ridge.write(writer);
}

Vector Regression::mean(const Matrix& outputs) const {
  const Matrix features = design.evaluate(outputs);
  Vector y = features * coefficients;
  for (Index c = 0; c < centres.rows(); ++c) {
    const auto squares = (features.rowwise() - centres.row(c)).rowwise().squaredNorm();
    y.array() += weights[c] * (-squares.array() / (2 * length * length)).exp();
  }
  for (const Ridge& ridge : ridges) {
    const Vector u = features * ridge.direction;
    for (Index r = 0; r < u.size(); ++r) y[r] += ridge.spline.evaluate(u[r], ridge.coefficients);
  }
  return center + scale * (y.array() - constant);
}

RegressionForm::RegressionForm(NumberReader& reader, const std::vector<Variable>& variables,
                               Index child, const Parents& parents) {
  for (Index k = 0; k < variables[child].width; ++k) {
    components_.emplace_back(reader, variables, parents);
  }
}

Expected RegressionForm::expect(const Matrix& outputs) const {
  const Index width = static_cast<Index>(components_.size());
  Expected expected{Matrix(outputs.rows(), width), Matrix(outputs.rows(), width)};
  for (Index k = 0; k < width; ++k) {
    const Regression& component = components_[static_cast<std::size_t>(k)];
    expected.mean.col(k) = component.mean(outputs);
    expected.spread.col(k).setConstant(component.spread);
  }
  return expected;
}

void RegressionForm::write(NumberWriter& writer) const {
  for (const Regression& component : components_) component.write(writer);
}

}  // namespace daggnn
