// SPDX-License-Identifier: MIT
// The structs of linked programs, and structs among the parameters of signatures.
#include <support/catch.hpp>

#include <yoke/core/half.hpp>
#include <yoke/cuda/cuda.hpp>
#include <yoke/program/kernel/signature.hpp>
#include <yoke/program/program.hpp>
#include <yoke/program/structs/linked_structs.hpp>
#include <yoke/program/structs/struct.hpp>

#include <complex>
#include <string>
#include <tuple>
#include <vector>

namespace shapes {
struct dot {
  float x;
  int number;
};
struct by_hand {
  float x;
};
struct qualified {
  float x;
};
struct nameless {
  float x;
};
struct like_float4 {
  alignas(16) float s[4];
};
enum class color : unsigned char { red };
}  // namespace shapes

YOKE_STRUCT(shapes::dot, x, number);
template <>
inline constexpr const char* yoke::device_type_name<shapes::by_hand> = "by_hand";
template <>
inline constexpr const char* yoke::device_type_name<shapes::qualified> = "shapes::qualified";
template <>
inline constexpr const char* yoke::device_type_name<shapes::like_float4> = "float4";

namespace {

/// Returns: whether each parameter is a struct to those who compare signatures.
template <class... P>
std::vector<bool> are_structs() {
  std::vector<bool> result;
  for (const yoke::parameter_info& each : yoke::typed<void(P...)>("f").parameters) {
    result.push_back(yoke::detail::is_undescribed_struct(each, {}));
  }
  return result;
}

}  // namespace

TEST_CASE("structs of linked programs are those that all of them mean", "[program][struct]") {
  const auto dot = yoke::describe_struct<shapes::dot>();
  auto other = dot;
  other.bytes = 12;
  auto third = dot;
  third.name = "third";
  const auto linked = [](std::vector<std::vector<yoke::struct_description>> parts) {
    std::string names;
    for (const auto& each : yoke::detail::linked_types(parts)) names += each.name + " ";
    return names;
  };
  CHECK(linked({}).empty());
  CHECK(linked({{}, {}}).empty());
  CHECK(linked({{}, {dot}}) == "dot ");
  CHECK(linked({{dot}, {}, {dot, third}}) == "dot third ");
  CHECK(linked({{dot, third}, {other}}) == "third ");
}

TEST_CASE("structs among the parameters of a signature are told by their names", "[program][struct]") {
  using shapes::by_hand;
  using shapes::dot;
  using shapes::qualified;
  const std::vector<bool> all(7, true);
  CHECK(are_structs<dot, dot*, const dot*, dot**, yoke::local<dot>, yoke::constant<dot>, const dot* const*>() == all);
  CHECK(are_structs<by_hand, by_hand*, const by_hand*, by_hand**, yoke::local<by_hand>, yoke::constant<by_hand>,
                    qualified*>() == all);
  const std::vector<bool> none(8, false);
  CHECK(are_structs<bool, char, signed char, unsigned char, short, unsigned short, int, unsigned>() == none);
  CHECK(are_structs<long, unsigned long, long long, unsigned long long, float, double, yoke::half, yoke::bfloat16>() ==
        none);
  CHECK(are_structs<yoke::char2, yoke::uchar4*, const yoke::short8*, yoke::ushort16, yoke::local<yoke::int2>,
                    yoke::constant<yoke::uint4>, yoke::long8*, yoke::ulong16*>() == none);
  CHECK(are_structs<yoke::half2, yoke::half4*, yoke::float2, yoke::double4*, std::complex<float>, std::complex<double>*,
                    yoke::vec<float, 3>, yoke::vec<long long, 2>>() == none);
  CHECK(are_structs<yoke::cuda::float3, yoke::cuda::float3*, yoke::cuda::double4, yoke::cuda::long4*,
                    yoke::cuda::ulong4*, shapes::like_float4, shapes::color, shapes::nameless>() == none);
  CHECK(are_structs<void*, const void*, float**, const float* const*, shapes::nameless*, shapes::color*,
                    yoke::local<float>, yoke::constant<float>>() == none);
}
