#include "likelihood/likelihood.h"

#include "likelihood/categorical.h"
#include "likelihood/normal.h"
#include "likelihood/poisson.h"

namespace daggnn {

const Likelihood& likelihood_of(Distribution distribution) {
  static const NormalLikelihood normal;
  static const CategoricalLikelihood categorical;
  static const PoissonLikelihood poisson;
  switch (distribution) {
    case Distribution::normal:
      return normal;
    case Distribution::categorical:
      return categorical;
    case Distribution::poisson:
      return poisson;
  }
  throw Error("this distribution has no likelihood");
}

}  // namespace daggnn
