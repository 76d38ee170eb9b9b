#include "models/generalised_linear_form.h"

namespace daggnn {

GeneralisedLinearForm::GeneralisedLinearForm(NumberReader& reader,
                                             const std::vector<Variable>& variables, Index child,
                                             const Parents& parents)
    : distribution_(variables[child].distribution()), design_(reader, variables, parents) {
  const bool levels = distribution_ == Distribution::categorical;
  coefficients_ = reader.matrix(1 + design_.size(), variables[child].width - (levels ? 1 : 0));
}

void GeneralisedLinearForm::write(NumberWriter& writer) const {
  design_.write(writer);
  writer.matrix(coefficients_);
}

Expected GeneralisedLinearForm::expect(const Matrix& outputs) const {
  const Index slopes = coefficients_.rows() - 1, width = coefficients_.cols();
  const bool levels = distribution_ == Distribution::categorical;
  Matrix expected = Matrix::Zero(outputs.rows(), width + (levels ? 1 : 0));
  expected.leftCols(width) = design_.evaluate(outputs) * coefficients_.bottomRows(slopes);
  expected.leftCols(width).rowwise() += coefficients_.row(0);
  const Likelihood& likelihood = likelihood_of(distribution_);
  for (Index r = 0; r < expected.rows(); ++r) {
    likelihood.expect(expected.cols(), expected.rows(), &expected(r, 0));
  }
  return {std::move(expected), {}};
}

}  // namespace daggnn
