// SPDX-License-Identifier: MIT
// The port that is chosen at run time: it calls CUDA or OpenCL, with one indirect call for each operation.
#ifndef YOKE_DRIVER_ANY_PORT_HPP
#define YOKE_DRIVER_ANY_PORT_HPP

#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/opencl/port.hpp>
#include <yoke/driver/operations.hpp>

#include <cstring>

namespace yoke::inline v0_1 {

/// A native handle of any backend: as large as a pointer, in the backend's own representation.
template <class Noun>
struct any_handle {
  void* value = nullptr;
  [[nodiscard]] friend constexpr bool operator==(const any_handle&, const any_handle&) noexcept = default;
};

namespace detail {
/// Returns: a backend's handle as one of any backend.
template <class Any, class Native>
[[nodiscard]] Any wrapped(Native handle) noexcept {
  static_assert(sizeof handle <= sizeof(Any::value));
  Any result{};
  std::memcpy(&result.value, &handle, sizeof handle);
  return result;
}

/// Names the handles of `any_port`. `in` is a backend's own type.
#define YOKE_NOUN(name)                                                                                                \
  struct any_##name {                                                                                                  \
    template <class Port>                                                                                              \
    using in = typename Port::name;                                                                                    \
  };
YOKE_EXECUTION_HANDLES(YOKE_NOUN)
YOKE_MEMORY_HANDLES(YOKE_NOUN)
YOKE_PROGRAM_HANDLES(YOKE_NOUN)
YOKE_IMAGE_HANDLES(YOKE_NOUN)
YOKE_GRAPH_HANDLES(YOKE_NOUN)
#undef YOKE_NOUN
}  // namespace detail

/// The handles of `any_port`, a type for each noun.
struct any_handles {
#define YOKE_ANY_HANDLE(name) using name = any_handle<detail::any_##name>;
  YOKE_EXECUTION_HANDLES(YOKE_ANY_HANDLE)
  YOKE_MEMORY_HANDLES(YOKE_ANY_HANDLE)
  YOKE_PROGRAM_HANDLES(YOKE_ANY_HANDLE)
  YOKE_IMAGE_HANDLES(YOKE_ANY_HANDLE)
  YOKE_GRAPH_HANDLES(YOKE_ANY_HANDLE)
#undef YOKE_ANY_HANDLE
  using shape_type = launch_shape;
  using call_type = basic_launch_call<kernel_handle, stream_handle, event_handle>;
};

/// The operations of a backend for `any_port`, a function for each operation of the lists. `driver` is the backend's own
/// function table.
struct any_operations : any_handles {
  const char* backend;
  unsigned char number;  // of its launcher
  bool memory_is_address;
  bool waits_across_contexts;
  bool waits_want_flushes;
  bool copies_give_events;
#define YOKE_BEHIND_DRIVER(...) (const void* driver __VA_OPT__(, ) __VA_ARGS__)
#define YOKE_ENTRY(result, name, parameters, arguments, ...) result(*name) YOKE_BEHIND_DRIVER parameters __VA_ARGS__;
  YOKE_EXECUTION_OPERATIONS(YOKE_ENTRY, YOKE_ENTRY)
  YOKE_MEMORY_OPERATIONS(YOKE_ENTRY, YOKE_ENTRY)
  YOKE_PROGRAM_OPERATIONS(YOKE_ENTRY, YOKE_ENTRY)
  YOKE_DIRECT_OPERATIONS(YOKE_ENTRY)
#undef YOKE_ENTRY
#undef YOKE_BEHIND_DRIVER
};

namespace detail {

// A function: GCC 13 with -Wall forgets that a variable like this is constant.
template <class Port>
consteval unsigned char number_of() noexcept {
  return std::same_as<Port, cuda::port> ? 0 : 1;
}
template <class Port, argument_form... Forms>
direct_outcome launch_plain_by(const void* driver, any_handles::kernel_handle kernel, any_handles::stream_handle stream,
                               const plain_shape& shape, const void* const* places) noexcept {
  return Port(static_cast<const typename Port::table_type*>(driver))
      .template launch_plain<Forms...>(static_cast<typename Port::kernel_handle>(kernel.value),
                                       static_cast<typename Port::stream_handle>(stream.value), shape, places);
}
/// The launch functions for arguments of these forms, by the backend's number. OpenCL skips unchanged values of them.
template <argument_form... Forms>
inline constexpr decltype(&launch_plain_by<cuda::port>) plain_launchers[] = {&launch_plain_by<cuda::port>,
                                                                             &launch_plain_by<opencl::port, Forms...>};

}  // namespace detail

/// Any backend as a port: the default of `yoke::context`, `yoke::stream` and every other handle.
/// Thread safety: every function is safe from any thread.
class any_port : public any_handles {
 public:
  /// The empty port of empty handles. Requires: nobody calls it.
  constexpr any_port() noexcept = default;
  /// A backend's port. Throws: nothing.
  YOKE_API any_port(const cuda::port& port) noexcept;    // NOLINT: a backend's port is a port
  YOKE_API any_port(const opencl::port& port) noexcept;  // NOLINT

  /// "opencl" or "cuda".
  [[nodiscard]] const char* backend_name() const noexcept { return operations_->backend; }
  [[nodiscard]] const any_operations* operations() const noexcept { return operations_; }
  [[nodiscard]] const void* driver() const noexcept { return driver_; }
  [[nodiscard]] friend constexpr bool operator==(const any_port& left, const any_port& right) noexcept {
    return left.operations_ == right.operations_ && left.driver_ == right.driver_;
  }

  /// Whether memory handles are addresses, which show overlaps.
  [[nodiscard]] bool memory_is_address() const noexcept { return operations_->memory_is_address; }
  /// Whether a stream may wait for events of other contexts of its backend.
  [[nodiscard]] bool waits_across_contexts() const noexcept { return operations_->waits_across_contexts; }
  [[nodiscard]] bool waits_want_flushes() const noexcept { return operations_->waits_want_flushes; }
  /// Whether a copy and its event are one command.
  [[nodiscard]] bool copies_give_events() const noexcept { return operations_->copies_give_events; }

  // The operations of the lists.
#define YOKE_BEHIND_DRIVER(...) (driver_ __VA_OPT__(, ) __VA_ARGS__)
#define YOKE_CALL(result, name, parameters, arguments, ...)                                                            \
  result name parameters const __VA_ARGS__ { return operations_->name YOKE_BEHIND_DRIVER arguments; }
  YOKE_EXECUTION_OPERATIONS(YOKE_CALL, YOKE_CALL)
  YOKE_MEMORY_OPERATIONS(YOKE_CALL, YOKE_CALL)
  YOKE_PROGRAM_OPERATIONS(YOKE_CALL, YOKE_CALL)
  YOKE_DIRECT_OPERATIONS(YOKE_CALL)
#undef YOKE_CALL
#undef YOKE_BEHIND_DRIVER
#define YOKE_DECLARE(result, name, parameters, arguments, ...) YOKE_API result name parameters const __VA_ARGS__;
  YOKE_RARE_PROGRAM_OPERATIONS(YOKE_DECLARE)
  YOKE_IMAGE_OPERATIONS(YOKE_DECLARE, YOKE_DECLARE)
  YOKE_GRAPH_OPERATIONS(YOKE_DECLARE, YOKE_DECLARE)
#undef YOKE_DECLARE

  /// OpenCL takes none.
  static constexpr bool takes_bool = false;
  static constexpr bool enqueues_directly = true;
  static constexpr bool launches_directly = true;
  /// As the backend's own. It checks the shape here, where it often is a constant.
  template <argument_form... Forms>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_directly(
      kernel_handle kernel, stream_handle stream, const launch_shape& shape,
      const std::array<const void*, sizeof...(Forms)>& places) const noexcept {
    if (!shape.is_plain()) [[unlikely]]
      return {direct_outcome::unusual};
    const plain_shape plain{shape.grid, shape.block, shape.dimensions()};
    return detail::plain_launchers<Forms...>[operations_->number](driver_, kernel, stream, plain, places.data());
  }

 private:
  const any_operations* operations_ = nullptr;
  const void* driver_ = nullptr;
};

namespace detail {
/// Returns: the ports of every backend whose driver can be used; `reasons` says why the others cannot.
YOKE_API std::vector<any_port> available_ports(std::string& reasons);
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/any/graphs.ipp>
#include <yoke/driver/any/images.ipp>
#include <yoke/driver/any/load_intermediate.ipp>
#include <yoke/driver/any/port.ipp>
#endif

#endif
