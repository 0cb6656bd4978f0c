// SPDX-License-Identifier: MIT
// The OpenCL port's kernels: found, described, and cloned for threads that launch at once.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_KERNEL_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_KERNEL_HPP

#include <yoke/driver/opencl/facet.hpp>
#include <yoke/driver/opencl/program/kernel_clones.hpp>
#include <yoke/driver/types.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::opencl {

/// A part of `port`.
class kernel_functions : public facet<kernel_functions> {
 public:
  using kernel_handle = kernel_clones*;
  using native_kernel = abi::kernel;
  /// OpenCL kernels have no `bool` parameters, and no pointers to `bool`.
  static constexpr bool takes_bool = false;

  YOKE_API std::vector<std::string> kernel_names(abi::program module, const source_location& where) const;

  /// Returns: the kernels of a program with the driver's facts about their parameters: address space, const, type and
  /// name. Kernels that the driver does not describe are left out. Throws: `std::bad_alloc`.
  YOKE_API std::vector<typed_kernel> described_kernels(abi::program of, const source_location& where) const;

  YOKE_API kernel_handle create_kernel(abi::program module, const char* name, const source_location& where) const;
  /// Takes ownership of a native kernel of the module, or, if not `owned`, uses one that has to outlive the handle.
  /// Throws: `logic_error` for a kernel of another module; `error`; the kernel then stays the caller's.
  YOKE_API kernel_handle adopt_kernel(abi::program module, native_kernel kernel, bool owned,
                                      const source_location& where) const;
  /// Effects: adds a reference to the native kernel of a record that borrows it, which then owns that.
  YOKE_API void retain_kernel(kernel_handle kernel, const source_location& where) const;
  /// Returns: the native kernel. Requires: nobody sets its arguments while others launch.
  YOKE_API native_kernel native_of(kernel_handle kernel) const noexcept;
  YOKE_API release_result release_kernel(kernel_handle kernel) const noexcept;
  /// Releases everything but the native kernel.
  YOKE_API release_result detach_kernel(kernel_handle kernel) const noexcept;
  YOKE_API kernel_signature signature(abi::context context, kernel_handle kernel, const source_location& where) const;
  /// Returns: the number of parameters, as the driver counts them.
  YOKE_API std::size_t parameter_count(kernel_handle kernel, const source_location& where) const;
  /// Returns: whether the driver takes arguments of these sizes.
  YOKE_API bool accepts(abi::context context, kernel_handle kernel, std::span<const kernel_argument> arguments,
                        const source_location& where) const;
  YOKE_API kernel_limits limits_of_kernel(kernel_handle kernel, abi::device device, const source_location& where) const;
  /// Returns: one more native kernel, with no arguments set, which knows the SVM that the kernel reaches. The caller
  /// releases it.
  YOKE_API abi::kernel new_clone(kernel_handle kernel, const source_location& where) const;
  /// Effects: tells the kernel and its clones, present and later, which SVM launches reach through pointers in memory;
  /// this replaces an earlier list. Requires: nobody launches it meanwhile. Throws: `unsupported_error` before OpenCL
  /// 2.0; `error`.
  YOKE_API void reach_svm(kernel_handle kernel, std::span<const void* const> addresses,
                          const source_location& where) const;

 private:
  YOKE_API abi::kernel new_plain_clone(kernel_handle kernel, const source_location& where) const;
  YOKE_API kernel_handle describe_kernel(abi::program module, native_kernel kernel, bool owned,
                                         const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/program/kernel.ipp>
#endif

#endif
