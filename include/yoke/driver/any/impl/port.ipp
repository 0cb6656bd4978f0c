// SPDX-License-Identifier: MIT
// Bodies of driver/any/port.hpp: one table of operations for each backend.
#ifndef YOKE_DRIVER_ANY_IMPL_PORT_IPP
#define YOKE_DRIVER_ANY_IMPL_PORT_IPP

#include <yoke/driver/any/impl/execution.ipp>
#include <yoke/driver/any/impl/forward.ipp>
#include <yoke/driver/any/impl/memory.ipp>
#include <yoke/driver/any/impl/program.ipp>
#include <yoke/driver/any/port.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {

template <class Port>
constexpr any_operations make_operations(const char* backend) noexcept {
  any_operations result{};
  result.backend = backend;
  result.number = number_of<Port>;
  result.source_name = Port::source_name();
  result.options_variable = Port::options_variable();
  result.memory_is_address = std::integral<typename Port::memory_handle>;
  result.waits_across_contexts = requires { requires Port::waits_across_contexts; };
  result.waits_want_flushes = requires { requires Port::waits_want_flushes(); };
  result.copies_give_events = requires { requires Port::copies_give_events(); };
  execution_operations<Port>::enter(result);
  memory_operations<Port>::enter(result);
  program_operations<Port>::enter(result);
  return result;
}

static_assert(driver_port<any_port> && describing_port<any_port>);

inline constexpr any_operations cuda_operations = make_operations<cuda::port>("cuda");
inline constexpr any_operations opencl_operations = make_operations<opencl::port>("opencl");

YOKE_INLINE std::vector<any_port> available_ports(std::string& reasons) {
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

YOKE_INLINE any_port::any_port(const cuda::port& port) noexcept
    : operations_(&detail::cuda_operations), driver_(port.table()) {}
YOKE_INLINE any_port::any_port(const opencl::port& port) noexcept
    : operations_(&detail::opencl_operations), driver_(port.table()) {}

}  // namespace yoke::inline YOKE_ABI

#endif
