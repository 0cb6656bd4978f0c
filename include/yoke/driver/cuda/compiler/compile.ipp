// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/compiler/compile.hpp.
#ifndef YOKE_DRIVER_CUDA_COMPILER_COMPILE_IPP
#define YOKE_DRIVER_CUDA_COMPILER_COMPILE_IPP

#include <yoke/driver/cuda/compiler/compile.hpp>

#include <yoke/driver/cuda/compiler/jit_options.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_binary.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_job.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_source.hpp>
#include <yoke/driver/cuda/device.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/program/jit_arguments.hpp>
#include <yoke/driver/cuda/program/program.hpp>

#include <string>

namespace yoke::inline v0_1::cuda {

build_target compile_functions::target_of(std::span<const device_id> devices, const source_location& where) const {
  const device_summary facts = part<device_functions>().summary(devices.front(), where);
  // Drivers with the same CUDA version may contain different compilers.
  return {"cuda", "image", facts.driver_version + detail::driver_file_name(),
          detail::identity_of(table(), devices.front(), where), !detail::has_compiler_within()};
}

std::string compile_functions::compiler_of(std::span<const device_id>, bool open, const source_location&) const {
  if (!open) return detail::nvrtc_name_without_opening();
  std::string reason;
  const detail::loaded_nvrtc* const nvrtc = detail::find_nvrtc(reason);
  return nvrtc == nullptr ? "" : detail::nvrtc_name(*nvrtc);
}

abi::library compile_functions::compile(abi::context context, std::span<const device_id> devices,
                                        const compile_request& request, const source_location& where) const {
  const detail::nvrtc_job job = detail::job_for(table(), devices.front(), request, "", where);
  const detail::nvrtc_source program(job.nvrtc, request.text, request.lines.name, where);
  if (const abi::nvrtc_status status = job.compile(program)) job.fail(status, program.log(), "");
  return detail::load_record(table(), context, detail::record_of(table(), devices.front(), job, program), {}, where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
