// SPDX-License-Identifier: MIT
// The parts of a scan's kernels that count the selected elements and write them.
R"yoke(// Before it stand the macros
//   YOKE_SELECT_CHANGES  1: selects elements that differ from the one before; 0: by a mask
//   YOKE_SELECT_TYPE     the type of elements
//   YOKE_SELECT_EARLIER  by changes: statements that load element `before_i` into `earlier`
//   YOKE_SELECT_VALUE    by changes: element `i`
//   YOKE_SELECT_MASK     by a mask: the mask of element `i`
//   YOKE_SELECT_WHERE    1: selects elements where the mask holds; 0: where it does not
//   YOKE_SELECT_PARTS    1: writes the rest behind the selected elements
//   YOKE_SELECT_PUT      statements that write element `i` to `place`

// Statements that run before element `i` is read.
#if YOKE_SELECT_CHANGES
#define YOKE_SELECT_BEGIN                         \
  YOKE_SELECT_TYPE earlier = (YOKE_SELECT_TYPE)0; \
  if (i > 0) {                                    \
    YOKE_X_INDEX before_i = i - 1;                \
    YOKE_SELECT_EARLIER                           \
  }
#else
#define YOKE_SELECT_BEGIN
#endif

// Statements that set `next` to 1 if element `i` is selected, else to 0.
#if YOKE_SELECT_CHANGES
#define YOKE_SELECT_COUNT next.f = i == 0 || !(YOKE_SELECT_VALUE == earlier) ? 1 : 0;
#else
#define YOKE_SELECT_COUNT next.f = (YOKE_SELECT_MASK != 0) == YOKE_SELECT_WHERE ? 1 : 0;
#endif

// Statements that write element `i`; for the last one also the number of selected elements.
#if YOKE_SELECT_PARTS
#define YOKE_SELECT_PLACE (next.f != 0 ? prior.f : every.f + (i - prior.f))
#else
#define YOKE_SELECT_PLACE prior.f
#endif
#define YOKE_SELECT_WRITE                                 \
  if (YOKE_SELECT_PARTS || next.f != 0) {                 \
    YOKE_X_INDEX place = (YOKE_X_INDEX)YOKE_SELECT_PLACE; \
    YOKE_SELECT_PUT                                       \
  }                                                       \
  if ((yoke_int64)i + 1 == steps.count) total[0] = (yoke_int64)item.f;
)yoke"
