// SPDX-License-Identifier: MIT
// Ranks the elements of a tile by a digit in warps, whose threads find each other by votes: blocks of 256 threads.
R"yoke(// The counts are those of each digit for each warp of the block: 8 * 256.

// Effects: adds the elements of a thread to its warp's counts. `packed[k]` becomes the digit of key `k`.
void yoke_s_count_in_warps(YOKE_PRIVATE const YOKE_SORT_KEY* key, YOKE_PRIVATE uint* packed,
                           YOKE_LOCAL_POINTER uint* found, yoke_s_pass pass) {
  found += (uint)get_local_id(0) / 32u * 256u;
  YOKE_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
    packed[k] = yoke_s_digit(key[k], pass);
    yoke_atomic_add(found + packed[k], 1u);
  }
  YOKE_BARRIER_LOCAL();
}

// Effects: the counts of digit `here` become those of all warps before each. Returns: their sum.
uint yoke_s_add_warps(YOKE_LOCAL_POINTER uint* found, uint here) {
  uint sum = 0;
  YOKE_UNROLL(8)
  for (uint warp = 0; warp < 8u; ++warp) {
    uint of_warp = found[warp * 256u + here];
    found[warp * 256u + here] = sum;
    sum += of_warp;
  }
  return sum;
}

// Returns: the sum of `x` over the threads before this one.
uint yoke_s_before(YOKE_LOCAL_POINTER uint* scratch, uint x) {
  uint here = (uint)get_local_id(0), sum = x;
  YOKE_UNROLL(5)
  for (uint by = 1; by < 32u; by *= 2) {
    uint below = yoke_warp_shuffle_up(sum, by);
    if (here % 32u >= by) sum += below;
  }
  if (here % 32u == 31u) scratch[here / 32u] = sum;
  YOKE_BARRIER_LOCAL();
  sum -= x;
  YOKE_UNROLL(7)
  for (uint warp = 0; warp < 7u; ++warp) sum += warp < here / 32u ? scratch[warp] : 0u;
  return sum;
}

// Effects: digits become ranks in the tile. `start`: the first rank of digit `here`.
void yoke_s_rank(YOKE_PRIVATE uint* packed, YOKE_LOCAL_POINTER uint* found, uint here, uint start) {
  uint below = (1u << here % 32u) - 1u, above = 0xfffffffeu << here % 32u;
  YOKE_UNROLL(8)
  for (uint warp = 0; warp < 8u; ++warp) found[warp * 256u + here] += start;
  YOKE_BARRIER_LOCAL();
  found += here / 32u * 256u;
  YOKE_UNROLL(YOKE_SORT_ITEMS)
  for (uint k = 0; k < YOKE_SORT_ITEMS; ++k) {
    uint peers = yoke_warp_peers(packed[k]);
    YOKE_LOCAL_POINTER uint* own = found + packed[k];
    packed[k] = *own + (uint)popcount(peers & below);
    YOKE_BARRIER_WARP();
    if ((peers & above) == 0) *own = packed[k] + 1u;  // the last of them
    YOKE_BARRIER_WARP();
  }
  YOKE_BARRIER_LOCAL();
}
)yoke"
