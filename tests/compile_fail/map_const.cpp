// SPDX-License-Identifier: MIT
// A span over const elements is mapped to read, and in no other way.
// expect 1: const_memory_is_mapped_with_map_read_alone<const int>
// expect 2: const_memory_is_mapped_with_map_read_alone<const int>
// expect 3: no matching function
#include <yoke/opencl/opencl.hpp>

namespace ocl = yoke::opencl;

extern const ocl::stream& stream;
extern const ocl::device_allocation<int>& constant;

void use() {
#if YOKE_BAD == 1
  (void)ocl::map(constant.span(), stream, ocl::map_write);
#elif YOKE_BAD == 2
  (void)ocl::map(constant.subspan(1, 2), stream, ocl::map_read_write);
#elif YOKE_BAD == 3
  (void)ocl::map(constant, stream, ocl::map_write);
#else
  (void)ocl::map(constant.span(), stream, ocl::map_read);
#endif
}

int main() {}
