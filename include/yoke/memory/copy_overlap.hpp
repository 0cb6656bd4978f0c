// SPDX-License-Identifier: MIT
// Refuses copies within one piece of memory whose source and destination share bytes.
#ifndef YOKE_MEMORY_COPY_OVERLAP_HPP
#define YOKE_MEMORY_COPY_OVERLAP_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/types.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// Effects: checks two boxes of one shape, whose offsets count from the same address. For equal pitches it applies OpenCL's
/// own rule; otherwise it compares rows.
/// Requires: rows and slices of one box do not overlap each other.
/// Throws: `logic_error` (`errc::invalid_argument`) with both ranges when the boxes share bytes.
/// Thread safety: safe. Units: bytes.
YOKE_API void check_apart(const box_side& from, const box_side& to, const box_size& box, const source_location& where);

}  // namespace yoke::inline YOKE_ABI::detail

#if defined(YOKE_HEADER_ONLY)
#include <yoke/memory/impl/copy_overlap.ipp>
#endif

#endif
