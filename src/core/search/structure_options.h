// The models that are compared, and every constant that decides about edges, with its reason.
//
//   effects   linear, additive (a smooth curve for each parent), index (curves of weighted sums of
//             the parents), joint (parents interact in any smooth way)
//   noise     a variance for each variable, or one for all in the units of the data
//   density   normal, or estimated from the residuals
#pragma once

#include "base/enumeration.h"
#include "scores/index_score.h"
#include "scores/joint_score.h"
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

// When costly models are tried, and how hard: these decide how long a fit takes, and which effects
// it may overlook.
struct Tuning {
  // Searches whose families take milliseconds begin again from so many perturbed orders, with an
  // estimated density from so many.
  int costly_restarts = 2, density_restarts = 4;
  // They look at so many possible parents of a variable: those that explain most of it alone.
  Index costly_candidates = 12;
  // Index and joint effects are searched for where the families of the network gain by them. Where
  // there are no such effects, families gain this times log(m) for each variable, with so many rows
  // or more; with fewer rows, the less in proportion.
  double effects_by_chance = 0.5, rows_of_chance = 1000;
  // The same for densities and for curves of many variables: what each variable gains by chance.
  double gain_by_chance = 0.02;
  // With more variables, curves are searched for where straight lines leave a reason.
  Index always_curved = 20;
  int noise_rounds = 4;  // at most, of the common variance and the network in turns
  // Costly effects are not searched for again under one variance where this alone costs the network
  // more for each value: data with one variance lose less than 0.03 (decided on Gaussian
  // processes, perceptrons and MIM with 10 variables), since curves tell most directions without.
  double hopeless_loss = 0.2;
  // Turns of imputation and quick search before the search that counts; sweeps over the incomplete
  // variables before the first of them, and in each.
  int imputation_rounds = 3, first_sweeps = 3, later_sweeps = 2;
  Index least_copies = 2;  // of incomplete data, where joint effects are tried
};

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
  Index splines = 8;                           // functions that a numeric variable offers
  Index intervals = IndexOptions().intervals;  // of the curve of an index
  Index index_terms = IndexOptions().terms;    // curves of weighted sums that a family may have
  Index centres = JointOptions().centres;      // of the joint kernel
  // Index effects are tried up to so many variables and rows: their cost grows with both.
  Index index_variables = 100, index_rows = 20000;
  // Joint effects are tried up to so many variables and rows: their cost grows with both.
  Index joint_variables = 30, joint_rows = 3000;
  Index copies = 5;  // of the data, each with other draws of the missing values
  SearchOptions search;
  Tuning tuning;
};

}  // namespace daggnn
