// SPDX-License-Identifier: MIT
// Bodies of cuda/device/peer.hpp.
#ifndef YOKE_CUDA_DEVICE_PEER_IPP
#define YOKE_CUDA_DEVICE_PEER_IPP

#include <yoke/cuda/device/peer.hpp>

namespace yoke::inline v0_1::cuda {

bool can_access_peer(const device& from, const device& to, const source_location& where) {
  return from.port().can_access_peer(from.native_handle(), to.native_handle(), where);
}
peer_facts peer_facts_of(const device& from, const device& to, const source_location& where) {
  return from.port().facts_of_peer(from.native_handle(), to.native_handle(), where);
}

peer_access::peer_access(const context& from, const context& to, const source_location& where)
    : base(from, to.native_handle(), true, yoke::detail::context_reference<port>(to)) {
  try {
    (void)to.port(where);  // throws if empty
    from.port(where).enable_peer_access(from.native_handle(), to.native_handle(), where);
  } catch (...) {
    (void)this->release();
    throw;
  }
}
void peer_access::allow(const context& of, abi::device_pointer memory, const source_location& where) const {
  (void)this->use(where);
  if (of != peer()) {
    yoke::detail::throw_error(errc::wrong_context, "this memory is of another context than the peer", where);
  }
  const port& with = of.port(where);
  const abi::memory_pool pool = memory == 0 ? nullptr : with.pool_of(memory, where);
  if (pool == nullptr) return;
  const device_id here = context_of().devices(where).front().native_handle();
  if (with.pool_access(pool, here, where) == abi::access_flags::read_write) return;
  with.set_pool_access(pool, here, abi::access_flags::read_write, where);
}
void peer_access::destroy(yoke::detail::context_reference<port>& parent, abi::context native,
                          yoke::detail::context_reference<port>& peer) noexcept {
  if (parent.state().left_us() || peer.state().left_us()) return;
  parent.report(parent.state().port.disable_peer_access(parent.get().native_handle(), native));
}

}  // namespace yoke::inline v0_1::cuda

#endif
