// SPDX-License-Identifier: MIT
// Views of managed memory: prefetches, advice to the driver, and the elements for the host.
#ifndef YOKE_CUDA_MEMORY_MANAGED_SPAN_HPP
#define YOKE_CUDA_MEMORY_MANAGED_SPAN_HPP

#include <yoke/cuda/memory/managed_advice.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// The attachment of managed memory.
struct attached_to {
  attachment what = attachment::global;
  abi::stream stream = nullptr;  ///< for `single`
};
/// A range of managed memory.
struct managed_range {
  const context& in;
  abi::device_pointer address;
  std::size_t bytes;
};
/// Effects: enqueues a prefetch, to the stream's device if `to` is null.
YOKE_API void prefetch(const managed_range& range, const memory_location* to, const stream& on,
                       const source_location& where);
YOKE_API void advise(const managed_range& range, const advice& what, const source_location& where);
YOKE_API bool is_read_mostly(const managed_range& range, const source_location& where);
YOKE_API memory_location preferred_location(const managed_range& range, const source_location& where);
YOKE_API memory_location last_prefetch(const managed_range& range, const source_location& where);
YOKE_API bool is_accessed_by(const managed_range& range, const memory_location& processor,
                             const source_location& where);
/// Effects: waits until the host may use the memory: for a stream, or for the whole context if `stream` is null.
YOKE_API void wait_for_host(const context& in, const attached_to& attached, const stream* on,
                            const source_location& where);
YOKE_API void check_managed(const context& in, abi::device_pointer memory, std::size_t count, std::size_t element_bytes,
                            std::size_t alignment, native_ownership ownership, const source_location& where);
/// Effects: attaches the memory in a stream's order. Throws: `logic_error` for an empty stream; `error`.
YOKE_API void attach(const context& in, abi::device_pointer memory, attachment to, const stream& on,
                     const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_empty_managed(const source_location& where);
}  // namespace detail

/// A view of managed memory: a `__managed__` variable, or a part of a `managed_allocation`, whose functions it has.
/// `managed_span<const T>` cannot be written. Made by `part` and `as_managed`.
/// Requires: the memory outlives the view. Thread safety: a value; `host` not while another thread attaches the memory.
template <class T>
class managed_span {
 public:
  static_assert(device_element<std::remove_const_t<T>>, "managed memory holds trivially copyable, non-pointer types");
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using port_type = port;
  using native_type = abi::device_pointer;

  managed_span() noexcept = default;
  // For the owners of managed memory.
  managed_span(const context& in, native_type address, std::size_t size,
               yoke::detail::shared<const detail::attached_to> attached) noexcept
      : context_(in), address_(address), size_(size), attached_(std::move(attached)) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] native_type native_handle() const noexcept { return address_; }
  [[nodiscard]] const context& context_of() const noexcept { return context_.get(); }

  /// Enqueues the migration of the pages to a location, by default the stream's device. Kernels and the host may use
  /// the memory meanwhile. Pages shared with other memory migrate, too.
  /// Throws: `logic_error` when moved from, for an empty stream, and for a location that does not exist or lacks
  /// concurrent managed access, as the stream's device may; `unsupported_error` for NUMA nodes with a driver before
  /// CUDA 12.2; `error`.
  /// Thread safety: safe. Wraps `cuMemPrefetchAsync`.
  void prefetch(const stream& on, const source_location& where = source_location::current()) const {
    detail::prefetch(range(where), nullptr, on, where);
  }
  void prefetch(const memory_location& to, const stream& on,
                const source_location& where = source_location::current()) const {
    detail::prefetch(range(where), &to, on, where);
  }
  /// Advises the driver: `advise(cuda::advice::preferred_location(device))`. Throws, thread safety: as `prefetch`.
  /// Wraps `cuMemAdvise`.
  void advise(const advice& what, const source_location& where = source_location::current()) const {
    detail::advise(range(where), what, where);
  }
  /// Whether all pages are advised to be read mostly. Throws: `logic_error` when moved from; `error`.
  /// Thread safety: safe. Wraps `cuMemRangeGetAttribute`.
  [[nodiscard]] bool is_read_mostly(const source_location& where = source_location::current()) const {
    return detail::is_read_mostly(range(where), where);
  }
  /// The location that all pages prefer, or were last prefetched to, even if they are elsewhere now; none if pages
  /// differ. Throws, thread safety: as above.
  /// Wraps `cuMemRangeGetAttribute`, from CUDA 12.2 on `cuMemRangeGetAttributes`.
  [[nodiscard]] memory_location preferred_location(const source_location& where = source_location::current()) const {
    return detail::preferred_location(range(where), where);
  }
  [[nodiscard]] memory_location last_prefetch(const source_location& where = source_location::current()) const {
    return detail::last_prefetch(range(where), where);
  }
  /// Whether all pages are advised to be accessed by a device or the host. Throws, thread safety: as above.
  [[nodiscard]] bool is_accessed_by(const memory_location& processor,
                                    const source_location& where = source_location::current()) const {
    return detail::is_accessed_by(range(where), processor, where);
  }

  /// The elements for the host, once the stream is idle. Valid as long as no enqueued work uses the memory. Without
  /// concurrent managed access, the host also crashes while any kernel runs, even one that does not use the memory,
  /// unless the memory is attached to the host, or to one stream, which is then idle.
  /// Throws: `logic_error` when moved from or for an empty stream; `unsupported_error` where the host could crash:
  /// without concurrent managed access, unless the memory is attached to the host or to this stream; `error`.
  /// Thread safety: safe. Wraps `cuStreamSynchronize`.
  [[nodiscard]] std::span<T> host(const stream& after,
                                  const source_location& where = source_location::current()) const {
    return host_elements(&after, where);
  }
  /// As above, once the whole context is idle, on every device: nothing may be enqueued as long as the host uses the
  /// elements, unless the device has concurrent managed access. Wraps `cuCtxSynchronize`.
  [[nodiscard]] std::span<T> host(const source_location& where = source_location::current()) const {
    return host_elements(nullptr, where);
  }

  /// All of it for kernels, copies and fills, in its context, or in another one: managed memory has one address
  /// everywhere.
  /// Throws: nothing.
  [[nodiscard]] device_span<T> span() const noexcept { return span_in(context_of()); }
  [[nodiscard]] device_span<T> span_in(const context& in) const noexcept {
    return {in.native_handle(), address_, 0, size_};
  }
  /// Elements [first, first + count), or those from `first` on. Throws: `logic_error` when a part of them is outside.
  template <integer First, integer Count>
  [[nodiscard]] managed_span part(First first, Count count,
                                  const source_location& where = source_location::current()) const {
    return elements(yoke::detail::part_of_range(first, count, size_, where));
  }
  template <integer First>
  [[nodiscard]] managed_span part(First first, const source_location& where = source_location::current()) const {
    return elements(yoke::detail::rest_of_range(first, size_, where));
  }

 private:
  [[nodiscard]] managed_span elements(const yoke::detail::range_part& part) const {
    return {context_of(), address_ + part.first * sizeof(T), part.count, attached_};
  }
  [[nodiscard]] detail::managed_range range(const source_location& where) const {
    if (!context_of()) detail::throw_empty_managed(where);
    return {context_of(), address_, size_bytes()};
  }
  [[nodiscard]] std::span<T> host_elements(const stream* after, const source_location& where) const {
    if (!context_of()) detail::throw_empty_managed(where);
    if (size_ == 0) return {};
    detail::wait_for_host(context_of(), attached_ != nullptr ? *attached_ : detail::attached_to{}, after, where);
    return {reinterpret_cast<T*>(address_), size_};
  }

  yoke::detail::context_reference<port> context_;
  native_type address_ = 0;
  std::size_t size_ = 0;
  yoke::detail::shared<const detail::attached_to> attached_;  // the memory's attachment, which may change; null: global
};

/// A view of device memory as managed memory: for `__managed__` variables, and memory allocated by other code.
/// Requires: it is attached globally. Throws: `logic_error` when it is not managed memory, or for an empty context;
/// `error`.
/// Thread safety: safe. Wraps `cuPointerGetAttribute`.
/// Example: `auto counts = cuda::as_managed(ctx, cuda::get_global<int>(module, "counts")); counts.host(stream)[0] = 7;`
template <class T>
[[nodiscard]] managed_span<T> as_managed(const context& in, const device_span<T>& memory,
                                         const source_location& where = source_location::current()) {
  const abi::device_pointer address = memory.native_handle() + memory.offset() * sizeof(T);
  if (memory.empty()) return {in, address, 0, nullptr};
  detail::check_managed(in, address, memory.size(), sizeof(T), alignof(T), native_ownership::borrowed, where);
  return {in, address, memory.size(), nullptr};
}

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1 {
/// An operand of copies and fills, and an argument of launches.
template <class T>
struct memory_access<cuda::managed_span<T>> {
  static auto describe(const cuda::managed_span<T>& memory) noexcept { return memory.span(); }
};
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/memory/managed_span.ipp>
#endif

#endif
