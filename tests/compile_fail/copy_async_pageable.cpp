// SPDX-License-Identifier: MIT
// The holes of the copy matrix with pageable memory: an asynchronous copy could outlive it.
// expect 1: copy_async_needs_pagelocked_memory<(const )?int>
// expect 2: copy_async_needs_pagelocked_memory<(const )?int>
// expect 3: copy_async_needs_pagelocked_memory<(const )?int>
// expect 4: copy_async_needs_pagelocked_memory<(const )?int>
// expect 5: copy_async_needs_pagelocked_memory<(const )?int>
// expect 6: copy_async_needs_pagelocked_memory<(const )?int>
// expect 7: copy_async_needs_pagelocked_memory<(const )?int>
// expect 8: copy_async_needs_pagelocked_memory<(const )?int>
// expect 9: copy_async_needs_pagelocked_memory<(const )?int>
// expect 10: copy_async_needs_pagelocked_memory<(const )?int>
// expect 11: copy_async_needs_pagelocked_memory<(const )?int>
#include <yoke/opencl/opencl.hpp>

#include <array>
#include <vector>

namespace ocl = yoke::opencl;

extern const ocl::stream& stream;
extern std::vector<int>& pageable;
extern ocl::pagelocked_array<int>& locked;
extern ocl::device_allocation<int>& memory;
extern ocl::svm_allocation<int, ocl::svm::coarse>& coarse;
extern ocl::svm_allocation<int, ocl::svm::fine>& fine;
extern const yoke::box_layout box;

void use() {
#if YOKE_BAD == 1
  (void)yoke::copy_async(pageable, memory, stream);
#elif YOKE_BAD == 2
  (void)yoke::copy_async(memory, pageable, stream);
#elif YOKE_BAD == 3
  (void)yoke::copy_async(pageable, memory.span(), stream);
#elif YOKE_BAD == 4
  (void)yoke::copy_async(memory.span(), pageable, stream);
#elif YOKE_BAD == 5
  (void)yoke::copy_async(pageable, coarse, stream);
#elif YOKE_BAD == 6
  (void)yoke::copy_async(coarse, pageable, stream);
#elif YOKE_BAD == 7
  (void)yoke::copy_async(pageable, fine, stream);
#elif YOKE_BAD == 8
  (void)yoke::copy_async(fine, pageable, stream);
#elif YOKE_BAD == 9
  (void)yoke::copy_async(yoke::strided(pageable, box), yoke::strided(memory, box), stream);
#elif YOKE_BAD == 10
  (void)yoke::copy_async(yoke::strided(memory, box), yoke::strided(pageable, box), stream);
#elif YOKE_BAD == 11
  (void)yoke::copy_async(memory, std::array<int, 4>{}, stream);
#else
  (void)yoke::copy_async(locked, memory, stream);
  (void)yoke::copy_async(memory.span(), locked, stream);
  (void)yoke::copy_async(coarse, locked, stream);
  (void)yoke::copy_async(fine, memory, stream);
  (void)yoke::copy_async(yoke::strided(locked, box), yoke::strided(memory, box), stream);
#endif
}

int main() {}
