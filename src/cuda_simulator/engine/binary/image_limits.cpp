// SPDX-License-Identifier: MIT
// Holds an image's kernels and constants against the limits.
#include "engine/binary/image_limits.hpp"

#include "engine/system/sanitizers.hpp"

namespace yoke::simulator {

namespace {

// Clang's AddressSanitizer makes variables larger.
#if defined(YOKE_SIMULATOR_ASAN) && defined(__clang__)
constexpr bool has_true_sizes = false;
#else
constexpr bool has_true_sizes = true;
#endif

std::string error(const std::string& file_name, const std::string& what, std::size_t bytes, std::size_t limit) {
  return file_name + ": error: " + what + " (" + std::to_string(bytes) + " bytes, " + std::to_string(limit) +
         " at most)\n";
}

}  // namespace

// NVIDIA, "CUDA 12.1 Supports Large Kernel Parameters": 4 096 bytes until then, 32 764 since, on Volta and later.
std::size_t parameter_limit(int compute_capability, int cuda_version) {
  return cuda_version >= 12010 && compute_capability >= 70 ? 32764 : 4096;
}

std::string exceeded_limits(const image& made, const std::string& file_name, int cuda_version) {
  std::string errors;
  const std::size_t parameters = parameter_limit(made.target().number, cuda_version);
  for (const kernel& each : made.kernels()) {
    if (each.static_shared_bytes > static_shared_limit) {
      errors += error(file_name, "kernel '" + each.readable + "' uses too much static shared memory",
                      each.static_shared_bytes, static_shared_limit);
    }
    if (each.record->argument_bytes > parameters) {
      errors += error(file_name, "kernel '" + each.readable + "' takes too many bytes of parameters",
                      each.record->argument_bytes, parameters);
    }
  }
  if (has_true_sizes && made.constant_bytes() > constant_limit) {
    errors += error(file_name, "there is too much __constant__ data", made.constant_bytes(), constant_limit);
  }
  return errors;
}

}  // namespace yoke::simulator
