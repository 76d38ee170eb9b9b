// Missing values drawn given all that is observed in their row, by the families of a network.
//
// A missing value is drawn from its density given its parents times those of its children. Of
// a few levels these are all computed; a number is chosen among candidates drawn given the parents,
// and its value until now, by the densities of the children (iterated sampling importance
// resampling, Andrieu, Lee and Vihola 2018), so that curves and interactions are kept, which a
// regression of a parent on its children would smooth away.
#pragma once

#include "base/random.h"
#include "models/families.h"

namespace daggnn {

// values: complete, copies of the rows of `observed` below each other; those that are NaN in
// `observed` are drawn anew.
void draw_missing(const Families& families, const Eigen::Ref<const Matrix>& observed,
                  Matrix& values, int sweeps, Random& random);

}  // namespace daggnn
