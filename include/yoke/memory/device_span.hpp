// SPDX-License-Identifier: MIT
// A non-owning view of device memory: a native handle, an offset and a size.
#ifndef YOKE_MEMORY_DEVICE_SPAN_HPP
#define YOKE_MEMORY_DEVICE_SPAN_HPP

#include <yoke/core/narrow.hpp>
#include <yoke/driver/concepts.hpp>
#include <yoke/memory/device_place.hpp>

namespace yoke::inline v0_1 {

/// An element type of device memory: trivially copyable, and not a pointer.
template <class T>
concept device_element = std::is_trivially_copyable_v<T> && std::is_object_v<T> && !std::is_array_v<T> &&
                         !std::is_pointer_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T>;

namespace detail {
/// A part of a range, in elements.
struct range_part {
  std::size_t first;
  std::size_t count;
};
/// Returns: the elements [first, first + count) of `size`. Throws: `logic_error` with the numbers when they exceed it.
template <integer First, integer Count>
[[nodiscard]] range_part part_of_range(First first, Count count, std::size_t size, const source_location& where) {
  const range_part part{narrow<std::size_t>(first, "first element", where),
                        narrow<std::size_t>(count, "element count", where)};
  if (part.first > size || part.count > size - part.first) [[unlikely]] {
    throw_error(
        errc::out_of_range,
        text("elements ", part.first, " to ", part.first, " + ", part.count, " are outside the ", size, " there are"),
        where);
  }
  return part;
}
/// Returns: the elements from `first` on. Throws: as above.
template <integer First>
[[nodiscard]] range_part rest_of_range(First first, std::size_t size, const source_location& where) {
  const range_part none = part_of_range(first, std::size_t{0}, size, where);
  return {none.first, size - none.first};
}
}  // namespace detail

/// A view of `size()` elements of device memory; `device_span<const T>` is read-only.
/// Thread safety: a value.
template <class T, class Port = any_port>
class device_span {
 public:
  static_assert(device_element<std::remove_const_t<T>>, "device memory holds trivially copyable, non-pointer types");
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using port_type = Port;
  using native_type = typename Port::memory_handle;

  constexpr device_span() noexcept = default;
  /// A view of native memory. `maps` watches the views that map the memory for the host, if they are counted.
  /// Requires: the elements `[offset, offset + size)` exist and outlive the view.
  device_span(typename Port::context_handle context, native_type memory, std::size_t offset, std::size_t size,
              const detail::map_watch& maps = {}) noexcept
      : memory_(memory), offset_(offset), size_(size), context_(context), maps_(maps) {}
  /// Converts a writable view to a read-only one.
  template <class U>
    requires(std::is_const_v<T> && std::same_as<const U, T> && !std::is_const_v<U>)
  device_span(const device_span<U, Port>& other) noexcept  // NOLINT: adding const is harmless
      : memory_(other.native_handle()),
        offset_(other.offset()),
        size_(other.size()),
        context_(other.native_context()),
        maps_(other.maps()) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// The first element's index within the native memory.
  [[nodiscard]] std::size_t offset() const noexcept { return offset_; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  [[nodiscard]] native_type native_handle() const noexcept { return memory_; }
  [[nodiscard]] typename Port::context_handle native_context() const noexcept { return context_; }
  // The handle's storage, whose address launches pass to the driver.
  [[nodiscard]] const native_type& native_place() const noexcept { return memory_; }
  // For the check that no command uses memory while it is mapped.
  [[nodiscard]] const detail::map_watch& maps() const noexcept { return maps_; }

  /// The elements [first, first + count). Throws: `logic_error` when they exceed the view.
  template <integer First, integer Count>
  [[nodiscard]] device_span subspan(First first, Count count,
                                    const source_location& where = source_location::current()) const {
    const auto part = detail::part_of_range(first, count, size_, where);
    return device_span(context_, memory_, offset_ + part.first, part.count, maps_);
  }
  /// The elements from `first` on. Throws: `logic_error` when `first` is beyond the end.
  template <integer First>
  [[nodiscard]] device_span subspan(First first, const source_location& where = source_location::current()) const {
    const auto part = detail::rest_of_range(first, size_, where);
    return device_span(context_, memory_, offset_ + part.first, part.count, maps_);
  }

 private:
  native_type memory_{};
  std::size_t offset_ = 0;
  std::size_t size_ = 0;
  typename Port::context_handle context_{};
  detail::map_watch maps_;
};

template <class T, class Port>
struct memory_access<device_span<T, Port>> {
  static memory_side<device_place<Port>, T> describe(const device_span<T, Port>& span) noexcept {
    return {.at = {span.native_handle(), span.offset()},
            .size = span.size(),
            .context = span.native_context(),
            .maps = span.maps()};
  }
  [[gnu::always_inline]] static detail::whole_side<Port> whole(const detail::context_state<Port>& in,
                                                               const device_span<T, Port>& span) noexcept {
    // Views may be counted by another state of the same native context, so ask the span's own count.
    const bool usual = span.native_context() == in.native && !(map_port<Port> && span.maps().mapped());
    return {usual ? 0u : 1u, span.size(), span.offset(), span.native_handle(), nullptr};
  }
  [[gnu::always_inline]] static detail::launched_memory<Port> launched(const device_span<T, Port>& span) noexcept {
    if (span.offset() != 0 || span.maps().mapped()) return {};
    return {&span.native_place(), nullptr, nullptr, span.native_context()};
  }
};

namespace detail {
template <class T, class Port>
inline constexpr bool is_view_value<device_span<T, Port>> = true;
}

}  // namespace yoke::inline v0_1

#endif
