// SPDX-License-Identifier: MIT
// The end of the kernel of rows: it stores what belongs to each element, or to the row.
R"yoke(// Before it stand the macros
//   YOKE_ROW_ALONE, YOKE_ROW_SHARED, YOKE_ROW_BLOCK, YOKE_ROW_COUNT, YOKE_ROW_PLACES, YOKE_ROW_ITEMS, YOKE_ROW_FLAT
//   as above
//   YOKE_ROW_ONE    1: there is one element for the row
//   YOKE_ROW_KEEP   statements that put the results of a row into local memory
//   YOKE_ROW_TAKE   statements that read them
//   YOKE_ROW_FIXED  statements that calculate what is the same for all elements of a row
//   YOKE_ROW_STORE  statements that store what belongs to element `i`, or to the row
#if YOKE_ROW_ONE
#if YOKE_ROW_ALONE
    YOKE_X_INDEX i = 0;
    (void)i;
    YOKE_ROW_FIXED
    YOKE_ROW_STORE
#else
    if (row < steps.results && lane == 0 && warp == 0) {
      YOKE_X_INDEX i = 0;
      (void)i;
      YOKE_ROW_FIXED
      YOKE_ROW_STORE
    }
#endif
  }
#elif YOKE_ROW_SHARED
    YOKE_ROW_KEEP
  }
  YOKE_BARRIER_LOCAL();
  for (uint each = here; each < taken_of_block; each += YOKE_ROW_BLOCK) {
    uint column = each / YOKE_ROW_COUNT;
    YOKE_X_INDEX i = each % YOKE_ROW_COUNT;
    YOKE_X_INDEX result = (YOKE_X_INDEX)begin_of_block + column;
    YOKE_ROW_PLACES
    YOKE_ROW_TAKE
    YOKE_ROW_FIXED
    YOKE_ROW_STORE
  }
#elif YOKE_ROW_ALONE
    YOKE_ROW_FIXED
    for (YOKE_X_INDEX i = 0; i < (YOKE_X_INDEX)YOKE_ROW_COUNT; ++i) {
      YOKE_ROW_STORE
    }
  }
#else
    YOKE_ROW_FIXED
    YOKE_ROW_EACH {
      if (!YOKE_ROW_FLAT && (row >= steps.results || taken >= count)) continue;
      YOKE_X_INDEX i = taken;
      (void)i;
      YOKE_ROW_STORE
    }
  }
#endif
}
)yoke"
