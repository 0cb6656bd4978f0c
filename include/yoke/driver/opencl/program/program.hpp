// SPDX-License-Identifier: MIT
// The OpenCL port's programs: compiled, loaded and stored.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_PROGRAM_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_PROGRAM_HPP

#include <yoke/driver/opencl/facet.hpp>
#include <yoke/driver/opencl/program/language.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::opencl {

/// A part of `port`.
class program_functions : public facet<program_functions> {
 public:
  using bytes_view = std::span<const std::byte>;

  [[nodiscard]] const kernel_language& language() const noexcept { return detail::language(); }

  /// Returns: the facts besides its text that a program for these devices depends on, in the driver's words.
  YOKE_API build_target target_of(std::span<const abi::device> devices, const source_location& where) const;
  /// Returns: the compiler's name. The compiler is part of the driver.
  YOKE_API std::string compiler_of(std::span<const abi::device> devices, bool open, const source_location& where) const;

  YOKE_API abi::program compile(abi::context context, std::span<const abi::device> devices,
                                const compile_request& request, const source_location& where) const;
  YOKE_API abi::program load_binary(abi::context context, std::span<const abi::device> devices, bytes_view bytes,
                                    const source_location& where) const;
  YOKE_API abi::program load_intermediate(abi::context context, std::span<const abi::device> devices, bytes_view bytes,
                                          const compile_request& request, const source_location& where) const;
  YOKE_API std::vector<std::byte> export_binary(abi::program module, const source_location& where) const;
  YOKE_API void retain_module(abi::program module, const source_location& where) const;
  YOKE_API release_result release_module(abi::program module) const noexcept;
  YOKE_API abi::context module_context(abi::program module, const source_location& where) const;
  YOKE_API std::string build_log(abi::program module, abi::device device, const source_lines& source,
                                 const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/program/program.ipp>
#endif

#endif
