// SPDX-License-Identifier: MIT
// Functions of complex numbers in kernels, where a complex number is a vector of two.
#ifndef YOKE_ARRAY_EVALUATION_COMPLEX_FUNCTIONS_HPP
#define YOKE_ARRAY_EVALUATION_COMPLEX_FUNCTIONS_HPP

#include <yoke/core/config.hpp>

#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// Returns: definitions in the dialect of the complex functions that a source names and of those that they call, such
/// as `yoke_complex_times_f` of `float2` and `yoke_complex_times_d` of `double2`.
[[nodiscard]] YOKE_API std::string complex_functions(std::string_view source);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/complex_functions.ipp>
#endif

#endif
