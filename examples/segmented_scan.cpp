// SPDX-License-Identifier: MIT
// Sums that begin anew at every flag: within blocks first, then across blocks.
#include <fmt/core.h>

#include <cstddef>
#include <cstdlib>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* source = R"(
#define BLOCK 128
// A pair (flag, sum) joined with the one before it: a flag cuts off what came earlier.
YOKE_KERNEL scan_blocks(YOKE_GLOBAL float* sums, YOKE_GLOBAL int* flagged, YOKE_GLOBAL float* last_sums,
                        YOKE_GLOBAL int* last_flags, YOKE_GLOBAL const float* in, YOKE_GLOBAL const int* flags, int n) {
  YOKE_LOCAL float sum[BLOCK];
  YOKE_LOCAL int flag[BLOCK];
  int i = (int)get_global_id(0);
  int me = (int)get_local_id(0);
  sum[me] = i < n ? in[i] : 0.0f;
  flag[me] = i < n ? flags[i] : 0;
  YOKE_BARRIER_LOCAL();
  for (int step = 1; step < BLOCK; step *= 2) {
    float before = me >= step && flag[me] == 0 ? sum[me - step] : 0.0f;
    int flag_before = me >= step ? flag[me - step] : 0;
    YOKE_BARRIER_LOCAL();
    sum[me] += before;
    flag[me] |= flag_before;
    YOKE_BARRIER_LOCAL();
  }
  if (i < n) {
    sums[i] = sum[me];
    flagged[i] = flag[me];
  }
  if (me == BLOCK - 1) {
    last_sums[get_group_id(0)] = sum[me];
    last_flags[get_group_id(0)] = flag[me];
  }
}
// One thread: there are few blocks. Each block gets the sum of those before it.
YOKE_KERNEL scan_last(YOKE_GLOBAL float* last_sums, YOKE_GLOBAL const int* last_flags, int blocks) {
  float carried = 0.0f;
  for (int block = 0; block < blocks; ++block) {
    float own = last_sums[block];
    last_sums[block] = carried;
    carried = last_flags[block] != 0 ? own : carried + own;
  }
}
YOKE_KERNEL carry_on(YOKE_GLOBAL float* sums, YOKE_GLOBAL const int* flagged, YOKE_GLOBAL const float* carried, int n) {
  int i = (int)get_global_id(0);
  if (i < n && flagged[i] == 0) sums[i] += carried[get_group_id(0)];
}
)";

int segmented_scan() {
  const yoke::context context;
  const yoke::stream stream{context};
  const auto module = yoke::compile(context, source);
  fmt::print("device: {}\n", stream.device_of().name());

  const auto scan_blocks =
      module.get_kernel<void(float*, int*, float*, int*, const float*, const int*, int)>("scan_blocks");
  const auto scan_last = module.get_kernel<void(float*, const int*, int)>("scan_last");
  const auto carry_on = module.get_kernel<void(float*, const int*, const float*, int)>("carry_on");

  constexpr std::size_t n = 50'001;
  constexpr std::size_t block = 128;
  constexpr std::size_t blocks = (n + block - 1) / block;
  std::vector<float> in(n);
  std::vector<int> flags(n);
  std::vector<float> expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = static_cast<float>(i % 4);
    flags[i] = i % 37 == 5 && i % 5000 < 1000 ? 1 : 0;  // short segments, and some longer than many blocks
    expected[i] = in[i] + (i > 0 && flags[i] == 0 ? expected[i - 1] : 0.0F);
  }
  const auto in_gpu = yoke::to_device(in, stream);
  const auto flags_gpu = yoke::to_device(flags, stream);
  yoke::device_allocation<float> sums{context, n};
  yoke::device_allocation<int> flagged{context, n};
  yoke::device_allocation<float> last_sums{context, blocks};
  yoke::device_allocation<int> last_flags{context, blocks};
  const auto shape = yoke::launch_over(n, block);
  scan_blocks(stream, shape, sums, flagged, last_sums, last_flags, in_gpu, flags_gpu, n);
  scan_last(stream, {.grid = 1, .block = 1}, last_sums, last_flags, blocks);
  carry_on(stream, shape, sums, flagged, last_sums, n);
  std::vector<float> result(n);
  yoke::copy(sums, result, stream);
  for (std::size_t i = 0; i < n; ++i) {
    if (result[i] == expected[i]) continue;
    fmt::print(stderr, "sum {} is {}, not {}\n", i, result[i], expected[i]);
    return EXIT_FAILURE;
  }
  fmt::print("{} sums are right\n", n);
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return segmented_scan();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
