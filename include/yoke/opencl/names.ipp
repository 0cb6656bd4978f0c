// SPDX-License-Identifier: MIT
// Bodies of opencl/names.hpp: finds the OpenCL devices.
#ifndef YOKE_OPENCL_NAMES_IPP
#define YOKE_OPENCL_NAMES_IPP

#include <yoke/execution/select.hpp>
#include <yoke/opencl/names.hpp>

namespace yoke::inline v0_1::opencl {

std::vector<device> devices(const port& with, const source_location& where) {
  return yoke::detail::devices_of(with, where);
}
std::vector<device> devices(const source_location& where) { return devices(port(where), where); }
std::vector<device> select_devices(std::string_view specification, const source_location& where) {
  return yoke::detail::select_from(port(where), specification, where);
}

}  // namespace yoke::inline v0_1::opencl

#endif
