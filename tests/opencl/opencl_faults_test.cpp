// SPDX-License-Identifier: MIT
// Every driver call of what only OpenCL has made to fail in turn: sub-devices, sub-buffers, maps, shared memory.
#include <opencl/memory/svm_fixture.hpp>
#include <support/devices/parts.hpp>
#include <support/drivers/spared_contexts.hpp>
#include <support/faults/fault_loop.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

struct kept {
  ocl::context context;
  ocl::stream stream;
  ocl::device_allocation<int> memory;
  std::vector<int> host = std::vector<int>(64);
  kept(opencl_interposer& driver, const opencl_device& device)
      : context(through(driver, device)), stream(context), memory(context, 1024) {
    yoke::fill(memory, 5, stream);
    stream.synchronize();
  }
};

void still_works(kept& state) {
  yoke::fill(state.memory, 6, state.stream);
  yoke::copy(state.memory.subspan(0, 64), state.host, state.stream);
  CHECK(state.host == std::vector(64, 6));
}

template <class Act>
void loop(const char* name, const opencl_device& device, Act act, const fault_loop_options& options = {}) {
  run_fault_loop(
      name, thrifty_opencl(),
      [&](opencl_interposer& driver) {
        return kept{driver, device};
      },
      [&](opencl_interposer&, kept& state) { act(state); }, [](opencl_interposer&, kept& state) { still_works(state); },
      options);
}

const absorbed_fault svm_query{"get_device_info", "a device that does not know the question has no shared memory"};

/// What says in which words a property cannot be had.
const fault_loop_options unknown_property{.absorbed = {},
                                          .translated = {{"get_device_info", -30, error_class::unsupported,
                                                          "so a device says that it does not know a property"}},
                                          .excluded = {}};

bool has_svm(const opencl_device& device) { return yoke::opencl::port{}.svm(device.native_handle(), {}).coarse; }

}  // namespace

YOKE_OPENCL_TEST_CASE("faults while asking for properties", "[opencl][faults]") {
  run_fault_loop(
      "properties", thrifty_opencl(),
      [&](opencl_interposer& driver) {
        const ocl::device of = through(driver, device);
        (void)ocl::get(of, ocl::info::name);
        (void)ocl::get(of, ocl::info::max_work_item_sizes);
        (void)ocl::get(of, ocl::info::global_mem_size);
      },
      unknown_property);
}

YOKE_OPENCL_TEST_CASE("faults while dividing a device", "[opencl][faults]") {
  if (two_parts(device).empty()) YOKE_SKIP("the device cannot be divided");
  run_fault_loop(
      "sub-devices", thrifty_opencl(),
      [&](opencl_interposer& driver) {
        const ocl::device whole = through(driver, device);
        const unsigned halves[] = {1, 1};
        const auto parts = ocl::partition_by_counts(whole, halves);
        (void)parts.front().name();
        const ocl::context context{parts};  // no commands: PoCL 3.1 touches sub-devices too late
        const ocl::stream stream{context, parts.back()};
      },
      unknown_property);
}

YOKE_OPENCL_TEST_CASE("faults while dividing a device into equal parts and by what they share", "[opencl][faults]") {
  if (two_parts(device).empty()) YOKE_SKIP("the device cannot be divided");
  run_fault_loop("equal sub-devices", thrifty_opencl(), [&](opencl_interposer& driver) {
    const ocl::device whole = through(driver, device);
    const auto parts = ocl::partition_equally(whole, 1);
    const ocl::context context{parts};
    const ocl::stream stream{context, parts.front()};
    const auto borrowed = ocl::context::borrow(whole.port(), context.native_handle());
  });
  // Few devices have parts that share a cache: where one asks for them, equal ones are made.
  run_fault_loop("sub-devices by affinity", thrifty_opencl(), [&](opencl_interposer& driver) {
    driver.replace<&abi::functions::create_sub_devices>(
        [&driver](abi::device of, const std::intptr_t* how, abi::uint room, abi::device* parts, abi::uint* count) {
          const std::intptr_t equal[] = {abi::partition_equally, 1, 0};
          return driver.real().create_sub_devices(of, *how == abi::partition_by_affinity ? equal : how, room, parts,
                                                  count);
        });
    const ocl::device whole = through(driver, device);
    const auto parts = ocl::partition_by_affinity(whole, ocl::affinity_domain::next);
    (void)parts.back().name();
  });
}

YOKE_OPENCL_TEST_CASE("faults with sub-buffers", "[opencl][faults]") {
  loop("sub-buffers", device, [](kept& state) {
    ocl::sub_buffer<int> part{state.memory, 0, 64};
    yoke::fill(part, 1, state.stream);
    yoke::copy(part, state.host, state.stream);
  });
}

YOKE_OPENCL_TEST_CASE("faults with mapped buffers", "[opencl][faults]") {
  loop("mapped buffers", device, [](kept& state) {
    {
      auto view = ocl::map(state.memory, state.stream, ocl::map_write);
      std::fill(view.begin(), view.end(), 3);
    }
    const auto view = ocl::map(state.memory, state.stream, ocl::map_read);
    (void)view[0];
    const auto part = ocl::map(state.memory.subspan(1, 2), state.stream, ocl::map_read);
    (void)part[0];
  });
}

YOKE_OPENCL_TEST_CASE("faults with stream-ordered shared memory", "[opencl][faults]") {
  if (!has_svm(device)) YOKE_SKIP("the device has no shared virtual memory of this grain");
  const char* why = "the free falls back to waiting and freeing at once, and reports to the handler";
  loop("ordered shared memory", device,
       [](kept& state) {
         const ocl::stream other{state.context};
         ocl::svm_allocation<int, ocl::svm::coarse> memory{state.context, 64, state.stream};
         yoke::fill(memory, 1, state.stream);
         {
           auto view = memory.map(state.stream, ocl::map_read_write);
           view[0] = 2;
         }
         yoke::copy(memory, state.host, state.stream);
         memory.record_use(other);
       },
       {.absorbed = {{"enqueue_marker", why},
                     {"flush", why},
                     {"enqueue_barrier", why},
                     {"finish", why},
                     {"enqueue_svm_free", why},
                     svm_query},
        .excluded = {}});
}

YOKE_OPENCL_TEST_CASE("faults with plain shared memory and copies to buffers", "[opencl][faults]") {
  if (!has_svm(device)) YOKE_SKIP("the device has no shared virtual memory of this grain");
  const char* why = "the free falls back to waiting and freeing at once, and reports to the handler";
  loop("plain shared memory", device,
       [](kept& state) {
         ocl::svm_allocation<int, ocl::svm::coarse> memory{state.context, 64};
         yoke::copy(state.memory.subspan(0, 64), memory, state.stream);
         yoke::copy(memory, state.memory.subspan(0, 64), state.stream);
       },
       {.absorbed = {{"enqueue_svm_free", why}, {"finish", why}, svm_query}, .excluded = {}});
}
