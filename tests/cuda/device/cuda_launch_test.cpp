// SPDX-License-Identifier: MIT
// CUDA's own in launches: attributes, dynamic shared memory, host ranges on the launch's stream, refusals in words.
#include <cuda/cuda_rig.hpp>

#include <thread>

using namespace yoke_test;
using yoke::errc;
using names = std::vector<std::string>;
namespace kernel_info = yoke::cuda::kernel_info;

namespace {

constexpr const char* source = R"(
#include <cooperative_groups.h>
extern "C" __global__ void add(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (a && i < n) a[i] += 1; }
extern "C" __global__ void set(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 3; }
extern "C" __global__ void sum_all(int* parts, int* out) {
  auto grid = cooperative_groups::this_grid();
  if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x + 1;
  grid.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i];
    out[0] = sum;
  }
}
extern "C" __global__ void reach(int* out, int n) {
  extern __shared__ int numbers[];
  __shared__ int more[10240];
  for (int i = threadIdx.x; i < n; i += blockDim.x) numbers[i] = i;
  more[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = numbers[n - 1] + more[0];
}
extern "C" __global__ void far(int* out, int n) {
  extern __shared__ int numbers[];
  numbers[n - 1] = n;
  out[0] = numbers[n - 1];
}
)";

template <class Act>
std::string refused(Act&& act) {
  return cuda_refusal<yoke::launch_error>(errc::launch_failed, act);
}

/// What a launch gave the driver, and on which streams copies went.
struct seen {
  cuda_abi::launch_config config{};
  std::vector<cuda_abi::launch_attribute> attributes;
  std::vector<std::pair<std::string, cuda_abi::stream>> streams;
  cuda_abi::function function = nullptr;
};
seen last;
const cuda_abi::functions* below = nullptr;

/// Returns: the table, with entries that write down what they are given.
cuda_abi::functions watched(const cuda_abi::functions& real) {
  below = &real;
  last = {};
  cuda_abi::functions table = real;
  table.launch_kernel_ex = [](const cuda_abi::launch_config* config, cuda_abi::function function, void** parameters,
                              void** extra) {
    last.config = *config;
    last.attributes.assign(config->attributes, config->attributes + config->attribute_count);
    return below->launch_kernel_ex(config, function, parameters, extra);
  };
  table.launch_kernel = [](cuda_abi::function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                           unsigned bz, unsigned shared, cuda_abi::stream stream, void** parameters, void** extra) {
    last.streams.emplace_back("launch", stream);
    last.function = function;
    return below->launch_kernel(function, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra);
  };
  table.memcpy_htod_async = [](cuda_abi::device_pointer to, const void* from, std::size_t bytes,
                               cuda_abi::stream stream) {
    last.streams.emplace_back("write", stream);
    return below->memcpy_htod_async(to, from, bytes, stream);
  };
  table.memcpy_dtoh_async = [](void* to, cuda_abi::device_pointer from, std::size_t bytes, cuda_abi::stream stream) {
    last.streams.emplace_back("read", stream);
    return below->memcpy_dtoh_async(to, from, bytes, stream);
  };
  table.mem_alloc_async = [](cuda_abi::device_pointer* to, std::size_t bytes, cuda_abi::stream stream) {
    last.streams.emplace_back("allocate", stream);
    return below->mem_alloc_async(to, bytes, stream);
  };
  table.mem_free_async = [](cuda_abi::device_pointer from, cuda_abi::stream stream) {
    last.streams.emplace_back("free", stream);
    return below->mem_free_async(from, stream);
  };
  return table;
}

}  // namespace

YOKE_CUDA_TEST_CASE("a plain launch is one call with no context current, an attribute makes it another", "[cuda]") {
  cuda_rig on(device);
  const auto add =
      cu::compile(on.context, source, {.include_folders = toolkit_headers(device)}).get_kernel<void(int*, int)>("add");
  cu::device_allocation<int> memory{on.context, 64};
  yoke::fill(memory, 0, on.stream);
  on.stream.synchronize();
  std::vector<std::string> problems;
  std::size_t mark = 0;
  std::thread([&] {  // a thread that never had a context
    mark = on.driver.mark();
    add(on.stream, yoke::launch_over(64, 32), memory, 64);
  })
      .join();
  CHECK(on.driver.calls(mark) == names{"launch_kernel"});
  cu::launch_shape shape = yoke::launch_over(64, 32);
  shape.priority = 0;
  mark = on.driver.mark();
  add(on.stream, shape, memory, 64);
  CHECK(on.driver.calls(mark) == names{"launch_kernel_ex"});
  shape.priority.reset();
  shape.cooperative = true;
  mark = on.driver.mark();
  add(on.stream, shape, memory, 64);
  CHECK(on.driver.calls(mark) == names{"launch_kernel_ex"});
  std::vector<int> host(64);
  yoke::copy(memory, host, on.stream);
  CHECK(host == std::vector<int>(64, 3));
  mark = on.driver.mark();
  add(on.stream, yoke::launch_over(0), memory, 64);
  CHECK(on.driver.calls(mark).empty());
}

YOKE_CUDA_TEST_CASE("launches give the driver the context's function, those in default streams the kernel", "[cuda]") {
  const cuda_abi::functions table = watched(*device.port().table());
  const cu::context context{through_table(&table, device)};
  const cu::context other = cu::create_context(through_table(&table, device));
  const auto of_context = [&](const cu::context& in, cuda_abi::kernel kernel) {
    const auto active = in.activate();
    cuda_abi::function function = nullptr;
    CHECK(below->kernel_get_function(&function, kernel) == cuda_abi::success);
    return function;
  };
  const auto module = cu::compile(context, source, {.include_folders = toolkit_headers(device)});
  const auto typed = cu::compile(
      context, source, {.include_folders = toolkit_headers(device), .kernels = {yoke::typed<void(int*, int)>("add")}});
  const auto adopted =
      cu::kernel<void(int*, int)>::borrow(module, module.get_kernel<void(int*, int)>("add").native_handle());
  const auto elsewhere =
      cu::compile(other, source, {.include_folders = toolkit_headers(device)}).get_kernel<void(int*, int)>("add");
  for (const auto* kernel : {&adopted, &elsewhere}) {
    const cu::stream stream{kernel->context_of()};
    (*kernel)(stream, yoke::launch_over(8), nullptr, 0);
    CHECK(last.function == reinterpret_cast<cuda_abi::function>(kernel->native_handle()));  // nullptr is unusual
    cu::device_allocation<int> memory{kernel->context_of(), 8};
    yoke::fill(memory, 0, stream);
    (*kernel)(stream, yoke::launch_over(8), memory, 8);
    CHECK(last.function == of_context(kernel->context_of(), kernel->native_handle()));
    CHECK(last.function != reinterpret_cast<cuda_abi::function>(kernel->native_handle()));
    stream.synchronize();
  }
  const auto named = typed.get_kernel<void(int*, int)>("add");
  CHECK(named.checked() == yoke::signature_check::types);
  cu::device_allocation<int> memory{context, 8};
  {
    const cu::stream stream{context};
    yoke::fill(memory, 0, stream);
    named(stream, yoke::launch_over(8), memory, 8);
    CHECK(last.function == of_context(context, named.native_handle()));
    stream.synchronize();
  }
  const cu::default_stream legacy = cu::legacy_stream(context);
  named(legacy, yoke::launch_over(8), memory, 8);
  CHECK(last.function == reinterpret_cast<cuda_abi::function>(named.native_handle()));
  legacy.synchronize();
}

YOKE_CUDA_TEST_CASE("launch attributes arrive as they were asked for", "[cuda]") {
  const cuda_abi::functions table = watched(*device.port().table());
  const cu::context context{through_table(&table, device)};
  const cu::stream stream{context};
  const auto add =
      cu::compile(context, source, {.include_folders = toolkit_headers(device)}).get_kernel<void(int*, int)>("add");
  add(stream, {.grid = 4, .block = 32, .cooperative = true, .priority = -1}, nullptr, 0);
  CHECK(last.config.grid_x == 4);
  CHECK(last.config.block_x == 32);
  CHECK(last.config.on == stream.native_handle());
  REQUIRE(last.attributes.size() == 2);
  CHECK(last.attributes[0].id == cuda_abi::launch_attribute_id::cooperative);
  CHECK(last.attributes[0].value.cooperative == 1);
  CHECK(last.attributes[1].id == cuda_abi::launch_attribute_id::priority);
  CHECK(last.attributes[1].value.priority == -1);
  if (cu::get(device, cu::info::cluster_launch)) {
    const yoke::event done =
        add.enqueue(stream, {.grid = {4, 2}, .block = 32, .local_bytes = 64, .cluster = {2, 1}}, nullptr, 0);
    done.wait();
    REQUIRE(last.attributes.size() == 1);
    CHECK(last.attributes[0].id == cuda_abi::launch_attribute_id::cluster_dimension);
    CHECK(last.attributes[0].value.cluster.x == 2);
    CHECK(last.attributes[0].value.cluster.y == 1);
    CHECK(last.attributes[0].value.cluster.z == 1);
    CHECK(last.config.shared_bytes == 64);
  }
}

YOKE_CUDA_TEST_CASE("a cooperative grid waits for itself, and one that is too large is explained", "[cuda]") {
  cuda_rig on(device);
  const auto sum = cu::compile(on.context, source, {.include_folders = toolkit_headers(device)})
                       .get_kernel<void(int*, int*)>("sum_all");
  constexpr int blocks = 6;
  cu::device_allocation<int> parts{on.context, blocks};
  std::vector<int> out(1);
  sum(on.stream, {.grid = blocks, .block = 64, .cooperative = true}, parts, yoke::out(out));
  CHECK(out[0] == blocks * (blocks + 1) / 2);
  const int each = cu::active_blocks(sum, 1024);
  const int multiprocessors = cu::get(device, cu::info::multiprocessor_count);
  const int most = each * multiprocessors;
  const std::string why =
      refused([&] { sum(on.stream, {.grid = most + 1, .block = 1024, .cooperative = true}, parts, nullptr); });
  CHECK_THAT(why, ContainsSubstring("a cooperative grid of " + std::to_string(most + 1) + " blocks exceeds the " +
                                    std::to_string(most) + " that are resident at once: " + std::to_string(each) +
                                    " of 1024 threads on each of " + std::to_string(multiprocessors)));
}

YOKE_CUDA_TEST_CASE("clusters that cannot be are explained", "[cuda]") {
  if (!cu::get(device, cu::info::cluster_launch)) YOKE_SKIP("the device has no clusters");
  cuda_rig on(device);
  const auto add =
      cu::compile(on.context, source, {.include_folders = toolkit_headers(device)}).get_kernel<void(int*, int)>("add");
  const auto launch = [&](const cu::launch_shape& shape) { add(on.stream, shape, nullptr, 0); };
  launch({.grid = 8, .block = 32, .cluster = 4});
  on.stream.synchronize();
  CHECK_THAT(refused([&] { launch({.grid = 7, .block = 32, .cluster = 2}); }),
             ContainsSubstring("cluster {2, 1, 1} does not divide the grid {7, 1, 1}"));
  CHECK_THAT(refused([&] { launch({.grid = 32, .block = 32, .cluster = 16}); }),
             ContainsSubstring("cluster {16, 1, 1} has 16 blocks, more than this kernel's 8"));
  CHECK_THAT(refused([&] {
               launch({.grid = 4, .block = 32, .cluster = {2, 0, 1}});
             }),
             ContainsSubstring("cluster {2, 0, 1} has an extent of 0"));
  cu::set(add, kernel_info::non_portable_cluster, true);
  if (cu::max_cluster(add, {.grid = 32, .block = 32}) >= 16) launch({.grid = 32, .block = 32, .cluster = 16});
  on.stream.synchronize();
}

YOKE_CUDA_TEST_CASE("a kernel knows its cluster, where there are clusters", "[cuda]") {
  if (!cu::get(device, cu::info::cluster_launch)) YOKE_SKIP("the device has no clusters");
  cuda_rig on(device);
  const char* const asks = R"(
    extern "C" __global__ void rank(int* out) { out[blockIdx.x] = (int)__clusterRelativeBlockRank(); })";
  const auto rank = cu::compile(on.context, asks).get_kernel<void(int*)>("rank");
  std::vector<int> out(4);
  rank(on.stream, {.grid = 4, .block = 1, .cluster = 2}, yoke::out(out));
  // The simulator runs the blocks of a cluster as clusters of one.
  CHECK(out == (is_simulated(device) ? std::vector<int>{0, 0, 0, 0} : std::vector<int>{0, 1, 0, 1}));
}

YOKE_CUDA_TEST_CASE("dynamic shared memory above the default is opted in once a kernel", "[cuda]") {
  cuda_rig on(device);
  const auto module = cu::compile(on.context, source, {.include_folders = toolkit_headers(device)});
  const auto far = module.get_kernel<void(int*, int)>("far");
  cu::device_allocation<int> out{on.context, 1};
  const auto launch = [&](const cu::kernel<void(int*, int)>& kernel, std::size_t bytes) {
    const std::size_t mark = on.driver.mark();
    kernel(on.stream, {.grid = 1, .block = 1, .local_bytes = bytes}, out, bytes / sizeof(int));
    return mark;
  };
  std::size_t mark = launch(far, 1024);
  CHECK(on.driver.count("kernel_set_attribute", mark) == 0);
  mark = launch(far, 48 * 1024);
  CHECK(on.driver.calls(mark) == names{"launch_kernel"});
  mark = launch(far, 50 * 1024);
  CHECK(on.driver.count("kernel_set_attribute", mark) == 1);
  for (const std::size_t kibibytes : {50u, 60u, 64u, 1u}) {
    mark = launch(far, kibibytes * 1024);
    CHECK(on.driver.calls(mark) == names{"launch_kernel"});
  }
  // Another handle of the kernel sees what was allowed.
  const auto again = module.get_kernel<void(int*, int)>("far");
  mark = launch(again, 60 * 1024);
  CHECK(on.driver.count("kernel_set_attribute", mark) == 0);
  CHECK(on.driver.count("launch_kernel", mark) == 1);
  // Somebody lowers it: the launch raises it once more.
  cu::set(far, kernel_info::max_dynamic_shared_bytes, 1024);
  mark = launch(far, 60 * 1024);
  CHECK(on.driver.count("kernel_set_attribute", mark) == 1);
  std::vector<int> host(1);
  yoke::copy(out, host, on.stream);
  CHECK(host[0] == 60 * 1024 / 4);

  // What the kernel declares counts, too: 40 KiB of its own leave 8 KiB without opting in.
  const auto reach = module.get_kernel<void(int*, int)>("reach");
  mark = launch(reach, 4 * 1024);
  CHECK(on.driver.count("kernel_set_attribute", mark) == 0);
  mark = launch(reach, 16 * 1024);
  CHECK(on.driver.count("kernel_set_attribute", mark) == 1);
  yoke::copy(out, host, on.stream);
  CHECK(host[0] == 16 * 1024 / 4);
  const auto most = static_cast<std::size_t>(cu::get(device, cu::info::max_shared_memory_per_block_optin));
  CHECK_THAT(refused([&] { launch(reach, most); }),
             ContainsSubstring("local memory of " + std::to_string(most + 40960) + " bytes (40960 in the kernel, ") &&
                 ContainsSubstring("exceeds this device's " + std::to_string(most)));
  on.stream.synchronize();
}

YOKE_CUDA_TEST_CASE("threads that opt in at once do not undo each other", "[cuda]") {
  const cu::context context{device};
  const auto module = cu::compile(context, source, {.include_folders = toolkit_headers(device)});
  std::vector<std::string> problems(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < problems.size(); ++t) {
    threads.emplace_back([&, t] {
      try {
        const cu::stream stream{context};
        const auto far = module.get_kernel<void(int*, int)>("far");
        for (std::size_t i = 0; i < 10; ++i) {
          const std::size_t count = (49 + (t + i) % 10) * 256;
          std::vector<int> out(1);
          far(stream, {.grid = 1, .block = 1, .local_bytes = count * 4}, yoke::out(out), count);
          if (out[0] != static_cast<int>(count)) problems[t] = "wrong result";
        }
      } catch (const std::exception& e) {
        problems[t] = e.what();
      }
    });
  }
  for (auto& each : threads) each.join();
  for (const std::string& each : problems) CHECK(each.empty());
}

YOKE_CUDA_TEST_CASE("host ranges go through the launch's own stream", "[cuda]") {
  const cuda_abi::functions table = watched(*device.port().table());
  {
    const cu::context context{through_table(&table, device)};
    const cu::stream stream{context, {.non_blocking = true}};
    const auto module = cu::compile(context, source, {.include_folders = toolkit_headers(device)});
    const auto add = module.get_kernel<void(int*, int)>("add");
    std::vector<int> values(8, 5);
    last.streams.clear();
    add(stream, yoke::launch_over(8), yoke::in_out(values), 8);
    CHECK(values == std::vector<int>(8, 6));
    const cuda_abi::stream mine = stream.native_handle();
    using step = std::pair<std::string, cuda_abi::stream>;
    CHECK(last.streams ==
          std::vector<step>{{"allocate", mine}, {"write", mine}, {"launch", mine}, {"read", mine}, {"free", mine}});
    last.streams.clear();
    add(stream, yoke::launch_over(8), yoke::in(values), 8);
    CHECK(last.streams == std::vector<step>{{"allocate", mine}, {"write", mine}, {"launch", mine}, {"free", mine}});
    last.streams.clear();
    module.get_kernel<void(int*, int)>("set")(stream, yoke::launch_over(8), yoke::out(values), 8);
    CHECK(values == std::vector<int>(8, 3));
    CHECK(last.streams == std::vector<step>{{"allocate", mine}, {"launch", mine}, {"read", mine}, {"free", mine}});
  }
}
