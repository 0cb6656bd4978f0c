// SPDX-License-Identifier: MIT
// What the loops over faults do with images: each kind made, copied, filled, adopted and launched.
#ifndef YOKE_TESTS_IMAGE_IMAGE_SCENARIOS_HPP
#define YOKE_TESTS_IMAGE_IMAGE_SCENARIOS_HPP

#include <memory/memory_faults.hpp>

#include <yoke/image.hpp>

#include <stdexcept>
#include <vector>

namespace yoke_test::image_scenarios {

/// Allocations fail in these scenarios, too, so they throw where a test would assert.
inline void expect(bool right) {
  if (!right) throw std::runtime_error("wrong texels");
}

/// Effects: makes an image of each kind.
template <class Port>
void make(memory_faults::kept<Port>& state) {
  const yoke::image<float, 1, Port> line{state.context, 8};
  yoke::image<yoke::unorm<std::uint8_t, 4>, 2, Port> plane{state.context, {8, 4}};
  const yoke::image<std::int32_t, 3, Port> volume{state.context, {4, 3, 2}};
  const yoke::layered_image<float, 1, Port> lines{state.context, 8, 3};
  const yoke::layered_image<float, 2, Port> planes{state.context, {4, 4}, 3};
  auto moved = std::move(plane);
  moved = yoke::image<yoke::unorm<std::uint8_t, 4>, 2, Port>{state.context, {4, 4}};
}

/// Effects: copies between host memory, a buffer and images, in whole and in part.
template <class Port>
void copy(memory_faults::kept<Port>& state) {
  const std::vector<float> texels(32, 2.0F);
  yoke::image<float, 2, Port> plane{state.context, texels, {8, 4}, state.stream};
  yoke::image<float, 2, Port> other{state.context, {8, 4}};
  yoke::copy(plane, other, state.stream);
  std::vector<float> back(8);
  yoke::copy(yoke::region(other, {2, 1}, {4, 2}), back, state.stream);
  expect(back == std::vector<float>(8, 2.0F));
  yoke::image<std::int32_t, 3, Port> volume{state.context, {5, 4, 3}};
  yoke::copy(state.memory, volume, state.stream);
  yoke::copy(yoke::region(volume, {0, 1, 1}, {5, 2, 2}), state.memory.subspan(0, 20), state.stream);
  std::vector<int> spread(24);
  const yoke::box_layout odd{.width = 2, .height = 2, .depth = 2, .row_pitch = 3, .slice_pitch = 7};
  yoke::copy(yoke::region(volume, {1, 1, 1}, {2, 2, 2}), yoke::strided(spread, odd), state.stream);
  yoke::layered_image<std::int32_t, 1, Port> lines{state.context, 5, 4};
  yoke::copy(yoke::region(volume, {0, 0, 2}, {5, 4}), lines, state.stream);
  yoke::copy_async(volume, state.memory, state.stream).wait();
}

/// Effects: fills images, in whole and in part.
template <class Port>
void fill(memory_faults::kept<Port>& state) {
  yoke::layered_image<float, 2, Port> planes{state.context, {4, 4}, 3};
  yoke::fill(planes, 1.5F, state.stream);
  yoke::fill(yoke::region(planes, {1, 1, 1}, {2, 2, 2}), 2.5F, state.stream);
  std::vector<float> back(48);
  yoke::copy(planes, back, state.stream);
  expect(back[0] == 1.5F && back[16 + 5] == 2.5F);
}

/// Effects: adopts, borrows and releases a native image.
template <class Port>
void adopt(memory_faults::kept<Port>& state) {
  yoke::image<float, 2, Port> plane{state.context, {8, 4}};
  {
    const auto lent = yoke::image<float, 2, Port>::borrow(state.context, plane.native_handle(), {8, 4});
    expect(lent.size() == 32);
  }
  // Asked for before it is given up: a failed adoption leaves it with its owner.
  auto checked = yoke::layered_image<float, 2, Port>{state.context, {4, 4}, 2};
  (void)yoke::layered_image<float, 2, Port>::borrow(state.context, checked.native_handle(), {4, 4}, 2);
}

}  // namespace yoke_test::image_scenarios

#endif
