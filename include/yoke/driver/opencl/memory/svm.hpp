// SPDX-License-Identifier: MIT
// The OpenCL port's shared virtual memory, with the bounds and null checks that drivers omit.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_SVM_HPP
#define YOKE_DRIVER_OPENCL_MEMORY_SVM_HPP

#include <yoke/driver/opencl/facet.hpp>

namespace yoke::inline v0_1::opencl {

/// A part of `port`.
class svm_functions : public facet<svm_functions> {
 public:
  YOKE_API svm_support svm(abi::device device, const source_location& where) const;
  YOKE_API void* svm_allocate(abi::context context, std::size_t bytes, std::size_t alignment, bool fine, bool atomics,
                              const source_location& where) const;
  /// As `svm_allocate`, with `flags`: the `CL_MEM_...` flags that the driver takes for SVM.
  YOKE_API void* svm_allocate_with(abi::context context, abi::ulong flags, std::size_t bytes, std::size_t alignment,
                                   const source_location& where) const;
  YOKE_API release_result svm_free(abi::context context, void* address) const noexcept;
  /// Effects: frees the memory after all commands enqueued so far in `stream` and `others`.
  YOKE_API release_result svm_free_ordered(abi::context context, void* address, abi::queue stream,
                                           std::span<const abi::queue> others) const noexcept;
  YOKE_API void svm_copy(abi::queue stream, void* destination, const void* source, std::size_t bytes,
                         completion<abi::event> done, const source_location& where) const;
  YOKE_API void svm_fill(abi::queue stream, void* destination, const void* pattern, std::size_t pattern_bytes,
                         std::size_t count, const source_location& where) const;
  YOKE_API void svm_map(abi::queue stream, void* address, std::size_t bytes, map_mode mode, bool blocking,
                        const source_location& where) const;
  YOKE_API release_result svm_unmap(abi::queue stream, void* address) const noexcept;
  // As `svm_map`, after events and without waiting. Returns: the command's event.
  YOKE_API abi::event svm_map_later(abi::queue stream, void* address, std::size_t bytes, map_mode mode,
                                    std::span<const abi::event> after, const source_location& where) const;
  YOKE_API abi::event svm_unmap_later(abi::queue stream, void* address, std::span<const abi::event> after,
                                      const source_location& where) const;
  YOKE_API abi::event svm_free_later(abi::queue stream, void* address, std::span<const abi::event> after,
                                     const source_location& where) const;
  /// `flags` are `CL_MIGRATE_MEM_OBJECT_...`; a size of 0 means the whole block around an address. Throws:
  /// `unsupported_error` before OpenCL 2.1.
  YOKE_API abi::event svm_migrate(abi::queue stream, std::span<const void*> addresses,
                                  std::span<const std::size_t> bytes, abi::ulong flags,
                                  std::span<const abi::event> after, const source_location& where) const;

 private:
  /// Throws: `logic_error` for an alignment beyond a device's guarantee. Requires: the driver refused the alignment.
  void check_alignment(abi::context context, std::size_t alignment, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/memory/svm.ipp>
#endif

#endif
