// SPDX-License-Identifier: MIT
// Fault loops over a backend: what is kept from before a fault is made anew for each run, on a context that is cheap.
#ifndef YOKE_TESTS_SUPPORT_FAULT_SCENARIOS_HPP
#define YOKE_TESTS_SUPPORT_FAULT_SCENARIOS_HPP

#include <support/faults/fault_loop.hpp>
#include <support/rig.hpp>

namespace yoke_test {

/// Effects: `run_fault_loop` with `setup(device)`, the device driven through the interposer; `act(state)` is what fails,
/// `verify(state)` proves that the state still works. `absorbed` may name functions of any backend.
template <class Port, class Setup, class Act, class Verify>
void run_fault_scenario(const std::string& name, const yoke::device<Port>& device, Setup&& setup, Act&& act,
                        Verify&& verify, fault_loop_options options = {}) {
  using backend = backend_of<Port>;
  using driver_type = typename backend::interposer;
  const typename backend::context stays(device);  // or each run would make CUDA's primary context anew
  for (const char* each : backend::unexplored) options.excluded.emplace_back(each);
  run_fault_loop<driver_type>(
      name, backend::driver(), [&](driver_type& driver) { return setup(through(driver, device)); },
      [&](driver_type&, auto& state) { act(state); }, [&](driver_type&, auto& state) { verify(state); }, options);
}
/// Effects: the same for a scenario that keeps nothing: `scenario(device)`.
template <class Port, class Scenario>
void run_fault_scenario(const std::string& name, const yoke::device<Port>& device, Scenario&& scenario,
                        const fault_loop_options& options = {}) {
  run_fault_scenario(
      name, device, [](const yoke::device<Port>& on) { return on; },
      [&](const yoke::device<Port>& on) { scenario(on); }, [](const yoke::device<Port>&) {}, options);
}

inline fault_loop_options absorbing(std::vector<absorbed_fault> absorbed) {
  fault_loop_options options;
  options.absorbed = std::move(absorbed);
  return options;
}
/// Returns: the same for a loop whose runs compile kernels, which takes fewer calls.
inline fault_loop_options compiling(std::vector<absorbed_fault> absorbed) {
  fault_loop_options options = absorbing(std::move(absorbed));
  options.step = rare_fault_step();
  return options;
}

}  // namespace yoke_test

#endif
