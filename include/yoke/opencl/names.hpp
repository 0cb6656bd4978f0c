// SPDX-License-Identifier: MIT
// The shared handles under OpenCL's own names.
#ifndef YOKE_OPENCL_NAMES_HPP
#define YOKE_OPENCL_NAMES_HPP

#include <yoke/driver/opencl/port.hpp>
#include <yoke/memory/memory.hpp>
#include <yoke/program/program.hpp>

namespace yoke::inline v0_1::opencl {

using device = yoke::device<port>;
using context = yoke::context<port>;
using stream = yoke::stream<port>;
using out_of_order_stream = yoke::out_of_order_stream<port>;
using event = yoke::event<port>;
using timed_event = yoke::timed_event<port>;
using wait_list = yoke::wait_list<port>;
using launch_options = yoke::launch_options<port>;
using module = yoke::module<port>;
using transfer = yoke::transfer<port>;
using copy_list = yoke::copy_list<port>;
using memory_pool = yoke::memory_pool<port>;
template <class Signature>
using kernel = yoke::kernel<Signature, port>;
template <class T>
using device_allocation = yoke::device_allocation<T, port>;
template <class T>
using device_span = yoke::device_span<T, port>;
template <class T>
using pagelocked_array = yoke::pagelocked_array<T, port>;
template <class T>
using pagelocked_span = yoke::pagelocked_span<T, port>;

/// Every OpenCL device, in the driver's order. Throws: `unsupported_error` without a loader; `error`.
/// Wraps `clGetPlatformIDs`, `clGetDeviceIDs`.
[[nodiscard]] YOKE_API std::vector<device> devices(const port& with,
                                                   const source_location& where = source_location::current());
[[nodiscard]] YOKE_API std::vector<device> devices(const source_location& where = source_location::current());
/// The OpenCL devices that a specification names (see `yoke::select_devices`), best first when it is empty.
/// Throws: `unsupported_error` (`errc::no_device`) that lists the devices.
[[nodiscard]] YOKE_API std::vector<device> select_devices(std::string_view specification,
                                                          const source_location& where = source_location::current());

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/opencl/names.ipp>
#endif

#endif
