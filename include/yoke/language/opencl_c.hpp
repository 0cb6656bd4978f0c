// SPDX-License-Identifier: MIT
// Translates OpenCL C to CUDA C++ by rewriting words.
#ifndef YOKE_LANGUAGE_OPENCL_C_HPP
#define YOKE_LANGUAGE_OPENCL_C_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// A source in CUDA C++, for the prelude's part "opencl_c".
struct opencl_c_translation {
  std::string definitions{};  ///< text before it: the vector conversions that it uses
  std::string text{};         ///< the source; line numbers are unchanged
  std::string problem{};      ///< what cannot be translated; else ""
  std::size_t line = 0;       ///< the line of the problem
};

/// Returns: the source in CUDA C++. Rewrites qualifiers of kernels and memory, vector literals and lanes of vectors;
/// leaves unknown words unchanged. Throws: `std::bad_alloc`. Thread safety: safe.
YOKE_API opencl_c_translation translate_opencl_c(std::string_view source);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/language/opencl_c.ipp>
#endif
#endif
