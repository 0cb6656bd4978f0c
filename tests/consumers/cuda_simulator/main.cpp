// SPDX-License-Identifier: MIT
// Finds the installed simulator by its target and compiles a kernel with its NVRTC.
#include <yoke/core/config.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/driver/cuda/loader.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

int main() {
  std::printf("yoke %s\n", YOKE_VERSION_STRING);
  ::setenv("YOKE_CUDA_DRIVER", SIMULATOR, 1);
  const yoke::availability driver = yoke::cuda::available();
  std::string reason = driver.reason;
  const auto* const nvrtc = driver ? yoke::cuda::detail::find_nvrtc(reason) : nullptr;
  if (nvrtc == nullptr) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    return 1;
  }
  yoke::cuda::abi::nvrtc_program program = nullptr;
  nvrtc->table.create_program(&program, "__global__ void k(int* a) { *a = 1; }", "k.cu", 0, nullptr, nullptr);
  const int status = nvrtc->table.compile_program(program, 0, nullptr);
  nvrtc->table.destroy_program(&program);
  std::printf("compiled: %d\n", status);
  return status;
}
