// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/compiler/compile_with.hpp.
#ifndef YOKE_DRIVER_CUDA_COMPILER_COMPILE_WITH_IPP
#define YOKE_DRIVER_CUDA_COMPILER_COMPILE_WITH_IPP

#include <yoke/driver/cuda/compiler/compile_with.hpp>

#include <yoke/driver/cuda/compiler/named_job.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_binary.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_job.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_source.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/program/program.hpp>

#include <list>
#include <utility>

namespace yoke::inline v0_1::cuda {

abi::library compile_with_functions::compile_with(abi::context context, std::span<const device_id> devices,
                                                  const build_request& request, const source_location& where) const {
  const std::list<detail::asked_name> names = detail::asked_names(request, where);
  const detail::nvrtc_job job = detail::job_for(table(), devices.front(), request, request.architecture, where);
  const detail::nvrtc_source program(job.nvrtc, request.text + request.checks, request.lines.name, where);
  for (const detail::asked_name& each : names) program.add_expression(each.expression);
  const abi::nvrtc_status status = job.compile(program);
  if (status != 0) detail::explain_failure(job, names, request.checks, status, program.log());
  detail::image_record record = detail::record_of(table(), devices.front(), job, program);
  for (const detail::asked_name& each : names) {
    record.names.push_back(each.known);
    record.names.back().lowered = program.lowered(each.expression);
  }
  return detail::load_record(table(), context, std::move(record), request.jit, where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
