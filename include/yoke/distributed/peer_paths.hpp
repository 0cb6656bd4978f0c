// SPDX-License-Identifier: MIT
// Access of CUDA contexts to each other's memory, so that copies between them go directly.
#ifndef YOKE_DISTRIBUTED_PEER_PATHS_HPP
#define YOKE_DISTRIBUTED_PEER_PATHS_HPP

#include <yoke/driver/any/port.hpp>
#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/execution/context.hpp>
#include <yoke/memory/memory_access.hpp>

#include <vector>

namespace yoke::inline v0_1::detail {

/// A CUDA context. For contexts of other backends `driver` is null.
struct peer_place {
  const cuda::abi::functions* driver = nullptr;
  cuda::abi::context context = nullptr;
  kept_alive keeper{};  ///< keeps the context
};
/// Throws: `logic_error` for an empty context.
[[nodiscard]] YOKE_API peer_place peer_place_of(const context<cuda::port>& in, const source_location& where);
[[nodiscard]] YOKE_API peer_place peer_place_of(const context<any_port>& in, const source_location& where);
template <class Port>
[[nodiscard]] peer_place peer_place_of(const context<Port>&, const source_location&) {
  return {};
}

/// Accesses of some contexts, which end with this. Thread safety: one thread at a time.
class peer_paths {
 public:
  peer_paths() noexcept = default;
  peer_paths(const peer_paths&) = delete;
  peer_paths& operator=(const peer_paths&) = delete;
  YOKE_API ~peer_paths();

  /// Effects: lets commands in one context use the other one's memory, if their devices see each other and the driver
  /// takes one more. Returns: whether they do. Throws: `error`. Wraps `cuDeviceCanAccessPeer`, `cuCtxEnablePeerAccess`.
  [[nodiscard]] YOKE_API bool open(const peer_place& from, const peer_place& to, const source_location& where);
  /// Effects: the accesses end with their contexts.
  void leave_open() noexcept { open_.clear(); }

 private:
  struct path {
    peer_place from;
    peer_place to;
  };
  std::vector<path> open_{};
};

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/distributed/peer_paths.ipp>
#endif

#endif
