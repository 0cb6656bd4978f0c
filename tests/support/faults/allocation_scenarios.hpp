// SPDX-License-Identifier: MIT
// Loops over operator new on a backend: what is kept is made anew for each run, on a context that is cheap.
#ifndef YOKE_TESTS_SUPPORT_ALLOCATION_SCENARIOS_HPP
#define YOKE_TESTS_SUPPORT_ALLOCATION_SCENARIOS_HPP

#include <support/faults/allocation_faults.hpp>
#include <support/rig.hpp>

namespace yoke_test {

/// Effects: `run_allocation_loop` with `setup(device)`, the device driven through the interposer; `act(state)` is what
/// fails, `verify(state)` proves that the state still works.
template <class Port, class Setup, class Act, class Verify>
void run_allocation_scenario(const std::string& name, const yoke::device<Port>& device, Setup&& setup, Act&& act,
                             Verify&& verify, std::size_t step = default_fault_step()) {
  using backend = backend_of<Port>;
  using driver_type = typename backend::interposer;
  const typename backend::context stays(device);  // or each run would make CUDA's primary context anew
  run_allocation_loop<driver_type>(
      name, backend::driver(), [&](driver_type& driver) { return setup(through(driver, device)); },
      [&](driver_type&, auto& state) { act(state); }, [&](driver_type&, auto& state) { verify(state); }, step);
}
/// Effects: the same for a scenario that keeps nothing: `scenario(device)`.
template <class Port, class Scenario>
void run_allocation_scenario(const std::string& name, const yoke::device<Port>& device, Scenario&& scenario) {
  run_allocation_scenario(
      name, device, [](const yoke::device<Port>& on) { return on; },
      [&](const yoke::device<Port>& on) { scenario(on); }, [](const yoke::device<Port>&) {});
}

}  // namespace yoke_test

#endif
