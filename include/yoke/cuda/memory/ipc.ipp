// SPDX-License-Identifier: MIT
// Bodies of cuda/memory/ipc.hpp.
#ifndef YOKE_CUDA_MEMORY_IPC_IPP
#define YOKE_CUDA_MEMORY_IPC_IPP

#include <yoke/cuda/memory/ipc.hpp>

#include <yoke/core/system.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
ipc_memory export_memory(const context& of, abi::device_pointer memory, std::size_t size, std::size_t element_bytes,
                         const source_location& where) {
  const port& with = of.port(where);
  if (memory == 0) {
    yoke::detail::throw_error(errc::invalid_argument, "memory of no elements cannot be shared", where);
  }
  ipc_memory shared;
  shared.native = with.export_memory(of.native_handle(), memory, where);
  shared.offset_bytes = with.offset_in_block(memory, where);
  shared.size = size;
  shared.element_bytes = static_cast<std::uint32_t>(element_bytes);
  shared.process = static_cast<std::int32_t>(yoke::detail::process_number());
  return shared;
}
void refuse_own(const char* what, const source_location& where) {
  yoke::detail::throw_error(errc::invalid_argument, where, what,
                            " of this process cannot be opened in it: use the original");
}
std::size_t checked_import(const ipc_memory& handle, std::size_t element_bytes, std::size_t alignment,
                           const source_location& where) {
  if (handle.process == static_cast<std::int32_t>(yoke::detail::process_number())) refuse_own("memory", where);
  if (handle.element_bytes != element_bytes) {
    yoke::detail::throw_error(errc::invalid_argument, where, "the shared memory holds elements of ",
                              handle.element_bytes, " bytes, not of ", element_bytes);
  }
  const std::uint64_t most = ~std::uint64_t{0} / 2;
  if (handle.offset_bytes % alignment != 0 || handle.offset_bytes > most ||
      handle.size > (most - handle.offset_bytes) / element_bytes) {
    yoke::detail::throw_error(errc::invalid_argument, where, "the shared memory has ", handle.size,
                              " elements from byte ", handle.offset_bytes, " on: these are no bytes of `share`");
  }
  return static_cast<std::size_t>(handle.offset_bytes + handle.size * element_bytes);
}
std::size_t checked_shape(const ipc_memory& handle, std::size_t rank, const source_location& where) {
  if (handle.axes < 0) {
    yoke::detail::throw_error(errc::invalid_argument, "the shared memory has no shape: share an array for one", where);
  }
  if (static_cast<std::size_t>(handle.axes) != rank) {
    yoke::detail::throw_error(errc::size_mismatch, where, "the shared array has ", handle.axes, " axes, not ", rank);
  }
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool fits = true;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (handle.extents[axis] == 0) return 0;
    const std::int64_t stride = handle.strides[axis];
    const std::uint64_t step =
        stride < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(stride) : static_cast<std::uint64_t>(stride);
    std::uint64_t reach = 0;
    std::uint64_t& end = stride < 0 ? first : last;
    fits = fits && !__builtin_mul_overflow(handle.extents[axis] - 1, step, &reach) &&
           !__builtin_add_overflow(end, reach, &end);
  }
  std::uint64_t all = 0;
  fits = fits && !__builtin_add_overflow(first, last, &all) && all / handle.element_bytes < handle.size;
  if (!fits) {
    yoke::detail::throw_error(errc::invalid_argument, where, "the shape of the shared array leaves its ", handle.size,
                              " elements: these are no bytes of `share`");
  }
  return static_cast<std::size_t>(first);
}
}  // namespace detail

event create_event(const context& in, const event_options& options, const source_location& where) {
  const port& with = in.port(where);
  const unsigned flags = abi::event_disable_timing | (options.blocking ? abi::event_blocking_sync : 0U) |
                         (options.interprocess ? abi::event_interprocess : 0U);
  return event::own(yoke::detail::context_reference<port>(in), with.create_event(in.native_handle(), flags, where));
}
timed_event create_timed_event(const context& in, const timed_event_options& options, const source_location& where) {
  const unsigned flags = options.blocking ? abi::event_blocking_sync : 0U;
  return timed_event::own(yoke::detail::context_reference<port>(in),
                          in.port(where).create_event(in.native_handle(), flags, where));
}
ipc_event share(const event& of, const source_location& where) {
  ipc_event shared;
  shared.native = of.context_of().port(where).export_event(of.context_of().native_handle(), of.native_handle(), where);
  shared.process = static_cast<std::int32_t>(yoke::detail::process_number());
  return shared;
}
event open_event(const context& in, const ipc_event& handle, const source_location& where) {
  const port& with = in.port(where);
  if (handle.process == static_cast<std::int32_t>(yoke::detail::process_number()))
    detail::refuse_own("an event", where);
  return event::own(yoke::detail::context_reference<port>(in),
                    with.import_event(in.native_handle(), handle.native, where));
}

}  // namespace yoke::inline v0_1::cuda

#endif
