// SPDX-License-Identifier: MIT
// Sorts numbers by four bits at a time: each pass counts, adds up, and moves without changing the order of equal numbers.
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* source = R"(
#define BLOCK 64
#define DIGITS 16
YOKE_KERNEL count(YOKE_GLOBAL uint* table, YOKE_GLOBAL const uint* keys, int shift, int n) {
  YOKE_LOCAL uint mine[DIGITS];
  int i = (int)get_global_id(0);
  int me = (int)get_local_id(0);
  if (me < DIGITS) mine[me] = 0;
  YOKE_BARRIER_LOCAL();
  if (i < n) yoke_atomic_add(mine + (keys[i] >> shift & (DIGITS - 1)), 1u);
  YOKE_BARRIER_LOCAL();
  // By digit first, then by block: the running sum is then the place of each digit of each block.
  if (me < DIGITS) table[me * (int)get_num_groups(0) + (int)get_group_id(0)] = mine[me];
}
YOKE_KERNEL add_up(YOKE_GLOBAL uint* table, int size) {
  YOKE_LOCAL uint scratch[BLOCK];
  uint carried = 0;
  for (int from = 0; from < size; from += BLOCK) {
    int i = from + (int)get_local_id(0);
    uint value = i < size ? table[i] : 0u;
    uint before = yoke_work_group_scan_exclusive_add(scratch, value);
    if (i < size) table[i] = carried + before;
    carried += yoke_work_group_broadcast(scratch, before + value, BLOCK - 1);
  }
}
YOKE_KERNEL move(YOKE_GLOBAL uint* out, YOKE_GLOBAL const uint* keys, YOKE_GLOBAL const uint* table, int shift, int n) {
  YOKE_LOCAL uint scratch[BLOCK];
  int i = (int)get_global_id(0);
  uint key = i < n ? keys[i] : 0u;
  uint digit = i < n ? key >> shift & (DIGITS - 1) : DIGITS;
  uint rank = 0;
  for (uint each = 0; each < DIGITS; ++each) {
    uint before = yoke_work_group_scan_exclusive_add(scratch, digit == each ? 1u : 0u);
    if (digit == each) rank = before;
  }
  if (i < n) out[table[digit * get_num_groups(0) + get_group_id(0)] + rank] = key;
}
)";

int radix_sort() {
  const yoke::context context;
  const yoke::stream stream{context};
  const auto module = yoke::compile(context, source);
  fmt::print("device: {}\n", stream.device_of().name());

  const auto count = module.get_kernel<void(std::uint32_t*, const std::uint32_t*, int, int)>("count");
  const auto add_up = module.get_kernel<void(std::uint32_t*, int)>("add_up");
  const auto move =
      module.get_kernel<void(std::uint32_t*, const std::uint32_t*, const std::uint32_t*, int, int)>("move");

  constexpr std::size_t n = 5'001;
  constexpr std::size_t block = 64;
  constexpr std::size_t blocks = (n + block - 1) / block;
  std::vector<std::uint32_t> keys(n);
  std::uint32_t state = 1;
  for (std::uint32_t& each : keys) {
    state = state * 1664525U + 1013904223U;
    each = state >> 16;  // sixteen bits: four passes
  }
  auto from = yoke::to_device(keys, stream);
  yoke::device_allocation<std::uint32_t> to{context, n};
  yoke::device_allocation<std::uint32_t> table{context, 16 * blocks};
  for (int shift = 0; shift < 16; shift += 4) {
    count(stream, yoke::launch_over(n, block), table, from, shift, n);
    add_up(stream, {.grid = 1, .block = block}, table, 16 * blocks);
    move(stream, yoke::launch_over(n, block), to, from, table, shift, n);
    std::swap(from, to);
  }
  std::vector<std::uint32_t> sorted(n);
  yoke::copy(from, sorted, stream);
  std::sort(keys.begin(), keys.end());
  if (sorted != keys) {
    fmt::print(stderr, "the numbers are not in order\n");
    return EXIT_FAILURE;
  }
  fmt::print("{} numbers are in order\n", n);
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return radix_sort();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
