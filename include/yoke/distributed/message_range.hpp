// SPDX-License-Identifier: MIT
// The memory that ranks send, receive and reduce, as plain numbers for every transport.
#ifndef YOKE_DISTRIBUTED_MESSAGE_RANGE_HPP
#define YOKE_DISTRIBUTED_MESSAGE_RANGE_HPP

#include <yoke/array/storage/device_value.hpp>
#include <yoke/core/type_name.hpp>

#include <string>

namespace yoke::inline v0_1::detail {

/// Memory that transports do not take as it is, because it has gaps or is of a special kind. It travels as a dense
/// copy, in C order.
template <class Port>
class packed_memory {
 public:
  packed_memory() noexcept = default;
  packed_memory(const packed_memory&) = delete;
  packed_memory& operator=(const packed_memory&) = delete;
  virtual ~packed_memory() = default;

  /// Effects: enqueues a copy of the elements to dense memory, also to that of another context if the stream's one has
  /// access to it. Throws: as `copy`.
  virtual void pack(const stream<Port>& in, const device_span<std::byte, Port>& to,
                    const source_location& where) const = 0;
  /// Effects: enqueues a copy of dense memory to the elements. Throws: as `copy`; `logic_error` for const elements.
  virtual void unpack(const stream<Port>& in, const device_span<std::byte, Port>& from,
                      const source_location& where) const = 0;
};

/// A range of a message. Units: bytes.
template <class Port>
struct message_range {
  typename Port::memory_handle memory{};  // of device memory, and its first byte
  std::size_t first = 0;
  std::byte* host = nullptr;  // the first byte of page-locked memory; null for device memory
  std::size_t bytes = 0;
  std::size_t element = 1;        // the size of an element
  const char* type = "";          // its name in kernels; "" for a type without one
  const void* type_id = nullptr;  // equal for equal types of elements of this program
  typename Port::context_handle context{};
  map_watch maps{};
  uses_of_memory<Port> uses{};
  kept_alive keep_alive{};
  const char* refusal = nullptr;                // why the memory cannot be used now; null if it can
  shared<const packed_memory<Port>> packing{};  // not null: `memory` and `host` are empty

  [[nodiscard]] std::size_t count() const noexcept { return bytes / element; }
  /// Returns: the count and the type, for messages: "1024 float".
  [[nodiscard]] std::string words() const {
    if (*type != '\0') return text(count(), " ", type);
    return text(count(), " elements of ", element, " bytes");
  }
  /// The range as device memory. Requires: neither `host` nor `packing` is set.
  [[nodiscard]] memory_side<device_place<Port>, std::byte> device_side() const {
    return {.at = {memory, first},
            .size = bytes,
            .context = context,
            .keep_alive = keep_alive,
            .maps = maps,
            .refusal = refusal,
            .uses = uses};
  }
  /// The range as page-locked memory. Requires: `host` is set.
  [[nodiscard]] memory_side<pagelocked_place<Port>, std::byte> host_side() const {
    return {.at = host,
            .size = bytes,
            .context = context,
            .keep_alive = keep_alive,
            .maps = maps,
            .refusal = refusal,
            .uses = uses};
  }
};

template <class T>
inline constexpr char type_id_of = 0;

/// Effects: enqueues a copy of one side to the other. Throws: as `copy`.
template <class From, class To, class Port>
void enqueue_sides(const From& from, const To& to, const stream<Port>& in, const source_location& where) {
  other_streams<Port> operation(in);
  const copy_plan plan = prepare_copy(operation, in, from, to, where);
  if (!plan.nothing) start_copy(in, from, to, plan, completion<typename Port::event_handle>::unwatched(), where);
}

/// An array's view with gaps, or in F order.
template <class T, std::size_t Rank, class Port>
class packed_view final : public packed_memory<Port> {
 public:
  explicit packed_view(device_view<T, Rank, Port> of) noexcept : of_(std::move(of)) {}
  void pack(const stream<Port>& in, const device_span<std::byte, Port>& to,
            const source_location& where) const override {
    const auto own = of_.memory().context;
    if (to.native_context() == own) return detail::assign_in(in, dense(in, to, where), of_, where);
    if (of_.is_c_contiguous()) {  // as bytes: the memory may begin at no multiple of an element
      const array_memory<Port>& memory = of_.memory();
      const memory_side<device_place<Port>, std::byte> from{.at = {memory.memory, of_.layout().offset_bytes()},
                                                            .size = of_.size() * sizeof(T),
                                                            .context = own,
                                                            .keep_alive = of_.keep_alive(),
                                                            .maps = memory.maps,
                                                            .uses = memory.uses};
      auto into = to;
      return detail::enqueue_sides(from, detail::describe(into), in, where);
    }
    detail::assign_in(in, dense(in, {own, to.native_handle(), to.offset(), to.size(), to.maps()}, where), of_, where);
  }
  void unpack(const stream<Port>& in, const device_span<std::byte, Port>& from,
              const source_location& where) const override {
    if constexpr (std::is_const_v<T>) {
      throw_error(errc::invalid_argument, "the elements to receive are const", where);
    } else {
      detail::assign_in(in, of_, dense(in, from, where), where);
    }
  }

 private:
  using value_type = std::remove_const_t<T>;
  [[nodiscard]] device_view<value_type, Rank, Port> dense(const stream<Port>& in,
                                                          const device_span<std::byte, Port>& memory,
                                                          const source_location& where) const {
    const array_layout<Rank> plain(of_.layout().shape(), sizeof(T), array_order::c, where);
    return {array_memory<Port>{memory.native_handle(), memory.offset() + memory.size(), memory.native_context(),
                               memory.maps()},
            in, array_layout<Rank>(plain.shape(), plain.strides(), memory.offset(), sizeof(T), where)};
  }
  device_view<T, Rank, Port> of_;
};

/// Memory of a kind that only copies know: shared virtual memory, boxes of rows.
template <class Side, class Port>
class packed_side final : public packed_memory<Port> {
 public:
  explicit packed_side(Side of) noexcept : of_(std::move(of)) {}
  void pack(const stream<Port>& in, const device_span<std::byte, Port>& to,
            const source_location& where) const override {
    auto into = dense(to);
    detail::enqueue_sides(of_, detail::describe(into), in, where);
  }
  void unpack(const stream<Port>& in, const device_span<std::byte, Port>& from,
              const source_location& where) const override {
    if constexpr (std::is_const_v<typename Side::element>) {
      throw_error(errc::invalid_argument, "the elements to receive are const", where);
    } else {
      const auto of = dense(from);
      detail::enqueue_sides(detail::describe(of), of_, in, where);
    }
  }

 private:
  using value_type = std::remove_const_t<typename Side::element>;
  /// Requires: the memory begins at a multiple of an element.
  [[nodiscard]] static device_span<value_type, Port> dense(const device_span<std::byte, Port>& memory) noexcept {
    return {memory.native_context(), memory.native_handle(), memory.offset() / sizeof(value_type),
            memory.size() / sizeof(value_type), memory.maps()};
  }
  Side of_;
};

/// Memory that messages take: it has a description, is no pageable memory, and is of the port.
template <class Range, class Port>
concept message_memory =
    accessible_memory<Range> && std::same_as<typename decltype(detail::describe(std::declval<Range&>()))::port, Port>;

template <class Range>
using message_element = std::remove_const_t<typename decltype(detail::describe(std::declval<Range&>()))::element>;
/// Whether the elements of a range cannot be written.
template <class Range>
inline constexpr bool is_const_message =
    std::is_const_v<typename decltype(detail::describe(std::declval<Range&>()))::element>;

/// Returns: an array or a view as a view.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_view<T, Rank, Port> view_of_message(const device_view<T, Rank, Port>& of,
                                                         const source_location&) noexcept {
  return of;
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_view<T, Rank, Port> view_of_message(device_array<T, Rank, Port>& of,
                                                         const source_location& where) {
  return of.view(where);
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_view<const T, Rank, Port> view_of_message(const device_array<T, Rank, Port>& of,
                                                               const source_location& where) {
  return of.view(where);
}

/// Returns: memory as a range of a message. Throws: `logic_error` for an empty array; `std::bad_alloc`.
template <class Port, class Range>
  requires message_memory<Range, Port>
[[nodiscard]] message_range<Port> message_of(Range& range, const source_location& where) {
  auto side = detail::describe(range);
  using side_type = decltype(side);
  using place = typename side_type::place;
  using element = std::remove_const_t<typename side_type::element>;
  static_assert(std::is_trivially_copyable_v<element>, "messages hold trivially copyable elements");
  message_range<Port> made;
  made.bytes = (side.strided ? volume(side.box) : side.size) * sizeof(element);
  made.element = sizeof(element);
  made.type = device_type_name<element>;
  made.type_id = &type_id_of<element>;
  made.context = side.context;
  made.maps = side.maps;
  made.keep_alive = side.keep_alive;
  if constexpr (requires { view_of_message(range, where); }) {
    const auto view = view_of_message(range, where);
    made.bytes = view.size() * sizeof(element);
    if (made.bytes != 0 && (!view.is_c_contiguous() || view.layout().offset_bytes() % sizeof(element) != 0)) {
      using packed = packed_view<typename decltype(view)::element_type, decltype(view)::rank(), Port>;
      made.packing = detail::make_shared<const packed>(view);
      return made;
    }
  } else if constexpr (!plain_place<place, Port>) {
    made.refusal = side.refusal;
    made.packing = detail::make_shared<const packed_side<side_type, Port>>(std::move(side));
    return made;
  } else {
    if (side.strided && made.bytes != 0) {
      made.refusal = side.refusal;
      made.packing = detail::make_shared<const packed_side<side_type, Port>>(std::move(side));
      return made;
    }
  }
  if constexpr (plain_place<place, Port>) {
    made.refusal = side.refusal;
    made.uses = side.uses;
    if constexpr (place::on_host) {
      made.host = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(side.at));
    } else {
      made.memory = side.at.memory;
      made.first = side.at.first * sizeof(element);
    }
  }
  return made;
}

}  // namespace yoke::inline v0_1::detail

#endif
