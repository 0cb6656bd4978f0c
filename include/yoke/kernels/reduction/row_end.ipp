// SPDX-License-Identifier: MIT
// The end of the kernel of rows: it stores what belongs to each element, or to the row.
R"yoke(// Before it stand the macros
//   YOKE_ROW_SERIAL, YOKE_ROW_LANES as above
//   YOKE_ROW_ONE   1: there is one element for the row
//   YOKE_ROW_STORE statements that store what belongs to element `i`, or to the row
  if (row >= steps.results) return;
#if YOKE_ROW_ONE
#if !YOKE_ROW_SERIAL
  if (lane != 0 || tile != 0) return;
#endif
  YOKE_X_INDEX i = 0;
  (void)i;
  YOKE_ROW_STORE
#elif YOKE_ROW_SERIAL
  for (YOKE_X_INDEX i = 0; i < (YOKE_X_INDEX)steps.count; ++i) {
    YOKE_ROW_STORE
  }
#else
  YOKE_UNROLL(4)
  for (uint taken = lane; taken < count; taken += YOKE_ROW_LANES) {
    YOKE_X_INDEX i = first + taken;
    YOKE_ROW_STORE
  }
#endif
}
)yoke"
