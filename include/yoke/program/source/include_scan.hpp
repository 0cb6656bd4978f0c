// SPDX-License-Identifier: MIT
// Finds the headers that a source includes, without a compiler.
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
  /// Path and content of each header, and of every candidate if several match a name.
  std::vector<std::pair<std::string, std::string>> headers{};
  /// Why the list may be incomplete: "\"a.h\" in line 3 of kernel.cl is in none of the folders"; else "".
  std::string problem{};
};

/// How a compiler finds headers.
struct include_rules {
  /// Whether the compiler searches only the given folders and its own: any other header is then its own.
  bool closed = false;
  bool standard_headers = false;               ///< whether the headers of the C++ standard belong to the compiler
  std::span<const std::string> own_folders{};  ///< searched last; headers there may include any header
  std::span<const std::pair<std::string, std::string>> texts{};  ///< headers as texts: name and content
  std::string_view before{};                                     ///< text before the source, with includes, too
};

/// Follows the includes of a source and of its headers through the given folders and the folders that options name.
///
/// Lists every file that a compiler could find for a name, so that the list changes when one of them changes or a new
/// header shadows one. Reports a problem for includes that it cannot follow: a macro's name, a header in none of the
/// folders, an option that makes the compiler read a file.
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
