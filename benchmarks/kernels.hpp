// SPDX-License-Identifier: MIT
// The kernels of all contestants: 1, 8 and 16 parameters that do next to nothing, and one that keeps the device busy.
#ifndef YOKE_BENCHMARKS_KERNELS_HPP
#define YOKE_BENCHMARKS_KERNELS_HPP

namespace bench {

inline constexpr const char* source = R"(
YOKE_KERNEL one(YOKE_GLOBAL float* a) {
  if (get_global_id(0) == 0) a[0] = 1.0f;
}
YOKE_KERNEL eight(YOKE_GLOBAL float* a, YOKE_GLOBAL const float* b, YOKE_GLOBAL const float* c,
                  YOKE_GLOBAL const float* d, float x, float y, int m, int n) {
  if ((int)get_global_id(0) >= m + n) a[0] = b[0] + c[0] + d[0] + x + y;
}
YOKE_KERNEL sixteen(YOKE_GLOBAL float* a, YOKE_GLOBAL const float* b, YOKE_GLOBAL const float* c,
                    YOKE_GLOBAL const float* d, YOKE_GLOBAL const float* e, YOKE_GLOBAL const float* f,
                    YOKE_GLOBAL const float* g, YOKE_GLOBAL const float* h, float x, float y, float z, float w,
                    int k, int l, int m, int n) {
  if ((int)get_global_id(0) >= k + l + m + n)
    a[0] = b[0] + c[0] + d[0] + e[0] + f[0] + g[0] + h[0] + x + y + z + w;
}
YOKE_KERNEL busy(YOKE_GLOBAL float* a, int n) {
  float x = a[0];
  for (int i = 0; i < n; ++i) x = x * 0.999f + 0.5f;
  if (get_global_id(0) == 0) a[0] = x;
}
)";
using one = void(float*);
using eight = void(float*, const float*, const float*, const float*, float, float, int, int);
using sixteen = void(float*, const float*, const float*, const float*, const float*, const float*, const float*,
                     const float*, float, float, float, float, int, int, int, int);
using busy = void(float*, int);

/// The same in each backend's own words, for whoever does not compile with the library.
inline constexpr const char* opencl_words = R"(
#define YOKE_KERNEL kernel void
#define YOKE_GLOBAL global
)";
inline constexpr const char* cuda_words = R"(
#define YOKE_KERNEL extern "C" __global__ void
#define YOKE_GLOBAL
#define get_global_id(axis) (blockIdx.x * blockDim.x + threadIdx.x)
)";

inline constexpr unsigned block = 16;  ///< threads of each launch, in one block

}  // namespace bench

#endif
