// SPDX-License-Identifier: MIT
// The shape of an OpenCL launch, which may have an offset of the global ids.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_LAUNCH_SHAPE_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_LAUNCH_SHAPE_HPP

#include <yoke/core/extent.hpp>
#include <yoke/driver/types.hpp>

namespace yoke::inline v0_1::opencl {

/// The shape of a launch of an OpenCL kernel. `launch_over(n)` and `{.grid = 4, .block = 256}` convert to it.
/// Thread safety: a value.
struct launch_shape {
  [[no_unique_address]] yoke::detail::parts_are_named named{};
  extent3 grid{};                  ///< work-groups
  extent3 block{};                 ///< work-items of a group
  extent3 global_offset{0, 0, 0};  ///< added to global ids
  bool nothing = false;            ///< `launch_over(0)`: enqueue nothing

  static constexpr bool refines_launch_shape = true;
  /// Whether it has 1 to 2^31 blocks and threads along each axis, and sets nothing else.
  [[nodiscard, gnu::always_inline]] constexpr bool is_plain() const noexcept {
    return yoke::detail::all_fit(grid, block) && !nothing && (global_offset.x | global_offset.y | global_offset.z) == 0;
  }
  [[nodiscard, gnu::always_inline]] constexpr unsigned dimensions() const noexcept {
    if (grid.z != 1 || block.z != 1 || global_offset.z != 0) return 3;
    return grid.y != 1 || block.y != 1 || global_offset.y != 0 ? 2 : 1;
  }
};

}  // namespace yoke::inline v0_1::opencl

#endif
