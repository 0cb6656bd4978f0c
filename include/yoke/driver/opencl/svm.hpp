// SPDX-License-Identifier: MIT
// The OpenCL port's shared virtual memory, with the bounds and null checks that drivers omit.
#ifndef YOKE_DRIVER_OPENCL_SVM_HPP
#define YOKE_DRIVER_OPENCL_SVM_HPP

#include <yoke/driver/opencl/facet.hpp>

namespace yoke::inline YOKE_ABI::opencl {

/// A part of `port`.
class svm_functions : public facet<svm_functions> {
 public:
  YOKE_API svm_support svm(abi::device device, const source_location& where) const;
  YOKE_API void* svm_allocate(abi::context context, std::size_t bytes, std::size_t alignment, bool fine, bool atomics,
                              const source_location& where) const;
  YOKE_API release_result svm_free(abi::context context, void* address) const noexcept;
  /// Effects: frees the memory behind everything enqueued so far in `stream` and `others`.
  YOKE_API release_result svm_free_ordered(abi::context context, void* address, abi::queue stream,
                                           std::span<const abi::queue> others) const noexcept;
  YOKE_API void svm_copy(abi::queue stream, void* destination, const void* source, std::size_t bytes,
                         completion<abi::event> done, const source_location& where) const;
  YOKE_API void svm_fill(abi::queue stream, void* destination, const void* pattern, std::size_t pattern_bytes,
                         std::size_t count, const source_location& where) const;
  YOKE_API void svm_map(abi::queue stream, void* address, std::size_t bytes, map_mode mode, bool blocking,
                        const source_location& where) const;
  YOKE_API release_result svm_unmap(abi::queue stream, void* address) const noexcept;
};

}  // namespace yoke::inline YOKE_ABI::opencl

#endif
