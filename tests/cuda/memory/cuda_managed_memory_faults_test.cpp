// SPDX-License-Identifier: MIT
// Managed memory, with each driver call made to fail in turn.
#include <support/devices/devices.hpp>
#include <support/drivers/cuda_interposer.hpp>
#include <support/faults/fault_loop.hpp>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

struct kept {
  cu::context context;
  cu::stream stream;
  kept(cuda_interposer& driver, const cu::device& device)
      : context(cu::device::borrow(cu::port{driver.table()}, device.native_handle())), stream(context) {}
};

}  // namespace

YOKE_CUDA_TEST_CASE("faults with managed memory", "[cuda][faults]") {
  if (!cu::get(device, cu::info::concurrent_managed_access)) YOKE_SKIP("the device lacks CONCURRENT_MANAGED_ACCESS");
  for (const int newest : {0, 12000}) {
    fault_loop_options options;
    options.excluded = {"device_get_attribute", "context_get_id"};
    const cu::context stays(device);
    run_fault_loop<cuda_interposer>(
        newest == 0 ? "CUDA managed memory" : "CUDA managed memory, older driver", *device.port().table(),
        [&](cuda_interposer& driver) {
          if (newest != 0) driver.remove_newer_than(newest);
          return kept(driver, device);
        },
        [](cuda_interposer&, kept& state) {
          cu::managed_allocation<int> memory{state.context, 2000, cu::attachment::host};
          memory.attach(state.stream);
          memory.prefetch(state.stream);
          memory.part(1024).prefetch(cu::memory_location::host(), state.stream);
          memory.advise(cu::advice::read_mostly());
          memory.advise(cu::advice::accessed_by(cu::memory_location::host()));
          // Not within CHECK, which would catch what they throw.
          const bool read_mostly = memory.is_read_mostly();
          const auto preferred = memory.preferred_location();
          const auto last = memory.last_prefetch();
          const bool is_accessed = memory.is_accessed_by(cu::memory_location::host());
          CHECK(read_mostly);
          CHECK_FALSE(static_cast<bool>(preferred));
          CHECK_FALSE(static_cast<bool>(last));
          CHECK(is_accessed);
          yoke::fill(memory, 3, state.stream);
          const int behind = memory.host(state.stream)[1999];
          CHECK(behind == 3);
          memory.attach_global(state.stream);
          const int first = memory.host()[0];
          CHECK(first == 3);
        },
        [](cuda_interposer&, kept& state) {
          cu::managed_allocation<int> memory{state.context, 1};
          yoke::fill(memory, 4, state.stream);
          const int first = memory.host()[0];
          CHECK(first == 4);
        },
        options);
  }
}
