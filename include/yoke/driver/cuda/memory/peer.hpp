// SPDX-License-Identifier: MIT
// The CUDA port's access to the memory of other devices.
#ifndef YOKE_DRIVER_CUDA_MEMORY_PEER_HPP
#define YOKE_DRIVER_CUDA_MEMORY_PEER_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

/// The access of one device's kernels to another device's memory.
struct peer_facts {
  bool access = false;               ///< read and write it, once access is enabled
  int performance_rank = 0;          ///< speed of the connection: smaller is faster
  bool native_atomics = false;       ///< all atomic functions
  bool some_native_atomics = false;  ///< some of them only
  bool arrays = false;               ///< fetch its CUDA arrays

  [[nodiscard]] friend bool operator==(const peer_facts&, const peer_facts&) noexcept = default;
};

/// A part of `port`.
class peer_functions : public facet<peer_functions> {
 public:
  YOKE_API bool can_access_peer(device_id from, device_id to, const source_location& where) const;
  YOKE_API peer_facts facts_of_peer(device_id from, device_id to, const source_location& where) const;
  /// Lets kernels in `from` use memory of `to`. Calls are counted; the access ends with the last `disable_peer_access`,
  /// unless other code had enabled it before.
  YOKE_API void enable_peer_access(abi::context from, abi::context to, const source_location& where) const;
  YOKE_API release_result disable_peer_access(abi::context from, abi::context to) const noexcept;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/peer.ipp>
#endif

#endif
