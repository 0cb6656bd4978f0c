// SPDX-License-Identifier: MIT
// The language of a source, and the words in it that the dialect does not have.
#ifndef YOKE_LANGUAGE_DIALECT_CHECK_HPP
#define YOKE_LANGUAGE_DIALECT_CHECK_HPP

#include <yoke/core/config.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// What the words of a source say about its language; comments and literals do not count.
struct source_words {
  bool dialect = false;  ///< whether one begins with "YOKE_" or "yoke_"
  std::string
      opencl_c{};      ///< "kernel.cu:3 says __kernel" for a source with OpenCL C's words and none of CUDA's; else ""
  std::string cuda{};  ///< the same for a source with CUDA's words
};
/// `name` is the source's, for messages. `opencl`: strings and numbers are read as C has them. Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] source_words words_of(std::string_view source, std::string_view name, bool opencl);

/// A source in the dialect.
struct dialect_source {
  std::string_view text;
  std::string_view name;  ///< for messages; a `#line` in the text gives another
  bool opencl;
  std::vector<std::string_view> others{};  ///< texts that go before it, whose words it may use
};
/// Returns: a line of a build log for each word that only one language of the two has, with the dialect's word for it,
/// and for each kernel's local memory that is used before its `YOKE_LOCAL_BIND`; "" where there is none. Branches of a
/// condition that names a backend may have any word, and so may a source that defines it.
/// Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] std::string foreign_words(const dialect_source& source);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/language/dialect_check.ipp>
#endif

#endif
