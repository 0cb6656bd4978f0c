// SPDX-License-Identifier: MIT
// The CUDA port's loading of images from files and other compilers.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_LOAD_IMAGE_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_LOAD_IMAGE_HPP

#include <yoke/driver/cuda/facet.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace yoke::inline v0_1::cuda {

struct jit_options;

/// A part of `port`.
class load_image_functions : public facet<load_image_functions> {
 public:
  /// Checks and loads a cubin, PTX or a fatbin; the driver is not told the size. `name` is for messages.
  YOKE_API abi::library load_image(abi::context context, device_id device, std::span<const std::byte> image,
                                   const std::string& name, const jit_options& jit, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/program/load_image.ipp>
#endif

#endif
