// SPDX-License-Identifier: MIT
// The CUDA port's sharing of memory and events with other processes.
#ifndef YOKE_DRIVER_CUDA_MEMORY_IPC_HPP
#define YOKE_DRIVER_CUDA_MEMORY_IPC_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

/// A part of `port`.
class ipc_functions : public facet<ipc_functions> {
 public:
  /// Returns: the offset of an address in the driver's block, in bytes.
  YOKE_API std::size_t offset_in_block(abi::device_pointer memory, const source_location& where) const;
  /// Returns: the handle by which another process opens the whole block that contains the memory.
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

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/memory/ipc.ipp>
#endif

#endif
