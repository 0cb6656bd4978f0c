// SPDX-License-Identifier: MIT
// The shape of a launch on CUDA: the parts that every backend has, and CUDA's own attributes.
#ifndef YOKE_DRIVER_CUDA_LAUNCH_SHAPE_HPP
#define YOKE_DRIVER_CUDA_LAUNCH_SHAPE_HPP

#include <yoke/core/setting.hpp>
#include <yoke/driver/types.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// The shape of a launch of a CUDA kernel. `launch_over(n)` and `{.grid = 4, .block = 256}` convert to it.
/// An attribute that is not set costs nothing. Thread safety: a value.
/// Example: `cuda::launch_shape shape = yoke::launch_over(n); shape.cooperative = true;`
struct launch_shape {
  [[no_unique_address]] yoke::detail::parts_are_named named{};
  extent3 grid{};               ///< blocks
  extent3 block{};              ///< threads of a block
  bool nothing = false;         ///< `launch_over(0)`: enqueue nothing
  std::size_t local_bytes = 0;  ///< dynamic shared memory besides the `local<T>` arguments
  extent3 cluster{0, 0, 0};     ///< blocks of a cluster, which must divide the grid; zeros: no clusters
  bool cooperative = false;     ///< all blocks run at once, so that the grid can synchronise
  setting<int> priority{};      ///< replaces the stream's priority; smaller runs first

  static constexpr bool refines_launch_shape = true;
  /// Whether no attribute is set.
  [[nodiscard, gnu::always_inline]] constexpr bool is_plain() const noexcept {
    return !cooperative && !has_cluster() && !priority.has_value();
  }
  [[nodiscard, gnu::always_inline]] constexpr bool has_cluster() const noexcept {
    return (cluster.x | cluster.y | cluster.z) != 0;
  }
};

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
