// SPDX-License-Identifier: MIT
// Whole warps in OpenCL C, on NVIDIA's devices.
R"yoke(//part warps
//words yoke_warp_shuffle_up
#ifdef YOKE_D_SUB_GROUPS_NVIDIA
#define YOKE_D_WARP(T) \
  YOKE_D_FUNCTION T yoke_warp_shuffle_up(T __a, uint __by) { \
    uint __result; \
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(__result) : "r"(as_uint(__a)), "r"(__by)); \
    return as_##T(__result); \
  }
YOKE_D_WARP(int)
YOKE_D_WARP(uint)
YOKE_D_WARP(float)
#endif
)yoke"
