// SPDX-License-Identifier: MIT
// Fills with elements of every size, on every kind of device memory; bytes between rows keep theirs.
#include <memory/rig.hpp>

#include <array>
#include <cstring>
#include <map>

using namespace yoke_test;

namespace {

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

const yoke::box_layout flat_box{.width = 5, .height = 4, .row_pitch = 7, .offset = 3};
const yoke::box_layout deep_box{.width = 2, .height = 3, .depth = 3, .row_pitch = 3, .slice_pitch = 10, .offset = 1};
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

template <class Memory, class T>
void check_boxes(rig& on, Memory& memory, const T& old, const T& value) {
  for (const yoke::box_layout& box : {flat_box, deep_box}) {
    yoke::fill(memory, old, on.stream);
    yoke::fill(yoke::strided(memory, box), value, on.stream);
    CHECK(download(memory, on.stream) == filled(std::vector<T>(box_elements, old), box, value));
  }
}

template <std::size_t Size>
void check_buffers(rig& on) {
  INFO("elements of " << Size << " bytes");
  using T = element<Size>;
  const T old = T::of(1);
  const T value = T::of(101);
  ocl::device_allocation<T> memory{on.context, box_elements};
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

template <std::size_t Size, class Grain>
void check_svm(rig& on) {
  INFO("SVM elements of " << Size << " bytes");
  using T = element<Size>;
  ocl::svm_allocation<T, Grain> memory{on.context, box_elements, on.stream};
  yoke::fill(memory, T::of(3), on.stream);
  CHECK(download(memory, on.stream) == std::vector<T>(box_elements, T::of(3)));
  check_boxes(on, memory, T::of(1), T::of(101));
}

template <class Act>
void for_each_size(Act act) {
  act(std::integral_constant<std::size_t, 1>{});
  act(std::integral_constant<std::size_t, 2>{});
  act(std::integral_constant<std::size_t, 3>{});
  act(std::integral_constant<std::size_t, 4>{});
  act(std::integral_constant<std::size_t, 8>{});
  act(std::integral_constant<std::size_t, 12>{});
  act(std::integral_constant<std::size_t, 16>{});
  act(std::integral_constant<std::size_t, 24>{});
  act(std::integral_constant<std::size_t, 128>{});
  act(std::integral_constant<std::size_t, 160>{});
}

}  // namespace

YOKE_DEVICE_TEST_CASE("allocations, spans and boxes are filled with elements of any size", "[memory]") {
  rig on(device);
  for_each_size([&](auto size) { check_buffers<size>(on); });
}

YOKE_DEVICE_TEST_CASE("coarse SVM is filled with elements of any size", "[memory]") {
  rig on(device);
  if (!on.device.port().svm(on.device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  for_each_size([&](auto size) { check_svm<size, ocl::svm::coarse>(on); });
}

YOKE_DEVICE_TEST_CASE("fine SVM is filled with elements of any size", "[memory]") {
  rig on(device);
  if (!on.device.port().svm(on.device.native_handle(), {}).fine) YOKE_SKIP("this device has no fine-grained SVM");
  for_each_size([&](auto size) { check_svm<size, ocl::svm::fine>(on); });
}

YOKE_DEVICE_TEST_CASE("the value of a fill converts and may end right after the call", "[memory]") {
  rig on(device);
  ocl::device_allocation<float> memory{on.context, 9};
  yoke::fill(memory, 3, on.stream);
  CHECK(download(memory, on.stream) == std::vector<float>(9, 3.0F));
  ocl::device_allocation<std::array<int, 3>> triples{on.context, 1000};
  {
    const auto value = std::make_unique<std::array<int, 3>>(std::array{1, 2, 3});
    yoke::fill(triples, *value, on.stream);
    *value = {};
  }
  CHECK(download(triples, on.stream) == std::vector<std::array<int, 3>>(1000, {1, 2, 3}));
}

YOKE_DEVICE_TEST_CASE("a fill of a power of two is one driver call a row", "[memory]") {
  rig on(device);
  ocl::device_allocation<int> memory{on.context, box_elements};
  std::size_t mark = on.driver.mark();
  yoke::fill(memory, 1, on.stream);
  CHECK(on.driver.calls(mark) == std::vector<std::string>{"enqueue_fill_buffer"});
  mark = on.driver.mark();
  yoke::fill(yoke::strided(memory, flat_box), 2, on.stream);
  CHECK(on.driver.calls(mark) == std::vector<std::string>(4, "enqueue_fill_buffer"));
  mark = on.driver.mark();
  yoke::fill(yoke::strided(memory, {.width = 5, .height = 8}), 3, on.stream);  // tight: one range
  CHECK(on.driver.calls(mark) == std::vector<std::string>{"enqueue_fill_buffer"});
}

YOKE_DEVICE_TEST_CASE("fills above 1 GiB go in pieces without a gap", "[memory]") {
  rig on(device);
  // Nothing is really filled: the driver makes a small buffer, and the pieces are only written down.
  constexpr std::size_t gib = std::size_t{1} << 30;
  std::map<std::size_t, std::size_t> pieces;  // first byte, bytes
  const auto note = [&](std::size_t offset, std::size_t bytes) {
    CHECK(bytes <= gib);
    CHECK(pieces.emplace(offset, bytes).second);
    return abi::status{0};
  };
  on.driver.replace<&abi::functions::create_buffer>(
      [&](abi::context context, abi::ulong flags, std::size_t, void* host, abi::status* status) {
        return on.driver.real().create_buffer(context, flags, 64, host, status);
      });
  on.driver.replace<&abi::functions::enqueue_fill_buffer>([&](abi::queue, abi::memory, const void*, std::size_t pattern,
                                                              std::size_t offset, std::size_t bytes, abi::uint,
                                                              const abi::event*, abi::event*) {
    CHECK(offset % pattern == 0);
    CHECK(bytes % pattern == 0);
    return note(offset, bytes);
  });
  on.driver.replace<&abi::functions::enqueue_write_buffer>(
      [&](abi::queue, abi::memory, abi::boolean, std::size_t offset, std::size_t bytes, const void*, abi::uint,
          const abi::event*, abi::event*) { return note(offset, bytes); });
  on.driver.replace<&abi::functions::enqueue_copy_buffer>([&](abi::queue, abi::memory from, abi::memory to,
                                                              std::size_t source, std::size_t offset, std::size_t bytes,
                                                              abi::uint, const abi::event*, abi::event*) {
    CHECK(from == to);
    CHECK(source + bytes <= offset);  // only what is filled already is copied, and never over itself
    return note(offset, bytes);
  });
  const auto cover = [&](std::size_t first, std::size_t bytes) {
    std::size_t at = first;
    for (const auto& [offset, size] : pieces) {
      CHECK(offset == at);
      at = offset + size;
    }
    CHECK(at == first + bytes);
    return std::exchange(pieces, {}).size();
  };

  ocl::device_allocation<std::uint32_t> words{on.context, gib};
  yoke::fill(words, 7U, on.stream);
  CHECK(cover(0, 4 * gib) == 4);
  yoke::fill(words.subspan(5, gib / 4), 7U, on.stream);
  CHECK(cover(20, gib) == 1);
  yoke::fill(words.subspan(5, gib / 4 + 1), 7U, on.stream);
  CHECK(cover(20, gib + 4) == 2);
  ocl::device_allocation<element<3>> triples{on.context, gib};
  yoke::fill(triples, element<3>::of(1), on.stream);
  CHECK(cover(0, 3 * gib) > 3);
}
