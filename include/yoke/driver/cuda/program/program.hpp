// SPDX-License-Identifier: MIT
// The CUDA port's programs: loaded from stored binaries, and stored.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_PROGRAM_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_PROGRAM_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

struct jit_options;

namespace detail {
struct image_record;
/// Loads an image, and keeps its record. Throws: the driver's error for code that it cannot compile.
[[nodiscard]] abi::library load_record(const abi::functions* table, abi::context context, image_record&& record,
                                       const jit_options& jit, const source_location& where);
}  // namespace detail

/// A part of `port`.
class program_functions : public facet<program_functions> {
 public:
  using bytes_view = std::span<const std::byte>;

  YOKE_API abi::library load_binary(abi::context context, std::span<const device_id> devices, bytes_view bytes,
                                    const source_location& where) const;
  /// As `load_binary`, with options of the driver's own compiler, for a binary that is PTX.
  YOKE_API abi::library load_binary_with(abi::context context, std::span<const device_id> devices, bytes_view bytes,
                                         const jit_options& jit, const source_location& where) const;
  YOKE_API std::vector<std::byte> export_binary(abi::library module, const source_location& where) const;
  YOKE_API void retain_module(abi::library module, const source_location& where) const;
  YOKE_API release_result release_module(abi::library module) const noexcept;
  /// Returns: the messages of NVRTC and the driver's compiler.
  YOKE_API std::string build_log(abi::library module, device_id device, const source_lines& source,
                                 const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/program/program.ipp>
#endif

#endif
