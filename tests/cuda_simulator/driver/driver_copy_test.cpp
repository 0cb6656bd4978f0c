// SPDX-License-Identifier: MIT
// Copies of boxes, between every two kinds of memory, and fills of every element size.
#include <cuda_simulator/driver.hpp>
#include <numeric>

using namespace yoke_test;

namespace {

std::vector<unsigned char> counting(std::size_t count) {
  std::vector<unsigned char> bytes(count);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
  return bytes;
}

template <class Description>
Description to_device_description(const void* from, cuda_abi::device_pointer to) {
  Description what{};
  what.source_type = cuda_abi::memory_type::host;
  what.source_host = from;
  what.destination_type = cuda_abi::memory_type::device;
  what.destination_device = to;
  return what;
}

}  // namespace

TEST_CASE("a rectangle is copied and the gaps stay") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{200};
  const std::vector<unsigned char> host = counting(100);  // ten rows of ten
  ok(driver().memset_d8(memory, 255, 200));
  auto what = to_device_description<cuda_abi::copy_2d>(host.data(), memory);
  what.source_x_bytes = 2;
  what.source_y = 1;
  what.source_pitch = 10;
  what.destination_x_bytes = 1;
  what.destination_y = 2;
  what.destination_pitch = 20;
  what.width_bytes = 5;
  what.height = 3;
  const bool async = GENERATE(false, true);
  CHECK((async ? driver().memcpy_2d_async(&what, stream) : driver().memcpy_2d(&what)) == cuda_abi::success);
  ok(driver().context_synchronize());
  std::vector<unsigned char> back(200);
  ok(driver().memcpy_dtoh(back.data(), memory, 200));
  int wrong = 0;
  for (std::size_t row = 0; row < 10; ++row) {
    for (std::size_t column = 0; column < 20; ++column) {
      const bool inside = row >= 2 && row < 5 && column >= 1 && column < 6;
      const std::size_t expected = inside ? (row - 1) * 10 + column + 1 : 255;
      if (back[row * 20 + column] != expected) ++wrong;
    }
  }
  CHECK(wrong == 0);

  what.destination_y = 8;  // the last row would end behind the memory
  CHECK(driver().memcpy_2d(&what) == cuda_abi::error_invalid_value);
  what.destination_y = 0;
  what.destination_pitch = 4;
  CHECK(driver().memcpy_2d_unaligned(&what) == cuda_abi::error_invalid_value);
  what.destination_pitch = 20;
  what.destination_type = cuda_abi::memory_type::array;
  CHECK(driver().memcpy_2d(&what) == cuda_abi::error_invalid_value);
  CHECK(driver().memcpy_2d(nullptr) == cuda_abi::error_invalid_value);
}

TEST_CASE("a box is copied there and back") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{4 * 5 * 6};
  const std::vector<unsigned char> host = counting(4 * 5 * 6);
  auto what = to_device_description<cuda_abi::copy_3d>(host.data(), memory);
  what.source_pitch = what.destination_pitch = 4;
  what.source_height = what.destination_height = 5;
  what.width_bytes = 4;
  what.height = 5;
  what.depth = 6;
  CHECK(driver().memcpy_3d(&what) == cuda_abi::success);
  unsigned char part[2 * 2 * 2] = {};
  cuda_abi::copy_3d back{};
  back.source_type = cuda_abi::memory_type::device;
  back.source_device = memory;
  back.source_x_bytes = 1;
  back.source_y = 2;
  back.source_z = 3;
  back.source_pitch = 4;
  back.source_height = 5;
  back.destination_type = cuda_abi::memory_type::host;
  back.destination_host = part;
  back.destination_pitch = 2;
  back.destination_height = 2;
  back.width_bytes = back.height = back.depth = 2;
  CHECK(driver().memcpy_3d_async(&back, stream) == cuda_abi::success);  // pageable: done when it returns
  CHECK(part[0] == 3 * 20 + 2 * 4 + 1);
  CHECK(part[7] == 4 * 20 + 3 * 4 + 2);
  back.source_z = 5;
  CHECK(driver().memcpy_3d(&back) == cuda_abi::error_invalid_value);
  back.source_z = 3;
  back.source_context = reinterpret_cast<cuda_abi::context>(part);  // reserved without a peer
  CHECK(driver().memcpy_3d(&back) == cuda_abi::error_invalid_value);
}

TEST_CASE("unified addresses say themselves where they are") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{8};
  long long from = 77, to = 0;
  const auto number = [](void* pointer) { return reinterpret_cast<cuda_abi::device_pointer>(pointer); };
  CHECK(driver().memcpy_any(memory, number(&from), 8) == cuda_abi::success);
  CHECK(driver().memcpy_any_async(number(&to), memory, 8, stream) == cuda_abi::success);
  CHECK(to == 77);
  CHECK(driver().memcpy_any(memory + 1, number(&from), 8) == cuda_abi::error_invalid_value);
}

TEST_CASE("a batch copies ranges in no order, by both forms, and tells which copy is refused") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{64}, other{64};
  const std::vector<unsigned char> host = counting(64);
  ok(driver().memcpy_htod(memory, host.data(), 64));
  cuda_abi::device_pointer from[] = {memory, memory + 16, memory + 32};
  cuda_abi::device_pointer to[] = {other + 32, other, other + 16};
  std::size_t bytes[] = {16, 16, 8};
  cuda_abi::batch_attributes all{};
  all.order = cuda_abi::source_order::in_stream;
  std::size_t first = 0, failed = 77;
  const bool newer = GENERATE(false, true);
  const auto copy = [&](cuda_abi::stream in, std::size_t count) {
    return newer ? driver().memcpy_batch_async_v2(to, from, bytes, count, &all, &first, 1, in)
                 : driver().memcpy_batch_async(to, from, bytes, count, &all, &first, 1, &failed, in);
  };
  ok(driver().memset_d8(other, 255, 64));
  REQUIRE(copy(stream, 3) == cuda_abi::success);
  if (!newer) CHECK(failed == ~std::size_t{0});
  ok(driver().stream_synchronize(stream));
  std::vector<unsigned char> back(64);
  ok(driver().memcpy_dtoh(back.data(), other, 64));
  CHECK(std::equal(back.begin(), back.begin() + 16, host.begin() + 16));
  CHECK(std::equal(back.begin() + 16, back.begin() + 24, host.begin() + 32));
  CHECK(back[24] == 255);
  CHECK(std::equal(back.begin() + 32, back.begin() + 48, host.begin()));

  CHECK(copy(nullptr, 3) == cuda_abi::error_invalid_value);  // no legacy stream
  CHECK(copy(stream, 0) == cuda_abi::error_invalid_value);
  all.order = cuda_abi::source_order{};
  CHECK(copy(stream, 3) == cuda_abi::error_invalid_value);
  all.order = cuda_abi::source_order::any;
  bytes[1] = 65;  // the source ends before
  CHECK(copy(stream, 3) == cuda_abi::error_invalid_value);
  if (!newer) CHECK(failed == 1);
}

TEST_CASE("a batch copies boxes by both forms") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{64}, other{64};
  const std::vector<unsigned char> host = counting(64);
  ok(driver().memcpy_htod(memory, host.data(), 64));
  ok(driver().memset_d8(other, 255, 64));
  cuda_abi::batch_copy_3d boxes[2]{};
  for (auto& each : boxes) {
    each.source.type = each.destination.type = cuda_abi::batch_side_type::pointer;
    each.order = cuda_abi::source_order::in_stream;
    each.width = 3;
    each.height = 2;
    each.depth = 1;
    each.source.pointer.row_length = 8;
    each.source.pointer.address = memory + 9;
  }
  boxes[0].destination.pointer.address = other;  // tight
  boxes[1].destination.pointer.address = other + 16;
  boxes[1].destination.pointer.row_length = 4;
  std::size_t failed = 77;
  const bool newer = GENERATE(false, true);
  const auto copy = [&](cuda_abi::ulong flags) {
    return newer ? driver().memcpy_3d_batch_async_v2(2, boxes, flags, stream)
                 : driver().memcpy_3d_batch_async(2, boxes, &failed, flags, stream);
  };
  REQUIRE(copy(0) == cuda_abi::success);
  ok(driver().stream_synchronize(stream));
  std::vector<unsigned char> back(24);
  ok(driver().memcpy_dtoh(back.data(), other, 24));
  CHECK(std::vector<unsigned char>(back.begin(), back.begin() + 7) ==
        std::vector<unsigned char>{9, 10, 11, 17, 18, 19, 255});
  CHECK(std::vector<unsigned char>(back.begin() + 16, back.end()) ==
        std::vector<unsigned char>{9, 10, 11, 255, 17, 18, 19, 255});
  CHECK(copy(1) == cuda_abi::error_invalid_value);
  boxes[0].source.pointer.row_length = 2;  // below the width
  CHECK(copy(0) == cuda_abi::error_invalid_value);
  if (!newer) CHECK(failed == 0);
}

TEST_CASE("memory is copied between devices") {
  const primary_context second{1};
  const test_memory there{16};
  const primary_context first{0};
  const test_memory here{16};
  const test_stream stream;
  int value = 99, back = 0;
  ok(driver().memcpy_htod(here, &value, 4));
  CHECK(driver().memcpy_peer(there, second.handle, here, first.handle, 16) == cuda_abi::success);
  CHECK(driver().memcpy_peer_async(here + 4, first.handle, there, second.handle, 4, stream) == cuda_abi::success);
  ok(driver().stream_synchronize(stream));
  ok(driver().memcpy_dtoh(&back, here + 4, 4));
  CHECK(back == 99);
  CHECK(driver().memcpy_peer(there, first.handle, here, first.handle, 16) == cuda_abi::error_invalid_value);
  CHECK(driver().memcpy_peer(there, nullptr, here, first.handle, 16) == cuda_abi::error_invalid_context);
}

TEST_CASE("fills write elements of 1, 2 and 4 bytes, in rows too") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{64};
  std::vector<unsigned char> bytes(64);
  const auto read = [&] {
    ok(driver().context_synchronize());
    ok(driver().memcpy_dtoh(bytes.data(), memory, 64));
  };
  ok(driver().memset_d8(memory, 0, 64));
  CHECK(driver().memset_d16(memory, 0x0201, 2) == cuda_abi::success);
  CHECK(driver().memset_d32_async(memory + 4, 0x06050403, 1, stream) == cuda_abi::success);
  CHECK(driver().memset_d8_async(memory + 8, 9, 1, stream) == cuda_abi::success);
  CHECK(driver().memset_d16_async(memory + 10, 0x0b0a, 1, stream) == cuda_abi::success);
  CHECK(driver().memset_d32(memory + 12, 0x0f0e0d0c, 1) == cuda_abi::success);
  read();
  const std::vector<unsigned char> expected{1, 2, 1, 2, 3, 4, 5, 6, 9, 0, 10, 11, 12, 13, 14, 15, 0};
  CHECK(std::vector<unsigned char>(bytes.begin(), bytes.begin() + 17) == expected);

  CHECK(driver().memset_2d_d8(memory, 16, 1, 3, 4) == cuda_abi::success);
  CHECK(driver().memset_2d_d16(memory + 4, 16, 0x0202, 1, 4) == cuda_abi::success);
  CHECK(driver().memset_2d_d32(memory + 8, 16, 0x04040404, 1, 4) == cuda_abi::success);
  CHECK(driver().memset_2d_d8_async(memory + 6, 16, 5, 1, 4, stream) == cuda_abi::success);
  CHECK(driver().memset_2d_d16_async(memory + 12, 16, 0x0606, 1, 4, stream) == cuda_abi::success);
  CHECK(driver().memset_2d_d32_async(memory + 8, 16, 0x07070707, 1, 1, stream) == cuda_abi::success);
  read();
  CHECK(bytes[48] == 1);
  CHECK(bytes[53] == 2);
  CHECK(bytes[54] == 5);
  CHECK(bytes[8] == 7);
  CHECK(bytes[59] == 4);
  CHECK(bytes[61] == 6);
  CHECK(driver().memset_2d_d8(memory, 16, 1, 17, 2) == cuda_abi::error_invalid_value);
  CHECK(driver().memset_2d_d8(memory, 16, 1, 16, 5) == cuda_abi::error_invalid_value);
  CHECK(driver().memset_2d_d32(memory, 18, 1, 1, 2) == cuda_abi::error_invalid_value);
}
