// SPDX-License-Identifier: MIT
// A kernel's signature is a function that returns void.
// expect 1: a kernel returns void
// expect 2: a kernel returns void
#include <yoke/opencl/opencl.hpp>

namespace ocl = yoke::opencl;

extern const ocl::module& module;

void use() {
#if YOKE_BAD == 1
  (void)yoke::get_kernel<int(float*)>(module, "f");
#elif YOKE_BAD == 2
  (void)module.get_kernel<float*>("f");
#else
  (void)yoke::get_kernel<void(float*)>(module, "f");
#endif
}

int main() {}
