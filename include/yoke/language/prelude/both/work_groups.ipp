// SPDX-License-Identifier: MIT
// Reductions and scans over a work-group, in the dialect itself.
R"yoke(//part work_groups
//words yoke_work_group_*
// Every thread of the group calls them; `scratch` has an element for each.
#define YOKE_D_WORK_GROUP_TREE(T, name, expression) \
  YOKE_D_FUNCTION T yoke_work_group_reduce_##name(YOKE_LOCAL_POINTER T* __scratch, T __value) { \
    uint __me = (uint)get_local_linear_id(); \
    __scratch[__me] = __value; \
    YOKE_BARRIER_LOCAL(); \
    for (uint __left = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)); __left > 1;) { \
      uint __half_of_it = (__left + 1) / 2; \
      if (__me < __left / 2) { \
        T __a = __scratch[__me]; \
        T __b = __scratch[__me + __half_of_it]; \
        __scratch[__me] = expression; \
      } \
      __left = __half_of_it; \
      YOKE_BARRIER_LOCAL(); \
    } \
    T __result = __scratch[0]; \
    YOKE_BARRIER_LOCAL(); \
    return __result; \
  }
#define YOKE_D_WORK_GROUP(T) \
  YOKE_D_WORK_GROUP_TREE(T, add, __a + __b) \
  YOKE_D_WORK_GROUP_TREE(T, min, __b < __a ? __b : __a) \
  YOKE_D_WORK_GROUP_TREE(T, max, __a < __b ? __b : __a) \
  YOKE_D_FUNCTION T yoke_work_group_scan_inclusive_add(YOKE_LOCAL_POINTER T* __scratch, T __value) { \
    uint __me = (uint)get_local_linear_id(); \
    uint __size = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)); \
    __scratch[__me] = __value; \
    YOKE_BARRIER_LOCAL(); \
    for (uint __step = 1; __step < __size; __step <<= 1) { \
      T __before = __me >= __step ? __scratch[__me - __step] : (T)0; \
      YOKE_BARRIER_LOCAL(); \
      if (__me >= __step) __scratch[__me] += __before; \
      YOKE_BARRIER_LOCAL(); \
    } \
    T __result = __scratch[__me]; \
    YOKE_BARRIER_LOCAL(); \
    return __result; \
  } \
  YOKE_D_FUNCTION T yoke_work_group_scan_exclusive_add(YOKE_LOCAL_POINTER T* __scratch, T __value) { \
    uint __me = (uint)get_local_linear_id(); \
    T __sum = yoke_work_group_scan_inclusive_add(__scratch, __value); \
    __scratch[__me] = __sum; \
    YOKE_BARRIER_LOCAL(); \
    T __result = __me == 0 ? (T)0 : __scratch[__me - 1]; \
    YOKE_BARRIER_LOCAL(); \
    return __result; \
  } \
  YOKE_D_FUNCTION T yoke_work_group_broadcast(YOKE_LOCAL_POINTER T* __scratch, T __value, uint __of_thread) { \
    if ((uint)get_local_linear_id() == __of_thread) __scratch[0] = __value; \
    YOKE_BARRIER_LOCAL(); \
    T __result = __scratch[0]; \
    YOKE_BARRIER_LOCAL(); \
    return __result; \
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
