// SPDX-License-Identifier: MIT
// A view of page-locked memory that keeps the whole block alive.
#ifndef YOKE_MEMORY_PAGELOCKED_SPAN_HPP
#define YOKE_MEMORY_PAGELOCKED_SPAN_HPP

#include <yoke/core/shared.hpp>
#include <yoke/execution/stream.hpp>
#include <yoke/memory/device_span.hpp>

#include <span>

namespace yoke::inline v0_1 {

/// A view of `size()` elements of page-locked memory: a contiguous range whose copies may be asynchronous. It shares
/// the memory, which lives until the last view, transfer and owner are gone. `pagelocked_span<const T>` is read-only.
/// `subspan` of a `pagelocked_array` or of `cuda::registered_memory` makes it.
/// Thread safety: as a `std::span`.
template <class T, class Port = any_port>
class pagelocked_span {
 public:
  static_assert(device_element<std::remove_const_t<T>>, "page-locked memory holds trivially copyable types");
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using port_type = Port;

  pagelocked_span() noexcept = default;
  // For the owners of page-locked memory.
  pagelocked_span(const context<Port>& of, std::span<T> elements, detail::shared<const void> memory) noexcept
      : context_(of), elements_(elements), memory_(std::move(memory)) {}
  /// Converts a writable view to a read-only one.
  template <class U>
    requires(std::is_const_v<T> && std::same_as<const U, T> && !std::is_const_v<U>)
  pagelocked_span(const pagelocked_span<U, Port>& other) noexcept  // NOLINT: adding const is harmless
      : pagelocked_span(other.context_of(), other.span(), other.keep_alive()) {}

  [[nodiscard]] T* data() const noexcept { return elements_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return elements_.size(); }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return elements_.size_bytes(); }
  [[nodiscard]] bool empty() const noexcept { return elements_.empty(); }
  [[nodiscard]] T* begin() const noexcept { return data(); }
  [[nodiscard]] T* end() const noexcept { return data() + size(); }
  [[nodiscard]] T& operator[](std::size_t index) const noexcept { return data()[index]; }
  [[nodiscard]] std::span<T> span() const noexcept { return elements_; }
  [[nodiscard]] const context<Port>& context_of() const noexcept { return context_.get(); }

  /// Returns: the elements [first, first + count), or from `first` on. Throws: `logic_error` when they exceed the view.
  template <integer First, integer Count>
  [[nodiscard]] pagelocked_span subspan(First first, Count count,
                                        const source_location& where = source_location::current()) const {
    const auto part = detail::part_of_range(first, count, size(), where);
    return {context_of(), elements_.subspan(part.first, part.count), memory_};
  }
  template <integer First>
  [[nodiscard]] pagelocked_span subspan(First first, const source_location& where = source_location::current()) const {
    return {context_of(), elements_.subspan(detail::rest_of_range(first, size(), where).first), memory_};
  }

  // The share that a transfer keeps.
  [[nodiscard]] const detail::shared<const void>& keep_alive() const noexcept { return memory_; }

 private:
  detail::context_reference<Port> context_;
  std::span<T> elements_;
  detail::shared<const void> memory_;
};

template <class T, class Port>
struct memory_access<pagelocked_span<T, Port>> {
  static memory_side<pagelocked_place<Port>, T> describe(const pagelocked_span<T, Port>& part) noexcept {
    return {.at = part.data(),
            .size = part.size(),
            .context = part.context_of().native_handle(),
            .keep_alive = part.keep_alive()};
  }
  [[gnu::always_inline]] static detail::whole_side<Port> whole(const detail::context_state<Port>& in,
                                                               const pagelocked_span<T, Port>& part) noexcept {
    return {detail::difference(part.context_of().shared(), &in), part.size(), 0, {}, part.data()};
  }
};

namespace detail {
template <class T, class Port>
inline constexpr bool is_view_value<pagelocked_span<T, Port>> = true;
}

}  // namespace yoke::inline v0_1

#endif
