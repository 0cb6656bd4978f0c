// SPDX-License-Identifier: MIT
// Every driver call of arrays made to fail in turn.
#include <memory/memory_faults.hpp>
#include <support/sample.hpp>
#include <yoke/array.hpp>
#include <yoke/cuda/cuda.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

namespace {
struct cell {
  int key, count;
};
}  // namespace

YOKE_DEVICE_TEST_CASE("faults in the making of arrays", "[array][faults]") {
  if (!takes(device, "cuda")) return;
  loop(
      "of the host's elements", device,
      [](auto& state) {
        auto a = yoke::to_device_array(counting(60), {3, 20}, state.stream);
        auto b = yoke::to_device_array(counting(60), {3, 20}, state.stream, yoke::array_order::f);
        const auto left = a.to_host();
        const auto right = b.to_host();
        CHECK(left == right);
      },
      of_arrays());
  loop(
      "of values and sequences", device,
      [](auto& state) {
        auto a = yoke::zeros<int>({4, 5}, state.stream);
        auto b = yoke::full_like(a, 3);
        auto c = yoke::arange(0, 20, 1, state.stream);
        CHECK(a.size() + b.size() == 2 * c.size());
      },
      of_arrays());
  loop("of another allocation", device, [](auto& state) {
    auto memory = yoke::to_device(counting(60), state.stream);
    yoke::device_array a(std::move(memory), yoke::shape{6, 10}, state.stream);
    const auto kept = a.share();
    a.reset();
    CHECK(kept.extent(1) == 10);
  });
}

YOKE_DEVICE_TEST_CASE("faults in copies of arrays", "[array][faults]") {
  if (!takes(device, "opencl")) return;
  loop(
      "through boxes, kernels and temporaries", device,
      [](auto& state) {
        auto a = yoke::to_device_array(counting(60), {3, 20}, state.stream);
        a(yoke::whole, yoke::slice(1, yoke::none)).assign(a(yoke::whole, yoke::slice(0, -1)));
        a(0).fill(7);
        a(yoke::whole, 2).fill(8);
        const int one = a(1, 3).value();
        const auto column = a(yoke::reversed, 0).to_host();
        CHECK((one == 23 && column.front() == 41));
        a(1).assign(counting(20));
      },
      of_arrays());
  loop(
      "to page-locked memory", device,
      [](auto& state) {
        auto a = yoke::to_device_array(counting(60), {3, 20}, state.stream);
        auto later = a(yoke::whole, 1).to_host_async();
        const auto values = std::move(later).get();
        CHECK(values[1] == 22);
        auto like = yoke::pagelocked_like(a);
        a.copy_to(like.view());
        a.assign(like.view()(yoke::reversed));
        const int last = like(2, 19);
        CHECK(last == 60);
      },
      of_arrays());
  loop(
      "with conversions and members", device,
      [](auto& state) {
        auto a = yoke::to_device_array(counting(60), state.stream);
        const auto b = a.template astype<float>().reshape_copy({6, 10}).copy();
        const float one = b(1, 1).value();
        CHECK(one == 12.0F);
        yoke::device_value pair{state.stream, cell{3, 4}};
        const cell whole = pair.get();
        CHECK(whole.count == 4);
      },
      of_arrays());
}

YOKE_CUDA_TEST_CASE("faults in arrays that own managed and mapped memory", "[cuda][array][faults]") {
  namespace cu = yoke::cuda;
  fault_loop_options waits = of_arrays();
  waits.absorbed.push_back(
      {"stream_synchronize", "the end of shared memory waits; who waits for the stream hears of it"});
  loop(
      "of managed memory", device,
      [](auto& state) {
        yoke::device_array a{cu::managed_allocation<int>{state.context, 12}, yoke::shape{3, 4}, state.stream};
        a.fill(3);
        const cu::stream other{state.context};
        a.record_use(other);
        const int one = a.host()(2, 3);
        CHECK(one == 3);
      },
      waits);
  loop(
      "of page-locked memory", device,
      [](auto& state) {
        yoke::device_array a{cu::pagelocked_array<int>{state.context, 12, {.mapped = true}}, yoke::shape{12},
                             state.stream};
        a.fill(3);
        const int one = a.host()[11];
        CHECK(one == 3);
      },
      waits);
}
