// SPDX-License-Identifier: MIT
// Computes how many blocks and clusters of a kernel the device holds at once, and which blocks fill it.
#ifndef YOKE_CUDA_DEVICE_OCCUPANCY_HPP
#define YOKE_CUDA_DEVICE_OCCUPANCY_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1::cuda {

/// Limits for the blocks that `best_block` suggests.
struct block_options {
  std::size_t local_bytes = 0;  ///< dynamic shared memory of every block
  int limit = 0;                ///< the most threads of a block; 0: as the kernel allows
};

namespace detail {
// The driver's callback gets only a block's size.
struct block_bytes_call {
  void* object;
  std::size_t (*call)(void* object, int block);
};
YOKE_API potential_shape best_block_by(const context& in, abi::kernel kernel, const block_bytes_call& bytes, int limit,
                                       const source_location& where);
YOKE_API int checked_block(const extent3& block, const source_location& where);
YOKE_API int checked_limit(int limit, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_negative_bytes(long long bytes, int block, const source_location& where);
}  // namespace detail

/// The number of blocks of this shape, with this much dynamic shared memory, that one multiprocessor holds at once.
template <class Signature>
[[nodiscard]] int active_blocks(const kernel<Signature>& of, const extent3& block, std::size_t local_bytes = 0,
                                const source_location& where = source_location::current()) {
  const context& in = of.context_of(where);
  return in.port(where).active_blocks(in.native_handle(), of.native_handle(), detail::checked_block(block, where),
                                      local_bytes, where);
}

/// The block that lets the device hold the most threads, and the smallest number of these blocks that fills it.
/// Throws: `logic_error` for an empty kernel or a negative limit; `error`. Thread safety: safe.
/// Wraps `cuOccupancyMaxPotentialBlockSize`.
template <class Signature>
[[nodiscard]] potential_shape best_block(const kernel<Signature>& of, const block_options& options = {},
                                         const source_location& where = source_location::current()) {
  const context& in = of.context_of(where);
  return in.port(where).potential_block(in.native_handle(), of.native_handle(), nullptr, options.local_bytes,
                                        detail::checked_limit(options.limit, where), where);
}
/// As above, if the dynamic shared memory depends on the block: `local_bytes(threads)`, which may throw.
/// Requires: `local_bytes` does not use CUDA: the driver calls it while it works.
/// Throws: as above; `logic_error` when it returns fewer than 0 bytes.
template <class Signature, class LocalBytes>
  requires std::is_invocable_r_v<std::size_t, LocalBytes&, int>
[[nodiscard]] potential_shape best_block(const kernel<Signature>& of, LocalBytes&& local_bytes, int limit = 0,
                                         const source_location& where = source_location::current()) {
  struct question {
    std::remove_reference_t<LocalBytes>* local_bytes;
    const source_location* where;
  } asked{__builtin_addressof(local_bytes), &where};
  const detail::block_bytes_call call{&asked, [](void* object, int block) -> std::size_t {
                                        const question& put = *static_cast<question*>(object);
                                        const auto bytes = (*put.local_bytes)(block);
                                        if constexpr (std::is_signed_v<decltype(bytes)>) {
                                          if (bytes < 0) {
                                            detail::throw_negative_bytes(static_cast<long long>(bytes), block,
                                                                         *put.where);
                                          }
                                        }
                                        return static_cast<std::size_t>(bytes);
                                      }};
  return detail::best_block_by(of.context_of(where), of.native_handle(), call, detail::checked_limit(limit, where),
                               where);
}

/// The dynamic shared memory that each of `blocks` blocks on one multiprocessor can have, in bytes.
/// Throws: `logic_error` for an empty kernel, a count below 1 or a block without threads; `error`, also if so many
/// blocks do not fit. Thread safety: safe. Wraps `cuOccupancyAvailableDynamicSMemPerBlock`.
template <class Signature>
[[nodiscard]] std::size_t available_local_bytes(const kernel<Signature>& of, int blocks, const extent3& block,
                                                const source_location& where = source_location::current()) {
  if (blocks < 1) {
    yoke::detail::throw_error(errc::invalid_argument, yoke::detail::text("block count ", blocks, " is below 1"), where);
  }
  const context& in = of.context_of(where);
  return in.port(where).available_local(in.native_handle(), of.native_handle(), blocks,
                                        detail::checked_block(block, where), where);
}

/// The number of blocks of the largest cluster for launches of this shape. Ignores `.cluster`.
/// Throws: `logic_error` for an empty kernel; `error`. Thread safety: safe.
/// Wraps `cuOccupancyMaxPotentialClusterSize`.
template <class Signature>
[[nodiscard]] int max_cluster(const kernel<Signature>& of, const launch_shape& shape,
                              const source_location& where = source_location::current()) {
  const context& in = of.context_of(where);
  (void)detail::checked_block(shape.block, where);
  return in.port(where).max_cluster(in.native_handle(), of.native_handle(), shape, where);
}
/// The number of clusters of this shape that the device holds at once.
/// Throws: `logic_error` for an empty kernel; `launch_error` for a cluster that is too large; `error`.
/// Thread safety: safe. Wraps `cuOccupancyMaxActiveClusters`.
template <class Signature>
[[nodiscard]] int active_clusters(const kernel<Signature>& of, const launch_shape& shape,
                                  const source_location& where = source_location::current()) {
  const context& in = of.context_of(where);
  (void)detail::checked_block(shape.block, where);
  return in.port(where).active_clusters(in.native_handle(), of.native_handle(), shape, where);
}

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/device/occupancy.ipp>
#endif

#endif
