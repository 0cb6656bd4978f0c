// SPDX-License-Identifier: MIT
// Qualifiers, templates, launch bounds, printf and assert, and the names that are there without an include.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

namespace yoke_test {

std::vector<kernel_program> language_kernels() {
  kernel_program program{"language", ""};
  auto& kernels = program.kernels;
  kernels.push_back(whole_kernel("qualifiers", R"(struct __align__(16) aligned_pair { int a, b; };
static __device__ __host__ __forceinline__ int inlined(int x) { return x * 3; }
static __device__ __noinline__ int called(int x) { return x + 7; }
static __device__ __inline_hint__ int hinted(int x) { return x - 1; }
extern "C" __global__ void __launch_bounds__(64, 2) qualifiers(const word* __restrict__ in, word* __restrict__ out) {
  const int thread = (int)threadIdx.x;
  __builtin_assume(thread < 64);
  out[thread] = bits(inlined(thread) + called(thread) + hinted(thread));
  out[64 + thread] = sizeof(aligned_pair) * 100 + alignof(aligned_pair);
}
)",
                                 {{"calls", "int", 64}, {"alignment", "word", 64}}, {}, {1, 1, 1}, {64, 1, 1}));
  kernels.push_back(whole_kernel("registers", R"(struct settings { int scale; float bias; };
extern "C" __global__ void __maxnreg__(64) registers(const __grid_constant__ unsigned long long in, const __grid_constant__ unsigned long long out) {
  ((word*)out)[threadIdx.x] = ((const word*)in)[threadIdx.x] + 1;
}
)",
                                 {{"next", "word", 32}}, integers("unsigned long long", "a").values));
  kernels.push_back(whole_kernel("shapes::scale", R"(namespace shapes {
template <class T, int By> __global__ void scale(const unsigned long long* in, unsigned long long* out) {
  out[threadIdx.x] = bits((T)(value<T>(in[threadIdx.x]) * By));
}
}
template __global__ void shapes::scale<float, 3>(const unsigned long long*, unsigned long long*);
)",
                                 {{"scaled", "float", 32}}, reals("float", "a", -9.0, 9.0).values));
  kernels.push_back(whole_kernel(
      "plain_name",
      R"(__global__ void plain_name(const unsigned long long* in, unsigned long long* out) { out[threadIdx.x] = in[threadIdx.x] ^ 1; }
)",
      {{"flipped", "word", 32}}, integers("unsigned long long", "b").values));
  kernels.push_back(whole_kernel("messages", R"(extern "C" __global__ void messages(const word* in, word* out) {
  assert(in != nullptr);
  if (threadIdx.x == 0) {
    out[0] = bits(printf("a message of the kernel table\n"));
    out[1] = bits(printf("%d of %s, %5.2f%%, %lld\n", 3, "three", 99.5, 1ll << 40));
    out[2] = bits(printf("%c%u\n", 'x', 7u));
  }
  if (in[0] == 1) __trap();
  if (in[0] == 2) __brkpt();
}
)",
                                 {{"printf", "int", 3, 0, 0, {0, 4, 2}}}, {77}));
  kernels.push_back(
      whole_kernel("names", R"(template <class T> __device__ int sum_of(std::initializer_list<T> list) {
  int sum = 0;
  for (const T each : list) sum += each;
  typename std::initializer_list<T>::value_type last = *(list.end() - 1);
  typename std::initializer_list<T>::size_type count = list.size();
  return sum + (int)count * 100 + (int)last + (int)*list.begin();
}
struct movable {
  int held;
  __device__ movable(int given) : held(given) {}
  __device__ movable(movable&& other) : held(other.held) { other.held = -1; }
};
template <class T> __device__ int passed_on(T&& given) { movable taken(std::forward<T>(given)); return taken.held; }
extern "C" __global__ void names(const word* in, word* out) {
  const size_t rank = threadIdx.x;
  const ptrdiff_t distance = &in[rank] - in;
  const clock_t none = 0;
  movable first((int)rank);
  const int moved = passed_on(std::move(first));
  out[rank] = bits<int>(moved * 10 + first.held);
  out[32 + rank] = (word)distance + (in == NULL ? 1 : 0) + (word)none;
  out[64 + rank] = bits(sum_of({1, 2, (int)rank}));
  const auto twice = [=](int x) { return x * 2 + (int)rank; };
  out[96 + rank] = bits(twice(5));
}
)",
                   {{"moved", "int", 32}, {"distance", "word", 32}, {"list", "int", 32}, {"lambda", "int", 32}}));
  kernels.push_back(whole_kernel(
      "macros",
      R"(#if !defined(__CUDACC__) || !defined(__CUDACC_RTC__) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 700
#error "a macro is missing"
#endif
extern "C" __global__ void macros(const word*, word* out) {
  out[0] = __CUDA_ARCH__;
  out[1] = __CUDACC_VER_MAJOR__ >= 12;
  out[2] = __cplusplus;
}
)",
      {{"macros", "word", 3, 0, 0, {900, 1, 201703}}}));
  return {program};
}

}  // namespace yoke_test
