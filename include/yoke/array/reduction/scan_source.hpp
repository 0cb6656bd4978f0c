// SPDX-License-Identifier: MIT
// The text of a scan's kernels.
#ifndef YOKE_ARRAY_REDUCTION_SCAN_SOURCE_HPP
#define YOKE_ARRAY_REDUCTION_SCAN_SOURCE_HPP

#include <yoke/array/reduction/reduction_source.hpp>

namespace yoke::inline v0_1::detail {

/// The number of elements in a tile. It depends only on the accumulator, so that scans have the same bits on
/// each device.
[[nodiscard]] constexpr std::size_t scan_items(std::size_t part) noexcept {
  return part <= 4 ? 20 : part <= 8 ? 12 : part <= 16 ? 4 : 2;  // 32 KiB of local memory are enough
}
/// The threads of a block, which depend on it as well.
[[nodiscard]] constexpr std::size_t scan_block(std::size_t part) noexcept {
  std::size_t threads = reduction_block;
  for (std::size_t room = 32; room < part; room *= 2) threads /= 2;
  return threads;
}
inline constexpr std::size_t most_scan_bytes = 256;

/// What a scan's kernels depend on.
struct scan_form {
  expression_form values{};  ///< of the elements and, for segments, of where they begin
  value_type_name accumulator{};
  const char* join = "";
  const char* neutral = "";
  std::size_t result_rank = 0;  ///< of the rows
  std::size_t rank = 0;         ///< of the axes that are scanned
  bool linear = false;          ///< element `i` is at place `i`
  bool inclusive = true;
  bool segments = false;
  bool look_back = false;  ///< one pass, in which blocks wait for those before
};
/// What stands in an element's place until it is stored: its item, the one before it, or nothing, so that it is made once more.
enum class scan_keeps : std::uint8_t { nothing, prior, item };
/// Returns: whether loops may be unrolled. NVIDIA's compiler would lose a minus of the greatest of negated integers, as it does
/// in reductions; and compilers for CPUs gain nothing.
[[nodiscard]] bool may_unroll(value_type_name accumulator, std::string_view join, bool look_back);

/// The texts that a scan's kernels are made of.
struct scan_parts {
  std::string parameters{};  ///< "..., "
  std::string places{};      ///< statements once for each row
  std::string load{};        ///< statements that put element `i` into `next`
  std::string store{};       ///< statements that use `kept`, or `item`, `prior` and `every`, of element `i`
  scan_keeps keeps{};
  std::size_t inputs = 1;
  std::size_t items = 16;
  std::size_t part = 4;
  bool segments = false;
  bool look_back = false;
  bool one_row = false;
  bool padded = false;      ///< what is missing from the last tile is neutral, so that loops are unrolled
  bool short_rows = false;  ///< also a kernel of short rows, one a thread
  bool rolled = false;      ///< which may not be unrolled
};
/// Returns: the kernels of these parts, and the types before them. Effects: writes the statements that read the inputs of a form
/// at element `i`, and where each row begins.
[[nodiscard]] YOKE_API std::string scan_kernels_text(const scan_parts& of);
[[nodiscard]] YOKE_API std::string scan_types_text(value_type_name accumulator, const char* join, const char* neutral,
                                                   bool segments);
YOKE_API void scan_inputs_text(scan_parts& of, const scan_form& form);

/// Returns: `yoke_x_scan_parts`, which reduces tiles; `yoke_x_scan_tiles`, which scans their results; `yoke_x_scan`, which
/// scans elements; and of several rows `yoke_x_scan_rows`, which does so for rows of up to 32 elements, one a thread. By
/// looking back there are the last two alone.
YOKE_API std::string scan_source(const scan_form& form);
/// Whether scans look back where blocks may wait for others; tests turn it off.
[[nodiscard]] YOKE_API bool& look_back_allowed() noexcept;

/// The memory of a scan that looks back: a counter, a place for what each tile makes and for what is before each batch of
/// them, which say whether they are there. Units: bytes.
struct look_back_memory {
  std::size_t cleared = 0;  ///< before the kernel begins
  std::size_t all = 0;
};
[[nodiscard]] constexpr look_back_memory look_back_memory_for(std::size_t rows, std::size_t tiles,
                                                              std::size_t part) noexcept {
  const std::size_t batch = scan_block(part);  // one block scans what so many tiles make
  const std::size_t slots = rows * (tiles + (tiles + batch - 1) / batch);
  if (part <= 4) return {8 + slots * 8, 8 + slots * 8};
  return {8 + slots * 4, 8 + slots * (4 + part)};
}

/// The bytes of what a tile leaves: the accumulator and, for segments, whether one begins in it.
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
