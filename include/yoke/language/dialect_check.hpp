// SPDX-License-Identifier: MIT
// Guesses the language of a source, and finds the words in it that the dialect lacks.
#ifndef YOKE_LANGUAGE_DIALECT_CHECK_HPP
#define YOKE_LANGUAGE_DIALECT_CHECK_HPP

#include <yoke/core/config.hpp>
#include <yoke/language/dialect_source.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// The hints that a source's words give about its language; ignores comments and literals.
struct source_words {
  bool dialect = false;    ///< whether a word begins with "YOKE_" or "yoke_"
  std::string opencl_c{};  ///< "kernel.cu:3 says __kernel" if it has words of OpenCL C but not of CUDA; else ""
  std::string cuda{};      ///< the same for words of CUDA
};
/// `name` is the source's name in messages. `opencl`: reads strings and numbers as in C. Throws: `std::bad_alloc`.
/// Thread safety: safe.
[[nodiscard]] source_words words_of(std::string_view source, std::string_view name, bool opencl);

/// Returns: build log lines: one for each word that only one of the two languages has, with the dialect's word for it,
/// and one for each kernel's local memory that is used before its `YOKE_LOCAL_BIND`; "" without such words. Allows
/// words in branches of conditions that name a backend, and words that the source defines.
/// Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] std::string foreign_words(const dialect_source& source);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/language/dialect_check.ipp>
#endif

#endif
