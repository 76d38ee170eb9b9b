// The score of numeric children whose noise has an unknown density, estimated from the residuals
// (a score by their entropy, Nowzohour and Buehlmann 2016).
//
// Beside the evidence of Gaussian noise counts by how much a kernel density estimate of the
// residuals is better, each value judged by the estimate from the others, so that flexibility
// charges itself. The estimate is made of the residuals and of their inverse hyperbolic sines,
// which tames heavy tails, with several bandwidths. With linear effects this tells directions that
// Gaussian noise leaves open (LiNGAM, Shimizu et al. 2006).
#pragma once

#include <vector>

#include "scores/numeric_score.h"

namespace daggnn {

// The best density estimate of values with mean 0.
struct DensityChoice {
  double gain = 0;     // by how much its log-likelihood exceeds that of a normal distribution
  bool tamed = false;  // made of inverse hyperbolic sines
  double width = 1;    // of the kernel, in standard deviations of what the estimate is made of
};
DensityChoice choose_density(const Vector& values);
// t = asinh(2 y), where y has mean 0 and variance 1.
constexpr double taming = 2;
// A little of a wide normal density, so that a lone value far out does not count without bound.
constexpr double wide_share = 0.01, wide_spread = 3;

// Whether no value takes more than a small share of the rows: a kernel density estimate of rounded
// values would make much of the gaps between them.
bool seldom_repeats(const Vector& values);

class DensityScore final : public LocalScore {
 public:
  // The scores outlive this one. continuous: whether the values of a variable repeat so seldom that
  // it has a density; charge: for a density beside the normal one; edge_charge: then for each
  // parent.
  DensityScore(std::vector<const NumericScore*> kinds, std::vector<bool> continuous, double charge,
               double edge_charge);
  Index variables() const override { return kinds_.front()->variables(); }
  double value(Index child, const Parents& parents) const override;

 private:
  std::vector<const NumericScore*> kinds_;
  std::vector<bool> continuous_;
  double charge_, edge_charge_;
};

}  // namespace daggnn
