// SPDX-License-Identifier: MIT
// Bodies of distributed/peer_paths.hpp.
#ifndef YOKE_DISTRIBUTED_PEER_PATHS_IPP
#define YOKE_DISTRIBUTED_PEER_PATHS_IPP

#include <yoke/distributed/peer_paths.hpp>

#include <yoke/driver/backends.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/references.hpp>

namespace yoke::inline v0_1::detail {

peer_place peer_place_of(const context<cuda::port>& in, const source_location& where) {
  const auto& state = in.state(where);
  return {state.port.table(), state.living(where), keep_alive(in)};
}
peer_place peer_place_of(const context<any_port>& in, const source_location& where) {
  const auto& state = in.state(where);
  if (state.port.operations()->place != place_of_port<cuda::port>()) return {};
  return {static_cast<const cuda::abi::functions*>(state.port.driver()),
          static_cast<cuda::abi::context>(state.living(where).value), keep_alive(in)};
}

bool peer_paths::open(const peer_place& from, const peer_place& to, const source_location& where) {
  if (from.driver == nullptr || from.driver != to.driver) return false;
  const cuda::port with(from.driver);
  const cuda::device_id here(cuda::detail::device_of(from.driver, from.context, where));
  const cuda::device_id there(cuda::detail::device_of(to.driver, to.context, where));
  if (here == there || !with.can_access_peer(here, there, where)) return false;
  open_.reserve(open_.size() + 1);
  try {
    with.enable_peer_access(from.context, to.context, where);
  } catch (const error& failure) {
    if (failure.code() == std::error_code(cuda::abi::error_too_many_peers, cuda::error_category())) return false;
    throw;
  }
  open_.push_back({from, to});
  return true;
}
peer_paths::~peer_paths() {
  for (const path& each : open_) {
    cuda::detail::report(cuda::port(each.from.driver).disable_peer_access(each.from.context, each.to.context));
  }
}

}  // namespace yoke::inline v0_1::detail

#endif
