// SPDX-License-Identifier: MIT
// Reductions and scans over a work-group, in the dialect itself.
R"yoke(//part work_groups
//words yoke_work_group_*
// Every thread of the group calls them; `scratch` has an element for each.
#define YOKE_D_WORK_GROUP_TREE(T, name, expression) \
  YOKE_D_FUNCTION T yoke_work_group_reduce_##name(YOKE_LOCAL_POINTER T* scratch, T value) { \
    uint me = (uint)get_local_linear_id(); \
    scratch[me] = value; \
    YOKE_BARRIER_LOCAL(); \
    for (uint left = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)); left > 1;) { \
      uint half_of_it = (left + 1) / 2; \
      if (me < left / 2) { \
        T a = scratch[me]; \
        T b = scratch[me + half_of_it]; \
        scratch[me] = expression; \
      } \
      left = half_of_it; \
      YOKE_BARRIER_LOCAL(); \
    } \
    T result = scratch[0]; \
    YOKE_BARRIER_LOCAL(); \
    return result; \
  }
#define YOKE_D_WORK_GROUP(T) \
  YOKE_D_WORK_GROUP_TREE(T, add, a + b) \
  YOKE_D_WORK_GROUP_TREE(T, min, b < a ? b : a) \
  YOKE_D_WORK_GROUP_TREE(T, max, a < b ? b : a) \
  YOKE_D_FUNCTION T yoke_work_group_scan_inclusive_add(YOKE_LOCAL_POINTER T* scratch, T value) { \
    uint me = (uint)get_local_linear_id(); \
    uint size = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)); \
    scratch[me] = value; \
    YOKE_BARRIER_LOCAL(); \
    for (uint step = 1; step < size; step <<= 1) { \
      T before = me >= step ? scratch[me - step] : (T)0; \
      YOKE_BARRIER_LOCAL(); \
      if (me >= step) scratch[me] += before; \
      YOKE_BARRIER_LOCAL(); \
    } \
    T result = scratch[me]; \
    YOKE_BARRIER_LOCAL(); \
    return result; \
  } \
  YOKE_D_FUNCTION T yoke_work_group_scan_exclusive_add(YOKE_LOCAL_POINTER T* scratch, T value) { \
    uint me = (uint)get_local_linear_id(); \
    T sum = yoke_work_group_scan_inclusive_add(scratch, value); \
    scratch[me] = sum; \
    YOKE_BARRIER_LOCAL(); \
    T result = me == 0 ? (T)0 : scratch[me - 1]; \
    YOKE_BARRIER_LOCAL(); \
    return result; \
  } \
  YOKE_D_FUNCTION T yoke_work_group_broadcast(YOKE_LOCAL_POINTER T* scratch, T value, uint of_thread) { \
    if ((uint)get_local_linear_id() == of_thread) scratch[0] = value; \
    YOKE_BARRIER_LOCAL(); \
    T result = scratch[0]; \
    YOKE_BARRIER_LOCAL(); \
    return result; \
  }
YOKE_D_WORK_GROUP(int)
YOKE_D_WORK_GROUP(uint)
YOKE_D_WORK_GROUP(yoke_int64)
YOKE_D_WORK_GROUP(yoke_uint64)
YOKE_D_WORK_GROUP(float)
#if YOKE_HAS_FP64
YOKE_D_WORK_GROUP(double)
#endif
)yoke"
