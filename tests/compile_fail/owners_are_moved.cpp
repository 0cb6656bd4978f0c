// SPDX-License-Identifier: MIT
// Owners are moved, not copied.
// expect 1: deleted|implicitly-deleted
// expect 2: deleted|implicitly-deleted
// expect 3: deleted|implicitly-deleted
// expect 4: deleted|implicitly-deleted
// expect 5: deleted|implicitly-deleted
// expect 6: deleted|implicitly-deleted
// expect 7: deleted|implicitly-deleted
// expect 8: deleted|implicitly-deleted
// expect 9: deleted|implicitly-deleted
#include <yoke/opencl/opencl.hpp>

#include <utility>

namespace ocl = yoke::opencl;

template <class Owner>
Owner again(Owner& owner) {
#ifdef YOKE_BAD
  return owner;
#else
  return std::move(owner);
#endif
}

#if YOKE_BAD == 2
template ocl::pagelocked_array<int> again(ocl::pagelocked_array<int>&);
#elif YOKE_BAD == 3
template ocl::kernel<void(int)> again(ocl::kernel<void(int)>&);
#elif YOKE_BAD == 4
template ocl::transfer again(ocl::transfer&);
#elif YOKE_BAD == 5
template ocl::svm_allocation<int, ocl::svm::coarse> again(ocl::svm_allocation<int, ocl::svm::coarse>&);
#elif YOKE_BAD == 6
template ocl::sub_buffer<int> again(ocl::sub_buffer<int>&);
#elif YOKE_BAD == 7
template ocl::stream again(ocl::stream&);
#elif YOKE_BAD == 8
template ocl::event again(ocl::event&);
#elif YOKE_BAD == 9
template ocl::mapped_view<int> again(ocl::mapped_view<int>&);
#else
template ocl::device_allocation<int> again(ocl::device_allocation<int>&);
#endif

int main() {}
