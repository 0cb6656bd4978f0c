// SPDX-License-Identifier: MIT
// Decides how many steps of an evaluation a thread takes, and whether squares of steps go through local memory.
#ifndef YOKE_ARRAY_EVALUATION_EXPRESSION_TILES_HPP
#define YOKE_ARRAY_EVALUATION_EXPRESSION_TILES_HPP

#include <yoke/array/evaluation/expression_form.hpp>

namespace yoke::inline v0_1::detail {

/// The number of steps from which threads take several, on devices that coalesce accesses; tests change it.
struct tiling_rule {
  std::int64_t from = std::int64_t{1} << 20;
  bool everywhere = false;  ///< also on devices that do not coalesce
};
[[nodiscard]] YOKE_API tiling_rule& tiling() noexcept;
/// Whether threads take several steps. `coalesces`: the device coalesces accesses of neighbouring threads.
[[nodiscard]] YOKE_API bool takes_several(std::int64_t steps, bool coalesces) noexcept;
/// Returns: the tiles of an evaluation. `bytes` holds the element sizes of the destination and of the inputs.
[[nodiscard]] YOKE_API expression_tiles tiles_for(const expression_axes& axes, bool linear,
                                                  std::span<const std::size_t> bytes, const std::uint8_t* slots,
                                                  std::span<const expression_step> steps) noexcept;
/// Returns: the number of blocks of an evaluation.
[[nodiscard]] YOKE_API std::int64_t blocks_for(const expression_axes& axes, const expression_tiles& tiles) noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/expression_tiles.ipp>
#endif

#endif
