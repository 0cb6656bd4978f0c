// SPDX-License-Identifier: MIT
// Fills of OpenCL's own: of shared virtual memory, by how many commands, and in pieces.
#include <memory/fill_checks.hpp>

#include <map>

using namespace yoke_test;
using namespace yoke_test::fills;

namespace {

template <std::size_t Size, class Grain>
void check_svm(rig<opencl_backend>& on) {
  INFO("SVM elements of " << Size << " bytes");
  using T = element<Size>;
  ocl::svm_allocation<T, Grain> memory{on.context, box_elements, on.stream};
  yoke::fill(memory, T::of(3), on.stream);
  CHECK(download(memory, on.stream) == std::vector<T>(box_elements, T::of(3)));
  check_boxes(on, memory, T::of(1), T::of(101));
  check_late_reads<Size>(on, memory, on.stream);
}

}  // namespace

YOKE_OPENCL_TEST_CASE("coarse SVM is filled with elements of any size", "[memory]") {
  rig on(device);
  if (!on.device.port().svm(on.device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  for_each_size([&](auto size) { check_svm<size, ocl::svm::coarse>(on); });
}

YOKE_OPENCL_TEST_CASE("fine SVM is filled with elements of any size", "[memory]") {
  rig on(device);
  if (!on.device.port().svm(on.device.native_handle(), {}).fine) YOKE_SKIP("this device has no fine-grained SVM");
  for_each_size([&](auto size) { check_svm<size, ocl::svm::fine>(on); });
}

YOKE_OPENCL_TEST_CASE("a fill of a power of two is one driver call a row", "[memory]") {
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

YOKE_OPENCL_TEST_CASE("fills above 1 GiB go in pieces without a gap", "[memory]") {
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
