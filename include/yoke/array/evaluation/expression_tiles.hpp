// SPDX-License-Identifier: MIT
// How many steps a thread takes of an evaluation, and which squares of them go through local memory.
#ifndef YOKE_ARRAY_EVALUATION_EXPRESSION_TILES_HPP
#define YOKE_ARRAY_EVALUATION_EXPRESSION_TILES_HPP

#include <yoke/array/evaluation/expression_form.hpp>

namespace yoke::inline v0_1::detail {

/// From how many steps on threads take several where the accesses of neighbours become one; tests change it.
struct tiling_rule {
  std::int64_t from = std::int64_t{1} << 20;
  bool everywhere = false;  ///< on every device
};
[[nodiscard]] YOKE_API tiling_rule& tiling() noexcept;
/// Whether threads take several steps. `coalesces` is that of the language.
[[nodiscard]] YOKE_API bool takes_several(std::int64_t steps, bool coalesces) noexcept;
/// Returns: the tiles of an evaluation. `bytes` has those of the destination's and the inputs' elements.
[[nodiscard]] YOKE_API expression_tiles tiles_for(const expression_axes& axes, bool linear,
                                                  std::span<const std::size_t> bytes, const std::uint8_t* slots,
                                                  std::span<const expression_step> steps) noexcept;
/// Returns: the blocks of an evaluation.
[[nodiscard]] YOKE_API std::int64_t blocks_for(const expression_axes& axes, const expression_tiles& tiles) noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/expression_tiles.ipp>
#endif

#endif
