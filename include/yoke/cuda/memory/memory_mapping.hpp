// SPDX-License-Identifier: MIT
// Physical memory mapped at reserved addresses, and the devices that may use it there.
#ifndef YOKE_CUDA_MEMORY_MEMORY_MAPPING_HPP
#define YOKE_CUDA_MEMORY_MEMORY_MAPPING_HPP

#include <yoke/cuda/memory/address_range.hpp>
#include <yoke/cuda/memory/physical_memory.hpp>

namespace yoke::inline v0_1::cuda {

/// A device's access to mapped memory.
using memory_access_flags = abi::access_flags;

namespace detail {
/// The parts of a mapping, which it keeps alive.
struct mapping_facts {
  address_range range{};
  physical_memory memory{};
};

/// Returns: a device's access in the driver's form.
[[nodiscard]] inline abi::access_descriptor access_for(device_id of, memory_access_flags flags) noexcept {
  return {{abi::memory_location_type::device, of.native()}, flags};
}
}  // namespace detail

/// Maps all of a physical memory at addresses of a range, while this lives. It keeps both alive. Move-only.
///
/// Kernels and copies of the range's context may use the memory, by `span`. The end waits for the context's work; other
/// streams that use the memory on other devices must be done.
/// Thread safety: one object from one thread at a time; its memory as device memory.
/// Example: `cuda::memory_mapping x{range, 0, block}; kernel(stream, shape, x.span<float>());`
class memory_mapping : public yoke::detail::handle<memory_mapping, yoke::detail::context_reference<port>,
                                                   abi::device_pointer, detail::mapping_facts> {
  using base = yoke::detail::handle<memory_mapping, yoke::detail::context_reference<port>, abi::device_pointer,
                                    detail::mapping_facts>;

 public:
  using port_type = port;
  static constexpr const char* noun = "memory mapping";

  memory_mapping() noexcept = default;
  /// Maps the memory `offset_bytes` after the range's start, and lets the range's context use it.
  /// Throws: `logic_error` for an empty side, an offset that is not a multiple of the granularity, memory that exceeds
  /// the range, and addresses that are mapped already; `error`. Wraps `cuMemMap`, `cuMemSetAccess`; the end wraps
  /// `cuMemUnmap`.
  template <integer Offset>
  memory_mapping(const address_range& range, Offset offset_bytes, const physical_memory& memory,
                 const source_location& where = source_location::current())
      : memory_mapping(range, yoke::detail::narrow<std::size_t>(offset_bytes, "offset", where), memory, 0, where) {}

  /// Deleted: a mapping without an owner would keep the range from ending. `reset` ends a mapping.
  abi::device_pointer release() = delete;

  [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_of(this->facts().memory); }
  [[nodiscard]] const context& context_of() const noexcept { return this->parent().get(); }
  [[nodiscard]] const address_range& range() const noexcept { return this->facts().range; }
  [[nodiscard]] const physical_memory& memory() const noexcept { return this->facts().memory; }

  /// Allows or revokes a device's use of the memory at these addresses. Peers need no `peer_access`.
  /// Throws: `logic_error` when empty, and for a device that cannot access the memory's device; `error`.
  /// Wraps `cuMemSetAccess`.
  YOKE_API void set_access(const device& of, memory_access_flags flags,
                           const source_location& where = source_location::current());
  /// Throws: `logic_error` when empty; `error`. Wraps `cuMemGetAccess`.
  [[nodiscard]] YOKE_API memory_access_flags access(const device& of,
                                                    const source_location& where = source_location::current()) const;

  /// The memory as elements, for kernels, copies and fills. Leaves out a partial element at the end.
  /// Requires: the mapping outlives the view. Throws: `logic_error` when empty.
  template <class T>
  [[nodiscard]] device_span<T> span(const source_location& where = source_location::current()) const {
    static_assert(device_element<std::remove_const_t<T>>, "device memory holds trivially copyable, non-pointer types");
    return {context_of().native_handle(), this->use(where), 0, size_bytes() / sizeof(T)};
  }

 private:
  friend base;
  YOKE_API static void destroy(yoke::detail::context_reference<port>& parent, abi::device_pointer native,
                               detail::mapping_facts& facts) noexcept;
  YOKE_API memory_mapping(const address_range& range, std::size_t offset, const physical_memory& memory, int,
                          const source_location& where);
  [[nodiscard]] static std::size_t bytes_of(const physical_memory& memory) noexcept {
    return memory ? memory.size_bytes() : 0;
  }
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/memory/memory_mapping.ipp>
#endif

#endif
