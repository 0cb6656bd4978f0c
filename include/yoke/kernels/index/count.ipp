// SPDX-License-Identifier: MIT
// Counts how often each number from 0 on occurs.
R"yoke(// Before it stand the macros
//   YOKE_COUNT_ELEMENT     the type of numbers
//   YOKE_COUNT_LARGE       1: they have 64 bits and no sign
//   YOKE_COUNT_LOCAL_BINS  the bins that a block counts in local memory; 0: it counts in device memory
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_i_count(YOKE_GLOBAL uint* counts,
                                                         YOKE_GLOBAL const YOKE_COUNT_ELEMENT* value,
                                                         yoke_int64 value_first, yoke_int64 total, yoke_int64 bins) {
#if YOKE_COUNT_LOCAL_BINS > 0
  YOKE_LOCAL uint bin[YOKE_COUNT_LOCAL_BINS];
  for (uint k = (uint)get_local_id(0); k < (uint)bins; k += (uint)get_local_size(0)) bin[k] = 0;
  YOKE_BARRIER_LOCAL();
#else
  YOKE_GLOBAL uint* bin = counts;
#endif
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < total; i += (yoke_int64)get_global_size(0)) {
#if YOKE_COUNT_LARGE
    yoke_uint64 at = value[value_first + i];
    if (at < (yoke_uint64)bins) yoke_atomic_add(bin + at, 1u);
#else
    yoke_int64 at = (yoke_int64)value[value_first + i];
    if (at >= 0 && at < bins) yoke_atomic_add(bin + at, 1u);
#endif
  }
#if YOKE_COUNT_LOCAL_BINS > 0
  YOKE_BARRIER_LOCAL();
  for (uint k = (uint)get_local_id(0); k < (uint)bins; k += (uint)get_local_size(0)) {
    if (bin[k] != 0) yoke_atomic_add(counts + k, bin[k]);
  }
#endif
}
)yoke"
