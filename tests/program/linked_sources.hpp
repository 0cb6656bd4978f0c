// SPDX-License-Identifier: MIT
// Two sources that are one program when they are linked: "call" makes 3 x FACTOR + 100 of each number.
#ifndef YOKE_TESTS_PROGRAM_LINKED_SOURCES_HPP
#define YOKE_TESTS_PROGRAM_LINKED_SOURCES_HPP

#include <yoke/yoke.hpp>

#include <string>
#include <vector>

namespace yoke_test {

inline constexpr const char* opencl_caller = R"(
  #include "helper.h"
  kernel void call(global int* a) { size_t i = get_global_id(0); a[i] = helper(a[i]) + STEP; })";
inline constexpr const char* opencl_helper = R"(
  int helper(int a);
  int helper(int a) { return 3 * a FACTOR; })";
/// The headers of the first, of which one includes the other.
inline std::vector<yoke::embedded_header> linked_headers(const std::string& step = "100") {
  return {{"helper.h", "#include \"inner/step.h\"\nint helper(int a);\n"},
          {"inner/step.h", "#define STEP " + step + "\n"}};
}

inline constexpr const char* cuda_caller = R"(
  __device__ int helper(int);
  extern __device__ int step;
  extern "C" __global__ void call(int* a) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = helper(a[i]) + step;
  })";
inline constexpr const char* cuda_helper = R"(
  __device__ int step = 100;
  __device__ int helper(int a) { return 3 * a FACTOR; }
  template <class T> __global__ void fill(T* a, T value) { a[threadIdx.x] = value; })";

/// Returns: what the kernel "call" of a module makes of 1, 2, 3.
template <class Port>
std::vector<int> called(const yoke::context<Port>& context, const yoke::module<Port>& module) {
  const yoke::stream<Port> stream{context};
  std::vector<int> values{1, 2, 3};
  yoke::get_kernel<void(int*)>(module, "call")(stream, {.grid = 3, .block = 1}, yoke::in_out(values));
  return values;
}

}  // namespace yoke_test

#endif
