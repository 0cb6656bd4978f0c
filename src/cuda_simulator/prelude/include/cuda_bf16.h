// SPDX-License-Identifier: MIT
// bfloat16 for simulated kernels: storage, conversions and arithmetic, rounded as the hardware does.
#ifndef YOKE_SIMULATOR_CUDA_BF16_H
#define YOKE_SIMULATOR_CUDA_BF16_H

#include <yoke_simulator/small_float.h>

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

YOKE_SIMULATOR_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat16_raw, __nv_bfloat162, __nv_bfloat162_raw, bfloat16, bfloat162, 8,
                           7)
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#endif
