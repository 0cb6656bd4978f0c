// SPDX-License-Identifier: MIT
// Elements of every size, and boxes of them that are filled.
#ifndef YOKE_TESTS_MEMORY_FILL_CHECKS_HPP
#define YOKE_TESTS_MEMORY_FILL_CHECKS_HPP

#include <support/rig.hpp>

#include <array>

namespace yoke_test::fills {

/// An element of `Size` bytes, each of them another.
template <std::size_t Size>
struct element {
  std::array<unsigned char, Size> bytes;
  friend bool operator==(const element&, const element&) = default;
  static element of(unsigned char first) {
    element made{};
    std::iota(made.bytes.begin(), made.bytes.end(), first);
    return made;
  }
};

inline const yoke::box_layout flat_box{.width = 5, .height = 4, .row_pitch = 7, .offset = 3};
inline const yoke::box_layout deep_box{
    .width = 2, .height = 3, .depth = 3, .row_pitch = 3, .slice_pitch = 10, .offset = 1};
constexpr std::size_t box_elements = 40;

template <class T>
std::vector<T> filled(std::vector<T> values, yoke::box_layout box, const T& value) {
  for (std::size_t z = 0; z < box.depth; ++z) {
    for (std::size_t y = 0; y < box.height; ++y) {
      for (std::size_t x = 0; x < box.width; ++x) {
        values[box.offset + z * box.slice_pitch + y * box.row_pitch + x] = value;
      }
    }
  }
  return values;
}

template <class Backend, class Memory, class T>
void check_boxes(rig<Backend>& on, Memory& memory, const T& old, const T& value) {
  for (const yoke::box_layout& box : {flat_box, deep_box}) {
    yoke::fill(memory, old, on.stream);
    yoke::fill(yoke::strided(memory, box), value, on.stream);
    CHECK(download(memory, on.stream) == filled(std::vector<T>(box_elements, old), box, value));
  }
}

template <class Act>
void for_each_size(Act act) {
  act(std::integral_constant<std::size_t, 1>{});
  act(std::integral_constant<std::size_t, 2>{});
  act(std::integral_constant<std::size_t, 3>{});
  act(std::integral_constant<std::size_t, 4>{});
  act(std::integral_constant<std::size_t, 5>{});
  act(std::integral_constant<std::size_t, 8>{});
  act(std::integral_constant<std::size_t, 12>{});
  act(std::integral_constant<std::size_t, 16>{});
  act(std::integral_constant<std::size_t, 24>{});
  act(std::integral_constant<std::size_t, 32>{});
  act(std::integral_constant<std::size_t, 128>{});
  act(std::integral_constant<std::size_t, 160>{});
}

}  // namespace yoke_test::fills

#endif
