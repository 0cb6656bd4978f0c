// SPDX-License-Identifier: MIT
// Bodies of cuda/names.hpp: finds the CUDA devices.
#ifndef YOKE_CUDA_NAMES_IPP
#define YOKE_CUDA_NAMES_IPP

#include <yoke/cuda/names.hpp>

#include <yoke/execution/select.hpp>
#include <yoke/program/compile.hpp>

namespace yoke::inline v0_1::cuda {

std::vector<device> devices(const port& with, const source_location& where) {
  return yoke::detail::devices_of(with, where);
}
std::vector<device> devices(const source_location& where) { return devices(port(where), where); }
std::vector<device> select_devices(std::string_view specification, const source_location& where) {
  return yoke::detail::select_from(port(where), specification, where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
