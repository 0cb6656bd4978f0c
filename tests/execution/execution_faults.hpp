// SPDX-License-Identifier: MIT
// What the fault loops of execution keep from before a fault, and how they prove that it still works.
#ifndef YOKE_TESTS_EXECUTION_EXECUTION_FAULTS_HPP
#define YOKE_TESTS_EXECUTION_EXECUTION_FAULTS_HPP

#include <support/faults/fault_scenarios.hpp>

namespace yoke_test::execution_faults {

template <class Port>
struct kept {
  explicit kept(const yoke::device<Port>& on) : context(on), stream(context, {.timing = true}) {}
  yoke::context<Port> context;
  yoke::stream<Port> stream;
};

/// Effects: runs the loop over `act(kept)`; afterwards the stream still works.
template <class Port, class Act>
void loop(const char* name, const yoke::device<Port>& device, Act act, const fault_loop_options& options = {}) {
  run_fault_scenario(
      name, device, [](const yoke::device<Port>& on) { return kept<Port>(on); }, act,
      [](kept<Port>& state) {
        state.stream.record().wait();
        state.stream.record_timed().wait();
      },
      options);
}

}  // namespace yoke_test::execution_faults

#endif
