// SPDX-License-Identifier: MIT
// The port that is chosen at run time: it calls CUDA or OpenCL, with one indirect call for each operation.
#ifndef YOKE_DRIVER_ANY_PORT_HPP
#define YOKE_DRIVER_ANY_PORT_HPP

#include <yoke/driver/any/graphs.hpp>
#include <yoke/driver/any/handles.hpp>
#include <yoke/driver/any/images.hpp>
#include <yoke/driver/any/load_intermediate.hpp>
#include <yoke/driver/any/math.hpp>
#include <yoke/driver/backends.hpp>
#include <yoke/driver/operations.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

namespace yoke::inline v0_1 {

/// A backend's operations for `any_port`: one function pointer for each listed operation. `driver` is the backend's own
/// function table.
struct any_operations : any_handles {
  const char* backend;
  unsigned char place;  // index of the backend in the list
  bool memory_is_address;
  bool waits_across_contexts;
  bool waits_want_flushes;
  bool copies_give_events;
  YOKE_EXECUTION_OPERATIONS(YOKE_ANY_ENTRY, YOKE_ANY_ENTRY)
  YOKE_MEMORY_OPERATIONS(YOKE_ANY_ENTRY, YOKE_ANY_ENTRY)
  YOKE_PROGRAM_OPERATIONS(YOKE_ANY_ENTRY, YOKE_ANY_ENTRY)
  YOKE_DIRECT_OPERATIONS(YOKE_ANY_ENTRY)
};
#undef YOKE_ANY_ENTRY
#undef YOKE_ANY_PARAMETERS

namespace detail {

/// Returns: the table of the backend at index `backend` in the list.
[[nodiscard]] YOKE_API const any_operations* operations_of(std::size_t backend) noexcept;

template <class Port, argument_form... Forms>
direct_outcome launch_plain_by(const void* driver, any_handles::kernel_handle kernel, any_handles::stream_handle stream,
                               const plain_shape& shape, const void* const* places) noexcept {
  return Port(static_cast<const typename Port::table_type*>(driver))
      .template launch_plain<Forms...>(static_cast<typename Port::kernel_handle>(kernel.value),
                                       static_cast<typename Port::stream_handle>(stream.value), shape, places);
}
using plain_launcher = decltype(&launch_plain_by<cuda::port>);
/// Returns: a backend's launch function. A backend that skips unchanged values has one for each combination of argument
/// forms.
template <class Port, argument_form... Forms>
consteval plain_launcher plain_launcher_of() noexcept {
  if constexpr (requires { requires Port::skips_unchanged_values; }) return &launch_plain_by<Port, Forms...>;
  return &launch_plain_by<Port>;
}
/// The launch functions for arguments of these forms, indexed by backend.
template <class List, argument_form... Forms>
struct plain_launchers;
template <class... Backends, argument_form... Forms>
struct plain_launchers<backend_list<Backends...>, Forms...> {
  static constexpr plain_launcher list[] = {plain_launcher_of<typename Backends::port, Forms...>()...};
};

}  // namespace detail

/// Any backend as a port: the default of `yoke::context`, `yoke::stream` and every other handle.
/// Thread safety: every function is safe from any thread.
class any_port : public any_handles {
 public:
  /// An unusable port, for empty handles. Requires: nobody calls its operations.
  constexpr any_port() noexcept = default;
  /// A backend's port. Throws: nothing.
  template <detail::backend_port Port>
  any_port(const Port& port) noexcept  // NOLINT: a backend's port is a port
      : operations_(detail::operations_of(detail::place_of_port<Port>())), driver_(port.table()) {}

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

  // The listed operations. Graphs, images, vendors' libraries and intermediate code have separate tables.
#define YOKE_BEHIND_DRIVER(...) (driver_ __VA_OPT__(, ) __VA_ARGS__)
#define YOKE_CALL_BY(table, result, name, parameters, arguments, ...)                                                  \
  result name parameters const __VA_ARGS__ { return (table).name YOKE_BEHIND_DRIVER arguments; }
#define YOKE_CALL(...) YOKE_CALL_BY(*operations_, __VA_ARGS__)
  YOKE_EXECUTION_OPERATIONS(YOKE_CALL, YOKE_CALL)
  YOKE_MEMORY_OPERATIONS(YOKE_CALL, YOKE_CALL)
  YOKE_PROGRAM_OPERATIONS(YOKE_CALL, YOKE_CALL)
  YOKE_DIRECT_OPERATIONS(YOKE_CALL)
#undef YOKE_CALL
#define YOKE_CALL(...) YOKE_CALL_BY(detail::intermediate_table_of(operations_->place), __VA_ARGS__)
  YOKE_RARE_PROGRAM_OPERATIONS(YOKE_CALL)
#undef YOKE_CALL
#define YOKE_CALL(...) YOKE_CALL_BY(detail::image_table_of(operations_->place), __VA_ARGS__)
  YOKE_IMAGE_OPERATIONS(YOKE_CALL, YOKE_CALL)
#undef YOKE_CALL
#define YOKE_CALL(...) YOKE_CALL_BY(detail::math_table_of(operations_->place), __VA_ARGS__)
  YOKE_MATH_OPERATIONS(YOKE_CALL)
#undef YOKE_CALL
#define YOKE_CALL(...) YOKE_CALL_BY(detail::graph_table_of(operations_->place), __VA_ARGS__)
  YOKE_GRAPH_OPERATIONS(YOKE_CALL, YOKE_CALL)
#undef YOKE_CALL
#undef YOKE_CALL_BY
#undef YOKE_BEHIND_DRIVER

  /// OpenCL does not take `bool` parameters.
  static constexpr bool takes_bool = false;
  static constexpr bool enqueues_directly = true;
  static constexpr bool launches_directly = true;
  /// Launches through the backend. Checks the shape here, where the compiler often knows it.
  template <argument_form... Forms>
  [[nodiscard, gnu::always_inline]] direct_outcome launch_directly(
      kernel_handle kernel, stream_handle stream, const launch_shape& shape,
      const std::array<const void*, sizeof...(Forms)>& places) const noexcept {
    if (!shape.is_plain()) [[unlikely]]
      return {direct_outcome::unusual};
    const plain_shape plain{shape.grid, shape.block, shape.dimensions()};
    return detail::plain_launchers<detail::all_backends, Forms...>::list[operations_->place](driver_, kernel, stream,
                                                                                             plain, places.data());
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
#include <yoke/driver/any/port.ipp>
#endif

#endif
