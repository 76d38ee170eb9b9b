#include "structure.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "data/imputation.h"
#include "features/contrasts.h"
#include "features/spline_basis.h"
#include "linalg/gemm.h"
#include "models/posterior_draws.h"
#include "scores/additive_score.h"
#include "scores/best_score.h"
#include "scores/categorical_score.h"
#include "scores/conditional_gaussian_score.h"
#include "scores/density_score.h"
#include "scores/index_score.h"
#include "scores/joint_score.h"
#include "scores/memo_score.h"
#include "scores/poisson_score.h"
#include "scores/set_local_score.h"
#include "search/table_search.h"

namespace daggnn {

namespace {

// Differences below this are rounding.
constexpr double least_gain = 1e-6;

// The features of all variables side by side, and their products.
struct Features {
  std::vector<FeatureBlock> blocks;
  Matrix values, gram;
  std::vector<Matrix> coordinates;  // the linear features of each variable
  std::vector<bool> numeric;
  Vector variances;  // of each variable's first column, in the units of the data
};

// With fewer rows for each level of a factor, its levels tell rows apart and nothing else.
constexpr double least_rows_per_level = 2;

// A variable that is discrete offers standardised contrasts of its levels that are uncorrelated,
// or nothing where it looks like an identifier; a vector its components; a number its splines.
Matrix features_of(const Samples& samples, const Variable& variable, Index splines) {
  if (variable.kind == Kind::discrete) {
    const Vector codes = samples.values.col(variable.first);
    std::vector<bool> seen(static_cast<std::size_t>(variable.width), false);
    for (Index r = 0; r < codes.size(); ++r) seen[static_cast<std::size_t>(codes[r])] = true;
    const auto levels = static_cast<double>(std::count(seen.begin(), seen.end(), true));
    if (levels * least_rows_per_level > samples.effective_rows()) return Matrix(samples.n(), 0);
    return contrasts(codes, variable.width);
  }
  if (variable.width == 1) {
    const Vector column = samples.values.col(variable.first);
    return SplineBasis(column, splines).evaluate(column);
  }
  Matrix columns = samples.values.middleCols(variable.first, variable.width);
  columns.rowwise() -= columns.colwise().mean().eval();
  for (Index k = 0; k < columns.cols(); ++k) {
    columns.col(k) /= std::sqrt(columns.col(k).squaredNorm() / static_cast<double>(samples.n()));
  }
  return columns;
}

Features make_features(const Samples& samples, Index splines, Executor& executor) {
  Features features;
  std::vector<Matrix> parts(static_cast<std::size_t>(samples.m()));
  executor.run(samples.m(),
               [&](Index j) { parts[j] = features_of(samples, samples.variables[j], splines); });
  Index columns = 0;
  features.variances.resize(samples.m());
  for (Index j = 0; j < samples.m(); ++j) {
    const Variable& variable = samples.variables[j];
    const auto column = samples.values.col(variable.first);
    const Index count = parts[j].cols();
    const bool number = variable.kind == Kind::continuous;
    const bool normal = variable.distribution() == Distribution::normal;
    features.variances[j] = (column.array() - column.mean()).square().mean();
    const Index linear = number && variable.width == 1 ? 1 : count;
    features.coordinates.push_back(parts[j].leftCols(linear));
    features.numeric.push_back(normal && variable.width == 1);
    features.blocks.push_back({columns, linear, count - linear, normal ? variable.width : 0,
                               variable.error / features.variances[j]});
    columns += count;
  }
  features.values.resize(samples.n(), columns);
  for (std::size_t j = 0; j < parts.size(); ++j) {
    features.values.middleCols(features.blocks[j].first, parts[j].cols()) = parts[j];
  }
  const Index n = samples.n();
  features.gram.resize(columns, columns);
  gemm(columns, columns, n, 1 / static_cast<double>(n), {features.values.data(), n, true},
       {features.values.data(), n}, 0, features.gram.data(), columns, executor);
  return features;
}

// Of data whose rows are elsewhere there are no values.
Features features_of(const Moments& moments) {
  Features features;
  Index columns = 0;
  for (const Index size : moments.sizes) {
    features.blocks.push_back({columns, 1, size - 1, 1});
    columns += size;
  }
  features.gram = moments.gram;
  features.variances = moments.variances;
  features.numeric.assign(moments.sizes.size(), true);
  return features;
}

std::vector<FeatureBlock> without_curves(std::vector<FeatureBlock> blocks) {
  for (FeatureBlock& block : blocks) block.smooth = 0;
  return blocks;
}

// Where all noises have one variance, the variable with the least variance given those before it
// comes next (Chen, Drton and Wang 2019).
std::vector<Index> order_by_conditional_variance(const Features& features, Executor& executor) {
  const Index m = features.variances.size();
  Matrix S(m, m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      S(i, j) = features.gram(features.blocks[i].first, features.blocks[j].first) *
                std::sqrt(features.variances[i] * features.variances[j]);
    }
  }
  // The rows of a Cholesky factor, a few at a time: what these explain is taken off S by one
  // product.
  constexpr Index panel = 32;
  Vector left = S.diagonal();
  Matrix rows(m, panel);
  std::vector<Index> order;
  std::vector<bool> placed(static_cast<std::size_t>(m), false);
  while (static_cast<Index>(order.size()) < m) {
    const Index count = std::min(panel, m - static_cast<Index>(order.size()));
    for (Index k = 0; k < count; ++k) {
      Index next = -1;
      for (Index j = 0; j < m; ++j) {
        if (!placed[j] && (next < 0 || left[j] < left[next])) next = j;
      }
      placed[next] = true;
      order.push_back(next);
      rows.col(k) = S.col(next);
      rows.col(k).noalias() -= rows.leftCols(k) * rows.row(next).head(k).transpose();
      rows.col(k) /= std::sqrt(std::max(left[next], 1e-300));
      left -= rows.col(k).cwiseAbs2();
    }
    gemm(m, m, count, -1, {rows.data(), m}, {rows.data(), m, true}, 1, S.data(), m, executor);
  }
  return order;
}

// The variables by how much they have to do with the others, so that neither names nor the order
// of columns decide where the search begins.
std::vector<Index> order_by_association(const Vector& association) {
  std::vector<Index> order(static_cast<std::size_t>(association.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return association[a] > association[b]; });
  return order;
}

Vector linear_association(const Features& features) {
  const Index m = features.variances.size();
  Vector association = Vector::Zero(m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      if (i == j || features.blocks[i].linear * features.blocks[j].linear == 0) continue;
      association[i] += std::abs(features.gram(features.blocks[i].first, features.blocks[j].first));
    }
  }
  return association;
}

// By how much the standard deviation of values exceeds what their quartiles tell of a normal
// distribution, as a logarithm; 0 where it does not.
double tail_weight(const Vector& values) {
  constexpr double normal_quartiles = 1.349;  // their distance in standard deviations
  std::vector<double> sorted(values.data(), values.data() + values.size());
  std::sort(sorted.begin(), sorted.end());
  const double range = sorted[3 * sorted.size() / 4] - sorted[sorted.size() / 4];
  const double spread = std::sqrt((values.array() - values.mean()).square().mean());
  return range > 0 ? std::max(0.0, std::log(spread / (range / normal_quartiles))) : 0;
}

// The numbers whose values seldom repeat.
std::vector<bool> have_density(const Samples& samples) {
  std::vector<bool> continuous;
  for (const Variable& variable : samples.variables) {
    continuous.push_back(
        samples.n() > 0 && variable.distribution() == Distribution::normal && variable.width == 1 &&
        seldom_repeats(samples.values.col(variable.first).head(samples.n() / samples.copies)));
  }
  return continuous;
}

Vector tail_weights(const Samples& samples, const std::vector<bool>& continuous) {
  Vector weights = Vector::Zero(samples.m());
  for (Index j = 0; j < samples.m(); ++j) {
    if (continuous[j]) weights[j] = tail_weight(samples.values.col(samples.variables[j].first));
  }
  return weights;
}

// What a set of parents is charged beside its parameters. The same for all equivalent networks with
// the same numbers of parents, since an edge is charged for the tails of both its ends.
class EdgeCharges {
 public:
  // tails: tail_weight() of each variable.
  EdgeCharges(const StructureOptions& options, Vector tails) : tails_(options.tail_charge * tails) {
    const Index candidates = tails_.size() - 1;
    const double all = static_cast<double>(candidates);
    for (Index parents = 0; parents <= candidates; ++parents) {
      const double k = static_cast<double>(std::min(parents, candidates / 2));
      sets_.push_back(options.edge_charge *
                      (std::lgamma(all + 1) - std::lgamma(k + 1) - std::lgamma(all - k + 1)));
    }
  }
  double of(Index child, const Parents& parents) const {
    double sum = sets_[parents.size()];
    for (const Index i : parents) sum += tails_[i] + tails_[child];
    return sum;
  }
  // Of one parent more, beside so many.
  double of_edge(std::size_t parents, Index child, Index candidate) const {
    return sets_[parents + 1] - sets_[parents] + tails_[candidate] + tails_[child];
  }
  double of(const Network& network) const {
    double sum = 0;
    for (std::size_t j = 0; j < network.parents.size(); ++j) {
      sum += of(static_cast<Index>(j), network.parents[j]);
    }
    return sum;
  }

 private:
  std::vector<double> sets_;  // of so many parents
  Vector tails_;
};

class Learner {
 public:
  Learner(const Samples& samples, const Matrix& allowed, const Matrix& required,
          const StructureOptions& options, Executor& executor, Observer& observer)
      : samples_(samples),
        allowed_(allowed),
        required_(required),
        options_(options),
        executor_(executor),
        observer_(observer),
        log_m_(std::log(static_cast<double>(samples.m()))),
        log_n_(std::log(samples.effective_rows())),
        continuous_(have_density(samples)),
        charges_(options, tail_weights(samples, continuous_)) {}

  Structure discrete(const std::vector<Index>& start) {
    const DiscreteScore counts(samples_, Score::bic, 1, 0, executor_);
    const SetLocalScore score(counts);
    Vector association(samples_.m());
    executor_.run(samples_.m(), [&](Index child) {
      Parents others;
      for (Index i = 0; i < samples_.m(); ++i) {
        if (i != child) others.push_back(i);
      }
      std::vector<double> values;
      score.additions(child, {}, others, values);
      const double alone = score.value(child, {});
      association[child] = 0;
      for (const double value : values) association[child] += std::max(0.0, value - alone);
    });
    result_.effects = "tables";
    keep("tables", search_tables(counts, samples_.n(), allowed_, required_, options_.search,
                                 start.empty() ? order_by_association(association) : start,
                                 executor_, observer_, result_.stop));
    return finish(score);
  }

  // Numbers, vectors and factors in any mixture.
  Structure general(const std::vector<Index>& start) {
    // Of many numbers, curves are made where straight lines are not enough.
    return general(make_features(samples_, many() ? 1 : options_.splines, executor_), start);
  }

  Structure general(const Features& features, const std::vector<Index>& start) {
    std::unique_ptr<const Features> with_curves;
    const double n = samples_.effective_rows();
    // Edges are charged in Combined, the same for all kinds.
    const AdditiveOptions charges{0, options_.curve_charge * log_m_};
    AdditiveScore linear(features.values, features.gram, n, without_curves(features.blocks),
                         charges);
    std::unique_ptr<AdditiveScore> additive;
    const CategoricalScore categorical(samples_, features.values, features.blocks);
    const ConditionalGaussianScore by_configuration(samples_, features.values, features.blocks);
    const PoissonScore poisson(samples_, features.values, features.blocks);
    if (has(Distribution::categorical)) others_ = {&categorical, &by_configuration};
    if (has(Distribution::poisson)) others_.push_back(&poisson);
    std::unique_ptr<IndexScore> index;
    std::unique_ptr<JointScore> joint;

    // Effects first, with a noise variance for each variable.
    const int restarts = options_.search.restarts;
    result_.effects = "linear";
    result_.noise = "own variances";
    result_.density = "normal";
    std::vector<NumericScore*> kinds = {&linear};
    keep("linear",
         search(*all_of({&linear}),
                start.empty() ? order_by_association(linear_association(features)) : start,
                restarts));
    // Noise that is not normal tells directions which curves would only imitate, at a higher cost.
    search_density({&linear});
    Network linear_density = estimated_;
    if (options_.effects != Effects::linear && tries_curves(linear)) {
      if (many()) {
        with_curves =
            std::make_unique<Features>(make_features(samples_, options_.splines, executor_));
      }
      const Features& curved = many() ? *with_curves : features;
      additive =
          std::make_unique<AdditiveScore>(curved.values, curved.gram, n, curved.blocks, charges);
      // Restarts only where curves pay at all: they cost much more than straight lines.
      const Candidates straight = std::exchange(candidates_, {});
      Network found = search(*all_of({additive.get()}), reference().order, 0);
      if (found.score > best_.score + least_gain) {
        found = search(*all_of({additive.get()}), found.order, restarts);
      }
      if (keep("additive", std::move(found))) {
        result_.effects = "additive";
        kinds = {additive.get()};
      } else {
        candidates_ = straight;
      }
    }
    if (additive != nullptr &&
        tries(Effects::index, options_.index_variables, options_.index_rows)) {
      IndexOptions index_options;
      index_options.index_charge = charges.curve_charge + options_.index_charge;
      index_options.intervals = options_.intervals;
      index_options.terms = options_.index_terms;
      index =
          std::make_unique<IndexScore>(features.coordinates, features.numeric, n, index_options);
      if (options_.effects == Effects::index || richer_pays(*additive, *index, 1)) {
        if (keep("index", search_among(promising(*additive), *all_of({additive.get(), index.get()}),
                                       best_.order, costly_restarts))) {
          result_.effects = "index";
          kinds = {additive.get(), index.get()};
        }
      }
    }
    if (additive != nullptr &&
        tries(Effects::joint, options_.joint_variables, options_.joint_rows)) {
      JointOptions joint_options;
      joint_options.edge_charge = charges.edge_charge;
      joint_options.joint_charge = charges.curve_charge + options_.joint_charge;
      joint_options.centres = options_.centres;
      joint =
          std::make_unique<JointScore>(features.coordinates, features.numeric, n, joint_options);
      const auto simpler = all_of({kinds.begin(), kinds.end()});
      if (options_.effects == Effects::joint || richer_pays(*simpler, *joint, 2)) {
        std::vector<NumericScore*> more = {additive.get(), joint.get()};
        if (result_.effects == "index") more.push_back(index.get());
        if (keep("joint", search_among(promising(*additive), *all_of({more.begin(), more.end()}),
                                       best_.order, costly_restarts))) {
          result_.effects = "joint";
          kinds = more;
        }
      }
    }
    const bool single = std::all_of(features.numeric.begin(), features.numeric.end(),
                                    [](bool each) { return each; });
    if (single) choose_noise(features, kinds);
    std::vector<std::vector<NumericScore*>> models = {{&linear}};
    if (result_.effects != "linear") models.push_back({additive.get()});
    if (costly()) models.push_back(kinds);
    const std::unique_ptr<DensityScore> density = choose_density(models, std::move(linear_density));
    // Gains are differences of the score that the network was chosen by.
    if (density) return finish(*all_of({density.get()}));
    return finish(*all_of({kinds.begin(), kinds.end()}));
  }

 private:
  // Of many families, some gain by a richer model although it is not the true one: so much for each
  // variable is no reason to search with it.
  static constexpr double chance_gain = 0.02;
  static constexpr Index first_curves = 2;        // squares and cubes, nearly
  static constexpr int costly_restarts = 2;       // of searches whose families take milliseconds
  static constexpr Index costly_candidates = 12;  // that explain most of a variable alone

  bool has(Distribution distribution) const {
    return std::any_of(
        samples_.variables.begin(), samples_.variables.end(),
        [&](const Variable& variable) { return variable.distribution() == distribution; });
  }

  // The best of the scores and of those for discrete ends of an edge, less the charge for the
  // number of parents; remembered where these are slow.
  class Combined final : public LocalScore {
   public:
    Combined(std::vector<const LocalScore*> kinds, const EdgeCharges& charges, bool remember)
        : best_(std::move(kinds)),
          memo_(best_),
          score_(remember ? memo_ : asked(best_)),
          charges_(charges) {}
    Index variables() const override { return best_.variables(); }
    double value(Index child, const Parents& parents) const override {
      return score_.value(child, parents) - charges_.of(child, parents);
    }
    void additions(Index child, const Parents& parents, const Parents& candidates,
                   std::vector<double>& values) const override {
      score_.additions(child, parents, candidates, values);
      const double so_far = charges_.of(child, parents);
      for (std::size_t k = 0; k < candidates.size(); ++k) {
        values[k] -= so_far + charges_.of_edge(parents.size(), child, candidates[k]);
      }
    }
    void removals(Index child, const Parents& parents, std::vector<double>& values) const override {
      score_.removals(child, parents, values);
      for (std::size_t k = 0; k < parents.size(); ++k) {
        values[k] -= charges_.of(child, without_parent(parents, k));
      }
    }
    void grow(Index child, Parents& parents, const Parents& candidates, Index maxp,
              const LeastGain& least) const override {
      score_.grow(child, parents, candidates, maxp, [&](std::size_t count, Index candidate) {
        return least(count, candidate) + charges_.of_edge(count, child, candidate);
      });
    }

   private:
    static const LocalScore& asked(const LocalScore& score) { return score; }
    BestScore best_;
    MemoScore memo_;
    const LocalScore& score_;
    const EdgeCharges& charges_;
  };

  std::unique_ptr<LocalScore> all_of(std::vector<const LocalScore*> kinds) const {
    kinds.insert(kinds.end(), others_.begin(), others_.end());
    return std::make_unique<Combined>(kinds, charges_, !others_.empty());
  }

  // recheck: whether pairs of variables that are no candidates are tried in the end.
  Network search(const LocalScore& score, const std::vector<Index>& from, int restarts,
                 bool recheck = true) {
    SearchOptions search_options = options_.search;
    search_options.restarts = restarts;
    search_options.recheck = recheck;
    OrderSearch search(score, allowed_, required_, search_options, executor_, &candidates_);
    return finished(search, from);
  }
  // With no other edges than these.
  Network search_among(const Matrix& allowed, const LocalScore& score,
                       const std::vector<Index>& from, int restarts) {
    SearchOptions search_options = options_.search;
    search_options.restarts = restarts;
    OrderSearch search(score, allowed, required_, search_options, executor_);
    return finished(search, from);
  }
  Network finished(OrderSearch& search, const std::vector<Index>& from) {
    Network network = search.run(from, observer_);
    if (search.stopped() != Stop::none) result_.stop = search.stopped();
    return network;
  }

  // Whether these are numbers, and so many that the search screens them: then a richer model is
  // searched for where the network found so far gives a reason to.
  bool many() const {
    return has_rows() && samples_.m() > options_.search.unscreened &&
           std::all_of(samples_.variables.begin(), samples_.variables.end(), [](const auto& each) {
             return each.distribution() == Distribution::normal && each.width == 1;
           });
  }

  bool tries_curves(const AdditiveScore& linear) const {
    return !many() || options_.effects != Effects::automatic || curves_pay(linear);
  }

  // Whether curves explain what the lines of the best network leave: curves of its edges, or of
  // edges that it lacks, of which the first `first_curves` functions are looked at.
  bool curves_pay(const AdditiveScore& linear) const {
    const Index m = samples_.m(), n = samples_.n();
    Matrix residuals(n, m);
    executor_.run(m, [&](Index child) {
      const Vector left = linear.residuals(child, 0, best_.parents[child], 0);
      residuals.col(child) = left / std::max(left.norm(), 1e-300);
    });
    const double rows = samples_.effective_rows();
    // The log evidence of a curve whose functions have these products with the residuals.
    const auto evidence = [&](const double* c, Index count, Index functions) {
      double best = 0;
      for (const double rho : {0.01, 0.1, 1.0, 10.0, 100.0}) {
        double left = 1, log_det = 0;
        for (Index k = 0; k < functions; ++k) {
          const double precision = static_cast<double>((k + 2) * (k + 2)) / (rows * rho);
          if (k < count) left -= c[k] * c[k] / (1 + precision);
          log_det += std::log1p(1 / precision);
        }
        best = std::max(best, -rows / 2 * std::log(std::max(left, 1e-9)) - log_det / 2);
      }
      return best - options_.curve_charge * log_m_;
    };
    Vector gain = Vector::Zero(m);  // of each child
    constexpr Index block = 64;     // variables at a time
    for (Index first = 0; first < m; first += block) {
      const Index count = std::min(block, m - first);
      std::vector<Matrix> curves(static_cast<std::size_t>(count));
      executor_.run(count, [&](Index k) {
        const Matrix all = features_of(samples_, samples_.variables[first + k], options_.splines);
        curves[k] = all.rightCols(all.cols() - 1) / std::sqrt(static_cast<double>(n));
      });
      Matrix looked = Matrix::Zero(n, count * first_curves), products(m, count * first_curves);
      for (Index k = 0; k < count; ++k) {
        const Index some = std::min(first_curves, curves[k].cols());
        looked.middleCols(k * first_curves, some) = curves[k].leftCols(some);
      }
      gemm(m, looked.cols(), n, 1, {residuals.data(), n, true}, {looked.data(), n}, 0,
           products.data(), m, executor_);
      executor_.run(m, [&](Index child) {
        for (Index k = 0; k < count; ++k) {
          const Index i = first + k;
          if (i == child || curves[k].cols() == 0 || allowed_(i, child) == 0) continue;
          const double edge =
              charges_.of_edge(best_.parents[child].size(), child, i) + std::log(rows) / 2;
          double found = 0;
          if (std::binary_search(best_.parents[child].begin(), best_.parents[child].end(), i)) {
            const Vector c = curves[k].transpose() * residuals.col(child);
            found = evidence(c.data(), c.size(), c.size());
          } else {
            const Vector c = products.row(child).segment(k * first_curves, first_curves);
            // No prior explains more than least squares do.
            if (-rows / 2 * std::log1p(-std::min(c.squaredNorm(), 1 - 1e-9)) < edge) continue;
            found = evidence(c.data(), c.size(), curves[k].cols()) - edge;
          }
          gain[child] = std::max(gain[child], found);
        }
      });
    }
    return gain.sum() > chance_gain * static_cast<double>(m);
  }

  // Notes a trial; true where it is better than what there was.
  bool keep(const std::string& model, Network network) {
    result_.trials.push_back({model, network.score});
    const bool first = result_.trials.size() == 1;
    if (!first && !(network.score > best_.score + options_.model_charge)) return false;
    best_ = std::move(network);
    return true;
  }

  // Whether there are residuals to look at, or all rows are elsewhere.
  bool has_rows() const { return samples_.n() > 0; }
  bool costly() const { return result_.effects == "index" || result_.effects == "joint"; }

  bool tries(Effects effects, Index variables, Index rows) const {
    if (!has_rows()) return false;
    if (options_.effects == effects) return true;
    return options_.effects == Effects::automatic && samples_.m() <= variables &&
           samples_.n() <= rows * samples_.copies && result_.stop == Stop::none;
  }

  // The better of the best networks with normal noise and with linear effects and an estimated
  // density.
  const Network& reference() const { return estimated_.score > best_.score ? estimated_ : best_; }

  // Whether the families of the best network so far, or those with the parents that they lack to
  // have so many, are better by the costly score, by more than a model is charged.
  bool richer_pays(const LocalScore& cheap, const NumericScore& costly, std::size_t least) const {
    Vector gain = Vector::Zero(samples_.m());
    executor_.run(samples_.m(), [&](Index child) {
      Parents parents = reference().parents[child];
      // What noise that is not normal tells of directions would be taken for interactions.
      if (parents.size() < least && &reference() == &estimated_) return;
      while (parents.size() < least) {
        Parents others;
        for (Index i = 0; i < samples_.m(); ++i) {
          if (i != child && !std::binary_search(parents.begin(), parents.end(), i))
            others.push_back(i);
        }
        if (others.empty()) return;
        std::vector<double> values;
        cheap.additions(child, parents, others, values);
        const auto most = std::max_element(values.begin(), values.end());
        parents = with_parent(parents, others[static_cast<std::size_t>(most - values.begin())]);
      }
      const double simple = std::max(cheap.value(child, parents), reference().scores[child]);
      const double rich = costly.value(child, parents) - charges_.of(child, parents);
      gain[child] = std::max(0.0, rich - simple);
    });
    return gain.sum() > options_.model_charge;
  }

  // The edges that costly scores are asked about: between a variable and its neighbours in the best
  // network so far, and those that explain most of it alone.
  Matrix promising(const LocalScore& cheap) const {
    const Index m = samples_.m();
    if (m - 1 <= costly_candidates) return allowed_;
    Matrix pairs = best_.adjacency();
    std::vector<Parents> strongest(static_cast<std::size_t>(m));
    executor_.run(m, [&](Index child) {
      Parents others;
      for (Index i = 0; i < m; ++i) {
        if (i != child) others.push_back(i);
      }
      std::vector<double> values;
      cheap.additions(child, {}, others, values);
      std::vector<std::size_t> order(others.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
      for (Index k = 0; k < costly_candidates; ++k) strongest[child].push_back(others[order[k]]);
    });
    for (Index j = 0; j < m; ++j) {
      for (const Index i : strongest[j]) pairs(i, j) = 1;
    }
    const Matrix either = pairs + pairs.transpose() + required_;
    return (either.array() != 0).select(allowed_, 0);
  }

  // The noise variance of a child in the units of the data, as the best of the kinds leaves it.
  static double noise_variance(const Features& features, const std::vector<NumericScore*>& kinds,
                               const Network& network, Index child) {
    NumericScore::Choice best;
    for (const NumericScore* kind : kinds) {
      const NumericScore::Choice choice = kind->choose(child, 0, network.parents[child]);
      if (choice.score > best.score) best = choice;
    }
    return std::max(best.unexplained, 1e-9) * features.variances[child];
  }

  // One noise variance for all variables, in the units of the data: kept where the evidence, with
  // m - 1 parameters less, is better.
  void choose_noise(const Features& features, const std::vector<NumericScore*>& kinds) {
    if (options_.noise == NoiseScale::own || result_.stop != Stop::none) return;
    const Index m = samples_.m();
    const auto set_noise = [&](const NoiseVariances& noise) {
      for (NumericScore* kind : kinds) kind->set_noise(noise);
    };
    // Orders of one class of equivalence have the same product of noise variances.
    double sum = 0;
    for (Index j = 0; j < m; ++j) sum += std::log(noise_variance(features, kinds, best_, j));
    NoiseVariances noise{features.variances, std::exp(sum / static_cast<double>(m))};
    const auto combined = all_of({kinds.begin(), kinds.end()});
    const LocalScore& score = *combined;
    set_noise(noise);
    Network common = search(score, order_by_conditional_variance(features, executor_), 0);
    Network other = search(score, best_.order, 0);
    if (other.score > common.score) common = std::move(other);
    const double parameters = static_cast<double>(m - 1) / 2 * log_n_;
    const int restarts = options_.search.restarts;
    for (int round = 0; round < noise_rounds; ++round) {
      const double before = noise.common;
      sum = 0;
      for (Index j = 0; j < m; ++j) sum += noise_variance(features, kinds, common, j);
      noise.common = sum / static_cast<double>(m);
      if (std::abs(noise.common / before - 1) < 1e-3) break;
      set_noise(noise);
      // Restarts only where a common variance is likely at all.
      const bool likely = common.score + parameters > best_.score;
      common = search(score, common.order, !likely ? 0 : costly() ? costly_restarts : restarts);
    }
    // Charges guard the choice among many sets of parents. Whether the variances are equal is one
    // question, and the charges of the network so far stand on both sides.
    common.score += parameters + charges_.of(common) - charges_.of(best_);
    const std::string name = result_.effects + ", common variance";
    if (options_.noise == NoiseScale::common) best_.score = not_applicable;
    if (keep(name, std::move(common))) {
      result_.noise = "common variance";
      common_noise_ = noise;
    } else {
      set_noise({});
    }
  }

  bool tries_density() const {
    return options_.density != NoiseDensity::normal && result_.stop == Stop::none &&
           std::find(continuous_.begin(), continuous_.end(), true) != continuous_.end();
  }

  // The best network with these effects, a noise variance for each variable and an estimated
  // density, into estimated_; no score where the density is not better in any family.
  std::unique_ptr<DensityScore> search_density(const std::vector<NumericScore*>& kinds) {
    estimated_ = Network();
    estimated_.score = not_applicable;
    if (!tries_density()) return nullptr;
    for (NumericScore* kind : kinds) kind->set_noise({});
    auto density = std::make_unique<DensityScore>(
        std::vector<const NumericScore*>(kinds.begin(), kinds.end()), continuous_,
        options_.density_charge, options_.density_edge_charge);
    std::vector<const LocalScore*> all = {density.get()};
    all.insert(all.end(), others_.begin(), others_.end());
    const Combined memo(all, charges_, true);
    const bool forced = options_.density == NoiseDensity::estimated;
    const double least = many() ? chance_gain * static_cast<double>(samples_.m()) : least_gain;
    if (forced || total_gain(memo, *all_of({kinds.begin(), kinds.end()})) > least) {
      estimated_ =
          search(memo, best_.order, kinds.size() > 1 ? costly_restarts : density_restarts, !many());
    }
    return density;
  }

  // The density score whose network is better than what there was; none where there is no such.
  // models: kinds of effects, the last those of the best network.
  std::unique_ptr<DensityScore> choose_density(
      const std::vector<std::vector<NumericScore*>>& models, Network linear) {
    if (!tries_density()) return nullptr;
    const bool forced = options_.density == NoiseDensity::estimated;
    if (forced) best_.score = not_applicable;
    std::unique_ptr<DensityScore> chosen;
    std::string effects;
    const std::string names[] = {"linear", "additive", result_.effects};
    for (std::size_t k = 0; k < models.size(); ++k) {
      if (forced && k + 1 < models.size()) continue;
      std::unique_ptr<DensityScore> density;
      if (k == 0) {
        for (NumericScore* kind : models[0]) kind->set_noise({});
        density = std::make_unique<DensityScore>(
            std::vector<const NumericScore*>(models[0].begin(), models[0].end()), continuous_,
            options_.density_charge, options_.density_edge_charge);
        estimated_ = std::move(linear);
      } else {
        density = search_density(models[k]);
      }
      if (!(estimated_.score > not_applicable)) continue;
      if (keep(names[k] + ", estimated density", std::move(estimated_))) {
        chosen = std::move(density);
        effects = names[k];
      }
    }
    if (chosen) {
      result_.density = "estimated";
      result_.noise = "own variances";
      result_.effects = effects;
    } else if (result_.noise == "common variance") {
      for (const std::vector<NumericScore*>& model : models) {
        for (NumericScore* kind : model) kind->set_noise(common_noise_);
      }
    }
    return chosen;
  }

  // By how much a score exceeds another in the families of the best network where it does.
  double total_gain(const LocalScore& score, const LocalScore& than) const {
    Vector gain(samples_.m());
    executor_.run(samples_.m(), [&](Index j) {
      const Parents& parents = best_.parents[j];
      gain[j] = std::max(0.0, score.value(j, parents) - than.value(j, parents));
    });
    return gain.sum();
  }

  Structure finish(const LocalScore& score) {
    OrderSearch search(score, allowed_, required_, options_.search, executor_, &candidates_);
    result_.gains = search.gains(best_);
    result_.network = std::move(best_);
    return std::move(result_);
  }

  static constexpr int density_restarts = 4;
  static constexpr int noise_rounds = 4;  // of the common variance and the network

  const Samples& samples_;
  const Matrix &allowed_, &required_;
  const StructureOptions& options_;
  Executor& executor_;
  Observer& observer_;
  const double log_m_, log_n_;
  const std::vector<bool> continuous_;
  EdgeCharges charges_;
  Candidates candidates_;                  // of the searches, where variables are screened
  std::vector<const LocalScore*> others_;  // of discrete children and parents
  NoiseVariances common_noise_;
  Network best_;       // with normal noise, until a density is chosen
  Network estimated_;  // with an estimated density
  Structure result_;
};

}  // namespace

namespace {

bool is_discrete(const Variable& variable) { return variable.kind == Kind::discrete; }

Structure learn_complete(const Samples& samples, const Matrix& allowed, const Matrix& required,
                         const StructureOptions& options, const std::vector<Index>& start,
                         Executor& executor, Observer& observer) {
  Learner learner(samples, allowed, required, options, executor, observer);
  if (std::all_of(samples.variables.begin(), samples.variables.end(), is_discrete)) {
    return learner.discrete(start);
  }
  return learner.general(start);
}

// Turns of imputation and quick search before the searches that count.
constexpr int imputation_rounds = 3;
constexpr int first_sweeps = 3, later_sweeps = 2;
constexpr Index least_copies = 2;  // where joint effects are tried

}  // namespace

Structure learn_structure(const Samples& samples, const Matrix& allowed, const Matrix& required,
                          const StructureOptions& options, const std::vector<Index>& start,
                          Executor& executor, Observer& observer) {
  if (!has_missing(samples)) {
    return learn_complete(samples, allowed, required, options, start, executor, observer);
  }
  // Joint effects are worth more than copies, and take as much longer as there are copies.
  const Index affordable = std::max(least_copies, options.joint_rows / samples.n());
  const bool joint = options.effects == Effects::joint || options.effects == Effects::automatic;
  const bool all_discrete =
      std::all_of(samples.variables.begin(), samples.variables.end(), is_discrete);
  const Index copies = joint && !all_discrete && samples.n() <= options.joint_rows &&
                               samples.m() <= options.joint_variables
                           ? std::min(options.copies, affordable)
                           : options.copies;
  Imputation imputation(samples, copies, options.search.seed);
  imputation.draw({}, first_sweeps);
  Random random(options.search.seed, 1);
  // Draws given the families of the network found, with the effects and the density that it has.
  const auto redraw = [&](const Structure& found) {
    FamilyOptions family_options{options};
    family_options.structure.effects = found.effects == "joint"    ? Effects::joint
                                       : found.effects == "linear" ? Effects::linear
                                                                   : Effects::additive;
    family_options.structure.density =
        found.density == "estimated" ? NoiseDensity::estimated : NoiseDensity::normal;
    const Samples completed = imputation.completed();
    const FamilyData data(completed, family_options);
    const Families families(data, found.network.parents, executor);
    draw_missing(families, samples.values, imputation.values(), later_sweeps, random);
  };
  StructureOptions quick = options;
  quick.search.restarts = 0;
  if (quick.effects == Effects::automatic) quick.effects = Effects::additive;
  quick.noise = NoiseScale::own;
  quick.density = NoiseDensity::normal;
  std::vector<Index> order = start;
  Stop stop = Stop::none;
  for (int round = 0; round < imputation_rounds && stop == Stop::none; ++round) {
    const Structure found =
        learn_complete(imputation.completed(), allowed, required, quick, order, executor, observer);
    order = found.network.order;
    stop = found.stop;
    redraw(found);
  }
  const auto learn = [&] {
    return learn_complete(imputation.completed(), allowed, required, options, order, executor,
                          observer);
  };
  Structure result = learn();
  // Effects and densities that the quick searches do not have tell more of the missing values.
  if ((result.effects == "joint" || result.density == "estimated") && result.stop == Stop::none) {
    redraw(result);
    order = result.network.order;
    result = learn();
  }
  result.completed = imputation.completed().values.topRows(samples.n());
  return result;
}

Structure learn_structure(const Moments& moments, const Matrix& allowed, const Matrix& required,
                          const StructureOptions& options, const std::vector<Index>& start,
                          Executor& executor, Observer& observer) {
  const std::size_t m = moments.sizes.size();
  Samples none(MatrixView(nullptr, 0, static_cast<Index>(m)),
               std::vector<Kind>(m, Kind::continuous), std::vector<Index>(m, 1));
  none.total = moments.n;
  Learner learner(none, allowed, required, options, executor, observer);
  return learner.general(features_of(moments), start);
}

}  // namespace daggnn
