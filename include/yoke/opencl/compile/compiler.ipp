// SPDX-License-Identifier: MIT
// Bodies of opencl/compile/compiler.hpp.
#ifndef YOKE_OPENCL_COMPILE_COMPILER_IPP
#define YOKE_OPENCL_COMPILE_COMPILER_IPP

#include <yoke/opencl/compile/compiler.hpp>
#include <yoke/program/compile.hpp>

namespace yoke::inline v0_1::opencl {

compile_options compiler::options_for(const compile_options& with) const {
  compile_options all = with;
  std::vector<std::string> own = yoke::detail::normal_options(options, detail::language());
  // A member of the call's options overrides a default given as an option.
  if (!with.standard.empty()) yoke::detail::drop_options(own, {"std"});
  if (with.math.contract == false) {
    yoke::detail::drop_options(own, {"cl-mad-enable", "cl-unsafe-math-optimizations", "cl-fast-relaxed-math"});
  }
  all.options = yoke::detail::joined_options(own, with.options);
  return all;
}

opencl::module compiler::compile(const context& in, std::string_view source, const compile_options& with,
                                 const source_location& where) const {
  return yoke::compile(in, source, options_for(with), where);
}

}  // namespace yoke::inline v0_1::opencl

#endif
