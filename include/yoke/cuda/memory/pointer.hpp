// SPDX-License-Identifier: MIT
// The driver's facts about a pointer: the memory's owner, kind and size.
#ifndef YOKE_CUDA_MEMORY_POINTER_HPP
#define YOKE_CUDA_MEMORY_POINTER_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1::cuda {

/// The memory behind a pointer: device, page-locked or managed memory, also within an allocation; nothing for memory
/// that the driver does not know, for example from `new`.
/// Throws: `error`. Thread safety: safe. Wraps `cuPointerGetAttributes`.
[[nodiscard]] YOKE_API std::optional<pointer_info> describe_pointer(
    const port& with, abi::device_pointer pointer, const source_location& where = source_location::current());
[[nodiscard]] YOKE_API std::optional<pointer_info> describe_pointer(
    const port& with, const void* pointer, const source_location& where = source_location::current());
/// As above, for the first element of a view of device memory.
template <class T>
[[nodiscard]] auto describe_pointer(const port& with, const device_span<T>& span,
                                    const source_location& where = source_location::current()) {
  return describe_pointer(with, span.native_handle() + span.offset() * sizeof(T), where);
}

namespace detail {
/// Returns: the device's address of `bytes` bytes of memory of a context that the driver knows. Throws: `logic_error`.
YOKE_API abi::device_pointer unified_address(const context& in, const void* pointer, std::size_t bytes,
                                             const source_location& where);
}  // namespace detail

/// A view of the memory behind a pointer of any kind: device, page-locked, registered or managed memory, also within an
/// allocation. Copies, fills and kernels take it as device memory.
/// Requires: the memory lives longer. Throws: `logic_error` for memory that the driver does not know (pass a
/// `std::span` of it), that belongs to another context and is not page-locked, or that ends before the view; `error`.
/// Thread safety: safe.
/// Wraps `cuPointerGetAttributes`. Units: elements. Example: `yoke::copy(cuda::unified_span(ctx, p, n), host, stream);`
template <class T, integer Count>
[[nodiscard]] device_span<T> unified_span(const context& in, T* pointer, Count count,
                                          const source_location& where = source_location::current()) {
  const std::size_t size = yoke::detail::element_count(count, sizeof(T), where);
  return device_span<T>(in.native_handle(), detail::unified_address(in, pointer, size * sizeof(T), where), 0, size);
}

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/memory/pointer.ipp>
#endif

#endif
