// SPDX-License-Identifier: MIT
// The holes of the copy matrix from host to host: no device takes part, whatever kind of host memory and shape.
// expect 1: \bboth_sides_are_on_the_host_use_std_ranges_copy\b.*copy_mismatch<(const )?int, int>
// expect 2: \bboth_sides_are_on_the_host_use_std_ranges_copy\b.*copy_mismatch<(const )?int, int>
// expect 3: \bboth_sides_are_on_the_host_use_std_ranges_copy\b.*copy_mismatch<(const )?int, int>
// expect 4: \bboth_sides_are_on_the_host_use_std_ranges_copy\b.*copy_mismatch<(const )?int, int>
// expect 5: \bboth_sides_are_on_the_host_use_std_ranges_copy\b.*copy_mismatch<(const )?int, int>
// expect 6: \bboth_sides_are_on_the_host_use_std_ranges_copy\b.*copy_mismatch<(const )?int, int>
// expect 7: \bboth_sides_are_on_the_host_use_std_ranges_copy\b.*copy_mismatch<(const )?int, int>
// expect 8: \bboth_sides_are_on_the_host_use_std_ranges_copy\b.*copy_mismatch<(const )?int, int>
// expect 9: \bboth_sides_are_on_the_host_use_std_ranges_copy\b.*copy_mismatch<(const )?int, int>
// expect 10: \bboth_sides_are_on_the_host_use_std_ranges_copy\b.*copy_mismatch<(const )?int, int>
// expect 11: \bboth_sides_are_on_the_host_use_std_ranges_copy\b.*copy_mismatch<(const )?int, int>
// expect 12: \bpass_device_memory_or_a_contiguous_host_range\b.*copy_mismatch<int>
// expect 13: \bstd_vector_of_bool_is_no_range_use_yoke_copy_into_an_array\b.*copy_mismatch<.*device_allocation<bool
#include <yoke/opencl/opencl.hpp>

#include <vector>

namespace ocl = yoke::opencl;

extern const ocl::stream& stream;
extern std::vector<int>& pageable;
extern ocl::pagelocked_array<int>& locked;
extern ocl::device_allocation<int>& memory;
extern ocl::device_allocation<bool>& flags;
extern const yoke::box_layout box;

void use() {
#if YOKE_BAD == 1
  yoke::copy(pageable, pageable, stream);
#elif YOKE_BAD == 2
  yoke::copy(pageable, locked, stream);
#elif YOKE_BAD == 3
  yoke::copy(locked, pageable, stream);
#elif YOKE_BAD == 4
  yoke::copy(locked, locked, stream);
#elif YOKE_BAD == 5
  yoke::copy(yoke::strided(pageable, box), yoke::strided(pageable, box), stream);
#elif YOKE_BAD == 6
  yoke::copy(yoke::strided(locked, box), locked, stream);
#elif YOKE_BAD == 7
  (void)yoke::copy_async(locked, locked, stream);
#elif YOKE_BAD == 8
  (void)yoke::copy_async(pageable, locked, stream);
#elif YOKE_BAD == 9
  (void)yoke::copy_async(locked, pageable, stream);
#elif YOKE_BAD == 10
  (void)yoke::copy_async(pageable, pageable, stream);
#elif YOKE_BAD == 11
  (void)yoke::to_host(locked.subspan(0, 1), stream);
#elif YOKE_BAD == 12
  (void)yoke::to_host(1, stream);
#elif YOKE_BAD == 13
  (void)yoke::to_host(flags, stream);
#else
  (void)yoke::to_host(memory, stream);
  yoke::copy(pageable, memory, stream);
  yoke::copy(memory, locked, stream);
  yoke::copy(yoke::strided(locked, box), yoke::strided(memory, box), stream);
#endif
}

int main() {}
