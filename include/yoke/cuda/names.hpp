// SPDX-License-Identifier: MIT
// The shared handles under CUDA's own names.
#ifndef YOKE_CUDA_NAMES_HPP
#define YOKE_CUDA_NAMES_HPP

#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/memory/memory.hpp>
#include <yoke/program/compile_options.hpp>
#include <yoke/program/kernel/argument.hpp>
#include <yoke/program/kernel/host_argument.hpp>
#include <yoke/program/kernel/shape.hpp>
#include <yoke/program/module.hpp>

namespace yoke::inline v0_1::cuda {

using device = yoke::device<port>;
using context = yoke::context<port>;
using stream = yoke::stream<port>;
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

/// Every CUDA device, in the driver's order. Throws: `unsupported_error` without a driver; `error`.
/// Wraps `cuDeviceGetCount`, `cuDeviceGet`.
[[nodiscard]] YOKE_API std::vector<device> devices(const port& with,
                                                   const source_location& where = source_location::current());
[[nodiscard]] YOKE_API std::vector<device> devices(const source_location& where = source_location::current());
/// The CUDA devices that a specification names (see `yoke::select_devices`), best first when it is empty.
/// Throws: `unsupported_error` (`errc::no_device`) that lists the devices.
[[nodiscard]] YOKE_API std::vector<device> select_devices(std::string_view specification,
                                                          const source_location& where = source_location::current());

/// An attribute of a device, in its own type, or nothing when the driver does not know it:
/// `cuda::try_get(device, cuda::info::multiprocessor_count)`.
/// Throws: `error`. Thread safety: safe. Wraps `cuDeviceGetAttribute`.
template <class Value>
[[nodiscard]] std::optional<Value> try_get(const device& of, const device_attribute<Value>& attribute,
                                           const source_location& where = source_location::current()) {
  return try_get(*of.port().table(), of.native_handle().native(), attribute, where);
}
/// An attribute of a device. Throws: `unsupported_error` when the driver does not know the attribute; `error`.
template <class Value>
[[nodiscard]] Value get(const device& of, const device_attribute<Value>& attribute,
                        const source_location& where = source_location::current()) {
  return get(*of.port().table(), of.native_handle().native(), attribute, where);
}

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/names.ipp>
#endif

#endif
