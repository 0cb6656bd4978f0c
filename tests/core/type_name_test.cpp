// SPDX-License-Identifier: MIT
// Host types are called what kernels call them.
#include <support/catch.hpp>

#include <yoke/core/type_name.hpp>

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
}  // namespace

TEST_CASE("a type the library does not know has no name", "[core]") {
  CHECK(name<pixel>.empty());
  CHECK(name<float*>.empty());
}
