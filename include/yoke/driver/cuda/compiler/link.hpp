// SPDX-License-Identifier: MIT
// The CUDA port's linked programs: the driver or nvJitLink links several images into one.
#ifndef YOKE_DRIVER_CUDA_COMPILER_LINK_HPP
#define YOKE_DRIVER_CUDA_COMPILER_LINK_HPP

#include <yoke/driver/cuda/facet.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace yoke::inline v0_1::cuda {

enum class link_kind : std::uint8_t;
struct link_request;
struct linked_image;
namespace abi {
struct nvjitlink_functions;
}

namespace detail {
/// Returns: "cubin", "object file": the word for an input in messages.
[[nodiscard]] const char* noun_of(link_kind kind) noexcept;
/// Returns: whether a request needs nvJitLink, because the driver's linker cannot serve it.
[[nodiscard]] bool needs_nvjitlink(const link_request& request);
/// Links with nvJitLink for the request's architecture. Needs no device.
[[nodiscard]] linked_image link_by_nvjitlink(const abi::nvjitlink_functions& linker, const link_request& request,
                                             const source_location& where);
}  // namespace detail

/// A part of `port`.
class link_functions : public facet<link_functions> {
 public:
  /// Links for the device and loads the result.
  YOKE_API abi::library link(abi::context context, device_id device, const link_request& request,
                             const source_location& where) const;
  /// Links for the device with the driver's linker; with nvJitLink if the request needs it.
  YOKE_API linked_image link_image(abi::context context, device_id device, const link_request& request,
                                   const source_location& where) const;
  /// Loads PTX text.
  YOKE_API abi::library load_intermediate(abi::context context, std::span<const device_id> devices,
                                          std::span<const std::byte> bytes, const compile_request& request,
                                          const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/compiler/link.ipp>
#endif

#endif
