#include "likelihood/likelihood.h"

#include "likelihood/categorical.h"
#include "likelihood/normal.h"
#include "likelihood/poisson.h"

namespace daggnn {

const Likelihood& likelihood_of(Distribution distribution) {
  switch (distribution) {
    case Distribution::normal:
      return normal_likelihood();
    case Distribution::categorical:
      return categorical_likelihood();
    case Distribution::poisson:
      return poisson_likelihood();
  }
  throw Error("this distribution has no likelihood");
}

}  // namespace daggnn
