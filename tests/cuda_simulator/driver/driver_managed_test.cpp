// SPDX-License-Identifier: MIT
// Managed memory in the simulated driver. The codes are those of a GPU's, measured on 580.159.
#include <cstring>
#include <cuda_simulator/driver.hpp>
#include <support/process/child.hpp>

using namespace yoke_test;
using cuda_abi::memory_advice;
using cuda_abi::memory_location;
using cuda_abi::memory_location_type;
using cuda_abi::memory_range_attribute;

namespace {

constexpr std::size_t page = 4096;
constexpr cuda_abi::status invalid = cuda_abi::error_invalid_value;
constexpr memory_location on_device{memory_location_type::device, 0};
constexpr memory_location on_host{memory_location_type::host, 0};

class test_managed {
 public:
  explicit test_managed(std::size_t bytes, unsigned flags = cuda_abi::attach_global) {
    ok(driver().mem_alloc_managed(&pointer, bytes, flags));
  }
  ~test_managed() { driver().mem_free(pointer); }
  test_managed(const test_managed&) = delete;
  test_managed& operator=(const test_managed&) = delete;
  operator cuda_abi::device_pointer() const { return pointer; }

  cuda_abi::device_pointer pointer = 0;
};

template <class T = int>
T told(memory_range_attribute what, cuda_abi::device_pointer pointer, std::size_t bytes) {
  T value{};
  ok(driver().mem_range_get_attribute(&value, sizeof value, what, pointer, bytes));
  return value;
}

}  // namespace

TEST_CASE("managed memory is the host's and the device's") {
  const primary_context context;
  cuda_abi::device_pointer pointer = 0;
  for (const unsigned wrong : {0U, 3U, 4U, 8U}) CHECK(driver().mem_alloc_managed(&pointer, 64, wrong) == invalid);
  CHECK(driver().mem_alloc_managed(&pointer, 0, cuda_abi::attach_global) == invalid);
  CHECK(driver().mem_alloc_managed(nullptr, 8, cuda_abi::attach_global) == invalid);
  CHECK(driver().mem_alloc_managed(&pointer, std::size_t{5} << 30, 1) == cuda_abi::error_out_of_memory);
  REQUIRE(driver().mem_alloc_managed(&pointer, 1000, cuda_abi::attach_host) == cuda_abi::success);
  CHECK(pointer % page == 0);
  char* const host = reinterpret_cast<char*>(pointer);
  std::memset(host, 1, 1000);
  CHECK(driver().memset_d8(pointer + 10, 2, 10) == cuda_abi::success);
  ok(driver().context_synchronize());  // the fill does not wait for itself
  CHECK(host[9] == 1);
  CHECK(host[19] == 2);
  const test_memory plain{1000};
  CHECK(driver().memcpy_htod(plain, host, 1000) == cuda_abi::success);  // as host memory
  CHECK(driver().memcpy_dtoh(host, plain, 1000) == cuda_abi::success);
  CHECK(driver().memcpy_dtod(plain, pointer, 1000) == cuda_abi::success);
  CHECK(driver().memcpy_htod(plain, host, 1001) == invalid);

  const auto asked = [&](cuda_abi::pointer_attribute what, auto value) {
    CHECK(driver().pointer_get_attribute(&value, what, pointer + 8) == cuda_abi::success);
    return value;
  };
  using attribute = cuda_abi::pointer_attribute;
  CHECK(asked(attribute::is_managed, 0U) == 1);
  CHECK(asked(attribute::memory_type, cuda_abi::memory_type{}) == cuda_abi::memory_type::device);
  CHECK(asked(attribute::device_pointer, cuda_abi::device_pointer{0}) == pointer + 8);
  CHECK(asked(attribute::host_pointer, static_cast<void*>(nullptr)) == host + 8);
  CHECK(asked(attribute::context, cuda_abi::context{nullptr}) == context.handle);
  CHECK(asked(attribute::range_size, std::size_t{0}) == 1000);
  CHECK(asked(attribute::mempool_handle, cuda_abi::memory_pool{nullptr}) == nullptr);
  unsigned managed = 7;
  CHECK(driver().pointer_get_attribute(&managed, attribute::is_managed, plain) == cuda_abi::success);
  CHECK(managed == 0);

  cuda_abi::device_pointer mapped = 0;
  CHECK(driver().mem_host_get_device_pointer(&mapped, host, 0) == invalid);
  CHECK(driver().mem_host_register(host, 100, 0) == invalid);
  CHECK(driver().mem_free_host(host) == invalid);
  CHECK(driver().mem_free_async(pointer, nullptr) == cuda_abi::error_not_supported);
  CHECK(driver().mem_free(pointer + 8) == invalid);
  CHECK(driver().mem_free(pointer) == cuda_abi::success);
  CHECK(driver().mem_free(pointer) == invalid);
}

TEST_CASE("managed memory is attached whole, and no other memory") {
  const primary_context context;
  const test_stream stream;
  const test_managed memory{2 * page};
  const auto attach = [&](cuda_abi::device_pointer to, std::size_t bytes, unsigned flags) {
    return driver().stream_attach_mem_async(stream, to, bytes, flags);
  };
  for (const unsigned right : {1U, 2U, 4U}) CHECK(attach(memory, 0, right) == cuda_abi::success);
  for (const unsigned wrong : {3U, 5U, 8U}) CHECK(attach(memory, 0, wrong) == invalid);
  {
    captured_stderr text;  // a driver crashes
    CHECK(attach(memory, 0, 0) == invalid);
    CHECK_THAT(text.finish(), ContainsSubstring("which makes drivers crash"));
  }
  CHECK(attach(memory, 2 * page, 1) == cuda_abi::success);
  CHECK(attach(memory, page, 1) == invalid);
  CHECK(attach(memory + page, 0, 1) == invalid);
  const test_memory plain{page};
  const test_pagelocked<char> locked{page};
  std::vector<char> pageable(page);
  CHECK(attach(plain, 0, 1) == invalid);
  CHECK(attach(reinterpret_cast<cuda_abi::device_pointer>(locked.data()), 0, 1) == invalid);
  CHECK(attach(reinterpret_cast<cuda_abi::device_pointer>(pageable.data()), page, 1) == invalid);
  CHECK(attach(0, 0, 1) == invalid);
  CHECK(driver().stream_attach_mem_async(nullptr, memory, 0, cuda_abi::attach_single) == invalid);
  CHECK(driver().stream_attach_mem_async(nullptr, memory, 0, cuda_abi::attach_global) == cuda_abi::success);
}

TEST_CASE("prefetches check range and place, and are remembered by the page") {
  const primary_context context;
  const test_stream stream;
  const test_managed memory{4 * page};
  using enum memory_range_attribute;
  CHECK(told(last_prefetch_location, memory, 4 * page) == cuda_abi::device_invalid);
  CHECK(told(last_prefetch_location_type, memory, 4 * page) == 0);
  CHECK(driver().mem_prefetch_async(memory, 4 * page, 1, stream) == cuda_abi::success);
  CHECK(told(last_prefetch_location, memory, 4 * page) == 1);
  CHECK(driver().mem_prefetch_async(memory, page, cuda_abi::device_cpu, stream) == cuda_abi::success);
  CHECK(told(last_prefetch_location, memory, page) == cuda_abi::device_cpu);
  CHECK(told(last_prefetch_location, memory + page, 1) == 1);
  CHECK(told(last_prefetch_location, memory, page + 1) == cuda_abi::device_invalid);
  for (const int wrong : {2, 7, -2}) {
    CHECK(driver().mem_prefetch_async(memory, page, wrong, stream) == cuda_abi::error_invalid_device);
  }
  const auto newer = [&](memory_location to, unsigned flags = 0) {
    return driver().mem_prefetch_async_v2(memory, page, to, flags, stream);
  };
  CHECK(newer({memory_location_type::device, 1}) == cuda_abi::success);
  CHECK(newer({memory_location_type::device, 2}) == cuda_abi::error_invalid_device);
  CHECK(newer({memory_location_type::host, 5}) == cuda_abi::success);
  CHECK(newer({memory_location_type::host_numa, 0}) == cuda_abi::success);
  CHECK(told(last_prefetch_location_type, memory, page) == 3);
  CHECK(told(last_prefetch_location_id, memory, page) == 0);
  CHECK(newer({memory_location_type::host_numa, 1}) == invalid);
  CHECK(newer({memory_location_type::host_numa_current, 5}) == cuda_abi::success);
  CHECK(told(last_prefetch_location_id, memory, page) == -1);
  CHECK(newer({memory_location_type::invalid, 0}) == invalid);
  CHECK(newer({static_cast<memory_location_type>(5), 0}) == invalid);
  CHECK(newer(on_device, 1) == invalid);
  const test_memory plain{page};
  CHECK(driver().mem_prefetch_async(plain, page, 0, stream) == invalid);
  CHECK(driver().mem_prefetch_async(memory, 0, 0, stream) == invalid);
  CHECK(driver().mem_prefetch_async(memory, 4 * page + 1, 0, stream) == invalid);
  CHECK(driver().mem_prefetch_async(memory + 5, 7, 0, nullptr) == cuda_abi::success);  // its page
  CHECK(told(last_prefetch_location, memory, page) == 0);
}

TEST_CASE("advice checks code and place, and is remembered by the page") {
  const primary_context context;
  const test_managed memory{4 * page};
  const auto older = [&](unsigned code, int device, std::size_t at = 0, std::size_t bytes = 4 * page) {
    return driver().mem_advise(memory + at, bytes, static_cast<memory_advice>(code), device);
  };
  const auto newer = [&](unsigned code, memory_location_type type, int id) {
    return driver().mem_advise_v2(memory, 4 * page, static_cast<memory_advice>(code), {type, id});
  };
  for (const unsigned code : {1U, 2U, 4U}) {  // which name no place
    CHECK(older(code, 77) == cuda_abi::success);
    CHECK(newer(code, memory_location_type::device, 77) == cuda_abi::success);
    CHECK(newer(code, memory_location_type::invalid, 0) == invalid);
  }
  for (const unsigned code : {3U, 5U, 6U}) {
    CHECK(older(code, 0) == cuda_abi::success);
    CHECK(older(code, cuda_abi::device_cpu) == cuda_abi::success);
    CHECK(older(code, 77) == cuda_abi::error_invalid_device);
    CHECK(newer(code, memory_location_type::device, 1) == cuda_abi::success);
    CHECK(newer(code, memory_location_type::device, 77) == invalid);
    CHECK(newer(code, memory_location_type::host, 77) == cuda_abi::success);
    CHECK(newer(code, memory_location_type::host_numa, 0) == (code == 3 ? cuda_abi::success : invalid));
  }
  CHECK(older(0, 0) == invalid);
  CHECK(older(7, 0) == invalid);
  CHECK(older(1, 0, 0, 4 * page + 1) == invalid);
  CHECK(older(1, 0, 0, 0) == invalid);
  const test_memory plain{page};
  CHECK(driver().mem_advise(plain, page, memory_advice::set_read_mostly, 0) == invalid);

  using enum memory_range_attribute;
  for (const unsigned code : {2U, 4U}) ok(older(code, 0));
  for (const int each : {0, 1, cuda_abi::device_cpu}) ok(older(6, each));
  CHECK(older(1, 0, 100, 10) == cuda_abi::success);
  CHECK(told(read_mostly, memory, page) == 1);
  CHECK(told(read_mostly, memory, page + 1) == 0);
  CHECK(older(3, cuda_abi::device_cpu) == cuda_abi::success);
  CHECK(told(preferred_location, memory, 4 * page) == cuda_abi::device_cpu);
  CHECK(told(preferred_location_type, memory, 4 * page) == 2);
  CHECK(older(3, 1, 2 * page, 1) == cuda_abi::success);
  CHECK(told(preferred_location, memory, 4 * page) == cuda_abi::device_invalid);
  CHECK(told(preferred_location, memory + 2 * page, page) == 1);
  for (const int each : {cuda_abi::device_cpu, 1, 0}) ok(older(5, each));
  CHECK(told<std::array<int, 4>>(accessed_by, memory, 4 * page) == std::array{0, 1, -1, -2});
  CHECK(older(6, 1, 0, 1) == cuda_abi::success);
  CHECK(told<std::array<int, 4>>(accessed_by, memory, 4 * page) == std::array{0, -1, -2, -2});
  CHECK(told<std::array<int, 1>>(accessed_by, memory + page, page) == std::array{0});
}

TEST_CASE("questions about managed ranges check size, range and attribute") {
  const primary_context context;
  const test_managed memory{page};
  std::array<int, 4> to{};
  using enum memory_range_attribute;
  const auto ask = [&](void* into, std::size_t bytes, unsigned what, std::size_t range = page) {
    return driver().mem_range_get_attribute(into, bytes, static_cast<memory_range_attribute>(what), memory, range);
  };
  CHECK(ask(to.data(), 4, 1) == cuda_abi::success);
  CHECK(ask(to.data(), 8, 1) == invalid);
  CHECK(ask(to.data(), 6, 3) == invalid);
  CHECK(ask(to.data(), 0, 3) == invalid);
  CHECK(ask(to.data(), 4, 0) == invalid);
  CHECK(ask(to.data(), 4, 9) == invalid);
  CHECK(ask(nullptr, 4, 1) == invalid);
  CHECK(ask(to.data(), 4, 1, 0) == invalid);
  CHECK(ask(to.data(), 4, 1, page + 1) == invalid);
  void* results[] = {&to[0], &to[1]};
  std::size_t rooms[] = {4, 4};
  memory_range_attribute asked[] = {read_mostly, preferred_location};
  const auto ask_both = [&](std::size_t count) {
    return driver().mem_range_get_attributes(results, rooms, asked, count, memory, page);
  };
  CHECK(ask_both(2) == cuda_abi::success);
  CHECK(to[0] == 0);
  CHECK(to[1] == cuda_abi::device_invalid);
  CHECK(ask_both(0) == invalid);
  asked[1] = static_cast<memory_range_attribute>(99);
  CHECK(ask_both(2) == invalid);
  cuda_abi::context popped = nullptr;
  ok(driver().context_pop(&popped));
  CHECK(ask(to.data(), 4, 1) == cuda_abi::error_invalid_context);
  CHECK(driver().mem_advise(memory, page, memory_advice::set_read_mostly, 0) == cuda_abi::error_invalid_context);
  CHECK(driver().mem_advise_v2(memory, page, memory_advice::set_read_mostly, on_host) ==
        cuda_abi::error_invalid_context);
  cuda_abi::device_pointer pointer = 0;
  CHECK(driver().mem_alloc_managed(&pointer, 8, 1) == cuda_abi::error_invalid_context);
  ok(driver().context_push(popped));
}

TEST_CASE("a driver before CUDA 12.2 has the older forms alone") {
  if (is_child("a driver before CUDA 12.2 has the older forms alone")) {
    const primary_context context;
    CHECK(driver().mem_advise_v2 == nullptr);
    CHECK(driver().mem_prefetch_async_v2 == nullptr);
    const test_managed memory{page};
    CHECK(driver().mem_advise(memory, page, memory_advice::set_preferred_location, 0) == cuda_abi::success);
    CHECK(told(memory_range_attribute::preferred_location, memory, page) == 0);
    int type = 0;
    CHECK(driver().mem_range_get_attribute(&type, 4, memory_range_attribute::preferred_location_type, memory, page) ==
          invalid);
    return;
  }
  const child_result child =
      run_child("a driver before CUDA 12.2 has the older forms alone", {{"YOKE_SIMULATOR_DRIVER_VERSION", "12000"}});
  INFO(child.output);
  CHECK(child.status == 0);
}

TEST_CASE("managed variables are found as such, and used by the host") {
  const primary_context context;
  const test_library library{R"(
    __managed__ int several[3] = {1, 2, 3};
    static __managed__ long quiet;
    namespace n { inline __managed__ float loose = 1.5f; }
    __device__ int apart;
    template <int N> __managed__ int of[N];
    extern "C" __global__ void add() { several[threadIdx.x] += of<3>[0] + apart + (int)quiet + (int)n::loose; })"};
  cuda_abi::device_pointer pointer = 0, same = 0;
  std::size_t bytes = 0;
  REQUIRE(driver().library_get_managed(&pointer, &bytes, library.handle, "several") == cuda_abi::success);
  CHECK(bytes == 12);
  CHECK(driver().library_get_global(&same, &bytes, library.handle, "several") == cuda_abi::success);
  CHECK(same == pointer);
  CHECK(driver().library_get_managed(&same, &bytes, library.handle, "_ZN1n5looseE") == cuda_abi::success);
  CHECK(driver().library_get_managed(&same, &bytes, library.handle, "apart") == cuda_abi::error_not_found);
  CHECK(driver().library_get_managed(&same, &bytes, library.handle, "absent") == cuda_abi::error_not_found);
  CHECK(driver().library_get_managed(nullptr, nullptr, library.handle, "several") == invalid);
  int* const host = reinterpret_cast<int*>(pointer);
  CHECK(host[2] == 3);
  host[2] = 30;
  CHECK(launch_status(library.function("add"), 1, 3, 0, nullptr) == cuda_abi::success);
  ok(driver().context_synchronize());
  CHECK(host[2] == 31);
  unsigned managed = 0;
  CHECK(driver().pointer_get_attribute(&managed, cuda_abi::pointer_attribute::is_managed, pointer) ==
        cuda_abi::success);
  CHECK(managed == 1);
  cuda_abi::context owner = context.handle;
  CHECK(driver().pointer_get_attribute(&owner, cuda_abi::pointer_attribute::context, pointer) == cuda_abi::success);
  CHECK(owner == nullptr);
  CHECK(driver().mem_advise(pointer, 12, memory_advice::set_read_mostly, 0) == cuda_abi::success);
  CHECK(told(memory_range_attribute::read_mostly, pointer, 12) == 1);
  CHECK(driver().mem_free(pointer) == invalid);
}

TEST_CASE("a kernel in another context uses managed memory") {
  const primary_context second{1};
  const primary_context first{0};
  const test_library library{R"(extern "C" __global__ void set(int* a) { a[0] = 5; })"};
  const test_managed memory{64};
  ok(driver().context_push(second.handle));
  CHECK(launch_status(library.function("set"), 1, 1, 0, nullptr, memory.pointer) == cuda_abi::success);
  ok(driver().context_synchronize());
  cuda_abi::context popped = nullptr;
  ok(driver().context_pop(&popped));
  CHECK(*reinterpret_cast<int*>(memory.pointer) == 5);
}
