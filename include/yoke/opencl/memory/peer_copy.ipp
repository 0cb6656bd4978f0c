// SPDX-License-Identifier: MIT
// Bodies of opencl/memory/peer_copy.hpp.
#ifndef YOKE_OPENCL_MEMORY_PEER_COPY_IPP
#define YOKE_OPENCL_MEMORY_PEER_COPY_IPP

#include <yoke/opencl/memory/peer_copy.hpp>

namespace yoke::inline v0_1::opencl::detail {

event copy_to_peer(const peer_side& source, const peer_side& destination, std::size_t element_bytes,
                   const stream& order, const wait_list& after, const source_location& where) {
  using yoke::detail::throw_error;
  if (!order) yoke::detail::throw_empty_handle("stream", where);
  if (source.context == nullptr)
    throw_error(errc::empty_handle, "the source is empty (moved from or never set)", where);
  if (destination.context == nullptr) {
    throw_error(errc::empty_handle, "the destination is empty (moved from or never set)", where);
  }
  if (source.context != order.context_of().native_handle()) {
    throw_error(errc::wrong_context, "the source is of another context than the stream", where);
  }
  if (destination.context == source.context) {
    throw_error(errc::wrong_context, "both sides are of one context: use yoke::copy", where);
  }
  if (source.size != destination.size) {
    throw_error(errc::size_mismatch, where, "the source has ", source.size, " elements, the destination ",
                destination.size);
  }
  yoke::detail::check_not_mapped(source.maps, "source", where);
  yoke::detail::check_not_mapped(destination.maps, "destination", where);
  const port& with = order.context_of().port(where);
  return event::own(order.origin(),
                    with.copy_to_peer(order.native_handle(), source.memory, destination.memory,
                                      source.size * element_bytes, after.view(order.context_of(), where), where));
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
