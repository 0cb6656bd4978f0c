// SPDX-License-Identifier: MIT
// One CUDA device's access to another's memory.
#ifndef YOKE_CUDA_DEVICE_PEER_HPP
#define YOKE_CUDA_DEVICE_PEER_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1::cuda {

/// Whether kernels of a device can use the other device's memory; false for one and the same device.
/// Throws: `error`. Thread safety: safe. Wraps `cuDeviceCanAccessPeer`.
[[nodiscard]] YOKE_API bool can_access_peer(const device& from, const device& to,
                                            const source_location& where = source_location::current());
/// The abilities of the connection from one device to another.
/// Throws: `logic_error` for one and the same device; `error`. Thread safety: safe. Wraps `cuDeviceGetP2PAttribute`.
[[nodiscard]] YOKE_API peer_facts peer_facts_of(const device& from, const device& to,
                                                const source_location& where = source_location::current());

class peer_access;

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1::detail {
/// The native handle is the peer's context, which other accesses have, too.
template <>
inline constexpr bool compares_native<cuda::peer_access> = false;
}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1::cuda {

/// Lets kernels in one context use all memory of another device's context, while this lives. Move-only.
///
/// Effects: keeps both contexts alive. Objects of the same two contexts are counted; the last one ends the access,
/// unless other code had enabled it before. Copies between devices work without access, through the host.
/// Thread safety: safe; one object from one thread at a time.
/// Example: `cuda::peer_access access{here, there}; kernel(stream_of_here, shape, access.view(memory_of_there));`
class peer_access : public yoke::detail::handle<peer_access, yoke::detail::context_reference<port>, abi::context,
                                                yoke::detail::context_reference<port>> {
  using base = yoke::detail::handle<peer_access, yoke::detail::context_reference<port>, abi::context,
                                    yoke::detail::context_reference<port>>;

 public:
  peer_access() noexcept = default;
  /// Throws: `unsupported_error` when both are of one device, or the devices have no peer connection; `error`.
  /// Wraps `cuCtxEnablePeerAccess`; the end wraps `cuCtxDisablePeerAccess`.
  YOKE_API peer_access(const context& from, const context& to,
                       const source_location& where = source_location::current());

  /// The context whose kernels have the access.
  [[nodiscard]] const context& context_of() const noexcept { return this->parent().get(); }
  /// The context whose memory they use.
  [[nodiscard]] const context& peer() const noexcept { return this->facts().get(); }

  /// Memory of the peer as a view for copies, and for kernels launched in `context_of()`.
  /// Effects: for stream-ordered memory, whose pool has its own access rights, gives the device of `context_of()`
  /// access to that pool; it stays until `driver_pool::set_access` ends it.
  /// Requires: the memory outlives the view. Throws: `logic_error` for memory of another context than the peer;
  /// `error`.
  /// Wraps `cuPointerGetAttribute`, `cuMemPoolSetAccess`.
  template <class T>
  [[nodiscard]] device_span<T> view(const device_allocation<T>& memory,
                                    const source_location& where = source_location::current()) const {
    allow(memory.context_of(), memory.native_handle(), where);
    return {context_of().native_handle(), memory.native_handle(), 0, memory.size()};
  }

  static constexpr const char* noun = "peer access";

 private:
  friend base;
  YOKE_API void allow(const context& of, abi::device_pointer memory, const source_location& where) const;
  YOKE_API static void destroy(yoke::detail::context_reference<port>& parent, abi::context native,
                               yoke::detail::context_reference<port>& peer) noexcept;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/device/peer.ipp>
#endif

#endif
