// SPDX-License-Identifier: MIT
// The CUDA port's launches of kernels.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_LAUNCH_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_LAUNCH_HPP

#include <yoke/driver/cuda/facet.hpp>
#include <yoke/driver/cuda/program/kernel_record.hpp>
#include <yoke/driver/types.hpp>

#include <array>
#include <cstddef>
#include <optional>

namespace yoke::inline v0_1::cuda {

/// The shape of a CUDA launch. `launch_over(n)` and `{.grid = 4, .block = 256}` convert to it. An unset attribute costs
/// nothing. Thread safety: a value.
/// Example: `cuda::launch_shape shape = yoke::launch_over(n); shape.cooperative = true;`
struct launch_shape {
  [[no_unique_address]] yoke::detail::parts_are_named named{};
  extent3 grid{};                 ///< blocks
  extent3 block{};                ///< threads of a block
  bool nothing = false;           ///< `launch_over(0)`: enqueue nothing
  std::size_t local_bytes = 0;    ///< dynamic shared memory besides the `local<T>` arguments
  extent3 cluster{0, 0, 0};       ///< blocks of a cluster, which must divide the grid; zeros: no clusters
  bool cooperative = false;       ///< all blocks run at once, so that the grid can synchronise
  std::optional<int> priority{};  ///< replaces the stream's priority; smaller runs first

  static constexpr bool refines_launch_shape = true;
  /// A copy made member by member, so that the compiler need not keep the shape in memory.
  [[nodiscard, gnu::always_inline]] constexpr launch_shape spelled_out() const noexcept {
    launch_shape copy;
    copy.grid = grid;
    copy.block = block;
    copy.nothing = nothing;
    copy.local_bytes = local_bytes;
    copy.cluster = cluster;
    copy.cooperative = cooperative;
    if (priority.has_value()) copy.priority = *priority;
    return copy;
  }
  /// Whether no attribute is set.
  [[nodiscard, gnu::always_inline]] constexpr bool is_plain() const noexcept {
    return !cooperative && !has_cluster() && !priority.has_value();
  }
  [[nodiscard, gnu::always_inline]] constexpr bool has_cluster() const noexcept {
    return (cluster.x | cluster.y | cluster.z) != 0;
  }
};

/// A part of `port`.
class launch_functions : public facet<launch_functions> {
 public:
  using shape_type = launch_shape;
  using call_type = basic_launch_call<detail::kernel_record*, abi::stream, abi::event, launch_shape>;

  YOKE_API void launch(const call_type& call, const source_location& where) const;
  /// Launches with memory and values as arguments, if no further check is needed: the shape's numbers fit and it has no
  /// attributes, and earlier launches were allowed as much dynamic memory.
  template <argument_form... Forms>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_directly(
      detail::kernel_record* kernel, abi::stream stream, const launch_shape& shape,
      const std::array<const void*, sizeof...(Forms)>& places) const noexcept {
    if (!yoke::detail::all_fit(shape.grid, shape.block) || shape.nothing || !shape.is_plain() ||
        shape.local_bytes > kernel->dynamic_shared.load(yoke::detail::order::relaxed)) [[unlikely]] {
      return {direct_outcome::unusual};
    }
    return launch_plain(table(), kernel, stream, shape.grid, shape.block, shape.local_bytes, places.data());
  }
  /// As above, for a plain shape. `places[i]` is the address of an argument, whose size the driver knows.
  template <argument_form...>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_plain(detail::kernel_record* kernel, abi::stream stream,
                                                                const plain_shape& shape,
                                                                const void* const* places) const noexcept {
    return launch_plain(table(), kernel, stream, shape.grid, shape.block, 0, places);
  }
  /// Effects: if the driver refused a direct launch because too little dynamic memory was allowed, allows more and
  /// launches again. Throws: `error` with the limit in words.
  [[gnu::cold]] YOKE_API void launch_refused(direct_outcome outcome, detail::kernel_record* kernel, abi::stream stream,
                                             const launch_shape& shape, const void* const* places,
                                             const argument_sizes& sizes, const device_limits& limits,
                                             const source_location& where) const;

 private:
  friend class graph_functions;  // its nodes are launches

  [[gnu::always_inline]] static direct_outcome launch_plain(const abi::functions* table, detail::kernel_record* kernel,
                                                            abi::stream stream, const extent3& grid,
                                                            const extent3& block, std::size_t local_bytes,
                                                            const void* const* places) noexcept {
    const auto n = [](std::size_t count) { return static_cast<abi::uint>(count); };
    // A stream of the kernel's own context does not outlive the context's functions. A default stream may: for it the
    // driver gets the kernel, and finds its function in the stream's context.
    const abi::function function =
        detail::is_default_stream(stream) ? reinterpret_cast<abi::function>(kernel->native) : kernel->direct;
    const abi::status status =
        table->launch_kernel(function, n(grid.x), n(grid.y), n(grid.z), n(block.x), n(block.y), n(block.z),
                             n(local_bytes), stream, const_cast<void**>(places), nullptr);
    return {status == abi::success ? direct_outcome::launched : direct_outcome::shape, status};
  }
  /// Returns: whether the kernel's limit had to be raised.
  bool allow_dynamic_shared(const call_type& call, device_id device, std::size_t bytes,
                            const source_location& where) const;
  /// Throws: always: `launch_error` with the limit that a refused launch breaks, or `error`. A null context means the
  /// stream's.
  [[noreturn]] void explain_refusal(abi::status status, const char* call_name, const call_type& call,
                                    std::size_t shared_bytes, abi::context in, const source_location& where) const;
  [[noreturn]] void explain_launch(abi::status status, const call_type& call, std::size_t shared_bytes,
                                   const source_location& where) const;
  /// Effects: launches again if too little dynamic memory was allowed. Throws: `error` with the limit in words.
  [[gnu::cold]] YOKE_API void launch_again(abi::status status, const call_type& call, std::size_t shared_bytes,
                                           void** parameters, const source_location& where) const;
  abi::status launch_native(const call_type& call, std::size_t shared_bytes, void** parameters) const noexcept;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/program/launch.ipp>
#endif

#endif
