// SPDX-License-Identifier: MIT
// The CUDA port's kernels: found by name and signature, and described.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_KERNEL_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_KERNEL_HPP

#include <yoke/driver/cuda/facet.hpp>
#include <yoke/driver/cuda/program/kernel_record.hpp>
#include <yoke/driver/types.hpp>

#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda {

/// A part of `port`.
class kernel_functions : public facet<kernel_functions> {
 public:
  using kernel_handle = detail::kernel_record*;
  using native_kernel = abi::kernel;

  YOKE_API std::vector<std::string> kernel_names(abi::library module, const source_location& where) const;
  /// `name` is a C name, a mangled one, a name expression, or a C++ kernel's own name if no other kernel has it.
  YOKE_API kernel_handle create_kernel(abi::library module, const char* name, const source_location& where) const;
  /// As `create_kernel`; among several kernels of the name, finds the one with this signature.
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
  /// Returns: whether the context has the kernel's code.
  YOKE_API bool is_kernel_loaded(abi::context context, native_kernel kernel, const source_location& where) const;
  YOKE_API void load_kernel(abi::context context, native_kernel kernel, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/program/kernel.ipp>
#endif

#endif
