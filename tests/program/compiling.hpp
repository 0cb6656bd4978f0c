// SPDX-License-Identifier: MIT
// Compiling and running in one step, and builds that must fail.
#ifndef YOKE_TESTS_PROGRAM_COMPILING_HPP
#define YOKE_TESTS_PROGRAM_COMPILING_HPP

#include <support/rig.hpp>

namespace yoke_test {

/// Returns: the int that `source`'s kernel `f`, of one pointer to int, writes first.
template <class Backend>
int result_of(rig<Backend>& on, const std::string& source, const yoke::compile_options& options = {}) {
  const auto kernel = yoke::get_kernel<void(int*)>(yoke::compile(on.context, source, options), "f");
  std::vector<int> result(1, -1);
  kernel(on.stream, {.grid = 1}, yoke::in_out(result));
  return result[0];
}

template <class Backend>
yoke::compile_error failed_build(rig<Backend>& on, const std::string& source, const yoke::compile_options& options = {},
                                 const yoke::source_location& where = yoke::source_location::current()) {
  try {
    (void)yoke::compile(on.context, source, options, where);
  } catch (const yoke::compile_error& e) {
    return e;
  }
  throw std::runtime_error("compiled");
}

}  // namespace yoke_test

#endif
