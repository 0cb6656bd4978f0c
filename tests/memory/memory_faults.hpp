// SPDX-License-Identifier: MIT
// What the fault loops of memory keep from before a fault, and how they prove that it still works.
#ifndef YOKE_TESTS_MEMORY_MEMORY_FAULTS_HPP
#define YOKE_TESTS_MEMORY_MEMORY_FAULTS_HPP

#include <support/faults/fault_scenarios.hpp>

#include <array>

namespace yoke_test::memory_faults {

template <class Port>
struct kept {
  explicit kept(const yoke::device<Port>& on)
      : context(on), stream(context), memory(yoke::to_device(counting(60), stream)) {}
  yoke::context<Port> context;
  yoke::stream<Port> stream;
  yoke::device_allocation<int, Port> memory;
};

/// Effects: runs the loop over `act(kept)`; afterwards new work on the kept stream gives right results.
template <class Port, class Act>
void loop(const std::string& name, const yoke::device<Port>& device, Act act, const fault_loop_options& options = {}) {
  run_fault_scenario(
      name, device, [](const yoke::device<Port>& on) { return kept<Port>(on); }, act,
      [](kept<Port>& state) {
        const std::vector<int> fresh = counting(60);
        yoke::copy(fresh, state.memory, state.stream);
        const auto now = yoke::to_device(counting(7), state.stream);
        CHECK(download(state.memory, state.stream) == fresh);
        CHECK(download(now, state.stream) == counting(7));
      },
      options);
}

/// For loops over arrays, which compile their kernels when they need them, and whose pool asks for memory again.
inline fault_loop_options of_arrays() {
  const char* const weaker = "the driver tells less of a kernel: its check is weaker";
  const char* const again = "the pool frees idle blocks and asks again";
  return compiling({{"get_kernel_arg_info", weaker},
                    {"kernel_get_param_info", "how CUDA's driver ends the list of parameters"},
                    {"kernel_get_name", weaker},
                    {"finish", "page-locked memory waits for its unmapping"},
                    {"create_buffer", again},
                    {"mem_alloc", again},
                    {"context_get_current", again},
                    {"context_push", again}});
}

inline const yoke::box_layout whole_rows{.width = 3, .height = 2, .depth = 2, .row_pitch = 4, .slice_pitch = 12};
inline const yoke::box_layout odd{.width = 3, .height = 2, .depth = 3, .row_pitch = 4, .slice_pitch = 13};

}  // namespace yoke_test::memory_faults

#endif
