// SPDX-License-Identifier: MIT
// The OpenCL port's programs, kernels and launches.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_HPP

#include <yoke/driver/opencl/svm.hpp>

namespace yoke::inline YOKE_ABI::opencl {

/// A native kernel with its idle clones, one for each thread that launches at once.
struct kernel_clones;

/// Part of `port`; use that.
class program_functions : public svm_functions {
 public:
  using module_handle = abi::program;
  using kernel_handle = kernel_clones*;
  using native_kernel = abi::kernel;
  using bytes_view = std::span<const std::byte>;
  using call_type = basic_launch_call<kernel_handle, stream_handle, event_handle>;

  [[nodiscard]] YOKE_API std::string_view prelude() const noexcept;
  /// Returns: what messages call a source without a name.
  [[nodiscard]] static constexpr const char* source_name() noexcept { return "kernel.cl"; }
  /// Returns: the environment variable with options for every source.
  [[nodiscard]] static constexpr const char* options_variable() noexcept { return "YOKE_OPENCL_OPTIONS"; }

  /// Returns: what a program for these devices depends on besides its text, as the driver names it.
  YOKE_API build_target target_of(devices_view devices, const source_location& where) const;
  /// Returns: the compiler's name. It is a part of the driver, and so is there at once.
  YOKE_API std::string compiler_of(devices_view devices, bool open, const source_location& where) const;

  YOKE_API module_handle compile(context_handle context, devices_view devices, const compile_request& request,
                                 const source_location& where) const;
  YOKE_API module_handle load_binary(context_handle context, devices_view devices, bytes_view bytes,
                                     const source_location& where) const;
  YOKE_API module_handle load_intermediate(context_handle context, devices_view devices, bytes_view bytes,
                                           const compile_request& request, const source_location& where) const;
  YOKE_API std::vector<std::byte> export_binary(module_handle module, const source_location& where) const;
  YOKE_API void retain_module(module_handle module, const source_location& where) const;
  YOKE_API release_result release_module(module_handle module) const noexcept;
  YOKE_API context_handle module_context(module_handle module, const source_location& where) const;
  YOKE_API std::string build_log(module_handle module, device_handle device, const source_lines& source,
                                 const source_location& where) const;
  YOKE_API std::vector<std::string> kernel_names(module_handle module, const source_location& where) const;

  /// Returns: the kernels of a program with what the driver tells of their parameters: address space, const, type and
  /// name. Those that cannot be asked are left out. Throws: `std::bad_alloc`.
  YOKE_API std::vector<typed_kernel> described_kernels(module_handle of, const source_location& where) const;

  YOKE_API kernel_handle create_kernel(module_handle module, const char* name, const source_location& where) const;
  /// Takes over a native kernel of the module, or uses one that has to outlive it.
  /// Throws: `logic_error` for another module's; `error`; the kernel then stays the caller's.
  YOKE_API kernel_handle adopt_kernel(module_handle module, native_kernel kernel, bool owned,
                                      const source_location& where) const;
  /// Returns: the native kernel, on which arguments must not be set while others launch.
  YOKE_API native_kernel native_of(kernel_handle kernel) const noexcept;
  YOKE_API release_result release_kernel(kernel_handle kernel) const noexcept;
  /// Releases all but the native kernel.
  YOKE_API release_result detach_kernel(kernel_handle kernel) const noexcept;
  YOKE_API kernel_signature signature(context_handle context, kernel_handle kernel, const source_location& where) const;
  /// Returns: whether the driver takes arguments of these sizes.
  YOKE_API bool accepts(context_handle context, kernel_handle kernel, std::span<const kernel_argument> arguments,
                        const source_location& where) const;
  using execution_functions::limits;
  YOKE_API kernel_limits limits(kernel_handle kernel, device_handle device, const source_location& where) const;
  YOKE_API void launch(const call_type& call, const source_location& where) const;

 private:
  YOKE_API kernel_handle describe_kernel(module_handle module, native_kernel kernel, bool owned,
                                         const source_location& where) const;
  YOKE_API void launch_svm(const call_type& call, const source_location& where) const;
  YOKE_API abi::kernel new_clone(kernel_handle kernel, const source_location& where) const;
};

}  // namespace yoke::inline YOKE_ABI::opencl

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/opencl/impl/build.ipp>
#include <yoke/driver/opencl/impl/kernel.ipp>
#endif

#endif
