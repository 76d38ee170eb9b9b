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
// Rows that are filtered together, so that their particles fit into the cache.
constexpr std::ptrdiff_t filtered_rows = 100;
// Particles are drawn anew where their number is more than this many times the number of equally
// weighted ones that would be worth as much.
constexpr double fewest_equal_particles = 2;
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
  std::vector<Parents> parents;
  for (const FittedFamily& family : families) parents.push_back(family.parents());
  return topological_order(parents);
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

double log_sum(const Eigen::Ref<const Vector>& logs) {
  const double most = logs.maxCoeff();
  return most + std::log((logs.array() - most).exp().sum());
}

// Which particles are kept, and how often: systematic resampling. weights: sum to 1.
std::vector<Index> resampled(const Vector& weights) {
  const Index size = weights.size();
  std::vector<Index> kept(static_cast<std::size_t>(size));
  Index place = 0;
  double sum = weights[0];
  for (Index s = 0; s < size; ++s) {
    const double wanted = (static_cast<double>(s) + 0.5) / static_cast<double>(size);
    while (sum < wanted && place + 1 < size) sum += weights[++place];
    kept[s] = place;
  }
  return kept;
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
  if (!whole.empty()) set_rows(whole, log_densities(rows_of(values, whole)));
  const std::vector<std::vector<NoiseDraw>> draws = spread_draws(columns());
  for (auto from = incomplete.begin(); from != incomplete.end();) {
    const auto to = from + std::min<std::ptrdiff_t>(filtered_rows, incomplete.end() - from);
    const std::vector<Index> rows(from, to);
    set_rows(rows, filtered_log_densities(rows_of(values, rows), draws));
    from = to;
  }
  return result;
}

Matrix Families::log_densities(const Matrix& complete) const {
  const Matrix outputs = outputs_of(complete, variables_);
  Matrix result(complete.rows(), static_cast<Index>(families_.size()));
  for (Index j = 0; j < result.cols(); ++j) {
    const Expected expected = families_[j].expect(outputs);
    for (Index r = 0; r < complete.rows(); ++r) {
      result(r, j) = families_[j].log_density(expected, r, complete);
    }
  }
  return result;
}

Matrix Families::filtered_log_densities(const Matrix& values,
                                        const std::vector<std::vector<NoiseDraw>>& draws) const {
  const Index n = values.rows(), size = static_cast<Index>(draws.size());
  // The particles of row r are the rows r, n + r, 2 n + r and so on.
  Matrix complete = values.replicate(size, 1), outputs = outputs_of(complete, variables_);
  Matrix log_weights = Matrix::Zero(size, n);
  Matrix result(n, static_cast<Index>(families_.size()));
  for (const Index j : order_) {
    const Expected expected = families_[j].expect(outputs);
    const Index first = variables_[j].first;
    for (Index r = 0; r < n; ++r) {
      const double before = log_sum(log_weights.col(r));
      const bool missing = values.row(r).segment(first, variables_[j].columns()).hasNaN();
      for (Index s = 0; s < size; ++s) {
        const Index row = s * n + r;
        log_weights(s, r) += families_[j].log_density(expected, row, complete);
        if (missing) families_[j].draw(expected, row, draws[s].data() + first, complete);
      }
      result(r, j) = log_sum(log_weights.col(r)) - before;
    }
    update_outputs(j, complete, outputs);
    for (Index r = 0; r < n; ++r) {
      const Vector weights = (log_weights.col(r).array() - log_sum(log_weights.col(r))).exp();
      if (weights.squaredNorm() * static_cast<double>(size) < fewest_equal_particles) continue;
      const std::vector<Index> kept = resampled(weights);
      Matrix own(size, complete.cols()), own_outputs(size, outputs.cols());
      for (Index s = 0; s < size; ++s) {
        own.row(s) = complete.row(kept[s] * n + r);
        own_outputs.row(s) = outputs.row(kept[s] * n + r);
      }
      for (Index s = 0; s < size; ++s) {
        complete.row(s * n + r) = own.row(s);
        outputs.row(s * n + r) = own_outputs.row(s);
      }
      log_weights.col(r).setZero();
    }
  }
  return result;
}

}  // namespace daggnn
