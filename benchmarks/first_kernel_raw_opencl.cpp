// SPDX-License-Identifier: MIT
// From nothing to the end of the first kernel through OpenCL's C interface.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <array>
#include <cstring>

#include "first_kernel.hpp"

using first_kernel::need;

namespace {

cl_device_id find(int count, char** arguments) {
  std::array<cl_platform_id, 16> platforms{};
  cl_uint platform_count = 0;
  need(clGetPlatformIDs(16, platforms.data(), &platform_count) == 0, "clGetPlatformIDs");
  for (cl_uint p = 0; p < platform_count && p < 16; ++p) {
    std::array<char, 256> name{};
    clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, name.size(), name.data(), nullptr);
    if (count > 2 && std::strcmp(name.data(), arguments[1]) != 0) continue;
    std::array<cl_device_id, 16> devices{};
    cl_uint device_count = 0;
    if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, devices.data(), &device_count) != 0) continue;
    for (cl_uint d = 0; d < device_count && d < 16; ++d) {
      clGetDeviceInfo(devices[d], CL_DEVICE_NAME, name.size(), name.data(), nullptr);
      if (count <= 2 || std::strcmp(name.data(), arguments[2]) == 0) return devices[d];
    }
  }
  return nullptr;
}

}  // namespace

// usage: first_kernel PLATFORM DEVICE, as names
int main(int count, char** arguments) {
  cl_device_id device = find(count, arguments);
  need(device != nullptr, "looking for a device");
  cl_int code = 0;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  need(code == 0, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  need(code == 0, "clCreateCommandQueue");
  const char* text = first_kernel::opencl_source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  need(code == 0, "clCreateProgramWithSource");
  need(clBuildProgram(program, 1, &device, "-cl-std=CL1.2 -cl-kernel-arg-info", nullptr, nullptr) == 0,
       "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "first", &code);
  need(code == 0, "clCreateKernel");
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(int), nullptr, &code);
  need(code == 0, "clCreateBuffer");
  int result = first_kernel::value;
  need(clSetKernelArg(kernel, 0, sizeof memory, &memory) == 0, "clSetKernelArg");
  need(clSetKernelArg(kernel, 1, sizeof result, &result) == 0, "clSetKernelArg");
  const std::size_t one = 1;
  need(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr) == 0,
       "clEnqueueNDRangeKernel");
  result = 0;
  need(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof result, &result, 0, nullptr, nullptr) == 0,
       "clEnqueueReadBuffer");
  const int exit_code = first_kernel::done(result);
  clReleaseMemObject(memory);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return exit_code;
}
