// SPDX-License-Identifier: MIT
// C++ types and constants get into kernels, spelled so that every compiler reads them.
#include <cuda/cuda_rig.hpp>
#include <program/compiling.hpp>
#include <support/devices/devices.hpp>
#include <support/devices/languages.hpp>
#include <support/process/without_driver.hpp>

#include <yoke/core/half.hpp>
#include <yoke/cuda/compile/compile_to.hpp>
#include <yoke/cuda/vector_types.hpp>
#include <yoke/language/dialect_check.hpp>
#include <yoke/opencl/vector_types.hpp>
#include <yoke/program/specialise.hpp>

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>

using namespace yoke_test;
namespace fs = std::filesystem;

namespace {

enum class colour : unsigned char { red = 3 };

std::string text_of(const std::vector<yoke::define>& defines) {
  std::string text;
  for (const yoke::define& each : defines) text += each.name + "=" + each.value + ";";
  return text;
}

/// Returns: the value that a compiler gets of `specialise<T>("T")`.
template <class T>
std::string value_in(const yoke::kernel_language& of, yoke::source_language language) {
  const auto request =
      yoke::detail::make_request(of, "T", {.defines = yoke::specialise<T>("T"), .language = language}, {});
  const std::string before = "#define T ";
  const std::size_t begin = request.text.find(before) + before.size();
  return request.text.substr(begin, request.text.find('\n', begin) - begin);
}
template <class T>
std::string words_of() {
  using enum yoke::source_language;
  return value_in<T>(opencl_language(), native) + " " + value_in<T>(cuda_language(), native) + " " +
         value_in<T>(opencl_language(), portable) + " " + value_in<T>(cuda_language(), portable);
}

}  // namespace

TEST_CASE("a definition of a type follows the language of the source", "[program]") {
  CHECK(words_of<float>() == "float float float float");
  CHECK(words_of<yoke::half>() == "half __half yoke_half yoke_half");
  CHECK(words_of<yoke::bfloat16>() == "ushort __nv_bfloat16 yoke_bfloat16 yoke_bfloat16");
  CHECK(words_of<yoke::float4>() == "float4 float4 float4 float4");
  CHECK(words_of<yoke::double4>() == "double4 double4_32a double4 double4");
  CHECK(words_of<std::complex<float>>() == "float2 float2 float2 float2");
  CHECK(value_in<yoke::half2>(opencl_language(), yoke::source_language::native) == "half2");
  CHECK(value_in<yoke::half2>(cuda_language(), yoke::source_language::native) == "__half2");
  CHECK(value_in<yoke::cuda::double4>(cuda_language(), yoke::source_language::native) == "double4");
  CHECK(value_in<yoke::cuda::float3>(cuda_language(), yoke::source_language::native) == "float3");
  CHECK(value_in<yoke::opencl::float3>(opencl_language(), yoke::source_language::native) == "float3");
  CHECK(value_in<yoke::float8>(opencl_language(), yoke::source_language::native) == "float8");
  // OpenCL C keeps its words where it is translated.
  CHECK(value_in<yoke::half>(opencl_language(), yoke::source_language::opencl_c) == "half");
  const auto refused = [](auto act) {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)act(); });
  };
  using enum yoke::source_language;
  CHECK_THAT(refused([] { return value_in<yoke::opencl::float3>(cuda_language(), native); }),
             ContainsSubstring("define \"T\" is of a type that CUDA C++ does not have: float3"));
  CHECK_THAT(refused([] { return value_in<yoke::float8>(cuda_language(), native); }),
             ContainsSubstring("CUDA C++ does not have: float8"));
  CHECK_THAT(refused([] { return value_in<yoke::cuda::float3>(opencl_language(), native); }),
             ContainsSubstring("OpenCL C does not have: float3"));
}

TEST_CASE("a definition of a type that the dialect does not have is refused on either side", "[program]") {
  const auto said = []<class T>(const yoke::kernel_language& of, const T*) {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                      [&] { (void)value_in<T>(of, yoke::source_language::portable); });
  };
  for (const yoke::kernel_language& of : {opencl_language(), cuda_language()}) {
    CAPTURE(of.name);
    CHECK_THAT(said(of, static_cast<const yoke::float8*>(nullptr)),
               ContainsSubstring("define \"T\" is of a type that the dialect does not have: float8"));
    CHECK_THAT(said(of, static_cast<const yoke::half2*>(nullptr)), ContainsSubstring("does not have: half2"));
    CHECK_THAT(said(of, static_cast<const yoke::long4*>(nullptr)), ContainsSubstring("does not have: long4"));
    CHECK_THAT(said(of, static_cast<const yoke::opencl::float3*>(nullptr)), ContainsSubstring("does not have: float3"));
    CHECK_THAT(said(of, static_cast<const yoke::cuda::double4*>(nullptr)),
               ContainsSubstring("the dialect does not have: cuda::double4"));
  }
}

YOKE_DEVICE_TEST_CASE("a source in the dialect is not compiled with a type that the dialect does not have",
                      "[program]") {
  const yoke::context context{device};
  const auto build = [&](std::vector<yoke::define> defines) {
    (void)yoke::compile(context, "YOKE_KERNEL f(YOKE_GLOBAL T* a) { a[0] = a[1]; }", {.defines = std::move(defines)});
  };
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { build(yoke::specialise<yoke::float8>("T")); }),
      ContainsSubstring("define \"T\" is of a type that the dialect does not have: float8"));
  build(yoke::specialise<yoke::float4>("T"));
}

TEST_CASE("types and constants are spelled for OpenCL C and C++ at once", "[program]") {
  CHECK(text_of(yoke::specialise<float, yoke::value_of<256>>("T", "BLOCK")) == "T=float;BLOCK=256;");
  CHECK(text_of(yoke::specialise<std::uint8_t, std::int8_t, char, bool>("A", "B", "C", "D")) ==
        "A=unsigned char;B=signed char;C=char;D=bool;");
  CHECK(text_of(yoke::specialise<std::int16_t, std::uint16_t, std::int32_t, std::uint32_t>("A", "B", "C", "D")) ==
        "A=short;B=unsigned short;C=int;D=unsigned int;");
  CHECK(text_of(yoke::specialise<long long, std::uint64_t, double, yoke::float4>("A", "B", "C", "D")) ==
        "A=long;B=unsigned long;C=double;D=float4;");
  CHECK(text_of(yoke::specialise<colour, yoke::value_of<colour::red>, yoke::value_of<true>>("A", "B", "C")) ==
        "A=unsigned char;B=3;C=1;");
  CHECK(text_of(yoke::specialise<yoke::value_of<-5>, yoke::value_of<std::numeric_limits<std::int64_t>::min()>>(
            "A", "B")) == "A=(-4 - 1);B=(-9223372036854775807 - 1);");
  CHECK(text_of(yoke::specialise<yoke::value_of<std::numeric_limits<std::uint64_t>::max()>>("A")) ==
        "A=18446744073709551615u;");
  CHECK(yoke::specialise<>().empty());
}

TEST_CASE("instances of templates have C++ names", "[program]") {
  CHECK(yoke::instance_name<float>("f") == "f<float>");
  CHECK(yoke::instance_name<float, yoke::value_of<4>>("ns::f") == "ns::f<float, 4>");
  CHECK(yoke::instance_name<unsigned long long, yoke::float2>("f") == "f<unsigned long long, float2>");
  CHECK(yoke::instance_name<yoke::value_of<-1>>("f") == "f<(-0 - 1)>");
  CHECK(yoke::instance_name<yoke::half, yoke::bfloat16>("f") == "f<__half, __nv_bfloat16>");
  CHECK(yoke::instance_name<yoke::double4, yoke::half2>("f") == "f<double4_32a, __half2>");
  CHECK(yoke::instance_name<colour>("f") == "f<unsigned char>");
}

YOKE_DEVICE_TEST_CASE("a kernel is specialised by types and constants", "[program]") {
  const yoke::context context{device};
  const yoke::stream stream{context};
  const auto run = [&]<class T>(T factor) {
    const auto module = yoke::compile(context, "YOKE_KERNEL scale(YOKE_GLOBAL T* a) { a[get_global_id(0)] *= FACTOR; }",
                                      {.defines = yoke::specialise<T, yoke::value_of<-3>>("T", "FACTOR")});
    std::vector<T> values{factor, static_cast<T>(factor + 1)};
    yoke::get_kernel<void(T*)>(module, "scale")(stream, {.grid = 2, .block = 1}, yoke::in_out(values));
    CHECK(values == std::vector<T>{static_cast<T>(factor * T(-3)), static_cast<T>((factor + 1) * T(-3))});
  };
  run(2.5F);
  run(7);
  run(std::int64_t{1} << 40);
  run(std::uint32_t{9});
  run(std::int8_t{5});
}

YOKE_CUDA_TEST_CASE("a template's instance goes by the name that C++ types give it", "[cuda]") {
  const yoke::cuda::context context{device};
  const std::string name = yoke::instance_name<unsigned, yoke::value_of<4>>("fill");
  const auto module =
      yoke::cuda::compile(context, "template <class T, int N> __global__ void fill(T* a) { a[threadIdx.x] = N; }",
                          {.name_expressions = {name}});
  const yoke::cuda::stream stream{context};
  std::vector<unsigned> out(2);
  module.get_kernel<void(unsigned*)>(name)(stream, {.grid = 1, .block = 2}, yoke::out(out));
  CHECK(out == std::vector<unsigned>{4, 4});
}

YOKE_DEVICE_TEST_CASE("halves and vectors are types of a specialised kernel in the dialect", "[program]") {
  rig on(device);
  const auto run = [&]<class T>(const std::vector<T>& in) {
    const auto module = yoke::compile(
        on.context, "YOKE_KERNEL f(YOKE_GLOBAL const T* in, YOKE_GLOBAL int* out) { out[0] = (int)sizeof(*in); }",
        {.defines = yoke::specialise<T>("T")});
    const auto kernel = yoke::get_kernel<void(const T*, int*)>(module, "f");
    CHECK(kernel.checked() == Backend::dialect_check);
    std::vector<int> out(1);
    kernel(on.stream, {.grid = 1}, yoke::in(in), yoke::out(out));
    CHECK(out[0] == sizeof(T));
  };
  run(std::vector<yoke::half>(2));
  run(std::vector<yoke::bfloat16>(2));
  run(std::vector<yoke::float4>(2));
  run(std::vector<yoke::double4>(2));
}

YOKE_OPENCL_TEST_CASE("OpenCL C takes the types of a specialised kernel by its own names", "[program]") {
  rig on(device);
  const auto compiled = [&]<class T>(const T*) {
    const auto module =
        yoke::compile(on.context, "kernel void f(global T* a) {}", {.defines = yoke::specialise<T>("T")});
    return module.template get_kernel<void(T*)>("f").checked();
  };
  CHECK(compiled(static_cast<const yoke::half*>(nullptr)) == yoke::signature_check::names);
  CHECK(compiled(static_cast<const yoke::bfloat16*>(nullptr)) == yoke::signature_check::names);
  CHECK(compiled(static_cast<const yoke::double4*>(nullptr)) == yoke::signature_check::names);
  CHECK(compiled(static_cast<const yoke::opencl::float3*>(nullptr)) == yoke::signature_check::names);
}

namespace {

const char* const native_source = R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void f(T* a) { a[0] = a[1]; }
template <class U> __global__ void g(U* a) { a[0] = a[1]; }
)";
const char* const dialect_source = R"(
YOKE_KERNEL f(YOKE_GLOBAL T* a) { a[0] = a[1]; }
template <class U> __global__ void g(U* a) { a[0] = a[1]; }
)";

template <class T>
cu::compile_options options_for(const char* source, std::vector<std::string> headers) {
  return {.include_folders = source == native_source ? std::move(headers) : std::vector<std::string>{},
          .defines = yoke::specialise<T>("T"),
          .kernels = {yoke::typed<void(T*)>("f")},
          .name_expressions = {yoke::instance_name<T>("g")},
          .portable = false};  // a template is CUDA's alone
}

}  // namespace

YOKE_CUDA_TEST_CASE("CUDA C++ and the dialect take the types of a specialised kernel by their own names", "[cuda]") {
  const cu::context context{device};
  const auto check = [&]<class T>(const T*) {
    for (const char* const source : {native_source, dialect_source}) {
      const auto module = cu::compile(context, source, options_for<T>(source, toolkit_headers(device)));
      CHECK(module.template get_kernel<void(T*)>("f").checked() == yoke::signature_check::types);
      CHECK(module.template get_kernel<void(T*)>(yoke::instance_name<T>("g")).native_handle() != nullptr);
    }
  };
  check(static_cast<const yoke::half*>(nullptr));
  check(static_cast<const yoke::double4*>(nullptr));
  check(static_cast<const yoke::float4*>(nullptr));
}

TEST_CASE("NVRTC takes the types of a specialised kernel, native and in the dialect, without a device", "[cuda]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  const char* const home = std::getenv("CUDA_HOME");
  const std::string toolkit = home == nullptr ? "/usr/local/cuda" : home;
  const bool has_headers = fs::exists(toolkit + "/include/cuda_bf16.h");
  const auto check = [&]<class T>(const T*) {
    for (const char* const source : {native_source, dialect_source}) {
      if (source == native_source && !has_headers) continue;
      auto options = options_for<T>(source, {toolkit + "/include", toolkit + "/include/cccl"});
      options.architecture = "compute_90";
      const cu::compiled_image image = cu::compile_to(cu::image_kind::ptx, source, options);
      CHECK(image.names.size() == 2);
      CHECK(image.bytes.size() > 100);
    }
  };
  check(static_cast<const yoke::half*>(nullptr));
  check(static_cast<const yoke::bfloat16*>(nullptr));
  check(static_cast<const yoke::double4*>(nullptr));
  check(static_cast<const yoke::float2*>(nullptr));
}
