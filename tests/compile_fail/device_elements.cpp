// SPDX-License-Identifier: MIT
// Device and page-locked memory hold trivially copyable, non-const, non-pointer elements.
// expect 1: device memory holds trivially copyable, non-pointer, non-const types
// expect 2: device memory holds trivially copyable, non-pointer, non-const types
// expect 3: device memory holds trivially copyable, non-pointer, non-const types
// expect 4: page-locked memory holds trivially copyable, non-pointer, non-const types
// expect 5: shared virtual memory holds trivially copyable, non-pointer, non-const types
// expect 6: local memory holds trivially copyable, non-pointer types
// expect 7: device memory holds trivially copyable, non-pointer types
// expect 8: constraint|no matching|no type named|must be|not satisfied
#include <yoke/opencl/opencl.hpp>

#include <string>

namespace ocl = yoke::opencl;

#if YOKE_BAD == 1
template class yoke::device_allocation<const int, ocl::port>;
#elif YOKE_BAD == 2
template class yoke::device_allocation<int*, ocl::port>;
#elif YOKE_BAD == 3
template class yoke::device_allocation<std::string, ocl::port>;
#elif YOKE_BAD == 4
template class yoke::pagelocked_array<const int, ocl::port>;
#elif YOKE_BAD == 5
template class ocl::svm_allocation<int*, ocl::svm::coarse>;
#elif YOKE_BAD == 6
template class yoke::local<std::string>;
#elif YOKE_BAD == 7
template class yoke::device_span<int*, ocl::port>;
#elif YOKE_BAD == 8
ocl::svm_allocation<int, int> grain;
#else
template class yoke::device_allocation<int, ocl::port>;
template class yoke::pagelocked_array<int, ocl::port>;
template class ocl::svm_allocation<int, ocl::svm::coarse>;
template class yoke::local<std::int8_t>;
template class yoke::device_span<const int, ocl::port>;
#endif

int main() {}
