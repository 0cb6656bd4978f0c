// SPDX-License-Identifier: MIT
// Runs a text that appends to lists: once to count elements, once to write them.
R"yoke(// Before it stand yoke_l_lists0 and yoke_l_lists1, which count and write the elements of lists `i`, and the macros
//   YOKE_LISTS_PARAMETERS  parameters of memory and numbers, each followed by a comma
//   YOKE_LISTS_PASSED      the arguments for them, each followed by a comma
//   YOKE_LISTS_EACH(f)     f(type, starts, to, end, at) for each list; `starts` belongs to the list counted for it
//   YOKE_LISTS_COUNTED(f)  the same for each list that is counted itself
#define YOKE_LISTS_STARTS(type, starts, to, end, at) YOKE_GLOBAL yoke_int64* starts,
#define YOKE_LISTS_BEGIN(type, starts, to, end, at) yoke_int64 at = 0;
#define YOKE_LISTS_AT(type, starts, to, end, at) &at,
#define YOKE_LISTS_KEEP(type, starts, to, end, at) starts[i] = at;
#define YOKE_LISTS_LAST(type, starts, to, end, at) starts[yoke_l_count] = 0;

YOKE_KERNEL yoke_l_count(YOKE_LISTS_PARAMETERS YOKE_LISTS_COUNTED(YOKE_LISTS_STARTS) yoke_int64 yoke_l_count) {
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < yoke_l_count; i += (yoke_int64)get_global_size(0)) {
    YOKE_LISTS_COUNTED(YOKE_LISTS_BEGIN)
    yoke_l_lists0(YOKE_LISTS_PASSED YOKE_LISTS_COUNTED(YOKE_LISTS_AT) i);
    YOKE_LISTS_COUNTED(YOKE_LISTS_KEEP)
  }
  if (get_global_id(0) == 0) {
    YOKE_LISTS_COUNTED(YOKE_LISTS_LAST)
  }
}

#define YOKE_LISTS_READ_STARTS(type, starts, to, end, at) YOKE_GLOBAL const yoke_int64* starts,
#define YOKE_LISTS_TO(type, starts, to, end, at) YOKE_GLOBAL type* to,
#define YOKE_LISTS_FIRST(type, starts, to, end, at) yoke_int64 at = starts[i];
#define YOKE_LISTS_ROOM(type, starts, to, end, at) to, starts[i + 1], &at,

YOKE_KERNEL yoke_l_fill(YOKE_LISTS_PARAMETERS YOKE_LISTS_COUNTED(YOKE_LISTS_READ_STARTS) YOKE_LISTS_EACH(YOKE_LISTS_TO)
                            yoke_int64 yoke_l_count) {
  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < yoke_l_count; i += (yoke_int64)get_global_size(0)) {
    YOKE_LISTS_EACH(YOKE_LISTS_FIRST)
    yoke_l_lists1(YOKE_LISTS_PASSED YOKE_LISTS_EACH(YOKE_LISTS_ROOM) i);
  }
}
)yoke"
