// SPDX-License-Identifier: MIT
// The CUDA port's programs, kernels and launches.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_HPP

#include <yoke/driver/cuda/memory.hpp>
#include <yoke/driver/cuda/nvrtc_loader.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// Part of `port`; use that.
class program_functions : public memory_functions {
 public:
  using module_handle = abi::library;
  using kernel_handle = abi::kernel;
  using native_kernel = abi::kernel;
  using bytes_view = std::span<const std::byte>;
  using call_type = basic_launch_call<kernel_handle, stream_handle, event_handle>;

  [[nodiscard]] YOKE_API std::string_view prelude() const noexcept;

  /// Compiles with NVRTC for the device, or to PTX when NVRTC does not know it yet.
  YOKE_API module_handle compile(context_handle context, devices_view devices, const compile_request& request,
                                 const source_location& where) const;
  YOKE_API module_handle load_binary(context_handle context, devices_view devices, bytes_view bytes,
                                     const source_location& where) const;
  /// Loads PTX text.
  YOKE_API module_handle load_intermediate(context_handle context, devices_view devices, bytes_view bytes,
                                           const compile_request& request, const source_location& where) const;
  YOKE_API std::vector<std::byte> export_binary(module_handle module, const source_location& where) const;
  YOKE_API void retain_module(module_handle module, const source_location& where) const;
  YOKE_API release_result release_module(module_handle module) const noexcept;
  /// Returns: none: a library is of every context.
  context_handle module_context(module_handle, const source_location&) const noexcept { return nullptr; }
  YOKE_API std::string build_log(module_handle module, device_handle device, const source_lines& source,
                                 const source_location& where) const;
  YOKE_API std::vector<std::string> kernel_names(module_handle module, const source_location& where) const;

  /// Takes a C name, a mangled one, or a C++ kernel's own name where only one kernel has it.
  YOKE_API kernel_handle create_kernel(module_handle module, const char* name, const source_location& where) const;
  YOKE_API kernel_handle adopt_kernel(module_handle module, native_kernel kernel, bool owned,
                                      const source_location& where) const;
  native_kernel native_of(kernel_handle kernel) const noexcept { return kernel; }
  release_result release_kernel(kernel_handle) const noexcept { return {}; }  // kernels are their library's
  release_result detach_kernel(kernel_handle) const noexcept { return {}; }
  YOKE_API kernel_signature signature(context_handle context, kernel_handle kernel, const source_location& where) const;
  /// Returns: whether the parameters have these sizes.
  YOKE_API bool accepts(context_handle context, kernel_handle kernel, std::span<const kernel_argument> arguments,
                        const source_location& where) const;
  using execution_functions::limits;
  YOKE_API kernel_limits limits(kernel_handle kernel, device_handle device, const source_location& where) const;
  YOKE_API void launch(const call_type& call, const source_location& where) const;

 private:
  [[nodiscard]] module_handle load_image(device_handle device, bytes_view image, std::string log,
                                         const source_location& where) const;
  void allow_dynamic_shared(const call_type& call, std::size_t bytes, const source_location& where) const;
};

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/cuda/impl/build.ipp>
#include <yoke/driver/cuda/impl/kernel.ipp>
#endif

#endif
