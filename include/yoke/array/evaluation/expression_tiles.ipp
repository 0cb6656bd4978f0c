// SPDX-License-Identifier: MIT
// Bodies of array/evaluation/expression_tiles.hpp.
#ifndef YOKE_ARRAY_EVALUATION_EXPRESSION_TILES_IPP
#define YOKE_ARRAY_EVALUATION_EXPRESSION_TILES_IPP

#include <yoke/array/evaluation/expression_tiles.hpp>

#include <string_view>

namespace yoke::inline v0_1::detail {

/// Returns: the number of blocks of `size` steps that cover `steps`.
constexpr std::int64_t covering(std::int64_t steps, std::int64_t size) noexcept { return (steps + size - 1) / size; }

/// Sets the tiles of columns, unless the axes are too short for them.
inline void set_columns(expression_tiles& tiles, const expression_axes& axes, std::size_t read, bool costly) noexcept {
  if (axes.rank < 2) return;
  const std::int64_t wide = axes.extents[axes.rank - 1];
  const std::int64_t high = axes.extents[axes.rank - 2];
  // As many threads along a row as leave few of them without an element.
  std::uint32_t threads = 256;
  while (threads > 16 && covering(wide, threads) * threads > wide + wide / 8) threads /= 2;
  if (covering(wide, threads) * threads > wide + wide / 4) return;
  constexpr std::size_t registers = 128;  // bytes
  std::uint32_t tall = read <= 4 ? 4 : 8;
  while (tall > 2 && (tall * read > registers || high < tall)) tall /= 2;
  if (high < tall) return;
  // A block covers several rows of such columns: as many of them exist, but for a few.
  const auto deep = static_cast<std::int64_t>(expression_block / threads * tall);
  if (covering(high, deep) * deep > high + high / 4) return;
  tiles.width = threads;
  tiles.tall = tall;
  tiles.ahead = !costly && tall * read <= registers;
}

inline tiling_rule tiles_taken{};
tiling_rule& tiling() noexcept { return tiles_taken; }
bool takes_several(std::int64_t steps, bool coalesces) noexcept {
  return (coalesces || tiles_taken.everywhere) && steps >= tiles_taken.from;
}

expression_tiles tiles_for(const expression_axes& axes, bool linear, std::span<const std::size_t> bytes,
                           const std::uint8_t* slots, std::span<const expression_step> steps) noexcept {
  expression_tiles tiles;
  // Compilers inline a function once for each element of a thread, and take long for many.
  const bool costly = std::any_of(steps.begin(), steps.end(), [](const expression_step& each) {
    return each.is_body || std::string_view(each.text).find('(') != std::string_view::npos;
  });
  std::size_t read = 0;
  std::size_t widest = bytes[0];
  bool powers = true;
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    powers = powers && (bytes[k] & (bytes[k] - 1)) == 0;
    if (k == 0 || slots[k - 1] != k - 1) continue;
    read += bytes[k];
    widest = std::max(widest, bytes[k]);
  }
  // An H100 saturates its memory with 32 to 64 KiB of outstanding reads on each multiprocessor.
  constexpr std::size_t wanted = 32;
  if (linear) {
    if (powers && widest < 16) tiles.width = static_cast<std::uint32_t>(16 / widest);
    const std::size_t each = read * tiles.width;
    tiles.vectors = costly || each >= wanted ? 1 : each * 2 >= wanted ? 2 : 4;
    return tiles;
  }
  const std::size_t last = axes.rank - 1;
  const std::size_t square = expression_square;
  for (std::size_t axis = 0; axis < last && bytes.size() <= 9; ++axis) {
    if (axes.extents[axis] < 16 || axes.extents[last] < 16) continue;
    std::size_t room = 32 * square * (square + 1);  // bytes of local memory
    std::uint32_t found = 0;
    for (std::size_t k = 1; k < bytes.size(); ++k) {
      const operand_place& place = axes.places[k];
      const bool is_across = place.strides[axis] == 1 && place.strides[last] != 1 && place.strides[last] != 0;
      const std::size_t needs = bytes[k] * square * (square + 1);
      if (!is_across || slots[k - 1] != k - 1 || needs > room) continue;
      room -= needs;
      found |= 1U << (k - 1);
    }
    if (found == 0) continue;
    tiles.across = static_cast<std::uint32_t>(axis + 1);
    tiles.inputs = found;
    return tiles;
  }
  set_columns(tiles, axes, read, costly);
  if (tiles.tall != 0) return tiles;
  tiles.vectors = costly || read >= wanted / 2 ? 1 : read * 2 >= wanted / 2 ? 2 : 4;
  return tiles;
}

std::int64_t blocks_for(const expression_axes& axes, const expression_tiles& tiles) noexcept {
  if (tiles.tall != 0) {
    const std::int64_t high = axes.extents[axes.rank - 2];
    const std::int64_t wide = axes.extents[axes.rank - 1];
    const std::int64_t deep = static_cast<std::int64_t>(expression_block / tiles.width * tiles.tall);
    return axes.count / high / wide * covering(high, deep) * covering(wide, tiles.width);
  }
  if (tiles.across == 0) return covering(axes.count, tiles.steps());
  const std::int64_t one = axes.extents[tiles.across - 1];
  const std::int64_t other = axes.extents[axes.rank - 1];
  return axes.count / one / other * covering(one, expression_square) * covering(other, expression_square);
}

}  // namespace yoke::inline v0_1::detail

#endif
