// SPDX-License-Identifier: MIT
// What operators and functions of OpenCL C compute where C++ has them otherwise: narrow numbers, lanes of lanes, shifts.
#include <language/opencl_c_sources.hpp>
#include <program/compiling.hpp>

using namespace yoke_test;

namespace {

namespace sources = yoke_test::opencl_c_sources;
constexpr yoke::source_language opencl_c = yoke::source_language::opencl_c;

}  // namespace

YOKE_DEVICE_TEST_CASE("OpenCL C: whole numbers of 8 and 16 bits keep their width", "[program][opencl_c]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<void(int*, std::uint8_t, std::int8_t, yoke::short2, yoke::uchar4)>(
      yoke::compile(on.context, sources::narrow, {.language = opencl_c}), "narrow");
  std::vector<int> out(58);
  kernel(on.stream, {.grid = 1, .block = 1}, yoke::in_out(out), std::uint8_t{200}, std::int8_t{-128},
         yoke::short2{-32768, 3}, yoke::uchar4{200, 100, 15, 255});
  const auto at = [&](std::size_t first, std::size_t count) {
    return std::vector<int>(out.begin() + static_cast<std::ptrdiff_t>(first),
                            out.begin() + static_cast<std::ptrdiff_t>(first + count));
  };
  CHECK(at(0, 12) == std::vector<int>{70, 255, 0, 3, 156, 128, -32568, -128 + 101, 127, 100, -128, 4});
  CHECK(at(12, 4) == std::vector<int>{70, 35, 120, 255});     // rotate
  CHECK(at(16, 4) == std::vector<int>{255, 200, 30, 255});    // add_sat
  CHECK(at(20, 4) == std::vector<int>{0, 1, 4, 0});           // clz
  CHECK(at(24, 4) == std::vector<int>{3, 3, 4, 8});           // popcount
  CHECK(at(28, 4) == std::vector<int>{156, 39, 0, 254});      // mul_hi
  CHECK(at(32, 4) == std::vector<int>{100, 139, 15, 253});    // mad_hi
  CHECK(at(36, 4) == std::vector<int>{255, 255, 240, 255});   // mad_sat
  CHECK(at(40, 4) == std::vector<int>{200, 100, 16, 255});    // max
  CHECK(at(44, 4) == std::vector<int>{150, 150, 135, 135});   // hadd
  CHECK(at(48, 2) == std::vector<int>{32768, 3});             // abs
  CHECK(at(50, 2) == std::vector<int>{32771, 32771});         // abs_diff
  CHECK(at(52, 2) == std::vector<int>{-2147450880, 196611});  // upsample
  CHECK(at(54, 2) == std::vector<int>{-16382, -16382});       // rhadd
  CHECK(at(56, 2) == std::vector<int>{-32768, 32767});        // sub_sat
}

YOKE_DEVICE_TEST_CASE("OpenCL C: lanes of lanes on the left of an assignment", "[program][opencl_c]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<void(float*, int*, yoke::float4, yoke::int4)>(
      yoke::compile(on.context, sources::lanes, {.language = opencl_c}), "lanes");
  std::vector<float> out(32);
  std::vector<int> whole(8);
  kernel(on.stream, {.grid = 1, .block = 1}, yoke::in_out(out), yoke::in_out(whole), yoke::float4{10, 20, 30, 40},
         yoke::int4{1, 2, 3, 4});
  const auto at = [&](std::size_t first, std::size_t count) {
    return std::vector<float>(out.begin() + static_cast<std::ptrdiff_t>(first),
                              out.begin() + static_cast<std::ptrdiff_t>(first + count));
  };
  CHECK(at(0, 8) == std::vector<float>{30, 80, 10, 20, 10, 40, 40, 30});
  CHECK(at(8, 8) == std::vector<float>{99, 98, 30, 40, 10, 97, 20, 33});
  CHECK(at(16, 8) == std::vector<float>{1, 2, 3, 4, 5, 6, 10, 20});
  CHECK(at(24, 4) == std::vector<float>{20, 7, 13, 40});
  CHECK(at(28, 4) == std::vector<float>{10, 20, 3, 131});
  CHECK(whole == std::vector<int>{2, 2, 3, 4, 1, 8, 3, 16});
}

YOKE_CUDA_TEST_CASE("OpenCL C: an assignment to lanes that would be lost is refused in its line",
                    "[program][opencl_c]") {
  rig on(device);
  for (const char* const statement : {"++v.xy;", "f(v).xy = v.zw;", "XY(v) = v.zw;", "XY(v) += 1.0f;",
                                      "XY(v).x = 1.0f;", "XY(v).s0 = 1.0f;", "LO(v) = v.hi;", "LO(v).y = 1.0f;"}) {
    INFO(statement);
    const auto refused =
        failed_build(on,
                     std::string("#define XY(v) (v.xy)\n#define LO(v) v.lo\nfloat4 f(float4 v) { return v; }\n"
                                 "kernel void k(global float4* out) {\n  float4 v = *out;\n  ") +
                         statement + "\n  *out = v;\n}\n",
                     {.name = "mine", .language = opencl_c});
    CHECK_THAT(refused.log(), ContainsSubstring("mine:6") || ContainsSubstring("mine(6)"));
  }
}

YOKE_DEVICE_TEST_CASE("OpenCL C: shifts take their amounts modulo the width", "[program][opencl_c]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<void(std::int64_t*, int, std::uint8_t, std::uint64_t, std::uint32_t)>(
      yoke::compile(on.context, sources::shifts, {.language = opencl_c}), "shifts");
  std::vector<std::int64_t> out(34);
  kernel(on.stream, {.grid = 1, .block = 1}, yoke::in_out(out), 33, std::uint8_t{200}, std::uint64_t{5},
         std::uint32_t{0x80000000U});
  CHECK(out == std::vector<std::int64_t>{2,   400,
                                         10,  1073741824,
                                         -4,  16,
                                         6,   10,
                                         5,   144,
                                         6,   6,
                                         144, 100,
                                         2,   8,
                                         32,  8,
                                         2,   42,
                                         2,   2,
                                         2,   std::int64_t{1} << 33,
                                         32,  -2147483647 - 1,
                                         8,   4,
                                         10,  32,
                                         32,  2,
                                         72,  2});
}
