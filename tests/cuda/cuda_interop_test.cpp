// SPDX-License-Identifier: MIT
// CUDA's own vectors and 16-bit types are known to signatures, and are bit for bit the library's.
#include <cuda/cuda_rig.hpp>

#if __has_include(<cuda_fp16.h>) && __has_include(<cuda_runtime_api.h>)
#include <yoke/cuda/interop.hpp>

#include <bit>
#include <cmath>

using namespace yoke_test;
using yoke::signature_check;

namespace {

template <class T>
constexpr std::string_view cuda_name = yoke::device_type<T>::cuda;
static_assert(cuda_name<::float2> == "float2" && cuda_name<::uchar4> == "uchar4" &&
              cuda_name<::ulonglong3> == "ulonglong3");
static_assert(cuda_name<::__half> == "__half" && cuda_name<::__half2> == "__half2");
static_assert(cuda_name<::__nv_bfloat16> == "__nv_bfloat16");
static_assert(std::string_view(yoke::device_type_name<::float4>) == "float4");
static_assert(std::string_view(yoke::device_type_name<::float3>) == "cuda::float3");  // none of OpenCL's
static_assert(std::bit_cast<yoke::float4>(::float4{1, 2, 3, 4}) == yoke::float4{1, 2, 3, 4});

}  // namespace

YOKE_CUDA_TEST_CASE("CUDA's own types are parameters", "[cuda][interop]") {
  cuda_rig on(device);
  const auto module = cu::compile(on.context, R"(
    __global__ void f(float4* a, const float3* b, uchar4 c, double2 d) {
      a[0] = make_float4(b[1].x, b[1].y, b[1].z, c.w + (float)d.y);
    })");
  const auto f = module.get_kernel<void(::float4*, const ::float3*, ::uchar4, ::double2)>("f");
  CHECK(f.checked() == signature_check::types);
  std::vector<::float4> a(1);
  const std::vector<::float3> b{{1, 2, 3}, {4, 5, 6}};
  f(on.stream, {.grid = 1}, yoke::in_out(a), yoke::in(b), ::uchar4{0, 0, 0, 7}, ::double2{0, 0.5});
  CHECK(std::bit_cast<yoke::float4>(a[0]) == yoke::float4{4, 5, 6, 7.5F});
  CHECK_THAT(cuda_refusal<yoke::logic_error>(
                 yoke::errc::signature_mismatch,
                 [&] { (void)module.get_kernel<void(::float4*, const ::float4*, ::uchar4, ::double2)>("f"); }),
             ContainsSubstring("parameter 2 is const float3*, not const float4*"));
}

TEST_CASE("halves are those of CUDA's headers", "[cuda][interop]") {
  std::size_t wrong = 0;
  const auto differ = [](float a, float b) { return !(a == b || (std::isnan(a) && std::isnan(b))); };
  for (unsigned i = 0; i <= 0xffffU; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const auto narrow = yoke::half::from_bits(bits);
    const auto brain = yoke::bfloat16::from_bits(bits);
    if (differ(static_cast<float>(narrow), __half2float(std::bit_cast<__half>(narrow)))) ++wrong;
    if (differ(static_cast<float>(brain), __bfloat162float(std::bit_cast<__nv_bfloat16>(brain)))) ++wrong;
    // And back, from what lies between the halves.
    const float between = static_cast<float>(narrow) * 1.0003F;
    if (std::isnan(between)) continue;
    if (yoke::half{between}.bits() != std::bit_cast<std::uint16_t>(__float2half(between))) ++wrong;
    if (yoke::bfloat16{between}.bits() != std::bit_cast<std::uint16_t>(__float2bfloat16(between))) ++wrong;
  }
  CHECK(wrong == 0);
}

#else

TEST_CASE("CUDA's own types are parameters", "[cuda][interop]") { YOKE_SKIP("CUDA's headers are not there"); }

#endif
