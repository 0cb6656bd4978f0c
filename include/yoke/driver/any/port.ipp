// SPDX-License-Identifier: MIT
// Bodies of driver/any/port.hpp: one table of operations for each backend.
#ifndef YOKE_DRIVER_ANY_PORT_IPP
#define YOKE_DRIVER_ANY_PORT_IPP

#include <yoke/driver/any/port.hpp>
#include <yoke/driver/any/thunks.hpp>

namespace yoke::inline v0_1 {

namespace detail {

static_assert(driver_port<any_port>);

inline constinit const any_operations cuda_operations = make_operations<cuda::port>("cuda", number_of<cuda::port>());
inline constinit const any_operations opencl_operations =
    make_operations<opencl::port>("opencl", number_of<opencl::port>());

std::vector<any_port> available_ports(std::string& reasons) {
  std::vector<any_port> ports;
  const availability cuda_state = cuda::available();
  if (cuda_state) {
    ports.emplace_back(cuda::port{});
  } else {
    reasons += "CUDA: " + cuda_state.reason;
  }
  const availability opencl_state = opencl::available();
  if (opencl_state) {
    ports.emplace_back(opencl::port{});
  } else {
    reasons += (reasons.empty() ? "OpenCL: " : "\nOpenCL: ") + opencl_state.reason;
  }
  return ports;
}

}  // namespace detail

any_port::any_port(const cuda::port& port) noexcept : operations_(&detail::cuda_operations), driver_(port.table()) {}
any_port::any_port(const opencl::port& port) noexcept
    : operations_(&detail::opencl_operations), driver_(port.table()) {}

}  // namespace yoke::inline v0_1

#endif
