// SPDX-License-Identifier: MIT
// A transfer that nobody keeps would wait at once, and what is made and dropped is a mistake: both are warnings.
// expect 1: ignoring return value|nodiscard
// expect 2: ignoring return value|nodiscard
// expect 3: ignoring return value|nodiscard
// expect 4: ignoring return value|nodiscard
// expect 5: ignoring return value|nodiscard
#include <yoke/opencl/opencl.hpp>

namespace ocl = yoke::opencl;

extern const ocl::stream& stream;
extern ocl::device_allocation<float>& memory;
extern ocl::pagelocked_array<float>& locked;
extern ocl::module& module;

void use() {
#if YOKE_BAD == 1
  yoke::copy_async(locked, memory, stream);
#elif YOKE_BAD == 2
  yoke::to_device(locked, stream);
#elif YOKE_BAD == 3
  memory.release();
#elif YOKE_BAD == 4
  module.get_kernel<void(int)>("f");
#elif YOKE_BAD == 5
  yoke::compile(stream.context_of(), "");
#else
  auto transfer = yoke::copy_async(locked, memory, stream);
  transfer.wait();
  auto kernel = module.get_kernel<void(int)>("f");
#endif
}

int main() {}
