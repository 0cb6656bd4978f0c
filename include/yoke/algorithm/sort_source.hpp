// SPDX-License-Identifier: MIT
// The sources of the kernels that sort.
#ifndef YOKE_ALGORITHM_SORT_SOURCE_HPP
#define YOKE_ALGORITHM_SORT_SOURCE_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace yoke::inline v0_1::detail {

/// The threads of a block: one for each value of an 8-bit digit.
inline constexpr std::size_t sort_block = 256;
/// The blocks that share a multiprocessor in a sort with look-back; more would leave each too few registers.
inline constexpr std::size_t sort_resident = 3;
/// Returns: the elements of a thread, which it keeps in registers. The keys of a tile, and then its values, fit into
/// 24 KiB of local memory.
[[nodiscard]] constexpr std::size_t sort_items(std::size_t key, std::size_t value) noexcept {
  return (key < value ? value : key) <= 4 ? 24 : 12;
}
/// Returns: the elements of a tile.
[[nodiscard]] constexpr std::size_t sort_tile(std::size_t key, std::size_t value) noexcept {
  return sort_block * sort_items(key, value);
}
/// The maximum length of rows that one thread sorts, if there are many rows or a block is one thread.
inline constexpr std::int64_t short_row = 32;
inline constexpr std::size_t row_block = 64;
/// The maximum of tiles in a row for which one thread adds up the counts of a digit.
inline constexpr std::int64_t few_tiles = 48;

/// The kernels that a sort needs; compiling all of them would take twice as long.
enum class sort_use : unsigned char { tiles, one_tile, rows };

/// The properties that the kernels of a sort depend on.
struct sort_form {
  sort_use use = sort_use::tiles;
  std::size_t key = 4;     ///< bytes: 1, 2, 4 or 8
  std::size_t value = 0;   ///< bytes: 1, 2, 4 or 8; 0 without values
  bool real = false;       ///< keys are IEEE 754 numbers, else integers
  bool truth = false;      ///< keys are bools, compared as 0 or not 0
  bool wide = false;       ///< positions need more than 32 bits
  bool serial = false;     ///< a block is one thread, for CPUs
  bool look_back = false;  ///< one pass for each digit, in which blocks wait for earlier ones

  friend constexpr bool operator==(const sort_form&, const sort_form&) = default;
};

/// The parameters as the kernels get them. Units: elements.
struct sort_steps {
  std::int64_t rows = 1;
  std::int64_t count = 0;  ///< elements of a row
  std::int64_t tiles = 1;  ///< tiles of a row
  std::int64_t tile = 0;   ///< elements of a tile
  std::int64_t from = 0;   ///< offset of the first element
  std::int64_t to = 0;
  std::int64_t values_from = 0;
  std::int64_t values_to = 0;
  std::uint64_t flip = 0;      ///< bits of keys that are inverted
  std::uint64_t infinity = 0;  ///< keys above it, without sign, are NaN
  std::uint64_t first = 0;     ///< the lowest bit of keys that counts, or of this pass
  std::uint64_t last = 0;      ///< the bit behind the highest that counts
  std::uint64_t numbers = 0;   ///< not 0: values are the positions of elements in their row, not those in memory
  std::uint64_t in_place = 0;  ///< not 0: source and destination are the same memory
  std::uint64_t pass = 0;      ///< with look-back: the number of this digit
  std::uint64_t passes = 0;    ///< with look-back: the number of digits
};

/// The length from which rows are sorted without look-back: there a tile's counts have 30 bits.
inline constexpr std::int64_t most_look_back = std::int64_t{1} << 30;
/// The start of the counts in the table of a sort with look-back; before them the table has a counter for each digit.
inline constexpr std::int64_t sort_tickets = 64;
/// The tiles that a block counts at once.
inline constexpr std::int64_t counted_tiles = 4;

/// Returns: the kernels for a use. For tiles: `yoke_s_count`, `yoke_s_offsets` and `yoke_s_scatter`, which sort by one
/// digit; with look-back `yoke_s_histogram`, which counts all digits, and `yoke_s_sweep`, which sorts by one digit.
/// For one tile: `yoke_s_small`, which sorts a row by all digits. For rows: `yoke_s_rows`, in which each thread sorts
/// a short row. All have the same parameters.
[[nodiscard]] YOKE_API std::string sort_source(const sort_form& form);
/// Returns: the type of an unsigned word in the dialect.
[[nodiscard]] constexpr const char* word_of_bytes(std::size_t bytes) noexcept {
  return bytes == 1 ? "yoke_uint8" : bytes == 2 ? "yoke_uint16" : bytes == 4 ? "uint" : "yoke_uint64";
}
/// Returns: `yoke_s_gather`, which takes elements of several words by their positions in their row.
[[nodiscard]] YOKE_API std::string gather_source(std::size_t word, std::size_t index);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/sort_source.ipp>
#endif

#endif
