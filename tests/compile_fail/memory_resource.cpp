// SPDX-License-Identifier: MIT
// A pool and an allocation keep their memory resource alive: what cannot be shared is none.
// expect 1: memory shares its resource: pass a std::shared_ptr to it
// expect 2: memory shares its resource: pass a std::shared_ptr to it
// expect 3: (no matching function|no matching constructor|no viable constructor|deduction failed)
#include <yoke/opencl/opencl.hpp>

#include <memory>

namespace ocl = yoke::opencl;

using resource = yoke::memory_resource<ocl::port>;

extern const ocl::stream& stream;
extern std::unique_ptr<resource>& alone;
extern std::shared_ptr<resource>& shared;

void use() {
#if YOKE_BAD == 1
  (void)ocl::memory_pool{alone};
#elif YOKE_BAD == 2
  (void)ocl::device_allocation<float>{alone, 4, stream};
#elif YOKE_BAD == 3
  (void)ocl::memory_pool{shared.get()};
#else
  (void)ocl::memory_pool{shared};
  (void)ocl::device_allocation<float>{shared, 4, stream};
#endif
}

int main() {}
