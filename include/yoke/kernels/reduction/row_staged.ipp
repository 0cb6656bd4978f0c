// SPDX-License-Identifier: MIT
// Reads a thread's elements of a row, which it keeps in registers.
R"yoke(// Before it stand the macros of the kernel of rows, and
//   YOKE_ROW_TYPE   the type of the elements
//   YOKE_ROW_LOAD   statements that load element `i` into `next`
//   YOKE_ROW_STAGE  the name of the thread's elements
    YOKE_ROW_TYPE YOKE_ROW_STAGE[YOKE_ROW_ITEMS];
    YOKE_ROW_EACH {
      YOKE_X_INDEX i = YOKE_ROW_PLACE;
      (void)i;
      YOKE_ROW_TYPE next;
      YOKE_ROW_LOAD
      YOKE_ROW_STAGE[item] = next;
    }
)yoke"
