// SPDX-License-Identifier: MIT
// What the driver knows about a pointer: whose memory it is, its kind and its size.
#ifndef YOKE_CUDA_POINTER_HPP
#define YOKE_CUDA_POINTER_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline YOKE_ABI::cuda {

/// What a pointer points to: device memory, page-locked or managed memory, also within an allocation; nothing for
/// memory that the driver does not know, such as memory from `new`.
/// Throws: `error`. Thread safety: safe. Wraps `cuPointerGetAttributes`.
[[nodiscard]] YOKE_API std::optional<pointer_info> describe_pointer(
    const port& with, abi::device_pointer pointer, const source_location& where = source_location::current());
[[nodiscard]] YOKE_API std::optional<pointer_info> describe_pointer(
    const port& with, const void* pointer, const source_location& where = source_location::current());
/// The same for the first element of a view of device memory.
template <class T>
[[nodiscard]] auto describe_pointer(const port& with, const device_span<T>& span,
                                    const source_location& where = source_location::current()) {
  return describe_pointer(with, span.native_handle() + span.offset() * sizeof(T), where);
}

}  // namespace yoke::inline YOKE_ABI::cuda

#if defined(YOKE_BODIES)
#include <yoke/cuda/impl/pointer.ipp>
#endif

#endif
