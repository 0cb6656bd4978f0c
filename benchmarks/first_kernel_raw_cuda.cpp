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

/// The driver's entries of the versions that a program written today wants.
class driver_entries {
 public:
  explicit driver_entries(const char* path) : library_(dlopen(path, RTLD_NOW)) {
    need(library_ != nullptr, "opening the driver");
    find_ = entry<int(const char*, void**, int, unsigned long long, int*)>(library_, "cuGetProcAddress_v2");
  }
  template <class Function>
  Function* get(const char* name) const {
    void* found = nullptr;
    int answer = 0;
    need(find_(name, &found, 12000, 0, &answer) == 0 && found != nullptr, name);
    return reinterpret_cast<Function*>(found);
  }

 private:
  void* library_;
  int (*find_)(const char*, void**, int, unsigned long long, int*) = nullptr;
};

}  // namespace

// usage: first_kernel ORDINAL DRIVER NVRTC, the paths of two libraries
int main(int count, char** arguments) {
  need(count == 4, "first_kernel ORDINAL DRIVER NVRTC");
  const driver_entries driver(arguments[2]);
  using pointer = unsigned long long;
  int device = 0;
  void* context = nullptr;
  void* stream = nullptr;
  need(driver.get<int(unsigned)>("cuInit")(0) == 0, "cuInit");
  need(driver.get<int(int*, int)>("cuDeviceGet")(&device, std::atoi(arguments[1])) == 0, "cuDeviceGet");
  need(driver.get<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context, device) == 0, "cuDevicePrimaryCtxRetain");
  need(driver.get<int(void*)>("cuCtxSetCurrent")(context) == 0, "cuCtxSetCurrent");
  need(driver.get<int(void**, unsigned, int)>("cuStreamCreateWithPriority")(&stream, 0, 0) == 0,
       "cuStreamCreateWithPriority");
  int major = 0;
  int minor = 0;
  const auto attribute = driver.get<int(int*, int, int)>("cuDeviceGetAttribute");
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
  need(driver.get<int(void**, const void*, void*, void*, unsigned, void*, void*, unsigned)>("cuLibraryLoadData")(
           &module, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == 0,
       "cuLibraryLoadData");
  need(driver.get<int(void**, void*, const char*)>("cuLibraryGetKernel")(&kernel, module, "first") == 0,
       "cuLibraryGetKernel");
  pointer memory = 0;
  need(driver.get<int(pointer*, std::size_t)>("cuMemAlloc")(&memory, sizeof(int)) == 0, "cuMemAlloc");
  int result = first_kernel::value;
  void* parameters[] = {&memory, &result};
  need(driver.get<int(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                      void**)>("cuLaunchKernel")(kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr) == 0,
       "cuLaunchKernel");
  result = 0;
  need(driver.get<int(void*, pointer, std::size_t, void*)>("cuMemcpyDtoHAsync")(&result, memory, sizeof result,
                                                                                stream) == 0,
       "cuMemcpyDtoHAsync");
  need(driver.get<int(void*)>("cuStreamSynchronize")(stream) == 0, "cuStreamSynchronize");
  const int exit_code = first_kernel::done(result);
  driver.get<int(pointer)>("cuMemFree")(memory);
  driver.get<int(void*)>("cuLibraryUnload")(module);
  driver.get<int(void*)>("cuStreamDestroy")(stream);
  driver.get<int(int)>("cuDevicePrimaryCtxRelease")(device);
  return exit_code;
}
