// SPDX-License-Identifier: MIT
// Kernels of the dialect and of translated OpenCL C are compared by type on CUDA, without being listed.
#include <cuda/cuda_rig.hpp>
#include <program/cache/cache_folder.hpp>
#include <support/process/without_driver.hpp>

#include <yoke/cache.hpp>
#include <yoke/cuda/compile/nvrtc.hpp>
#include <yoke/driver/cuda/binary/ptx.hpp>
#include <yoke/link.hpp>
#include <yoke/struct.hpp>

#include <cxxabi.h>

using namespace yoke_test;
using yoke::constant;
using yoke::half;
using yoke::local;
using yoke::signature_check;
using yoke::source_language;
using yoke::typed;

namespace {

constexpr const char* dialect = R"(
typedef struct { float mass; int cell; } particle;
YOKE_KERNEL scale(YOKE_GLOBAL float* a, int n) { a[0] *= n; }
YOKE_KERNEL memories(YOKE_GLOBAL const float* a, YOKE_GLOBAL volatile uint* b, YOKE_CONSTANT_POINTER int* c,
                     YOKE_CONSTANT_POINTER const float4* d, YOKE_LOCAL_ARG(float, e), YOKE_LOCAL_ARG(double4, f),
                     YOKE_LOCAL_ARG(volatile int, g), YOKE_LOCAL_ARG(particle, h)) {}
YOKE_KERNEL numbers(yoke_int8 a, uchar b, yoke_int16 c, ushort d, uint e, yoke_int64 f, yoke_uint64 g, float h, double i) {}
YOKE_KERNEL vectors(float2 a, YOKE_GLOBAL float4* b, int4 c, YOKE_GLOBAL const uint2* d, double2 e, double4 f) {}
YOKE_KERNEL small(YOKE_GLOBAL yoke_half* YOKE_RESTRICT a, YOKE_GLOBAL const yoke_bfloat16* b) {}
YOKE_KERNEL structs(YOKE_GLOBAL particle* a, particle b) {}
YOKE_KERNEL none() {}
)";
struct particle {
  float mass;
  int cell;
};
using memories = void(const float*, unsigned*, constant<int>, constant<yoke::float4>, local<float>,
                      local<yoke::double4>, local<int>, local<particle>);
using numbers = void(std::int8_t, unsigned char, short, unsigned short, unsigned, std::int64_t, std::uint64_t, float,
                     double);
using vectors = void(yoke::float2, yoke::float4*, yoke::int4, const yoke::uint2*, yoke::double2, yoke::double4);
using small = void(half*, const yoke::bfloat16*);
using structs = void(particle*, particle);

constexpr const char* opencl_c = R"(
__kernel void scale(__global float* a, int n) { a[0] *= n; }
kernel void all(global const uchar* a, volatile global uint* b, constant int* c, local float* d, ulong e, float3 f,
                global float4* g, global const char16* h, double4 i, global half* j) {}
)";
using all = void(const unsigned char*, unsigned*, constant<int>, local<float>, std::uint64_t, yoke::opencl::float3,
                 yoke::float4*, const yoke::vec<char, 16>*, yoke::double4, half*);

template <class Signature>
std::string mismatch(const cu::module& module, const char* name) {
  return cuda_refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                         [&] { (void)module.get_kernel<Signature>(name); });
}
void check_scale(const cu::module& module) {
  CHECK(module.get_kernel<void(float*, int)>("scale").checked() == signature_check::types);
  CHECK_THAT((mismatch<void(double*, int)>(module, "scale")),
             ContainsSubstring("kernel scale is void(float*, int), asked for as void(double*, int): parameter 1 is "
                               "float*, not double*"));
  CHECK_THAT((mismatch<void(const float*, int)>(module, "scale")), ContainsSubstring("float*, not const float*"));
  CHECK_THAT((mismatch<void(float*, unsigned)>(module, "scale")), ContainsSubstring("is int, not unsigned int"));
  CHECK_THAT((mismatch<void(float*)>(module, "scale")), ContainsSubstring("2 parameters, not 1"));
}

}  // namespace

YOKE_STRUCT(particle, mass, cell);

YOKE_CUDA_TEST_CASE("kernels of the dialect are compared by type without being listed", "[cuda][types]") {
  for (const int newest : {0, 12000}) {  // also where the driver lists no kernels
    cuda_rig on(device, newest);
    const auto module = cu::compile(on.context, dialect);
    check_scale(module);
    CHECK(module.get_kernel<numbers>("numbers").checked() == signature_check::types);
    CHECK(module.get_kernel<vectors>("vectors").checked() == signature_check::types);
    CHECK(module.get_kernel<small>("small").checked() == signature_check::types);
    CHECK(module.get_kernel<void()>("none").checked() == signature_check::types);
    // For structs that the module was not told, only the names are compared.
    CHECK(module.get_kernel<memories>("memories").checked() == signature_check::names);
    CHECK(module.get_kernel<structs>("structs").checked() == signature_check::names);
    CHECK(module.kernel_names().size() == 7);
    CHECK(std::ranges::count(module.kernel_names(), std::string("scale")) == 1);
    using other_local = void(const float*, unsigned*, constant<int>, constant<yoke::float4>, local<double>,
                             local<yoke::double4>, local<int>, local<particle>);
    CHECK_THAT((mismatch<other_local>(module, "memories")),
               ContainsSubstring("parameter 5 is local<float>, not local<double>"));
    using no_local = void(const float*, unsigned*, constant<int>, constant<yoke::float4>, unsigned,
                          local<yoke::double4>, local<int>, local<particle>);
    CHECK_THAT((mismatch<no_local>(module, "memories")), ContainsSubstring("parameter 5 is local<float>, not uns"));
    using other_constant = void(const float*, unsigned*, constant<float>, constant<yoke::float4>, local<float>,
                                local<yoke::double4>, local<int>, local<particle>);
    CHECK_THAT((mismatch<other_constant>(module, "memories")), ContainsSubstring("not constant<float>"));
    CHECK_THAT((mismatch<void(float*, const yoke::bfloat16*)>(module, "small")), ContainsSubstring("yoke_half"));
    CHECK_THAT((mismatch<void(float*, particle)>(module, "structs")), ContainsSubstring("particle*, not float*"));
  }
}

YOKE_CUDA_TEST_CASE("translated OpenCL C is compared by type without being listed", "[cuda][types]") {
  for (const int newest : {0, 12000}) {
    cuda_rig on(device, newest);
    const auto module = cu::compile(on.context, opencl_c, {.language = source_language::opencl_c});
    check_scale(module);
    CHECK(module.get_kernel<all>("all").checked() == signature_check::types);
    using other = void(const unsigned char*, unsigned*, constant<int>, local<int>, std::uint64_t, yoke::opencl::float3,
                       yoke::float4*, const yoke::vec<char, 16>*, yoke::double4, half*);
    CHECK_THAT((mismatch<other>(module, "all")), ContainsSubstring("parameter 4 is local<float>, not local<int>"));
    using wider = void(const unsigned char*, unsigned*, constant<int>, local<float>, std::uint64_t, yoke::float4,
                       yoke::float4*, const yoke::vec<char, 16>*, yoke::double4, half*);
    CHECK_THAT((mismatch<wider>(module, "all")), ContainsSubstring("parameter 6 is yoke::opencl::float3, not float4"));
  }
}

YOKE_CUDA_TEST_CASE("structs that a module was told are compared in full", "[cuda][types]") {
  cuda_rig on(device);
  const auto module = cu::compile(on.context, "YOKE_KERNEL f(YOKE_GLOBAL particle* a, YOKE_LOCAL_ARG(particle, b)) {}",
                                  {.types = {yoke::describe_struct<particle>()}});
  CHECK((module.get_kernel<void(particle*, local<particle>)>("f").checked() == signature_check::types));
}

YOKE_CUDA_TEST_CASE("what kernels of the dialect take is known of binaries, caches and linked programs",
                    "[cuda][types]") {
  const scratch_folder scratch;
  for (const int newest : {0, 12000}) {
    cuda_rig on(device, newest);
    const yoke::program_cache cache{{.folder = scratch / std::to_string(newest)}, {}};
    const auto module = cu::compile(on.context, dialect, {.cache = &cache});
    check_scale(module);
    check_scale(cu::compile(on.context, dialect, {.cache = &cache}));
    CHECK(cache.counters().compiled == 1);
    check_scale(yoke::load(on.context, module.export_binary()));
    check_scale(cu::load_image(on.context, raw_image(module)));
    check_scale(cu::load_image(on.context, cu::compile_to(cu::image_kind::ptx, dialect).bytes));
    cu::linker list;
    list.add_source(dialect);
    list.add_source("extern \"C\" __global__ void other(int* a) { a[0] = 1; }");
    const auto linked = list.link(on.context);
    check_scale(linked);
    CHECK(linked.get_kernel<void(int*)>("other").checked() == signature_check::sizes);
    const auto native = module.get_kernel<void(float*, int)>("scale").native_handle();
    const auto borrowed = cu::kernel<void(float*, int)>::borrow(module, native);
    CHECK(borrowed.checked() == signature_check::types);
  }
}

YOKE_CUDA_TEST_CASE("listed kernels of the dialect have local memory of their type", "[cuda][types]") {
  cuda_rig on(device);
  const char* const source =
      "YOKE_KERNEL f(YOKE_GLOBAL int* a, YOKE_LOCAL_ARG(int, b)) { YOKE_LOCAL_BIND(int, b) b[0] = 7; a[0] = b[0]; }";
  using signature = void(int*, local<int>);
  const auto module = cu::compile(on.context, source, {.kernels = {typed<signature>("f")}});
  const auto f = module.get_kernel<signature>("f");
  CHECK(f.checked() == signature_check::types);
  std::vector<int> out(1);
  f(on.stream, {.grid = 1}, yoke::out(out), local<int>(4));
  CHECK(out == std::vector<int>{7});
  CHECK_THAT(
      cuda_refusal<yoke::logic_error>(
          yoke::errc::signature_mismatch,
          [&] { (void)cu::compile(on.context, source, {.kernels = {typed<void(int*, local<float>)>("f")}}); }),
      ContainsSubstring("kernel f is void(int*, local<int>), asked for as void(int*, local<float>): parameter 2 is "));
  // CUDA C++ has a number there.
  const auto native = cu::compile(on.context, "__global__ void f(int* a, unsigned b) { a[0] = b; }",
                                  {.kernels = {typed<signature>("f")}});
  CHECK(native.get_kernel<signature>("f").checked() == signature_check::types);
}

YOKE_CUDA_TEST_CASE("two kernels of one name do not compile in the dialect", "[cuda]") {
  cuda_rig on(device);
  const char* const overloads = "YOKE_KERNEL f(YOKE_GLOBAL int* a) {}\nYOKE_KERNEL f(YOKE_GLOBAL float* a) {}";
  const auto refusal = [&](const char* source, const cu::compile_options& options) {
    return cuda_refusal<yoke::compile_error>(yoke::errc::build_failed,
                                             [&] { (void)cu::compile(on.context, source, options); });
  };
  CHECK_THAT(refusal(overloads, {.name = "twice.cl"}),
             ContainsSubstring("twice.cl:2: error: f: give it a name of its own: OpenCL C has one function of a name"));
  const auto compiled = ContainsSubstring(
      "twice.cl: error: kernel f is there twice, as f(float*) and as f(int*): OpenCL C has no overloads");
  CHECK_THAT(refusal(overloads, {.name = "twice.cl", .portable = false}), compiled);
  CHECK_THAT(refusal("kernel void f(global int* a) {}\nkernel void f(global float* a) {}",
                     {.name = "twice.cl", .language = source_language::opencl_c}),
             compiled);
}

TEST_CASE("NVRTC's own names tell the types of kernels", "[cuda][types]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  const auto names_of = [](const char* source, source_language language) {
    const auto bytes_of = [&](cu::image_kind kind) {
      const auto bytes = cu::compile_to(kind, source, {.language = language, .architecture = "sm_90"}).bytes;
      return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    const std::string cubin = bytes_of(cu::image_kind::cubin);
    std::vector<std::string> names;
    for (const cu::ptx_entry& each : cu::parse_ptx(bytes_of(cu::image_kind::ptx))) {
      CHECK(cubin.find(each.name) != std::string::npos);
      const std::unique_ptr<char, decltype(&std::free)> readable{
          ::abi::__cxa_demangle(each.name.c_str(), nullptr, nullptr, nullptr), &std::free};
      names.push_back(readable == nullptr ? each.name : readable.get());
    }
    std::ranges::sort(names);
    return names;
  };
  // The simulator's compiler gives these names, too: the tests above read them.
  CHECK(names_of(dialect, source_language::automatic) ==
        std::vector<std::string>{
            "memories(float const*, unsigned int volatile*, int*, float4 const*, yoke_d_place<float>, "
            "yoke_d_place<yoke_double4>, yoke_d_place<int volatile>, yoke_d_place<particle>)",
            "none()",
            "numbers(signed char, unsigned char, short, unsigned short, unsigned int, long, unsigned long, float, "
            "double)",
            "scale(float*, int)", "small(yoke_half*, unsigned short const*)", "structs(particle*, particle)",
            "vectors(float2, float4*, int4, uint2 const*, double2, yoke_double4)"});
  CHECK(names_of(opencl_c, source_language::opencl_c) ==
        std::vector<std::string>{
            "all(unsigned char const*, unsigned int volatile*, int*, yoke_d_place<float>, unsigned long, "
            "yoke_d_vector<float, 3>, yoke_d_vector<float, 4>*, yoke_d_vector<char, 16> const*, "
            "yoke_d_vector<double, 4>, yoke_half*)",
            "scale(float*, int)"});
}
