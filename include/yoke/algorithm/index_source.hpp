// SPDX-License-Identifier: MIT
// The texts of kernels that take, search, count and reduce lists.
#ifndef YOKE_ALGORITHM_INDEX_SOURCE_HPP
#define YOKE_ALGORITHM_INDEX_SOURCE_HPP

#include <yoke/array/reduction/scan_source.hpp>

namespace yoke::inline v0_1::detail {

/// What a kernel that takes or puts elements depends on.
struct take_form {
  std::size_t word = 8;     ///< the bytes that are moved at once
  value_type_name index{};  ///< the type of indices
  bool puts = false;        ///< to the indices, not from there
  bool one_row = true;      ///< of one list of indices for all that is taken
  bool one_word = true;     ///< an element is one word
};
/// Returns: `yoke_i_take`. What is taken from outside is the nearest element; what is put there is dropped.
[[nodiscard]] YOKE_API std::string take_source(const take_form& form);
/// Returns: `yoke_i_bound`: where in sorted elements each value goes, before its equals or behind them.
[[nodiscard]] YOKE_API std::string bound_source(const value_type_name& type, bool behind);
/// The bins that a block counts in local memory.
inline constexpr std::int64_t most_local_bins = 4096;
/// Returns: `yoke_i_count`, which counts how often each number from 0 on occurs.
[[nodiscard]] YOKE_API std::string count_source(const value_type_name& type, bool local);
/// Returns: `yoke_i_reduce`, which joins the elements of each list, by as many threads as it is told.
[[nodiscard]] YOKE_API std::string reduce_lists_source(const value_type_name& from, const value_type_name& accumulator,
                                                       const char* join, const char* neutral);

[[noreturn, gnu::cold]] YOKE_API void throw_nothing_to_take(std::int64_t count, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_put_shapes(const const_axes& values, const const_axes& places,
                                                       const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_index(const std::string& index, std::int64_t extent,
                                                  const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_index_extent(std::int64_t extent, const source_location& where);
/// Returns: a number of bins. Throws: `logic_error` below 0, and from 2^31 on.
[[nodiscard]] YOKE_API std::int64_t checked_bins(std::int64_t bins, std::int64_t least, const source_location& where);
/// Returns: the intervals between so many edges. Throws: `logic_error` for fewer than two edges, and for more than 2^31.
[[nodiscard]] YOKE_API std::int64_t checked_edges(std::int64_t edges, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_edges(std::int64_t first, const source_location& where);
/// Throws: `logic_error` unless `low < high`, and both and their distance are finite, as the type in which bins are found has them.
YOKE_API void check_histogram_range(double low, double high, bool in_float, const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/index_source.ipp>
#endif

#endif
