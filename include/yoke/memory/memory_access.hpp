// SPDX-License-Identifier: MIT
// The trait that describes a type of memory to copies, fills and kernel arguments.
#ifndef YOKE_MEMORY_MEMORY_ACCESS_HPP
#define YOKE_MEMORY_MEMORY_ACCESS_HPP

#include <yoke/core/shared.hpp>
#include <yoke/execution/memory_uses.hpp>
#include <yoke/memory/box.hpp>
#include <yoke/memory/map_count.hpp>

namespace yoke::inline v0_1 {

/// Describes memory of the non-const type `Memory` to `copy`, `copy_async`, `enqueue_copy`, `fill`, `to_host` and
/// kernel arguments. Specialise it for your own type to use its objects in copies and as arguments.
///
/// A specialisation has a function `describe(Memory&)`, with an overload for `const Memory&` if constant memory can be
/// read. It returns a `memory_side`, or memory that already has a description, such as a `device_span`. It does not
/// throw; empty memory has a null context. An optional function `kept(const Memory&)` returns the `kept_alive` that a
/// graph's command keeps; without it, the command keeps the side's `keep_alive`. The names `whole` and `launched` are
/// reserved for the library's shortcuts.
/// Example: `template <> struct yoke::memory_access<blob> {
///             static yoke::device_span<float> describe(const blob& b) noexcept { return {b.context, b.handle, 0,
///             b.count}; } };`
template <class Memory>
struct memory_access;

/// Stands for the port of pageable host memory.
struct no_port {
  struct none {
    friend bool operator==(none, none) noexcept = default;
  };
  using memory_handle = none;
  using context_handle = none;
};

namespace detail {
/// The port of the streams that use memory; `void` for pageable host memory.
template <class Port>
using port_of_uses = std::conditional_t<std::same_as<Port, no_port>, void, Port>;
}  // namespace detail

/// A share of an object that a copy in flight keeps alive.
using kept_alive = detail::shared<const void>;
/// Returns: a share of `owner`, which then lives until the copies that hold the share are done.
/// Throws: `std::bad_alloc`. Thread safety: safe. Example: `side.keep_alive = yoke::keep_alive(some_shared_ptr);`
template <class Owner>
[[nodiscard]] kept_alive keep_alive(Owner owner) {
  return detail::make_shared<const Owner>(std::move(owner));
}

/// Memory, or a box of it, as a side of a copy. `Place` says where the memory is and how it is copied; `T` is const for
/// read-only memory. Units: elements.
template <class Place, class T>
struct memory_side {
  using place = Place;
  using element = T;
  using port = typename Place::port;

  typename Place::template location<T> at{};  ///< an address, or a native handle and the first element
  std::size_t size = 0;                       ///< the elements behind `at`
  typename port::context_handle context{};    ///< null when empty, and for pageable memory
  kept_alive keep_alive{};   ///< lives until an asynchronous copy is done; null if the caller keeps the memory
  detail::map_watch maps{};  ///< the views that map the memory for the host
  box_layout box{};          ///< the box if `strided`; else the axes of an array, or width 0
  bool strided = false;
  /// Why this memory cannot be used now, as the end of a message: "is not contiguous"; null if it can.
  const char* refusal = nullptr;
  detail::uses_of_memory<detail::port_of_uses<port>> uses{};  ///< for arrays, which order the streams that use them

  /// The box; without one, all elements as one row.
  [[nodiscard]] box_layout layout() const noexcept { return strided ? box : box_layout{size, 1, 1, size, size, 0}; }
};

/// A kernel argument: a native handle with an offset, or an address of shared virtual memory.
template <class Port>
struct memory_argument {
  typename Port::memory_handle memory{};
  std::size_t offset_bytes = 0;
  const void* address = nullptr;
  bool by_address = false;
};

/// Pageable host memory, whose copies block.
struct pageable_place {
  using port = no_port;
  template <class T>
  using location = T*;
  static constexpr bool on_host = true;
};

/// Page-locked host memory, whose copies may be asynchronous.
template <class Port>
struct pagelocked_place {
  using port = Port;
  template <class T>
  using location = T*;
  static constexpr bool on_host = true;
};

/// Device memory behind a native handle; defined in <yoke/memory/device_place.hpp>.
///
/// Other places have the same members: `port`, `location`, `on_host`, `first`, `share_base`, `copy`, and
/// `copies_with<Other>`, whether `copy` takes `Other` as the other side. Optional members: `fill`, or `fill_box` for
/// boxes, if the memory can be filled; `argument` if kernels take it; `between_contexts` if it copies between contexts;
/// `is_recorded` if graphs record its copies and fills; `is_called` if it records them itself, by `record_copy` and
/// `record_fill`; `is_opaque` if its elements have no addresses; `notes_uses` if its memory keeps the streams that use
/// it.
template <class Port>
struct device_place;

namespace detail {

/// Places that ports copy themselves, also in lists and graphs: device memory and page-locked host memory.
template <class Place, class Port>
concept plain_place = std::same_as<Place, device_place<Port>> || std::same_as<Place, pagelocked_place<Port>>;

/// A contiguous range in pageable host memory.
template <class R>
concept pageable_range = requires(R& range) {
  { std::data(range) } -> std::convertible_to<const void*>;
  { std::size(range) } -> std::convertible_to<std::size_t>;
} && !requires { typename std::remove_cvref_t<R>::port_type; };

template <class Side>
inline constexpr bool is_memory_side = false;
template <class Place, class T>
inline constexpr bool is_memory_side<memory_side<Place, T>> = true;

/// Returns: the description of memory as a `memory_side`.
template <class Memory>
[[nodiscard]] auto describe(Memory& memory) noexcept
  requires requires { memory_access<std::remove_const_t<Memory>>::describe(memory); }
{
  auto described = memory_access<std::remove_const_t<Memory>>::describe(memory);
  if constexpr (is_memory_side<decltype(described)>) {
    return described;
  } else {
    return describe(described);
  }
}

/// Returns: the share that a graph's command keeps: `kept` of the memory's access if it has one, else the `keep_alive`
/// of the side.
template <class Memory>
[[nodiscard]] kept_alive kept_with(Memory& memory) noexcept {
  using access = memory_access<std::remove_const_t<Memory>>;
  if constexpr (requires { access::kept(memory); }) {
    return access::kept(memory);
  } else {
    return detail::describe(memory).keep_alive;
  }
}

/// `T`, const if its owner is.
template <class Owner, class T>
using element_of = std::conditional_t<std::is_const_v<Owner>, const T, T>;

/// A side of a copy that is a whole range of the stream's own context, for copies of one driver call; `unusual` is not
/// 0 if it is not. A `memory_access` that supports such copies returns it from a function `whole`.
template <class Port>
struct whole_side {
  std::uintptr_t unusual = 1;  // 0: the direct copy is allowed
  std::size_t size = 0;        // elements
  std::size_t first = 0;       // the first element's index in `memory`
  typename Port::memory_handle memory{};
  const void* address = nullptr;  // set for page-locked memory

  /// Returns: the address for messages. `element` is the element size in bytes.
  [[nodiscard]] std::uint64_t at(std::size_t element) const noexcept {
    return address != nullptr ? reinterpret_cast<std::uintptr_t>(address) : native_value(memory) + first * element;
  }
};
/// Returns: 0 if the addresses are equal, else another number.
[[nodiscard, gnu::always_inline]] inline std::uintptr_t difference(const void* left, const void* right) noexcept {
  return reinterpret_cast<std::uintptr_t>(left) ^ reinterpret_cast<std::uintptr_t>(right);
}

/// Memory whose native handle a launch can pass on by address, after a check of its context and views. A
/// `memory_access` that supports this returns it from a function `launched`.
template <class Port>
struct launched_memory {
  const typename Port::memory_handle* place = nullptr;  // null: the launch has to describe the memory instead
  const context<Port>* in = nullptr;                    // the memory's context; null: compare `native_context`
  const map_counter* maps = nullptr;
  typename Port::context_handle native_context{};
  uses_of_memory<Port> uses{};
};

/// Returns: how to copy one side to the other. Throws: as `plan_copy`, and as `check_axes` for an array and a box.
template <class Source, class Destination>
[[nodiscard]] copy_plan plan_sides(const Source& source, const Destination& destination, const source_location& where) {
  if (source.strided != destination.strided) {
    check_axes(source.strided ? destination.box : source.box, source.strided ? source.box : destination.box, where);
  }
  return plan_copy(source.layout(), source.strided, destination.layout(), destination.strided, where);
}

}  // namespace detail

/// Memory that copies and fills take: `memory_access` describes it.
template <class Memory>
concept accessible_memory = requires(Memory& memory) { detail::describe(memory); };

template <detail::pageable_range Range>
struct memory_access<Range> {
  template <class R>
  static auto describe(R& range) noexcept {
    memory_side<pageable_place, std::remove_pointer_t<decltype(std::data(range))>> side;
    side.at = std::data(range);
    side.size = static_cast<std::size_t>(std::size(range));
    return side;
  }
};

/// A box within a host range or device memory; `strided` makes it.
template <class Base>
struct strided_view {
  Base* base;
  box_layout box;
};
/// The same for a base that is a view, held by value: `strided(x.span(), ...)`.
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

template <class Side>
[[nodiscard]] Side boxed(Side side, const box_layout& box) noexcept {
  side.box = box;
  side.strided = true;
  return side;
}
template <class Type>
inline constexpr bool is_a_stream = false;
template <class Port>
inline constexpr bool is_a_stream<stream<Port>> = true;

/// Throws: `logic_error` for memory that cannot be a side of a copy in this stream.
/// Effects: notes the stream in memory that keeps the streams which use it; does not note a graph's recorder.
template <class Stream, class Side>
void check_side(const Stream& stream, const Side& side, const char* name, const source_location& where,
                bool of_any_context = false) {
  if constexpr (!std::same_as<typename Side::place, pageable_place>) {
    if (side.context == typename Stream::port_type::context_handle{}) {
      throw_error(errc::empty_handle, text("the ", name, " is empty (moved from, released or never set)"), where);
    }
    if (!of_any_context && !(side.context == stream.context_of().native_handle())) {
      throw_error(errc::wrong_context,
                  text("the ", name, " is of another context than the ", is_a_stream<Stream> ? "stream" : "graph"),
                  where);
    }
    check_not_mapped(side.maps, name, where);
  }
  if (side.refusal != nullptr) [[unlikely]]
    throw_error(errc::invalid_argument, text("the ", name, " ", side.refusal), where);
  if constexpr (requires { Side::place::notes_uses; } && is_a_stream<Stream>) {
    if (use_notes* const notes = side.maps.notes()) notes->note(stream.native_handle(), where);
  }
}

}  // namespace detail

template <class Base>
struct memory_access<strided_view<Base>> {
  static auto describe(const strided_view<Base>& view) noexcept {
    return detail::boxed(detail::describe(*view.base), view.box);
  }
  static kept_alive kept(const strided_view<Base>& view) noexcept { return detail::kept_with(*view.base); }
};
template <class View>
struct memory_access<strided_value<View>> {
  static auto describe(const strided_value<View>& view) noexcept {
    return detail::boxed(detail::describe(view.base), view.box);
  }
  static kept_alive kept(const strided_value<View>& view) noexcept { return detail::kept_with(view.base); }
};

/// A 2D or 3D box of a range: rows of `width` elements, `row_pitch` elements apart.
/// Requires: the range, or the memory of a span, outlives the view.
/// Throws: `logic_error` when a pitch is smaller than its row or slice, or the box leaves the range.
/// Thread safety: a value. Units: elements.
/// Example: `yoke::strided(image, {.width = 96, .height = 128, .row_pitch = 300, .offset = 20 * 300 + 13})`
template <accessible_memory Base>
[[nodiscard]] strided_view<Base> strided(Base& base, const box_layout& box,
                                         const source_location& where = source_location::current()) {
  return {&base, detail::checked_box(box, detail::describe(base).size, where)};
}
template <accessible_memory View>
  requires(detail::is_view_value<View>)
[[nodiscard]] strided_value<View> strided(View&& view, const box_layout& box,
                                          const source_location& where = source_location::current()) {
  return {view, detail::checked_box(box, detail::describe(view).size, where)};
}

}  // namespace yoke::inline v0_1

#endif
