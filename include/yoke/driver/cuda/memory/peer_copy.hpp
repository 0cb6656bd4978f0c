// SPDX-License-Identifier: MIT
// The CUDA port's copies between contexts, of one device or two.
#ifndef YOKE_DRIVER_CUDA_MEMORY_PEER_COPY_HPP
#define YOKE_DRIVER_CUDA_MEMORY_PEER_COPY_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

/// A part of `port`.
class peer_copy_functions : public facet<peer_copy_functions> {
 public:
  /// Whether streams can copy memory of other contexts.
  [[nodiscard]] bool copies_between_contexts() const noexcept { return true; }
  /// Copies between two contexts, of one device or two.
  YOKE_API void copy_between(abi::stream stream, abi::device_pointer source, abi::context source_context,
                             const box_side& from, abi::device_pointer destination, abi::context destination_context,
                             const box_side& to, const box_size& box, completion<abi::event> done,
                             const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/peer_copy.ipp>
#endif

#endif
