// SPDX-License-Identifier: MIT
// The form and source of a scan's kernels.
#ifndef YOKE_ARRAY_REDUCTION_SCAN_SOURCE_HPP
#define YOKE_ARRAY_REDUCTION_SCAN_SOURCE_HPP

#include <yoke/array/reduction/reduction_source.hpp>

namespace yoke::inline v0_1::detail {

/// Returns: the elements of a thread. They depend only on the size of the accumulator, so that scans give the same
/// bits on each device.
[[nodiscard]] constexpr std::size_t scan_items(std::size_t part) noexcept {
  return part <= 4 ? 20 : part <= 8 ? 12 : part <= 16 ? 4 : 2;  // uses at most 32 KiB of local memory
}
/// Returns: the threads of a block, which depend on the same size.
[[nodiscard]] constexpr std::size_t scan_block(std::size_t part) noexcept {
  std::size_t threads = reduction_block;
  for (std::size_t room = 32; room < part; room *= 2) threads /= 2;
  return threads;
}
inline constexpr std::size_t most_scan_bytes = 256;

/// How a scan goes through its tiles.
enum class scan_way : std::uint8_t {
  three_passes,  ///< parts of tiles, those of each row, elements
  look_back,     ///< one pass, in which blocks wait for earlier ones
  columns,       ///< by neighbouring threads for neighbouring rows, which lie side by side
};

/// The properties that the kernels of a scan depend on.
struct scan_form {
  expression_form values{};  ///< the expressions of the elements and, for segments, of their starts
  value_type_name accumulator{};
  const char* join = "";
  const char* neutral = "";
  std::size_t result_rank = 0;  ///< number of axes of the rows
  std::size_t rank = 0;         ///< number of scanned axes
  bool linear = false;          ///< element `i` is at place `i`
  bool inclusive = true;
  bool segments = false;
  scan_way way = scan_way::three_passes;
};
/// The value kept for each element until it is stored: its item, the one before it, or nothing, so that it is
/// calculated again.
enum class scan_keeps : std::uint8_t { nothing, prior, item };
/// Returns: whether loops may be unrolled. NVIDIA's compiler would lose the minus sign in the greatest of negated
/// integers, as in reductions; on CPUs unrolling gains nothing.
[[nodiscard]] YOKE_API bool may_unroll(value_type_name accumulator, std::string_view join, bool look_back);

/// The texts of which a scan's kernels consist.
struct scan_parts {
  std::string parameters{};  ///< parameters: "..., "
  std::string places{};      ///< statements that run once for each row
  std::string load{};        ///< statements that load element `i` into `next`
  std::string store{};       ///< statements that use `kept`, or `item`, `prior` and `every`, of element `i`
  scan_keeps keeps{};
  std::size_t inputs = 1;
  std::size_t items = 16;
  std::size_t part = 4;
  bool segments = false;
  scan_way way = scan_way::three_passes;
  bool one_row = false;
  bool padded = false;      ///< pads the last tile with neutral elements, so that loops can be unrolled
  bool short_rows = false;  ///< adds a kernel for short rows, one for each thread
  bool rolled = false;      ///< loops must not be unrolled
};
/// Returns: the kernels, with the types before them. Effects: adds the statements that load the inputs of a form at
/// element `i`, and those that find the start of each row.
[[nodiscard]] YOKE_API std::string scan_kernels_text(const scan_parts& of);
[[nodiscard]] YOKE_API std::string scan_types_text(value_type_name accumulator, const char* join, const char* neutral,
                                                   bool segments);
YOKE_API void scan_inputs_text(scan_parts& of, const scan_form& form);

/// Returns: `yoke_x_scan_parts`, which reduces tiles; `yoke_x_scan_tiles`, which scans their results; `yoke_x_scan`,
/// which scans elements; and for several rows `yoke_x_scan_rows`, in which each thread scans a row of up to 32
/// elements. With look-back it returns only the last two; for columns kernels of their own.
YOKE_API std::string scan_source(const scan_form& form);
/// Whether scans use look-back where blocks may wait for others; tests turn it off.
[[nodiscard]] YOKE_API bool& look_back_allowed() noexcept;

/// The memory of a scan with look-back: a counter, a slot for the part of each tile, and a slot for the parts before
/// each batch of tiles. A slot also holds a mark that it is filled. Units: bytes.
struct look_back_memory {
  std::size_t cleared = 0;  ///< set to 0 before the kernel begins
  std::size_t all = 0;
};
[[nodiscard]] constexpr look_back_memory look_back_memory_for(std::size_t rows, std::size_t tiles,
                                                              std::size_t part) noexcept {
  const std::size_t batch = scan_block(part);  // tiles whose parts one block scans
  const std::size_t slots = rows * (tiles + (tiles + batch - 1) / batch);
  if (part <= 4) return {8 + slots * 8, 8 + slots * 8};
  return {8 + slots * 4, 8 + slots * (4 + part)};
}

/// Returns: the bytes of a tile's part: the accumulator and, for segments, a flag that one begins in the tile.
[[nodiscard]] constexpr std::size_t scan_part_bytes(std::size_t accumulator, bool segments) noexcept {
  if (!segments) return accumulator;
  const std::size_t unit = accumulator < 4 ? 4 : most_alignment(accumulator) < 4 ? 4 : most_alignment(accumulator);
  return (accumulator + 4 + unit - 1) / unit * unit;
}

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/reduction/scan_source.ipp>
#endif

#endif
