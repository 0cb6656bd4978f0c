// SPDX-License-Identifier: MIT
// Copies a thread's elements of a row to local memory. The thread alone reads them there.
R"yoke(// Before it stand the macros
//   YOKE_ROW_LANES     the lanes of a tile
//   YOKE_ROW_BATCH     the elements that a thread reads before it stores the first
//   YOKE_ROW_TYPE      the type of the elements
//   YOKE_ROW_LOAD      statements that load element `i` into `next`
//   YOKE_ROW_STAGE     the row's elements in local memory
  for (uint begin = lane; begin < count; begin += YOKE_ROW_BATCH * YOKE_ROW_LANES) {
    YOKE_ROW_TYPE read[YOKE_ROW_BATCH];
    YOKE_UNROLL(YOKE_ROW_BATCH)
    for (uint j = 0; j < YOKE_ROW_BATCH; ++j) {
      uint taken = begin + j * YOKE_ROW_LANES;
      YOKE_X_INDEX i = first + (taken < count ? taken : lane);
      YOKE_ROW_TYPE next;
      YOKE_ROW_LOAD
      read[j] = next;
    }
    YOKE_UNROLL(YOKE_ROW_BATCH)
    for (uint j = 0; j < YOKE_ROW_BATCH; ++j) {
      uint taken = begin + j * YOKE_ROW_LANES;
      if (taken < count) YOKE_ROW_STAGE[(uint)first + taken] = read[j];
    }
  }
)yoke"
