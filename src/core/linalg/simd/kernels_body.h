// The hot loops, written once in terms of short vectors and compiled for several instruction sets:
// kernels.cpp includes this file for each, with
//
// clang-format off
//   DAGGNN_SET      the namespace of the instruction set
//   DAGGNN_NAME     the same as a string
//   DAGGNN_TARGET   the attribute that lets the compiler use it
//   DAGGNN_LANES    doubles in a vector
//   DAGGNN_TALL     vectors in the rows of a tile of a matrix product
//   DAGGNN_WIDE     columns of the tile; TALL * WIDE sums stay in registers
// clang-format on
//
// Nothing from the standard library or Eigen is called here: an inline function compiled for a new
// instruction set could be the copy that the linker keeps for everyone.
// No include guard, here and in its parts: included more than once by design.

namespace daggnn {
namespace kernels {
namespace DAGGNN_SET {

// Each part uses those before it.
// clang-format off
#include "linalg/simd/kernels_vectors.h"
#include "linalg/simd/kernels_product.h"
#include "linalg/simd/kernels_perceptron.h"
#include "linalg/simd/kernels_segments.h"
#include "linalg/simd/kernels_smooth.h"
#include "linalg/simd/kernels_columns.h"
#include "linalg/simd/kernels_conditionals.h"
// clang-format on

#undef DAGGNN_INLINE

inline const Kernels& table() {
  static const Kernels kernels{
      DAGGNN_NAME,     panel,       DAGGNN_WIDE,      lanes,         pack,
      product,         mlp_forward, mlp_backward,     find_segments, smooth_forward,
      smooth_backward, moments,     rescale_backward, adam_step,     subtract_combination,
      conditionals};
  return kernels;
}

}  // namespace DAGGNN_SET
}  // namespace kernels
}  // namespace daggnn

#undef DAGGNN_SET
#undef DAGGNN_NAME
#undef DAGGNN_TARGET
#undef DAGGNN_LANES
#undef DAGGNN_TALL
#undef DAGGNN_WIDE
