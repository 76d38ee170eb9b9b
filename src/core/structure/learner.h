// Compares the models of a data set without missing values: each is searched for, and the one whose
// network has the best score stays.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scores/categorical_score.h"
#include "scores/conditional_gaussian_score.h"
#include "scores/density_score.h"
#include "scores/index_score.h"
#include "scores/joint_score.h"
#include "scores/poisson_score.h"
#include "structure.h"
#include "structure/charged_score.h"
#include "structure/charged_search.h"
#include "structure/features_of_data.h"

namespace daggnn {

class Learner {
 public:
  // All outlive the learner. Samples without rows have their features and the weights of their
  // tails from elsewhere.
  Learner(const Samples& samples, const EdgeRules& rules, const StructureOptions& options,
          Executor& executor, Observer& observer, const Vector& tails = {});

  // start: an order to begin with, or empty.
  Structure discrete(const std::vector<Index>& start);
  // Numbers, vectors and factors in any mixture.
  Structure general(const std::vector<Index>& start);
  Structure general(Features features, const std::vector<Index>& start);

 private:
  using Kinds = std::vector<NumericScore*>;

  // The models, in the order in which they are tried.
  void try_linear(const std::vector<Index>& start);
  void try_additive();
  void try_index();
  void try_joint();
  void restart_costly();
  void try_common_variance();
  // The density score whose network is better than what there was; none where there is no such.
  std::unique_ptr<DensityScore> choose_density();

  // Notes a trial; true where it is better than what there was.
  bool keep(const std::string& model, Network network);
  Structure finish(const LocalScore& score);

  bool has(Distribution distribution) const;
  // Whether there are residuals to look at, or all rows are elsewhere.
  bool has_rows() const { return samples_.n() > 0; }
  // Whether these are numbers, each of one column and with rows at hand.
  bool only_numbers() const;
  // Whether the search screens them, too: then curves are made only where they are searched for.
  bool many() const { return only_numbers() && samples_.m() > options_.search.unscreened; }
  bool tries_curves() const;
  bool tries(Effects effects, Index variables, Index rows) const;
  bool tries_density() const;
  bool costly() const { return result_.effects == "index" || result_.effects == "joint"; }

  // The best of these and of the scores for discrete ends of an edge.
  std::unique_ptr<ChargedScore> all_of(std::vector<const LocalScore*> kinds,
                                       bool remember = false) const;
  std::unique_ptr<ChargedScore> all_of(const Kinds& kinds) const {
    return all_of(std::vector<const LocalScore*>(kinds.begin(), kinds.end()));
  }
  // The plan's numbers of edges are chosen here.
  Network search(const LocalScore& score, SearchPlan plan);
  // The better of the best networks with normal noise and with linear effects and an estimated
  // density.
  const Network& reference() const;
  // Whether the families of the best network so far, or those with the parents that they lack to
  // have so many, are better by the costly score, by more than chance and what a model is charged.
  bool richer_pays(const LocalScore& cheap, const NumericScore& costly, std::size_t least) const;
  // The edges that costly scores are asked about: between a variable and its neighbours in the best
  // network so far, and those that explain most of it alone.
  EdgeRules promising(const LocalScore& cheap) const;
  // The noise variance of a child in the units of the data, as the best of the kinds leaves it.
  double noise_variance(const Network& network, Index child) const;
  std::unique_ptr<DensityScore> density_of(const Kinds& kinds) const;
  // The best network with these effects, a noise variance for each variable and this density; no
  // score where the density is not better in any family.
  Network search_density(const Kinds& kinds, const DensityScore& density);
  // By how much a score exceeds another in the families of the best network where it does.
  double total_gain(const LocalScore& score, const LocalScore& than) const;

  const Samples& samples_;
  const EdgeRules& rules_;
  const StructureOptions& options_;
  const Tuning& tuning_;
  Executor& executor_;
  Observer& observer_;
  const double log_m_, log_n_;
  const std::vector<bool> continuous_;  // numbers whose values seldom repeat
  EdgeCharges charges_;
  ChargedSearch searches_;

  Features features_, curved_;  // curved_: where there are many variables, with their curves
  std::vector<std::unique_ptr<LocalScore>> others_;  // of discrete children and parents
  std::unique_ptr<AdditiveScore> linear_, additive_;
  std::unique_ptr<IndexScore> index_;
  std::unique_ptr<JointScore> joint_;

  Kinds kinds_;             // the effects of the best network
  Network best_;            // with normal noise, until a density is chosen
  Network linear_density_;  // with linear effects and an estimated density
  Structure result_;
};

}  // namespace daggnn
