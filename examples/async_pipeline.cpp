// SPDX-License-Identifier: MIT
// A pipeline of three stages, upload, compute, download, over two streams: chunks overlap, events keep their order.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

using element = std::uint32_t;
using clock = std::chrono::steady_clock;

constexpr std::size_t chunk_count = 16;
constexpr std::size_t chunk = std::size_t{1} << 18;  // elements
constexpr int rounds = 24;                           // work for each element

constexpr const char* source = R"(
YOKE_KERNEL scramble(YOKE_GLOBAL yoke_uint32* data, int n, int rounds) {
  int i = (int)get_global_id(0);
  if (i >= n) return;
  yoke_uint32 value = data[i];
  for (int round = 0; round < rounds; ++round) value = value * 1664525u + 1013904223u;
  data[i] = value;
})";

element scrambled(element value) {
  for (int round = 0; round < rounds; ++round) value = value * 1664525u + 1013904223u;
  return value;
}

using scramble_kernel = yoke::kernel<void(element*, int, int)>;

// The part of a page-locked array that belongs to one chunk.
auto part(auto& array, std::size_t index) { return yoke::strided(array, {.width = chunk, .offset = index * chunk}); }

// One stream: every command waits for the one before.
void one_after_another(const yoke::stream<>& stream, const scramble_kernel& scramble,
                       const yoke::pagelocked_array<element>& input, yoke::pagelocked_array<element>& output) {
  yoke::device_allocation<element> buffer{stream.context_of(), chunk, stream};
  std::vector<yoke::transfer<>> transfers;  // kept, because a transfer waits when it ends
  for (std::size_t k = 0; k < chunk_count; ++k) {
    transfers.push_back(yoke::copy_async(part(input, k), buffer, stream));
    scramble(stream, yoke::launch_over(chunk, 64), buffer, chunk, rounds);
    transfers.push_back(yoke::copy_async(buffer, part(output, k), stream));
  }
  for (auto& transfer : transfers) transfer.wait();
}

// Two streams: while one chunk is computed, the next is uploaded and the one before is downloaded.
//
//   copies:   up 0 | up 1 | down 0 | up 2 | down 1 | up 3 | ...
//   compute:         run 0 | run 1          | run 2          | ...
void overlapped(const yoke::stream<>& copies, const yoke::stream<>& compute, const scramble_kernel& scramble,
                const yoke::pagelocked_array<element>& input, yoke::pagelocked_array<element>& output) {
  constexpr std::size_t slots = 3;
  std::array<yoke::device_allocation<element>, slots> buffers;
  for (auto& buffer : buffers) buffer = {copies.context_of(), chunk, copies};

  std::vector<yoke::transfer<>> transfers;
  std::vector<yoke::event<>> computed;
  for (std::size_t k = 0; k < chunk_count + 1; ++k) {
    if (k < chunk_count) {
      // Slot k % 3 is free: its last download stands before this upload in the same stream.
      auto& buffer = buffers[k % slots];
      transfers.push_back(yoke::copy_async(part(input, k), buffer, copies));
      // The compute stream waits for this upload, on the device; the host goes on.
      computed.push_back(scramble.enqueue(compute, yoke::launch_over(chunk, 64), buffer, chunk, rounds,
                                          {.after = transfers.back().done()}));
      compute.flush();
    }
    if (k > 0) {
      // And the copies wait for the kernel of the chunk before.
      copies.wait(computed[k - 1]);
      transfers.push_back(yoke::copy_async(buffers[(k - 1) % slots], part(output, k - 1), copies));
      copies.flush();
    }
  }
  // The buffers are freed in the order of `copies`, so declare the other stream that has used them.
  for (auto& buffer : buffers) buffer.record_use(compute);
  for (auto& transfer : transfers) transfer.wait();
}

bool right(const yoke::pagelocked_array<element>& input, const yoke::pagelocked_array<element>& output) {
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (output[i] != scrambled(input[i])) {
      fmt::print(stderr, "element {} is {}, not {}\n", i, output[i], scrambled(input[i]));
      return false;
    }
  }
  return true;
}

int async_pipeline() {
  const yoke::context context;
  const yoke::stream copies{context};
  const yoke::stream compute{context};
  fmt::print("device: {}\n", compute.device_of().name());
  const auto module = yoke::compile(context, source);
  const scramble_kernel scramble = module.get_kernel<scramble_kernel::signature>("scramble");

  // copy_async takes page-locked memory; with a std::vector it would not compile.
  yoke::pagelocked_array<element> input{context, chunk_count * chunk};
  yoke::pagelocked_array<element> output{context, chunk_count * chunk};
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<element>(i * 2654435761u);

  const auto timed = [&](const char* name, auto run) {
    clock::duration best = clock::duration::max();
    for (int attempt = 0; attempt < 4; ++attempt) {  // the first one warms up
      std::fill(output.begin(), output.end(), 0u);
      const auto start = clock::now();
      run();
      if (attempt > 0) best = std::min(best, clock::now() - start);
      if (!right(input, output)) std::exit(EXIT_FAILURE);
    }
    fmt::print("{:<12} {:8.2f} ms\n", name, std::chrono::duration<double, std::milli>(best).count());
    return best;
  };
  const auto plain = timed("one stream", [&] { one_after_another(compute, scramble, input, output); });
  const auto piped = timed("two streams", [&] { overlapped(copies, compute, scramble, input, output); });
  fmt::print("{} chunks of {} KiB are right; overlap makes it {:.2f} times as fast here\n", chunk_count,
             chunk * sizeof(element) / 1024, static_cast<double>(plain.count()) / static_cast<double>(piped.count()));
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  try {
    return async_pipeline();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
