// SPDX-License-Identifier: MIT
// The state that the copies of a module and its kernels share.
#ifndef YOKE_PROGRAM_MODULE_STATE_HPP
#define YOKE_PROGRAM_MODULE_STATE_HPP

#include <yoke/execution/context.hpp>
#include <yoke/program/structs/types_option.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {
struct module_maker;

template <class Port>
struct module_state {
  context_reference<Port> context;
  typename Port::module_handle native{};
  bool owned = true;
  source_lines source{};             // for build logs
  std::vector<std::string> logs{};   // of a program from a cache: what the compile said, one for each device
  std::vector<typed_kernel> told{};  // of a program from a cache: what the driver said of the compiled one's kernels
  types_option types{};              // the structs that the source was compiled with
  std::string kept{};                // the folder with what the compiler got and gave

  module_state(const yoke::context<Port>& in, typename Port::module_handle module, bool own) noexcept
      : context(in), native(module), owned(own) {}
  module_state(const module_state&) = delete;
  module_state& operator=(const module_state&) = delete;
  ~module_state() {
    if (owned && !(native == typename Port::module_handle{})) {
      context.report(context.state().port.release_module(native));
    }
  }
};
}  // namespace detail

}  // namespace yoke::inline YOKE_ABI

#endif
