// Names that every header of the core shares.
#pragma once

#include <Eigen/Dense>
#include <stdexcept>
#include <string>

namespace daggnn {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using MatrixView = Eigen::Map<const Matrix>;

// A wish that cannot be met: the message is meant for the user.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace daggnn
