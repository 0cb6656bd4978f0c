// SPDX-License-Identifier: MIT
// Every allocation of arrays made to fail in turn.
#include <memory/memory_faults.hpp>
#include <support/faults/allocation_scenarios.hpp>
#include <yoke/array.hpp>

using namespace yoke_test;
using memory_faults::kept;

namespace {

template <class Port, class Act>
void loop(const std::string& name, const yoke::device<Port>& device, Act act, std::size_t step = default_fault_step()) {
  run_allocation_scenario(
      name, device, [](const yoke::device<Port>& on) { return kept<Port>(on); }, act,
      [](kept<Port>& state) { CHECK(download(state.memory, state.stream).size() == 60); }, step);
}
template <class Port, class Act>
void compiling_loop(const std::string& name, const yoke::device<Port>& device, Act act) {
  loop(name, device, act, rare_fault_step());
}

}  // namespace

YOKE_DEVICE_TEST_CASE("allocations of arrays fail cleanly", "[allocation]") {
  loop("making and reading", device, [](auto& state) {
    auto a = yoke::to_device_array(counting(60), {3, 20}, state.stream);
    const auto pieces = a.ravel().chunks(7);
    auto shared = a.share();
    a.reset();
    const int one = shared(1, 1).value();
    auto later = shared.to_host_async();
    const auto values = std::move(later).get();
    if (one != 22 || values[3] != 4 || pieces.size() != 9) throw std::runtime_error("wrong elements");
  });
  loop("one value", device, [](auto& state) {
    const yoke::device_value one{state.stream, 3};
    if (one.get() != 3) throw std::runtime_error("wrong value");
  });
}

// The simulator's compiler is the host's: a second for each of the hundreds of allocations.
YOKE_OPENCL_TEST_CASE("allocations of the arrays' kernels fail cleanly", "[allocation][opencl]") {
  compiling_loop("kernels", device, [](auto& state) {
    auto a = yoke::arange(0, 60, 1, state.stream);
    const auto back = a(yoke::reversed).to_host();
    const float one = a.template astype<float>()(3).value();
    if (back.front() != 59 || one != 3.0F) throw std::runtime_error("wrong elements");
  });
}

YOKE_OPENCL_TEST_CASE("allocations of expressions, reductions and scans fail cleanly", "[allocation][opencl]") {
  compiling_loop("an expression", device, [](auto& state) {
    const auto a = yoke::to_device_array(counting(60), {3, 20}, state.stream);
    const auto twice = (2 * a(yoke::reversed)).to_host();
    if (twice.front() != 82) throw std::runtime_error("wrong elements");
  });
  compiling_loop("a reduction", device, [](auto& state) {
    const auto a = yoke::to_device_array(counting(60), {3, 20}, state.stream);
    const auto sums = yoke::sum(a, yoke::along(0)).to_host();
    if (sums.front() != 63) throw std::runtime_error("wrong sums");
  });
  compiling_loop("a scan", device, [](auto& state) {
    const auto a = yoke::to_device_array(counting(60), state.stream);
    const auto sums = yoke::cumsum(a).to_host();
    if (sums.back() != 1830) throw std::runtime_error("wrong sums");
  });
}
