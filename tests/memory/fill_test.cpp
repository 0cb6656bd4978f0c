// SPDX-License-Identifier: MIT
// Fills with elements of every size, on every kind of device memory; bytes between rows keep theirs.
#include <memory/fill_checks.hpp>
#include <support/devices/any_context.hpp>

#include <memory>

using namespace yoke_test;
using namespace yoke_test::fills;

namespace {

template <std::size_t Size, class Backend>
void check_buffers(rig<Backend>& on) {
  INFO("elements of " << Size << " bytes");
  using T = element<Size>;
  const T old = T::of(1);
  const T value = T::of(101);
  yoke::device_allocation<T, typename Backend::port> memory{on.context, box_elements};
  yoke::fill(memory, old, on.stream);
  CHECK(download(memory, on.stream) == std::vector<T>(box_elements, old));
  yoke::fill(memory.subspan(7, 13), value, on.stream);
  std::vector<T> expected(box_elements, old);
  std::fill_n(expected.begin() + 7, 13, value);
  CHECK(download(memory, on.stream) == expected);
  yoke::fill(memory.subspan(39, 1), value, on.stream);
  CHECK(download(memory, on.stream).back() == value);
  check_boxes(on, memory, old, value);
}

}  // namespace

YOKE_DEVICE_TEST_CASE("allocations, spans and boxes are filled with elements of any size", "[memory]") {
  rig on(device);
  for_each_size([&](auto size) { check_buffers<size>(on); });
}

YOKE_DEVICE_TEST_CASE("the value of a fill converts and may end right after the call", "[memory]") {
  rig on(device);
  backend::device_allocation<float> memory{on.context, 9};
  yoke::fill(memory, 3, on.stream);
  CHECK(download(memory, on.stream) == std::vector<float>(9, 3.0F));
  backend::device_allocation<std::array<int, 3>> triples{on.context, 1000};
  {
    const auto value = std::make_unique<std::array<int, 3>>(std::array{1, 2, 3});
    yoke::fill(triples, *value, on.stream);
    *value = {};
  }
  CHECK(download(triples, on.stream) == std::vector<std::array<int, 3>>(1000, {1, 2, 3}));
}

YOKE_DEVICE_TEST_CASE("a fill keeps no address of its value, in page-locked memory neither", "[memory]") {
  rig on(device);
  for_each_size([&](auto size) {
    backend::device_allocation<element<size>> memory{on.context, box_elements};
    check_late_reads<size>(on, memory, on.stream);
  });
}

YOKE_DEVICE_TEST_CASE("nor does a fill through any_port", "[memory]") {
  rig on(device);
  const yoke::stream<yoke::any_port> stream(any_context(on));
  for_each_size([&](auto size) {
    yoke::device_allocation<element<size>, yoke::any_port> memory{stream.context_of(), box_elements};
    check_late_reads<size>(on, memory, stream);
  });
}
