// SPDX-License-Identifier: MIT
// OpenCL's compiler as an object with its own options.
#ifndef YOKE_OPENCL_COMPILE_COMPILER_HPP
#define YOKE_OPENCL_COMPILE_COMPILER_HPP

#include <yoke/opencl/names.hpp>
#include <yoke/program/compile.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::opencl {

/// The driver's compiler with options for every source; `yoke::compile` has none.
/// Example: `const opencl::compiler fast{.options = {"-cl-fast-relaxed-math"}}; auto module = fast.compile(ctx,
/// source);` Thread safety: safe.
struct compiler {
  std::vector<std::string> options{};  ///< for every source, after `YOKE_OPENCL_OPTIONS` and before the options of a
                                       ///< call

  /// Returns: these options followed by the call's, `with`, which win; for functions that take `compile_options`, like
  /// `compile_part` and `compile_all`. Throws: `std::bad_alloc`.
  [[nodiscard]] YOKE_API compile_options options_for(const compile_options& with = {}) const;

  /// `yoke::compile` with `options_for(with)`. Throws: as `yoke::compile`. Wraps `clCreateProgramWithSource`,
  /// `clBuildProgram`.
  [[nodiscard]] YOKE_API module compile(const context& in, std::string_view source, const compile_options& with = {},
                                        const source_location& where = source_location::current()) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/opencl/compile/compiler.ipp>
#endif

#endif
