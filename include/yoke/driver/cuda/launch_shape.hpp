// SPDX-License-Identifier: MIT
// How a launch on CUDA is laid out: the shape every backend has, and CUDA's own attributes.
#ifndef YOKE_DRIVER_CUDA_LAUNCH_SHAPE_HPP
#define YOKE_DRIVER_CUDA_LAUNCH_SHAPE_HPP

#include <yoke/core/error.hpp>
#include <yoke/core/setting.hpp>
#include <yoke/driver/types.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// What a launch of a CUDA kernel takes; `launch_over(n)` and `{.grid = 4, .block = 256}` are such shapes.
/// An attribute that is not asked for costs nothing. Thread safety: a value.
/// Example: `cuda::launch_shape shape = yoke::launch_over(n); shape.cooperative = true;`
struct launch_shape {
  [[no_unique_address]] yoke::detail::parts_are_named named{};
  extent3 grid{};               ///< blocks
  extent3 block{};              ///< threads of a block
  bool nothing = false;         ///< `launch_over(0)`: enqueue nothing
  std::size_t local_bytes = 0;  ///< dynamic shared memory that no `local<T>` argument stands for
  extent3 cluster{0, 0, 0};     ///< blocks of a cluster, which divides the grid; zeros: no clusters
  bool cooperative = false;     ///< all blocks are resident at once, so that the grid can wait for itself
  setting<int> priority{};      ///< of this launch, instead of its stream's; smaller runs first

  static constexpr bool refines_launch_shape = true;
  /// Throws: `launch_error` for a global offset, which is OpenCL's.
  [[nodiscard]] static constexpr launch_shape refining(const yoke::launch_shape& shape, const source_location& where) {
    if ((shape.global_offset.x | shape.global_offset.y | shape.global_offset.z) != 0) [[unlikely]] {
      yoke::detail::throw_error(errc::launch_failed, "a global offset is OpenCL's: CUDA has none", where);
    }
    launch_shape result;
    result.grid = shape.grid;
    result.block = shape.block;
    result.nothing = shape.nothing;
    result.local_bytes = shape.local_bytes;
    return result;
  }
  /// Whether the launch asks for no attribute.
  [[nodiscard, gnu::always_inline]] constexpr bool is_plain() const noexcept {
    return !cooperative && !has_cluster() && !priority.has_value();
  }
  [[nodiscard, gnu::always_inline]] constexpr bool has_cluster() const noexcept {
    return (cluster.x | cluster.y | cluster.z) != 0;
  }
};

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
