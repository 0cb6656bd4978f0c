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
YOKE_D_FUNCTION int yoke_sub_group_any(int predicate) { return __any_sync(yoke_d_lanes(), predicate) != 0; }
YOKE_D_FUNCTION int yoke_sub_group_all(int predicate) { return __all_sync(yoke_d_lanes(), predicate) != 0; }
YOKE_D_FUNCTION yoke_uint64 yoke_sub_group_ballot(int predicate) { return __ballot_sync(yoke_d_lanes(), predicate); }
#define YOKE_D_SUB_GROUP(T) \
  YOKE_D_FUNCTION T yoke_sub_group_shuffle(T a, uint lane) { return __shfl_sync(yoke_d_lanes(), a, lane); } \
  YOKE_D_FUNCTION T yoke_sub_group_shuffle_xor(T a, uint mask) { return __shfl_xor_sync(yoke_d_lanes(), a, mask); } \
  YOKE_D_FUNCTION T yoke_sub_group_shuffle_up(T a, uint by) { return __shfl_up_sync(yoke_d_lanes(), a, by); } \
  YOKE_D_FUNCTION T yoke_sub_group_shuffle_down(T a, uint by) { return __shfl_down_sync(yoke_d_lanes(), a, by); } \
  YOKE_D_FUNCTION T yoke_sub_group_broadcast(T a, uint lane) { return __shfl_sync(yoke_d_lanes(), a, lane); }
YOKE_D_SUB_GROUP(int)
YOKE_D_SUB_GROUP(uint)
YOKE_D_SUB_GROUP(float)
// Whole sub-groups, and the last one of a group, which may have fewer threads.
#define YOKE_D_SUB_GROUP_TREE(T, name, expression) \
  YOKE_D_FUNCTION T yoke_sub_group_reduce_##name(T a) { \
    uint lane = yoke_sub_group_local_id(); \
    uint size = yoke_sub_group_size(); \
    for (uint step = 16; step > 0; step >>= 1) { \
      T b = yoke_sub_group_shuffle_down(a, step); \
      if (lane + step < size) a = expression; \
    } \
    return yoke_sub_group_shuffle(a, 0); \
  }
#define YOKE_D_SUB_GROUP_SCANS(T) \
  YOKE_D_SUB_GROUP_TREE(T, add, a + b) \
  YOKE_D_SUB_GROUP_TREE(T, min, b < a ? b : a) \
  YOKE_D_SUB_GROUP_TREE(T, max, a < b ? b : a) \
  YOKE_D_FUNCTION T yoke_sub_group_scan_inclusive_add(T a) { \
    uint lane = yoke_sub_group_local_id(); \
    for (uint step = 1; step < 32; step <<= 1) { \
      T b = yoke_sub_group_shuffle_up(a, step); \
      if (lane >= step) a += b; \
    } \
    return a; \
  } \
  YOKE_D_FUNCTION T yoke_sub_group_scan_exclusive_add(T a) { \
    T before = yoke_sub_group_shuffle_up(yoke_sub_group_scan_inclusive_add(a), 1); \
    return yoke_sub_group_local_id() == 0 ? (T)0 : before; \
  }
YOKE_D_SUB_GROUP_SCANS(int)
YOKE_D_SUB_GROUP_SCANS(uint)
YOKE_D_SUB_GROUP_SCANS(float)
)yoke"
