// SPDX-License-Identifier: MIT
// The sides that a copy can have, and strided views of them.
#ifndef YOKE_MEMORY_COPY_SIDE_HPP
#define YOKE_MEMORY_COPY_SIDE_HPP

#include <yoke/core/shared.hpp>
#include <yoke/memory/device_allocation.hpp>
#include <yoke/memory/pagelocked_array.hpp>

namespace yoke::inline YOKE_ABI {

/// A box of elements within a range: `width` elements of `height` rows of `depth` slices.
/// Pitches are the elements from one row, or slice, to the next; 0 means tight.
struct box_layout {
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;
  std::size_t row_pitch = 0;
  std::size_t slice_pitch = 0;
  std::size_t offset = 0;  ///< the first element's index
};

namespace detail {

enum class side_kind : unsigned char { pageable, pagelocked, memory, svm };

/// A description of one side of a copy: where it is, and what keeps it alive.
template <side_kind Kind, class T, class Port>
struct copy_side {
  static constexpr side_kind kind = Kind;
  using element = T;
  using port = Port;

  T* address = nullptr;                     // host and SVM memory
  typename Port::memory_handle memory{};    // device memory
  std::size_t first = 0;                    // first element within it
  std::size_t size = 0;                     // elements
  typename Port::context_handle context{};  // pageable memory has none
  map_watch maps{};
  detail::shared<const void> keep_alive{};
  box_layout box{};  // used when strided
  bool strided = false;
};

/// Pageable memory belongs to no backend.
struct no_port {
  struct none {
    friend bool operator==(none, none) noexcept = default;
  };
  using memory_handle = none;
  using context_handle = none;
};

/// A contiguous range of trivially copyable elements in ordinary host memory.
template <class R>
concept pageable_range = requires(R& range) {
  { std::data(range) } -> std::convertible_to<const void*>;
  { std::size(range) } -> std::convertible_to<std::size_t>;
} && !requires { typename std::remove_cvref_t<R>::port_type; };

template <pageable_range R>
auto side_of(R& range) noexcept {
  using element = std::remove_pointer_t<decltype(std::data(range))>;
  copy_side<side_kind::pageable, element, no_port> side;
  side.address = std::data(range);
  side.size = static_cast<std::size_t>(std::size(range));
  return side;
}
template <class T, class Port>
auto side_of(pagelocked_array<T, Port>& array) noexcept {
  copy_side<side_kind::pagelocked, T, Port> side;
  side.address = array.data();
  side.size = array.size();
  side.keep_alive = array.keep_alive();
  side.context = array.context_of().native_handle();
  return side;
}
template <class T, class Port>
auto side_of(const pagelocked_array<T, Port>& array) noexcept {
  copy_side<side_kind::pagelocked, const T, Port> side;
  side.address = array.data();
  side.size = array.size();
  side.keep_alive = array.keep_alive();
  side.context = array.context_of().native_handle();
  return side;
}
template <class T, class Port>
auto side_of(const pagelocked_span<T, Port>& part) noexcept {
  copy_side<side_kind::pagelocked, T, Port> side;
  side.address = part.data();
  side.size = part.size();
  side.keep_alive = part.keep_alive();
  side.context = part.context_of().native_handle();
  return side;
}
template <class T, class Port>
auto side_of(const device_span<T, Port>& span) noexcept {
  copy_side<side_kind::memory, T, Port> side;
  side.memory = span.native_handle();
  side.first = span.offset();
  side.size = span.size();
  side.context = span.native_context();
  side.maps = span.maps();
  return side;
}
template <class T, class Port>
auto side_of(device_allocation<T, Port>& allocation) noexcept {
  copy_side<side_kind::memory, T, Port> side;
  side.memory = allocation.native_handle();
  side.size = allocation.size();
  side.context = allocation.context_of().native_handle();
  side.maps = allocation.maps();
  return side;
}
template <class T, class Port>
auto side_of(const device_allocation<T, Port>& allocation) noexcept {
  copy_side<side_kind::memory, const T, Port> side;
  side.memory = allocation.native_handle();
  side.size = allocation.size();
  side.context = allocation.context_of().native_handle();
  side.maps = allocation.maps();
  return side;
}

}  // namespace detail

/// A box within a host range or device memory; `strided` makes it.
template <class Base>
struct strided_view {
  Base* base;
  box_layout box;
};
/// The same for a view that is a value itself: `strided(x.span(), ...)`.
template <class View>
struct strided_value {
  View base;
  box_layout box;
};

namespace detail {
template <class>
inline constexpr bool is_view_value = false;
template <class T, std::size_t Extent>
inline constexpr bool is_view_value<std::span<T, Extent>> = true;
template <class T, class Port>
inline constexpr bool is_view_value<device_span<T, Port>> = true;
template <class T, class Port>
inline constexpr bool is_view_value<pagelocked_span<T, Port>> = true;

template <class View>
auto side_of(const strided_value<View>& view) noexcept {
  auto side = side_of(view.base);
  side.box = view.box;
  side.strided = true;
  return side;
}
template <class Base>
auto side_of(const strided_view<Base>& view) noexcept {
  auto side = side_of(*view.base);
  side.box = view.box;
  side.strided = true;
  return side;
}
/// Returns: the description of a side, also of the memories that only one backend has.
template <class X>
auto describe_side(X& x) noexcept -> decltype(side_of(x)) {
  return side_of(x);
}
template <class X>
concept copyable_side = requires(X& x) { describe_side(x); };
}  // namespace detail

namespace detail {
/// Returns: the box with its pitches filled in. Throws: `logic_error` when it does not fit a range of `size` elements.
YOKE_API box_layout checked_box(box_layout box, std::size_t size, const source_location& where);
}  // namespace detail

/// A 2D or 3D box of a range: rows of `width` elements, `row_pitch` elements apart.
/// Requires: the range outlives the view; for a span, its memory does.
/// Throws: `logic_error` when a pitch is smaller than its row or slice, or the box leaves the range.
/// Thread safety: a value. Units: elements.
/// Example: `yoke::strided(image, {.width = 96, .height = 128, .row_pitch = 300, .offset = 20 * 300 + 13})`
template <class Base>
  requires detail::copyable_side<Base>
[[nodiscard]] strided_view<Base> strided(Base& base, const box_layout& box,
                                         const source_location& where = source_location::current()) {
  return {&base, detail::checked_box(box, detail::describe_side(base).size, where)};
}
template <class View>
  requires(detail::is_view_value<View> && detail::copyable_side<View>)
[[nodiscard]] strided_value<View> strided(View&& view, const box_layout& box,
                                          const source_location& where = source_location::current()) {
  return {view, detail::checked_box(box, detail::describe_side(view).size, where)};
}

}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_HEADER_ONLY)
#include <yoke/memory/impl/copy_side.ipp>
#endif

#endif
