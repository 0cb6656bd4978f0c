// SPDX-License-Identifier: MIT
// Tensor maps in the simulated driver: what it refuses.
#include <array>
#include <cuda_simulator/driver.hpp>

using namespace yoke_test;

namespace {

constexpr cuda_abi::status invalid = cuda_abi::error_invalid_value;

/// A request that the driver takes.
struct request {
  cuda_abi::tensor_element element = cuda_abi::tensor_element::float32;
  unsigned rank = 2;
  std::uint64_t address = 0;
  std::array<std::uint64_t, 5> extents{64, 32, 1, 1, 1};
  std::array<std::uint64_t, 4> strides{256, 8192, 8192, 8192};
  std::array<std::uint32_t, 5> box{16, 8, 1, 1, 1};
  std::array<std::uint32_t, 5> steps{1, 1, 1, 1, 1};
  cuda_abi::tensor_interleave interleave{};
  cuda_abi::tensor_swizzle swizzle{};
  cuda_abi::tensor_promotion promotion{};
  cuda_abi::tensor_fill fill{};

  [[nodiscard]] cuda_abi::status answer(cuda_abi::tensor_map* map) const {
    return driver().tensor_map_encode_tiled(map, element, rank, reinterpret_cast<void*>(address), extents.data(),
                                            strides.data(), box.data(), steps.data(), interleave, swizzle, promotion,
                                            fill);
  }
};

}  // namespace

TEST_CASE("the driver refuses tensor maps that no device has") {
  const primary_context context;
  const test_memory memory{64 * 32 * 4};
  alignas(cuda_abi::tensor_map_alignment) cuda_abi::tensor_map map{};
  const auto with = [&](auto change) {
    request asked;
    asked.address = memory;
    change(asked);
    return asked.answer(&map);
  };
  CHECK(with([](request&) {}) == cuda_abi::success);
  CHECK(with([](request& r) { r.swizzle = cuda_abi::tensor_swizzle::bytes_64; }) == cuda_abi::success);
  CHECK(with([](request& r) { r.address = 0; }) == invalid);
  CHECK(with([](request& r) { r.address += 8; }) == invalid);
  CHECK(with([](request& r) { r.rank = 0; }) == invalid);
  CHECK(with([](request& r) { r.rank = 6; }) == invalid);
  CHECK(with([](request& r) { r.element = cuda_abi::tensor_element{13}; }) == invalid);
  CHECK(with([](request& r) { r.extents[1] = 0; }) == invalid);
  CHECK(with([](request& r) { r.extents[1] = (std::uint64_t{1} << 32) + 1; }) == invalid);
  CHECK(with([](request& r) { r.strides[0] = 250; }) == invalid);
  CHECK(with([](request& r) { r.strides[0] = std::uint64_t{1} << 40; }) == invalid);
  CHECK(with([](request& r) { r.box[0] = 6; }) == invalid);
  CHECK(with([](request& r) { r.box[1] = 257; }) == invalid);
  CHECK(with([](request& r) { r.steps[1] = 9; }) == invalid);
  CHECK(with([](request& r) { r.swizzle = cuda_abi::tensor_swizzle::bytes_32; }) == invalid);
  CHECK(with([](request& r) { r.swizzle = cuda_abi::tensor_swizzle::bytes_128_by_32; }) == invalid);
  CHECK(with([](request& r) { r.promotion = cuda_abi::tensor_promotion{4}; }) == invalid);
  CHECK(with([](request& r) {
          r.element = cuda_abi::tensor_element::int32;
          r.fill = cuda_abi::tensor_fill::nan;
        }) == invalid);
  CHECK(with([](request& r) { r.interleave = cuda_abi::tensor_interleave::bytes_16; }) ==
        cuda_abi::error_not_supported);
  request asked;
  asked.address = memory;
  CHECK(asked.answer(nullptr) == invalid);
}

TEST_CASE("only a tensor map gets another address") {
  const primary_context context;
  const test_memory memory{64 * 32 * 4};
  alignas(cuda_abi::tensor_map_alignment) cuda_abi::tensor_map map{};
  void* const there = reinterpret_cast<void*>(static_cast<std::uintptr_t>(memory));
  CHECK(driver().tensor_map_replace_address(&map, there) == invalid);
  request asked;
  asked.address = memory;
  ok(asked.answer(&map));
  CHECK(driver().tensor_map_replace_address(&map, nullptr) == invalid);
  CHECK(driver().tensor_map_replace_address(nullptr, there) == invalid);
  CHECK(driver().tensor_map_replace_address(&map, static_cast<char*>(there) + 4) == invalid);
  CHECK(driver().tensor_map_replace_address(&map, static_cast<char*>(there) + 16) == cuda_abi::success);
}

TEST_CASE("without a context there are no tensor maps") {
  alignas(cuda_abi::tensor_map_alignment) cuda_abi::tensor_map map{};
  request asked;
  asked.address = 4096;
  CHECK(asked.answer(&map) == cuda_abi::error_invalid_context);
}
