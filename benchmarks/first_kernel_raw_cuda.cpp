// SPDX-License-Identifier: MIT
// From nothing to the end of the first kernel through CUDA's driver interface and NVRTC, opened by name.
#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <string>

#include "first_kernel.hpp"

using first_kernel::need;

namespace {

template <class Function>
Function* entry(void* library, const char* name) {
  void* found = dlsym(library, name);
  need(found != nullptr, name);
  return reinterpret_cast<Function*>(found);
}

}  // namespace

// usage: first_kernel ORDINAL DRIVER NVRTC, the paths of two libraries
int main(int count, char** arguments) {
  need(count == 4, "first_kernel ORDINAL DRIVER NVRTC");
  void* driver = dlopen(arguments[2], RTLD_NOW);
  need(driver != nullptr, "opening the driver");
  using pointer = unsigned long long;
  int device = 0;
  void* context = nullptr;
  void* stream = nullptr;
  need(entry<int(unsigned)>(driver, "cuInit")(0) == 0, "cuInit");
  need(entry<int(int*, int)>(driver, "cuDeviceGet")(&device, std::atoi(arguments[1])) == 0, "cuDeviceGet");
  need(entry<int(void**, int)>(driver, "cuDevicePrimaryCtxRetain")(&context, device) == 0, "cuDevicePrimaryCtxRetain");
  need(entry<int(void*)>(driver, "cuCtxSetCurrent")(context) == 0, "cuCtxSetCurrent");
  need(entry<int(void**, unsigned, int)>(driver, "cuStreamCreateWithPriority")(&stream, 0, 0) == 0,
       "cuStreamCreateWithPriority");
  int major = 0;
  int minor = 0;
  const auto attribute = entry<int(int*, int, int)>(driver, "cuDeviceGetAttribute");
  need(attribute(&major, 75, device) == 0 && attribute(&minor, 76, device) == 0, "cuDeviceGetAttribute");

  void* nvrtc = dlopen(arguments[3], RTLD_NOW);
  need(nvrtc != nullptr, "opening NVRTC");
  void* program = nullptr;
  need(entry<int(void**, const char*, const char*, int, const char* const*, const char* const*)>(
           nvrtc, "nvrtcCreateProgram")(&program, first_kernel::cuda_source, "kernel.cu", 0, nullptr, nullptr) == 0,
       "nvrtcCreateProgram");
  const std::string architecture = "--gpu-architecture=sm_" + std::to_string(major) + std::to_string(minor);
  const std::array options{architecture.c_str(), "--std=c++17"};
  need(entry<int(void*, int, const char* const*)>(nvrtc, "nvrtcCompileProgram")(program, 2, options.data()) == 0,
       "nvrtcCompileProgram");
  std::size_t bytes = 0;
  need(entry<int(void*, std::size_t*)>(nvrtc, "nvrtcGetCUBINSize")(program, &bytes) == 0, "nvrtcGetCUBINSize");
  std::string image(bytes, '\0');
  need(entry<int(void*, char*)>(nvrtc, "nvrtcGetCUBIN")(program, image.data()) == 0, "nvrtcGetCUBIN");
  need(entry<int(void**)>(nvrtc, "nvrtcDestroyProgram")(&program) == 0, "nvrtcDestroyProgram");

  void* module = nullptr;
  void* kernel = nullptr;
  need(entry<int(void**, const void*, void*, void*, unsigned, void*, void*, unsigned)>(driver, "cuLibraryLoadData")(
           &module, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == 0,
       "cuLibraryLoadData");
  need(entry<int(void**, void*, const char*)>(driver, "cuLibraryGetKernel")(&kernel, module, "first") == 0,
       "cuLibraryGetKernel");
  pointer memory = 0;
  need(entry<int(pointer*, std::size_t)>(driver, "cuMemAlloc_v2")(&memory, sizeof(int)) == 0, "cuMemAlloc");
  int result = first_kernel::value;
  void* parameters[] = {&memory, &result};
  need(entry<int(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**)>(
           driver, "cuLaunchKernel")(kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr) == 0,
       "cuLaunchKernel");
  result = 0;
  need(entry<int(void*, pointer, std::size_t, void*)>(driver, "cuMemcpyDtoHAsync_v2")(&result, memory, sizeof result,
                                                                                      stream) == 0,
       "cuMemcpyDtoHAsync");
  need(entry<int(void*)>(driver, "cuStreamSynchronize")(stream) == 0, "cuStreamSynchronize");
  const int exit_code = first_kernel::done(result);
  entry<int(pointer)>(driver, "cuMemFree_v2")(memory);
  entry<int(void*)>(driver, "cuLibraryUnload")(module);
  entry<int(void*)>(driver, "cuStreamDestroy_v2")(stream);
  entry<int(int)>(driver, "cuDevicePrimaryCtxRelease_v2")(device);
  return exit_code;
}
