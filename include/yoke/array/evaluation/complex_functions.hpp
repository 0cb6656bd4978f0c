// SPDX-License-Identifier: MIT
// Functions of complex numbers for the texts of arrays' kernels, in which they are vectors of two.
#ifndef YOKE_ARRAY_EVALUATION_COMPLEX_FUNCTIONS_HPP
#define YOKE_ARRAY_EVALUATION_COMPLEX_FUNCTIONS_HPP

#include <yoke/core/config.hpp>

#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// Returns: the definitions, in the dialect, of the functions of complex numbers that a source names, as
/// `yoke_complex_times_f` of `float2` and `yoke_complex_times_d` of `double2`, and of those that these need.
[[nodiscard]] YOKE_API std::string complex_functions(std::string_view source);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/complex_functions.ipp>
#endif

#endif
