// SPDX-License-Identifier: MIT
// Usual sides of a copy, which need no closer look, and copies between them by one driver call.
#ifndef YOKE_MEMORY_USUAL_SIDE_HPP
#define YOKE_MEMORY_USUAL_SIDE_HPP

#include <yoke/memory/copy_side.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace yoke::inline YOKE_ABI::detail {

/// Returns: whether a backend's memory handles are addresses, which show overlaps. Costs no driver call.
template <class Port>
bool memory_is_address(const Port& port) noexcept {
  if constexpr (requires { port.memory_is_address(); }) {
    return port.memory_is_address();
  } else {
    return std::integral<typename Port::memory_handle>;
  }
}

/// A side of a copy that is a whole piece of memory of the stream's own context; otherwise `unusual` is not 0. It is a
/// number, so that one branch answers several questions.
template <class Port>
struct usual_side {
  std::uintptr_t unusual = 1;  // 0 where it is not
  std::size_t size = 0;        // elements
  std::size_t first = 0;       // of `memory`
  typename Port::memory_handle memory{};
  const void* address = nullptr;  // of page-locked memory

  /// The address that messages show. Units: bytes.
  [[nodiscard]] std::uint64_t at(std::size_t element) const noexcept {
    return address != nullptr ? reinterpret_cast<std::uintptr_t>(address) : native_value(memory) + first * element;
  }
};
/// Returns: 0 for the same address.
[[nodiscard, gnu::always_inline]] inline std::uintptr_t difference(const void* left, const void* right) noexcept {
  return reinterpret_cast<std::uintptr_t>(left) ^ reinterpret_cast<std::uintptr_t>(right);
}
template <class T, class Port>
[[gnu::always_inline]] inline usual_side<Port> usual_side_of(const context_state<Port>& in,
                                                             const device_allocation<T, Port>& memory) noexcept {
  return {difference(memory.context_of().shared(), &in), memory.size(), 0, memory.native_handle(), nullptr};
}
template <class T, class Port>
[[gnu::always_inline]] inline usual_side<Port> usual_side_of(const context_state<Port>& in,
                                                             const device_span<T, Port>& memory) noexcept {
  // Another state of the same native context may count the views: the span asks its own.
  const bool usual = memory.native_context() == in.native && !(map_port<Port> && memory.maps().mapped());
  return {usual ? 0u : 1u, memory.size(), memory.offset(), memory.native_handle(), nullptr};
}
template <class T, class Port>
[[gnu::always_inline]] inline usual_side<Port> usual_side_of(const context_state<Port>& in,
                                                             const pagelocked_array<T, Port>& memory) noexcept {
  const std::uintptr_t unusual = difference(memory.context_of().shared(), &in);
  return {unusual, memory.size(), 0, {}, memory.data()};
}
template <class T, class Port>
[[gnu::always_inline]] inline usual_side<Port> usual_side_of(const context_state<Port>& in,
                                                             const pagelocked_span<T, Port>& part) noexcept {
  return {difference(part.context_of().shared(), &in), part.size(), 0, {}, part.data()};
}
/// Whether a view maps a side of a copy for the host.
template <class Side>
bool has_view(const Side& side) noexcept {
  if constexpr (requires { side.maps().mapped(); }) {
    return side.maps().mapped();
  } else if constexpr (requires { side.maps()->views; }) {
    return side.maps() != nullptr && side.maps()->views.load(order::relaxed) != 0;
  } else {
    return false;
  }
}
template <class Source, class Destination>
[[gnu::noinline, gnu::cold]] bool is_either_mapped(const Source& source, const Destination& destination) noexcept {
  return has_view(source) || has_view(destination);
}
/// The same for both sides of a copy; one load while nothing at all is mapped.
template <class Port, class Source, class Destination>
[[nodiscard, gnu::always_inline]] inline bool are_mapped(const Port& port, const Source& source,
                                                         const Destination& destination) noexcept {
  return are_views(port) && is_either_mapped(source, destination);
}
/// Returns: whether a copy of one whole range to another needs a closer look: a side is unusual, sizes differ or are 0, or
/// the sides may overlap.
template <class Element, bool HostSide, class Port>
[[nodiscard, gnu::always_inline]] inline bool is_unusual(const Port& port, const usual_side<Port>& from,
                                                         const usual_side<Port>& to) noexcept {
  if ((from.unusual | to.unusual | (from.size ^ to.size)) != 0) [[unlikely]]
    return true;
  if (from.size == 0) [[unlikely]]
    return true;
  if constexpr (!HostSide) {
    if (memory_is_address(port)) {
      const std::uintptr_t first = native_value(from.memory) + from.first * sizeof(Element);
      const std::uintptr_t second = native_value(to.memory) + to.first * sizeof(Element);
      const std::uintptr_t last = from.size * sizeof(Element) - 1;
      return first - second + last <= 2 * last;  // one comparison for the distance in both directions
    }
    return from.memory == to.memory;
  }
  return false;
}
/// Effects: enqueues the copy of one whole range to another, if that is one command and needs no closer look. `done`, if
/// given, is the address of an event handle, which takes the copy's event.
/// Returns: the driver's code, or `direct_unusual`.
template <class Element, bool HostSource, bool HostDestination, class Port, class... Done>
[[gnu::always_inline]] inline std::int32_t enqueue_usual_copy(const Port& port, typename Port::stream_handle stream,
                                                              const usual_side<Port>& from, const usual_side<Port>& to,
                                                              Done*... done) noexcept {
  if (is_unusual < Element, HostSource || HostDestination > (port, from, to)) [[unlikely]]
    return direct_unusual;
  const std::size_t bytes = from.size * sizeof(Element);
  const std::size_t source = from.first * sizeof(Element);
  const std::size_t destination = to.first * sizeof(Element);
  if constexpr (HostSource) {
    return port.write_directly(stream, to.memory, destination, from.address, bytes, done...);
  } else if constexpr (HostDestination) {
    return port.read_directly(stream, from.memory, source, const_cast<void*>(to.address), bytes, done...);
  } else {
    return port.copy_directly(stream, from.memory, source, to.memory, destination, bytes, done...);
  }
}

/// The same for ordinary host memory, and for sides that a copy may write.
template <class Port, pageable_range Range>
[[gnu::always_inline]] inline usual_side<Port> whole_side_of(const context_state<Port>&, Range& range) noexcept {
  return {0, static_cast<std::size_t>(std::size(range)), 0, {}, std::data(range)};
}
template <class Port, class Side>
  requires requires(const context_state<Port>& in, const Side& side) { usual_side_of(in, side); }
[[gnu::always_inline]] inline usual_side<Port> whole_side_of(const context_state<Port>& in, Side& side) noexcept {
  return usual_side_of(in, std::as_const(side));
}
template <class Source, class Destination, class Port>
concept copied_directly = requires(const context_state<Port>& in, const Source& from, Destination& to) {
  whole_side_of(in, from);
  whole_side_of(in, to);
};

/// Effects: runs `enqueue`, which enqueues one copy as several commands. When one is refused, waits for those before it:
/// the caller may free their memory as soon as this throws.
template <class Port, class Enqueue>
[[gnu::always_inline]] inline void all_or_wait(const Port& port, typename Port::stream_handle stream,
                                               const source_location& where, Enqueue&& enqueue) {
  try {
    enqueue();
  } catch (...) {
    try {
      port.synchronize(stream, where);
    } catch (...) {  // the first failure is thrown
    }
    throw;
  }
}

/// Effects: copies one whole range to another if that needs no closer look; then waits, or stores the event in `slot`.
/// Returns: whether it copied.
template <class Element, bool HostSource, bool HostDestination, bool Blocking, class Port>
bool copy_usual(const Port& port, typename Port::stream_handle stream, const usual_side<Port>& from,
                const usual_side<Port>& to, typename Port::event_handle* slot, const source_location& where) {
  if (is_unusual < Element, HostSource || HostDestination > (port, from, to)) [[unlikely]]
    return false;
  using how = completion<typename Port::event_handle>;
  const how done = Blocking ? how::blocking() : how::into(*slot);
  const std::size_t bytes = from.size * sizeof(Element);
  all_or_wait(port, stream, where, [&] {
    if constexpr (HostSource) {
      port.write(stream, to.memory, to.first * sizeof(Element), from.address, bytes, done, where);
    } else if constexpr (HostDestination) {
      port.read(stream, from.memory, from.first * sizeof(Element), const_cast<void*>(to.address), bytes, done, where);
    } else {
      port.copy(stream, from.memory, from.first * sizeof(Element), to.memory, to.first * sizeof(Element), bytes, done,
                where);
    }
  });
  return true;
}

/// Throws: the driver's reason for refusing a copy of one whole range to another.
template <class Element, bool HostSource, bool HostDestination, class Port>
[[noreturn, gnu::noinline, gnu::cold]] void throw_refused_copy(const Port& port, std::int32_t code,
                                                               const usual_side<Port>& from, const usual_side<Port>& to,
                                                               const source_location& where) {
  constexpr auto command = HostSource        ? direct_command::write
                           : HostDestination ? direct_command::read
                                             : direct_command::copy;
  port.refused(command, code, {from.at(sizeof(Element)), to.at(sizeof(Element)), from.size * sizeof(Element)}, where);
  __builtin_unreachable();  // it throws
}
/// Effects: starts the copy of one whole range to another if that needs no closer look, and stores its event in `done`.
/// Returns: whether it did.
template <class Element, bool HostSource, bool HostDestination, class Port>
[[gnu::always_inline]] inline bool start_usual_copy(const context_state<Port>& in, typename Port::stream_handle stream,
                                                    const usual_side<Port>& from, const usual_side<Port>& to,
                                                    typename Port::event_handle& done, const source_location& where) {
  const auto code_of = [&](auto*... place) __attribute__((always_inline)) {
    const std::int32_t code =
        enqueue_usual_copy<Element, HostSource, HostDestination>(in.port, stream, from, to, place...);
    if (code != 0 && code != direct_unusual) [[unlikely]]
      throw_refused_copy<Element, HostSource, HostDestination>(in.port, code, from, to, where);
    return code;
  };
  if constexpr (requires { requires Port::copies_give_events(); }) {
    return code_of(&done) == 0;
  } else {
    if constexpr (recorded_in_context<Port>) {
      bool apart = true;
      if constexpr (requires { in.port.copies_give_events(); }) apart = !in.port.copies_give_events();
      if (apart) {
        if (code_of() != 0) [[unlikely]]
          return false;
        all_or_wait(in.port, stream, where, [&] { done = in.port.record_in(in.native, stream, where); });
        return true;
      }
    }
    return copy_usual<Element, HostSource, HostDestination, false>(in.port, stream, from, to, &done, where);
  }
}

/// Whether usual copies between these are enqueued directly.
template <class Source, class Destination, class Port>
concept enqueued_directly =
    direct_enqueue_port<Port> && requires(const context_state<Port>& in, const Source& from, const Destination& to) {
      usual_side_of(in, from);
      usual_side_of(in, to);
    };

}  // namespace yoke::inline YOKE_ABI::detail

#endif
