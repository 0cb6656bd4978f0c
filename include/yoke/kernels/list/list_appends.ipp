// SPDX-License-Identifier: MIT
// The macros that append to a list: one counts, one writes.
R"yoke(// A program's text calls append_NAME(value), which is one of these macros with a list of YOKE_LISTS_EACH: the type of
// elements, the starts of lists, the elements, the end of list `i`, and the place of the next element.

// Counts an element. For a list that is counted by another one, only evaluates it.
#define YOKE_LISTS_COUNT(type, starts, to, end, at, value) ((void)(value), ++*at)
#define YOKE_LISTS_SKIP(type, starts, to, end, at, value) ((void)(value))
// Writes an element, unless it exceeds the counted number.
#define YOKE_LISTS_WRITE(type, starts, to, end, at, value) \
  (*at < end ? (void)(to[*at] = (type)(value)) : (void)0, (void)++*at)

// The parameters of the appending functions, for each list.
#define YOKE_LISTS_COUNTER(type, starts, to, end, at) YOKE_PRIVATE yoke_int64* at,
#define YOKE_LISTS_WRITER(type, starts, to, end, at) YOKE_GLOBAL type* to, yoke_int64 end, YOKE_PRIVATE yoke_int64* at,
)yoke"
