// SPDX-License-Identifier: MIT
// OpenCL C as the language that the port compiles.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_LANGUAGE_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_LANGUAGE_HPP

#include <yoke/language/language.hpp>

namespace yoke::inline v0_1::opencl::detail {

/// Returns: the description of OpenCL C that generic code compiles with.
[[nodiscard]] YOKE_API const kernel_language& language() noexcept;

}  // namespace yoke::inline v0_1::opencl::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/program/language.ipp>
#endif

#endif
