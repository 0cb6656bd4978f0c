// SPDX-License-Identifier: MIT
// Takes elements by their positions in their rows.
R"yoke(// Before it stand the macros
//   YOKE_GATHER_WORD   a word of elements
//   YOKE_GATHER_INDEX  the type of positions

// An element has `words` words, a row `count` elements.
YOKE_KERNEL yoke_s_gather(YOKE_GLOBAL YOKE_GATHER_WORD* to, YOKE_GLOBAL const YOKE_GATHER_WORD* from,
                          YOKE_GLOBAL const YOKE_GATHER_INDEX* index, yoke_int64 to_first, yoke_int64 from_first,
                          yoke_int64 count, yoke_int64 total, yoke_int64 words) {
  to += to_first;
  from += from_first;
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < total * words; i += (yoke_int64)get_global_size(0)) {
    yoke_int64 element = i / words;
    yoke_int64 taken = element / count * count + (yoke_int64)index[element];
    to[i] = from[taken * words + i % words];
  }
}
)yoke"
