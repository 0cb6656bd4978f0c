// SPDX-License-Identifier: MIT
// Computes the shape of a launch from the number of threads.
#ifndef YOKE_PROGRAM_KERNEL_SHAPE_HPP
#define YOKE_PROGRAM_KERNEL_SHAPE_HPP

#include <yoke/driver/types.hpp>

namespace yoke::inline v0_1 {

/// Returns: enough blocks of `block` threads for `count` threads. 0 threads launch nothing. The last block may exceed
/// the count: compare the global id with it.
/// Throws: `logic_error` for a negative count or block; `launch_error` for a block of 0. Thread safety: safe.
template <integer Count, integer Block = int>
[[nodiscard]] constexpr launch_shape launch_over(Count count, Block block = 256,
                                                 const source_location& where = source_location::current()) {
  const auto threads = detail::narrow<std::size_t>(count, "thread count", where);
  const auto size = detail::narrow<std::size_t>(block, "block", where);
  if (size == 0) {
    detail::throw_error(errc::launch_failed,
                        detail::text("block is 0, for ", threads, " threads: a block has at least 1 thread"), where);
  }
  launch_shape shape;
  shape.nothing = threads == 0;
  shape.grid = extent3(threads / size + (threads % size != 0 ? 1u : 0u));
  shape.block = extent3(size);
  return shape;
}
/// The same in two or three dimensions, x fastest: `launch_over({width, height}, {16, 16})`.
/// An axis of 0 threads launches nothing. Blocks may exceed the count along each axis.
/// Throws: `launch_error` for a block with an extent of 0. Thread safety: safe.
[[nodiscard]] constexpr launch_shape launch_over(const extent3& count, const extent3& block,
                                                 const source_location& where = source_location::current()) {
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    detail::throw_error(errc::launch_failed,
                        detail::text("block {", block.x, ", ", block.y, ", ", block.z,
                                     "} has an extent of 0: a block has at least 1 thread"),
                        where);
  }
  const auto blocks = [](std::size_t threads, std::size_t size) {
    return threads / size + (threads % size != 0 ? 1u : 0u);
  };
  launch_shape shape;
  shape.nothing = count.x == 0 || count.y == 0 || count.z == 0;
  shape.grid = extent3(blocks(count.x, block.x), blocks(count.y, block.y), blocks(count.z, block.z));
  shape.block = block;
  return shape;
}

}  // namespace yoke::inline v0_1

#endif
