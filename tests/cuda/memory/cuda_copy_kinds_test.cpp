// SPDX-License-Identifier: MIT
// Copies of every kind are the driver's own calls; what they cost beside those: yoke_tests "[measure]"
#include <cuda/cuda_rig.hpp>

#include <yoke/image.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace yoke_test;

namespace {

/// Effects: gives `act` the name of each kind of copy, how yoke makes one, and the driver's call for the same.
template <class Act>
void each_kind(const cu::context& context, std::size_t bytes, Act&& act) {
  const cu::stream stream(context);
  const cuda_abi::functions& call = *context.port().table();
  const auto on = stream.native_handle();
  const auto done = [&](cuda_abi::status status) {
    if (status != cuda_abi::success || call.stream_synchronize(on) != cuda_abi::success) FAIL("a raw call failed");
  };
  const std::size_t size = bytes / sizeof(float);
  cu::device_allocation<float> a{context, size}, b{context, size};
  const auto from = a.native_handle(), to = b.native_handle();
  cu::pagelocked_array<float> locked{context, size};
  act(
      "page-locked to device", [&] { yoke::copy(locked, a, stream); },
      [&] { done(call.memcpy_htod_async(from, locked.data(), bytes, on)); });
  act(
      "device to page-locked", [&] { yoke::copy(a, locked, stream); },
      [&] { done(call.memcpy_dtoh_async(locked.data(), from, bytes, on)); });
  act(
      "on the device", [&] { yoke::copy(a, b, stream); }, [&] { done(call.memcpy_dtod_async(to, from, bytes, on)); });
  cu::managed_allocation<float> managed{context, size};
  yoke::fill(managed, 1.0F, stream);
  stream.synchronize();
  act(
      "managed to device", [&] { yoke::copy(managed, b, stream); },
      [&] { done(call.memcpy_dtod_async(to, managed.native_handle(), bytes, on)); });
  cu::growing_allocation<float> grown{context, size};
  grown.resize(size / 2 + 1);
  grown.resize(size);
  act(
      "grown to device", [&] { yoke::copy(grown, b, stream); },
      [&] { done(call.memcpy_dtod_async(to, grown.native_handle(), bytes, on)); });
  const auto between = [&](const char* name, const cu::context& other) {
    cu::device_allocation<float> theirs{other, size};
    act(
        name, [&] { yoke::copy(a, theirs, stream); },
        [&] {
          done(call.memcpy_peer_async(theirs.native_handle(), other.native_handle(), from, context.native_handle(),
                                      bytes, on));
        });
  };
  const cu::device device = context.only_device();
  between("between contexts", cu::create_context(device));
  for (const cu::device& each : cu::devices(device.port())) {
    if (each == device) continue;
    between("between devices", cu::context{each});
    break;
  }
  const yoke::box_layout box{.width = 1000, .height = size / 1024, .row_pitch = 1024};
  cuda_abi::copy_3d request{};
  request.source_type = request.destination_type = cuda_abi::memory_type::device;
  request.source_device = from;
  request.destination_device = to;
  request.source_pitch = request.destination_pitch = 4096;
  request.source_height = request.destination_height = box.height;
  request.width_bytes = 4000;
  request.height = box.height;
  request.depth = 1;
  act(
      "rows on the device", [&] { yoke::copy(yoke::strided(a, box), yoke::strided(b, box), stream); },
      [&] { done(call.memcpy_3d_async(&request, on)); });
  cu::array<float> plane{context, {.width = 1024, .height = size / 1024}};
  request.destination_type = cuda_abi::memory_type::array;
  request.destination_array = plane.native_handle();
  request.width_bytes = 4096;
  act(
      "device to array", [&] { yoke::copy(a, plane, stream); }, [&] { done(call.memcpy_3d_async(&request, on)); });
  yoke::image<float, 2, cu::port> picture{context, {1024, size / 1024}};
  act(
      "device to image", [&] { yoke::copy(a, picture, stream); }, [&] { done(call.memcpy_3d_async(&request, on)); });
}

}  // namespace

YOKE_CUDA_TEST_CASE("a copy of each kind is the one call that a program would make", "[cuda][memory]") {
  cuda_rig on(device);
  const auto active = on.context.activate();
  std::size_t kinds = 0;
  each_kind(on.context, std::size_t{4} << 20, [&](const char* name, auto&& by_yoke, auto&& raw) {
    INFO(name);
    const auto copies = [&](auto& act) {
      const std::size_t mark = on.driver.mark();
      act();
      std::vector<std::string> found;
      for (const std::string& each : on.driver.calls(mark)) {
        if (each.rfind("memcpy", 0) == 0) found.push_back(each);
      }
      return found;
    };
    const auto expected = copies(raw);
    CHECK(expected.size() == 1);
    CHECK(copies(by_yoke) == expected);
    ++kinds;
  });
  CHECK(kinds >= 9);
}

YOKE_CUDA_TEST_CASE("speed of copies of every kind", "[.][measure]") {
  const cu::context context(device);
  const auto active = context.activate();
  const auto time = [](auto& act) {
    const auto begin = std::chrono::steady_clock::now();
    act();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  for (const std::size_t mib : {std::size_t{1}, std::size_t{16}, std::size_t{64}}) {
    each_kind(context, mib << 20, [&](const char* name, auto&& by_yoke, auto&& raw) {
      std::vector<double> ratios;
      double mine = 1e9, theirs = 1e9;
      for (int round = 0; round < 61; ++round) {
        const bool first = round % 2 == 0;  // they take turns
        const double before = first ? 0 : time(raw);
        const double here = time(by_yoke);
        const double there = first ? time(raw) : before;
        mine = std::min(mine, here);
        theirs = std::min(theirs, there);
        ratios.push_back(here / there);
      }
      std::nth_element(ratios.begin(), ratios.begin() + 30, ratios.end());
      std::printf("| %s, %zu MiB | %.1f us | %.1f us | %.3f |\n", name, mib, mine * 1e6, theirs * 1e6, ratios[30]);
      CHECK(ratios[30] > 0);
    });
  }
}
