// SPDX-License-Identifier: MIT
// What it means to append to a list: to count, or to write.
R"yoke(// A program's text appends by append_NAME(value), which is one of these of a list as YOKE_LISTS_EACH has it: the type of its
// elements, and names for where lists begin, for its elements, for where list `i` ends, and for where the next element goes.

// Counts an element; only evaluates one of a list that has the counts of another.
#define YOKE_LISTS_COUNT(type, starts, to, end, at, value) ((void)(value), ++*at)
#define YOKE_LISTS_SKIP(type, starts, to, end, at, value) ((void)(value))
// Writes an element, but none beyond those that were counted.
#define YOKE_LISTS_WRITE(type, starts, to, end, at, value) \
  (*at < end ? (void)(to[*at] = (type)(value)) : (void)0, (void)++*at)

// The parameters of the functions that append, for each list.
#define YOKE_LISTS_COUNTER(type, starts, to, end, at) YOKE_PRIVATE yoke_int64* at,
#define YOKE_LISTS_WRITER(type, starts, to, end, at) YOKE_GLOBAL type* to, yoke_int64 end, YOKE_PRIVATE yoke_int64* at,
)yoke"
