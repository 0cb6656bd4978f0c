// SPDX-License-Identifier: MIT
// Every driver call of staged copies and of lists of copies made to fail in turn.
#include <memory/memory_faults.hpp>

using namespace yoke_test;

YOKE_CUDA_TEST_CASE("faults in staged copies", "[cuda][memory][staging][faults]") {
  const char* const why = "the blocks are not to be had: the driver copies alone";
  const auto options = absorbing({{"mem_host_register", why},
                                  {"context_get_current", why},
                                  {"context_get_id", why},
                                  {"context_push", why},
                                  {"pointer_get_attribute", "memory that the driver does not know is staged"},
                                  {"device_get_attribute", "an attribute that the driver does not know is none"}});
  memory_faults::loop(
      "up and down", device,
      [](auto& state) {
        yoke::set_staging(state.context, {.from_bytes = 128, .block_bytes = 64, .threads = 2});
        std::vector<int> host = counting(60);
        yoke::copy(host, state.memory, state.stream);
        yoke::copy(state.memory, host, state.stream);
      },
      options);
}

YOKE_DEVICE_TEST_CASE("faults in lists of copies", "[memory][copy_list][faults]") {
  memory_faults::loop("enqueued, waited for, in flight", device, [](auto& state) {
    backend::device_allocation<int> there{state.context, 60};
    yoke::copy_list list{state.context};
    list.add(state.memory.subspan(0, 30), there.subspan(0, 30));
    list.add(state.memory.subspan(30, 30), there.subspan(30, 30));
    list.add(yoke::strided(state.memory, memory_faults::odd), yoke::strided(there, memory_faults::odd));
    yoke::enqueue_copy(list, state.stream);
    yoke::copy(list, state.stream);
    yoke::copy_async(list, state.stream).wait();
  });
}
