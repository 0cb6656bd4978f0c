// SPDX-License-Identifier: MIT
// CUDA's programs: CUDA C++ through NVRTC, signatures, limits in words, images.
#include <support/rig.hpp>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

constexpr const char* native_source = R"(
namespace shapes {
template <class T> __global__ void scale(T* a, const T* b, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] * by;
}
}
template __global__ void shapes::scale<float>(float*, const float*, float, int);
__global__ void add(int* a, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += 1; }
extern "C" __global__ void plain(float* a, double b, int c) { a[0] = b + c; }
extern "C" __global__ void shared_sum(int* out, int n) {
  extern __shared__ int numbers[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) numbers[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) { int sum = 0; for (int i = 0; i < n; ++i) sum += numbers[i]; out[0] = sum; }
}
)";

}  // namespace

YOKE_CUDA_TEST_CASE("CUDA C++ kernels are found by name and checked by their types", "[cuda]") {
  rig on(device);
  const auto module = yoke::compile(on.context, native_source, {.options = {"--fmad=false"}, .name = "mine.cu"});
  const auto scale = module.get_kernel<void(float*, const float*, float, int)>("shapes::scale");
  CHECK(scale.checked() == yoke::signature_check::types);
  std::vector<float> a(100), b(100, 2.0F);
  scale(on.stream, yoke::launch_over(100), yoke::out(a), yoke::in(b), 1.5F, 100);
  CHECK(a == std::vector<float>(100, 3.0F));
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                 [&] { (void)module.get_kernel<void(float*, float*, float, int)>("shapes::scale"); }),
      ContainsSubstring("parameter 2 is const float*, not float*"));
  CHECK(module.get_kernel<void(int*, unsigned)>("add").checked() == yoke::signature_check::types);
  CHECK(module.get_kernel<void(int*, unsigned)>("_Z3addPij").checked() == yoke::signature_check::types);
  const auto plain = module.get_kernel<void(float*, double, int)>("plain");
  CHECK(plain.checked() == yoke::signature_check::sizes);
  std::vector<float> one(1);
  plain(on.stream, {.grid = 1}, yoke::out(one), 0.5, 2);
  CHECK(one[0] == 2.5F);
  refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                             [&] { (void)module.get_kernel<void(float*, float, int)>("plain"); });
  refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                             [&] { (void)module.get_kernel<void(float*, double)>("plain"); });
  // A C name says nothing of types, but PTX tells floating point from integers.
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                        [&] { (void)module.get_kernel<void(float*, double, float)>("plain"); }),
             ContainsSubstring("parameter 3 is no floating point, float is"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                        [&] { (void)module.get_kernel<void(float*, long, int)>("plain"); }),
             ContainsSubstring("parameter 2 is floating point, long is not"));
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::kernel_not_found, [&] { (void)module.get_kernel<void()>("plian"); }),
      ContainsSubstring("no kernel \"plian\" in this module, near to plain; it has:") && ContainsSubstring("plain"));
}

YOKE_CUDA_TEST_CASE("dynamic shared memory above 48 KiB is opted in by itself", "[cuda]") {
  rig on(device);
  const auto module = yoke::compile(on.context, native_source);
  const auto sum = module.get_kernel<void(int*, int)>("shared_sum");
  for (const int n : {100, 16 * 1024, 10}) {
    std::vector<int> out(1);
    cu::launch_shape shape{.grid = 1, .block = 64};
    shape.local_bytes = static_cast<std::size_t>(n) * sizeof(int);
    sum(on.stream, shape, yoke::out(out), n);
    CHECK(out[0] == static_cast<int>(static_cast<long>(n) * (n - 1) / 2));
  }
  cu::launch_shape large{.grid = 1, .block = 64};
  large.local_bytes = std::size_t{1} << 20;
  std::vector<int> out(1);
  CHECK_THAT(refusal<yoke::launch_error>(yoke::errc::launch_failed, [&] { sum(on.stream, large, yoke::out(out), 1); }),
             ContainsSubstring("local memory of 1048576 bytes (0 in the kernel, 1048576 of .local_bytes) exceeds this "
                               "device's"));
}

YOKE_CUDA_TEST_CASE("a launch that CUDA refuses is explained", "[cuda]") {
  rig on(device);
  const auto add = yoke::compile(on.context, native_source).get_kernel<void(int*, unsigned)>("add");
  cu::device_allocation<int> memory{on.context, 1};
  const auto refused = [&](const cu::launch_shape& shape) {
    return refusal<yoke::launch_error>(yoke::errc::launch_failed, [&] { add(on.stream, shape, memory, 1); });
  };
  CHECK_THAT(refused({.grid = 1, .block = 2048}), ContainsSubstring("block 2048 exceeds this device's 1024"));
  CHECK_THAT(refused({.grid = 1, .block = {1, 1, 128}}), ContainsSubstring("block 128 exceeds this device's 64 in z"));
  CHECK_THAT(refused({.grid = {1, 70000}, .block = 1}), ContainsSubstring("grid 70000 exceeds 65535 in y"));
  refused({.grid = 0, .block = 1});
  add(on.stream, yoke::launch_over(0), memory, 1);
  on.stream.synchronize();
}

YOKE_CUDA_TEST_CASE("a CUDA build error names the user's line", "[cuda]") {
  rig on(device);
  try {
    (void)yoke::compile(on.context, "YOKE_KERNEL f(YOKE_GLOBAL int* a) {\n  a[0] = 1;\n  a[1] = undeclared;\n}\n",
                        {.name = "broken.cu"});
    FAIL("compiled");
  } catch (const yoke::compile_error& e) {
    CHECK(e.code() == yoke::errc::build_failed);
    CHECK_THAT(e.log(), ContainsSubstring("broken.cu(3)") || ContainsSubstring("broken.cu:3"));
    CHECK_THAT(e.log(), ContainsSubstring("undeclared"));
    CHECK_THAT(e.options(), ContainsSubstring("--std=c++17") && ContainsSubstring("--gpu-architecture=sm_"));
  }
}

YOKE_CUDA_TEST_CASE("an exported CUDA module loads again, a damaged one does not", "[cuda]") {
  rig on(device);
  auto binary = yoke::compile(on.context, native_source).export_binary();
  const auto loaded = yoke::load(on.context, binary);
  const auto plain = loaded.get_kernel<void(float*, double, int)>("plain");
  std::vector<float> one(1);
  plain(on.stream, {.grid = 1}, yoke::out(one), 0.5, 2);
  CHECK(one[0] == 2.5F);
  binary[binary.size() / 2] ^= std::byte{1};
  refusal<yoke::logic_error>(yoke::errc::incompatible_binary, [&] { (void)yoke::load(on.context, binary); });
  binary[binary.size() / 2] ^= std::byte{1};
  const std::size_t step = std::max<std::size_t>(1, binary.size() / 100);
  for (std::size_t at = 0; at < binary.size(); at += at < 128 ? 1 : step) {
    for (int bit = 0; bit < 8; ++bit) {
      binary[at] ^= std::byte{1} << bit;
      CAPTURE(at, bit);
      refusal<yoke::logic_error>(yoke::errc::incompatible_binary, [&] { (void)yoke::load(on.context, binary); });
      binary[at] ^= std::byte{1} << bit;
    }
  }
  refusal<yoke::logic_error>(yoke::errc::incompatible_binary,
                             [&] { (void)yoke::load_intermediate(on.context, std::as_bytes(std::span("not PTX"))); });
}
