// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/ipc.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_IPC_IPP
#define YOKE_DRIVER_CUDA_MEMORY_IPC_IPP

#include <yoke/driver/cuda/memory/ipc.hpp>

#include <yoke/core/native.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>

namespace yoke::inline v0_1::cuda {

std::size_t ipc_functions::offset_in_block(abi::device_pointer memory, const source_location& where) const {
  abi::device_pointer base = memory;
  detail::invoke<&abi::functions::pointer_get_attribute>(table(), where, static_cast<void*>(&base),
                                                         abi::pointer_attribute::range_start_addr, memory);
  return static_cast<std::size_t>(memory - base);
}
abi::ipc_memory_handle ipc_functions::export_memory(abi::context context, abi::device_pointer memory,
                                                    const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  int capable = 0;
  detail::invoke<&abi::functions::pointer_get_attribute>(table(), where, static_cast<void*>(&capable),
                                                         abi::pointer_attribute::is_legacy_cuda_ipc_capable, memory);
  if (capable == 0) {
    detail::throw_error(errc::unsupported, where, yoke::detail::native_text("memory", memory),
                        " cannot be opened by other processes: make it without a stream and without a pool, or in a "
                        "driver_pool that is shareable; some drivers share no plain memory at all");
  }
  abi::ipc_memory_handle handle{};
  detail::invoke<&abi::functions::ipc_get_memory_handle>(table(), where, &handle, memory);
  return handle;
}
abi::device_pointer ipc_functions::import_memory(abi::context context, const abi::ipc_memory_handle& handle,
                                                 std::size_t bytes, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::device_pointer memory = 0;
  detail::invoke_explained<&abi::functions::ipc_open_memory_handle>(
      table(), where,
      [](abi::status status) {
        return detail::text(
            "memory of another process cannot be opened: ", error_text(status),
            "; the handle must be one of `share`, as it was sent, its process must keep the memory, and the context's "
            "device must be the memory's or connected to it");
      },
      &memory, handle, abi::ipc_memory_lazy_enable_peer_access);
  abi::device_pointer base = 0;
  std::size_t whole = 0;
  if (table()->mem_get_address_range(&base, &whole, memory) == abi::success && bytes > whole) {
    detail::report(close_imported(context, memory));
    detail::throw_error(errc::invalid_argument, where, "the shared memory has ", bytes, " bytes in a block of ", whole,
                        ": these are no bytes of `share`");
  }
  return memory;
}
release_result ipc_functions::close_imported(abi::context context, abi::device_pointer memory) const noexcept {
  return detail::release_in(table(), context,
                            [&] { return detail::release<&abi::functions::ipc_close_memory_handle>(table(), memory); });
}
abi::event ipc_functions::create_event(abi::context context, unsigned flags, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::event event = nullptr;
  detail::invoke<&abi::functions::event_create>(table(), where, &event, flags);
  return event;
}
abi::ipc_event_handle ipc_functions::export_event(abi::context context, abi::event event,
                                                  const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::ipc_event_handle handle{};
  detail::invoke_explained<&abi::functions::ipc_get_event_handle>(
      table(), where,
      [](abi::status status) {
        return detail::text("this event cannot be opened by other processes: ", error_text(status),
                            "; it must be made with .interprocess = true");
      },
      &handle, event);
  return handle;
}
abi::event ipc_functions::import_event(abi::context context, const abi::ipc_event_handle& handle,
                                       const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::event event = nullptr;
  detail::invoke_explained<&abi::functions::ipc_open_event_handle>(
      table(), where,
      [](abi::status status) {
        return detail::text("an event of another process cannot be opened: ", error_text(status),
                            "; the handle must be one of `share`, as it was sent, and its process must keep the event");
      },
      &event, handle);
  return event;
}

}  // namespace yoke::inline v0_1::cuda

#endif
