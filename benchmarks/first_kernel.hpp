// SPDX-License-Identifier: MIT
// The kernel of the programs that launch one, and how they say that it ran.
#ifndef YOKE_BENCHMARKS_FIRST_KERNEL_HPP
#define YOKE_BENCHMARKS_FIRST_KERNEL_HPP

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace first_kernel {

inline constexpr const char* cuda_source = "extern \"C\" __global__ void first(int* a, int b) { a[0] = b; }\n";
inline constexpr const char* opencl_source = "kernel void first(global int* a, int b) { a[0] = b; }\n";
inline constexpr int value = 41;

/// Effects: writes the monotonic clock in nanoseconds. Returns: the program's exit code.
inline int done(int result) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::printf("%lld\n", static_cast<long long>(now.tv_sec) * 1000000000 + now.tv_nsec);
  return result == value ? 0 : 1;
}
inline void need(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

}  // namespace first_kernel

#endif
