// SPDX-License-Identifier: MIT
// Whole warps in CUDA C++, whose threads nobody has to count.
R"yoke(//part warps
//words yoke_warp_shuffle_up
#define yoke_warp_shuffle_up(a, by) __shfl_up_sync(0xffffffffu, a, by)
)yoke"
