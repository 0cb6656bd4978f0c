// SPDX-License-Identifier: MIT
// A launch takes as many arguments as the kernel has parameters, and `operator()` only streams that keep order.
// expect 1: no (match|matching)
// expect 2: no (match|matching)
// expect 3: no (match|matching)|too few
// expect 4: no (match|matching)
// expect 5: no (match|matching)
#include <yoke/yoke.hpp>

namespace ocl = yoke::opencl;

extern const ocl::kernel<void(float*, int)>& kernel;
extern const ocl::stream& stream;
extern const ocl::out_of_order_stream& disorder;
extern ocl::device_allocation<float>& memory;
extern const yoke::stream<yoke::any_port>& any;

void launch() {
#if YOKE_BAD == 1
  kernel(stream, {.grid = 1}, memory);
#elif YOKE_BAD == 2
  kernel(stream, {.grid = 1}, memory, 1, 2);
#elif YOKE_BAD == 3
  (void)kernel.enqueue(stream, {.grid = 1}, memory);
#elif YOKE_BAD == 4
  kernel(disorder, {.grid = 1}, memory, 1);
#elif YOKE_BAD == 5
  kernel(any, {.grid = 1}, memory, 1);
#else
  kernel(stream, {.grid = 1}, memory, 1);
  (void)kernel.enqueue(disorder, {.grid = 1}, memory, 1);
#endif
}

int main() {}
