// SPDX-License-Identifier: MIT
// Reads a whole file as bytes.
#ifndef YOKE_CORE_FILE_HPP
#define YOKE_CORE_FILE_HPP

#include <yoke/core/config.hpp>
#include <yoke/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: the bytes of a file; `noun` is "image file", "source file".
/// Throws: `logic_error` with the path and the reason if the file is missing, empty, not readable or not a regular
/// file.
YOKE_API std::vector<std::byte> file_bytes(std::string_view noun, const std::string& path,
                                           const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/file.ipp>
#endif

#endif
