// SPDX-License-Identifier: MIT
// What CUDA's oracles tell of each class of types: each taken by its twin on the host, and refused by any other.
#include <cuda/cuda_rig.hpp>
#include <yoke/program/structs/struct.hpp>

#include <complex>

using namespace yoke_test;
using yoke::half;
using yoke::signature_check;
using yoke::typed;

namespace {

struct cell {
  float a;
  double b;
};
struct pixel {
  float a;
  double b;
};
struct longer {
  float a;
  double b, c;
};
enum class mode : unsigned { one };

constexpr const char* source = R"(
#include <cuda_fp16.h>
struct cell { float a; double b; };
struct pixel { float a; double b; };
enum mode { one };
__global__ void integers(unsigned char a, const unsigned long long* b, unsigned int* c, bool d) {}
__global__ void vectors(uchar4 a, float3 b, float3* c, double4_32a d, longlong2* e, double4* f) {}
__global__ void floating(__half* a, __half b, float2* c, float2 d, __half2 e) {}
__global__ void structs(cell a, cell* b, const pixel* __restrict__ c, mode d) {}
extern "C" __global__ void by_value(char a, cell b, short c, double4_32a d, __half e, float2 f) {}
)";

using integers = void(unsigned char, const unsigned long long*, unsigned*, bool);
using vectors = void(yoke::uchar4, cu::float3, cu::float3*, yoke::double4, yoke::vec<long long, 2>*, cu::double4*);
using floating = void(half*, half, std::complex<float>*, std::complex<float>, yoke::half2);
using structs = void(cell, cell*, const pixel*, mode);
using by_value = void(char, cell, short, yoke::double4, half, std::complex<float>);

cu::module compiled(const cuda_rig& on, std::vector<yoke::typed_kernel> kernels = {}) {
  return cu::compile(on.context, source,
                     {.include_folders = toolkit_headers(on.device), .kernels = std::move(kernels)});
}
template <class Signature>
std::string mismatch(const cu::module& module, const char* name) {
  return cuda_refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                         [&] { (void)module.get_kernel<Signature>(name); });
}
template <class Signature>
std::string refused_by_compiler(const cuda_rig& on, const char* name) {
  return cuda_refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                         [&] { (void)compiled(on, {typed<Signature>(name)}); });
}

}  // namespace

YOKE_STRUCT(cell, a, b);
YOKE_STRUCT_AS(pixel, "pixel", a, b);

YOKE_CUDA_TEST_CASE("NVRTC compares every class of types", "[cuda][types]") {
  cuda_rig on(device, 12000);  // a driver that says nothing about kernels
  using plain_structs = void(cell, cell*, const pixel*, mode);
  const auto module =
      compiled(on, {typed<integers>("integers"), typed<floating>("floating"), typed<plain_structs>("structs"),
                    typed<by_value>("by_value"), typed<vectors>("vectors")});
  CHECK(module.get_kernel<integers>("integers").checked() == signature_check::types);
  CHECK(module.get_kernel<vectors>("vectors").checked() == signature_check::types);
  CHECK(module.get_kernel<floating>("floating").checked() == signature_check::types);
  CHECK(module.get_kernel<by_value>("by_value").checked() == signature_check::types);
  // An enumeration of the host's has no name: the name of the kernel decides.
  CHECK(module.get_kernel<structs>("structs").checked() != signature_check::types);

  CHECK_THAT(
      (refused_by_compiler<void(unsigned char, const unsigned long*, unsigned*, bool)>(on, "integers")),
      ContainsSubstring("kernel integers is void(unsigned char, const unsigned long long*, unsigned int*, bool), "
                        "asked for as void(unsigned char, const unsigned long*, unsigned int*, bool): parameter "
                        "2 is const unsigned long long*, not const unsigned long*"));
  CHECK_THAT((refused_by_compiler<void(unsigned char, const unsigned long long*)>(on, "integers")),
             ContainsSubstring("it has 4 parameters, not 2"));
  CHECK_THAT((refused_by_compiler<void(yoke::uchar4, yoke::vec<float, 3>, cu::float3*, yoke::double4,
                                       yoke::vec<long long, 2>*, cu::double4*)>(on, "vectors")),
             ContainsSubstring("parameter 2 is float3, not yoke::opencl::float3"));
  CHECK_THAT(
      (refused_by_compiler<void(half*, half, std::complex<double>*, std::complex<float>, yoke::half2)>(on, "floating")),
      ContainsSubstring("parameter 3 is float2*, not double2*"));
  CHECK_THAT((refused_by_compiler<void(std::uint16_t*, half, std::complex<float>*, std::complex<float>, yoke::half2)>(
                 on, "floating")),
             ContainsSubstring("parameter 1 is __half*, not unsigned short*"));
  CHECK_THAT((refused_by_compiler<void(char, pixel, short, yoke::double4, half, yoke::float2)>(on, "by_value")),
             ContainsSubstring("parameter 2 is cell, not pixel"));
}

YOKE_CUDA_TEST_CASE("mangled names tell every class of types", "[cuda][types]") {
  for (const int newest : {0, 12000}) {
    cuda_rig on(device, newest);
    const auto module = compiled(on);
    CHECK(module.get_kernel<integers>("integers").checked() == signature_check::types);
    CHECK(module.get_kernel<vectors>("vectors").checked() == signature_check::types);
    CHECK(module.get_kernel<floating>("floating").checked() == signature_check::types);
    CHECK(module.get_kernel<structs>("structs").checked() != signature_check::names);  // the enumeration is no proof

    CHECK_THAT(
        (mismatch<void(unsigned char, const long long*, unsigned*, bool)>(module, "integers")),
        ContainsSubstring("kernel integers is void(unsigned char, const unsigned long long*, unsigned int*, bool), "
                          "asked for as void(unsigned char, const long long*, unsigned int*, bool): parameter 2 is "
                          "const unsigned long long*, not const long long*"));
    CHECK_THAT((mismatch<void(unsigned char, const unsigned long long*, unsigned*, unsigned char)>(module, "integers")),
               ContainsSubstring("parameter 4 is bool, not unsigned char"));
    CHECK_THAT((mismatch<void(yoke::uchar4, yoke::vec<float, 3>, cu::float3*, yoke::double4, yoke::vec<long long, 2>*,
                              cu::double4*)>(module, "vectors")),
               ContainsSubstring("parameter 2 is float3, not yoke::opencl::float3"));
    CHECK_THAT(
        (mismatch<void(yoke::uchar4, cu::float3, cu::float3*, cu::double4, yoke::vec<long long, 2>*, cu::double4*)>(
            module, "vectors")),
        ContainsSubstring("parameter 4 is double4_32a, not double4"));
    CHECK_THAT(
        (mismatch<void(yoke::uchar4, cu::float3, cu::float3*, yoke::double4, yoke::vec<long long, 2>*, yoke::double4*)>(
            module, "vectors")),
        ContainsSubstring("parameter 6 is double4*, not double4_32a*"));
    CHECK_THAT((mismatch<void(half*, std::uint16_t, yoke::float2*, yoke::float2, yoke::half2)>(module, "floating")),
               ContainsSubstring("parameter 2 is __half, not unsigned short"));
    CHECK_THAT((mismatch<void(yoke::bfloat16*, half, yoke::float2*, yoke::float2, yoke::half2)>(module, "floating")),
               ContainsSubstring("parameter 1 is __half*, not __nv_bfloat16*"));
    CHECK_THAT((mismatch<void(half*, half, yoke::float2*, std::complex<double>, yoke::half2)>(module, "floating")),
               ContainsSubstring("parameter 4 is float2, not double2"));
    // A struct may have another name in the kernel; its size may not differ.
    CHECK(module.get_kernel<void(pixel, cell*, const pixel*, mode)>("structs").checked() == signature_check::sizes);
    CHECK(module.get_kernel<void(cell, pixel*, const pixel*, mode)>("structs").checked() == signature_check::sizes);
    CHECK_THAT((mismatch<void(longer, cell*, const pixel*, mode)>(module, "structs")),
               ContainsSubstring("parameter 1 has 16 bytes") && ContainsSubstring("has 24"));
    CHECK_THAT((mismatch<void(cell, float*, const pixel*, mode)>(module, "structs")),
               ContainsSubstring("parameter 2 is cell*, not float*"));
    CHECK_THAT((mismatch<void(cell, cell*, pixel*, mode)>(module, "structs")),
               ContainsSubstring("parameter 3 is const pixel*, not pixel*"));
    CHECK_THAT((mismatch<void(cell, cell*, const pixel*, float)>(module, "structs")),
               ContainsSubstring("parameter 4 is mode, not float"));
  }
}

YOKE_CUDA_TEST_CASE("complex numbers of others are the vectors that they are", "[cuda][types]") {
  cuda_rig on(device);
  const auto module = cu::compile(on.context, R"(
    namespace thrust { template <class T> struct complex { T re, im; }; }
    __global__ void f(thrust::complex<float>* a) {})");
  CHECK(module.get_kernel<void(std::complex<float>*)>("f").checked() == signature_check::types);
  CHECK_THAT((mismatch<void(std::complex<double>*)>(module, "f")),
             ContainsSubstring("parameter 1 is thrust::complex<float>*, not double2*"));
}

YOKE_CUDA_TEST_CASE("sizes and offsets tell by-value types apart", "[cuda][types]") {
  cuda_rig on(device);
  if (on.driver.table()->kernel_get_param_info == nullptr) YOKE_SKIP("this driver does not describe parameters");
  const auto module = compiled(on);
  CHECK(module.get_kernel<by_value>("by_value").checked() == signature_check::sizes);
  CHECK_THAT((mismatch<void(char, longer, short, yoke::double4, half, yoke::float2)>(module, "by_value")),
             ContainsSubstring("parameter 2 has 16 bytes, struct of 24 bytes has 24"));
  // An alignment of 16 is met by the same offset here, one of another size is not.
  CHECK_THAT((mismatch<void(char, cell, yoke::short2, yoke::double4, half, yoke::float2)>(module, "by_value")),
             ContainsSubstring("parameter 3 has 2 bytes, short2 has 4"));
  CHECK_THAT((mismatch<void(char, cell, short, yoke::double2, half, yoke::float2)>(module, "by_value")),
             ContainsSubstring("parameter 4 has 32 bytes, double2 has 16"));
  CHECK_THAT((mismatch<void(char, cell, short, yoke::double4, float, yoke::float2)>(module, "by_value")),
             ContainsSubstring("parameter 5 has 2 bytes, float has 4"));
  CHECK_THAT((mismatch<void(char, cell, short, yoke::double4, half, std::complex<double>)>(module, "by_value")),
             ContainsSubstring("parameter 6 has 8 bytes, double2 has 16"));
  CHECK_THAT((mismatch<void(unsigned long long, cell, short, yoke::double4, half, yoke::float2)>(module, "by_value")),
             ContainsSubstring("parameter 1 has 1 bytes, unsigned long long has 8"));
}

YOKE_CUDA_TEST_CASE("halves, vectors and structs are compared by NVRTC in the dialect", "[cuda][types]") {
  cuda_rig on(device, 12000);
  const char* const dialect = R"(
    YOKE_KERNEL f(YOKE_GLOBAL yoke_half* a, YOKE_GLOBAL const yoke_bfloat16* b, double4 c, YOKE_GLOBAL float4* d,
                  YOKE_GLOBAL cell* e) {})";
  const auto compile = [&]<class Signature>(std::type_identity<Signature>) {
    return cu::compile(on.context, dialect,
                       {.kernels = {typed<Signature>("f")}, .types = {yoke::describe_struct<cell>()}});
  };
  using right = void(half*, const yoke::bfloat16*, yoke::double4, yoke::float4*, cell*);
  CHECK(compile(std::type_identity<right>{}).get_kernel<right>("f").checked() == signature_check::types);
  const std::string why = cuda_refusal<yoke::logic_error>(yoke::errc::signature_mismatch, [&] {
    (void)compile(std::type_identity<void(float*, const yoke::bfloat16*, yoke::double4, yoke::float4*, cell*)>{});
  });
  CHECK_THAT(why,
             ContainsSubstring("kernel f is void(yoke_half*, const unsigned short*, yoke_double4, float4*, cell*)") &&
                 ContainsSubstring("parameter 1 is yoke_half*, not float*"));
  CHECK_THAT(cuda_refusal<yoke::logic_error>(
                 yoke::errc::signature_mismatch,
                 [&] {
                   (void)compile(
                       std::type_identity<void(half*, const yoke::bfloat16*, yoke::double2, yoke::float4*, cell*)>{});
                 }),
             ContainsSubstring("parameter 3 is yoke_double4, not double2"));
}
