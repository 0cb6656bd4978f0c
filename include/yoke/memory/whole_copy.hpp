// SPDX-License-Identifier: MIT
// The fast path of copies: one whole range to another by one driver call.
#ifndef YOKE_MEMORY_WHOLE_COPY_HPP
#define YOKE_MEMORY_WHOLE_COPY_HPP

#include <yoke/memory/device_place.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace yoke::inline v0_1::detail {

template <class Memory, class Port>
concept copied_whole = requires(const Memory& memory, const context_state<Port>& in) {
  { memory_access<std::remove_const_t<Memory>>::whole(in, memory) } -> std::same_as<whole_side<Port>>;
};
template <class Memory, class Port>
[[gnu::always_inline]] inline whole_side<Port> whole_of(const context_state<Port>& in, const Memory& memory) noexcept {
  return memory_access<Memory>::whole(in, memory);
}
/// Whether copies between these types may be enqueued directly.
template <class Source, class Destination, class Port>
concept enqueued_directly = direct_enqueue_port<Port> && copied_whole<Source, Port> && copied_whole<Destination, Port>;

/// Returns: whether a copy of one whole range to another must leave the fast path: a side is unusual, sizes differ or
/// are 0, or the sides may overlap.
template <class Element, bool HostSide, class Port>
[[nodiscard, gnu::always_inline]] inline bool is_unusual(const Port& port, const whole_side<Port>& from,
                                                         const whole_side<Port>& to) noexcept {
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

/// Effects: enqueues a copy by one driver call, if it may take the fast path. `Views`: leaves the fast path while any
/// memory is mapped.
/// Returns: the driver's code; `direct_unusual` if nothing was enqueued.
template <direct_command Command, class Element, bool Views, class Source, class Destination, class Port>
[[nodiscard, gnu::always_inline]] inline std::int32_t enqueue_directly(const Source& source,
                                                                       const Destination& destination,
                                                                       const stream<Port>& stream) noexcept {
  const auto native = stream.native_handle();
  if (native == typename Port::stream_handle{}) [[unlikely]]
    return direct_unusual;
  const context_state<Port>& in = *stream.context_of().shared();
  if (Views && are_views(in.port)) [[unlikely]]
    return direct_unusual;
  const whole_side<Port> from = whole_of(in, source);
  const whole_side<Port> to = whole_of(in, destination);
  if (is_unusual<Element, Command != direct_command::copy>(in.port, from, to)) [[unlikely]]
    return direct_unusual;
  const std::size_t bytes = from.size * sizeof(Element);
  const std::size_t from_offset = from.first * sizeof(Element);
  const std::size_t to_offset = to.first * sizeof(Element);
  if constexpr (Command == direct_command::write) {
    return in.port.write_directly(native, to.memory, to_offset, from.address, bytes);
  } else if constexpr (Command == direct_command::read) {
    return in.port.read_directly(native, from.memory, from_offset, const_cast<void*>(to.address), bytes);
  } else {
    return in.port.copy_directly(native, from.memory, from_offset, to.memory, to_offset, bytes);
  }
}

/// Throws: the driver's error for a direct copy that it refused, unless the ordinary path may succeed.
template <class Element, class Port>
[[gnu::noinline, gnu::cold]] void check_refused_copy(const Port& port, typename Port::stream_handle stream,
                                                     direct_command command, std::int32_t code,
                                                     const whole_side<Port>& from, const whole_side<Port>& to,
                                                     const source_location& where) {
  const direct_sides sides{from.at(sizeof(Element)), to.at(sizeof(Element)), from.size * sizeof(Element)};
  if (!port_traits<Port>::wants_context(port, stream, command, code, sides)) port.refused(command, code, sides, where);
}

}  // namespace yoke::inline v0_1::detail

#endif
