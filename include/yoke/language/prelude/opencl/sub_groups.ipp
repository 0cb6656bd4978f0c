// SPDX-License-Identifier: MIT
// Sub-groups in OpenCL C, where a device has them: Khronos' and Intel's extensions, NVIDIA's warps.
R"yoke(//part sub_groups
//words yoke_sub_group_*

#ifdef YOKE_D_SUB_GROUPS_NVIDIA
// This compiler has no extension for them, but assembly.
YOKE_D_FUNCTION uint yoke_d_threads(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
YOKE_D_FUNCTION uint yoke_sub_group_id(void) { return (uint)get_local_linear_id() / 32; }
YOKE_D_FUNCTION uint yoke_sub_group_local_id(void) { return (uint)get_local_linear_id() % 32; }
YOKE_D_FUNCTION uint yoke_sub_group_count(void) { return (yoke_d_threads() + 31) / 32; }
YOKE_D_FUNCTION uint yoke_sub_group_size(void) { return min(32u, yoke_d_threads() - 32 * yoke_sub_group_id()); }
YOKE_D_FUNCTION uint yoke_d_lanes(void) { return ~0u >> (32 - yoke_sub_group_size()); }
YOKE_D_FUNCTION void yoke_sub_group_barrier(void) {
  asm volatile("bar.warp.sync %0;" : : "r"(yoke_d_lanes()) : "memory");
}
YOKE_D_FUNCTION uint yoke_d_ballot(int __predicate) {
  uint __set;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(__set)
               : "r"(__predicate), "r"(yoke_d_lanes()));
  return __set;
}
YOKE_D_FUNCTION int yoke_sub_group_any(int __predicate) { return yoke_d_ballot(__predicate) != 0; }
YOKE_D_FUNCTION int yoke_sub_group_all(int __predicate) { return yoke_d_ballot(__predicate) == yoke_d_lanes(); }
YOKE_D_FUNCTION yoke_uint64 yoke_sub_group_ballot(int __predicate) { return yoke_d_ballot(__predicate); }
#define YOKE_D_SHUFFLE(word, mode, bound, T) \
  YOKE_D_FUNCTION T yoke_sub_group_##word(T __a, uint __by) { \
    uint __result; \
    asm volatile("shfl.sync." mode ".b32 %0, %1, %2, " bound ", %3;" \
                 : "=r"(__result) \
                 : "r"(as_uint(__a)), "r"(__by), "r"(yoke_d_lanes())); \
    return as_##T(__result); \
  }
#define YOKE_D_SUB_GROUP(T) \
  YOKE_D_SHUFFLE(shuffle, "idx", "31", T) \
  YOKE_D_SHUFFLE(shuffle_xor, "bfly", "31", T) \
  YOKE_D_SHUFFLE(shuffle_up, "up", "0", T) \
  YOKE_D_SHUFFLE(shuffle_down, "down", "31", T) \
  YOKE_D_SHUFFLE(broadcast, "idx", "31", T)
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
#elif YOKE_HAS_SUB_GROUPS
#define yoke_sub_group_id() get_sub_group_id()
#define yoke_sub_group_local_id() get_sub_group_local_id()
#define yoke_sub_group_count() get_num_sub_groups()
#define yoke_sub_group_size() get_sub_group_size()
#define yoke_sub_group_any(predicate) sub_group_any(predicate)
#define yoke_sub_group_all(predicate) sub_group_all(predicate)
#define yoke_sub_group_broadcast(a, lane) sub_group_broadcast(a, lane)
#define yoke_sub_group_reduce_add(a) sub_group_reduce_add(a)
#define yoke_sub_group_reduce_min(a) sub_group_reduce_min(a)
#define yoke_sub_group_reduce_max(a) sub_group_reduce_max(a)
#define yoke_sub_group_scan_inclusive_add(a) sub_group_scan_inclusive_add(a)
#define yoke_sub_group_scan_exclusive_add(a) sub_group_scan_exclusive_add(a)
#define yoke_sub_group_barrier() sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#ifdef YOKE_D_SUB_GROUPS_KHRONOS
#define yoke_sub_group_shuffle(a, lane) sub_group_shuffle(a, lane)
#define yoke_sub_group_shuffle_xor(a, mask) sub_group_shuffle_xor(a, mask)
#define yoke_sub_group_shuffle_up(a, by) sub_group_shuffle_up(a, by)
#define yoke_sub_group_shuffle_down(a, by) sub_group_shuffle_down(a, by)
YOKE_D_FUNCTION yoke_uint64 yoke_sub_group_ballot(int __predicate) {
  uint4 __set = sub_group_ballot(__predicate);
  return (yoke_uint64)__set.x | (yoke_uint64)__set.y << 32;
}
#else
#define yoke_sub_group_shuffle(a, lane) intel_sub_group_shuffle(a, lane)
#define yoke_sub_group_shuffle_xor(a, mask) intel_sub_group_shuffle_xor(a, mask)
// PoCL 5 declares Intel's shuffles up and down and has none.
#define yoke_sub_group_shuffle_up(a, by) intel_sub_group_shuffle(a, yoke_d_lane_before((uint)(by)))
#define yoke_sub_group_shuffle_down(a, by) intel_sub_group_shuffle(a, yoke_d_lane_behind((uint)(by)))
YOKE_D_FUNCTION uint yoke_d_lane_before(uint __by) {
  uint __here = get_sub_group_local_id();
  return __here >= __by ? __here - __by : __here;
}
YOKE_D_FUNCTION uint yoke_d_lane_behind(uint __by) {
  uint __here = get_sub_group_local_id();
  return __by < get_sub_group_size() - __here ? __here + __by : __here;
}
YOKE_D_FUNCTION yoke_uint64 yoke_sub_group_ballot(int __predicate) {
  return sub_group_reduce_add(__predicate ? (ulong)1 << get_sub_group_local_id() : (ulong)0);
}
#endif
#endif
)yoke"
