// SPDX-License-Identifier: MIT
// A fill is for device memory that can be written, with a value that converts to its element.
// expect 1: \bthe_memory_is_on_the_host_use_std_ranges_fill\b.*fill_mismatch<.*vector
// expect 2: \bthe_memory_is_on_the_host_use_std_ranges_fill\b.*fill_mismatch<.*pagelocked_array
// expect 3: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*fill_mismatch<const float>
// expect 4: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*fill_mismatch<const float>
// expect 5: cannot convert|no matching|no viable|invalid initialization
// expect 6: \bthe_memory_is_on_the_host_use_std_ranges_fill\b.*fill_mismatch<.*strided_view
#include <yoke/opencl/opencl.hpp>

#include <vector>

namespace ocl = yoke::opencl;

struct other {};

extern const ocl::stream& stream;
extern ocl::device_allocation<float>& memory;
extern const ocl::device_allocation<float>& constant;
extern ocl::pagelocked_array<float>& locked;
extern std::vector<float>& host;

void use() {
#if YOKE_BAD == 1
  yoke::fill(host, 1.0F, stream);
#elif YOKE_BAD == 2
  yoke::fill(locked, 1.0F, stream);
#elif YOKE_BAD == 3
  yoke::fill(constant, 1.0F, stream);
#elif YOKE_BAD == 4
  yoke::fill(constant.span(), 1.0F, stream);
#elif YOKE_BAD == 5
  yoke::fill(memory, other{}, stream);
#elif YOKE_BAD == 6
  yoke::fill(yoke::strided(host, {.width = 1}), 1.0F, stream);
#else
  yoke::fill(memory, 1.0F, stream);
  yoke::fill(memory.span(), 1, stream);
#endif
}

int main() {}
