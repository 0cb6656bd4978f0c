// SPDX-License-Identifier: MIT
// Virtual memory in the simulated driver: what sizes, addresses and handles it takes, who may use what, and descriptors.
#include <fcntl.h>
#include <unistd.h>

#include <cuda_simulator/driver.hpp>
#include <support/process/child.hpp>

using namespace yoke_test;
using cuda_abi::access_flags;
using cuda_abi::memory_location_type;
using cuda_abi::shared_handle_type;

namespace {

constexpr std::size_t step = std::size_t{2} << 20;
constexpr cuda_abi::status invalid = cuda_abi::error_invalid_value;
constexpr cuda_abi::status well = cuda_abi::success;

constexpr properties_on<cuda_abi::allocation_properties> on_device;

struct test_range {
  explicit test_range(std::size_t size) : bytes(size) { ok(driver().mem_address_reserve(&at, size, 0, 0, 0)); }
  ~test_range() { driver().mem_address_free(at, bytes); }
  test_range(const test_range&) = delete;
  test_range& operator=(const test_range&) = delete;
  std::size_t bytes;
  cuda_abi::device_pointer at = 0;
};

struct test_physical {
  explicit test_physical(std::size_t size, shared_handle_type types = shared_handle_type::none) {
    const auto wanted = on_device(0, types);
    ok(driver().mem_create(&handle, size, &wanted, 0));
  }
  ~test_physical() { driver().mem_release(handle); }
  test_physical(const test_physical&) = delete;
  test_physical& operator=(const test_physical&) = delete;
  cuda_abi::physical_memory handle = 0;
};

cuda_abi::status allow(cuda_abi::device_pointer at, std::size_t bytes, access_flags flags = access_flags::read_write,
                       int device = 0) {
  const cuda_abi::access_descriptor wanted{{memory_location_type::device, device}, flags};
  return driver().mem_set_access(at, bytes, &wanted, 1);
}

std::size_t free_bytes() {
  std::size_t available = 0, all = 0;
  ok(driver().mem_get_info(&available, &all));
  return available;
}

}  // namespace

TEST_CASE("virtual memory has a granularity, which sizes are multiples of") {
  const primary_context context;
  std::size_t bytes = 0;
  auto wanted = on_device();
  for (const auto kind : {cuda_abi::granularity_kind::minimum, cuda_abi::granularity_kind::recommended}) {
    CHECK(driver().mem_get_granularity(&bytes, &wanted, kind) == well);
    CHECK(bytes == step);
  }
  CHECK(driver().mem_get_granularity(nullptr, &wanted, cuda_abi::granularity_kind::minimum) == invalid);
  CHECK(driver().mem_get_granularity(&bytes, nullptr, cuda_abi::granularity_kind::minimum) == invalid);
  CHECK(driver().mem_get_granularity(&bytes, &wanted, static_cast<cuda_abi::granularity_kind>(2)) == invalid);
  cuda_abi::physical_memory handle = 0;
  CHECK(driver().mem_create(&handle, step + 4096, &wanted, 0) == invalid);
  CHECK(driver().mem_create(&handle, 0, &wanted, 0) == invalid);
  CHECK(driver().mem_create(&handle, step, &wanted, 1) == invalid);
  CHECK(driver().mem_create(nullptr, step, &wanted, 0) == invalid);
  CHECK(driver().mem_create(&handle, step << 20, &wanted, 0) == cuda_abi::error_out_of_memory);
  wanted.location.id = 7;
  CHECK(driver().mem_create(&handle, step, &wanted, 0) == cuda_abi::error_invalid_device);
  wanted = on_device(0, shared_handle_type::fabric);
  CHECK(driver().mem_create(&handle, step, &wanted, 0) == cuda_abi::error_not_supported);
  wanted = on_device();
  wanted.location.type = memory_location_type::host_numa;
  CHECK(driver().mem_create(&handle, step, &wanted, 0) == cuda_abi::error_not_supported);
  wanted = on_device();
  wanted.type = cuda_abi::allocation_type::invalid;
  CHECK(driver().mem_create(&handle, step, &wanted, 0) == invalid);
}

TEST_CASE("addresses are reserved and given back whole, and without what is mapped") {
  const primary_context context;
  cuda_abi::device_pointer at = 0;
  CHECK(driver().mem_address_reserve(&at, 100, 0, 0, 0) == invalid);
  CHECK(driver().mem_address_reserve(&at, 0, 0, 0, 0) == invalid);
  CHECK(driver().mem_address_reserve(&at, step, 3 * step, 0, 0) == invalid);
  CHECK(driver().mem_address_reserve(&at, step, 0, 0, 1) == invalid);
  CHECK(driver().mem_address_reserve(nullptr, step, 0, 0, 0) == invalid);
  CHECK(driver().mem_address_reserve(&at, std::size_t{1} << 62, 0, 0, 0) == cuda_abi::error_out_of_memory);
  REQUIRE(driver().mem_address_reserve(&at, 3 * step, 16 * step, 0, 0) == well);
  CHECK(at % (16 * step) == 0);
  CHECK(driver().mem_address_free(at, step) == invalid);
  CHECK(driver().mem_address_free(at + step, 2 * step) == invalid);
  CHECK(driver().mem_address_free(at, 3 * step) == well);
  CHECK(driver().mem_address_free(at, 3 * step) == invalid);
  const test_range range(2 * step);
  {
    const test_physical memory(step);
    ok(driver().mem_map(range.at, step, 0, memory.handle, 0));
  }
  CHECK(driver().mem_address_free(range.at, 2 * step) == invalid);
  CHECK(driver().mem_unmap(range.at, step) == well);
}

TEST_CASE("memory is mapped to reserved addresses, and used once there is access") {
  const primary_context context;
  const test_range range(4 * step);
  const test_physical first(step), second(2 * step);
  const auto map = [&](std::size_t offset, std::size_t bytes, const test_physical& memory, std::size_t within = 0) {
    return driver().mem_map(range.at + offset, bytes, within, memory.handle, 0);
  };
  CHECK(map(0, 2 * step, first) == invalid);          // more than there is
  CHECK(map(4096, step, first) == invalid);           // not aligned
  CHECK(map(0, 4096, first) == invalid);              // no multiple
  CHECK(map(4 * step, step, first) == invalid);       // behind the range
  CHECK(map(3 * step, 2 * step, second) == invalid);  // beyond the range
  CHECK(map(0, step, second, step) == invalid);       // only whole memory
  CHECK(driver().mem_map(range.at, step, 0, 17, 0) == invalid);
  CHECK(driver().mem_map(range.at, step, 0, first.handle, 1) == invalid);
  char byte = 0;
  CHECK(driver().memcpy_dtoh(&byte, range.at, 1) == invalid);  // nothing is there
  CHECK(map(0, step, first) == well);
  CHECK(map(0, step, first) == invalid);
  CHECK(map(step, 2 * step, second) == well);
  CHECK(driver().memcpy_dtoh(&byte, range.at, 1) == invalid);  // nobody has access
  CHECK(driver().memset_d8(range.at, 1, 1) == invalid);
  cuda_abi::ulong flags = 7;
  const cuda_abi::memory_location here{memory_location_type::device, 0}, there{memory_location_type::device, 1};
  CHECK(driver().mem_get_access(&flags, &here, range.at) == well);
  CHECK(flags == 0);
  CHECK(allow(range.at, step / 2) == invalid);  // a part of a mapping
  CHECK(allow(range.at, 4 * step) == invalid);  // not all of it is mapped
  CHECK(allow(range.at, step, static_cast<access_flags>(2)) == invalid);
  CHECK(allow(range.at, step, access_flags::read_write, 5) == cuda_abi::error_invalid_device);
  CHECK(driver().mem_set_access(range.at, step, nullptr, 1) == invalid);
  CHECK(allow(range.at, step) == well);
  CHECK(driver().memset_d8(range.at, 1, step) == well);
  CHECK(driver().memset_d8(range.at, 1, step + 1) == invalid);  // it has another mapping's first byte
  CHECK(allow(range.at, 3 * step) == well);
  CHECK(driver().memset_d8(range.at, 9, 3 * step) == well);  // over both
  CHECK(driver().memset_d8(range.at, 9, 3 * step + 1) == invalid);
  ok(driver().context_synchronize());
  CHECK(driver().memcpy_dtoh(&byte, range.at + 3 * step - 1, 1) == well);
  CHECK(byte == 9);
  CHECK(driver().mem_get_access(&flags, &here, range.at + 2 * step) == well);
  CHECK(flags == 3);
  CHECK(driver().mem_get_access(&flags, &there, range.at) == well);
  CHECK(flags == 0);
  CHECK(allow(range.at, 3 * step, access_flags::read, 1) == well);
  CHECK(driver().mem_get_access(&flags, &there, range.at) == well);
  CHECK(flags == 1);
  CHECK(driver().mem_get_access(&flags, &here, range.at + 3 * step) == invalid);
  CHECK(driver().mem_free(range.at) == invalid);
  cuda_abi::physical_memory same = 0;
  CHECK(driver().mem_retain(&same, reinterpret_cast<void*>(range.at + step)) == well);
  CHECK(same == second.handle);
  CHECK(driver().mem_release(same) == well);
  CHECK(driver().mem_retain(&same, reinterpret_cast<void*>(range.at + 3 * step)) == invalid);
  CHECK(driver().mem_unmap(range.at + step, step) == invalid);  // a part of a mapping
  CHECK(driver().mem_unmap(range.at, 3 * step) == well);        // two
  CHECK(driver().mem_unmap(range.at, step) == invalid);
  CHECK(driver().memcpy_dtoh(&byte, range.at, 1) == invalid);
}

TEST_CASE("a mapping keeps memory whose handle is gone") {
  const primary_context context;
  const std::size_t before = free_bytes();
  const test_range range(step);
  {
    const test_physical memory(step);
    CHECK(free_bytes() == before - step);
    ok(driver().mem_map(range.at, step, 0, memory.handle, 0));
  }
  ok(allow(range.at, step));
  ok(driver().memset_d8(range.at, 5, step));
  CHECK(free_bytes() == before - step);
  cuda_abi::physical_memory again = 0;
  CHECK(driver().mem_retain(&again, reinterpret_cast<void*>(range.at)) == well);
  CHECK(driver().mem_unmap(range.at, step) == well);
  CHECK(free_bytes() == before - step);
  ok(driver().mem_map(range.at, step, 0, again, 0));  // what it holds is still there
  CHECK(driver().mem_release(again) == well);
  CHECK(driver().mem_release(again) == invalid);
  char byte = 0;
  CHECK(driver().memcpy_dtoh(&byte, range.at, 1) == invalid);  // access went with the first mapping
  ok(allow(range.at, step));
  CHECK(driver().memcpy_dtoh(&byte, range.at + step - 1, 1) == well);
  CHECK(byte == 5);
  ok(driver().mem_unmap(range.at, step));
  CHECK(free_bytes() == before);
}

TEST_CASE("memory goes by a descriptor if it was made for that") {
  const primary_context context;
  int descriptor = -1;
  const auto share = [&](const test_physical& memory, shared_handle_type type = shared_handle_type::file_descriptor) {
    return driver().mem_export(&descriptor, memory.handle, type, 0);
  };
  const auto take = [](cuda_abi::physical_memory& to, int from) {
    return driver().mem_import(&to, reinterpret_cast<void*>(static_cast<std::intptr_t>(from)),
                               shared_handle_type::file_descriptor);
  };
  const test_physical own(step), shared(step, shared_handle_type::file_descriptor);
  CHECK(share(own) == invalid);
  CHECK(share(shared, shared_handle_type::win32) == invalid);
  REQUIRE(share(shared) == well);
  cuda_abi::allocation_properties told{};
  CHECK(driver().mem_get_properties(&told, shared.handle) == well);
  CHECK(told.type == cuda_abi::allocation_type::pinned);
  CHECK(told.handle_types == shared_handle_type::file_descriptor);
  CHECK(told.location.type == memory_location_type::device);
  CHECK(told.location.id == 0);
  cuda_abi::physical_memory opened = 0;
  const std::size_t before = free_bytes();
  REQUIRE(take(opened, descriptor) == well);
  CHECK(free_bytes() == before);  // it is the same memory
  ::close(descriptor);
  const test_range range(2 * step);
  ok(driver().mem_map(range.at, step, 0, shared.handle, 0));
  ok(driver().mem_map(range.at + step, step, 0, opened, 0));
  ok(allow(range.at, 2 * step));
  ok(driver().memset_d32(range.at, 77, step / 4));
  ok(driver().context_synchronize());
  int number = 0;
  CHECK(driver().memcpy_dtoh(&number, range.at + step + 400, 4) == well);
  CHECK(number == 77);
  ok(driver().mem_unmap(range.at, 2 * step));
  CHECK(driver().mem_release(opened) == well);

  const int other = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  CHECK(take(opened, other) == invalid);
  ::close(other);
  CHECK(take(opened, 9999) == invalid);
  CHECK(take(opened, -1) == invalid);
}

TEST_CASE("a kernel's access to addresses without memory is a fault") {
  cuda_abi::context context = nullptr;  // which breaks
  ok(driver().context_create(&context, 0, 0));
  const test_range range(step);
  const auto made = compile_by_nvrtc("extern \"C\" __global__ void f(int* a) { a[1] = 2; }");
  REQUIRE(made.status == cuda_abi::nvrtc_success);
  cuda_abi::library library = nullptr;
  ok(driver().library_load_data(&library, made.image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  cuda_abi::kernel kernel = nullptr;
  ok(driver().library_get_kernel(&kernel, library, "f"));
  cuda_abi::function function = nullptr;
  ok(driver().kernel_get_function(&function, kernel));
  const auto launch = [&] {
    cuda_abi::device_pointer at = range.at;
    void* parameters[] = {&at};
    ok(driver().launch_kernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    return driver().context_synchronize();
  };
  {
    const test_physical memory(step);
    ok(driver().mem_map(range.at, step, 0, memory.handle, 0));
  }
  ok(allow(range.at, step));
  CHECK(launch() == well);
  int number = 0;
  ok(driver().memcpy_dtoh(&number, range.at + 4, 4));
  CHECK(number == 2);
  ok(allow(range.at, step, access_flags::none));
  {
    captured_stderr text;
    CHECK(launch() == cuda_abi::error_illegal_address);
    CHECK_FALSE(text.finish().empty());
  }
  CHECK(driver().mem_unmap(range.at, step) == well);
  driver().library_unload(library);
  driver().context_destroy(context);
}
