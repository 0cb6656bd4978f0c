// SPDX-License-Identifier: MIT
// Virtual memory and the driver's pools, with each driver call made to fail in turn: nothing is lost, no descriptor either.
#include <cuda/cuda_rig.hpp>
#include <support/faults/fault_loop.hpp>

#include <chrono>
#include <filesystem>
#include <thread>

using namespace yoke_test;

namespace {

struct kept {
  cu::context context;
  cu::stream stream;
  kept(cuda_interposer& driver, const cu::device& device)
      : context(cu::device::borrow(cu::port{driver.table()}, device.native_handle())), stream(context) {}
};

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}
/// Returns: whether there are so many again within two seconds: threads of the simulator end what a stream frees.
bool are_open_again(std::ptrdiff_t descriptors) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (open_descriptors() != descriptors) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

fault_loop_options loop_options() {
  fault_loop_options options;
  options.excluded = {"device_get_attribute", "context_get_id"};
  return options;
}

/// The end of a mapping waits for what uses it, reports if that fails, and unmaps all the same.
void end_mappings_all_the_same(fault_loop_options& options, const cu::device& device) {
  for (const char* call : {"context_synchronize", "context_get_current", "context_push"}) {
    if (is_simulated(device)) {
      options.absorbed.push_back({call, "the end of a mapping reports it and unmaps all the same"});
    } else {
      options.excluded.push_back(call);  // a GPU may still fill the memory then
    }
  }
}

}  // namespace

YOKE_CUDA_TEST_CASE("faults with virtual memory", "[cuda][faults]") {
  if (!shares_physical_memory(device)) YOKE_SKIP("the device shares no memory by file descriptor");
  fault_loop_options options = loop_options();
  end_mappings_all_the_same(options, device);
  const cu::context stays(device);
  const std::size_t bytes = cu::memory_granularity(stays);
  const auto before = open_descriptors();
  run_fault_loop<cuda_interposer>(
      "CUDA virtual memory", *device.port().table(), [&](cuda_interposer& driver) { return kept(driver, device); },
      [&](cuda_interposer&, kept& state) {
        const cu::physical_memory memory{state.context, bytes, {.shareable = true}};
        const cu::address_range range{state.context, 2 * bytes};
        cu::memory_mapping mapping{range, bytes, memory};
        // Not within CHECK, which would catch what they throw.
        const auto access = mapping.access(device);
        CHECK(access == cu::memory_access_flags::read_write);
        const cu::file_descriptor descriptor = memory.share();
        const auto opened = cu::physical_memory::open(state.context, descriptor, bytes);
        const cu::memory_mapping second{range, 0, opened};
        const auto again = cu::physical_memory::at(state.context, mapping.native_handle(), bytes);
        yoke::fill(mapping.span<int>().subspan(0, 10), 5, state.stream);
        const auto seen = yoke::to_host(second.span<int>().subspan(0, 10), state.stream);
        CHECK(seen == std::vector<int>(10, 5));
      },
      [&](cuda_interposer&, kept& state) {
        const cu::address_range range{state.context, bytes};
        const cu::memory_mapping mapping{range, 0, cu::physical_memory(state.context, bytes)};
        yoke::fill(mapping.span<int>().subspan(0, 10), 5, state.stream);
        state.stream.synchronize();
      },
      options);
  if (is_simulated(device)) CHECK(are_open_again(before));  // drivers open some of their own
}

YOKE_CUDA_TEST_CASE("faults with growing allocations", "[cuda][faults]") {
  if (!cu::get(device, cu::info::virtual_memory_management_supported)) {
    YOKE_SKIP("the device has no virtual memory");
  }
  fault_loop_options options = loop_options();
  end_mappings_all_the_same(options, device);
  const cu::context stays(device);
  const std::size_t step = cu::memory_granularity(stays) / sizeof(int);
  run_fault_loop<cuda_interposer>(
      "CUDA growing allocations", *device.port().table(), [&](cuda_interposer& driver) { return kept(driver, device); },
      [&](cuda_interposer&, kept& state) {
        cu::growing_allocation<int> x{state.context, 4 * step};
        x.resize(10);
        yoke::fill(x, 1, state.stream);
        x.resize(2 * step);
        const auto seen = yoke::to_host(x.subspan(0, 10), state.stream);
        CHECK(seen == std::vector<int>(10, 1));
        x.resize(10);
        x.shrink_to_fit();
      },
      [&](cuda_interposer&, kept& state) {
        cu::growing_allocation<int> x{state.context, 4 * step};
        x.resize(10);
        yoke::fill(x, 1, state.stream);
        state.stream.synchronize();
      },
      options);
}

YOKE_CUDA_TEST_CASE("faults with the driver's pools", "[cuda][faults]") {
  if (!shares_pools(device)) YOKE_SKIP("the device shares no pools by file descriptor");
  fault_loop_options options = loop_options();
  options.absorbed = {{"pointer_get_attribute", "that is how some drivers say that memory is of no pool"}};
  const cu::context stays(device);
  const auto before = open_descriptors();
  run_fault_loop<cuda_interposer>(
      "CUDA pools", *device.port().table(), [&](cuda_interposer& driver) { return kept(driver, device); },
      [&](cuda_interposer&, kept& state) {
        const cu::driver_pool pool{
            state.context, {.release_threshold = 4096, .reuse = {.allow_opportunistic = false}, .shareable = true}};
        const cu::device_allocation<int> x{pool, 1000, state.stream};
        const auto figures = pool.figures();
        CHECK(figures.used_bytes >= 4000);
        const auto reuse = pool.reuse();
        CHECK_FALSE(reuse.allow_opportunistic);
        const auto threshold = pool.release_threshold();
        CHECK(threshold == 4096);
        pool.reset_high_figures();
        pool.trim_to(0);
        const bool may = pool.may_access(device);
        CHECK(may);
        const auto handle = pool.share(x);
        CHECK(handle.size == 1000);
        const auto descriptor = pool.share();
        CHECK(descriptor);
        const auto standard = cu::driver_pool::default_of(state.context);
        pool.make_current();
        standard.make_current();
        const auto now = cu::driver_pool::current_of(state.context);
        CHECK(now == standard);
      },
      [&](cuda_interposer&, kept& state) {
        const cu::driver_pool pool{state.context};
        cu::device_allocation<int> x{pool, 1000, state.stream};
        yoke::fill(x, 1, state.stream);
        state.stream.synchronize();
      },
      options);
  if (is_simulated(device)) CHECK(are_open_again(before));  // drivers open some of their own
}

YOKE_CUDA_TEST_CASE("faults with pools that were opened", "[cuda][faults]") {
  if (!is_simulated(device)) YOKE_SKIP("a driver may refuse to open its own process's pool");
  const cu::context stays(device);
  const cu::stream order(stays);
  const cu::driver_pool pool{stays, {.shareable = true}};
  const cu::device_allocation<int> x{pool, 1000, order};
  order.synchronize();
  cu::ipc_pool_memory handle = pool.share(x);
  ++handle.process;  // as if another one had made it
  const cu::file_descriptor descriptor = pool.share();
  const auto act = [&](cuda_interposer&, kept& state) {
    cu::device_allocation<int> opened;
    {
      const auto other = cu::driver_pool::open(state.context, descriptor);
      opened = other.open<int>(handle, state.stream);
    }
    yoke::fill(opened, 1, state.stream);
  };
  run_fault_loop<cuda_interposer>(
      "CUDA pools that were opened", *device.port().table(),
      [&](cuda_interposer& driver) { return kept(driver, device); }, act, act, loop_options());
  CHECK(yoke::to_host(x, order) == std::vector<int>(1000, 1));
}
