#include "structure/learner.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "scores/set_local_score.h"
#include "search/table_search.h"
#include "structure/curve_screening.h"
#include "structure/starting_orders.h"

namespace daggnn {

namespace {

// Differences below this are rounding.
constexpr double least_gain = 1e-6;

std::vector<bool> have_density(const Samples& samples, Executor& executor) {
  std::vector<char> continuous(static_cast<std::size_t>(samples.m()));
  executor.run(samples.m(), [&](Index j) {
    const Variable& variable = samples.variables[j];
    continuous[j] =
        samples.n() > 0 && variable.distribution() == Distribution::normal && variable.width == 1 &&
        seldom_repeats(samples.values.col(variable.first).head(samples.n() / samples.copies));
  });
  return std::vector<bool>(continuous.begin(), continuous.end());
}

double sum_over_families(const LocalScore& score, const Network& network) {
  double sum = 0;
  for (std::size_t j = 0; j < network.parents.size(); ++j) {
    sum += score.value(static_cast<Index>(j), network.parents[j]);
  }
  return sum;
}

Network no_network() {
  Network network;
  network.score = not_applicable;
  return network;
}

Parents all_but(Index variable, Index m) {
  Parents others(static_cast<std::size_t>(m));
  std::iota(others.begin(), others.end(), Index{0});
  others.erase(others.begin() + variable);
  return others;
}

}  // namespace

Learner::Learner(const Samples& samples, const EdgeRules& rules, const StructureOptions& options,
                 Executor& executor, Observer& observer, const Vector& tails)
    : samples_(samples),
      rules_(rules),
      options_(options),
      tuning_(options.tuning),
      executor_(executor),
      observer_(observer),
      log_m_(std::log(static_cast<double>(samples.m()))),
      log_n_(std::log(samples.effective_rows())),
      continuous_(have_density(samples, executor)),
      charges_(options.edge_charge, options.least_edge_charge, rules,
               options.tail_charge *
                   (tails.size() > 0 ? tails : tail_weights(samples, continuous_, executor))),
      searches_(rules, options.search, charges_, executor, observer),
      best_(no_network()),
      linear_density_(no_network()) {}

// ---- Models ----

Structure Learner::discrete(const std::vector<Index>& start) {
  const DiscreteScore counts(samples_, Score::bic, 1, 0, executor_);
  const SetLocalScore score(counts);
  Vector association(samples_.m());
  executor_.run(samples_.m(), [&](Index child) {
    std::vector<double> values;
    score.additions(child, {}, all_but(child, samples_.m()), values);
    const double alone = score.value(child, {});
    association[child] = 0;
    for (const double value : values) association[child] += std::max(0.0, value - alone);
  });
  result_.effects = "tables";
  keep("tables", search_tables(counts, samples_.n(), rules_, options_.search,
                               start.empty() ? order_by_association(association) : start, executor_,
                               observer_, result_.stop));
  result_.gains = OrderSearch(score, rules_, options_.search, executor_).gains(best_);
  result_.network = std::move(best_);
  return std::move(result_);
}

Structure Learner::general(const std::vector<Index>& start) {
  // Of many numbers, curves are made where straight lines are not enough.
  return general(make_features(samples_, many() ? 1 : options_.splines, executor_), start);
}

Structure Learner::general(Features features, const std::vector<Index>& start) {
  features_ = std::move(features);
  if (has(Distribution::categorical)) {
    others_.push_back(
        std::make_unique<CategoricalScore>(samples_, features_.values, features_.blocks));
    others_.push_back(
        std::make_unique<ConditionalGaussianScore>(samples_, features_.values, features_.blocks));
  }
  if (has(Distribution::poisson)) {
    others_.push_back(std::make_unique<PoissonScore>(samples_, features_.values, features_.blocks));
  }
  // Effects first, with a noise variance for each variable.
  result_.noise = "own variances";
  result_.density = "normal";
  try_linear(start);
  try_additive();
  try_index();
  try_joint();
  restart_costly();
  try_common_variance();
  const std::unique_ptr<DensityScore> density = choose_density();
  // Gains are differences of the score that the network was chosen by.
  return density ? finish(*all_of({density.get()})) : finish(*all_of(kinds_));
}

void Learner::try_linear(const std::vector<Index>& start) {
  linear_ =
      std::make_unique<AdditiveScore>(features_.values, features_.gram, samples_.effective_rows(),
                                      without_curves(features_.blocks), AdditiveOptions());
  linear_->set_rounding(features_.rounding);
  kinds_ = {linear_.get()};
  result_.effects = "linear";
  keep("linear",
       search(*all_of(kinds_), {in_order(start.empty() ? order_by_association(features_) : start),
                                options_.search.restarts}));
  // Noise that is not normal tells directions which curves would only imitate, at a higher cost.
  if (tries_density()) linear_density_ = search_density(kinds_, *density_of(kinds_));
}

void Learner::try_additive() {
  if (options_.effects == Effects::linear || !tries_curves()) return;
  if (many()) curved_ = make_features(samples_, options_.splines, executor_);
  const Features& curved = many() ? curved_ : features_;
  additive_ = std::make_unique<AdditiveScore>(curved.values, curved.gram, samples_.effective_rows(),
                                              curved.blocks,
                                              AdditiveOptions{0, options_.curve_charge * log_m_});
  additive_->set_rounding(features_.rounding);
  const Kinds kinds = {additive_.get()};
  const auto score = all_of(kinds);
  // Restarts only where curves pay at all: they cost much more than straight lines.
  const Candidates straight = std::exchange(searches_.candidates, {});
  Network found = search(*score, {in_order(reference().order)});
  if (found.score > best_.score + least_gain) {
    found = search(*score, {in_order(found.order), options_.search.restarts});
  }
  if (keep("additive", std::move(found))) {
    result_.effects = "additive";
    kinds_ = kinds;
  } else {
    searches_.candidates = straight;
  }
}

void Learner::try_index() {
  if (!additive_ || !tries(Effects::index, options_.index_variables, options_.index_rows)) return;
  IndexOptions index_options;
  index_options.index_charge = options_.curve_charge * log_m_ + options_.index_charge;
  index_options.intervals = options_.intervals;
  index_options.terms = options_.index_terms;
  index_ = std::make_unique<IndexScore>(features_.coordinates, features_.numeric,
                                        samples_.effective_rows(), index_options);
  index_->set_rounding(features_.rounding);
  if (options_.effects != Effects::index && !richer_pays(*additive_, *index_, 1)) return;
  const Kinds kinds = {additive_.get(), index_.get()};
  const EdgeRules among = promising(*additive_);
  if (keep("index", search(*all_of(kinds), {in_order(best_.order), 0, true, &among}))) {
    result_.effects = "index";
    kinds_ = kinds;
  }
}

void Learner::try_joint() {
  if (!additive_ || !tries(Effects::joint, options_.joint_variables, options_.joint_rows)) return;
  JointOptions joint_options;
  joint_options.joint_charge = options_.curve_charge * log_m_ + options_.joint_charge;
  joint_options.centres = options_.centres;
  joint_ = std::make_unique<JointScore>(features_.coordinates, features_.numeric,
                                        samples_.effective_rows(), joint_options);
  joint_->set_rounding(features_.rounding);
  if (options_.effects != Effects::joint && !richer_pays(*all_of(kinds_), *joint_, 2)) return;
  Kinds kinds = {additive_.get(), joint_.get()};
  if (result_.effects == "index") kinds.push_back(index_.get());
  const auto score = all_of(kinds);
  const EdgeRules among = promising(*additive_);
  Network found = search(*score, {in_order(best_.order), 0, true, &among});
  // Parents that interact may explain nothing one by one.
  if (samples_.m() - 1 <= tuning_.costly_candidates) {
    Network other = search(*score, {all_forward(found.order, among), 0, true, &among});
    if (other.score > found.score) found = std::move(other);
  }
  if (keep("joint", std::move(found))) {
    result_.effects = "joint";
    kinds_ = kinds;
  }
}

// Only of the effects that stay: their families take milliseconds.
void Learner::restart_costly() {
  if (!costly() || result_.stop != Stop::none) return;
  const EdgeRules among = promising(*additive_);
  Network found = search(*all_of(kinds_), {best_, tuning_.costly_restarts, true, &among});
  if (!(found.score > best_.score + least_gain)) return;
  for (Trial& trial : result_.trials) {
    if (trial.model == result_.effects) trial.score = found.score;
  }
  best_ = std::move(found);
}

// One noise variance for all variables, in the units of the data: kept where the evidence, with
// m - 1 parameters less, is better.
void Learner::try_common_variance() {
  const bool single = std::all_of(features_.numeric.begin(), features_.numeric.end(),
                                  [](bool each) { return each; });
  if (!single || options_.noise == NoiseScale::own || result_.stop != Stop::none) return;
  const Index m = samples_.m();
  const auto set_noise = [&](const NoiseVariances& noise) {
    for (NumericScore* kind : kinds_) kind->set_noise(noise);
  };
  // Orders of one class of equivalence have the same product of noise variances.
  double sum = 0;
  for (Index j = 0; j < m; ++j) sum += std::log(noise_variance(best_, j));
  NoiseVariances noise{features_.variances, std::exp(sum / static_cast<double>(m))};
  const auto score = all_of(kinds_);
  const double own = sum_over_families(*score, best_);
  set_noise(noise);
  const double loss = own - sum_over_families(*score, best_);
  const double values = samples_.effective_rows() * static_cast<double>(m);
  if (costly() && options_.noise == NoiseScale::automatic &&
      loss > tuning_.hopeless_loss * values) {
    set_noise({});
    return;
  }
  Network common = search(*score, {in_order(order_by_conditional_variance(features_, executor_))});
  Network other = search(*score, {in_order(best_.order)});
  if (other.score > common.score) common = std::move(other);
  const double parameters = static_cast<double>(m - 1) / 2 * log_n_;
  for (int round = 0; round < tuning_.noise_rounds; ++round) {
    const double before = noise.common;
    sum = 0;
    for (Index j = 0; j < m; ++j) sum += noise_variance(common, j);
    noise.common = sum / static_cast<double>(m);
    if (std::abs(noise.common / before - 1) < 1e-3) break;
    set_noise(noise);
    // Restarts only where a common variance is likely at all.
    const bool likely = common.score + parameters > best_.score;
    if (!likely && round > 0) break;
    const int restarts = costly() ? tuning_.costly_restarts : options_.search.restarts;
    common = search(*score, {in_order(common.order), likely ? restarts : 0});
  }
  // Charges guard the choice among many networks. Whether the variances are equal is one question,
  // and the charges of the network so far stand on both sides.
  common.score += parameters + charges_.exact(common) - charges_.exact(best_);
  if (options_.noise == NoiseScale::common) best_.score = not_applicable;
  if (keep(result_.effects + ", common variance", std::move(common))) {
    result_.noise = "common variance";
  } else {
    set_noise({});
  }
}

std::unique_ptr<DensityScore> Learner::choose_density() {
  if (!tries_density()) return nullptr;
  struct Model {
    std::string effects;
    Kinds kinds;
  };
  std::vector<Model> models = {{"linear", {linear_.get()}}};
  if (result_.effects != "linear") models.push_back({"additive", {additive_.get()}});
  if (costly()) models.push_back({result_.effects, kinds_});
  const bool forced = options_.density == NoiseDensity::estimated;
  if (forced) {
    best_.score = not_applicable;
    models.erase(models.begin(), models.end() - 1);
  }
  // Each noise has its own variance, but the common one may stay in the end.
  std::vector<NoiseVariances> noises;
  for (NumericScore* kind : kinds_) noises.push_back(kind->noise());
  std::unique_ptr<DensityScore> chosen;
  for (const Model& model : models) {
    for (NumericScore* kind : model.kinds) kind->set_noise({});
    std::unique_ptr<DensityScore> density = density_of(model.kinds);
    Network found = model.effects == "linear" ? std::move(linear_density_)
                                              : search_density(model.kinds, *density);
    if (!(found.score > not_applicable)) continue;
    if (keep(model.effects + ", estimated density", std::move(found))) {
      chosen = std::move(density);
      result_.effects = model.effects;
    }
  }
  if (chosen) {
    result_.density = "estimated";
    result_.noise = "own variances";
  } else {
    for (std::size_t k = 0; k < kinds_.size(); ++k) kinds_[k]->set_noise(noises[k]);
  }
  return chosen;
}

bool Learner::keep(const std::string& model, Network network) {
  result_.trials.push_back({model, network.score});
  const bool first = result_.trials.size() == 1;
  if (!first && !(network.score > best_.score + options_.model_charge)) return false;
  best_ = std::move(network);
  return true;
}

Structure Learner::finish(const LocalScore& score) {
  result_.gains = searches_.gains(score, best_);
  result_.network = std::move(best_);
  return std::move(result_);
}

// ---- Which models are tried ----

bool Learner::has(Distribution distribution) const {
  return std::any_of(samples_.variables.begin(), samples_.variables.end(),
                     [&](const auto& each) { return each.distribution() == distribution; });
}

bool Learner::only_numbers() const {
  return has_rows() &&
         std::all_of(samples_.variables.begin(), samples_.variables.end(), [](const auto& each) {
           return each.distribution() == Distribution::normal && each.width == 1;
         });
}

bool Learner::tries_curves() const {
  return samples_.m() <= tuning_.always_curved || !only_numbers() ||
         options_.effects != Effects::automatic ||
         curves_explain_more(samples_, *linear_, best_, rules_, charges_, options_, executor_);
}

bool Learner::tries(Effects effects, Index variables, Index rows) const {
  if (!has_rows()) return false;
  if (options_.effects == effects) return true;
  return options_.effects == Effects::automatic && samples_.m() <= variables &&
         samples_.n() <= rows * samples_.copies && result_.stop == Stop::none;
}

bool Learner::tries_density() const {
  return options_.density != NoiseDensity::normal && result_.stop == Stop::none &&
         std::find(continuous_.begin(), continuous_.end(), true) != continuous_.end();
}

const Network& Learner::reference() const {
  return linear_density_.score > best_.score ? linear_density_ : best_;
}

bool Learner::richer_pays(const LocalScore& cheap, const NumericScore& costly,
                          std::size_t least) const {
  Vector gain = Vector::Zero(samples_.m());
  const Network& network = reference();
  executor_.run(samples_.m(), [&](Index child) {
    Parents parents = network.parents[child];
    // What noise that is not normal tells of directions would be taken for interactions.
    if (parents.size() < least && &network == &linear_density_) return;
    const double known = network.scores[child] - charges_.of(child, parents);
    while (parents.size() < least) {
      Parents others;
      for (const Index i : all_but(child, samples_.m())) {
        if (!std::binary_search(parents.begin(), parents.end(), i)) others.push_back(i);
      }
      if (others.empty()) return;
      std::vector<double> values;
      cheap.additions(child, parents, others, values);
      const auto most = std::max_element(values.begin(), values.end());
      parents = with_parent(parents, others[static_cast<std::size_t>(most - values.begin())]);
    }
    const double simple = std::max(cheap.value(child, parents), known);
    const double rich = costly.value(child, parents) - charges_.of(child, parents);
    gain[child] = std::max(0.0, rich - simple);
  });
  // Of many families some gain by chance, or because another form of curve fits a little better.
  const double by_chance = tuning_.effects_by_chance * log_m_ * static_cast<double>(samples_.m()) *
                           std::min(1.0, samples_.effective_rows() / tuning_.rows_of_chance);
  return gain.sum() > options_.model_charge + by_chance;
}

double Learner::total_gain(const LocalScore& score, const LocalScore& than) const {
  Vector gain(samples_.m());
  executor_.run(samples_.m(), [&](Index j) {
    const Parents& parents = best_.parents[j];
    gain[j] = std::max(0.0, score.value(j, parents) - than.value(j, parents));
  });
  return gain.sum();
}

// ---- Scores and searches ----

std::unique_ptr<ChargedScore> Learner::all_of(std::vector<const LocalScore*> kinds,
                                              bool remember) const {
  for (const auto& other : others_) kinds.push_back(other.get());
  return std::make_unique<ChargedScore>(std::move(kinds), charges_, remember || !others_.empty());
}

Network Learner::search(const LocalScore& score, SearchPlan plan) {
  // As many as there are in the best network so far, or one for each variable, which is likely
  // enough where there are many.
  const Index so_far = number_of_edges(best_), one_each = samples_.m();
  plan.supposed = {so_far};
  if (so_far < one_each && plan.rules == nullptr) {
    if (many()) plan.supposed.clear();
    plan.supposed.push_back(one_each);
  }
  Network network = searches_.run(score, plan);
  if (searches_.stopped() != Stop::none) result_.stop = searches_.stopped();
  charges_.expect(number_of_edges(best_));
  return network;
}

EdgeRules Learner::promising(const LocalScore& cheap) const {
  const Index m = samples_.m();
  if (m - 1 <= tuning_.costly_candidates) return rules_;
  Matrix pairs = best_.adjacency();
  std::vector<Parents> strongest(static_cast<std::size_t>(m));
  executor_.run(m, [&](Index child) {
    const Parents others = all_but(child, m);
    std::vector<double> values;
    cheap.additions(child, {}, others, values);
    std::vector<std::size_t> order(others.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    for (Index k = 0; k < tuning_.costly_candidates; ++k) {
      strongest[child].push_back(others[order[k]]);
    }
  });
  for (Index j = 0; j < m; ++j) {
    for (const Index i : strongest[j]) pairs(i, j) = 1;
  }
  EdgeRules rules = rules_;
  for (Index j = 0; j < m; ++j) {
    for (Index i = 0; i < m; ++i) {
      if (pairs(i, j) + pairs(j, i) == 0 && !rules_.required(i, j)) rules.forbid(i, j);
    }
  }
  return rules;
}

double Learner::noise_variance(const Network& network, Index child) const {
  NumericScore::Choice best;
  for (const NumericScore* kind : kinds_) {
    const NumericScore::Choice choice = kind->choose(child, 0, network.parents[child]);
    if (choice.score > best.score) best = choice;
  }
  return std::max(best.unexplained, 1e-9) * features_.variances[child];
}

std::unique_ptr<DensityScore> Learner::density_of(const Kinds& kinds) const {
  return std::make_unique<DensityScore>(
      std::vector<const NumericScore*>(kinds.begin(), kinds.end()), continuous_,
      options_.density_charge, options_.density_edge_charge);
}

Network Learner::search_density(const Kinds& kinds, const DensityScore& density) {
  const auto score = all_of({&density}, true);
  const bool forced = options_.density == NoiseDensity::estimated;
  const double least =
      options_.model_charge + tuning_.gain_by_chance * static_cast<double>(samples_.m());
  if (!forced && !(total_gain(*score, *all_of(kinds)) > least)) return no_network();
  return search(*score,
                {in_order(best_.order),
                 kinds.size() > 1 ? tuning_.costly_restarts : tuning_.density_restarts, !many()});
}

}  // namespace daggnn
