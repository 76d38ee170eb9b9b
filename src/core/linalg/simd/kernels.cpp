#include "linalg/simd/kernels.h"

#include <cstdint>

// GCC on Windows cannot align the stack to more than 16 bytes (GCC bug 54412), and wider vectors
// that are spilled there crash: the baseline it is.
#if defined(__x86_64__) && !defined(_WIN32)
#define DAGGNN_WIDE_VECTORS 1
#include <immintrin.h>
#else
#define DAGGNN_WIDE_VECTORS 0
#endif

#if DAGGNN_HAS_KERNELS

// Vectors of 16 bytes, which every 64-bit machine has.
#define DAGGNN_SET baseline
#define DAGGNN_NAME "baseline"
#define DAGGNN_TARGET
#define DAGGNN_LANES 2
#define DAGGNN_TALL 2
#define DAGGNN_WIDE 4
#include "linalg/simd/kernels_body.h"

#if DAGGNN_WIDE_VECTORS

#define DAGGNN_SET avx2
#define DAGGNN_NAME "avx2"
#define DAGGNN_TARGET __attribute__((target("avx2,fma")))
#define DAGGNN_LANES 4
#define DAGGNN_TALL 3
#define DAGGNN_WIDE 4
#include "linalg/simd/kernels_body.h"

#define DAGGNN_SET avx512
#define DAGGNN_NAME "avx512"
#define DAGGNN_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define DAGGNN_LANES 8
#define DAGGNN_TALL 3
#define DAGGNN_WIDE 8
#include "linalg/simd/kernels_body.h"

#endif  // DAGGNN_WIDE_VECTORS

namespace daggnn {

std::vector<const Kernels*> kernel_sets() {
  std::vector<const Kernels*> sets{&kernels::baseline::table()};
#if DAGGNN_WIDE_VECTORS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    sets.push_back(&kernels::avx2::table());
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    sets.push_back(&kernels::avx512::table());
  }
#endif
  return sets;
}

}  // namespace daggnn

#else

namespace daggnn {

std::vector<const Kernels*> kernel_sets() { return {}; }

}  // namespace daggnn

#endif

namespace daggnn {

const Kernels* fastest_kernels() {
  static const Kernels* const fastest = kernel_sets().empty() ? nullptr : kernel_sets().back();
  return fastest;
}

}  // namespace daggnn
