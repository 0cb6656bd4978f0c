// SPDX-License-Identifier: MIT
// The list of the library's backends: name, port, availability and trace of each, in the order in which a device is
// chosen.
#ifndef YOKE_DRIVER_BACKENDS_HPP
#define YOKE_DRIVER_BACKENDS_HPP

#include <yoke/driver/cuda/loader.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/trace.hpp>
#include <yoke/driver/opencl/loader.hpp>
#include <yoke/driver/opencl/port.hpp>
#include <yoke/driver/opencl/trace.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// A backend in the list. `name` appears in device specifications and `backend_name()`, and names a component of the
/// CMake package; `title` and `driver` are for messages.
struct cuda_backend {
  using port = cuda::port;
  static constexpr const char* name = "cuda";
  static constexpr const char* title = "CUDA";
  static constexpr const char* driver = "CUDA's driver";
  static availability available() { return cuda::available(); }
  static bool trace_driver() noexcept { return cuda::detail::trace_driver(); }
  static void end_trace(std::chrono::steady_clock::time_point deadline) noexcept { cuda::detail::end_trace(deadline); }
};
struct opencl_backend {
  using port = opencl::port;
  static constexpr const char* name = "opencl";
  static constexpr const char* title = "OpenCL";
  static constexpr const char* driver = "OpenCL";
  static availability available() { return opencl::available(); }
  static bool trace_driver() noexcept { return opencl::detail::trace_driver(); }
  static void end_trace(std::chrono::steady_clock::time_point deadline) noexcept {
    opencl::detail::end_trace(deadline);
  }
};

template <class... Backends>
struct backend_list {
  static constexpr std::size_t size = sizeof...(Backends);
  static constexpr const char* names[] = {Backends::name...};
  /// Effects: calls `visit` with each backend's description, in the list's order.
  template <class Visit>
  static constexpr void for_each(Visit&& visit) {
    (visit(Backends{}), ...);
  }
  /// Returns: the index of the first backend for which `is` holds; `size` if there is none.
  template <class Is>
  static constexpr std::size_t find(const Is& is) {
    std::size_t place = 0;
    (void)((is(Backends{}) || (++place, false)) || ...);
    return place;
  }
};

/// The order of choice: devices of the first backend come before those of the second, whatever their kind.
using all_backends = backend_list<cuda_backend, opencl_backend>;

/// Returns: a backend's index in the list; the list's size for an unknown name.
constexpr std::size_t backend_place(std::string_view name) noexcept {
  return all_backends::find([&](auto backend) { return name == backend.name; });
}
// A function, because GCC 13 with -Wall forgets that a variable here is constant.
template <class Port>
consteval std::size_t place_of_port() noexcept {
  return all_backends::find([](auto backend) { return std::same_as<Port, typename decltype(backend)::port>; });
}
/// Whether `Port` is a backend's own port.
template <class Port>
concept backend_port = (place_of_port<Port>() < all_backends::size);

}  // namespace yoke::inline v0_1::detail

#endif
