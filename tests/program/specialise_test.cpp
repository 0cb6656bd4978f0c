// SPDX-License-Identifier: MIT
// C++ types and constants get into kernels, spelled so that every compiler reads them.
#include <program/compiling.hpp>
#include <support/devices.hpp>

#include <yoke/program/specialise.hpp>

#include <cstdint>
#include <limits>

using namespace yoke_test;

namespace {

enum class colour : unsigned char { red = 3 };

std::string text_of(const std::vector<yoke::define>& defines) {
  std::string text;
  for (const yoke::define& each : defines) text += each.name + "=" + each.value + ";";
  return text;
}

}  // namespace

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
