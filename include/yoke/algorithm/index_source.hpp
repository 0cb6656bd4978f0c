// SPDX-License-Identifier: MIT
// The sources of kernels that take, search, count and reduce lists.
#ifndef YOKE_ALGORITHM_INDEX_SOURCE_HPP
#define YOKE_ALGORITHM_INDEX_SOURCE_HPP

#include <yoke/array/reduction/scan_source.hpp>

#include <array>

namespace yoke::inline v0_1::detail {

/// The properties that a kernel which takes or puts elements depends on.
struct take_form {
  std::size_t word = 8;     ///< bytes that are moved at once
  value_type_name index{};  ///< the type of indices
  bool puts = false;        ///< writes to the indices instead of reading there
  bool one_row = true;      ///< one list of indices for all rows
  bool one_word = true;     ///< an element is one word
};
/// Returns: `yoke_i_take`. An index outside takes the nearest element; an element put there is dropped.
[[nodiscard]] YOKE_API std::string take_source(const take_form& form);
/// Returns: `yoke_i_bound`, which finds the place of each value among sorted elements, before its equals or behind
/// them.
[[nodiscard]] YOKE_API std::string bound_source(const value_type_name& type, bool behind);
/// The most arrays that one launch joins.
inline constexpr std::size_t most_sources = 8;
/// The properties that a kernel which joins arrays depends on.
struct concatenate_form {
  std::size_t word = 8;  ///< bytes that are moved at once
  std::size_t sources = 1;
  bool one_row = true;  ///< the arrays are joined along their first axis
  bool wide = false;    ///< words are counted by 64 bits
};
/// Returns: `yoke_i_concatenate`.
[[nodiscard]] YOKE_API std::string concatenate_source(const concatenate_form& form);
/// The most arrays of one `multi_take` or `multi_put`.
inline constexpr std::size_t most_multi_arrays = 16;
/// The properties that a kernel which takes from several arrays, or puts there, depends on.
struct multi_take_form {
  value_type_name index{};  ///< the type of indices
  bool puts = false;
  std::size_t arrays = 1;
  std::array<std::size_t, most_multi_arrays> words{};  ///< of each array: bytes that are moved at once
};
/// Returns: `yoke_i_multi_take`.
[[nodiscard]] YOKE_API std::string multi_take_source(const multi_take_form& form);
/// The maximum of bins that a block counts in local memory.
inline constexpr std::int64_t most_local_bins = 4096;
/// The properties that a kernel which counts numbers depends on.
struct count_form {
  expression_form values{};  ///< the numbers; without rank
  std::size_t rank = 0;
  bool linear = false;    ///< element `i` is at place `i`
  bool local = false;     ///< a block counts in local memory
  std::size_t batch = 1;  ///< elements that a thread reads before it counts the first
};
/// Returns: `yoke_i_count`, which counts how often each number from 0 on occurs.
[[nodiscard]] YOKE_API std::string count_source(const count_form& form);
/// Returns: `yoke_i_reduce`, which joins the elements of each list, with a given number of threads for each.
[[nodiscard]] YOKE_API std::string reduce_lists_source(const value_type_name& from, const value_type_name& accumulator,
                                                       const char* join, const char* neutral);

/// Throws: `logic_error` where the shape of a joined array differs from that of the first along another axis than
/// `along`.
YOKE_API void check_joined(const std::size_t* first, const std::size_t* next, std::size_t rank, std::size_t along,
                           const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_nothing_to_join(const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_nothing_to_take(std::int64_t count, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_put_shapes(const const_axes& values, const const_axes& places,
                                                       const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_index(const std::string& index, std::int64_t extent,
                                                  const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_index_extent(std::int64_t extent, const source_location& where);
/// Returns: the number of bins. Throws: `logic_error` if it is below `least`, or 2^31 or more.
[[nodiscard]] YOKE_API std::int64_t checked_bins(std::int64_t bins, std::int64_t least, const source_location& where);
/// Returns: the number of intervals between edges. Throws: `logic_error` for fewer than two edges, and for more than
/// 2^31.
[[nodiscard]] YOKE_API std::int64_t checked_edges(std::int64_t edges, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_edges(std::int64_t first, const source_location& where);
/// Throws: `logic_error` unless `low < high`, and both and their distance are finite in the type that finds bins.
YOKE_API void check_histogram_range(double low, double high, bool in_float, const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/index_source.ipp>
#endif

#endif
