// SPDX-License-Identifier: MIT
// The sources of the kernels that select elements.
#ifndef YOKE_ALGORITHM_SELECTION_SOURCE_HPP
#define YOKE_ALGORITHM_SELECTION_SOURCE_HPP

#include <yoke/array/reduction/scan_source.hpp>

namespace yoke::inline v0_1::detail {

/// The kinds of selections. The expressions of a form are the elements and the mask; for `changes` only the elements,
/// for `places` only the mask.
enum class selection_kind : std::uint8_t {
  kept,     ///< elements where the mask holds
  dropped,  ///< elements where it does not
  parted,   ///< all elements: first those where it holds
  changes,  ///< elements that differ from the one before
  places,   ///< the indices where the mask holds
};

/// Returns: the kernels of a scan that counts the selected elements and writes them. Their first two parameters are
/// the results.
/// Requires: one row.
[[nodiscard]] YOKE_API std::string selection_source(const scan_form& form, selection_kind kind, value_type_name to);

/// Throws: `logic_error` that names the room of a selection and the number of elements that may be selected.
[[noreturn, gnu::cold]] YOKE_API void throw_selection_room(std::size_t room, std::size_t elements, bool all,
                                                           const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/selection_source.ipp>
#endif

#endif
