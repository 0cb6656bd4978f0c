// SPDX-License-Identifier: MIT
// Only OpenCL's native objects count references, so that a handle can add one of its own.
// expect 1: (counting_port|constraints not satisfied|no matching)
// expect 2: (counting_port|constraints not satisfied|no matching)
// expect 3: (counting_port|constraints not satisfied|no matching)
#include <yoke/yoke.hpp>

namespace cu = yoke::cuda;
namespace ocl = yoke::opencl;

extern const cu::context& cuda;
extern const ocl::context& opencl;
extern const yoke::context<>& any;
extern const cu::stream& stream;
extern const cu::device_allocation<int>& memory;
extern const yoke::stream<>& any_stream;

void use() {
#if YOKE_BAD == 1
  (void)cu::stream::retain(cuda, stream.native_handle());
#elif YOKE_BAD == 2
  (void)cu::device_allocation<int>::retain(cuda, memory.native_handle(), 1);
#elif YOKE_BAD == 3
  (void)yoke::stream<>::retain(any, any_stream.native_handle());
#else
  (void)ocl::stream::retain(opencl, nullptr);
  (void)ocl::device_allocation<int>::retain(opencl, nullptr, 1);
#endif
}

int main() {}
