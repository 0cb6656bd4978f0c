// SPDX-License-Identifier: MIT
// Host types are called what kernels call them.
#include <support/catch.hpp>

#include <yoke/core/half.hpp>
#include <yoke/core/type_name.hpp>
#include <yoke/cuda/vector_types.hpp>
#include <yoke/opencl/vector_types.hpp>

#include <complex>
#include <cstdint>
#include <string_view>

namespace {
struct pixel {
  float r, g, b;
};
struct my_float4 {
  float of[4];
};
enum class mode : std::uint16_t { one };
}  // namespace
template <>
inline constexpr const char* yoke::device_type_name<my_float4> = "float4";

namespace {
template <class T>
constexpr std::string_view name = yoke::device_type_name<T>;

static_assert(name<float> == "float" && name<double> == "double" && name<bool> == "bool");
static_assert(name<std::int8_t> == "char" && name<std::uint8_t> == "uchar");
static_assert(name<std::int16_t> == "short" && name<std::uint16_t> == "ushort");
static_assert(name<std::int32_t> == "int" && name<std::uint32_t> == "uint");
static_assert(name<std::int64_t> == "long" && name<std::uint64_t> == "ulong");
static_assert(name<long long> == "long" && name<unsigned long long> == "ulong" && name<std::size_t> == "ulong");
static_assert(name<yoke::float2> == "float2" && name<yoke::float4> == "float4");
static_assert(name<yoke::int2> == "int2" && name<yoke::int4> == "int4");
static_assert(name<mode> == "ushort");
static_assert(name<my_float4> == "float4");

/// Whether a type has these names in OpenCL C, in CUDA C++, and in the dialect.
template <class T>
constexpr bool is_called(std::string_view opencl_c, std::string_view cuda, std::string_view dialect) {
  using type = yoke::device_type<T>;
  return type::opencl_c == opencl_c && type::cuda == cuda && type::dialect == dialect;
}
static_assert(is_called<int>("int", "int", "int") && is_called<char>("char", "char", "char"));
static_assert(is_called<signed char>("char", "signed char", "char"));
static_assert(is_called<unsigned char>("uchar", "unsigned char", "uchar"));
static_assert(is_called<unsigned short>("ushort", "unsigned short", "ushort"));
static_assert(is_called<unsigned>("uint", "unsigned int", "uint"));
// A long has 4 bytes on Windows.
constexpr bool is_long_wide = sizeof(long) == 8;
static_assert(is_called<long>(is_long_wide ? "long" : "int", "long", is_long_wide ? "long" : "int"));
static_assert(is_called<unsigned long>(is_long_wide ? "ulong" : "uint", "unsigned long",
                                       is_long_wide ? "ulong" : "uint"));
static_assert(is_called<long long>("long", "long long", "long"));
static_assert(is_called<unsigned long long>("ulong", "unsigned long long", "ulong"));
static_assert(is_called<bool>("bool", "bool", "bool") && is_called<double>("double", "double", "double"));
static_assert(is_called<yoke::uchar2>("uchar2", "uchar2", "uchar2") &&
              is_called<yoke::char4>("char4", "char4", "char4"));
static_assert(is_called<yoke::long2>("long2", is_long_wide ? "long2" : "longlong2", "long2"));
static_assert(is_called<yoke::vec<long long, 2>>("long2", "longlong2", "long2"));
static_assert(is_called<yoke::float8>("float8", "", "") && is_called<yoke::ushort16>("ushort16", "", ""));
// Four of 8 bytes are aligned to their size, which CUDA calls by other names; the dialect has those of doubles.
static_assert(is_called<yoke::double4>("double4", "double4_32a", "double4"));
static_assert(is_called<yoke::ulong4>("ulong4", is_long_wide ? "ulong4_32a" : "ulonglong4_32a", ""));
static_assert(is_called<yoke::cuda::double4>("cuda::double4", "double4", ""));
static_assert(is_called<yoke::cuda::ulonglong4>("cuda::ulong4", "ulonglong4", ""));
// Three are not the same three.
static_assert(is_called<yoke::cuda::float3>("cuda::float3", "float3", ""));
static_assert(is_called<yoke::opencl::float3>("float3", "yoke::opencl::float3", ""));
static_assert(is_called<yoke::half>("half", "__half", "yoke_half"));
static_assert(is_called<yoke::half2>("half2", "__half2", "") && is_called<yoke::half4>("half4", "", ""));
static_assert(is_called<yoke::bfloat16>("ushort", "__nv_bfloat16", "yoke_bfloat16"));
static_assert(is_called<std::complex<float>>("float2", "float2", "float2"));
static_assert(is_called<std::complex<double>>("double2", "double2", "double2"));
static_assert(is_called<std::complex<long double>>("", "", "") && is_called<pixel>("", "", ""));
static_assert(is_called<my_float4>("float4", "float4", "float4"));
static_assert(yoke::device_type<std::complex<float>>::alignment == 8 && alignof(std::complex<float>) == 4);
static_assert(yoke::device_type<yoke::double4>::alignment == 32 &&
              yoke::device_type<yoke::cuda::double4>::alignment == 16);
}  // namespace

TEST_CASE("a type the library does not know has no name", "[core]") {
  CHECK(name<pixel>.empty());
  CHECK(name<float*>.empty());
}
