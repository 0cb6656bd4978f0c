// SPDX-License-Identifier: MIT
// Elements of every size, and boxes of them that are filled.
#ifndef YOKE_TESTS_MEMORY_FILL_CHECKS_HPP
#define YOKE_TESTS_MEMORY_FILL_CHECKS_HPP

#include <support/devices/gate.hpp>
#include <support/rig.hpp>

#include <array>
#include <bit>
#include <cstring>

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

/// Returns: the same handle as the backend has it, where it may be one of `any_port`.
template <class Native, class Handle>
Native native_as(const Handle& handle) {
  static_assert(sizeof(Native) == sizeof handle);
  Native native{};
  std::memcpy(&native, &handle, sizeof native);
  return native;
}

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

/// Whether a fill with such an element waits for what is before it in the stream.
template <class Backend>
constexpr bool fill_waits(std::size_t size) {
  return std::same_as<Backend, opencl_backend> && (!std::has_single_bit(size) || size > 128);
}

/// Fills from page-locked memory behind a gate, and changes the value before the gate opens.
template <std::size_t Size, class Backend, class Memory, class Port>
void check_late_reads(rig<Backend>& on, Memory& memory, const yoke::stream<Port>& stream) {
  INFO("elements of " << Size << " bytes");
  using T = element<Size>;
  yoke::pagelocked_array<T, Port> value{stream.context_of(), 1};
  const auto context = Backend::context::borrow(
      on.device.port(), native_as<typename Backend::native_context>(stream.context_of().native_handle()));
  const auto gated =
      Backend::stream::borrow(context, native_as<typename Backend::native_stream>(stream.native_handle()));
  for (const bool rows : {false, true}) {
    value[0] = T::of(101);
    yoke::fill(memory, T::of(1), stream);
    stream.synchronize();
    {
      gate closed(gated);
      const auto opener = fill_waits<Backend>(Size) ? open_soon(closed) : std::jthread();
      if (rows) {
        yoke::fill(yoke::strided(memory, flat_box), value[0], stream);
      } else {
        yoke::fill(memory, value[0], stream);
      }
      value[0] = T::of(51);
    }
    const std::vector<T> old(box_elements, T::of(rows ? 1 : 101));
    CHECK(download(memory, stream) == (rows ? filled(old, flat_box, T::of(101)) : old));
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
  act(std::integral_constant<std::size_t, 2500>{});
}

}  // namespace yoke_test::fills

#endif
