// SPDX-License-Identifier: MIT
// The driver's pools: their memory in the order of streams, figures, policies, limits, and what keeps them alive.
#include <cuda/cuda_rig.hpp>

#include <fcntl.h>

#include <numeric>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;
using yoke::errc;

namespace {

constexpr std::size_t mebi = std::size_t{1} << 20;

}  // namespace

YOKE_CUDA_TEST_CASE("a pool gives memory in a stream's order, and memory keeps its pool", "[cuda]") {
  if (!has_pools(device)) YOKE_SKIP("the device has no memory pools");
  cuda_rig on(device);
  {
    cu::device_allocation<int> x;
    {
      cu::driver_pool pool{on.context, {.release_threshold = cu::keep_all}};
      CHECK(pool);
      CHECK(pool.context_of() == on.context);
      x = cu::device_allocation<int>{pool, 1000, on.stream};
      const cu::driver_pool same = pool;
      CHECK(same == pool);
      pool.reset();
      CHECK_FALSE(pool);
      cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { (void)pool.figures(); });
      cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                      [&] { (void)cu::device_allocation<int>(pool, 1, on.stream); });
      CHECK(same.figures().used_bytes >= 4000);
      CHECK(same.figures().reserved_bytes >= same.figures().used_bytes);
      CHECK(same.release_threshold() == cu::keep_all);
    }
    CHECK(on.driver.count("mem_pool_destroy") == 0);
    CHECK(on.driver.count("mem_alloc_from_pool_async") == 1);
    std::vector<int> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 1);
    yoke::copy(numbers, x, on.stream);
    CHECK(yoke::to_host(x, on.stream) == numbers);
    const cu::stream other{on.context};
    const auto written = on.stream.record();
    other.wait(written);
    yoke::fill(x, 4, other);
    x.record_use(other);
    const std::size_t mark = on.driver.mark();
    x.reset();
    const auto calls = on.driver.calls(mark);
    const auto place = [&](const char* name) { return std::find(calls.begin(), calls.end(), name) - calls.begin(); };
    CHECK(place("stream_wait_event") < place("mem_free_async"));  // behind the other stream
    CHECK(place("mem_free_async") < place("mem_pool_destroy"));
    CHECK(on.driver.count("mem_pool_destroy") == 1);
    CHECK(on.driver.count("mem_free") == 0);
  }
  CHECK(on.driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("a pool's figures, threshold and policies", "[cuda]") {
  if (!has_pools(device)) YOKE_SKIP("the device has no memory pools");
  const cu::context context{device};
  const cu::stream stream{context};
  const cu::driver_pool pool{context};
  CHECK(pool.reuse() == cu::pool_reuse{});
  CHECK(pool.release_threshold() == 0);
  CHECK(pool.figures().used_bytes == 0);
  const auto use = [&] {
    cu::device_allocation<char> x{pool, 8 * mebi, stream};
    yoke::fill(x, 1, stream);
    CHECK(pool.figures().used_bytes >= 8 * mebi);
  };
  use();
  stream.synchronize();
  CHECK(pool.figures().used_bytes == 0);
  CHECK(pool.figures().used_high_bytes >= 8 * mebi);
  CHECK(pool.figures().reserved_high_bytes >= 8 * mebi);
  pool.trim_to(0);
  CHECK(pool.figures().reserved_bytes == 0);
  pool.reset_high_figures();
  CHECK(pool.figures().used_high_bytes == 0);

  pool.set_release_threshold(cu::keep_all);
  CHECK(pool.release_threshold() == cu::keep_all);
  use();
  stream.synchronize();
  CHECK(pool.figures().reserved_bytes >= 8 * mebi);
  pool.trim_to(0);
  CHECK(pool.figures().reserved_bytes == 0);

  const cu::pool_reuse strict{.allow_opportunistic = false, .allow_internal_dependencies = false};
  pool.set_reuse(strict);
  CHECK(pool.reuse() == strict);
  const cu::driver_pool other{context, {.release_threshold = 64 * mebi, .reuse = strict}};
  CHECK(other.reuse() == strict);
  CHECK(other.release_threshold() == 64 * mebi);
}

YOKE_CUDA_TEST_CASE("a pool with a limit says what it has when it has no more", "[cuda]") {
  if (!has_pools(device)) YOKE_SKIP("the device has no memory pools");
  const cu::context context{device};
  const cu::stream stream{context};
  int version = 0;
  REQUIRE(device.port().table()->driver_get_version(&version) == cuda_abi::success);
  if (version < 12020) {
    CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported,
                                                     [&] { (void)cu::driver_pool(context, {.max_bytes = 64 * mebi}); }),
               ContainsSubstring("limits no pools") && ContainsSubstring("CUDA 12.2 does"));
    return;
  }
  const cu::driver_pool pool{context, {.max_bytes = 64 * mebi}};
  const cu::device_allocation<char> x{pool, 16 * mebi, stream};
  CHECK_THAT(cuda_refusal<yoke::memory_error>(errc::out_of_memory,
                                              [&] { (void)cu::device_allocation<char>(pool, 1024 * mebi, stream); }),
             ContainsSubstring("device allocation of 1073741824 bytes from a pool that has") &&
                 ContainsSubstring("bytes in use") && ContainsSubstring(", and a limit of 67108864"));
  const cu::device_allocation<char> small{pool, mebi, stream};
  CHECK(small.size() == mebi);
}

YOKE_CUDA_TEST_CASE("a device has a default pool and a current one", "[cuda]") {
  if (!has_pools(device)) YOKE_SKIP("the device has no memory pools");
  cuda_rig on(device);
  const auto standard = cu::driver_pool::default_of(on.context);
  CHECK(cu::driver_pool::current_of(on.context) == standard);
  {
    const cu::driver_pool pool{on.context};
    CHECK_FALSE(pool == standard);
    pool.make_current();
    CHECK(cu::driver_pool::current_of(on.context) == pool);
    const cu::device_allocation<int> x{on.context, 10, on.stream};
    CHECK(pool.figures().used_bytes >= 40);
  }
  CHECK(cu::driver_pool::current_of(on.context) == standard);
  const cu::device_allocation<int> x{standard, 10, on.stream};
  CHECK(standard.figures().used_bytes >= 40);
  {
    const auto borrowed = cu::driver_pool::borrow(on.context, standard.native_handle());
    CHECK(borrowed == standard);
  }
  CHECK(on.driver.count("mem_pool_destroy") == 1);
  cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)cu::driver_pool::adopt(on.context, nullptr); });
}

YOKE_CUDA_TEST_CASE("a driver's pool gives an empty block for no bytes, and takes it back", "[cuda]") {
  if (!has_pools(device)) YOKE_SKIP("the device has no memory pools");
  cuda_rig on(device);
  const cu::driver_pool pool{on.context};
  const std::size_t mark = on.driver.mark();
  const auto none = (*pool).allocate(0, on.stream, yoke::source_location::current());
  CHECK(none == cu::abi::device_pointer{});
  (*pool).deallocate(none, 0, on.stream.native_handle(), {});
  CHECK(on.driver.count("mem_alloc_from_pool_async", mark) == 0);
  CHECK(on.driver.count("mem_free_async", mark) == 0);
}

YOKE_CUDA_TEST_CASE("a memory_pool stands over a driver's pool", "[cuda]") {
  if (!has_pools(device)) YOKE_SKIP("the device has no memory pools");
  cuda_rig on(device);
  {
    const cu::driver_pool below{on.context};
    const cu::memory_pool pool{below};
    for (int each = 0; each < 5; ++each) {
      cu::device_allocation<int> x{pool, 1000, on.stream};
      yoke::fill(x, each, on.stream);
      CHECK(yoke::to_host(x, on.stream)[999] == each);
    }
  }
  CHECK(on.driver.count("mem_alloc_from_pool_async") == 1);
  CHECK(on.driver.count("mem_free_async") == 1);
  CHECK(on.driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("peers get access to a pool, and its own device keeps it", "[cuda]") {
  if (!has_pools(device)) YOKE_SKIP("the device has no memory pools");
  const cu::context context{device};
  const cu::stream stream{context};
  const cu::driver_pool pool{context};
  CHECK(pool.may_access(device));
  try {
    pool.set_access(device, false);
  } catch (const yoke::error& e) {  // documented is only that nothing changes
    CHECK_THAT(e.what(), ContainsSubstring("the pool's own device always has it"));
  }
  CHECK(pool.may_access(device));
  for (const cuda_device& other : cu::devices(device.port())) {
    if (other == device || !cu::can_access_peer(other, device)) continue;
    CHECK_FALSE(pool.may_access(other));
    pool.set_access(other, true);
    CHECK(pool.may_access(other));
    pool.set_access(other, false);
    CHECK_FALSE(pool.may_access(other));
    const cu::context there{other};
    CHECK_THROWS_AS(cu::driver_pool::borrow(there, pool.native_handle()).make_current(), yoke::error);
  }
}

YOKE_CUDA_TEST_CASE("what is no pool, or not of the pool, is refused in words", "[cuda][ipc]") {
  if (!has_pools(device)) YOKE_SKIP("the device has no memory pools");
  const cu::context context{device};
  const cu::stream stream{context};
  const cu::driver_pool own{context};
  try {
    (void)own.share();
    FAIL_CHECK("shared a pool that cannot be");
  } catch (const yoke::error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("it must be made in this process with .shareable = true"));
  }
  const auto open = [&](const cu::file_descriptor& from) { (void)cu::driver_pool::open(context, from); };
  cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { open({}); });
  auto closed = cu::file_descriptor::adopt(999);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { open(closed); }),
             ContainsSubstring("file descriptor 999 is not open in this process"));
  CHECK(closed.release() == 999);
  const auto other = cu::file_descriptor::adopt(::open("/dev/null", O_RDWR | O_CLOEXEC));
  try {
    open(other);
    FAIL_CHECK("opened /dev/null");
  } catch (const yoke::error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("is no pool that a CUDA driver has exported"));
    CHECK(std::string(e.call()) == "cuMemPoolImportFromShareableHandle");
  }
  const cu::device_allocation<int> plain{context, 10}, none{context, 0};
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)own.share(plain); }),
             ContainsSubstring("is not of this pool"));
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)own.share(none); }),
             ContainsSubstring("memory of no elements"));
  if (!shares_pools(device)) return;
  const cu::driver_pool shared{context, {.shareable = true}};
  CHECK(shared.share().native_handle() >= 0);
  const cu::device_allocation<int> x{shared, 10, stream};
  const cu::ipc_pool_memory handle = shared.share(x);
  CHECK(handle.size == 10);
  CHECK(handle.element_bytes == 4);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)shared.open<int>(handle, stream); }),
             ContainsSubstring("memory of this process cannot be opened in it"));
  cu::ipc_pool_memory foreign = handle;
  ++foreign.process;
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)shared.open<char>(foreign, stream); }),
             ContainsSubstring("holds elements of 4 bytes, not of 1"));
  foreign.size = 0;
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)shared.open<int>(foreign, stream); }),
             ContainsSubstring("holds no elements"));
  CHECK_THROWS_AS(own.share(x), yoke::logic_error);
}

YOKE_CUDA_TEST_CASE("what an older driver or another device lacks of pools is told by name", "[cuda]") {
  if (!has_pools(device)) YOKE_SKIP("the device has no memory pools");
  const auto told = [&](auto member) {
    cuda_abi::functions table = *device.port().table();
    table.*member = nullptr;
    const cu::context context(through_table(&table, device));
    return cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] {
      const cu::stream stream{context};
      const cu::driver_pool pool{context};
      const cu::device_allocation<int> x{pool, 1, stream};
    });
  };
  using entries = cuda_abi::functions;
  CHECK_THAT(told(&entries::mem_pool_create), ContainsSubstring("this CUDA driver has no cuMemPoolCreate"));
  CHECK_THAT(told(&entries::mem_alloc_from_pool_async), ContainsSubstring("has no cuMemAllocFromPoolAsync"));

  const poorer_driver poorer(device);
  const cu::context context(through_table(&poorer.table, device));
  poorer_driver::lacking() = 115;
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { (void)cu::driver_pool(context); }),
             ContainsSubstring("has no memory pools (CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)"));
  poorer_driver::lacking() = 119;
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported,
                                                   [&] { (void)cu::driver_pool(context, {.shareable = true}); }),
             ContainsSubstring("shares no pools by file descriptor"));
}
