// SPDX-License-Identifier: MIT
// Many copies as one call: every kind of side, both forms of the driver's call, drivers without it, refusals.
#include <memory/memory_faults.hpp>

#include <yoke/cuda.hpp>

#include <cuda/cuda_rig.hpp>

#include <chrono>
#include <cstdio>

using namespace yoke_test;

namespace {

/// Lists copies up, down and within, of ranges, parts and boxes, enqueues them, and checks what arrived and what did not.
template <class Context, class Stream>
void check_list(const Context& context, const Stream& stream) {
  using port = typename Context::port_type;
  using memory_of = yoke::device_allocation<int, port>;
  using host_of = yoke::pagelocked_array<int, port>;
  const std::vector<int> first = counting(60);
  memory_of source{context, first, stream}, up{context, 60}, boxes{context, 60}, within{context, 60};
  yoke::fill(up, -1, stream);
  yoke::fill(boxes, -1, stream);
  yoke::fill(within, -1, stream);
  host_of from{context, 60}, to{context, 60};
  std::iota(from.begin(), from.end(), 1001);
  std::ranges::fill(to, -1);

  yoke::copy_list list{context};
  CHECK(list.empty());
  list.add(from.subspan(0, 10), up.subspan(5, 10));  // up
  list.add(from.subspan(20, 30), up.subspan(20, 30));
  list.add(source.subspan(7, 20), to.subspan(3, 20));  // down
  list.add(source.span(), within);                     // within
  list.add(source.subspan(0, 0), within.subspan(0, 0));
  CHECK(list.size() == 4);
  const auto rows = yoke::box_layout{.width = 3, .height = 4, .row_pitch = 10, .offset = 11};
  list.add(yoke::strided(source, rows), yoke::strided(boxes, {.width = 3, .height = 4, .row_pitch = 5, .offset = 1}));
  list.add(
      yoke::strided(source, memory_faults::odd),
      yoke::strided(boxes, {.width = 3, .height = 2, .depth = 3, .row_pitch = 4, .slice_pitch = 12, .offset = 22}));
  list.add(yoke::strided(from, {.width = 2, .height = 2, .row_pitch = 6, .offset = 50}),
           yoke::strided(up, {.width = 2, .height = 2, .row_pitch = 3, .offset = 54}));
  CHECK(list.size() == 7);
  yoke::copy(list, stream);

  std::vector<int> expected(60, -1);
  for (std::size_t i = 0; i < 10; ++i) expected[5 + i] = 1001 + static_cast<int>(i);
  for (std::size_t i = 0; i < 30; ++i) expected[20 + i] = 1021 + static_cast<int>(i);
  for (const auto& [at, value] : {std::pair{54, 1051}, {55, 1052}, {57, 1057}, {58, 1058}}) {
    expected[static_cast<std::size_t>(at)] = value;
  }
  CHECK(download(up, stream) == expected);
  expected.assign(60, -1);
  for (std::size_t i = 0; i < 20; ++i) expected[3 + i] = first[7 + i];
  CHECK(std::equal(to.begin(), to.end(), expected.begin()));
  CHECK(download(within, stream) == first);
  expected.assign(60, -1);
  for (std::size_t y = 0; y < 4; ++y) {
    for (std::size_t x = 0; x < 3; ++x) expected[1 + 5 * y + x] = first[11 + 10 * y + x];
  }
  for (std::size_t z = 0; z < 3; ++z) {
    for (std::size_t y = 0; y < 2; ++y) {
      for (std::size_t x = 0; x < 3; ++x) expected[22 + 12 * z + 4 * y + x] = first[13 * z + 4 * y + x];
    }
  }
  CHECK(download(boxes, stream) == expected);

  // Again, without a wait, and with an end.
  yoke::fill(within, -1, stream);
  yoke::enqueue_copy(list, stream);
  stream.synchronize();
  CHECK(download(within, stream) == first);
  yoke::fill(within, -1, stream);
  auto flight = yoke::copy_async(list, stream);
  flight.wait();
  CHECK(download(within, stream) == first);
  list.clear();
  yoke::copy(list, stream);
  CHECK(yoke::copy_async(list, stream).is_done());
}

}  // namespace

YOKE_DEVICE_TEST_CASE("a list of copies copies all of them", "[memory][copy_list]") {
  rig on(device);
  check_list(on.context, on.stream);
  CHECK(on.live().empty());
}

YOKE_ANY_DEVICE_TEST_CASE("lists of copies work on the device chosen at run time", "[memory][copy_list]") {
  const yoke::context context(device);
  const yoke::stream stream{context};
  check_list(context, stream);
}

YOKE_CUDA_TEST_CASE("a list is one call for ranges and one for boxes, in the driver's newest form",
                    "[cuda][memory][copy_list]") {
  for (const int newest : {0, 12090, 12070}) {
    cuda_rig on(device, newest);
    const auto& table = *on.driver.table();
    const bool second = table.memcpy_batch_async_v2 != nullptr;
    const bool first = !second && table.memcpy_batch_async != nullptr;
    if (newest == 12070) CHECK((!first && !second));
    if (newest == 12090) CHECK(!second);
    if (newest == 12090 && is_simulated(device)) CHECK(first);
    cu::device_allocation<int> memory{on.context, counting(60), on.stream}, there{on.context, 60};
    cu::pagelocked_array<int> host{on.context, 60};
    yoke::copy_list list{on.context};
    for (std::size_t i = 0; i < 10; ++i) list.add(memory.subspan(6 * i, 6), host.subspan(6 * (9 - i), 6));
    list.add(yoke::strided(memory, memory_faults::whole_rows), yoke::strided(there, memory_faults::whole_rows));
    list.add(yoke::strided(memory, {.width = 2, .height = 2, .row_pitch = 3, .offset = 30}),
             yoke::strided(there, {.width = 2, .height = 2, .row_pitch = 4, .offset = 40}));
    const std::size_t mark = on.driver.mark();
    yoke::enqueue_copy(list, on.stream);
    on.stream.synchronize();
    CHECK(on.driver.count("memcpy_batch_async_v2", mark) == (second ? 1 : 0));
    CHECK(on.driver.count("memcpy_3d_batch_async_v2", mark) == (second ? 1 : 0));
    CHECK(on.driver.count("memcpy_batch_async", mark) == (first ? 1 : 0));
    CHECK(on.driver.count("memcpy_3d_batch_async", mark) == (first ? 1 : 0));
    CHECK(on.driver.count("memcpy_dtoh_async", mark) == (first || second ? 0 : 10));
    CHECK(on.driver.count("memcpy_3d_async", mark) == (first || second ? 0 : 2));
    CHECK(host[0] == 55);
    CHECK(host[54] == 1);
    check_list(on.context, on.stream);
  }
}

YOKE_CUDA_TEST_CASE("a default stream, and a copy alone, take no batch", "[cuda][memory][copy_list]") {
  rig on(device);
  const auto active = on.context.activate();
  cu::device_allocation<int> memory{on.context, counting(60), on.stream}, there{on.context, 60};
  yoke::copy_list list{on.context};
  list.add(memory, there);
  std::size_t mark = on.driver.mark();
  yoke::copy(list, on.stream);
  CHECK(on.driver.count("memcpy_dtod_async", mark) == 1);
  list.add(memory.subspan(0, 0), there.subspan(0, 0));
  cu::device_allocation<int> third{on.context, 60};
  list.add(memory, third);
  for (const auto& each : {cu::legacy_stream(on.context), cu::per_thread_stream(on.context)}) {
    mark = on.driver.mark();
    yoke::copy(list, each);
    CHECK(on.driver.count("memcpy_dtod_async", mark) == 2);
    CHECK(download(third, on.stream) == counting(60));
  }
}

YOKE_DEVICE_TEST_CASE("what a list refuses names the copy", "[memory][copy_list]") {
  rig on(device);
  const backend::context elsewhere = Backend::another_context(on.device);
  backend::device_allocation<int> memory{on.context, 60};
  backend::pagelocked_array<int> host{on.context, 60}, foreign{elsewhere, 60};
  yoke::copy_list list{on.context};
  using yoke::errc;
  CHECK_THAT(refusal<yoke::logic_error>(errc::size_mismatch, [&] { list.add(host.subspan(0, 3), memory); }),
             ContainsSubstring("3"));
  CHECK(list.empty());
  list.add(host, memory);
  list.add(foreign, memory);
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refusal<yoke::logic_error>(errc::wrong_context, [&] { yoke::enqueue_copy(list, on.stream); }),
             ContainsSubstring("the source of copy 1 of the list is of another context than the stream"));
  list.clear();
  list.add(memory.subspan(0, 10), memory.subspan(5, 10));
  refusal<yoke::logic_error>(errc::invalid_argument, [&] { yoke::enqueue_copy(list, on.stream); });
  refusal<yoke::logic_error>(errc::empty_handle, [&] { yoke::enqueue_copy(list, backend::stream{}); });
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_CUDA_TEST_CASE("a list that the driver refuses names the copy and its sides", "[cuda][memory][copy_list]") {
  if (!is_simulated(device)) return;  // a GPU may run such a copy, and lose the context
  for (const int newest : {0, 12090}) {
    cuda_rig on(device, newest);
    if (on.driver.table()->memcpy_batch_async == nullptr) continue;
    cu::device_allocation<int> memory{on.context, 60}, there{on.context, 60};
    cu::pagelocked_array<int> host{on.context, 60};
    const auto beyond = cu::device_span<int>(on.context.native_handle(), memory.native_handle(), 0, 1U << 28);
    const auto end = cu::device_span<int>(on.context.native_handle(), there.native_handle(), 1U << 29, 1U << 28);
    yoke::copy_list list{on.context};
    list.add(host, there);
    list.add(beyond, end);
    const std::string said =
        cuda_refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { yoke::enqueue_copy(list, on.stream); });
    CHECK_THAT(said, ContainsSubstring("copy 1 of 2 in one call: source of 1073741824 bytes at 0x"));
    CHECK_THAT(said, ContainsSubstring("goes beyond its block"));
  }
}

// Prints what one call brings on a GPU: yoke_tests "[measure]"
YOKE_CUDA_TEST_CASE("speed of many small copies", "[.][measure]") {
  const cu::context context(device);
  const cu::stream stream(context);
  constexpr std::size_t count = 1024, size = 64;
  cu::device_allocation<int> memory{context, count * size};
  cu::pagelocked_array<int> host{context, count * size};
  yoke::copy_list list{context};
  for (std::size_t i = 0; i < count; ++i) list.add(host.subspan(i * size, size), memory.subspan(i * size, size));
  const auto best = [&](auto&& act) {
    double seconds = 1e9;
    for (int round = 0; round < 20; ++round) {
      const auto start = std::chrono::steady_clock::now();
      act();
      stream.synchronize();
      seconds = std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return seconds * 1e3;
  };
  const double one_by_one = best([&] {
    for (std::size_t i = 0; i < count; ++i) {
      auto to = memory.subspan(i * size, size);
      yoke::enqueue_copy(host.subspan(i * size, size), to, stream);
    }
  });
  const double together = best([&] { yoke::enqueue_copy(list, stream); });
  std::printf("%zu copies of %zu bytes: one by one %.3f ms, as a list %.3f ms\n", count, size * sizeof(int), one_by_one,
              together);
  CHECK(together > 0);
}
