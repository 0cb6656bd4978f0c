// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program/load_image.hpp.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_LOAD_IMAGE_IPP
#define YOKE_DRIVER_CUDA_PROGRAM_LOAD_IMAGE_IPP

#include <yoke/driver/cuda/program/load_image.hpp>

#include <yoke/driver/cuda/binary/binary_check.hpp>
#include <yoke/driver/cuda/binary/loaded_binaries.hpp>
#include <yoke/driver/cuda/device.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/program/jit_arguments.hpp>
#include <yoke/driver/cuda/program/program.hpp>

#include <string>
#include <utility>

namespace yoke::inline v0_1::cuda {

abi::library load_image_functions::load_image(abi::context context, device_id device, std::span<const std::byte> image,
                                              const std::string& name, const jit_options& jit,
                                              const source_location& where) const {
  const std::string problem = detail::image_problem(image);
  if (!problem.empty()) {
    detail::throw_error(errc::incompatible_binary, where, name, " of ", image.size(), " bytes ", problem);
  }
  detail::image_record record;
  record.identity = detail::identity_of(table(), device, where);
  record.image.reserve(image.size() + 1);
  record.image.assign(image.begin(), image.end());
  while (detail::is_ptx(record.image) && record.image.back() == std::byte{0}) record.image.pop_back();
  return detail::load_record(table(), context, std::move(record), jit, where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
