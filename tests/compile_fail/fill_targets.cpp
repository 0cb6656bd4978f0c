// SPDX-License-Identifier: MIT
// A fill is for device memory that can be written, with a value that converts to its element.
// expect 1: \bthe_memory_is_on_the_host_use_std_ranges_fill\b.*fill_mismatch<.*vector
// expect 2: \bthe_memory_is_on_the_host_use_std_ranges_fill\b.*fill_mismatch<.*pagelocked_array
// expect 3: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*fill_mismatch<const float>
// expect 4: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*fill_mismatch<const float>
// expect 5: \bthe_value_does_not_convert_to_the_element_type\b.*fill_mismatch<float, other>
// expect 6: \bthe_memory_is_on_the_host_use_std_ranges_fill\b.*fill_mismatch<.*strided_view
// expect 7: \ba_pointer_has_no_size_pass_device_memory\b.*fill_mismatch<float ?\*>
// expect 8: \bpass_device_memory\b.*fill_mismatch<int>
// expect 9: \bpass_a_stream_as_the_last_argument\b.*fill_mismatch<.*device_allocation
// expect 10: \bthe_value_does_not_convert_to_the_element_type\b.*fill_mismatch<float, char ?\[2\]>
// expect 11: \bthe_memory_is_on_the_host_use_std_ranges_fill\b.*fill_mismatch<.*vector
// expect 12: \bthe_memory_is_on_the_host_use_std_ranges_fill\b.*fill_mismatch<.*vector
// expect 13: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*fill_mismatch<const float>
#include <yoke/opencl/opencl.hpp>

#include <vector>

namespace ocl = yoke::opencl;

struct other {};

extern const ocl::stream& stream;
extern const ocl::out_of_order_stream& unordered;
extern const ocl::event& before;
extern ocl::device_allocation<float>& memory;
extern const ocl::device_allocation<float>& constant;
extern ocl::pagelocked_array<float>& locked;
extern std::vector<float>& host;
extern float* pointer;

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
#elif YOKE_BAD == 7
  yoke::fill(pointer, 1.0F, stream);
#elif YOKE_BAD == 8
  yoke::fill(1, 1.0F, stream);
#elif YOKE_BAD == 9
  yoke::fill(memory, 1.0F);
#elif YOKE_BAD == 10
  yoke::fill(memory.span(), "a", stream);
#elif YOKE_BAD == 11
  yoke::fill(host, "a", stream);
#elif YOKE_BAD == 12
  yoke::fill(host, 1.0F, stream, {.after = before});
#elif YOKE_BAD == 13
  yoke::fill(constant, 1.0F, unordered, {.after = before});
#else
  const ocl::event after = yoke::fill(memory, 1.0F, stream, {.after = before});
  yoke::fill(memory, 1.0F, unordered, {.after = {before, after}});
  yoke::fill(memory, 1.0F, stream);
  yoke::fill(memory.span(), 1, stream);
#endif
}

int main() {}
