// SPDX-License-Identifier: MIT
// The CUDA port's access to the memory of other devices, and to memory and events of other processes.
#ifndef YOKE_DRIVER_CUDA_MEMORY_PEER_HPP
#define YOKE_DRIVER_CUDA_MEMORY_PEER_HPP

#include <yoke/driver/cuda/event.hpp>

namespace yoke::inline v0_1::cuda {

/// What kernels of one device can do with another device's memory.
struct peer_facts {
  bool access = false;               ///< read and write it, once access is enabled
  int performance_rank = 0;          ///< of the connection: smaller is faster
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
  /// unless somebody else had enabled it before.
  YOKE_API void enable_peer_access(abi::context from, abi::context to, const source_location& where) const;
  YOKE_API release_result disable_peer_access(abi::context from, abi::context to) const noexcept;

  /// Whether memory of other contexts than the stream's can be copied.
  [[nodiscard]] bool copies_between_contexts() const noexcept { return true; }
  /// Copies between two contexts, of one device or two.
  YOKE_API void copy_between(abi::stream stream, abi::device_pointer source, abi::context source_context,
                             const box_side& from, abi::device_pointer destination, abi::context destination_context,
                             const box_side& to, const box_size& box, completion<abi::event> done,
                             const source_location& where) const;

  /// Returns: the bytes from the start of the driver's block on.
  YOKE_API std::size_t offset_in_block(abi::device_pointer memory, const source_location& where) const;
  /// Returns: the bytes by which another process opens the whole block that the memory lies in.
  YOKE_API abi::ipc_memory_handle export_memory(abi::context context, abi::device_pointer memory,
                                                const source_location& where) const;
  /// Throws: also `logic_error` for a block of fewer than `bytes` bytes.
  YOKE_API abi::device_pointer import_memory(abi::context context, const abi::ipc_memory_handle& handle,
                                             std::size_t bytes, const source_location& where) const;
  YOKE_API release_result close_imported(abi::context context, abi::device_pointer memory) const noexcept;
  YOKE_API abi::event create_event(abi::context context, unsigned flags, const source_location& where) const;
  YOKE_API abi::ipc_event_handle export_event(abi::context context, abi::event event,
                                              const source_location& where) const;
  YOKE_API abi::event import_event(abi::context context, const abi::ipc_event_handle& handle,
                                   const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#endif
