// SPDX-License-Identifier: MIT
// Copies between the memory of two contexts, without the host, if the devices support it.
#ifndef YOKE_OPENCL_MEMORY_PEER_COPY_HPP
#define YOKE_OPENCL_MEMORY_PEER_COPY_HPP

#include <yoke/driver/opencl/memory/buffer.hpp>
#include <yoke/memory/copy.hpp>
#include <yoke/opencl/memory/map.hpp>

#include <concepts>

namespace yoke::inline v0_1::opencl {

namespace detail {
/// A side of a copy between contexts.
struct peer_side {
  abi::context context = nullptr;
  buffer_part memory{};
  std::size_t size = 0;  ///< elements
  yoke::detail::map_watch maps{};
};
template <class Memory>
using peer_memory = decltype(yoke::detail::describe(std::declval<Memory&>()));
template <class Memory>
concept peer_copied = std::same_as<typename peer_memory<Memory>::place, device_place<port>>;

template <class Memory>
[[nodiscard]] peer_side peer_side_of(Memory& memory) {
  const auto side = yoke::detail::describe(memory);
  using T = typename peer_memory<Memory>::element;
  return {side.context, {side.at.memory, side.at.first * sizeof(T)}, side.size, side.maps};
}
YOKE_API event copy_to_peer(const peer_side& source, const peer_side& destination, std::size_t element_bytes,
                            const stream& order, const wait_list& after, const source_location& where);
}  // namespace detail

/// Copies memory of the stream's context to memory of another one: `copy_to_peer(x, y, stream)`. Each is an allocation,
/// a span or a sub-buffer, which the caller keeps alive until the copy is done.
/// Returns: the event of the copy. Throws: `unsupported_error` if the stream's device has no `cl_amd_copy_buffer_p2p`,
/// also for zero elements; `logic_error` when sizes differ, when memory is empty or mapped, when the source's context
/// is not the stream's, and when both have the same context; `error`. Thread safety: safe. Wraps
/// `clEnqueueCopyBufferP2PAMD`.
template <detail::peer_copied Source, detail::peer_copied Destination>
event copy_to_peer(const Source& source, Destination&& destination, const stream& order,
                   const map_options& options = {}, const source_location& where = source_location::current()) {
  using T = typename detail::peer_memory<std::remove_reference_t<Destination>>::element;
  static_assert(!std::is_const_v<T>, "the destination's elements are const");
  static_assert(std::same_as<std::remove_const_t<typename detail::peer_memory<const Source>::element>, T>,
                "both sides have the same element type");
  yoke::detail::other_streams<port> operation(order);
  yoke::detail::use_side(operation, yoke::detail::describe(source), yoke::detail::memory_use::reads, where);
  return detail::copy_to_peer(detail::peer_side_of(source), detail::peer_side_of(destination), sizeof(T), order,
                              options.after, where);
}

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/opencl/memory/peer_copy.ipp>
#endif

#endif
