#include "models/families.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "graph/graph.h"
#include "likelihood/normal.h"
#include "linalg/submatrix.h"

namespace daggnn {

namespace {

// Of the numbers; a later one that this program does not know is an error.
constexpr double format = 2;
// Stored in files as numbers, in the order of the enumeration.
constexpr Index distributions = std::size(distribution_names);
// Draws of missing values over which a log-likelihood is averaged.
constexpr Index draws_of_missing = 50;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::vector<Variable> read_variables(NumberReader& reader) {
  if (reader.number() != format) NumberReader::fail();
  const Index m = reader.count();
  std::vector<Variable> variables;
  Index first = 0;
  for (Index j = 0; j < m; ++j) {
    const auto distribution = static_cast<Distribution>(reader.count_below(distributions));
    const bool discrete = distribution == Distribution::categorical;
    const Index width = reader.count();
    if (width < 1 || (distribution == Distribution::poisson && width > 1)) NumberReader::fail();
    variables.push_back({discrete ? Kind::discrete : Kind::continuous, width, first, 0,
                         discrete ? Distribution::normal : distribution});
    first += variables.back().columns();
  }
  return variables;
}

std::vector<Index> order_of(const std::vector<FittedFamily>& families) {
  const Index m = static_cast<Index>(families.size());
  Matrix edges = Matrix::Zero(m, m);
  for (Index j = 0; j < m; ++j) {
    for (const Index i : families[j].parents()) edges(i, j) = 1;
  }
  return topological_order(edges);
}

// x where the standard normal distribution function is p, by Newton's method.
double normal_quantile(double p) {
  double x = 0;
  for (int step = 0; step < 50; ++step) {
    const double density = std::exp(-(x * x + log_two_pi) / 2);
    const double change = (std::erfc(-x / std::sqrt(2)) / 2 - p) / density;
    x -= std::max(-1.0, std::min(1.0, change));
    if (std::abs(change) < 1e-12) break;
  }
  return x;
}

// A Latin hypercube: over the draws, the numbers of each column are evenly spread over their
// distribution. Every row has the same ones, so that the order of rows does not matter.
std::vector<std::vector<NoiseDraw>> spread_draws(Index columns) {
  const auto size = static_cast<std::size_t>(draws_of_missing);
  std::vector<std::vector<NoiseDraw>> draws(size, std::vector<NoiseDraw>(columns));
  std::vector<Index> place(size);
  for (Index k = 0; k < columns; ++k) {
    Random random(0, static_cast<std::uint64_t>(k));
    const auto shuffled = [&](std::size_t s) {
      return (static_cast<double>(place[s]) + 0.5) / static_cast<double>(size);
    };
    std::iota(place.begin(), place.end(), Index{0});
    random.shuffle(place);
    for (std::size_t s = 0; s < size; ++s) draws[s][k].uniform = shuffled(s);
    random.shuffle(place);
    for (std::size_t s = 0; s < size; ++s) draws[s][k].normal = normal_quantile(shuffled(s));
  }
  return draws;
}

}  // namespace

Families::Families(const FamilyData& data, const std::vector<Parents>& parents, Executor& executor)
    : variables_(data.samples().variables), layout_(variables_) {
  typical_ = data.outputs().colwise().mean().transpose();
  std::vector<std::unique_ptr<FittedFamily>> fitted(parents.size());
  executor.run(data.samples().m(), [&](Index j) {
    fitted[j] = std::make_unique<FittedFamily>(data.fit(j, parents[j]));
  });
  for (std::unique_ptr<FittedFamily>& family : fitted) families_.push_back(std::move(*family));
  order_ = order_of(families_);
}

Families::Families(const std::vector<double>& numbers) : layout_({}) {
  NumberReader reader(numbers.data(), static_cast<Index>(numbers.size()));
  variables_ = read_variables(reader);
  layout_ = OutputLayout(variables_);
  typical_ = reader.vector(layout_.columns);
  for (std::size_t j = 0; j < variables_.size(); ++j) {
    families_.emplace_back(reader, variables_, static_cast<Index>(j));
  }
  reader.finish();
  order_ = order_of(families_);
}

std::vector<double> Families::numbers() const {
  NumberWriter writer;
  writer.number(format);
  writer.count(static_cast<Index>(variables_.size()));
  for (const Variable& variable : variables_) {
    writer.count(static_cast<Index>(variable.distribution()));
    writer.count(variable.width);
  }
  writer.vector(typical_);
  for (const FittedFamily& family : families_) family.write(writer);
  return writer.numbers();
}

Index Families::columns() const {
  return variables_.empty() ? 0 : variables_.back().first + variables_.back().columns();
}

Vector Families::parameters() const {
  Vector parameters(static_cast<Index>(families_.size()));
  for (std::size_t j = 0; j < families_.size(); ++j) {
    parameters[static_cast<Index>(j)] = families_[j].parameters();
  }
  return parameters;
}

Matrix Families::predict(const Eigen::Ref<const Matrix>& values) const {
  Matrix outputs = outputs_of(values, variables_);
  Matrix expected(outputs.rows(), outputs.cols());
  for (const Index j : order_) {
    const Index first = layout_.first[j], width = variables_[j].width;
    expected.middleCols(first, width) = families_[j].expect(outputs).mean;
    for (Index k = first; k < first + width; ++k) {
      outputs.col(k) = outputs.col(k).array().isNaN().select(expected.col(k), outputs.col(k));
    }
  }
  return expected;
}

Matrix Families::simulate(Index n, const Matrix& edges, Random& random) const {
  Matrix values = Matrix::Constant(n, columns(), missing);
  Matrix outputs = typical_.transpose().replicate(n, 1);
  for (const Index j : order_) {
    const FittedFamily& family = families_[j];
    Matrix known;
    for (const Index i : family.parents()) {
      if (edges(i, j) != 0) continue;
      if (known.size() == 0) known = outputs;
      const Index first = layout_.first[i], width = variables_[i].width;
      known.middleCols(first, width) = typical_.segment(first, width).transpose().replicate(n, 1);
    }
    const Expected expected = family.expect(known.size() == 0 ? outputs : known);
    std::vector<NoiseDraw> from(static_cast<std::size_t>(variables_[j].columns()));
    for (Index r = 0; r < n; ++r) {
      for (NoiseDraw& each : from) each = {random.uniform(), random.normal()};
      family.draw(expected, r, from.data(), values);
    }
    update_outputs(j, values, outputs);
  }
  return values;
}

void Families::update_outputs(Index variable, const Matrix& values, Matrix& outputs) const {
  const Variable& of = variables_[variable];
  const Index first = layout_.first[variable];
  if (of.kind == Kind::continuous) {
    outputs.middleCols(first, of.width) = values.middleCols(of.first, of.width);
    return;
  }
  outputs.middleCols(first, of.width).setZero();
  for (Index r = 0; r < values.rows(); ++r) {
    outputs(r, first + static_cast<Index>(values(r, of.first))) = 1;
  }
}

Matrix Families::log_likelihood(const Eigen::Ref<const Matrix>& values) const {
  std::vector<Index> whole, incomplete;
  for (Index r = 0; r < values.rows(); ++r) {
    (values.row(r).array().isNaN().any() ? incomplete : whole).push_back(r);
  }
  Matrix result(values.rows(), static_cast<Index>(families_.size()));
  const auto set_rows = [&](const std::vector<Index>& rows, const Matrix& densities) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      result.row(rows[k]) = densities.row(static_cast<Index>(k));
    }
  };
  if (!whole.empty()) set_rows(whole, log_densities(rows_of(values, whole), {}));
  if (incomplete.empty()) return result;
  // The logarithm of the mean density over the draws, relative to the largest so far.
  const Matrix some = rows_of(values, incomplete);
  const std::vector<std::vector<NoiseDraw>> draws = spread_draws(columns());
  Matrix most = log_densities(some, draws[0]), sum = Matrix::Ones(most.rows(), most.cols());
  for (std::size_t s = 1; s < draws.size(); ++s) {
    const Matrix next = log_densities(some, draws[s]);
    const Matrix larger = most.cwiseMax(next);
    sum = sum.array() * (most - larger).array().exp() + (next - larger).array().exp();
    most = larger;
  }
  set_rows(incomplete, most.array() + (sum / static_cast<double>(draws.size())).array().log());
  return result;
}

Matrix Families::log_densities(const Matrix& values, const std::vector<NoiseDraw>& draws) const {
  Matrix complete = values, outputs = outputs_of(values, variables_);
  Matrix result(values.rows(), static_cast<Index>(families_.size()));
  for (const Index j : order_) {
    const Expected expected = families_[j].expect(outputs);
    for (Index r = 0; r < values.rows(); ++r) {
      result(r, j) = families_[j].log_density(expected, r, values);
      if (!values.row(r).segment(variables_[j].first, variables_[j].columns()).hasNaN()) continue;
      families_[j].draw(expected, r, draws.data() + variables_[j].first, complete);
    }
    update_outputs(j, complete, outputs);
  }
  return result;
}

}  // namespace daggnn
