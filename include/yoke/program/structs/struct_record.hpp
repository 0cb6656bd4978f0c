// SPDX-License-Identifier: MIT
// Stores descriptions of structs in a port's exported binary.
#ifndef YOKE_PROGRAM_STRUCTS_STRUCT_RECORD_HPP
#define YOKE_PROGRAM_STRUCTS_STRUCT_RECORD_HPP

#include <yoke/program/structs/device_struct.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: a port's exported binary with the structs added; without structs, or for other bytes, `binary` unchanged.
/// Throws: `std::bad_alloc`.
YOKE_API std::vector<std::byte> binary_with_structs(std::vector<std::byte> binary,
                                                    std::span<const struct_description> structs);

/// Returns: the structs in an exported binary, if any.
/// Throws: `logic_error` (`errc::incompatible_binary`) if it is damaged; `std::bad_alloc`.
YOKE_API std::vector<struct_description> structs_of_binary(std::span<const std::byte> binary,
                                                           const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/structs/struct_record.ipp>
#endif

#endif
