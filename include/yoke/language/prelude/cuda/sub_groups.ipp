// SPDX-License-Identifier: MIT
// Sub-groups in CUDA C++: warps.
R"yoke(//part sub_groups
//words yoke_sub_group_*

YOKE_D_FUNCTION uint yoke_d_threads() { return blockDim.x * blockDim.y * blockDim.z; }
YOKE_D_FUNCTION uint yoke_sub_group_id() { return (uint)get_local_linear_id() / 32; }
YOKE_D_FUNCTION uint yoke_sub_group_local_id() { return (uint)get_local_linear_id() % 32; }
YOKE_D_FUNCTION uint yoke_sub_group_count() { return (yoke_d_threads() + 31) / 32; }
YOKE_D_FUNCTION uint yoke_sub_group_size() { return min(32u, yoke_d_threads() - 32 * yoke_sub_group_id()); }
YOKE_D_FUNCTION uint yoke_d_lanes() { return ~0u >> (32 - yoke_sub_group_size()); }
YOKE_D_FUNCTION void yoke_sub_group_barrier() { __syncwarp(yoke_d_lanes()); }
YOKE_D_FUNCTION int yoke_sub_group_any(int __predicate) { return __any_sync(yoke_d_lanes(), __predicate) != 0; }
YOKE_D_FUNCTION int yoke_sub_group_all(int __predicate) { return __all_sync(yoke_d_lanes(), __predicate) != 0; }
YOKE_D_FUNCTION yoke_uint64 yoke_sub_group_ballot(int __predicate) {
  return __ballot_sync(yoke_d_lanes(), __predicate);
}
#define YOKE_D_SUB_GROUP(T) \
  YOKE_D_FUNCTION T yoke_sub_group_shuffle(T __a, uint __lane) { return __shfl_sync(yoke_d_lanes(), __a, __lane); } \
  YOKE_D_FUNCTION T yoke_sub_group_shuffle_xor(T __a, uint __mask) { \
    return __shfl_xor_sync(yoke_d_lanes(), __a, __mask); \
  } \
  YOKE_D_FUNCTION T yoke_sub_group_shuffle_up(T __a, uint __by) { return __shfl_up_sync(yoke_d_lanes(), __a, __by); } \
  YOKE_D_FUNCTION T yoke_sub_group_shuffle_down(T __a, uint __by) { \
    return __shfl_down_sync(yoke_d_lanes(), __a, __by); \
  } \
  YOKE_D_FUNCTION T yoke_sub_group_broadcast(T __a, uint __lane) { return __shfl_sync(yoke_d_lanes(), __a, __lane); }
YOKE_D_SUB_GROUP(int)
YOKE_D_SUB_GROUP(uint)
YOKE_D_SUB_GROUP(float)
// Whole sub-groups, and the last one of a group, which may have fewer threads.
#define YOKE_D_SUB_GROUP_TREE(T, name, expression) \
  YOKE_D_FUNCTION T yoke_sub_group_reduce_##name(T __a) { \
    uint __lane = yoke_sub_group_local_id(); \
    uint __size = yoke_sub_group_size(); \
    for (uint __step = 16; __step > 0; __step >>= 1) { \
      T __b = yoke_sub_group_shuffle_down(__a, __step); \
      if (__lane + __step < __size) __a = expression; \
    } \
    return yoke_sub_group_shuffle(__a, 0); \
  }
#define YOKE_D_SUB_GROUP_SCANS(T) \
  YOKE_D_SUB_GROUP_TREE(T, add, __a + __b) \
  YOKE_D_SUB_GROUP_TREE(T, min, __b < __a ? __b : __a) \
  YOKE_D_SUB_GROUP_TREE(T, max, __a < __b ? __b : __a) \
  YOKE_D_FUNCTION T yoke_sub_group_scan_inclusive_add(T __a) { \
    uint __lane = yoke_sub_group_local_id(); \
    for (uint __step = 1; __step < 32; __step <<= 1) { \
      T __b = yoke_sub_group_shuffle_up(__a, __step); \
      if (__lane >= __step) __a += __b; \
    } \
    return __a; \
  } \
  YOKE_D_FUNCTION T yoke_sub_group_scan_exclusive_add(T __a) { \
    T __before = yoke_sub_group_shuffle_up(yoke_sub_group_scan_inclusive_add(__a), 1); \
    return yoke_sub_group_local_id() == 0 ? (T)0 : __before; \
  }
YOKE_D_SUB_GROUP_SCANS(int)
YOKE_D_SUB_GROUP_SCANS(uint)
YOKE_D_SUB_GROUP_SCANS(float)
)yoke"
