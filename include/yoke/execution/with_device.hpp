// SPDX-License-Identifier: MIT
// Converts a device of any backend to a device of its own backend.
#ifndef YOKE_EXECUTION_WITH_DEVICE_HPP
#define YOKE_EXECUTION_WITH_DEVICE_HPP

#include <yoke/driver/any/port.hpp>
#include <yoke/driver/backends.hpp>
#include <yoke/execution/context.hpp>
#include <yoke/execution/select.hpp>

#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

namespace yoke::inline v0_1 {

namespace detail {
/// Returns: the device of a backend's own port behind a device of any backend.
/// Throws: `unsupported_error` for another backend's device.
template <backend_port Port>
device<Port> as_backend(const device<any_port>& device, const source_location& where) {
  constexpr std::size_t place = place_of_port<Port>();
  if (device.port().operations()->place != place) {
    throw_error(errc::unsupported, where, "the device is of backend ", device.backend_name(), ", not ",
                all_backends::names[place]);
  }
  typename Port::device_handle native;
  const void* const held = device.native_handle().value;
  std::memcpy(static_cast<void*>(&native), &held, sizeof native);
  return yoke::device<Port>::borrow(Port(static_cast<const typename Port::table_type*>(device.port().driver())),
                                    native);
}

/// Returns: what `function` returns for a context of the device's own backend, which is one of these.
template <class Function, class First, class... Others>
decltype(auto) with_backend_of(const device<any_port>& chosen, Function&& function, const source_location& where,
                               backend_list<First, Others...>) {
  if constexpr (sizeof...(Others) != 0) {
    if (chosen.port().operations()->place != place_of_port<typename First::port>()) {
      return with_backend_of(chosen, std::forward<Function>(function), where, backend_list<Others...>{});
    }
  }
  using port = typename First::port;
  return std::forward<Function>(function)(context<port>(as_backend<port>(chosen, where), where));
}
}  // namespace detail

/// The CUDA device behind a device of any backend.
/// Throws: `unsupported_error` for another backend's device. Thread safety: safe.
[[nodiscard]] inline device<cuda::port> as_cuda(const device<any_port>& device,
                                                const source_location& where = source_location::current()) {
  return detail::as_backend<cuda::port>(device, where);
}
/// The OpenCL device behind a device of any backend.
/// Throws: `unsupported_error` for another backend's device. Thread safety: safe.
[[nodiscard]] inline device<opencl::port> as_opencl(const device<any_port>& device,
                                                    const source_location& where = source_location::current()) {
  return detail::as_backend<opencl::port>(device, where);
}

/// Calls `function` with a context of the chosen device's own backend; `choose_device(specification)` chooses the
/// device.
/// Requires: `function` takes either backend's context and returns the same type for both.
/// Returns: the result of `function`. Throws: as `choose_device` and `function`. Thread safety: safe.
template <class Function>
decltype(auto) with_device(Function&& function, std::string_view specification = {},
                           const source_location& where = source_location::current()) {
  const device_choice choice = choose_device(specification, where);
  return detail::with_backend_of(choice.chosen, std::forward<Function>(function), where, detail::all_backends{});
}

}  // namespace yoke::inline v0_1

#endif
