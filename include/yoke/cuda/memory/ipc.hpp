// SPDX-License-Identifier: MIT
// Device memory and events that several processes share.
#ifndef YOKE_CUDA_MEMORY_IPC_HPP
#define YOKE_CUDA_MEMORY_IPC_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1 {
template <std::size_t Rank>
class shape;
template <std::size_t Rank>
class array_layout;
template <class T, std::size_t Rank, class Port>
class device_array;
template <class T, std::size_t Rank, class Port>
class device_view;
}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::cuda {

/// The handle by which another process opens device memory: plain bytes, to be sent by a pipe, a socket or a file.
struct ipc_memory {
  abi::ipc_memory_handle native{};
  std::uint64_t offset_bytes = 0;  ///< offset of the first element in the driver's block
  std::uint64_t size = 0;          ///< elements
  std::uint32_t element_bytes = 0;
  std::int32_t process = 0;  ///< the process that made it
  std::int32_t axes = -1;    ///< of a shared array; -1: memory without a shape
  std::uint64_t extents[8]{};
  std::int64_t strides[8]{};  ///< in bytes
};
/// The handle by which another process opens an event.
struct ipc_event {
  abi::ipc_event_handle native{};
  std::int32_t process = 0;
};

namespace detail {
[[nodiscard]] YOKE_API ipc_memory export_memory(const context& of, abi::device_pointer memory, std::size_t size,
                                                std::size_t element_bytes, const source_location& where);
/// Returns: the size in bytes that the handle describes, from the start of the driver's block.
/// Throws: `logic_error` for a handle of this process, of other elements, or an uninitialised handle.
YOKE_API std::size_t checked_import(const ipc_memory& handle, std::size_t element_bytes, std::size_t alignment,
                                    const source_location& where);
/// Returns: the bytes from the start of the shared memory to the array's first element.
/// Throws: `logic_error` for another number of axes, and for a shape that leaves the shared memory.
YOKE_API std::size_t checked_shape(const ipc_memory& handle, std::size_t rank, const source_location& where);
}  // namespace detail

/// Lets other processes open device memory.
/// Requires: the memory outlives its use there.
/// Throws: `unsupported_error` for stream-ordered memory and memory of a pool, which the driver cannot share;
/// `logic_error` when it is empty; `error`. Thread safety: safe. Wraps `cuIpcGetMemHandle`.
/// Example: `write(pipe, &handle, sizeof handle)` of `const cuda::ipc_memory handle = cuda::share(x);`
template <class T>
[[nodiscard]] ipc_memory share(const device_allocation<T>& memory,
                               const source_location& where = source_location::current()) {
  return detail::export_memory(memory.context_of(), memory.native_handle(), memory.size(), sizeof(T), where);
}

/// The same for the elements of an array or a view, with their shape and strides: `imported_memory::view` has them
/// there. Include `<yoke/array.hpp>`. The arrays' pool has memory that can be shared, but not on the simulator, which
/// guards it; an array that takes an allocation over needs one that was made without a stream.
/// Example: `yoke::device_array a{cuda::device_allocation<float>{ctx, 12}, yoke::shape{3, 4}, stream};
/// const cuda::ipc_memory handle = cuda::share(a);`
template <class T, std::size_t Rank>
[[nodiscard]] ipc_memory share(const device_view<T, Rank, port>& of,
                               const source_location& where = source_location::current()) {
  const context& in = of.stream(where).context_of();
  const auto& layout = of.layout();
  const abi::device_pointer first = of.empty() ? 0 : of.memory().memory + layout.first_byte();
  ipc_memory shared =
      detail::export_memory(in, first, (layout.end_byte() - layout.first_byte()) / sizeof(T), sizeof(T), where);
  shared.axes = static_cast<std::int32_t>(Rank);
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    shared.extents[axis] = layout.shape().begin()[axis];
    shared.strides[axis] = layout.strides()[axis];
  }
  return shared;
}
template <class T, std::size_t Rank>
[[nodiscard]] ipc_memory share(const device_array<T, Rank, port>& of,
                               const source_location& where = source_location::current()) {
  return share(of.view(where), where);
}

/// Device memory of another process, while this lives. Move-only.
///
/// The context's device uses it: the memory's own device, or one that can access that (`can_access_peer`).
/// Requires: the other process keeps the memory, and both synchronise its use by events.
/// Thread safety: one object from one thread at a time; its memory as device memory.
/// Example: `cuda::imported_memory<float> x{ctx, handle}; kernel(stream, shape, x.span());`
template <class T>
class imported_memory : public yoke::detail::handle<imported_memory<T>, yoke::detail::context_reference<port>,
                                                    abi::device_pointer, ipc_memory> {
  using base =
      yoke::detail::handle<imported_memory<T>, yoke::detail::context_reference<port>, abi::device_pointer, ipc_memory>;

 public:
  static_assert(device_element<T>, "device memory holds trivially copyable, non-pointer, non-const types");
  using value_type = T;
  using port_type = port;

  imported_memory() noexcept = default;
  /// Throws: `logic_error` for a handle of this process, and for elements of another size; `error`.
  /// Wraps `cuIpcOpenMemHandle`; the end wraps `cuIpcCloseMemHandle`.
  imported_memory(const context& in, const ipc_memory& shared,
                  const source_location& where = source_location::current())
      : base(in, opened(in, shared, where), true, shared) {}

  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(this->facts().size); }
  [[nodiscard]] const context& context_of() const noexcept { return this->parent().get(); }
  /// All of it, as an operand of copies and fills and a kernel argument. Throws: `logic_error` when this is empty.
  [[nodiscard]] device_span<T> span(const source_location& where = source_location::current()) const {
    const abi::device_pointer first = this->use(where) + static_cast<abi::device_pointer>(this->facts().offset_bytes);
    return {context_of().native_handle(), first, 0, size()};
  }

  /// The shared array or view: its elements in their shape and with their strides. Include `<yoke/array.hpp>`.
  /// Requires: this and the stream outlive it.
  /// Throws: `logic_error` when this is empty, for memory that was shared without a shape, and for another number of
  /// axes. Example: `yoke::device_view<const float, 2, cuda::port> a = x.view<2>(stream);`
  template <std::size_t Rank>
  [[nodiscard]] device_view<T, Rank, port> view(const stream& in,
                                                const source_location& where = source_location::current()) const {
    const ipc_memory& of = this->facts();
    const device_span<T> memory = span(where);
    const std::size_t first = detail::checked_shape(of, Rank, where);
    shape<Rank> extents;
    std::array<std::ptrdiff_t, Rank> strides{};
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      extents[axis] = static_cast<std::size_t>(of.extents[axis]);
      strides[axis] = static_cast<std::ptrdiff_t>(of.strides[axis]);
    }
    const device_view<T, 1, port> all(memory, memory.size(), in, {}, where);
    return all.with(array_layout<Rank>(extents, strides, first, sizeof(T), where));
  }

  static constexpr const char* noun = "imported memory";

 private:
  friend base;
  static abi::device_pointer opened(const context& in, const ipc_memory& handle, const source_location& where) {
    const std::size_t bytes = detail::checked_import(handle, sizeof(T), alignof(T), where);
    return in.port(where).import_memory(in.native_handle(), handle.native, bytes, where);
  }
  static void destroy(yoke::detail::context_reference<port>& parent, abi::device_pointer native, ipc_memory&) noexcept {
    if (parent.state().left_us()) return;
    parent.report(parent.state().port.close_imported(parent.get().native_handle(), native));
  }
};

/// The options of an event without times.
struct event_options {
  bool blocking = false;      ///< `wait` sleeps instead of polling, so that it keeps no core busy
  bool interprocess = false;  ///< other processes can open it
};

/// A new event, to be recorded by `stream.record_into(event)`; until then it counts as complete.
/// Throws: `error`. Thread safety: safe. Wraps `cuEventCreate`.
/// Example: `auto done = cuda::create_event(ctx, {.blocking = true}); stream.record_into(done); done.wait();`
[[nodiscard]] YOKE_API event create_event(const context& in, const event_options& options = {},
                                          const source_location& where = source_location::current());
/// The options of an event with times. Drivers share only events without times with other processes.
struct timed_event_options {
  bool blocking = false;  ///< `wait` sleeps instead of polling
};
/// A new event with times, to be recorded by `stream.record_into(event)`. Throws, thread safety, wraps: as
/// `create_event`.
/// Example: `auto start = cuda::create_timed_event(ctx, {.blocking = true}); stream.record_into(start);`
[[nodiscard]] YOKE_API timed_event create_timed_event(const context& in, const timed_event_options& options = {},
                                                      const source_location& where = source_location::current());
/// Lets other processes open an event. Throws: `logic_error` unless the event was made with `.interprocess`; `error`.
/// Thread safety: safe. Wraps `cuIpcGetEventHandle`.
[[nodiscard]] YOKE_API ipc_event share(const event& of, const source_location& where = source_location::current());
/// Opens another process's event: both processes wait for and record the same event.
/// Throws: `logic_error` for a handle of this process; `error`. Thread safety: safe. Wraps `cuIpcOpenEventHandle`.
[[nodiscard]] YOKE_API event open_event(const context& in, const ipc_event& handle,
                                        const source_location& where = source_location::current());

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/memory/ipc.ipp>
#endif

#endif
