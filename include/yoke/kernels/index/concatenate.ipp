// SPDX-License-Identifier: MIT
// Puts the rows of several arrays behind each other.
R"yoke(// Before it stand the macros
//   YOKE_PARTS_WORD     the word in which elements are moved
//   YOKE_PARTS_SOURCES  the parameters of the sources: memory, first word, and where in a row of the result each ends
//   YOKE_PARTS_LOAD     the word at `place` of row `line`
//   YOKE_PARTS_ONE_ROW  1: all sources have one row
//   YOKE_PARTS_INDEX    the type in which words are counted: 32 bits where they suffice

// The rows of the result have `row` words, of which this launch writes `part`, from `to_first` on.
YOKE_KERNEL yoke_i_concatenate(YOKE_GLOBAL YOKE_PARTS_WORD* to, YOKE_PARTS_SOURCES, yoke_int64 to_first,
                               yoke_int64 row, yoke_int64 part, yoke_int64 total) {
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < total; i += (yoke_int64)get_global_size(0)) {
    YOKE_PARTS_INDEX own = (YOKE_PARTS_INDEX)i, length = (YOKE_PARTS_INDEX)part;
    yoke_int64 line = YOKE_PARTS_ONE_ROW ? 0 : (yoke_int64)(own / length);
    yoke_int64 place = YOKE_PARTS_ONE_ROW ? i : (yoke_int64)(own % length);
    to[to_first + line * row + place] = YOKE_PARTS_LOAD;
  }
}
)yoke"
