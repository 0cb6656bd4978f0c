// SPDX-License-Identifier: MIT
// The image that NVRTC makes for a device.
#ifndef YOKE_DRIVER_CUDA_COMPILER_NVRTC_BINARY_HPP
#define YOKE_DRIVER_CUDA_COMPILER_NVRTC_BINARY_HPP

#include <yoke/driver/cuda/binary/binary_kernels.hpp>
#include <yoke/driver/cuda/binary/loaded_binaries.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/driver/cuda/compiler/nvrtc_job.hpp>
#include <yoke/driver/cuda/device.hpp>
#include <yoke/driver/cuda/program/jit_arguments.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// Returns: the compilation of a request for a device. `architecture` is the caller's, "" for the device's.
[[gnu::cold]] inline nvrtc_job job_for(const abi::functions* table, device_id device, const compile_request& request,
                                       const std::string& architecture, const source_location& where) {
  if (!architecture.empty()) check_architecture(architecture, where);
  const abi::nvrtc_functions& nvrtc = default_nvrtc(where).table;
  const std::string chosen = !architecture.empty()
                                 ? architecture
                                 : architecture_for(known_architectures(nvrtc, where),
                                                    compute_capability(table, device.native(), where), where);
  nvrtc_job job{nvrtc, request, finished_options(request, architecture, chosen, where), where};
  if (request.used_options != nullptr) *request.used_options = job.joined();
  return job;
}

/// Returns: the record of a compiled program, without its names.
/// Throws: `compile_error` for a kernel that a portable source defines twice.
[[gnu::cold]] inline image_record record_of(const abi::functions* table, device_id device, const nvrtc_job& job,
                                            const nvrtc_source& program) {
  image_record record;
  record.identity = identity_of(table, device, job.where);
  record.log = program.log();
  // A real architecture gives a cubin; a virtual one only PTX, which the driver compiles when it loads it.
  record.image = program.cubin();
  const bool relocatable = is_relocatable(job.options);
  const std::vector<std::byte> ptx = program.ptx(record.image.empty() || relocatable);
  record.entries = image_entries(ptx);
  // A relocatable cubin cannot be loaded: the driver compiles the PTX instead.
  if (record.image.empty() || relocatable) record.image = ptx;
  while (is_ptx(record.image) && record.image.back() == std::byte{0}) record.image.pop_back();
  list_kernels(record);
  if (job.request.portable) refuse_overloads(job, record.kernels);
  return record;
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
