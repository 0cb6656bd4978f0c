// SPDX-License-Identifier: MIT
// Operations on words of memory in the simulated driver: what it refuses, and what it does in turn.
#include <vector>

#include "driver.hpp"

using namespace yoke_test;
using type = cuda_abi::mem_op_type;

namespace {

constexpr cuda_abi::status invalid = cuda_abi::error_invalid_value;

cuda_abi::mem_op_params operation(type what, cuda_abi::device_pointer at, std::uint64_t value = 0, unsigned flags = 0) {
  return {what, 0, at, value, flags, 0, 0};
}
cuda_abi::status run(std::vector<cuda_abi::mem_op_params> operations, unsigned flags = 0) {
  return driver().stream_batch_mem_op(nullptr, static_cast<unsigned>(operations.size()), operations.data(), flags);
}

}  // namespace

TEST_CASE("the driver refuses memory operations that no device has") {
  const primary_context context;
  const test_memory allocated{64};
  const cuda_abi::device_pointer memory = allocated;
  CHECK(run({}) == invalid);
  CHECK(run({operation(type::write_value_32, memory)}, 1) == invalid);
  CHECK(run({operation(type{0}, memory)}) == invalid);
  CHECK(run({operation(type{7}, memory)}) == invalid);
  CHECK(run({operation(type::flush_remote_writes, 0)}) == cuda_abi::error_not_supported);
  CHECK(run({operation(type::write_value_32, memory + 2)}) == invalid);
  CHECK(run({operation(type::write_value_64, memory + 4)}) == invalid);
  CHECK(run({operation(type::write_value_32, 0)}) == invalid);
  CHECK(run({operation(type::write_value_32, memory + 64)}) == invalid);
  CHECK(run({operation(type::write_value_32, memory, 1, 1)}) == invalid);
  CHECK(run({operation(type::wait_value_32, memory, 1, 4)}) == invalid);
  CHECK(run(std::vector(256, operation(type::write_value_32, memory))) == invalid);
  CHECK(run(std::vector(255, operation(type::write_value_32, memory, 5))) == cuda_abi::success);
  unsigned value = 0;
  ok(driver().memcpy_dtoh(&value, memory, sizeof value));
  CHECK(value == 5);
}

TEST_CASE("another stream ends a wait") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{16};
  ok(driver().memset_d32(memory, 0, 4));
  auto wait = operation(type::wait_value_32, memory, 1, 1);
  ok(driver().stream_batch_mem_op(stream, 1, &wait, 0));
  CHECK(driver().stream_query(stream) == cuda_abi::error_not_ready);
  auto write = operation(type::write_value_32, memory, 1);
  const test_stream other;
  ok(driver().stream_batch_mem_op(other, 1, &write, 0));
  ok(driver().stream_synchronize(stream));
}
