// SPDX-License-Identifier: MIT
// What the fault loops of programs keep from before a fault, and how they prove that it still works.
#ifndef YOKE_TESTS_PROGRAM_PROGRAM_FAULTS_HPP
#define YOKE_TESTS_PROGRAM_PROGRAM_FAULTS_HPP

#include <support/faults/fault_scenarios.hpp>

namespace yoke_test::program_faults {

inline constexpr const char* source =
    "YOKE_KERNEL add(YOKE_GLOBAL int* a, int by, YOKE_LOCAL_ARG(int, s)) { a[get_global_id(0)] += by; }";
using signature = void(int*, int, yoke::local<int>);

template <class Port>
struct kept {
  kept(const yoke::device<Port>& on, const std::vector<std::byte>& binary)
      : context(on),
        stream(context),
        memory(yoke::to_device(counting(8), stream)),
        module(yoke::load(context, binary)),
        add(yoke::get_kernel<signature>(module, "add")) {}
  yoke::context<Port> context;
  yoke::stream<Port> stream;
  yoke::device_allocation<int, Port> memory;
  yoke::module<Port> module;
  yoke::kernel<signature, Port> add;
};

/// Effects: runs the loop over `act(kept)`; afterwards the kept kernel and module still work.
template <class Port, class Act>
void loop(const std::string& name, const yoke::device<Port>& device, Act act, const fault_loop_options& options = {}) {
  // Loading takes a fraction of the time that compiling takes, and each run starts with it.
  const auto binary = yoke::compile(yoke::context(device), source).export_binary();
  run_fault_scenario(
      name, device, [&](const yoke::device<Port>& on) { return kept<Port>(on, binary); }, act,
      [](kept<Port>& state) {
        std::vector<int> values = counting(8);
        state.add(state.stream, {.grid = 1, .block = 8}, yoke::in_out(values), 10, yoke::local<int>(1));
        CHECK(values == counting(8, 11));
        const auto again = yoke::get_kernel<signature>(state.module, "add");
        CHECK(static_cast<bool>(again));
      },
      options);
}

/// A driver that tells less of a kernel's parameters makes the check weaker, not the kernel unusable.
inline fault_loop_options weaker_checks() {
  return absorbing({{"get_kernel_arg_info", "a device without argument info: sizes are checked instead"},
                    {"kernel_get_param_info", "invalid value is how CUDA's driver ends the list of parameters"},
                    {"kernel_get_name", "a name that is not known leaves the check by sizes"}});
}

}  // namespace yoke_test::program_faults

#endif
