// SPDX-License-Identifier: MIT
// The rules of floating-point arithmetic, in one spelling for all compilers.
#ifndef YOKE_PROGRAM_MATH_OPTIONS_HPP
#define YOKE_PROGRAM_MATH_OPTIONS_HPP

#include <yoke/core/setting.hpp>

#include <string>
#include <vector>

namespace yoke::inline YOKE_ABI {

struct math_spelling;

/// How exact a kernel's arithmetic is. The compiler decides members that are not set; options of the call
/// win over all.
struct math_options {
  /// Everything below at its fastest, and approximate functions: `-cl-fast-relaxed-math`; `--use_fast_math` on CUDA.
  bool fast = false;
  /// Whether denormal numbers of `float` may become zero: `-cl-denorms-are-zero`; `--ftz`. OpenCL has no option for false.
  setting<bool> flush_denormals{};
  /// Whether a product and a sum may be rounded once (FMA): `-cl-mad-enable`, or `#pragma OPENCL FP_CONTRACT OFF` before
  /// the source; `--fmad`.
  setting<bool> contract{};
  /// Whether division and square root of `float` are rounded correctly: `-cl-fp32-correctly-rounded-divide-sqrt`, which a
  /// device may lack; `--prec-div` and `--prec-sqrt`. OpenCL has no option for false, its default.
  setting<bool> exact_division{};
  /// Neither infinities nor NaNs occur: `-cl-finite-math-only`; CUDA's compilers have no such option.
  bool finite_only = false;

  friend bool operator==(const math_options&, const math_options&) = default;
};

namespace detail {
/// Returns: the options of a language's compiler for these rules. Throws: `std::bad_alloc`.
YOKE_API std::vector<std::string> math_words(const math_options& math, const math_spelling& spelling);
}  // namespace detail

}  // namespace yoke::inline YOKE_ABI

#endif
