// SPDX-License-Identifier: MIT
// From nothing to the end of the first kernel through yoke on OpenCL: writes the clock's nanoseconds of that moment.
#include <yoke/yoke.hpp>

#include "first_kernel.hpp"

namespace ocl = yoke::opencl;

// usage: first_kernel PLATFORM DEVICE, as names
int main(int count, char** arguments) {
  for (const ocl::device& each : ocl::devices()) {
    if (count > 2 && (each.summary().platform != arguments[1] || each.summary().name != arguments[2])) continue;
    ocl::context context{each};
    ocl::stream stream{context};
    auto module = yoke::compile(context, first_kernel::opencl_source, {.language = yoke::source_language::native});
    auto kernel = module.get_kernel<void(int*, int)>("first");
    ocl::device_allocation<int> memory{context, 1};
    int result = 0;
    kernel(stream, {.grid = 1, .block = 1}, memory, first_kernel::value);
    yoke::copy(memory, std::span(&result, 1), stream);
    return first_kernel::done(result);
  }
  return 1;
}
