// SPDX-License-Identifier: MIT
// Memory of a user's own types: what is not described is no side of a copy, and a place names those it copies with.
// expect 1: \bpass_device_memory_or_a_contiguous_host_range\b.*copy_mismatch<.*blob
// expect 2: \bthese_places_copy_with_none_of_each_other_copy_through_host_memory\b.*copy_mismatch<lonely_place, lonely_place>
// expect 3: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*copy_mismatch<const float>
// expect 4: \bits_memory_access_describes_no_const_memory_so_it_is_no_source\b.*copy_mismatch<.*writable
#include <yoke/opencl/opencl.hpp>

namespace ocl = yoke::opencl;

struct blob {};
struct table {};
struct writable {};
struct lonely {};

struct lonely_place : yoke::device_place<ocl::port> {
  template <class Other>
  static constexpr bool copies_with = false;
};

extern ocl::device_span<float> span;

template <>
struct yoke::memory_access<table> {
  static ocl::device_span<const float> describe(const table&) noexcept { return span; }
};
template <>
struct yoke::memory_access<writable> {
  static ocl::device_span<float> describe(writable&) noexcept { return span; }
};
template <>
struct yoke::memory_access<lonely> {
  static yoke::memory_side<lonely_place, float> describe(const lonely&) noexcept { return {}; }
};

extern const ocl::stream& stream;
extern ocl::sub_buffer<float>& part;
extern ocl::svm_allocation<float, ocl::svm::coarse>& shared;
extern blob& undescribed;
extern table& described;
extern writable& written;
extern const writable& const_written;
extern lonely& alone;

void use() {
#if YOKE_BAD == 1
  yoke::copy(part, undescribed, stream);
#elif YOKE_BAD == 2
  yoke::copy(alone, alone, stream);
#elif YOKE_BAD == 3
  yoke::copy(part, described, stream);
#elif YOKE_BAD == 4
  yoke::copy(const_written, part, stream);
#else
  yoke::copy(described, part, stream);
  yoke::copy(part, written, stream);
  yoke::copy(shared, part, stream);
#endif
}

int main() {}
