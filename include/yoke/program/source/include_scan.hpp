// SPDX-License-Identifier: MIT
// The headers that a source includes, as far as they can be followed without a compiler.
#ifndef YOKE_PROGRAM_SOURCE_INCLUDE_SCAN_HPP
#define YOKE_PROGRAM_SOURCE_INCLUDE_SCAN_HPP

#include <yoke/language/words.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::detail {

/// The headers that a compile may read.
struct include_scan {
  /// The path, of folder and name, and the content of each; of several candidates all.
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string
      problem{};  ///< why that may not be all: "\"a.h\" in line 3 of kernel.cl is in none of the folders"; else ""
};

/// A compiler's own headers, and headers as texts.
struct include_rules {
  /// Whether the compiler looks only in the folders given and in itself: any other header is then its own.
  bool closed = false;
  bool standard_headers = false;  ///< whether `<vector>` and the others of the C++ standard belong to the compiler
  std::span<const std::string> own_folders{};  ///< searched last; headers there are followed, and may include anything
  std::span<const std::pair<std::string, std::string>> texts{};  ///< name and content, for the source and each other
  std::string_view before{};                                     ///< what stands before the source and may include too
};

/// Follows the includes of a source, and of what it includes, through the folders given and those that options name.
///
/// Follows and lists every file that a compiler could take for a name, so that the list changes when one of them
/// does, and when a new header shadows one. Includes that cannot be followed are problems: a macro's name, a header that
/// is in none of the folders, an option that makes the compiler read a file.
/// Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API include_scan scan_includes(std::string_view source, const std::string& source_name,
                                                  std::span<const std::string> folders,
                                                  std::span<const std::string> options,
                                                  const include_rules& rules = {});

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/source/include_scan.ipp>
#endif

#endif
