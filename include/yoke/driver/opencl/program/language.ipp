// SPDX-License-Identifier: MIT
// Body of driver/opencl/program/language.hpp: keywords, options and the prelude.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_LANGUAGE_IPP
#define YOKE_DRIVER_OPENCL_PROGRAM_LANGUAGE_IPP

#include <yoke/core/environment.hpp>
#include <yoke/driver/opencl/program/language.hpp>
#include <yoke/language/language.hpp>
#include <yoke/language/opencl_prelude.hpp>

namespace yoke::inline v0_1::opencl::detail {

const kernel_language& language() noexcept {
  static constexpr kernel_language opencl_c{
      .name = "OpenCL C",
      .backend = "OpenCL",
      .source_name = "kernel.cl",
      .prelude = prelude_text,
      .types = type_names::opencl_c,
      .options_variable = "YOKE_OPENCL_OPTIONS",
      .options = &environment::opencl_options,
      .options_are_one_text = true,
      .folder_joint = " ",
      .math = {.fast = "-cl-fast-relaxed-math",
               .flush_denormals = {"-cl-denorms-are-zero"},
               .contract = {"-cl-mad-enable"},
               .exact_division = {"-cl-fp32-correctly-rounded-divide-sqrt"},
               .finite_only = "-cl-finite-math-only",
               .no_contract_line = "#pragma OPENCL FP_CONTRACT OFF\n",
               .contracting_options = "-cl-mad-enable -cl-unsafe-math-optimizations -cl-fast-relaxed-math"},
  };
  return opencl_c;
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
