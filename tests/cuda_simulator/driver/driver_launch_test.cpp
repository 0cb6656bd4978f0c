// SPDX-License-Identifier: MIT
// Launches: what is refused, what attributes do, and what a kernel that fails leaves behind.
#include <cstring>
#include <cuda_simulator/driver.hpp>
#include <support/process/child.hpp>

using namespace yoke_test;

namespace {

const std::string kernels_text = R"(
  #include <cooperative_groups.h>
  extern "C" __global__ void store(int* out, int value) { if (threadIdx.x == 0 && blockIdx.x == 0) *out = value; }
  extern "C" __global__ void __launch_bounds__(64) bounded(int* out) { *out = 1; }
  extern "C" __global__ void dynamic_sum(int* out, int n) {
    extern __shared__ int tile[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = 1;
    __syncthreads();
    if (threadIdx.x == 0) { int sum = 0; for (int i = 0; i < n; ++i) sum += tile[i]; *out = sum; }
  }
  extern "C" __global__ void meet(int* out) {
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) atomicAdd(out, 1);
  }
  extern "C" __global__ void trap() { __trap(); }
  extern "C" __global__ void failed_assert(int n) { assert(n > 1000); }
  extern "C" __global__ void diverge() { if (threadIdx.x < 5) __syncthreads(); else __syncthreads_or(1); }
  extern "C" __global__ void hang(int* flag) { while (atomicAdd(flag, 0) == 0) {} }
)";

cuda_abi::status launch3(cuda_abi::function what, cuda_abi::launch_extent grid, cuda_abi::launch_extent block,
                         unsigned shared = 0) {
  static cuda_abi::device_pointer memory = 0;
  int value = 0;
  void* arguments[] = {&memory, &value};
  return driver().launch_kernel(what, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, nullptr, arguments,
                                nullptr);
}

struct launch_with {
  cuda_abi::launch_config config{};
  std::vector<cuda_abi::launch_attribute> attributes{};

  launch_with(unsigned grid, unsigned block) {
    config.grid_x = grid;
    config.grid_y = config.grid_z = config.block_y = config.block_z = 1;
    config.block_x = block;
  }
  template <class Set>
  launch_with& with(cuda_abi::launch_attribute_id id, Set&& set) {
    cuda_abi::launch_attribute attribute{};
    attribute.id = id;
    set(attribute.value);
    attributes.push_back(attribute);
    return *this;
  }
  template <class... A>
  cuda_abi::status run(cuda_abi::function what, A... arguments) {
    void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
    config.attributes = attributes.data();
    config.attribute_count = static_cast<unsigned>(attributes.size());
    return driver().launch_kernel_ex(&config, what, pointers, nullptr);
  }
};

/// A created context, so that what breaks in it harms no other test.
class own_context {
 public:
  own_context() { ok(driver().context_create(&handle, 0, 0)); }
  ~own_context() { driver().context_destroy(handle); }
  own_context(const own_context&) = delete;
  own_context& operator=(const own_context&) = delete;
  cuda_abi::context handle = nullptr;
};

}  // namespace

TEST_CASE("shapes over the limits are refused") {
  const primary_context context;
  const test_library library{kernels_text};
  const cuda_abi::function store = library.function("store");
  CHECK(launch3(store, {0, 1, 1}, {1, 1, 1}) == cuda_abi::error_invalid_value);
  CHECK(launch3(store, {1, 1, 1}, {1, 0, 1}) == cuda_abi::error_invalid_value);
  CHECK(launch3(store, {1, 1, 1}, {2048, 1, 1}) == cuda_abi::error_invalid_value);
  CHECK(launch3(store, {1, 1, 1}, {1024, 2, 1}) == cuda_abi::error_invalid_value);
  CHECK(launch3(store, {1, 1, 1}, {1, 1, 65}) == cuda_abi::error_invalid_value);
  CHECK(launch3(store, {1, 65536, 1}, {1, 1, 1}) == cuda_abi::error_invalid_value);
  CHECK(launch3(store, {1, 1, 65536}, {1, 1, 1}) == cuda_abi::error_invalid_value);
  CHECK(launch3(store, {2147483648u, 1, 1}, {1, 1, 1}) == cuda_abi::error_invalid_value);
  CHECK(launch3(store, {1, 1, 1}, {1, 1, 1}, 1 << 20) == cuda_abi::error_invalid_value);
  CHECK(launch3(library.function("bounded"), {1, 1, 1}, {65, 1, 1}) == cuda_abi::error_launch_out_of_resources);
  CHECK(launch3(nullptr, {1, 1, 1}, {1, 1, 1}) == cuda_abi::error_invalid_handle);
  CHECK(driver().launch_kernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == cuda_abi::error_invalid_value);
}

TEST_CASE("dynamic shared memory above 48 KiB is opted in to") {
  const primary_context context;
  const test_library library{kernels_text};
  const test_memory out{4};
  const int n = 15000;  // 60 000 bytes
  const cuda_abi::function sum = library.function("dynamic_sum");
  CHECK(launch_status(sum, 1, 32, n * 4, nullptr, out.pointer, n) == cuda_abi::error_invalid_value);
  CHECK(driver().kernel_set_attribute(cuda_abi::function_attribute::max_dynamic_shared_size_bytes, n * 4,
                                      library.kernel("dynamic_sum"), 0) == cuda_abi::success);
  CHECK(launch_status(sum, 1, 32, n * 4, nullptr, out.pointer, n) == cuda_abi::success);
  int value = 0;
  ok(driver().memcpy_dtoh(&value, out, 4));
  CHECK(value == n);
  CHECK(launch_status(sum, 1, 32, n * 4 + 4, nullptr, out.pointer, n) == cuda_abi::error_invalid_value);
}

TEST_CASE("arguments come as pointers or as one buffer") {
  const primary_context context;
  const test_library library{kernels_text};
  const test_memory out{4};
  struct {
    cuda_abi::device_pointer out;
    int value;
  } packed{out, 41};
  std::size_t bytes = sizeof packed;
  void* extra[] = {reinterpret_cast<void*>(cuda_abi::launch_param_buffer_pointer), &packed,
                   reinterpret_cast<void*>(cuda_abi::launch_param_buffer_size), &bytes,
                   reinterpret_cast<void*>(cuda_abi::launch_param_end)};
  const cuda_abi::function store = library.function("store");
  CHECK(driver().launch_kernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra) == cuda_abi::success);
  int value = 0;
  ok(driver().memcpy_dtoh(&value, out, 4));
  CHECK(value == 41);
  bytes = 8;
  CHECK(driver().launch_kernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra) == cuda_abi::error_invalid_value);
  CHECK(driver().launch_kernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, extra, extra) == cuda_abi::error_invalid_value);
}

TEST_CASE("a function is launched in its own context") {
  const primary_context second{1};
  const test_stream foreign;
  const test_memory theirs{4};
  const primary_context first{0};
  const test_library library{kernels_text};
  const test_memory out{4};
  cuda_abi::function function = nullptr;
  ok(driver().kernel_get_function(&function, library.kernel("store")));
  CHECK(launch_status(function, 1, 1, 0, foreign, out.pointer, 1) == cuda_abi::error_invalid_handle);
  CHECK(launch_status(function, 1, 1, 0, nullptr, out.pointer, 3) == cuda_abi::success);
  CHECK(driver().context_synchronize() == cuda_abi::success);
  CHECK(launch_status(library.function("store"), 1, 1, 0, foreign, theirs.pointer, 4) == cuda_abi::success);
  CHECK(driver().stream_synchronize(foreign) == cuda_abi::success);
}

TEST_CASE("cooperative grids must be resident") {
  const primary_context context;
  const test_library library{kernels_text};
  const test_memory out{4};
  ok(driver().memset_d32(out, 0, 1));
  int blocks = 0;
  int multiprocessors = 0;
  const cuda_abi::function meet = library.function("meet");
  ok(driver().occupancy_max_active_blocks(&blocks, meet, 1024, 0));
  ok(driver().device_get_attribute(&multiprocessors, 16, 0));
  CHECK(blocks == 2);
  const auto cooperative = [](cuda_abi::launch_attribute_value& value) { value.cooperative = 1; };
  launch_with good{6, 32};
  CHECK(good.with(cuda_abi::launch_attribute_id::cooperative, cooperative).run(meet, out.pointer) == cuda_abi::success);
  int value = 0;
  ok(driver().memcpy_dtoh(&value, out, 4));
  CHECK(value == 6);
  launch_with bad{static_cast<unsigned>(blocks * multiprocessors + 1), 1024};
  CHECK(bad.with(cuda_abi::launch_attribute_id::cooperative, cooperative).run(meet, out.pointer) ==
        cuda_abi::error_cooperative_launch_too_large);
  cuda_abi::device_pointer pointer = out;
  void* arguments[] = {&pointer};
  CHECK(driver().launch_cooperative_kernel(meet, 2, 1, 1, 32, 1, 1, 0, nullptr, arguments) == cuda_abi::success);
  CHECK(driver().launch_cooperative_kernel(meet, 100000, 1, 1, 32, 1, 1, 0, nullptr, arguments) ==
        cuda_abi::error_cooperative_launch_too_large);
  ok(driver().context_synchronize());
}

TEST_CASE("clusters and priorities are taken within their limits") {
  const primary_context context;
  const test_library library{kernels_text};
  const test_memory out{4};
  const cuda_abi::function store = library.function("store");
  const auto run = [&](unsigned grid, unsigned cluster) {
    launch_with launch{grid, 1};
    launch.with(cuda_abi::launch_attribute_id::cluster_dimension, [&](cuda_abi::launch_attribute_value& value) {
      value.cluster = {cluster, 1, 1};
    });
    launch.with(cuda_abi::launch_attribute_id::priority,
                [](cuda_abi::launch_attribute_value& value) { value.priority = -1; });
    return launch.run(store, out.pointer, 1);
  };
  CHECK(run(8, 4) == cuda_abi::success);
  CHECK(run(8, 0) == cuda_abi::error_invalid_value);
  CHECK(run(9, 2) == cuda_abi::error_invalid_value);
  CHECK(run(16, 16) == cuda_abi::error_invalid_cluster_size);
  ok(driver().kernel_set_attribute(cuda_abi::function_attribute::non_portable_cluster_size_allowed, 1,
                                   library.kernel("store"), 0));
  CHECK(run(16, 16) == cuda_abi::success);
  cuda_abi::launch_config config{};
  config.grid_x = config.grid_y = config.grid_z = config.block_x = config.block_y = config.block_z = 1;
  int most = 0;
  CHECK(driver().occupancy_max_potential_cluster_size(&most, store, &config) == cuda_abi::success);
  CHECK(most == 16);
  CHECK(driver().occupancy_max_active_clusters(&most, store, &config) == cuda_abi::success);
  CHECK(most == 8 * 32);
  launch_with unknown{1, 1};
  CHECK(unknown.with(static_cast<cuda_abi::launch_attribute_id>(999), [](auto&) {}).run(store, out.pointer, 1) ==
        cuda_abi::error_not_supported);
  ok(driver().context_synchronize());
}

TEST_CASE("occupancy follows the simulated limits") {
  const primary_context context;
  const test_library library{kernels_text};
  const cuda_abi::function store = library.function("store");
  const auto active = [&](int block, std::size_t shared) {
    int blocks = -1;
    ok(driver().occupancy_max_active_blocks_with_flags(&blocks, store, block, shared, 0));
    return blocks;
  };
  CHECK(active(32, 0) == 32);
  CHECK(active(256, 0) == 8);
  CHECK(active(1000, 0) == 2);
  CHECK(active(256, 47 * 1024) == 4);  // 228 KiB hold four of 48
  int grid = 0, block = 0;
  CHECK(driver().occupancy_max_potential_block_size(&grid, &block, store, nullptr, 0, 0) == cuda_abi::success);
  CHECK(block == 1024);
  CHECK(grid == 16);
  CHECK(driver().occupancy_max_potential_block_size_with_flags(
            &grid, &block, store, [](int threads) { return static_cast<std::size_t>(threads) * 100; }, 0, 0, 0) ==
        cuda_abi::success);
  CHECK(block < 1024);
  std::size_t bytes = 0;
  CHECK(driver().occupancy_available_dynamic_shared(&bytes, store, 8, 128) == cuda_abi::success);
  int fixed = 0;
  ok(driver().function_get_attribute(&fixed, cuda_abi::function_attribute::shared_size_bytes, store));
  CHECK(bytes == static_cast<std::size_t>(228 * 1024 / 8 - 1024 - fixed));
  CHECK(driver().occupancy_max_active_blocks(&grid, store, 0, 0) == cuda_abi::error_invalid_value);
}

TEST_CASE("a kernel that fails breaks its context for good") {
  struct failing {
    const char* kernel;
    unsigned threads;
    cuda_abi::status code;
    const char* text;
  };
  const failing each = GENERATE(values<failing>({{"trap", 1, cuda_abi::error_launch_failed, "trap"},
                                                 {"failed_assert", 1, cuda_abi::error_assert, "n > 1000"},
                                                 {"diverge", 32, cuda_abi::error_launch_failed, "diverge"}}));
  INFO(each.kernel);
  const test_library library{kernels_text};
  captured_stderr text;
  cuda_abi::stream stream = nullptr;
  cuda_abi::event event = nullptr;
  cuda_abi::device_pointer memory = 0;
  std::size_t bytes = 0;
  {
    const own_context context;
    ok(driver().stream_create(&stream, 0, 0));
    ok(driver().event_create(&event, 0));
    ok(driver().mem_alloc(&memory, 16));
    CHECK(launch_status(library.function(each.kernel), 1, each.threads, 0, stream, 5) == cuda_abi::success);
    CHECK(driver().stream_synchronize(stream) == each.code);
    CHECK(driver().context_synchronize() == each.code);
    CHECK(driver().mem_alloc(&memory, 16) == each.code);
    CHECK(driver().mem_get_info(&bytes, &bytes) == each.code);
    CHECK(driver().event_record(event, stream) == each.code);
    CHECK(driver().event_destroy(event) == each.code);
    CHECK(driver().stream_destroy(stream) == each.code);
    CHECK(driver().mem_free(memory) == each.code);
    const primary_context other;  // of the same device, but another context
    CHECK(driver().context_synchronize() == cuda_abi::success);
  }
  const std::string said = text.finish();
  CHECK_THAT(said, ContainsSubstring(each.text));
  CHECK(said.find("yoke CUDA simulator") == said.rfind("yoke CUDA simulator"));
}

TEST_CASE("a broken primary context stays broken") {
  if (is_child("a broken primary context stays broken")) {
    const test_library library{kernels_text};
    cuda_abi::context handle = nullptr;
    {
      const primary_context context{1};
      handle = context.handle;
      CHECK(launch_status(library.function("trap"), 1, 1, 0, nullptr) == cuda_abi::success);
      CHECK(driver().context_synchronize() == cuda_abi::error_launch_failed);
      CHECK(driver().primary_context_retain(&handle, 1) == cuda_abi::error_launch_failed);
    }
    CHECK(driver().primary_context_reset(1) == cuda_abi::success);
    CHECK(driver().primary_context_retain(&handle, 1) == cuda_abi::error_launch_failed);
    const primary_context other{0};
    CHECK(driver().context_synchronize() == cuda_abi::success);
    return;
  }
  const child_result child = run_child("a broken primary context stays broken", {});
  INFO(child.output);
  CHECK(child.status == 0);
}

TEST_CASE("a kernel uses another device's memory when it was given access, and not before") {
  const char* const name = "a kernel uses another device's memory when it was given access, and not before";
  if (is_child(name)) {
    const primary_context there{1};
    const test_stream order;
    const test_memory plain{4};
    cuda_abi::device_pointer ordered = 0;
    ok(driver().mem_alloc_async(&ordered, 4, order));
    ok(driver().stream_synchronize(order));
    cuda_abi::memory_pool pool = nullptr;
    ok(driver().device_get_mem_pool(&pool, 1));
    cuda_abi::context peer = nullptr;
    ok(driver().context_get_current(&peer));
    const primary_context here{0};
    const test_library library{kernels_text};
    const auto store = [&](cuda_abi::device_pointer to) {
      (void)launch_status(library.function("store"), 1, 1, 0, nullptr, to, 1);
      return driver().context_synchronize();
    };
    if (std::string(std::getenv("YOKE_TEST_ACCESS")) != "none") {
      ok(driver().context_enable_peer_access(peer, 0));
      CHECK(store(plain.pointer) == cuda_abi::success);
    }
    if (std::string(std::getenv("YOKE_TEST_ACCESS")) == "both") {
      const cuda_abi::access_descriptor mine{{cuda_abi::memory_location_type::device, 0},
                                             cuda_abi::access_flags::read_write};
      ok(driver().mem_pool_set_access(pool, &mine, 1));
      CHECK(store(ordered) == cuda_abi::success);
    } else {
      CHECK(store(ordered) == cuda_abi::error_illegal_address);
    }
    return;
  }
  for (const char* access : {"none", "contexts", "both"}) {
    const child_result child = run_child(name, {{"YOKE_TEST_ACCESS", access}});
    INFO(child.output);
    CHECK(child.status == 0);
    if (std::string(access) != "both") {
      CHECK_THAT(child.output, ContainsSubstring("memory of device 1, which device 0 was not given access to"));
    }
  }
}

TEST_CASE("what the environment asks for happens to a launch") {
  if (is_child("what the environment asks for happens to a launch")) {
    const own_context context;
    const test_library library{kernels_text};
    const test_memory out{4};
    CHECK(launch_status(library.function("store"), 1, 1, 0, nullptr, out.pointer, 1) == cuda_abi::success);
    CHECK(driver().context_synchronize() == cuda_abi::success);
    CHECK(launch_status(library.function("store"), 1, 1, 0, nullptr, out.pointer, 2) == cuda_abi::success);
    CHECK(driver().context_synchronize() == cuda_abi::error_illegal_address);
    return;
  }
  const child_result child =
      run_child("what the environment asks for happens to a launch", {{"YOKE_SIMULATOR_LAUNCH_FAILURE", "2:700"}});
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK_THAT(child.output, ContainsSubstring("YOKE_SIMULATOR_LAUNCH_FAILURE"));
}

TEST_CASE("a kernel without progress is given up") {
  if (is_child("a kernel without progress is given up")) {
    const own_context context;
    const test_library library{kernels_text};
    const test_memory flag{4};
    ok(driver().memset_d32(flag, 0, 1));
    CHECK(launch_status(library.function("hang"), 1, 1, 0, nullptr, flag.pointer) == cuda_abi::success);
    CHECK(driver().context_synchronize() == cuda_abi::error_launch_timeout);
    return;
  }
  const child_result child =
      run_child("a kernel without progress is given up", {{"YOKE_SIMULATOR_PATIENCE_MS", "100"}});
  INFO(child.output);
  CHECK(child.status == 0);
}
