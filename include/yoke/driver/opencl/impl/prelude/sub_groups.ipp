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
YOKE_D_FUNCTION uint yoke_d_ballot(int predicate) {
  uint set;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(set)
               : "r"(predicate), "r"(yoke_d_lanes()));
  return set;
}
YOKE_D_FUNCTION int yoke_sub_group_any(int predicate) { return yoke_d_ballot(predicate) != 0; }
YOKE_D_FUNCTION int yoke_sub_group_all(int predicate) { return yoke_d_ballot(predicate) == yoke_d_lanes(); }
YOKE_D_FUNCTION yoke_uint64 yoke_sub_group_ballot(int predicate) { return yoke_d_ballot(predicate); }
#define YOKE_D_SHUFFLE(word, mode, bound, T) \
  YOKE_D_FUNCTION T yoke_sub_group_##word(T a, uint by) { \
    uint result; \
    asm volatile("shfl.sync." mode ".b32 %0, %1, %2, " bound ", %3;" \
                 : "=r"(result) \
                 : "r"(as_uint(a)), "r"(by), "r"(yoke_d_lanes())); \
    return as_##T(result); \
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
YOKE_D_FUNCTION yoke_uint64 yoke_sub_group_ballot(int predicate) {
  uint4 set = sub_group_ballot(predicate);
  return (yoke_uint64)set.x | (yoke_uint64)set.y << 32;
}
#else
#define yoke_sub_group_shuffle(a, lane) intel_sub_group_shuffle(a, lane)
#define yoke_sub_group_shuffle_xor(a, mask) intel_sub_group_shuffle_xor(a, mask)
// PoCL 5 declares Intel's shuffles up and down and has none.
#define yoke_sub_group_shuffle_up(a, by) intel_sub_group_shuffle(a, yoke_d_lane_before((uint)(by)))
#define yoke_sub_group_shuffle_down(a, by) intel_sub_group_shuffle(a, yoke_d_lane_behind((uint)(by)))
YOKE_D_FUNCTION uint yoke_d_lane_before(uint by) {
  uint here = get_sub_group_local_id();
  return here >= by ? here - by : here;
}
YOKE_D_FUNCTION uint yoke_d_lane_behind(uint by) {
  uint here = get_sub_group_local_id();
  return by < get_sub_group_size() - here ? here + by : here;
}
YOKE_D_FUNCTION yoke_uint64 yoke_sub_group_ballot(int predicate) {
  return sub_group_reduce_add(predicate ? (ulong)1 << get_sub_group_local_id() : (ulong)0);
}
#endif
#endif
)yoke"
