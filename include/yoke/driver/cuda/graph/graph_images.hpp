// SPDX-License-Identifier: MIT
// The CUDA port's copies of images as nodes of graphs.
#ifndef YOKE_DRIVER_CUDA_GRAPH_GRAPH_IMAGES_HPP
#define YOKE_DRIVER_CUDA_GRAPH_GRAPH_IMAGES_HPP

#include <yoke/driver/cuda/facet.hpp>
#include <yoke/driver/cuda/image/image.hpp>

#include <span>

namespace yoke::inline v0_1::cuda {

/// A part of `port`.
class graph_image_functions : public facet<graph_image_functions> {
 public:
  YOKE_API abi::graph_node record_write_image(abi::context context, abi::graph graph,
                                              std::span<const abi::graph_node> after, image_array* destination,
                                              const image_box& to, const void* source, const box_side& from,
                                              const source_location& where) const;
  YOKE_API abi::graph_node record_read_image(abi::context context, abi::graph graph,
                                             std::span<const abi::graph_node> after, image_array* source,
                                             const image_box& from, void* destination, const box_side& to,
                                             const source_location& where) const;
  YOKE_API abi::graph_node record_copy_image(abi::context context, abi::graph graph,
                                             std::span<const abi::graph_node> after, image_array* source,
                                             const image_box& from, image_array* destination, const image_box& to,
                                             const source_location& where) const;
  YOKE_API abi::graph_node record_copy_to_image(abi::context context, abi::graph graph,
                                                std::span<const abi::graph_node> after, abi::device_pointer source,
                                                const box_side& from, image_array* destination, const image_box& to,
                                                const source_location& where) const;
  YOKE_API abi::graph_node record_copy_from_image(abi::context context, abi::graph graph,
                                                  std::span<const abi::graph_node> after, image_array* source,
                                                  const image_box& from, abi::device_pointer destination,
                                                  const box_side& to, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/graph/graph_images.ipp>
#endif

#endif
