// SPDX-License-Identifier: MIT
// The text of the kernels that sort.
#ifndef YOKE_ALGORITHM_SORT_SOURCE_HPP
#define YOKE_ALGORITHM_SORT_SOURCE_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace yoke::inline v0_1::detail {

/// The threads of a block: one for each value of a digit of 8 bits.
inline constexpr std::size_t sort_block = 256;
/// The blocks that share a processor of a GPU when they look back: more of them leave each too few registers.
inline constexpr std::size_t sort_resident = 3;
/// The elements of a thread, which lie in registers. A tile's keys, and then its values, fit into 24 KiB of local memory.
[[nodiscard]] constexpr std::size_t sort_items(std::size_t key, std::size_t value) noexcept {
  return (key < value ? value : key) <= 4 ? 24 : 12;
}
/// The elements of a tile.
[[nodiscard]] constexpr std::size_t sort_tile(std::size_t key, std::size_t value) noexcept {
  return sort_block * sort_items(key, value);
}
/// Rows up to this length are sorted by one thread each, where there are many or where one thread is a block.
inline constexpr std::int64_t short_row = 32;
inline constexpr std::size_t row_block = 64;
/// The tiles of a row whose counts one thread adds up for a digit.
inline constexpr std::int64_t few_tiles = 48;

/// Which kernels a sort needs: compiling all of them takes twice as long.
enum class sort_use : unsigned char { tiles, one_tile, rows };

/// What the kernels of a sort depend on.
struct sort_form {
  sort_use use = sort_use::tiles;
  std::size_t key = 4;     ///< bytes: 1, 2, 4 or 8
  std::size_t value = 0;   ///< bytes: 0 for none, 1, 2, 4 or 8
  bool real = false;       ///< keys are numbers of IEEE 754, else integers
  bool truth = false;      ///< keys are bools: whether they are 0
  bool wide = false;       ///< places need more than 32 bits
  bool serial = false;     ///< one thread is a block, as processors need it
  bool look_back = false;  ///< one pass a digit, in which blocks wait for those before

  friend constexpr bool operator==(const sort_form&, const sort_form&) = default;
};

/// What the kernels are told, as they see it. Units: elements.
struct sort_steps {
  std::int64_t rows = 1;
  std::int64_t count = 0;  ///< of a row
  std::int64_t tiles = 1;  ///< of a row
  std::int64_t tile = 0;   ///< elements of a tile
  std::int64_t from = 0;   ///< where memory begins
  std::int64_t to = 0;
  std::int64_t values_from = 0;
  std::int64_t values_to = 0;
  std::uint64_t flip = 0;      ///< bits of keys that are inverted
  std::uint64_t infinity = 0;  ///< of real numbers: what is larger without its sign is no number
  std::uint64_t first = 0;     ///< the lowest bit of keys that counts, or of this pass
  std::uint64_t last = 0;      ///< the bit behind the highest
  std::uint64_t numbers = 0;   ///< whether values are the places of elements in their row, instead of what memory holds
  std::uint64_t in_place = 0;  ///< whether source and destination are the same memory
  std::uint64_t pass = 0;      ///< of looking back: the number of this digit
  std::uint64_t passes = 0;    ///< how many there are
};

/// What a tile leaves when blocks look back has 30 bits, so that rows are shorter.
inline constexpr std::int64_t most_look_back = std::int64_t{1} << 30;
/// Where counts begin in the table of a sort that looks back: a counter for each digit is before them.
inline constexpr std::int64_t sort_tickets = 64;
/// The tiles that a block counts at once.
inline constexpr std::int64_t counted_tiles = 4;

/// Returns: for tiles `yoke_s_count`, `yoke_s_offsets` and `yoke_s_scatter`, which sort by a digit, or by looking back
/// `yoke_s_histogram`, which counts all digits, and `yoke_s_sweep`, which sorts by one; else `yoke_s_small`, which sorts a row of one
/// tile by all of them, or `yoke_s_rows`, which sorts short rows, one a thread. All have the same parameters.
[[nodiscard]] YOKE_API std::string sort_source(const sort_form& form);
/// Returns: the type of words in the dialect.
[[nodiscard]] constexpr const char* word_of_bytes(std::size_t bytes) noexcept {
  return bytes == 1 ? "yoke_uint8" : bytes == 2 ? "yoke_uint16" : bytes == 4 ? "uint" : "yoke_uint64";
}
/// Returns: `yoke_s_gather`, which takes elements of so many words by their places in their row.
[[nodiscard]] YOKE_API std::string gather_source(std::size_t word, std::size_t index);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/sort_source.ipp>
#endif

#endif
