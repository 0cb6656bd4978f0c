// SPDX-License-Identifier: MIT
// Parameters by which a program says where a new array gets its memory: a pool or a memory resource.
#ifndef YOKE_MEMORY_MEMORY_SOURCE_HPP
#define YOKE_MEMORY_MEMORY_SOURCE_HPP

#include <yoke/memory/device_allocation.hpp>

#include <concepts>
#include <type_traits>

namespace yoke::inline v0_1::detail {

template <class From, class Port>
inline constexpr bool is_memory_pool = false;
template <class Port, class Kind>
inline constexpr bool is_memory_pool<memory_pool<Port, Kind>, Port> = true;

/// Parameters that say where a new array gets its memory: a `memory_pool`, or a pointer to a `memory_resource`. Those
/// that give no memory for arrays are taken, too, for a message that says why.
template <class From, class Port>
concept memory_origin = is_memory_pool<From, Port> || memory_resource_pointer<From, Port> ||
                        (std::is_pointer_v<From> && std::convertible_to<From, const memory_resource<Port>*>);

/// Returns: the source of a pool or a resource. Throws: `logic_error` for a pool that was moved from, and a null
/// resource; `std::bad_alloc`.
template <class Port, memory_origin<Port> From>
[[nodiscard]] shared<memory_source<Port>> source_of(const From& from, const source_location& where) {
  if constexpr (std::is_pointer_v<From>) {
    static_assert(!std::same_as<From, From>, "arrays share their memory resource: pass a std::shared_ptr to it");
    return {};
  } else if constexpr (std::same_as<From, memory_pool<Port, device_memory>>) {
    return from.source(where);
  } else if constexpr (is_memory_pool<From, Port>) {
    static_assert(!std::same_as<From, From>,
                  "this pool has no device memory for arrays: make an allocation of it, and an array that takes that "
                  "over");
    return {};
  } else {
    (void)checked_resource(from, where);
    return resource_source<Port, From>::make(from);
  }
}

/// Returns: a handle of the stream whose arrays get their memory from a pool or a resource. Throws: as `source_of`;
/// `logic_error` for an empty stream.
template <class Port, memory_origin<Port> From>
[[nodiscard]] stream<Port> stream_with(const stream<Port>& order, const From& from, const source_location& where) {
  return order.another(source_of<Port>(from, where).get(), where);
}

}  // namespace yoke::inline v0_1::detail

#endif
