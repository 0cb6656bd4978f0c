// SPDX-License-Identifier: MIT
// What OpenCL's drivers tell of each class of types: each taken by its twin on the host, and refused by any other.
#include <support/rig.hpp>
#include <yoke/opencl/vector_types.hpp>
#include <yoke/program/structs/struct.hpp>

#include <complex>

using namespace yoke_test;
using yoke::signature_check;

namespace {

struct cell {
  float a;
  int b;
};
struct pixel {
  float a;
  int b;
};
struct by_trait {
  float a;
  int b;
};
struct nameless {
  float a;
  int b;
};

const char* const kernels = R"(
  typedef struct cell { float a; int b; } cell;
  typedef struct pixel { float a; int b; } pixel;
  typedef int count_type;
  kernel void integers(uchar a, global const ulong* b, local short* c, constant uint* d) {}
  kernel void vectors(uchar4 a, short2 b, float3 c, global float3* d, uint8 e, global char16* f, ulong2 g) {}
  kernel void floating(global half* a, global float2* b, float2 c) {}
  kernel void structs(cell a, global cell* b, global const pixel* c, struct pixel d, constant cell* e, local cell* f) {}
  kernel void typedefs(count_type a, global count_type* b) {}
  kernel void restricted(global float* restrict a, const global volatile float* b) {}
  kernel void bytes(uchar a, global uchar* b) {}
)";

template <class Signature>
std::string mismatch(const ocl::module& module, const char* name) {
  return refusal<yoke::logic_error>(yoke::errc::signature_mismatch, [&] { (void)module.get_kernel<Signature>(name); });
}
template <class Signature>
signature_check checked(const ocl::module& module, const char* name) {
  return module.get_kernel<Signature>(name).checked();
}

}  // namespace

YOKE_STRUCT(cell, a, b);
YOKE_STRUCT_AS(pixel, "pixel", a, b);
template <>
inline constexpr const char* yoke::device_type_name<by_trait> = "cell";

YOKE_OPENCL_TEST_CASE("every class of types is proven by names", "[program][types]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  using enum signature_check;
  CHECK(checked<void(std::uint8_t, const std::uint64_t*, yoke::local<short>, yoke::constant<unsigned>)>(
            module, "integers") == names);
  CHECK(
      checked<void(unsigned char, const unsigned long long*, yoke::local<std::int16_t>, yoke::constant<std::uint32_t>)>(
          module, "integers") == names);
  CHECK(checked<void(yoke::uchar4, yoke::short2, ocl::float3, ocl::float3*, yoke::uint8, yoke::char16*, yoke::ulong2)>(
            module, "vectors") == names);
  CHECK(checked<void(yoke::half*, std::complex<float>*, std::complex<float>)>(module, "floating") == names);
  CHECK(checked<void(yoke::half*, yoke::float2*, yoke::float2)>(module, "floating") == names);
  CHECK(checked<void(cell, cell*, const pixel*, pixel, yoke::constant<cell>, yoke::local<cell>)>(module, "structs") ==
        names);
  CHECK(checked<void(by_trait, by_trait*, const pixel*, pixel, yoke::constant<cell>, yoke::local<cell>)>(
            module, "structs") == names);
  CHECK(checked<void(float*, const float*)>(module, "restricted") == names);
  // What has no name on either side proves its count alone.
  CHECK(checked<void(nameless, cell*, const pixel*, pixel, yoke::constant<cell>, yoke::local<cell>)>(
            module, "structs") == count);
  CHECK(checked<void(int, int*)>(module, "typedefs") == count);
}

YOKE_OPENCL_TEST_CASE("a type of each class that is another is refused", "[program][types]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  using yoke::constant;
  using yoke::local;
  using u8 = std::uint8_t;
  using u64 = std::uint64_t;
  const std::string integers =
      "kernel integers is void(uchar, const ulong*, local<short>, constant<uint>), asked for as ";
  CHECK_THAT((mismatch<void(signed char, const u64*, local<short>, constant<unsigned>)>(module, "integers")),
             ContainsSubstring(integers + "void(char, const ulong*, local<short>, constant<uint>): parameter 1 (a) is "
                                          "uchar, not char"));
  CHECK_THAT((mismatch<void(u8, const std::int64_t*, local<short>, constant<unsigned>)>(module, "integers")),
             ContainsSubstring("parameter 2 (b) is const ulong*, not const long*"));
  CHECK_THAT((mismatch<void(u8, u64*, local<short>, constant<unsigned>)>(module, "integers")),
             ContainsSubstring("parameter 2 (b) is const ulong*, not ulong*"));
  CHECK_THAT((mismatch<void(u8, const u64*, local<yoke::half>, constant<unsigned>)>(module, "integers")),
             ContainsSubstring("parameter 3 (c) is local<short>, not local<half>"));
  CHECK_THAT((mismatch<void(u8, const u64*, local<short>, constant<yoke::uint2>)>(module, "integers")),
             ContainsSubstring("parameter 4 (d) is constant<uint>, not constant<uint2>"));
  CHECK_THAT((mismatch<void(u8, const u64*, local<short>)>(module, "integers")),
             ContainsSubstring("it has 4 parameters, not 3"));
  CHECK_THAT((mismatch<void(u8, short*, local<short>)>(module, "integers")),
             ContainsSubstring("it has 4 parameters, not 3, and parameter 2 is the first that differs"));

  using ocl::float3;
  using vectors = void(yoke::uchar4, yoke::short2, float3, float3*, yoke::uint8, yoke::char16*, yoke::ulong2);
  CHECK(checked<vectors>(module, "vectors") == signature_check::names);
  CHECK_THAT((mismatch<void(yoke::char4, yoke::short2, float3, float3*, yoke::uint8, yoke::char16*, yoke::ulong2)>(
                 module, "vectors")),
             ContainsSubstring("parameter 1 (a) is uchar4, not char4"));
  // CUDA's three are not OpenCL's three, by value or behind a pointer.
  CHECK_THAT((mismatch<void(yoke::uchar4, yoke::short2, yoke::cuda::float3, float3*, yoke::uint8, yoke::char16*,
                            yoke::ulong2)>(module, "vectors")),
             ContainsSubstring("parameter 3 (c) is float3, not cuda::float3"));
  CHECK_THAT((mismatch<void(yoke::uchar4, yoke::short2, float3, yoke::cuda::float3*, yoke::uint8, yoke::char16*,
                            yoke::ulong2)>(module, "vectors")),
             ContainsSubstring("parameter 4 (d) is float3*, not cuda::float3*"));
  CHECK_THAT((mismatch<void(yoke::uchar4, yoke::short2, float3, float3*, yoke::uint16, yoke::char16*, yoke::ulong2)>(
                 module, "vectors")),
             ContainsSubstring("parameter 5 (e) is uint8, not uint16"));

  CHECK_THAT((mismatch<void(std::uint16_t*, yoke::float2*, yoke::float2)>(module, "floating")),
             ContainsSubstring("parameter 1 (a) is half*, not ushort*"));
  CHECK_THAT((mismatch<void(yoke::bfloat16*, yoke::float2*, yoke::float2)>(module, "floating")),
             ContainsSubstring("parameter 1 (a) is half*, not ushort*"));
  CHECK_THAT((mismatch<void(yoke::half*, std::complex<double>*, yoke::float2)>(module, "floating")),
             ContainsSubstring("parameter 2 (b) is float2*, not double2*"));

  using structs = void(cell, cell*, const pixel*, pixel, constant<cell>, local<cell>);
  const std::string truth =
      "kernel structs is void(cell, cell*, const pixel*, pixel, constant<cell>, local<cell>), asked for as ";
  CHECK(checked<structs>(module, "structs") == signature_check::names);
  CHECK_THAT((mismatch<void(cell, cell*, pixel*, pixel, constant<cell>, local<cell>)>(module, "structs")),
             ContainsSubstring(truth) && ContainsSubstring("parameter 3 (c) is const pixel*, not pixel*"));
  // A struct may have another name in the kernel, of which the driver tells no size.
  const auto renamed = signature_check::count;
  CHECK(checked<void(pixel, cell*, const pixel*, pixel, constant<cell>, local<cell>)>(module, "structs") == renamed);
  CHECK(checked<void(cell, pixel*, const pixel*, pixel, constant<cell>, local<cell>)>(module, "structs") == renamed);
  CHECK(checked<void(cell, cell*, const pixel*, by_trait, constant<cell>, local<cell>)>(module, "structs") == renamed);
  CHECK(checked<void(cell, cell*, const pixel*, pixel, constant<pixel>, local<cell>)>(module, "structs") == renamed);
  CHECK(checked<void(cell, cell*, const pixel*, pixel, constant<cell>, local<pixel>)>(module, "structs") == renamed);
  // A struct's own name is no built-in type, and no built-in type is a struct.
  CHECK_THAT((mismatch<void(cell)>(yoke::compile(on.context, "kernel void f(int a) {}"), "f")),
             ContainsSubstring("parameter 1 (a) is int, not cell"));
}

YOKE_OPENCL_TEST_CASE("a struct by its tag is no built-in type", "[program][types]") {
  rig on(device);
  const auto module = yoke::compile(on.context, "struct pixel { float a; int b; }; kernel void f(struct pixel a) {}");
  CHECK(checked<void(pixel)>(module, "f") == signature_check::names);
  CHECK_THAT((mismatch<void(std::uint64_t)>(module, "f")), ContainsSubstring("parameter 1 (a) is pixel, not ulong"));
}

YOKE_OPENCL_TEST_CASE("without names the driver's sizes are compared for each class", "[program][types]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  on.driver.replace<&abi::functions::get_kernel_arg_info>(
      [](abi::kernel, abi::uint, abi::uint, std::size_t, void*, std::size_t*) { return abi::status{-19}; });
  using enum signature_check;
  CHECK(checked<void(std::uint8_t, const std::uint64_t*, yoke::local<short>, yoke::constant<unsigned>)>(
            module, "integers") == sizes);
  CHECK(checked<void(yoke::half*, std::complex<float>*, std::complex<float>)>(module, "floating") == sizes);
  mismatch<void(std::uint16_t, const std::uint64_t*, yoke::local<short>, yoke::constant<unsigned>)>(module, "integers");
  mismatch<void(yoke::half*, std::complex<float>*, std::complex<double>)>(module, "floating");
  mismatch<void(yoke::uchar8, yoke::short2, ocl::float3, ocl::float3*, yoke::uint8, yoke::char16*, yoke::ulong2)>(
      module, "vectors");
}
