// From samples to a network by local scores: which model of the families is used is decided by the
// same score, and the result says which and by how much.
//
//   effects   linear, additive (a smooth curve for each parent), index (curves of weighted sums of
//             the parents), joint (parents interact in any smooth way)
//   noise     a variance for each variable, or one for all in the units of the data
//   density   normal, or estimated from the residuals
// Discrete children have tables or multinomial logits; numeric children of discrete parents may
// have a regression for each configuration of these. Missing values are drawn several times, in
// turns with the search (imputation.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/enumeration.h"
#include "base/executor.h"
#include "base/observer.h"
#include "data/moments.h"
#include "data/samples.h"
#include "search/order_search.h"

namespace daggnn {

enum class Effects { automatic, linear, additive, index, joint };
enum class NoiseScale { automatic, own, common };
enum class NoiseDensity { automatic, normal, estimated };

constexpr Name<Effects> effects_names[] = {{"auto", Effects::automatic},
                                           {"linear", Effects::linear},
                                           {"additive", Effects::additive},
                                           {"index", Effects::index},
                                           {"joint", Effects::joint}};
constexpr Name<NoiseScale> noise_scale_names[] = {
    {"auto", NoiseScale::automatic}, {"own", NoiseScale::own}, {"common", NoiseScale::common}};
constexpr Name<NoiseDensity> density_names[] = {{"auto", NoiseDensity::automatic},
                                                {"normal", NoiseDensity::normal},
                                                {"estimated", NoiseDensity::estimated}};

// Everything that decides about edges stands here, with its reason.
struct StructureOptions {
  Effects effects = Effects::automatic;
  NoiseScale noise = NoiseScale::automatic;
  NoiseDensity density = NoiseDensity::automatic;
  // E edges among M pairs of variables are charged this times log C(M, E) beside their parameters:
  // of so many possible edges, a few would pay BIC's charge by chance (edge_charges.h).
  double edge_charge = 1.5;
  // However many edges there are, one more is charged this: a network that is dense already would
  // explain noise, or what the model does not know of, by more edges.
  double least_edge_charge = 1;
  // A family with curves is charged this times log(m): many families are tried.
  double curve_charge = 1;
  // A model replaces a simpler one that was tried before where it is better by this: of several
  // models, the best is better than the right one by chance.
  double model_charge = 2;
  // An edge between variables with heavy tails is charged this times the logarithms of the standard
  // deviation of either in units of its quartiles' distance, 0 for a normal distribution: a slope
  // that one outlier determines is known better than from n ordinary rows, and fits that row
  // always.
  double tail_charge = 1;
  // An estimated noise density is charged this, in units of the log-likelihood.
  double density_charge = 2;
  // And this for each parent: the estimate is made anew for each set of parents, which alone moves
  // its log-likelihood by about so much.
  double density_edge_charge = 1;
  // Index effects are charged this beside the curve charge, for the starts of their directions.
  double index_charge = 2;
  // Joint effects are charged this beside the curve charge, for the choice of the kernel.
  double joint_charge = 2;
  Index splines = 8;      // functions that a numeric variable offers
  Index intervals = 32;   // of the curve of an index, which may run through several waves
  Index index_terms = 3;  // curves of weighted sums that a family may have
  Index centres = 100;    // of the joint kernel
  // Index effects are tried up to so many variables and rows: their cost grows with both.
  Index index_variables = 100, index_rows = 20000;
  // Joint effects are tried up to so many variables and rows: their cost grows with both.
  Index joint_variables = 30, joint_rows = 3000;
  Index copies = 5;  // of the data, each with other draws of the missing values
  SearchOptions search;
};

struct Trial {
  std::string model;  // such as "additive, common variance"
  double score;
};

struct Structure {
  Network network;
  Matrix completed;  // the samples' values with the missing ones drawn, where there are some
  Matrix gains;      // as OrderSearch::gains()
  std::string effects, noise, density;
  std::vector<Trial> trials;
  Stop stop = Stop::none;
};

Structure learn_structure(const Samples& samples, const Matrix& allowed, const Matrix& required,
                          const StructureOptions& options, const std::vector<Index>& start,
                          Executor& executor, Observer& observer);

// The same for numbers whose rows are elsewhere: linear and additive effects, normal noise.
Structure learn_structure(const Moments& moments, const Matrix& allowed, const Matrix& required,
                          const StructureOptions& options, const std::vector<Index>& start,
                          Executor& executor, Observer& observer);

}  // namespace daggnn
