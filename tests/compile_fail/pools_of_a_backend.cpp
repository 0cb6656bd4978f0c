// SPDX-License-Identifier: MIT
// The headers of one backend are enough for its pools, whose type follows from what they are given.
// expect 1: handles of any backend are in <yoke/yoke.hpp>: include that
#include <yoke/opencl.hpp>

namespace ocl = yoke::opencl;

void use(const ocl::context& ctx) {
#if YOKE_BAD == 1
  yoke::memory_pool<> pool{ctx};
#else
  yoke::memory_pool pool{ctx};
  yoke::memory_pool bounded{ctx, {.leading_bits = 3}};
  yoke::memory_pool host{ctx, yoke::pagelocked};
  yoke::memory_pool shared{ctx, ocl::svm::coarse{}};
  ocl::svm_allocator allocator{ctx, ocl::svm::coarse{}, {.alignment = 64}};
  yoke::memory_pool aligned{allocator, {.leading_bits = 4}};
#endif
}

int main() {}
