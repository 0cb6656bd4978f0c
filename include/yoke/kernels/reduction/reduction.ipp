// SPDX-License-Identifier: MIT
// The kernel of a reduction: for each result a block joins a tile of elements, or of parts of an earlier pass.
R"yoke(// Before it stand yoke_x_part and its functions, and the macros
//   YOKE_REDUCE_NAME        the name of the kernel
//   YOKE_REDUCE_STEPS       the type of its last parameter
//   YOKE_REDUCE_PARAMETERS  parameters of memory and numbers, each followed by a comma
//   YOKE_REDUCE_BLOCK       the threads of a block
//   YOKE_REDUCE_LANES       the lanes of a tile; a lane joins elements at this distance
//   YOKE_REDUCE_THREADS     the threads of a tile; each runs one lane or several
//   YOKE_REDUCE_TILE        the elements of a tile
//   YOKE_REDUCE_PIECE       the elements that a lane joins before it joins them to its others; 0: all elements
//   YOKE_REDUCE_BATCH       the elements that a lane reads before it joins the first
//   YOKE_REDUCE_WHOLE       1: there is one result, of all elements
//   YOKE_REDUCE_COLUMNS     1: neighbouring threads have neighbouring results; 0: neighbouring lanes
//   YOKE_REDUCE_SERIAL      1: a block is one thread, which runs all lanes of a tile
//   YOKE_REDUCE_ROLLED      1: loops over elements must not be unrolled
//   YOKE_REDUCE_STEPPED     1: yoke_x_step joins elements
//   YOKE_REDUCE_TWICE       1: a lane takes its elements twice, for their mean and for the distances from it
//   YOKE_REDUCE_PLACES      statements that run once for each result, `result`
//   YOKE_REDUCE_LOAD        statements that load element `i` into `next`
//   YOKE_REDUCE_PLACED      statements that note the position of the first element, `at`
//   YOKE_REDUCE_PLACED_IN   statements that add the position of the tile, `first`, to positions
//   YOKE_REDUCE_STORE       statements that store the part `total` of tile `tile` and result `to`
#define YOKE_REDUCE_RESULTS (YOKE_REDUCE_BLOCK / YOKE_REDUCE_THREADS)
#if YOKE_REDUCE_STEPPED
#define YOKE_REDUCE_ADD(next, at) yoke_x_step(joined, next, at)
#else
#define YOKE_REDUCE_ADD(next, at) yoke_x_join(joined, next)
#endif
#if YOKE_REDUCE_TWICE
// Returns: a lane's part with one more element in its sum and its number.
yoke_x_part yoke_x_count(yoke_x_part a, yoke_x_part b) {
  a.mean += b.mean;
  a.count += 1;
  return a;
}
// Returns: the part with the mean instead of the sum.
yoke_x_part yoke_x_centre(yoke_x_part a) {
  if (a.count != 0) a.mean /= a.count;
  return a;
}
// Returns: the part with the square of the distance of one more element.
yoke_x_part yoke_x_spread(yoke_x_part a, yoke_x_part b) {
  yoke_x_wide apart = b.mean - a.mean;
  a.f += apart * apart;
  return a;
}
#endif
// Where a lane's part is: neighbouring threads use neighbouring words.
#if YOKE_REDUCE_LANES == 1
#define YOKE_REDUCE_AT(own) 0
#define YOKE_REDUCE_PARTS 1
#elif YOKE_REDUCE_COLUMNS || YOKE_REDUCE_RESULTS == 1
#define YOKE_REDUCE_AT(own) ((own)*YOKE_REDUCE_RESULTS + column)
#define YOKE_REDUCE_PARTS (YOKE_REDUCE_LANES * YOKE_REDUCE_RESULTS)
#else
#define YOKE_REDUCE_AT(own) (column * (YOKE_REDUCE_LANES + 1) + (own))
#define YOKE_REDUCE_PARTS ((YOKE_REDUCE_LANES + 1) * YOKE_REDUCE_RESULTS)
#endif
#if YOKE_REDUCE_THREADS <= 32 && !YOKE_REDUCE_COLUMNS  // the threads of a result are in one warp
#define YOKE_REDUCE_MEET() YOKE_BARRIER_WARP()
#else
#define YOKE_REDUCE_MEET() YOKE_BARRIER_LOCAL()
#endif

YOKE_KERNEL YOKE_WORK_GROUP_SIZE(YOKE_REDUCE_BLOCK, 1, 1) YOKE_REDUCE_NAME(YOKE_REDUCE_PARAMETERS YOKE_REDUCE_STEPS steps) {
#if YOKE_REDUCE_SERIAL
  yoke_x_part part[YOKE_REDUCE_LANES * YOKE_REDUCE_RESULTS];
#elif YOKE_REDUCE_LANES > 1
  YOKE_LOCAL yoke_x_part part[YOKE_REDUCE_PARTS];
#else
  yoke_x_part part[1];
#endif
  uint here = (uint)get_local_id(0);
  YOKE_X_INDEX group = (YOKE_X_INDEX)get_group_id(0);
#if YOKE_REDUCE_WHOLE
  uint lane = here, column = 0;
  yoke_int64 tile = (yoke_int64)group, to = 0;
#else
#if YOKE_REDUCE_COLUMNS
  uint lane = here / YOKE_REDUCE_RESULTS, column = here % YOKE_REDUCE_RESULTS;
#else
  uint lane = here % YOKE_REDUCE_THREADS, column = here / YOKE_REDUCE_THREADS;
#endif
#if YOKE_REDUCE_LANES == 1  // there is one tile
  yoke_int64 tile = 0, to = (yoke_int64)group * YOKE_REDUCE_RESULTS + column;
#else
  yoke_int64 tile = (yoke_int64)(group % (YOKE_X_INDEX)steps.tiles);
  yoke_int64 to = (yoke_int64)(group / (YOKE_X_INDEX)steps.tiles) * YOKE_REDUCE_RESULTS + column;
#endif
#endif
  YOKE_X_INDEX result = to < steps.results ? (YOKE_X_INDEX)to : 0;
  (void)result;
  yoke_int64 first = tile * YOKE_REDUCE_TILE;
  uint count = steps.count - first < YOKE_REDUCE_TILE ? (uint)(steps.count - first) : YOKE_REDUCE_TILE;
  YOKE_REDUCE_PLACES

#if YOKE_REDUCE_SERIAL
  // Compilers for CPUs vectorise a loop over neighbouring lanes.
  for (uint own = 0; own < YOKE_REDUCE_LANES; ++own) part[own] = yoke_x_neutral();
#if YOKE_REDUCE_PIECE
  yoke_x_part piece[YOKE_REDUCE_LANES];
  for (uint at = 0; at < count; at += YOKE_REDUCE_PIECE * YOKE_REDUCE_LANES) {
    uint last = count - at < YOKE_REDUCE_PIECE * YOKE_REDUCE_LANES ? count : at + YOKE_REDUCE_PIECE * YOKE_REDUCE_LANES;
    for (uint own = 0; own < YOKE_REDUCE_LANES; ++own) piece[own] = yoke_x_neutral();
#define YOKE_REDUCE_TO piece
#else
  {
    uint at = 0, last = count;
#define YOKE_REDUCE_TO part
#endif
    for (uint begin = at; begin < last; begin += YOKE_REDUCE_LANES) {
      uint end = last - begin < YOKE_REDUCE_LANES ? last - begin : YOKE_REDUCE_LANES;
      for (uint own = 0; own < end; ++own) {
        YOKE_X_INDEX i = (YOKE_X_INDEX)(first + begin + own);
        yoke_x_part next;
        YOKE_REDUCE_LOAD
#if YOKE_REDUCE_TWICE
        part[own] = yoke_x_count(part[own], next);
#else
        YOKE_REDUCE_TO[own] = yoke_x_join(YOKE_REDUCE_TO[own], next);
#endif
      }
    }
#if YOKE_REDUCE_PIECE
    // Lanes without elements in this piece keep what they have.
    uint end = last - at < YOKE_REDUCE_LANES ? last - at : YOKE_REDUCE_LANES;
    for (uint own = 0; own < end; ++own) part[own] = yoke_x_join(part[own], piece[own]);
#endif
  }
#undef YOKE_REDUCE_TO
#if YOKE_REDUCE_TWICE
  for (uint own = 0; own < YOKE_REDUCE_LANES; ++own) part[own] = yoke_x_centre(part[own]);
  for (uint begin = 0; begin < count; begin += YOKE_REDUCE_LANES) {
    uint end = count - begin < YOKE_REDUCE_LANES ? count - begin : YOKE_REDUCE_LANES;
    for (uint own = 0; own < end; ++own) {
      YOKE_X_INDEX i = (YOKE_X_INDEX)(first + begin + own);
      yoke_x_part next;
      YOKE_REDUCE_LOAD
      part[own] = yoke_x_spread(part[own], next);
    }
  }
#endif
  for (uint apart = YOKE_REDUCE_LANES / 2; apart > 0; apart /= 2) {
    for (uint own = 0; own < apart; ++own) part[own] = yoke_x_join(part[own], part[own + apart]);
  }
#else
  for (uint own = lane; own < YOKE_REDUCE_LANES; own += YOKE_REDUCE_THREADS) {
#if YOKE_REDUCE_PIECE
    yoke_x_part all = yoke_x_neutral();
    for (uint at = own; at < count; at += YOKE_REDUCE_PIECE * YOKE_REDUCE_LANES) {
      uint last = at - own + YOKE_REDUCE_PIECE * YOKE_REDUCE_LANES;
      if (last > count) last = count;
#else
    {
      uint at = own, last = count;
#endif
      yoke_x_part joined = yoke_x_neutral();
      YOKE_REDUCE_PLACED
#if YOKE_REDUCE_TWICE && YOKE_REDUCE_BATCH * YOKE_REDUCE_LANES >= YOKE_REDUCE_TILE
      yoke_x_part read[YOKE_REDUCE_BATCH];
      uint any = at < last ? at : 0;
      YOKE_UNROLL(YOKE_REDUCE_BATCH)
      for (uint j = 0; j < YOKE_REDUCE_BATCH; ++j) {
        uint taken = at + j * YOKE_REDUCE_LANES;
        YOKE_X_INDEX i = (YOKE_X_INDEX)(first + (taken < last ? taken : any));
        if (last == 0) break;
        yoke_x_part next;
        YOKE_REDUCE_LOAD
        read[j] = next;
      }
      YOKE_UNROLL(YOKE_REDUCE_BATCH)
      for (uint j = 0; j < YOKE_REDUCE_BATCH; ++j) {
        if (at + j * YOKE_REDUCE_LANES < last) joined = yoke_x_count(joined, read[j]);
      }
      joined = yoke_x_centre(joined);
      YOKE_UNROLL(YOKE_REDUCE_BATCH)
      for (uint j = 0; j < YOKE_REDUCE_BATCH; ++j) {
        if (at + j * YOKE_REDUCE_LANES < last) joined = yoke_x_spread(joined, read[j]);
      }
#elif YOKE_REDUCE_TWICE
      for (uint taken = at; taken < last; taken += YOKE_REDUCE_LANES) {
        YOKE_X_INDEX i = (YOKE_X_INDEX)(first + taken);
        yoke_x_part next;
        YOKE_REDUCE_LOAD
        joined = yoke_x_count(joined, next);
      }
      joined = yoke_x_centre(joined);
      for (uint taken = at; taken < last; taken += YOKE_REDUCE_LANES) {
        YOKE_X_INDEX i = (YOKE_X_INDEX)(first + taken);
        yoke_x_part next;
        YOKE_REDUCE_LOAD
        joined = yoke_x_spread(joined, next);
      }
#elif YOKE_REDUCE_BATCH == 1
#if YOKE_REDUCE_ROLLED
      YOKE_UNROLL(1)
#endif
      for (uint taken = at; taken < last; taken += YOKE_REDUCE_LANES) {
        YOKE_X_INDEX i = (YOKE_X_INDEX)(first + taken);
        yoke_x_part next;
        YOKE_REDUCE_LOAD
        joined = YOKE_REDUCE_ADD(next, taken);
      }
#else
      for (uint begin = at; begin < last; begin += YOKE_REDUCE_BATCH * YOKE_REDUCE_LANES) {
        yoke_x_part read[YOKE_REDUCE_BATCH];
        YOKE_UNROLL(YOKE_REDUCE_BATCH)
        for (uint j = 0; j < YOKE_REDUCE_BATCH; ++j) {
          uint taken = begin + j * YOKE_REDUCE_LANES;
          YOKE_X_INDEX i = (YOKE_X_INDEX)(first + (taken < last ? taken : at));
          yoke_x_part next;
          YOKE_REDUCE_LOAD
          read[j] = next;
        }
        YOKE_UNROLL(YOKE_REDUCE_BATCH)
        for (uint j = 0; j < YOKE_REDUCE_BATCH; ++j) {
          uint taken = begin + j * YOKE_REDUCE_LANES;
          if (taken < last) joined = YOKE_REDUCE_ADD(read[j], taken);
        }
      }
#endif
      YOKE_REDUCE_PLACED_IN
#if YOKE_REDUCE_PIECE
      all = yoke_x_join(all, joined);
    }
    part[YOKE_REDUCE_AT(own)] = all;
#else
      part[YOKE_REDUCE_AT(own)] = joined;
    }
#endif
  }
#if YOKE_REDUCE_LANES > 1
  YOKE_REDUCE_MEET();
#endif
#if YOKE_REDUCE_RESULTS == 1 && YOKE_REDUCE_LANES > 32 && YOKE_BACKEND_CUDA
  // The first warp joins all lanes without barriers of the block: the same parts in the same order as below.
  if (lane >= 32) return;
#if YOKE_REDUCE_LANES == 1024
#define YOKE_REDUCE_BY_512(at) yoke_x_join(part[at], part[(at) + 512])
#define YOKE_REDUCE_BY_256(at) yoke_x_join(YOKE_REDUCE_BY_512(at), YOKE_REDUCE_BY_512((at) + 256))
#define YOKE_REDUCE_BY_128(at) yoke_x_join(YOKE_REDUCE_BY_256(at), YOKE_REDUCE_BY_256((at) + 128))
#else
#define YOKE_REDUCE_BY_128(at) yoke_x_join(part[at], part[(at) + 128])
#endif
#define YOKE_REDUCE_BY_64(at) yoke_x_join(YOKE_REDUCE_BY_128(at), YOKE_REDUCE_BY_128((at) + 64))
  part[lane] = yoke_x_join(YOKE_REDUCE_BY_64(lane), YOKE_REDUCE_BY_64(lane + 32));
  for (uint apart = 16; apart > 0; apart /= 2) {
    YOKE_BARRIER_WARP();
    if (lane < apart) part[lane] = yoke_x_join(part[lane], part[lane + apart]);
  }
#elif YOKE_REDUCE_LANES > 1
  for (uint apart = YOKE_REDUCE_LANES / 2; apart > 0; apart /= 2) {
    for (uint own = lane; own < apart; own += YOKE_REDUCE_THREADS) {
      part[YOKE_REDUCE_AT(own)] = yoke_x_join(part[YOKE_REDUCE_AT(own)], part[YOKE_REDUCE_AT(own + apart)]);
    }
    YOKE_REDUCE_MEET();
  }
#endif
#endif
  if (lane != 0 || to >= steps.results) return;
  yoke_x_part total = part[YOKE_REDUCE_AT(0)];
  YOKE_REDUCE_STORE
}
#undef YOKE_REDUCE_ADD
#undef YOKE_REDUCE_AT
#undef YOKE_REDUCE_PARTS
#undef YOKE_REDUCE_MEET
#undef YOKE_REDUCE_BY_128
)yoke"
