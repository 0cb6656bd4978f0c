// SPDX-License-Identifier: MIT
// The CUDA port's programs, kernels and launches.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_HPP

#include <yoke/driver/cuda/kernel_record.hpp>
#include <yoke/driver/cuda/launch_shape.hpp>
#include <yoke/driver/cuda/managed_memory.hpp>
#include <yoke/driver/cuda/nvrtc_loader.hpp>

namespace yoke::inline YOKE_ABI::cuda {

struct build_request;
struct jit_options;
struct link_request;
struct linked_image;
namespace abi {
struct nvjitlink_functions;
}

namespace detail {
/// Links with nvJitLink for the request's architecture. Needs no device.
[[nodiscard]] YOKE_API linked_image link_by_nvjitlink(const abi::nvjitlink_functions& linker,
                                                      const link_request& request, const source_location& where);

struct image_record;
}  // namespace detail

/// A variable of a module, in a context.
struct global_variable {
  abi::device_pointer address = 0;
  std::size_t bytes = 0;
};

/// A shape that fills a device.
struct potential_shape {
  int grid = 0;   ///< the fewest blocks that fill the device
  int block = 0;  ///< threads of a block
};

/// A part of `port`.
class program_functions : public managed_memory_functions {
 public:
  using module_handle = abi::library;
  using kernel_handle = detail::kernel_record*;
  using native_kernel = abi::kernel;
  using shape_type = launch_shape;
  using bytes_view = std::span<const std::byte>;
  using call_type = basic_launch_call<kernel_handle, stream_handle, event_handle, launch_shape>;

  [[nodiscard]] YOKE_API std::string_view prelude() const noexcept;
  /// Returns: the name of an unnamed source in messages.
  [[nodiscard]] static constexpr const char* source_name() noexcept { return "kernel.cu"; }
  /// Returns: the environment variable with options for every source.
  [[nodiscard]] static constexpr const char* options_variable() noexcept { return "YOKE_CUDA_OPTIONS"; }

  /// Returns: what a program for the device depends on besides its text.
  YOKE_API build_target target_of(devices_view devices, const source_location& where) const;
  /// Returns: NVRTC's name. With `open`, opens it; "" means that there is none. Without, reads the name from the file that
  /// would be opened; "" means that it is unknown.
  YOKE_API std::string compiler_of(devices_view devices, bool open, const source_location& where) const;

  /// Compiles with NVRTC for the device; to PTX if NVRTC does not know the device.
  YOKE_API module_handle compile(context_handle context, devices_view devices, const compile_request& request,
                                 const source_location& where) const;
  /// The same with CUDA's own options. Throws: `logic_error` for a kernel with another signature.
  YOKE_API module_handle compile_with(context_handle context, devices_view devices, const build_request& request,
                                      const source_location& where) const;
  YOKE_API module_handle load_binary(context_handle context, devices_view devices, bytes_view bytes,
                                     const source_location& where) const;
  /// The same with options of the driver's own compiler, for a binary that is PTX.
  YOKE_API module_handle load_binary_with(context_handle context, devices_view devices, bytes_view bytes,
                                          const jit_options& jit, const source_location& where) const;
  /// Loads PTX text.
  YOKE_API module_handle load_intermediate(context_handle context, devices_view devices, bytes_view bytes,
                                           const compile_request& request, const source_location& where) const;
  /// Checks and loads a cubin, PTX or a fatbin: the driver itself gets no size. `name` is for messages.
  YOKE_API module_handle load_image(context_handle context, device_handle device, bytes_view image,
                                    const std::string& name, const jit_options& jit,
                                    const source_location& where) const;
  /// Links for the device and loads the result.
  YOKE_API module_handle link(context_handle context, device_handle device, const link_request& request,
                              const source_location& where) const;
  /// Links for the device with the driver's linker; with nvJitLink if the request needs it.
  YOKE_API linked_image link_image(context_handle context, device_handle device, const link_request& request,
                                   const source_location& where) const;
  YOKE_API std::vector<std::byte> export_binary(module_handle module, const source_location& where) const;
  YOKE_API void retain_module(module_handle module, const source_location& where) const;
  YOKE_API release_result release_module(module_handle module) const noexcept;
  /// Returns: the messages of NVRTC and the driver's compiler.
  YOKE_API std::string build_log(module_handle module, device_handle device, const source_lines& source,
                                 const source_location& where) const;
  YOKE_API std::vector<std::string> kernel_names(module_handle module, const source_location& where) const;
  /// `name` is a C name, a mangled one, a name expression, or a name with namespaces.
  /// Throws: `logic_error` for an unknown name.
  YOKE_API global_variable find_global(context_handle context, module_handle module, const std::string& name,
                                       const source_location& where) const;

  /// `name` is a C name, a mangled one, a name expression, or a C++ kernel's own name if no other kernel has it.
  YOKE_API kernel_handle create_kernel(module_handle module, const char* name, const source_location& where) const;
  /// The same; among several kernels of the name, the one with this signature.
  YOKE_API kernel_handle find_kernel(module_handle module, const char* name, std::span<const parameter_info> wanted,
                                     const source_location& where) const;
  YOKE_API kernel_handle adopt_kernel(module_handle module, native_kernel kernel, bool owned,
                                      const source_location& where) const;
  [[nodiscard]] YOKE_API native_kernel native_of(kernel_handle kernel) const noexcept;
  YOKE_API release_result release_kernel(kernel_handle kernel) const noexcept;  // kernels belong to their library
  YOKE_API release_result detach_kernel(kernel_handle kernel) const noexcept;
  /// Effects: notes the kernel's function in the context, for launches there.
  YOKE_API kernel_signature signature(context_handle context, kernel_handle kernel, const source_location& where) const;
  /// Returns: whether the parameters have these sizes.
  YOKE_API bool accepts(context_handle context, kernel_handle kernel, std::span<const kernel_argument> arguments,
                        const source_location& where) const;
  YOKE_API kernel_limits limits_of_kernel(kernel_handle kernel, device_handle device,
                                          const source_location& where) const;
  YOKE_API int attribute(native_kernel kernel, device_handle device, abi::function_attribute which,
                         const source_location& where) const;
  YOKE_API void set_attribute(native_kernel kernel, device_handle device, abi::function_attribute which, int value,
                              const source_location& where) const;
  YOKE_API void set_cache(native_kernel kernel, device_handle device, abi::cache_config preference,
                          const source_location& where) const;
  YOKE_API void launch(const call_type& call, const source_location& where) const;
  static constexpr bool launches_directly = true;
  /// Launches with memory and values as arguments if nothing needs a closer look: the shape's numbers fit and it has no
  /// attributes; earlier launches were allowed as much dynamic memory.
  template <argument_form... Forms>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_directly(
      kernel_handle kernel, stream_handle stream, const launch_shape& shape,
      const std::array<const void*, sizeof...(Forms)>& places) const noexcept {
    if (!yoke::detail::all_fit(shape.grid, shape.block) || shape.nothing || !shape.is_plain() ||
        shape.local_bytes > kernel->dynamic_shared.load(yoke::detail::order::relaxed)) [[unlikely]] {
      return {direct_outcome::unusual};
    }
    return launch_plain(table_, kernel, stream, shape.grid, shape.block, shape.local_bytes, places.data());
  }
  /// The same for a plain shape. `places[i]` is the address of an argument, whose size the driver knows.
  template <argument_form...>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_plain(kernel_handle kernel, stream_handle stream,
                                                                const plain_shape& shape,
                                                                const void* const* places) const noexcept {
    return launch_plain(table_, kernel, stream, shape.grid, shape.block, 0, places);
  }
  /// Effects: allows more dynamic memory and launches again, if too little was why the driver refused a direct launch.
  /// Throws: `error` with the limit in words.
  [[gnu::cold]] YOKE_API void launch_refused(direct_outcome outcome, kernel_handle kernel, stream_handle stream,
                                             const launch_shape& shape, const void* const* places,
                                             const argument_sizes& sizes, const device_limits& limits,
                                             const source_location& where) const;

  /// Returns: how many blocks of that size one multiprocessor holds at once.
  YOKE_API int active_blocks(context_handle context, native_kernel kernel, int block, std::size_t local_bytes,
                             const source_location& where) const;
  /// `local_bytes_of` may be null: every block then has `local_bytes`.
  YOKE_API potential_shape potential_block(context_handle context, native_kernel kernel,
                                           abi::block_to_shared local_bytes_of, std::size_t local_bytes, int limit,
                                           const source_location& where) const;
  YOKE_API std::size_t available_local(context_handle context, native_kernel kernel, int blocks, int block,
                                       const source_location& where) const;
  YOKE_API int max_cluster(context_handle context, native_kernel kernel, const launch_shape& shape,
                           const source_location& where) const;
  YOKE_API int active_clusters(context_handle context, native_kernel kernel, const launch_shape& shape,
                               const source_location& where) const;

 private:
  [[gnu::always_inline]] static direct_outcome launch_plain(const abi::functions* table, kernel_handle kernel,
                                                            stream_handle stream, const extent3& grid,
                                                            const extent3& block, std::size_t local_bytes,
                                                            const void* const* places) noexcept {
    const auto n = [](std::size_t count) { return static_cast<abi::uint>(count); };
    // A stream of the kernel's own context does not outlive its functions. A default stream may: there the driver gets
    // the kernel, and finds its function in the stream's context.
    const abi::function function =
        detail::is_default_stream(stream) ? reinterpret_cast<abi::function>(kernel->native) : kernel->direct;
    const abi::status status =
        table->launch_kernel(function, n(grid.x), n(grid.y), n(grid.z), n(block.x), n(block.y), n(block.z),
                             n(local_bytes), stream, const_cast<void**>(places), nullptr);
    return {status == abi::success ? direct_outcome::launched : direct_outcome::shape, status};
  }
  [[nodiscard]] module_handle load_record(context_handle context, detail::image_record&& record, const jit_options& jit,
                                          const source_location& where) const;
  void check_loaded(context_handle context, module_handle library, const char* log, const source_location& where) const;
  /// Returns: whether it had to allow the kernel more.
  bool allow_dynamic_shared(const call_type& call, std::size_t bytes, const source_location& where) const;
  /// Effects: launches again if too little dynamic memory was allowed. Throws: `error` with the limit in words.
  [[gnu::cold]] YOKE_API void launch_again(abi::status status, const call_type& call, std::size_t shared_bytes,
                                           void** parameters, const source_location& where) const;
  abi::status launch_native(const call_type& call, std::size_t shared_bytes, void** parameters) const noexcept;
};

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/cuda/impl/build.ipp>
#include <yoke/driver/cuda/impl/image.ipp>
#include <yoke/driver/cuda/impl/kernel.ipp>
#include <yoke/driver/cuda/impl/launch.ipp>
#include <yoke/driver/cuda/impl/link.ipp>
#include <yoke/driver/cuda/impl/occupancy.ipp>
#endif

#endif
