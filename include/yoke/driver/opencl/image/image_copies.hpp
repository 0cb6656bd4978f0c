// SPDX-License-Identifier: MIT
// The OpenCL port's commands on images: copies, fills, maps and migrations.
#ifndef YOKE_DRIVER_OPENCL_IMAGE_IMAGE_COPIES_HPP
#define YOKE_DRIVER_OPENCL_IMAGE_IMAGE_COPIES_HPP

#include <yoke/driver/image_types.hpp>
#include <yoke/driver/opencl/facet.hpp>

namespace yoke::inline v0_1::opencl {

/// A part of `port`.
class image_copy_functions : public facet<image_copy_functions> {
 public:
  YOKE_API void write_image(abi::queue stream, abi::memory destination, const image_box& to, const void* source,
                            const box_side& from, completion<abi::event> done, const source_location& where) const;
  YOKE_API void read_image(abi::queue stream, abi::memory source, const image_box& from, void* destination,
                           const box_side& to, completion<abi::event> done, const source_location& where) const;
  YOKE_API void copy_image(abi::queue stream, abi::memory source, const image_box& from, abi::memory destination,
                           const image_box& to, completion<abi::event> done, const source_location& where) const;
  /// If rows in the buffer have gaps, which the driver has no parameter for, copies row by row.
  YOKE_API void copy_to_image(abi::queue stream, abi::memory source, const box_side& from, abi::memory destination,
                              const image_box& to, completion<abi::event> done, const source_location& where) const;
  YOKE_API void copy_from_image(abi::queue stream, abi::memory source, const image_box& from, abi::memory destination,
                                const box_side& to, completion<abi::event> done, const source_location& where) const;
  YOKE_API void fill_image(abi::context context, abi::queue stream, abi::memory image, const image_box& box,
                           image_format format, const void* texel, const source_location& where) const;

  YOKE_API void* map_image(abi::queue stream, abi::memory image, const image_box& box, map_mode mode,
                           std::size_t& row_pitch, std::size_t& slice_pitch, const source_location& where) const;
  /// Moves an image to the stream's device, or to the host, ahead of its use.
  YOKE_API void migrate_image(abi::queue stream, abi::memory image, bool to_host, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/image/image_copies.ipp>
#endif

#endif
