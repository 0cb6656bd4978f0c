// SPDX-License-Identifier: MIT
// The CUDA port's kernels: found, described, launched, and how many blocks of them fill a device.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_KERNEL_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_KERNEL_HPP

#include <yoke/core/shared.hpp>
#include <yoke/driver/cuda/abi/abi.hpp>
#include <yoke/driver/cuda/facet.hpp>
#include <yoke/driver/types.hpp>

#include <cstddef>
#include <optional>

namespace yoke::inline v0_1::cuda::detail {

struct kernel_record {
  explicit kernel_record(abi::kernel of) noexcept : native(of), direct(reinterpret_cast<abi::function>(of)) {}

  abi::kernel native;
  /// The handle that launches in streams of the kernel's context pass to the driver: the context's function once it is
  /// known, else the kernel, whose function the driver then finds at each launch.
  abi::function direct;
  /// The dynamic shared memory that launches may use without asking the driver again.
  yoke::detail::atomic<std::size_t> dynamic_shared{0};
};

}  // namespace yoke::inline v0_1::cuda::detail

namespace yoke::inline v0_1::cuda {

/// The shape of a launch of a CUDA kernel. `launch_over(n)` and `{.grid = 4, .block = 256}` convert to it.
/// An attribute that is not set costs nothing. Thread safety: a value.
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
  /// A copy made member by member, so that a compiler need not keep this in memory.
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

/// A shape that fills a device.
struct potential_shape {
  int grid = 0;   ///< the fewest blocks that fill the device
  int block = 0;  ///< threads of a block
};

/// A part of `port`.
class kernel_functions : public facet<kernel_functions> {
 public:
  using kernel_handle = detail::kernel_record*;
  using native_kernel = abi::kernel;
  using shape_type = launch_shape;
  using call_type = basic_launch_call<kernel_handle, abi::stream, abi::event, launch_shape>;

  YOKE_API std::vector<std::string> kernel_names(abi::library module, const source_location& where) const;
  /// `name` is a C name, a mangled one, a name expression, or a C++ kernel's own name if no other kernel has it.
  YOKE_API kernel_handle create_kernel(abi::library module, const char* name, const source_location& where) const;
  /// The same; among several kernels of the name, the one with this signature.
  YOKE_API kernel_handle find_kernel(abi::library module, const char* name, std::span<const parameter_info> wanted,
                                     const source_location& where) const;
  YOKE_API kernel_handle adopt_kernel(abi::library module, native_kernel kernel, bool owned,
                                      const source_location& where) const;
  [[nodiscard]] YOKE_API native_kernel native_of(kernel_handle kernel) const noexcept;
  YOKE_API release_result release_kernel(kernel_handle kernel) const noexcept;  // kernels belong to their library
  YOKE_API release_result detach_kernel(kernel_handle kernel) const noexcept;
  /// Effects: notes the kernel's function in the context, for launches there.
  YOKE_API kernel_signature signature(abi::context context, kernel_handle kernel, const source_location& where) const;
  /// Returns: whether the parameters have these sizes.
  YOKE_API bool accepts(abi::context context, kernel_handle kernel, std::span<const kernel_argument> arguments,
                        const source_location& where) const;
  YOKE_API kernel_limits limits_of_kernel(kernel_handle kernel, device_id device, const source_location& where) const;
  YOKE_API int attribute(native_kernel kernel, device_id device, abi::function_attribute which,
                         const source_location& where) const;
  YOKE_API void set_attribute(native_kernel kernel, device_id device, abi::function_attribute which, int value,
                              const source_location& where) const;
  YOKE_API void set_cache(native_kernel kernel, device_id device, abi::cache_config preference,
                          const source_location& where) const;
  YOKE_API void launch(const call_type& call, const source_location& where) const;
  /// Launches with memory and values as arguments if nothing needs a closer look: the shape's numbers fit and it has no
  /// attributes; earlier launches were allowed as much dynamic memory.
  template <argument_form... Forms>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_directly(
      kernel_handle kernel, abi::stream stream, const launch_shape& shape,
      const std::array<const void*, sizeof...(Forms)>& places) const noexcept {
    if (!yoke::detail::all_fit(shape.grid, shape.block) || shape.nothing || !shape.is_plain() ||
        shape.local_bytes > kernel->dynamic_shared.load(yoke::detail::order::relaxed)) [[unlikely]] {
      return {direct_outcome::unusual};
    }
    return launch_plain(table(), kernel, stream, shape.grid, shape.block, shape.local_bytes, places.data());
  }
  /// The same for a plain shape. `places[i]` is the address of an argument, whose size the driver knows.
  template <argument_form...>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_plain(kernel_handle kernel, abi::stream stream,
                                                                const plain_shape& shape,
                                                                const void* const* places) const noexcept {
    return launch_plain(table(), kernel, stream, shape.grid, shape.block, 0, places);
  }
  /// Effects: if the driver refused a direct launch because too little dynamic memory was allowed, allows more and launches
  /// again. Throws: `error` with the limit in words.
  [[gnu::cold]] YOKE_API void launch_refused(direct_outcome outcome, kernel_handle kernel, abi::stream stream,
                                             const launch_shape& shape, const void* const* places,
                                             const argument_sizes& sizes, const device_limits& limits,
                                             const source_location& where) const;

  /// Returns: how many blocks of that size one multiprocessor holds at once.
  YOKE_API int active_blocks(abi::context context, native_kernel kernel, int block, std::size_t local_bytes,
                             const source_location& where) const;
  /// `local_bytes_of` may be null: every block then has `local_bytes`.
  YOKE_API potential_shape potential_block(abi::context context, native_kernel kernel,
                                           abi::block_to_shared local_bytes_of, std::size_t local_bytes, int limit,
                                           const source_location& where) const;
  YOKE_API std::size_t available_local(abi::context context, native_kernel kernel, int blocks, int block,
                                       const source_location& where) const;
  YOKE_API int max_cluster(abi::context context, native_kernel kernel, const launch_shape& shape,
                           const source_location& where) const;
  YOKE_API int active_clusters(abi::context context, native_kernel kernel, const launch_shape& shape,
                               const source_location& where) const;

 private:
  friend class graph_functions;  // whose nodes are launches

  [[gnu::always_inline]] static direct_outcome launch_plain(const abi::functions* table, kernel_handle kernel,
                                                            abi::stream stream, const extent3& grid,
                                                            const extent3& block, std::size_t local_bytes,
                                                            const void* const* places) noexcept {
    const auto n = [](std::size_t count) { return static_cast<abi::uint>(count); };
    // A stream of the kernel's own context does not outlive its functions. A default stream may: for it the driver gets
    // the kernel, and finds its function in the stream's context.
    const abi::function function =
        detail::is_default_stream(stream) ? reinterpret_cast<abi::function>(kernel->native) : kernel->direct;
    const abi::status status =
        table->launch_kernel(function, n(grid.x), n(grid.y), n(grid.z), n(block.x), n(block.y), n(block.z),
                             n(local_bytes), stream, const_cast<void**>(places), nullptr);
    return {status == abi::success ? direct_outcome::launched : direct_outcome::shape, status};
  }
  /// Returns: whether it had to allow the kernel more.
  bool allow_dynamic_shared(const call_type& call, device_id device, std::size_t bytes,
                            const source_location& where) const;
  /// Throws: always: `launch_error` with the limit that a refused launch breaks, or `error`. Without a context, it is the
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

#endif
