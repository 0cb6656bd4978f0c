// SPDX-License-Identifier: MIT
// From a device of any backend to the device of its own backend.
#ifndef YOKE_EXECUTION_WITH_DEVICE_HPP
#define YOKE_EXECUTION_WITH_DEVICE_HPP

#include <yoke/execution/select.hpp>

namespace yoke::inline v0_1 {

/// The CUDA device behind a device of any backend.
/// Throws: `unsupported_error` when it is another backend's. Thread safety: safe.
[[nodiscard]] YOKE_API device<cuda::port> as_cuda(const device<any_port>& device,
                                                  const source_location& where = source_location::current());
/// The OpenCL device behind a device of any backend.
/// Throws: `unsupported_error` when it is another backend's. Thread safety: safe.
[[nodiscard]] YOKE_API device<opencl::port> as_opencl(const device<any_port>& device,
                                                      const source_location& where = source_location::current());

/// Calls `function` with a context over the device of `choose_device(specification)`, of that device's own backend.
/// Requires: `function` takes either backend's context and returns the same type for both.
/// Returns: the result of `function`. Throws: as `choose_device` and `function`. Thread safety: safe.
template <class Function>
decltype(auto) with_device(Function&& function, std::string_view specification = {},
                           const source_location& where = source_location::current()) {
  const device_choice choice = choose_device(specification, where);
  if (std::string_view(choice.chosen.backend_name()) == "cuda") {
    return std::forward<Function>(function)(context<cuda::port>(as_cuda(choice.chosen, where), where));
  }
  return std::forward<Function>(function)(context<opencl::port>(as_opencl(choice.chosen, where), where));
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/execution/with_device.ipp>
#endif

#endif
