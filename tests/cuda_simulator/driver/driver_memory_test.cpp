// SPDX-License-Identifier: MIT
// Memory: what is given, what is refused, and that wrong pointers are errors rather than crashes.
#include <cstring>
#include <support/process/child.hpp>

#include <sys/mman.h>
#include <unistd.h>
#include <cuda_simulator/driver.hpp>

using namespace yoke_test;

TEST_CASE("device memory is counted, aligned and given back") {
  const primary_context context;
  std::size_t before = 0, during = 0, after = 0, total = 0;
  ok(driver().mem_get_info(&before, &total));
  CHECK(total == std::size_t{4} << 30);
  cuda_abi::device_pointer pointer = 0;
  CHECK(driver().mem_alloc(&pointer, 1000) == cuda_abi::success);
  CHECK(pointer % 256 == 0);
  ok(driver().mem_get_info(&during, &total));
  CHECK(before - during == 1024);
  CHECK(driver().mem_free(pointer) == cuda_abi::success);
  ok(driver().mem_get_info(&after, &total));
  CHECK(after == before);
  CHECK(driver().mem_alloc(&pointer, 0) == cuda_abi::error_invalid_value);
  CHECK(driver().mem_alloc(nullptr, 8) == cuda_abi::error_invalid_value);
  CHECK(driver().mem_alloc(&pointer, total + 1) == cuda_abi::error_out_of_memory);
  CHECK(driver().mem_alloc(&pointer, SIZE_MAX) == cuda_abi::error_out_of_memory);
  CHECK(driver().mem_free(0) == cuda_abi::success);
}

TEST_CASE("pitched memory has rows that begin aligned") {
  const primary_context context;
  cuda_abi::device_pointer pointer = 0;
  std::size_t pitch = 0;
  CHECK(driver().mem_alloc_pitch(&pointer, &pitch, 700, 3, 4) == cuda_abi::success);
  CHECK(pitch == 1024);
  CHECK(driver().memset_d8(pointer, 1, pitch * 3) == cuda_abi::success);
  CHECK(driver().mem_free(pointer) == cuda_abi::success);
  CHECK(driver().mem_alloc_pitch(&pointer, &pitch, 700, 3, 3) == cuda_abi::error_invalid_value);
  CHECK(driver().mem_alloc_pitch(&pointer, &pitch, 0, 3, 4) == cuda_abi::error_invalid_value);
}

TEST_CASE("wrong frees are errors") {
  const primary_context context;
  const test_stream stream;
  cuda_abi::device_pointer plain = 0, ordered = 0;
  int local = 0;
  ok(driver().mem_alloc(&plain, 64));
  ok(driver().mem_alloc_async(&ordered, 64, stream));
  CHECK(driver().mem_free(plain + 8) == cuda_abi::error_invalid_value);
  CHECK(driver().mem_free(reinterpret_cast<std::uintptr_t>(&local)) == cuda_abi::error_invalid_value);
  {
    captured_stderr text;
    CHECK(driver().mem_free(ordered) == cuda_abi::error_invalid_value);
    CHECK(driver().mem_free_async(plain, stream) == cuda_abi::error_invalid_value);
    const std::string said = text.finish();
    CHECK_THAT(said, ContainsSubstring("cuMemFree of a block that cuMemAllocAsync made"));
    CHECK_THAT(said, ContainsSubstring("cuMemFreeAsync of a block that cuMemAlloc made"));
  }
  CHECK(driver().mem_free(plain) == cuda_abi::success);
  CHECK(driver().mem_free(plain) == cuda_abi::error_invalid_value);
  CHECK(driver().mem_free_async(ordered, stream) == cuda_abi::success);
  CHECK(driver().mem_free_async(ordered, stream) == cuda_abi::error_invalid_value);
  CHECK(driver().memset_d8_async(ordered, 0, 1, stream) == cuda_abi::error_invalid_value);
  ok(driver().stream_synchronize(stream));
  CHECK(driver().mem_free_async(ordered, stream) == cuda_abi::error_invalid_value);
}

TEST_CASE("copies and fills end where their memory ends") {
  const primary_context context;
  const test_stream stream;
  const test_memory memory{100};
  char host[200] = {};
  CHECK(driver().memcpy_htod(memory, host, 100) == cuda_abi::success);
  CHECK(driver().memcpy_htod(memory, host, 101) == cuda_abi::error_invalid_value);
  CHECK(driver().memcpy_htod(memory + 50, host, 50) == cuda_abi::success);
  CHECK(driver().memcpy_htod(memory + 50, host, 51) == cuda_abi::error_invalid_value);
  CHECK(driver().memcpy_dtoh(host, memory, 101) == cuda_abi::error_invalid_value);
  CHECK(driver().memcpy_dtoh_async(host, memory, 101, stream) == cuda_abi::error_invalid_value);
  CHECK(driver().memcpy_dtod(memory, memory + 50, 51) == cuda_abi::error_invalid_value);
  CHECK(driver().memset_d8(memory, 0, 101) == cuda_abi::error_invalid_value);
  CHECK(driver().memset_d32(memory, 0, 26) == cuda_abi::error_invalid_value);
  CHECK(driver().memset_d32(memory + 2, 0, 1) == cuda_abi::error_invalid_value);  // not aligned
  CHECK(driver().memset_d16_async(memory, 0, SIZE_MAX, stream) == cuda_abi::error_invalid_value);
  CHECK(driver().memcpy_htod(reinterpret_cast<std::uintptr_t>(host), host + 100, 4) == cuda_abi::error_invalid_value);
  CHECK(driver().memcpy_dtoh(reinterpret_cast<void*>(memory.pointer), memory, 4) == cuda_abi::error_invalid_value);
  CHECK(driver().memcpy_htod(memory, nullptr, 4) == cuda_abi::error_invalid_value);
  CHECK(driver().memcpy_htod(memory, host, 0) == cuda_abi::success);
  CHECK(driver().memset_d8(0, 0, 0) == cuda_abi::success);
}

TEST_CASE("page-locked memory is the program's and the device's") {
  const primary_context context;
  void* host = nullptr;
  REQUIRE(driver().mem_host_alloc(&host, 256, cuda_abi::host_alloc_portable) == cuda_abi::success);
  cuda_abi::device_pointer as_device = 0;
  unsigned flags = 0;
  CHECK(driver().mem_host_get_device_pointer(&as_device, host, 0) == cuda_abi::success);
  CHECK(driver().memset_d8(as_device, 7, 256) == cuda_abi::success);
  CHECK(static_cast<char*>(host)[255] == 7);
  CHECK(driver().mem_host_get_flags(&flags, host) == cuda_abi::success);
  CHECK((flags & cuda_abi::host_alloc_portable) != 0);
  CHECK(driver().mem_free(as_device) == cuda_abi::error_invalid_value);
  CHECK(driver().mem_free_host(static_cast<char*>(host) + 1) == cuda_abi::error_invalid_value);
  CHECK(driver().mem_free_host(host) == cuda_abi::success);
  CHECK(driver().mem_free_host(host) == cuda_abi::error_invalid_value);
  CHECK(driver().mem_host_get_device_pointer(&as_device, host, 0) == cuda_abi::error_invalid_value);
  CHECK(driver().mem_host_alloc(&host, 8, 64) == cuda_abi::error_invalid_value);
  CHECK(driver().mem_host_alloc(&host, 0, 0) == cuda_abi::success);
}

TEST_CASE("host ranges are registered once") {
  const primary_context context;
  std::vector<char> range(1000);
  CHECK(driver().mem_host_register(range.data() + 1, 900, 0) == cuda_abi::success);  // alignment is not asked for
  CHECK(driver().mem_host_register(range.data() + 500, 900, 0) == cuda_abi::error_host_memory_already_registered);
  cuda_abi::device_pointer as_device = 0;
  CHECK(driver().mem_host_get_device_pointer(&as_device, range.data() + 1, 0) == cuda_abi::success);
  CHECK(driver().memset_d8(as_device, 5, 901) == cuda_abi::error_invalid_value);
  CHECK(driver().mem_host_unregister(range.data()) == cuda_abi::error_host_memory_not_registered);
  CHECK(driver().mem_host_unregister(range.data() + 1) == cuda_abi::success);
  CHECK(driver().mem_host_unregister(range.data() + 1) == cuda_abi::error_host_memory_not_registered);
  CHECK(driver().mem_host_register(range.data(), 0, 0) == cuda_abi::error_invalid_value);
}

TEST_CASE("only memory that the process has is registered") {
  const primary_context context;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const three = ::mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(three != MAP_FAILED);
  char* const first = static_cast<char*>(three);
  const auto registered = [](char* at, std::size_t bytes, unsigned flags) {
    const cuda_abi::status status = driver().mem_host_register(at, bytes, flags);
    if (status == cuda_abi::success) ok(driver().mem_host_unregister(at));
    return status;
  };
  CHECK(registered(first, 3 * page, 0) == cuda_abi::success);
  REQUIRE(::mprotect(first + page, page, PROT_READ) == 0);
  CHECK(registered(first, page, 0) == cuda_abi::success);
  CHECK(registered(first, page + 1, 0) == cuda_abi::error_invalid_value);
  CHECK(registered(first + page, page, cuda_abi::host_register_read_only) == cuda_abi::success);
  CHECK(registered(first, 3 * page, cuda_abi::host_register_read_only) == cuda_abi::success);
  REQUIRE(::munmap(first + page, page) == 0);
  CHECK(registered(first, 3 * page, cuda_abi::host_register_read_only) == cuda_abi::error_invalid_value);
  CHECK(registered(first + 2 * page, page, 0) == cuda_abi::success);
  CHECK(registered(reinterpret_cast<char*>(8), 100, 0) == cuda_abi::error_invalid_value);
  CHECK(registered(first, ~std::size_t{0}, 0) == cuda_abi::error_invalid_value);
  ::munmap(first, page);
  ::munmap(first + 2 * page, page);
}

TEST_CASE("pointers tell what they point to") {
  const primary_context context;
  const test_memory memory{100};
  const test_pagelocked<char> host{10};
  cuda_abi::device_pointer base = 0;
  std::size_t bytes = 0;
  CHECK(driver().mem_get_address_range(&base, &bytes, memory + 99) == cuda_abi::success);
  CHECK(base == memory.pointer);
  CHECK(bytes == 100);
  int local = 0;
  const cuda_abi::device_pointer foreign = reinterpret_cast<std::uintptr_t>(&local);
  CHECK(driver().mem_get_address_range(&base, &bytes, foreign) == cuda_abi::error_not_found);

  cuda_abi::memory_type type{};
  cuda_abi::context owner = nullptr;
  CHECK(driver().pointer_get_attribute(&type, cuda_abi::pointer_attribute::memory_type, memory + 3) ==
        cuda_abi::success);
  CHECK(type == cuda_abi::memory_type::device);
  CHECK(driver().pointer_get_attribute(&type, cuda_abi::pointer_attribute::memory_type,
                                       reinterpret_cast<std::uintptr_t>(host.data())) == cuda_abi::success);
  CHECK(type == cuda_abi::memory_type::host);
  CHECK(driver().pointer_get_attribute(&owner, cuda_abi::pointer_attribute::context, memory) == cuda_abi::success);
  CHECK(owner == context.handle);
  CHECK(driver().pointer_get_attribute(&type, cuda_abi::pointer_attribute::memory_type, foreign) ==
        cuda_abi::error_invalid_value);
  CHECK(driver().pointer_get_attribute(&base, cuda_abi::pointer_attribute::host_pointer, memory) ==
        cuda_abi::error_invalid_value);

  cuda_abi::pointer_attribute wanted[] = {cuda_abi::pointer_attribute::context,
                                          cuda_abi::pointer_attribute::device_ordinal};
  int ordinal = 9;
  void* results[] = {&owner, &ordinal};
  CHECK(driver().pointer_get_attributes(2, wanted, results, memory) == cuda_abi::success);
  CHECK(ordinal == 0);
  CHECK(driver().pointer_get_attributes(2, wanted, results, foreign) == cuda_abi::success);
  CHECK(owner == nullptr);
}

TEST_CASE("the default pool counts what is allocated in stream order") {
  const primary_context context;
  const test_stream stream;
  cuda_abi::memory_pool pool = nullptr;
  CHECK(driver().device_get_default_mem_pool(&pool, 0) == cuda_abi::success);
  std::uint64_t used = 1, high = 0;
  CHECK(driver().mem_pool_get_attribute(pool, cuda_abi::pool_attribute::used_mem_current, &used) == cuda_abi::success);
  CHECK(used == 0);
  cuda_abi::device_pointer pointer = 0;
  ok(driver().mem_alloc_async(&pointer, 4096, stream));
  CHECK(driver().mem_pool_get_attribute(pool, cuda_abi::pool_attribute::used_mem_current, &used) == cuda_abi::success);
  CHECK(used == 4096);
  ok(driver().mem_free_async(pointer, stream));
  ok(driver().stream_synchronize(stream));
  CHECK(driver().mem_pool_get_attribute(pool, cuda_abi::pool_attribute::used_mem_current, &used) == cuda_abi::success);
  CHECK(used == 0);
  CHECK(driver().mem_pool_get_attribute(pool, cuda_abi::pool_attribute::used_mem_high, &high) == cuda_abi::success);
  CHECK(high >= 4096);
  std::uint64_t threshold = 12345;
  CHECK(driver().mem_pool_set_attribute(pool, cuda_abi::pool_attribute::release_threshold, &threshold) ==
        cuda_abi::success);
  threshold = 0;
  CHECK(driver().mem_pool_get_attribute(pool, cuda_abi::pool_attribute::release_threshold, &threshold) ==
        cuda_abi::success);
  CHECK(threshold == 12345);
  CHECK(driver().mem_pool_set_attribute(pool, cuda_abi::pool_attribute::used_mem_current, &used) ==
        cuda_abi::error_invalid_value);
  CHECK(driver().mem_pool_trim_to(pool, 0) == cuda_abi::success);
  CHECK(driver().mem_pool_trim_to(nullptr, 0) == cuda_abi::error_invalid_value);
  ok(driver().mem_alloc_async(&pointer, 0, stream));
  CHECK(driver().mem_free_async(pointer, stream) == cuda_abi::success);
}

TEST_CASE("the allocation that the environment names fails") {
  if (is_child("the allocation that the environment names fails")) {
    const primary_context context;
    cuda_abi::device_pointer first = 0, second = 0;
    void* host = nullptr;
    CHECK(driver().mem_alloc(&first, 8) == cuda_abi::success);
    CHECK(driver().mem_host_alloc(&host, 8, 0) == cuda_abi::error_out_of_memory);
    CHECK(driver().mem_alloc(&second, 8) == cuda_abi::success);
    CHECK(driver().mem_free(first) == cuda_abi::success);
    CHECK(driver().mem_free(second) == cuda_abi::success);
    return;
  }
  const child_result child =
      run_child("the allocation that the environment names fails", {{"YOKE_SIMULATOR_OUT_OF_MEMORY", "2"}});
  INFO(child.output);
  CHECK(child.status == 0);
}
