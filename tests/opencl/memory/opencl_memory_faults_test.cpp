// SPDX-License-Identifier: MIT
// Every driver call of OpenCL's own kinds of memory made to fail in turn: sub-buffers, maps, SVM.
#include <memory/memory_faults.hpp>
#include <opencl/memory/svm_fixture.hpp>
#include <yoke/array.hpp>

#include <yoke/opencl/device/device.hpp>

#include <vector>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

namespace {
using opencl_kept = kept<ocl::port>;
const fault_loop_options svm_in_cleanup =
    absorbing({{"finish", "an SVM block that cannot be freed in order is freed behind a wait"},
               {"enqueue_marker", "part of freeing an SVM block in order"},
               {"enqueue_barrier", "part of freeing an SVM block in order"},
               {"flush", "part of freeing an SVM block in order"},
               {"get_device_info", "a device older than OpenCL 2.0 does not know the question for SVM: it has none"}});
}  // namespace

YOKE_OPENCL_TEST_CASE("faults with sub-buffers and maps", "[memory][faults]") {
  loop("sub-buffers and maps", device, [](opencl_kept& state) {
    ocl::sub_buffer<int> part(state.memory, 0, 10);
    yoke::fill(part, 4, state.stream);
    {
      auto table = ocl::map(state.memory, {6, 10}, state.stream, ocl::map_read_write);
      table(5, 9) = 3;
    }
    auto view = ocl::map(state.memory, state.stream, ocl::map_read_write);
    view[3] = 5;
  });
}

YOKE_OPENCL_TEST_CASE("faults with what only OpenCL has of buffers", "[memory][faults]") {
  loop("flags, host memory and migration", device, [](opencl_kept& state) {
    const auto closed = ocl::make_buffer<int>(state.context, 60, {.host = ocl::host_access::read_only});
    const auto copied = ocl::make_buffer(state.context, counting(60));
    auto over = ocl::buffer_over(state.context, counting(60));
    ocl::at_end(closed, [] {});
    ocl::sub_buffer<int> part(over, 0, 10);
    ocl::migrate({copied, part}, state.stream, {.to_host = true}).wait();
  });
  loop(
      "facts", device, [](opencl_kept& state) { (void)ocl::description_of(state.memory); },
      absorbing({{"get_memory_info", "drivers before OpenCL 2.0 and 3.0 do not know two of the questions"}}));
  loop("maps and their ends behind events", device, [](opencl_kept& state) {
    const ocl::stream second(state.context);
    const ocl::event before = second.record();
    auto view = ocl::map_async(state.memory, state.stream, ocl::map_read_write, {.after = before}).get();
    view[3] = 5;
    view.unmap({.after = before}).wait();
    ocl::map(state.memory, state.stream, ocl::map_read).unmap(second).wait();
  });
}

YOKE_OPENCL_TEST_CASE("faults with copies behind events and out of order", "[memory][faults]") {
  loop("copies and fills behind events", device, [](opencl_kept& state) {
    const ocl::stream second(state.context);
    const ocl::event filled = yoke::fill(state.memory, 4, state.stream, {.after = second.record()});
    std::vector<int> host(state.memory.size());
    yoke::copy(state.memory, host, second, {.after = filled});
    yoke::enqueue_copy(state.memory.subspan(0, 5), state.memory.subspan(5, 5), second, {.after = filled}).wait();
  });
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & ocl::abi::queue_out_of_order) == 0) {
    YOKE_SKIP("the device has no out-of-order streams");
  }
  loop("copies and fills out of order", device, [](opencl_kept& state) {
    const ocl::out_of_order_stream unordered{state.context};
    // No event outlives a failure: it would keep the queue beside the stream, whose end then flushes it.
    yoke::fill(state.memory, 4, unordered).wait();
    unordered.barrier().wait();
    std::vector<int> host(state.memory.size());
    yoke::copy(state.memory, host, unordered);
    unordered.synchronize();
  });
}

YOKE_OPENCL_TEST_CASE("faults with handles that share native objects", "[memory][faults]") {
  loop("retained memory, streams and events", device, [](opencl_kept& state) {
    auto shared = ocl::device_allocation<int>::retain(state.context, state.memory.native_handle(), 3);
    const auto order = ocl::stream::retain(state.context, state.stream.native_handle());
    const ocl::event done = order.record();
    ocl::event::retain(state.context, done.native_handle()).wait();
    yoke::copy(std::vector{1, 2, 3}, shared, order);
  });
}

YOKE_OPENCL_TEST_CASE("faults with pipes", "[memory][faults]") {
  if (ocl::try_get(device, ocl::info::max_pipe_args).value_or(0) == 0) YOKE_SKIP("this device has no pipes");
  loop(
      "pipes", device,
      [](opencl_kept& state) {
        ocl::pipe<int> made{state.context, 60};
        (void)made.description();
        (void)ocl::pipe<int>::borrow(state.context, made.native_handle());
      },
      absorbing({{"get_device_info", "a device older than OpenCL 3.0 does not know the question for pipes"}}));
}

YOKE_OPENCL_TEST_CASE("faults with coarse SVM", "[memory][faults]") {
  if (!device.port().svm(device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  using coarse = ocl::svm_allocation<int, ocl::svm::coarse>;
  loop(
      "SVM allocations and maps", device,
      [](opencl_kept& state) {
        coarse plain{state.context, 60};
        coarse ordered{state.context, 60, state.stream};
        const ocl::stream second(state.context);
        ordered.record_use(second);
        auto view = ordered.map(state.stream, ocl::map_write);
        std::ranges::fill(view, 1);
      },
      svm_in_cleanup);
  loop(
      "SVM behind events", device, [](opencl_kept& state) { use_svm_behind_events(state); }, svm_in_cleanup);
  fault_loop_options many = svm_in_cleanup;
  many.absorbed.push_back({"get_event_info", "the free asks which work is over, and waits for it where nothing tells"});
  many.absorbed.push_back({"wait_for_events", "then it waits here, and frees all the same"});
  loop(
      "SVM of many streams that end", device,
      [](opencl_kept& state) {
        coarse shared{state.context, 60};
        for (int i = 0; i < 18; ++i) {
          const ocl::stream brief(state.context);
          yoke::fill(shared, i, brief);
          brief.synchronize();
        }
      },
      many);
  fault_loop_options pooled = svm_in_cleanup;
  pooled.absorbed.push_back({"svm_alloc", "the pool frees idle blocks and asks again"});
  pooled.absorbed.push_back({"wait_for_events", "the pool's end waits for work, which is over also when it failed"});
  pooled.absorbed.push_back({"get_event_info", "as above"});
  loop(
      "SVM of a pool", device, [](opencl_kept& state) { use_pooled_svm(state); }, pooled);
  loop(
      "SVM and host", device,
      [](opencl_kept& state) {
        std::vector<int> host = counting(60);
        coarse shared{state.context, 60, state.stream};
        yoke::copy(host, shared, state.stream);
        yoke::copy(yoke::strided(shared, odd), yoke::strided(host, odd), state.stream);
        ocl::pagelocked_array<int> array{state.context, 60};
        yoke::copy_async(shared, array, state.stream).wait();
      },
      svm_in_cleanup);
  loop(
      "SVM and buffers", device,
      [](opencl_kept& state) {
        coarse shared{state.context, 60, state.stream};
        yoke::copy(state.memory, shared, state.stream);
        yoke::copy(yoke::strided(shared, odd), yoke::strided(state.memory, odd), state.stream);
        yoke::copy_async(shared, state.memory, state.stream).wait();
      },
      svm_in_cleanup);
  loop(
      "SVM fills", device,
      [](opencl_kept& state) {
        coarse shared{state.context, 60, state.stream};
        yoke::fill(shared, 1, state.stream);
        yoke::fill(yoke::strided(shared, whole_rows), 2, state.stream);
        ocl::svm_allocation<std::array<int, 3>, ocl::svm::coarse> triples{state.context, 8, state.stream};
        yoke::fill(triples, {1, 2, 3}, state.stream);
      },
      svm_in_cleanup);
}

YOKE_OPENCL_TEST_CASE("faults with fine SVM", "[memory][faults]") {
  if (!device.port().svm(device.native_handle(), {}).fine) YOKE_SKIP("this device has no fine-grained SVM");
  using fine = ocl::svm_allocation<int, ocl::svm::fine>;
  loop(
      "fine SVM", device,
      [](opencl_kept& state) {
        fine plain{state.context, 60};
        std::ranges::fill(plain, 3);
        yoke::copy(plain, state.memory, state.stream);
        fine ordered{state.context, 60, state.stream};
        const ocl::stream second(state.context);
        ordered.record_use(second);
        yoke::fill(ordered, 2, state.stream);
        yoke::copy(state.memory, plain, state.stream);
        yoke::copy(plain, ordered, state.stream);
        yoke::enqueue_copy(plain, ordered, state.stream);
        yoke::copy_async(ordered, plain, state.stream).wait();
        state.stream.synchronize();
      },
      svm_in_cleanup);
}
