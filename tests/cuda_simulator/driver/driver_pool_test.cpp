// SPDX-License-Identifier: MIT
// Pools in the simulated driver: making and ending, attributes, figures, limits, access, and pools of other processes.
#include <fcntl.h>
#include <unistd.h>
#include <cuda_simulator/driver.hpp>

using namespace yoke_test;
using cuda_abi::access_flags;
using cuda_abi::memory_location_type;
using cuda_abi::pool_attribute;
using cuda_abi::shared_handle_type;

namespace {

constexpr cuda_abi::status invalid = cuda_abi::error_invalid_value;
constexpr cuda_abi::status well = cuda_abi::success;

constexpr properties_on<cuda_abi::pool_properties> on_device;

struct test_pool {
  explicit test_pool(const cuda_abi::pool_properties& wanted) { ok(driver().mem_pool_create(&handle, &wanted)); }
  ~test_pool() { driver().mem_pool_destroy(handle); }
  test_pool(const test_pool&) = delete;
  test_pool& operator=(const test_pool&) = delete;
  cuda_abi::memory_pool handle = nullptr;
};

std::uint64_t told(cuda_abi::memory_pool pool, pool_attribute what) {
  std::uint64_t bytes = 0;
  ok(driver().mem_pool_get_attribute(pool, what, &bytes));
  return bytes;
}

}  // namespace

TEST_CASE("a pool is made and ended, and memory in use outlives it") {
  const primary_context context;
  const test_stream stream;
  cuda_abi::memory_pool pool = nullptr, standard = nullptr, now = nullptr;
  auto wanted = on_device();
  CHECK(driver().mem_pool_create(nullptr, &wanted) == invalid);
  CHECK(driver().mem_pool_create(&pool, nullptr) == invalid);
  wanted.location.id = 9;
  CHECK(driver().mem_pool_create(&pool, &wanted) == cuda_abi::error_invalid_device);
  wanted = on_device(0, shared_handle_type::win32);
  CHECK(driver().mem_pool_create(&pool, &wanted) == cuda_abi::error_not_supported);
  wanted = on_device();
  wanted.reserved[3] = 1;
  CHECK(driver().mem_pool_create(&pool, &wanted) == invalid);
  wanted = on_device();
  REQUIRE(driver().mem_pool_create(&pool, &wanted) == well);
  ok(driver().device_get_default_mem_pool(&standard, 0));
  ok(driver().device_get_mem_pool(&now, 0));
  CHECK(now == standard);
  CHECK(pool != standard);
  CHECK(driver().mem_pool_destroy(standard) == invalid);

  cuda_abi::device_pointer memory = 0;
  CHECK(driver().mem_alloc_from_pool_async(&memory, 1000, nullptr, stream) == invalid);
  REQUIRE(driver().mem_alloc_from_pool_async(&memory, 1000, pool, stream) == well);
  CHECK(told(pool, pool_attribute::used_mem_current) == 1024);
  CHECK(told(standard, pool_attribute::used_mem_current) == 0);
  cuda_abi::memory_pool of = nullptr;
  CHECK(driver().pointer_get_attribute(&of, cuda_abi::pointer_attribute::mempool_handle, memory) == well);
  CHECK(of == pool);

  CHECK(driver().device_set_mem_pool(0, pool) == well);
  CHECK(driver().device_set_mem_pool(1, pool) == invalid);
  ok(driver().device_get_mem_pool(&now, 0));
  CHECK(now == pool);
  cuda_abi::device_pointer other = 0;
  ok(driver().mem_alloc_async(&other, 512, stream));
  CHECK(told(pool, pool_attribute::used_mem_current) == 1536);
  CHECK(driver().mem_pool_destroy(pool) == well);
  CHECK(driver().mem_pool_destroy(pool) == invalid);
  ok(driver().device_get_mem_pool(&now, 0));
  CHECK(now == standard);
  CHECK(driver().memset_d8_async(memory, 1, 1000, stream) == well);
  CHECK(driver().mem_free_async(memory, stream) == well);
  CHECK(driver().mem_free_async(other, stream) == well);
}

TEST_CASE("a pool keeps what its threshold says, and gives the rest back when something is waited for") {
  const primary_context context;
  const test_stream stream;
  const test_pool pool(on_device());
  const auto use = [&] {
    cuda_abi::device_pointer memory = 0;
    ok(driver().mem_alloc_from_pool_async(&memory, 3 << 20, pool.handle, stream));
    ok(driver().mem_free_async(memory, stream));
  };
  use();
  CHECK(told(pool.handle, pool_attribute::reserved_mem_current) == 4 << 20);
  ok(driver().stream_synchronize(stream));
  CHECK(told(pool.handle, pool_attribute::used_mem_current) == 0);
  CHECK(told(pool.handle, pool_attribute::reserved_mem_current) == 0);
  CHECK(told(pool.handle, pool_attribute::reserved_mem_high) == 4 << 20);
  std::uint64_t bytes = ~std::uint64_t{0};
  ok(driver().mem_pool_set_attribute(pool.handle, pool_attribute::release_threshold, &bytes));
  use();
  ok(driver().stream_synchronize(stream));
  CHECK(told(pool.handle, pool_attribute::reserved_mem_current) == 4 << 20);
  CHECK(driver().mem_pool_trim_to(pool.handle, 1 << 20) == well);
  CHECK(told(pool.handle, pool_attribute::reserved_mem_current) == 2 << 20);
  CHECK(driver().mem_pool_trim_to(pool.handle, 0) == well);
  CHECK(told(pool.handle, pool_attribute::reserved_mem_current) == 0);
  bytes = 0;
  ok(driver().mem_pool_set_attribute(pool.handle, pool_attribute::reserved_mem_high, &bytes));
  ok(driver().mem_pool_set_attribute(pool.handle, pool_attribute::used_mem_high, &bytes));
  CHECK(told(pool.handle, pool_attribute::reserved_mem_high) == 0);
  CHECK(told(pool.handle, pool_attribute::used_mem_high) == 0);
  CHECK(driver().mem_pool_set_attribute(pool.handle, static_cast<pool_attribute>(9), &bytes) == invalid);
}

TEST_CASE("a pool with a limit gives no more") {
  const primary_context context;
  const test_stream stream;
  auto wanted = on_device();
  wanted.max_bytes = 4 << 20;
  const test_pool pool(wanted);
  cuda_abi::device_pointer first = 0, second = 0;
  ok(driver().mem_alloc_from_pool_async(&first, 3 << 20, pool.handle, stream));
  CHECK(driver().mem_alloc_from_pool_async(&second, 2 << 20, pool.handle, stream) == cuda_abi::error_out_of_memory);
  CHECK(driver().mem_alloc_from_pool_async(&second, 1 << 20, pool.handle, stream) == well);
  ok(driver().mem_free_async(first, stream));
  ok(driver().mem_free_async(second, stream));
}

TEST_CASE("a pool's access is its device's and that of peers which get it") {
  const primary_context context;
  const test_pool pool(on_device());
  const auto set = [&](int device, access_flags flags) {
    const cuda_abi::access_descriptor wanted{{memory_location_type::device, device}, flags};
    return driver().mem_pool_set_access(pool.handle, &wanted, 1);
  };
  const auto get = [&](int device) {
    cuda_abi::memory_location at{memory_location_type::device, device};
    access_flags flags = access_flags::read;
    ok(driver().mem_pool_get_access(&flags, pool.handle, &at));
    return flags;
  };
  CHECK(get(0) == access_flags::read_write);
  CHECK(get(1) == access_flags::none);
  CHECK(set(1, access_flags::read_write) == well);
  CHECK(get(1) == access_flags::read_write);
  CHECK(set(1, access_flags::none) == well);
  CHECK(get(1) == access_flags::none);
  CHECK(set(0, access_flags::none) == invalid);
  CHECK(get(0) == access_flags::read_write);
  CHECK(set(5, access_flags::read_write) == cuda_abi::error_invalid_device);
  CHECK(driver().mem_pool_set_access(pool.handle, nullptr, 1) == invalid);
}

TEST_CASE("a pool goes by a descriptor if it was made for that, and its memory by bytes") {
  const primary_context context;
  const test_stream stream;
  const test_pool own(on_device()), shared(on_device(0, shared_handle_type::file_descriptor));
  int descriptor = -1;
  constexpr auto by_descriptor = shared_handle_type::file_descriptor;
  CHECK(driver().mem_pool_export(&descriptor, own.handle, by_descriptor, 0) == invalid);
  CHECK(driver().mem_pool_export(&descriptor, shared.handle, shared_handle_type::win32, 0) == invalid);
  cuda_abi::device_pointer early = 0;
  ok(driver().mem_alloc_from_pool_async(&early, 64, shared.handle, stream));
  cuda_abi::pool_export_data data{};
  CHECK(driver().mem_pool_export_pointer(&data, early) == invalid);  // its pool comes first
  ok(driver().mem_free_async(early, stream));
  REQUIRE(driver().mem_pool_export(&descriptor, shared.handle, by_descriptor, 0) == well);
  const auto take = [](cuda_abi::memory_pool& to, int from) {
    return driver().mem_pool_import(&to, reinterpret_cast<void*>(static_cast<std::intptr_t>(from)),
                                    shared_handle_type::file_descriptor, 0);
  };
  cuda_abi::memory_pool opened = nullptr;
  const int other = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  CHECK(take(opened, other) == invalid);
  ::close(other);
  CHECK(take(opened, 9999) == invalid);
  cuda_abi::physical_memory physical = 0;
  CHECK(driver().mem_import(&physical, reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)),
                            by_descriptor) == invalid);  // it is a pool
  REQUIRE(take(opened, descriptor) == well);
  ::close(descriptor);

  cuda_abi::device_pointer here = 0, private_memory = 0, there = 0;
  ok(driver().mem_alloc_from_pool_async(&private_memory, 64, own.handle, stream));
  ok(driver().mem_alloc_from_pool_async(&here, 5000, shared.handle, stream));
  CHECK(driver().mem_pool_export_pointer(&data, private_memory) == invalid);
  CHECK(driver().mem_pool_export_pointer(&data, here) == well);
  CHECK(driver().mem_pool_import_pointer(&there, shared.handle, &data) == invalid);  // it is no opened one
  cuda_abi::pool_export_data damaged = data;
  damaged.bytes[0] = static_cast<unsigned char>(damaged.bytes[0] ^ 1);
  CHECK(driver().mem_pool_import_pointer(&there, opened, &damaged) == invalid);
  REQUIRE(driver().mem_pool_import_pointer(&there, opened, &data) == well);
  CHECK(there != here);
  ok(driver().memset_d8_async(here, 42, 5000, stream));
  ok(driver().stream_synchronize(stream));
  char byte = 0;
  CHECK(driver().memcpy_dtoh(&byte, there + 4999, 1) == well);
  CHECK(byte == 42);
  cuda_abi::device_pointer none = 0;
  CHECK(driver().mem_alloc_from_pool_async(&none, 64, opened, stream) == invalid);
  CHECK(driver().device_set_mem_pool(0, opened) == invalid);
  CHECK(driver().mem_pool_trim_to(opened, 0) == invalid);
  CHECK(driver().mem_pool_export(&descriptor, opened, by_descriptor, 0) == invalid);
  CHECK(driver().mem_free_async(there, stream) == well);
  CHECK(driver().mem_pool_destroy(opened) == well);
  CHECK(told(shared.handle, pool_attribute::used_mem_current) == 5120);
  ok(driver().mem_free_async(here, stream));
  ok(driver().mem_free_async(private_memory, stream));
  ok(driver().stream_synchronize(stream));
  CHECK(told(shared.handle, pool_attribute::used_mem_current) == 0);
}
