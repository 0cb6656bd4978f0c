// SPDX-License-Identifier: MIT
// Every allocation of what only CUDA has made to fail in turn: host functions, its memories, default streams, compilation.
#include <cuda/cuda_rig.hpp>
#include <memory/memory_faults.hpp>
#include <support/faults/allocation_scenarios.hpp>

#include <memory>

using namespace yoke_test;

namespace {

using kept = memory_faults::kept<yoke::cuda::port>;

template <class Act>
void loop(const std::string& name, const cuda_device& device, Act act) {
  run_allocation_scenario(
      name, device, [](const cuda_device& on) { return kept(on); }, act,
      [](kept& state) { CHECK(download(state.memory, state.stream).size() == 60); });
}

}  // namespace

YOKE_CUDA_TEST_CASE("allocations of host functions fail cleanly", "[allocation]") {
  loop("host functions", device, [](kept& state) {
    auto runs = std::make_shared<int>(0);
    state.stream.call([runs] { ++*runs; });
    state.stream.call([runs] { ++*runs; });
    state.stream.synchronize();
  });
  loop("host functions of a stream that goes", device, [](kept& state) {
    const yoke::cuda::stream gone{state.context};
    gone.call([held = std::make_unique<int>(1)] {});
  });
}

YOKE_CUDA_TEST_CASE("allocations of CUDA's memories fail cleanly", "[allocation]") {
  loop("registered memory", device, [](kept& state) {
    std::vector<int> host = counting(60);
    yoke::cuda::registered_memory<int> pinned{state.context, std::span{host}};
    yoke::copy_async(pinned, state.memory, state.stream).wait();
  });
  loop("pitched allocations", device, [](kept& state) {
    yoke::cuda::pitched_allocation<int> image{state.context, 10, 6};
    yoke::copy(counting(60), image, state.stream);
  });
  if (yoke::cuda::get(device, yoke::cuda::info::managed_memory)) {
    loop("managed memory", device, [](kept& state) {
      yoke::cuda::managed_allocation<int> memory{state.context, 60};
      memory.attach(state.stream);
      yoke::copy(memory, state.memory, state.stream);
    });
    loop("managed memory of a pool", device, [](kept& state) {
      const yoke::memory_pool pool{state.context, yoke::cuda::managed_memory{}};
      const yoke::cuda::managed_allocation<int> memory{pool, 60, state.stream};
      yoke::copy(memory, state.memory, state.stream);
    });
  }
  loop("page-locked memory with options", device, [](kept& state) {
    yoke::cuda::pagelocked_array<int> array{state.context, 60, {.write_combined = true}};
    yoke::copy(array, state.memory, state.stream);
  });
}

YOKE_CUDA_TEST_CASE("allocations of virtual memory and the driver's pools fail cleanly", "[allocation]") {
  namespace cu = yoke::cuda;
  if (!cu::get(device, cu::info::handle_type_posix_file_descriptor_supported)) {
    YOKE_SKIP("the device shares no memory by file descriptor");
  }
  loop("virtual memory", device, [](kept& state) {
    const cu::physical_memory memory{state.context, 1, {.shareable = true}};
    const cu::address_range range{state.context, 1};
    const cu::memory_mapping mapping{range, 0, memory};
    const auto opened = cu::physical_memory::open(state.context, memory.share(), memory.size_bytes());
    const auto same = cu::physical_memory::at(state.context, mapping.native_handle(), memory.size_bytes());
    const auto lent = cu::address_range::borrow(state.context, range.native_handle(), range.size_bytes());
  });
  loop("growing allocations", device, [](kept& state) {
    cu::growing_allocation<int> x{state.context, 3'000'000};
    x.resize(60);
    yoke::copy(counting(60), x, state.stream);
    x.resize(1'000'000);
    x.resize(1);
    x.shrink_to_fit();
  });
  loop("the driver's pools", device, [](kept& state) {
    const cu::driver_pool pool{state.context, {.release_threshold = cu::keep_all}};
    const cu::device_allocation<int> x{pool, 60, state.stream};
    (void)pool.figures();
    (void)cu::driver_pool::current_of(state.context);
  });
}

YOKE_CUDA_TEST_CASE("allocations of default streams fail cleanly", "[allocation]") {
  loop("default streams", device, [](kept& state) {
    const yoke::cuda::default_stream legacy = yoke::cuda::legacy_stream(state.context);
    yoke::fill(state.memory, 1, legacy);
    legacy.call([held = std::make_unique<int>(1)] {});  // the streams themselves allocate nothing
    legacy.synchronize();
    const yoke::cuda::default_stream own = yoke::cuda::per_thread_stream(state.context);
    own.call([held = std::make_unique<int>(2)] {});
    own.synchronize();
  });
}

namespace {

constexpr const char* source =
    "template <class T> __global__ void f(T* a) { a[0] = 1; }\n__global__ void g(int* a) { a[0] = 2; }";
yoke::cuda::compile_options wishes(std::string architecture) {
  return {.kernels = {yoke::typed<void(int*)>("g")},
          .name_expressions = {"f<int>"},
          .architecture = std::move(architecture)};
}

}  // namespace

YOKE_CUDA_TEST_CASE("allocations of compilation with name expressions fail cleanly", "[allocation]") {
  loop("what is refused before the compiler", device, [](kept& state) {
    try {
      (void)yoke::cuda::compile(state.context, source, wishes("no architecture"));
    } catch (const yoke::logic_error&) {  // as it should; `bad_alloc` goes on
    }
  });
  const auto binary = yoke::cuda::compile(yoke::cuda::context{device}, source, wishes("")).export_binary();
  loop("a binary with facts", device, [&](kept& state) {
    const auto loaded = yoke::load(state.context, binary);
    const auto f = loaded.get_kernel<void(int*)>("f<int>");
    const auto again = loaded.export_binary();
  });
  if (is_simulated(device)) return;  // its compiler is the host's: a second for each of the hundreds of allocations
  loop("name expressions", device, [](kept& state) {
    const auto module = yoke::cuda::compile(state.context, source, wishes(""));
    const auto f = module.get_kernel<void(int*)>("f<int>");
  });
}
