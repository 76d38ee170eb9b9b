// Parameters as plain numbers in a row, to be saved by anyone and read again.
#pragma once

#include <cmath>
#include <vector>

#include "base/types.h"

namespace daggnn {

class NumberWriter {
 public:
  void number(double value) { numbers_.push_back(value); }
  void count(Index value) { numbers_.push_back(static_cast<double>(value)); }
  void vector(const Vector& values) {
    count(values.size());
    numbers_.insert(numbers_.end(), values.data(), values.data() + values.size());
  }
  void matrix(const Matrix& values) {
    count(values.rows());
    count(values.cols());
    numbers_.insert(numbers_.end(), values.data(), values.data() + values.size());
  }
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  std::vector<double> numbers_;
};

// Reads in the order of writing. Numbers may have been changed since: every count is checked.
class NumberReader {
 public:
  NumberReader(const double* first, Index size) : next_(first), left_(size) {}
  double number() { return *take(1); }
  Index count() {
    // Beyond this no count can be right, and its conversion to an integer might overflow.
    constexpr double most = 1e9;
    const double value = number();
    if (!(value >= 0 && value <= most) || value != std::floor(value)) fail();
    return static_cast<Index>(value);
  }
  // Below a bound, such as the number of a variable.
  Index count_below(Index bound) {
    const Index value = count();
    if (value >= bound) fail();
    return value;
  }
  bool flag() { return count_below(2) == 1; }
  Vector vector() {
    const Index size = count();
    return Eigen::Map<const Vector>(take(size), size);
  }
  Vector vector(Index size) {
    Vector values = vector();
    if (values.size() != size) fail();
    return values;
  }
  Matrix matrix() {
    const Index rows = count(), columns = count();
    if (columns > 0 && rows > left_ / columns) fail();
    return Eigen::Map<const Matrix>(take(rows * columns), rows, columns);
  }
  Matrix matrix(Index rows, Index columns) {
    Matrix values = matrix();
    if (values.rows() != rows || values.cols() != columns) fail();
    return values;
  }
  void finish() const {
    if (left_ != 0) fail();
  }
  [[noreturn]] static void fail() {
    throw Error("The parameters saved with the network are damaged: learn it again.");
  }

 private:
  const double* take(Index size) {
    if (size > left_) fail();
    const double* const first = next_;
    next_ += size;
    left_ -= size;
    return first;
  }

  const double* next_;
  Index left_;
};

}  // namespace daggnn
