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
#include "scores/joint_score.h"
#include "scores/memo_score.h"
#include "scores/set_local_score.h"

namespace daggnn {

namespace {

// A model must be better than a simpler one by more than rounding.
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
    features.variances[j] = (column.array() - column.mean()).square().mean();
    const Index linear = number && variable.width == 1 ? 1 : count;
    features.coordinates.push_back(parts[j].leftCols(linear));
    features.numeric.push_back(number && variable.width == 1);
    features.blocks.push_back({columns, linear, count - linear, number ? variable.width : 0,
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

std::vector<FeatureBlock> without_curves(std::vector<FeatureBlock> blocks) {
  for (FeatureBlock& block : blocks) block.smooth = 0;
  return blocks;
}

// Where all noises have one variance, the variable with the least variance given those before it
// comes next (Chen, Drton and Wang 2019).
std::vector<Index> order_by_conditional_variance(const Features& features) {
  const Index m = features.variances.size();
  Matrix S(m, m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      S(i, j) = features.gram(features.blocks[i].first, features.blocks[j].first) *
                std::sqrt(features.variances[i] * features.variances[j]);
    }
  }
  std::vector<Index> order;
  std::vector<bool> placed(static_cast<std::size_t>(m), false);
  while (static_cast<Index>(order.size()) < m) {
    Index next = -1;
    for (Index j = 0; j < m; ++j) {
      if (!placed[j] && (next < 0 || S(j, j) < S(next, next))) next = j;
    }
    placed[next] = true;
    order.push_back(next);
    const Vector column = S.col(next);
    S.noalias() -= column * column.transpose() / std::max(column[next], 1e-300);
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
        log_n_(std::log(samples.effective_rows())) {}

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
    keep("tables", search(score, start.empty() ? order_by_association(association) : start,
                          table_restarts * options_.search.restarts));
    return finish(score);
  }

  // Numbers, vectors and factors in any mixture.
  Structure general(const std::vector<Index>& start) {
    const Features features = make_features(samples_, options_.splines, executor_);
    const double n = samples_.effective_rows();
    const AdditiveOptions charges{options_.edge_charge * log_m_, options_.curve_charge * log_m_};
    AdditiveScore linear(features.values, features.gram, n, without_curves(features.blocks),
                         charges);
    AdditiveScore additive(features.values, features.gram, n, features.blocks, charges);
    const CategoricalScore categorical(samples_, features.values, features.blocks,
                                       charges.edge_charge);
    const ConditionalGaussianScore by_configuration(samples_, features.values, features.blocks,
                                                    charges.edge_charge);
    if (has(Kind::discrete)) others_ = {&categorical, &by_configuration};
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
    if (options_.effects != Effects::linear) {
      // Restarts only where curves pay at all: they cost much more than straight lines.
      Network curved = search(*all_of({&additive}), best_.order, 0);
      if (curved.score > best_.score + least_gain) {
        curved = search(*all_of({&additive}), curved.order, restarts);
      }
      if (keep("additive", std::move(curved))) {
        result_.effects = "additive";
        kinds = {&additive};
      }
    }
    if (tries_joint()) {
      JointOptions joint_options;
      joint_options.edge_charge = charges.edge_charge;
      joint_options.joint_charge = charges.curve_charge + options_.joint_charge;
      joint_options.centres = options_.centres;
      joint =
          std::make_unique<JointScore>(features.coordinates, features.numeric, n, joint_options);
      if (options_.effects == Effects::joint || joint_pays(additive, *joint)) {
        if (keep("joint",
                 search(*all_of({&additive, joint.get()}), best_.order, costly_restarts))) {
          result_.effects = "joint";
          kinds = {&additive, joint.get()};
        }
      }
    }
    const bool single = std::all_of(features.numeric.begin(), features.numeric.end(),
                                    [](bool each) { return each; });
    if (single) choose_noise(features, kinds);
    // Gains are differences of the score that the network was chosen by.
    const std::vector<bool> continuous = have_density();
    const DensityScore density({kinds.begin(), kinds.end()}, continuous, options_.density_charge);
    if (std::find(continuous.begin(), continuous.end(), true) != continuous.end()) {
      choose_density(density);
    }
    if (result_.density == "estimated") return finish(*all_of({&density}));
    return finish(*all_of({kinds.begin(), kinds.end()}));
  }

 private:
  static constexpr int costly_restarts = 2;  // of searches whose families take milliseconds

  bool has(Kind kind) const {
    return std::any_of(samples_.variables.begin(), samples_.variables.end(),
                       [&](const Variable& variable) { return variable.kind == kind; });
  }

  // The best of the scores and of those for discrete ends of an edge; remembered where these are
  // slow.
  class Combined final : public LocalScore {
   public:
    Combined(std::vector<const LocalScore*> kinds, bool remember)
        : best_(std::move(kinds)), memo_(best_), score_(remember ? memo_ : asked(best_)) {}
    Index variables() const override { return best_.variables(); }
    double value(Index child, const Parents& parents) const override {
      return score_.value(child, parents);
    }
    void additions(Index child, const Parents& parents, const Parents& candidates,
                   std::vector<double>& values) const override {
      score_.additions(child, parents, candidates, values);
    }

   private:
    static const LocalScore& asked(const LocalScore& score) { return score; }
    BestScore best_;
    MemoScore memo_;
    const LocalScore& score_;
  };

  std::unique_ptr<LocalScore> all_of(std::vector<const LocalScore*> kinds) const {
    kinds.insert(kinds.end(), others_.begin(), others_.end());
    return std::make_unique<Combined>(kinds, !others_.empty());
  }

  Network search(const LocalScore& score, const std::vector<Index>& from, int restarts) {
    SearchOptions search_options = options_.search;
    search_options.restarts = restarts;
    OrderSearch search(score, allowed_, required_, search_options, executor_);
    Network network = search.run(from, observer_);
    if (search.stopped() != Stop::none) result_.stop = search.stopped();
    return network;
  }

  // Notes a trial; true where it is better than what there was.
  bool keep(const std::string& model, Network network) {
    result_.trials.push_back({model, network.score});
    const bool first = result_.trials.size() == 1;
    if (!first && !(network.score > best_.score + least_gain)) return false;
    best_ = std::move(network);
    return true;
  }

  bool tries_joint() const {
    if (options_.effects == Effects::joint) return true;
    return options_.effects == Effects::automatic && samples_.m() <= options_.joint_variables &&
           samples_.n() <= options_.joint_rows * samples_.copies && result_.stop == Stop::none;
  }

  // Whether some family of the best network so far, or one with another parent that it lacks to
  // have two, is better jointly.
  bool joint_pays(const AdditiveScore& additive, const JointScore& joint) const {
    std::vector<char> pays(static_cast<std::size_t>(samples_.m()), 0);
    executor_.run(samples_.m(), [&](Index child) {
      Parents parents = best_.parents[child];
      while (parents.size() < 2) {
        Parents others;
        for (Index i = 0; i < samples_.m(); ++i) {
          if (i != child && !std::binary_search(parents.begin(), parents.end(), i))
            others.push_back(i);
        }
        if (others.empty()) return;
        std::vector<double> values;
        additive.additions(child, parents, others, values);
        const auto most = std::max_element(values.begin(), values.end());
        parents = with_parent(parents, others[static_cast<std::size_t>(most - values.begin())]);
      }
      pays[child] = joint.value(child, parents) > additive.value(child, parents);
    });
    return std::any_of(pays.begin(), pays.end(), [](char each) { return each != 0; });
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
    Network common = search(score, order_by_conditional_variance(features), 0);
    Network other = search(score, best_.order, 0);
    if (other.score > common.score) common = std::move(other);
    const double parameters = static_cast<double>(m - 1) / 2 * log_n_;
    for (int round = 0; round < noise_rounds; ++round) {
      const double before = noise.common;
      sum = 0;
      for (Index j = 0; j < m; ++j) sum += noise_variance(features, kinds, common, j);
      noise.common = sum / static_cast<double>(m);
      if (std::abs(noise.common / before - 1) < 1e-3) break;
      set_noise(noise);
      // Restarts only where a common variance is likely at all.
      const bool likely = common.score + parameters > best_.score && result_.effects != "joint";
      common = search(score, common.order, likely ? options_.search.restarts : 0);
    }
    common.score += parameters;
    const std::string name = result_.effects + ", common variance";
    if (options_.noise == NoiseScale::common) best_.score = not_applicable;
    if (keep(name, std::move(common))) {
      result_.noise = "common variance";
    } else {
      set_noise({});
    }
  }

  // The numbers whose values seldom repeat.
  std::vector<bool> have_density() const {
    std::vector<bool> continuous;
    for (const Variable& variable : samples_.variables) {
      continuous.push_back(
          variable.kind == Kind::continuous && variable.width == 1 &&
          seldom_repeats(samples_.values.col(variable.first).head(samples_.n() / samples_.copies)));
    }
    return continuous;
  }

  void choose_density(const DensityScore& density) {
    if (options_.density == NoiseDensity::normal || result_.stop != Stop::none) return;
    if (result_.noise == "common variance" && options_.density == NoiseDensity::automatic) return;
    std::vector<const LocalScore*> all = {&density};
    all.insert(all.end(), others_.begin(), others_.end());
    const Combined memo(all, true);
    if (options_.density == NoiseDensity::estimated) best_.score = not_applicable;
    if (keep(result_.effects + ", estimated density", search(memo, best_.order, density_restarts)))
      result_.density = "estimated";
  }

  Structure finish(const LocalScore& score) {
    OrderSearch search(score, allowed_, required_, options_.search, executor_);
    result_.gains = search.gains(best_);
    result_.network = std::move(best_);
    return std::move(result_);
  }

  static constexpr int density_restarts = 4;
  static constexpr int noise_rounds = 4;    // of the common variance and the network
  static constexpr int table_restarts = 3;  // times as many, since counting is fast

  const Samples& samples_;
  const Matrix &allowed_, &required_;
  const StructureOptions& options_;
  Executor& executor_;
  Observer& observer_;
  const double log_m_, log_n_;
  std::vector<const LocalScore*> others_;  // of discrete children and parents
  Network best_;
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

}  // namespace daggnn
