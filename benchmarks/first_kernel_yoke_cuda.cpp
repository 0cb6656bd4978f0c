// SPDX-License-Identifier: MIT
// From nothing to the end of the first kernel through yoke on CUDA: writes the clock's nanoseconds of that moment.
#include <yoke/cuda.hpp>

#include "first_kernel.hpp"

namespace cu = yoke::cuda;

// usage: first_kernel ORDINAL
int main(int count, char** arguments) {
  cu::context context{cu::device{count > 1 ? std::atoi(arguments[1]) : 0}};
  cu::stream stream{context};
  auto module = cu::compile(context, first_kernel::cuda_source, {.language = yoke::source_language::native});
  auto kernel = module.get_kernel<void(int*, int)>("first");
  cu::device_allocation<int> memory{context, 1};
  int result = 0;
  kernel(stream, {.grid = 1, .block = 1}, memory, first_kernel::value);
  yoke::copy(memory, std::span(&result, 1), stream);
  return first_kernel::done(result);
}
