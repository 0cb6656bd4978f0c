// SPDX-License-Identifier: MIT
// Half precision for simulated kernels: storage, conversions and arithmetic, rounded as the hardware does.
#ifndef YOKE_SIMULATOR_CUDA_FP16_H
#define YOKE_SIMULATOR_CUDA_FP16_H

#include <yoke_simulator/small_float.h>

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

YOKE_SIMULATOR_SMALL_FLOAT(__half, __half_raw, __half2, __half2_raw, half, half2, 5, 10)
using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

#endif
