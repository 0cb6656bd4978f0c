// SPDX-License-Identifier: MIT
// What CUDA says of kernels and what can be set; occupancy.
#include <cuda/cuda_rig.hpp>

#include <algorithm>
#include <utility>

using namespace yoke_test;
using yoke::errc;
namespace kernel_info = yoke::cuda::kernel_info;

namespace {

constexpr const char* source = R"(
extern "C" __global__ void plain(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += 1; }
extern "C" __global__ void __launch_bounds__(128) bounded(float* a) { a[threadIdx.x] = 1; }
extern "C" __global__ void holds_shared(float* a) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[1023 - threadIdx.x];
}
)";

struct bench {
  explicit bench(const cu::device& device) : context(device), module(cu::compile(context, source)) {}
  cu::context context;
  cu::module module;
  cu::kernel<void(float*, int)> plain = module.get_kernel<void(float*, int)>("plain");
  cu::kernel<void(float*)> bounded = module.get_kernel<void(float*)>("bounded");
  cu::kernel<void(float*)> shared = module.get_kernel<void(float*)>("holds_shared");
};

}  // namespace

YOKE_CUDA_TEST_CASE("a CUDA kernel's attributes have types", "[cuda]") {
  const bench on(device);
  CHECK(cu::get(on.plain, kernel_info::max_block) == 1024);
  CHECK(cu::get(on.bounded, kernel_info::max_block) == 128);
  CHECK(cu::get(on.plain, kernel_info::static_shared_bytes) == 0);
  CHECK(cu::get(on.shared, kernel_info::static_shared_bytes) == 4096);
  CHECK(cu::get(on.plain, kernel_info::private_bytes) == 0);
  CHECK(cu::get(on.plain, kernel_info::constant_bytes) < 65536);
  const cu::module with_table =
      cu::compile(on.context,
                  "__constant__ float table[1000];"
                  "extern \"C\" __global__ void looked_up(float* a) { a[threadIdx.x] = table[threadIdx.x]; }");
  const std::size_t constants = cu::get(with_table.get_kernel<void(float*)>("looked_up"), kernel_info::constant_bytes);
  CHECK(constants >= 4000);
  CHECK(constants < 65536);
  CHECK(cu::get(on.plain, kernel_info::registers) > 0);
  const int capability =
      cu::get(device, cu::info::compute_capability_major) * 10 + cu::get(device, cu::info::compute_capability_minor);
  CHECK(cu::get(on.plain, kernel_info::binary_version) == capability);
  CHECK(cu::get(on.plain, kernel_info::ptx_version) > 0);
  CHECK_FALSE(cu::get(on.plain, kernel_info::needs_cluster));
  CHECK(cu::get(on.plain, kernel_info::required_cluster_x) == 0);
  CHECK(cu::get(on.plain, device, kernel_info::registers) == cu::get(on.plain, kernel_info::registers));
  static_assert(std::is_same_v<decltype(cu::get(on.plain, kernel_info::static_shared_bytes)), std::size_t>);
  static_assert(std::is_same_v<decltype(cu::get(on.plain, kernel_info::needs_cluster)), bool>);
}

YOKE_CUDA_TEST_CASE("a CUDA kernel's attributes can be set, for every handle of it", "[cuda]") {
  bench on(device);
  const auto most = static_cast<std::size_t>(cu::get(device, cu::info::max_shared_memory_per_block_optin));
  cu::set(on.shared, kernel_info::max_dynamic_shared_bytes, most - 4096);
  const auto again = on.module.get_kernel<void(float*)>("holds_shared");
  CHECK(cu::get(again, kernel_info::max_dynamic_shared_bytes) == most - 4096);
  const std::string why = cuda_refusal<yoke::logic_error>(
      errc::invalid_argument, [&] { cu::set(on.shared, kernel_info::max_dynamic_shared_bytes, most); });
  CHECK_THAT(why, ContainsSubstring("kernel attribute max_dynamic_shared_bytes cannot be " + std::to_string(most)) &&
                      ContainsSubstring("4096 bytes in the kernel this device has " + std::to_string(most)));
  cu::set(on.plain, kernel_info::shared_carveout, 50);
  CHECK(cu::get(on.plain, kernel_info::shared_carveout) == 50);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                             [&] { cu::set(on.plain, kernel_info::shared_carveout, 101); }),
             ContainsSubstring("kernel attribute shared_carveout cannot be 101"));
  if (cu::get(device, cu::info::cluster_launch)) {
    cu::set(on.plain, kernel_info::non_portable_cluster, true);
    CHECK(cu::get(on.plain, kernel_info::non_portable_cluster));
    cu::set(on.plain, kernel_info::cluster_policy, cu::cluster_scheduling::spread);
    CHECK(cu::get(on.plain, kernel_info::cluster_policy) == cu::cluster_scheduling::spread);
  }
  cu::set_cache(on.plain, cu::cache_preference::prefer_shared);
  cu::kernel<void(float*, int)> empty;
  cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { (void)cu::get(empty, kernel_info::registers); });
  cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { cu::set(empty, kernel_info::shared_carveout, 1); });
}

namespace {

/// What the driver was last asked for, and its own entry.
struct asked_cache {
  cuda_abi::cache_config preference{};
  cuda_abi::kernel kernel = nullptr;
  const cuda_abi::functions* real = nullptr;
};
asked_cache last_cache;
cuda_abi::status note_cache(cuda_abi::kernel kernel, cuda_abi::cache_config preference, cuda_abi::device of) {
  last_cache.preference = preference;
  last_cache.kernel = kernel;
  return last_cache.real->kernel_set_cache_config(kernel, preference, of);
}

}  // namespace

YOKE_CUDA_TEST_CASE("the driver gets the cache's preference that is asked for", "[cuda]") {
  last_cache.real = device.port().table();
  cuda_abi::functions table = *last_cache.real;
  table.kernel_set_cache_config = &note_cache;
  const bench on(through_table(&table, device));
  using preference = cu::cache_preference;
  for (const auto& [asked, expected] : {std::pair{preference::prefer_none, 0}, std::pair{preference::prefer_shared, 1},
                                        std::pair{preference::prefer_l1, 2}, std::pair{preference::prefer_equal, 3}}) {
    last_cache.kernel = nullptr;
    cu::set_cache(on.plain, asked);
    CHECK(static_cast<int>(last_cache.preference) == expected);  // CU_FUNC_CACHE_PREFER_...
    CHECK(last_cache.kernel == on.plain.native_handle());
  }
}

YOKE_CUDA_TEST_CASE("attributes and the cache's preference cost one call", "[cuda]") {
  cuda_rig rig(device);
  const auto kernel = cu::compile(rig.context, source).get_kernel<void(float*, int)>("plain");
  std::size_t mark = rig.driver.mark();
  (void)cu::get(kernel, kernel_info::registers);
  CHECK(rig.driver.calls(mark) == std::vector<std::string>{"kernel_get_attribute"});
  mark = rig.driver.mark();
  cu::set(kernel, kernel_info::shared_carveout, -1);
  CHECK(rig.driver.calls(mark) == std::vector<std::string>{"kernel_set_attribute"});
  mark = rig.driver.mark();
  cu::set_cache(kernel, cu::cache_preference::prefer_l1);
  CHECK(rig.driver.calls(mark) == std::vector<std::string>{"kernel_set_cache_config"});
}

YOKE_CUDA_TEST_CASE("a kernel's code is loaded before its first launch, or by it", "[cuda]") {
  cuda_rig rig(device);
  if (rig.driver.table()->function_load == nullptr) YOKE_SKIP("this driver has no cuFuncLoad");
  const auto module = cu::compile(rig.context, source);
  const auto plain = module.get_kernel<void(float*, int)>("plain");
  const auto bounded = module.get_kernel<void(float*)>("bounded");
  if (is_simulated(device)) CHECK_FALSE((cu::is_loaded(plain) || cu::is_loaded(bounded)));
  const std::size_t mark = rig.driver.mark();
  cu::load(plain);
  const auto calls = rig.driver.calls(mark);
  CHECK(std::count(calls.begin(), calls.end(), std::string("function_load")) == 1);
  CHECK(cu::is_loaded(plain));
  if (is_simulated(device)) CHECK_FALSE(cu::is_loaded(bounded));
  cu::load(plain);  // once more does nothing
  cu::device_allocation<float> a(rig.context, 32);
  bounded(rig.stream, {.grid = 1, .block = 32}, a);
  rig.stream.synchronize();
  CHECK(cu::is_loaded(bounded));
  const cu::kernel<void(float*)> empty;
  cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { cu::load(empty); });
  cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { (void)cu::is_loaded(empty); });
}

YOKE_CUDA_TEST_CASE("a driver before 12.4 has no word for a kernel's code", "[cuda]") {
  cuda_rig rig(device, 12030);
  const auto kernel = cu::compile(rig.context, source).get_kernel<void(float*, int)>("plain");
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { cu::load(kernel); }),
             ContainsSubstring("this CUDA driver has no cuFuncLoad"));
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { (void)cu::is_loaded(kernel); }),
             ContainsSubstring("this CUDA driver has no cuFuncIsLoaded"));
}

YOKE_CUDA_TEST_CASE("occupancy is consistent with the device's limits", "[cuda]") {
  const bench on(device);
  const int threads = cu::get(device, cu::info::max_threads_per_multiprocessor);
  const int registers = cu::get(device, cu::info::max_registers_per_multiprocessor);
  for (const int block : {32, 64, 128, 256, 512, 1024}) {
    const int blocks = cu::active_blocks(on.plain, block);
    CHECK(blocks >= 1);
    CHECK(blocks * block <= threads);
    CHECK(blocks * block * cu::get(on.plain, kernel_info::registers) <= registers);
    CHECK(blocks >= cu::active_blocks(on.plain, block, 40 * 1024));  // shared memory takes room
  }
  CHECK(cu::active_blocks(on.plain, {16, 16}) == cu::active_blocks(on.plain, 256));
  CHECK(cu::active_blocks(on.bounded, 256) == cu::active_blocks(on.plain, 256));  // whatever __launch_bounds__ say
  const auto all = static_cast<std::size_t>(cu::get(device, cu::info::max_shared_memory_per_multiprocessor));
  const int tight = cu::active_blocks(on.plain, 32, 40 * 1024);
  CHECK(static_cast<std::size_t>(tight) == all / (41 * 1024));  // the device keeps 1 KiB of each block for itself
  cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)cu::active_blocks(on.plain, 0); });
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                             [&] { (void)cu::available_local_bytes(on.plain, 0, 32); }),
             ContainsSubstring("block count 0 is below 1"));
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                             [&] { (void)cu::available_local_bytes(on.plain, 2000, 256); }),
             ContainsSubstring("2000 blocks of 256 threads on one multiprocessor"));
  const auto too_large = [&](const yoke::extent3& block) {
    return cuda_refusal<yoke::logic_error>(errc::out_of_range, [&] { (void)cu::active_blocks(on.plain, block); });
  };
  const std::size_t half = std::size_t{1} << 32;  // two of them make 2^64, which is 0
  CHECK_THAT(too_large({half, half}), ContainsSubstring("extent of the block is 4294967296, outside "));
  CHECK_THAT(too_large({half / 4, 8, half / 4}), ContainsSubstring("threads of the block is 8589934592, outside "));
  const std::size_t available = cu::available_local_bytes(on.plain, 2, 128);
  CHECK(available > 0);
  CHECK(available <= all / 2);
  CHECK(cu::active_blocks(on.plain, 128, available) >= 2);
}

YOKE_CUDA_TEST_CASE("the best block fills the device", "[cuda]") {
  const bench on(device);
  const cu::potential_shape best = cu::best_block(on.plain);
  const int multiprocessors = cu::get(device, cu::info::multiprocessor_count);
  CHECK(best.block % 32 == 0);
  CHECK(best.grid == cu::active_blocks(on.plain, best.block) * multiprocessors);
  CHECK(cu::best_block(on.plain, {.limit = 200}).block <= 200);
  CHECK(cu::best_block(on.bounded).block <= 128);
  const cu::potential_shape large = cu::best_block(on.plain, {.local_bytes = 48 * 1024});
  CHECK(large.grid == cu::active_blocks(on.plain, large.block, 48 * 1024) * multiprocessors);

  std::vector<int> asked;
  const cu::potential_shape growing = cu::best_block(on.plain, [&](int block) {
    asked.push_back(block);
    return static_cast<std::size_t>(block) * 64;
  });
  CHECK_FALSE(asked.empty());
  CHECK(growing.grid ==
        cu::active_blocks(on.plain, growing.block, static_cast<std::size_t>(growing.block) * 64) * multiprocessors);
  CHECK(growing.block * 64 <= 48 * 1024);
  CHECK_THROWS_AS(cu::best_block(on.plain, [](int) -> std::size_t { throw std::runtime_error("no"); }),
                  std::runtime_error);
  CHECK(cu::best_block(on.plain).block == best.block);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::out_of_range,
                                             [&] { (void)cu::best_block(on.plain, [](int) { return -1; }); }),
             ContainsSubstring("the dynamic shared memory of a block of ") &&
                 ContainsSubstring(" threads is -1 bytes, below 0"));
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                             [&] { cu::set_cache(on.plain, static_cast<cu::cache_preference>(99)); }),
             ContainsSubstring("cache_preference is 99, none of 0, 1, 2, 3"));
  CHECK_THAT(
      cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)cu::best_block(on.plain, {.limit = -1}); }),
      ContainsSubstring("block limit -1 is negative"));
}

YOKE_CUDA_TEST_CASE("occupancy questions leave no context current", "[cuda]") {
  cuda_rig rig(device);
  const auto kernel = cu::compile(rig.context, source).get_kernel<void(float*, int)>("plain");
  const std::size_t mark = rig.driver.mark();
  CHECK(cu::active_blocks(kernel, 64) > 0);
  CHECK(rig.driver.calls(mark) == std::vector<std::string>{"context_get_current", "context_get_id", "context_push",
                                                           "occupancy_max_active_blocks", "context_pop"});
}

YOKE_CUDA_TEST_CASE("clusters are counted", "[cuda]") {
  if (!cu::get(device, cu::info::cluster_launch)) YOKE_SKIP("the device has no clusters");
  const bench on(device);
  CHECK(cu::max_cluster(on.plain, {.grid = 64, .block = 128}) == 8);
  cu::set(on.plain, kernel_info::non_portable_cluster, true);
  CHECK(cu::max_cluster(on.plain, {.grid = 64, .block = 128}) >= 8);
  const int pairs = cu::active_clusters(on.plain, {.grid = 64, .block = 128, .cluster = 2});
  const int fours = cu::active_clusters(on.plain, {.grid = {64, 2}, .block = 128, .cluster = {2, 2}});
  CHECK(pairs > 0);
  CHECK(fours > 0);
  CHECK(fours <= pairs);
  cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)cu::max_cluster(on.plain, {.block = 0}); });
  const std::size_t wrapped = (std::size_t{1} << 32) + 64;  // 64 in the driver's 32 bits
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::out_of_range,
                                             [&] {
                                               (void)cu::max_cluster(on.plain, {.grid = {1, wrapped}, .block = 128});
                                             }),
             ContainsSubstring("grid in y is 4294967360, outside "));
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::out_of_range,
                                             [&] {
                                               (void)cu::active_clusters(
                                                   on.plain,
                                                   {.grid = 64, .block = 128, .local_bytes = wrapped, .cluster = 2});
                                             }),
             ContainsSubstring("local memory in bytes is 4294967360, outside "));
}
