// SPDX-License-Identifier: MIT
// Counts how often each number from 0 on occurs.
R"yoke(// Before it stand the macros
//   YOKE_COUNT_PARAMETERS  parameters of memory and numbers, each followed by a comma
//   YOKE_COUNT_OFFSETS     statements that advance each input to its first element
//   YOKE_COUNT_LOAD        statements that declare `number`, of element `i`
//   YOKE_COUNT_LARGE       1: numbers have 64 bits and no sign
//   YOKE_COUNT_BATCH       the elements that a thread reads before it counts the first
//   YOKE_COUNT_LOCAL_BINS  the bins that a block counts in local memory; 0: it counts in device memory
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_i_count(YOKE_GLOBAL uint* counts, YOKE_COUNT_PARAMETERS yoke_int64 from,
                                                         yoke_int64 bins, yoke_x_steps steps) {
#if YOKE_COUNT_LOCAL_BINS > 0
  YOKE_LOCAL uint bin[YOKE_COUNT_LOCAL_BINS];
  for (uint k = (uint)get_local_id(0); k < (uint)bins; k += (uint)get_local_size(0)) bin[k] = 0;
  YOKE_BARRIER_LOCAL();
#else
  YOKE_GLOBAL uint* bin = counts;
#endif
  YOKE_COUNT_OFFSETS
  yoke_int64 threads = (yoke_int64)get_global_size(0);
  for (yoke_int64 first = from + (yoke_int64)get_global_id(0); first < steps.count; first += YOKE_COUNT_BATCH * threads) {
    int at[YOKE_COUNT_BATCH];  // -1: not counted
    YOKE_UNROLL(YOKE_COUNT_BATCH)
    for (uint j = 0; j < YOKE_COUNT_BATCH; ++j) {
      yoke_int64 own = first + j * threads;
      YOKE_X_INDEX i = (YOKE_X_INDEX)(own < steps.count ? own : first);
      YOKE_COUNT_LOAD
#if YOKE_COUNT_LARGE
      at[j] = own < steps.count && number < (yoke_uint64)bins ? (int)number : -1;
#else
      at[j] = own < steps.count && number >= 0 && number < bins ? (int)number : -1;
#endif
    }
    YOKE_UNROLL(YOKE_COUNT_BATCH)
    for (uint j = 0; j < YOKE_COUNT_BATCH; ++j) {
      if (at[j] >= 0) yoke_atomic_add(bin + at[j], 1u);
    }
  }
#if YOKE_COUNT_LOCAL_BINS > 0
  YOKE_BARRIER_LOCAL();
  for (uint k = (uint)get_local_id(0); k < (uint)bins; k += (uint)get_local_size(0)) {
    if (bin[k] != 0) yoke_atomic_add(counts + k, bin[k]);
  }
#endif
}
)yoke"
