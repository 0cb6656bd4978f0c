// SPDX-License-Identifier: MIT
// Files that the caller names, read whole.
#ifndef YOKE_CORE_FILE_HPP
#define YOKE_CORE_FILE_HPP

#include <yoke/core/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline YOKE_ABI::detail {

/// Returns: the bytes of a file; `noun` is "image file", "source file".
/// Throws: `logic_error` with the path and the reason for one that is missing, empty, no file or not readable.
YOKE_API std::vector<std::byte> file_bytes(std::string_view noun, const std::string& path,
                                           const source_location& where);

}  // namespace yoke::inline YOKE_ABI::detail

#if defined(YOKE_HEADER_ONLY)
#include <yoke/core/impl/file.ipp>
#endif

#endif
