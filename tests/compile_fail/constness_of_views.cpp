// SPDX-License-Identifier: MIT
// What can only be read stays so: spans, mapped views, page-locked arrays.
// expect 1: conversion|cannot convert|could not convert
// expect 2: assignment of read-only|cannot assign|read-only
// expect 3: assignment of read-only|cannot assign|read-only
// expect 4: conversion|cannot convert|could not convert|cannot bind|discards
#include <yoke/opencl/opencl.hpp>

namespace ocl = yoke::opencl;

extern const ocl::stream& stream;
extern ocl::device_allocation<int>& memory;
extern const ocl::device_allocation<int>& constant;
extern const ocl::pagelocked_array<int>& locked;

void use() {
#if YOKE_BAD == 1
  [[maybe_unused]] const ocl::device_span<int> span = constant.span();
#elif YOKE_BAD == 2
  ocl::map(memory, stream, ocl::map_read)[0] = 1;
#elif YOKE_BAD == 3
  locked[0] = 1;
#elif YOKE_BAD == 4
  [[maybe_unused]] const ocl::device_span<int> span = ocl::device_span<const int>{};
#else
  [[maybe_unused]] const ocl::device_span<const int> span = memory.span();
  ocl::map(memory, stream, ocl::map_write)[0] = locked[0];
#endif
}

int main() {}
