// SPDX-License-Identifier: MIT
// One reduction of a row. Lanes and tiles are joined in the order of a reduction that stands alone.
R"yoke(// Before it stand the macros
//   YOKE_ROW_ALONE, YOKE_ROW_LANES, YOKE_ROW_WARPS, YOKE_ROW_ITEMS, YOKE_ROW_COUNT as above
//   YOKE_ROW_TILE    the elements of a tile
//   YOKE_ROW_CHAIN   the warps of a tile
//   YOKE_ROW_PIECE   the elements that a lane joins before it joins them to its others; a thread keeps no more
//   YOKE_ROW_TYPE    the type of a part
//   YOKE_ROW_JOIN    the function that joins two parts
//   YOKE_ROW_FIELD   the member of yoke_x_part
//   YOKE_ROW_PARTS   the lanes' parts in local memory
//   YOKE_ROW_FLAT    as above
//   YOKE_ROW_FIXED   statements that calculate what is the same for all elements of a row
//   YOKE_ROW_LOAD    statements that load element `i` into the member of `next`
//   YOKE_ROW_RESULT  declares the result
//   YOKE_ROW_MAKE    statements that make the result of the part `total`
  YOKE_ROW_RESULT
  {
    yoke_x_part x = yoke_x_neutral();
    yoke_x_part total = x;
    YOKE_ROW_FIXED
#if YOKE_ROW_ALONE
    for (YOKE_X_INDEX first = 0; first < (YOKE_X_INDEX)YOKE_ROW_COUNT; first += YOKE_ROW_TILE) {
      yoke_int64 left = YOKE_ROW_COUNT - (yoke_int64)first;
      uint count = left < YOKE_ROW_TILE ? (uint)left : YOKE_ROW_TILE;
      YOKE_ROW_TYPE part[YOKE_ROW_LANES];
      for (uint own = 0; own < YOKE_ROW_LANES; ++own) part[own] = x.YOKE_ROW_FIELD;
#if YOKE_ROW_LANES > 1
      YOKE_ROW_TYPE piece[YOKE_ROW_LANES];
      for (uint at = 0; at < count; at += YOKE_ROW_PIECE * YOKE_ROW_LANES) {
        uint last = count - at < YOKE_ROW_PIECE * YOKE_ROW_LANES ? count : at + YOKE_ROW_PIECE * YOKE_ROW_LANES;
        for (uint own = 0; own < YOKE_ROW_LANES; ++own) piece[own] = x.YOKE_ROW_FIELD;
#define YOKE_ROW_TO piece
#else
      {
        uint at = 0, last = count;
#define YOKE_ROW_TO part
#endif
        for (uint begin = at; begin < last; begin += YOKE_ROW_LANES) {
          uint end = last - begin < YOKE_ROW_LANES ? last - begin : YOKE_ROW_LANES;
          for (uint own = 0; own < end; ++own) {
            YOKE_X_INDEX i = first + begin + own;
            yoke_x_part next;
            YOKE_ROW_LOAD
            YOKE_ROW_TO[own] = YOKE_ROW_JOIN(YOKE_ROW_TO[own], next.YOKE_ROW_FIELD);
          }
        }
#if YOKE_ROW_LANES > 1
        uint end = last - at < YOKE_ROW_LANES ? last - at : YOKE_ROW_LANES;
        for (uint own = 0; own < end; ++own) part[own] = YOKE_ROW_JOIN(part[own], piece[own]);
#endif
      }
#undef YOKE_ROW_TO
      for (uint apart = YOKE_ROW_LANES / 2; apart > 0; apart /= 2) {
        for (uint own = 0; own < apart; ++own) part[own] = YOKE_ROW_JOIN(part[own], part[own + apart]);
      }
      total.YOKE_ROW_FIELD = steps.tiles == 1 ? part[0] : YOKE_ROW_JOIN(total.YOKE_ROW_FIELD, part[0]);
    }
#else
    YOKE_ROW_TYPE joined = x.YOKE_ROW_FIELD;
    YOKE_ROW_EACH {
      YOKE_X_INDEX i = YOKE_ROW_PLACE;
      (void)i;
      yoke_x_part next;
      YOKE_ROW_LOAD
      if (YOKE_ROW_THERE) joined = YOKE_ROW_JOIN(joined, next.YOKE_ROW_FIELD);
    }
    // The first warp of a tile joins the pieces of each lane, then the lanes.
    uint own = (column * YOKE_ROW_WARPS + warp) * (YOKE_ROW_LANES + 1) + lane;
    YOKE_ROW_PARTS[own] = joined;
#if YOKE_ROW_WARPS > 1
    YOKE_BARRIER_LOCAL();
    if (warp % YOKE_ROW_CHAIN == 0) {
      YOKE_ROW_TYPE all = x.YOKE_ROW_FIELD;
      YOKE_UNROLL(YOKE_ROW_CHAIN)
      for (uint each = 0; each < YOKE_ROW_CHAIN; ++each) {
        if (begin + each * (YOKE_ROW_ITEMS * YOKE_ROW_LANES) >= count) break;
        all = YOKE_ROW_JOIN(all, YOKE_ROW_PARTS[own + each * (YOKE_ROW_LANES + 1)]);
      }
      YOKE_ROW_PARTS[own] = all;
    }
#else
    if (begin < count) YOKE_ROW_PARTS[own] = YOKE_ROW_JOIN(x.YOKE_ROW_FIELD, joined);
#endif
    for (uint apart = YOKE_ROW_LANES / 2; apart > 0; apart /= 2) {
      YOKE_BARRIER_WARP();
      if (warp % YOKE_ROW_CHAIN == 0 && lane < apart) {
        YOKE_ROW_PARTS[own] = YOKE_ROW_JOIN(YOKE_ROW_PARTS[own], YOKE_ROW_PARTS[own + apart]);
      }
    }
#if YOKE_ROW_WARPS > 1
    YOKE_BARRIER_LOCAL();
#else
    YOKE_BARRIER_WARP();
#endif
#if YOKE_ROW_WARPS > YOKE_ROW_CHAIN
    for (uint each = 0; each < (uint)steps.tiles; ++each) {
      uint at = (column * YOKE_ROW_WARPS + each * YOKE_ROW_CHAIN) * (YOKE_ROW_LANES + 1);
      total.YOKE_ROW_FIELD = YOKE_ROW_JOIN(total.YOKE_ROW_FIELD, YOKE_ROW_PARTS[at]);
    }
#else
    total.YOKE_ROW_FIELD = YOKE_ROW_PARTS[column * YOKE_ROW_WARPS * (YOKE_ROW_LANES + 1)];
#endif
#endif
    YOKE_ROW_MAKE
  }
)yoke"
