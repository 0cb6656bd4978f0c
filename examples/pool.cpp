// SPDX-License-Identifier: MIT
// Temporaries from a pool: a thousand of them, of a few sizes, need only as many blocks of the driver as live at once.
#include <yoke/yoke.hpp>

#include <cstdio>
#include <vector>

constexpr const char* source = R"(
  YOKE_KERNEL scale(YOKE_GLOBAL const float* in, YOKE_GLOBAL float* out, float factor, int n) {
    int i = (int)get_global_id(0);
    if (i < n) out[i] = factor * in[i];
  })";

int main() {
  const yoke::context ctx;
  const yoke::stream stream{ctx};
  const auto module = yoke::compile(ctx, source);
  const auto scale = module.get_kernel<void(const float*, float*, float, int)>("scale");
  const yoke::memory_pool pool{ctx, {.track = true}};

  bool right = true;
  for (int round = 0; round < 1000; ++round) {
    const int n = 1000 + round % 10 * 300;
    const std::vector<float> host(static_cast<std::size_t>(n), 1.0f);
    yoke::device_allocation<float> a{pool, n, stream}, b{pool, n, stream};  // no driver call, once a block is there
    yoke::copy(host, a, stream);
    scale(stream, yoke::launch_over(n, 128), a, b, 2.0f, n);
    scale(stream, yoke::launch_over(n, 128), b, a, 3.0f, n);
    if (round % 100 == 0) right = right && yoke::to_host(a, stream).back() == 6.0f;
  }  // both blocks are free for the next round: the stream's order keeps the rounds apart

  const yoke::pool_statistics now = pool.statistics();
  std::printf("2000 allocations: %zu blocks of the driver, %zu bytes at most; idle now: %zu\n", now.made_blocks,
              now.peak_bytes, now.held_blocks);
  pool.trim(16 * 1024);
  right = right && now.made_blocks == 20 && now.active_blocks == 0 && pool.statistics().managed_bytes <= 16 * 1024;

  const yoke::device_allocation<int> kept{pool, 100, stream};
  for (const yoke::pool_holder& each : pool.holders()) {
    std::printf("line %u holds %zu blocks, %zu bytes\n", each.where.line(), each.blocks, each.bytes);
    right = right && each.bytes == 400;
  }
  std::puts(right ? "right" : "WRONG");
  return right ? 0 : 1;
}
