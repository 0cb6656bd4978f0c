// SPDX-License-Identifier: MIT
// The OpenCL port's shared virtual memory, with the bounds and null checks that drivers omit.
#ifndef YOKE_DRIVER_OPENCL_SVM_HPP
#define YOKE_DRIVER_OPENCL_SVM_HPP

#include <yoke/driver/opencl/memory.hpp>

namespace yoke::inline YOKE_ABI::opencl {

/// A part of `port`.
class svm_functions : public memory_functions {
 public:
  YOKE_API svm_support svm(device_handle device, const source_location& where) const;
  YOKE_API void* svm_allocate(context_handle context, std::size_t bytes, std::size_t alignment, bool fine, bool atomics,
                              const source_location& where) const;
  YOKE_API release_result svm_free(context_handle context, void* address) const noexcept;
  /// Effects: frees the memory behind everything enqueued so far in `stream` and `others`.
  YOKE_API release_result svm_free_ordered(context_handle context, void* address, stream_handle stream,
                                           streams_view others) const noexcept;
  YOKE_API void svm_copy(stream_handle stream, void* destination, const void* source, std::size_t bytes,
                         completion<event_handle> done, const source_location& where) const;
  YOKE_API void svm_fill(stream_handle stream, void* destination, const void* pattern, std::size_t pattern_bytes,
                         std::size_t count, const source_location& where) const;
  YOKE_API void svm_map(stream_handle stream, void* address, std::size_t bytes, map_mode mode, bool blocking,
                        const source_location& where) const;
  YOKE_API release_result svm_unmap(stream_handle stream, void* address) const noexcept;
};

}  // namespace yoke::inline YOKE_ABI::opencl

#if defined(YOKE_HEADER_ONLY)
#include <yoke/driver/opencl/impl/svm.ipp>
#endif

#endif
