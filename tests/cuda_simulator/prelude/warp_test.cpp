// SPDX-License-Identifier: MIT
// The warp's intrinsics: shuffles, votes, matches, reductions, masks.
#include <cuda_simulator/prelude/expressions.hpp>

using namespace yoke_test;

namespace {
constexpr const char* all = "constexpr unsigned all = 0xffffffffu;";
double bits_of(unsigned bits) { return static_cast<double>(bits); }
}  // namespace

TEST_CASE("shuffles move values between lanes") {
  check_lanes(all,
              {
                  {"__shfl_sync(all, lane, 5)", [](int) { return 5.0; }},
                  {"__shfl_sync(all, lane, lane + 1)", [](int lane) { return double((lane + 1) % 32); }},
                  {"__shfl_sync(all, lane, 3, 8)", [](int lane) { return lane / 8 * 8 + 3; }},
                  {"__shfl_sync(all, lane, 9, 8)", [](int lane) { return lane / 8 * 8 + 1; }},
                  {"__shfl_up_sync(all, lane, 1)", [](int lane) { return lane == 0 ? 0.0 : lane - 1.0; }},
                  {"__shfl_up_sync(all, lane, 2, 8)", [](int lane) { return lane % 8 < 2 ? lane : lane - 2.0; }},
                  {"__shfl_down_sync(all, lane, 1)", [](int lane) { return lane == 31 ? 31.0 : lane + 1.0; }},
                  {"__shfl_down_sync(all, lane, 4, 16)", [](int lane) { return lane % 16 >= 12 ? lane : lane + 4.0; }},
                  {"__shfl_xor_sync(all, lane, 7)", [](int lane) { return double(lane ^ 7); }},
                  {"__shfl_xor_sync(all, lane, 3, 4)", [](int lane) { return double(lane ^ 3); }},
                  {"__shfl_xor_sync(all, lane, 8, 8)",
                   [](int lane) { return lane < 8 || (lane & 8) == 0 ? lane : lane - 8.0; }},
              });
}

TEST_CASE("shuffles take every type") {
  std::vector<std::string> texts;
  for (const char* type : {"int", "unsigned", "long", "unsigned long", "long long", "unsigned long long", "float",
                           "double", "half", "__nv_bfloat16"}) {
    const std::string value = "(" + std::string(type) + ")lane";
    texts.push_back("float(__shfl_sync(all, " + value + ", lane ^ 1))");
    texts.push_back("float(__shfl_up_sync(all, " + value + ", 0u)) + (lane % 2 ? -1 : 1)");
    texts.push_back("float(__shfl_down_sync(all, " + value + ", 0u)) + (lane % 2 ? -1 : 1)");
    texts.push_back("float(__shfl_xor_sync(all, " + value + ", 1))");
  }
  texts.emplace_back("__high2float(__shfl_xor_sync(all, half2(half(0), half(lane)), 1))");
  std::vector<lane_row> rows;
  rows.reserve(texts.size());
  for (const std::string& each : texts) rows.push_back({each.c_str(), [](int lane) { return double(lane ^ 1); }});
  check_lanes("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n" + std::string(all), rows);
}

TEST_CASE("votes, matches and reductions ask all lanes of the mask") {
  check_lanes(
      all,
      {
          {"__any_sync(all, lane == 3)", [](int) { return 1.0; }},
          {"__any_sync(all, lane == 33)", [](int) { return 0.0; }},
          {"__all_sync(all, lane < 32)", [](int) { return 1.0; }},
          {"__all_sync(all, lane < 31)", [](int) { return 0.0; }},
          {"__ballot_sync(all, lane % 2)", [](int) { return bits_of(0xaaaaaaaau); }},
          {"__match_any_sync(all, lane / 16)", [](int lane) { return bits_of(lane < 16 ? 0xffffu : 0xffff0000u); }},
          {"__match_any_sync(all, lane / 16u)", [](int lane) { return bits_of(lane < 16 ? 0xffffu : 0xffff0000u); }},
          {"__match_any_sync(all, (long long)(lane / 16))",
           [](int lane) { return bits_of(lane < 16 ? 0xffffu : 0xffff0000u); }},
          {"__match_any_sync(all, (float)(lane / 16))",
           [](int lane) { return bits_of(lane < 16 ? 0xffffu : 0xffff0000u); }},
          {"__match_any_sync(all, (double)(lane / 16))",
           [](int lane) { return bits_of(lane < 16 ? 0xffffu : 0xffff0000u); }},
          {"__activemask()", [](int) { return bits_of(0xffffffffu); }},
          {"__reduce_add_sync(all, lane)", [](int) { return 496.0; }},
          {"__reduce_add_sync(all, (unsigned)lane)", [](int) { return 496.0; }},
          {"__reduce_min_sync(all, lane - 5)", [](int) { return -5.0; }},
          {"__reduce_min_sync(all, lane + 5u)", [](int) { return 5.0; }},
          {"__reduce_max_sync(all, lane - 50)", [](int) { return -19.0; }},
          {"__reduce_max_sync(all, lane + 5u)", [](int) { return 36.0; }},
          {"__reduce_and_sync(all, lane | 64u)", [](int) { return 64.0; }},
          {"__reduce_or_sync(all, 1u << lane)", [](int) { return bits_of(0xffffffffu); }},
          {"__reduce_xor_sync(all, (unsigned)lane + 1)", [](int) { return 32.0; }},
          {"(__syncwarp(), lane)", [](int lane) { return double(lane); }},
          {"(__syncwarp(all), lane)", [](int lane) { return double(lane); }},
      });
  check_lanes(
      "__device__ int same(int v) { int all; unsigned m = __match_all_sync(0xffffffffu, v, &all);"
      " return all * 2 + (m == 0xffffffffu); }",
      {{"same(7)", [](int) { return 3.0; }}, {"same(lane)", [](int) { return 0.0; }}});
}

TEST_CASE("halves of a warp go their own ways with their own masks") {
  const loaded_source source(R"(
extern "C" __global__ void halves(int* out, unsigned* active) {
  const int lane = threadIdx.x;
  int value = lane;
  if (lane < 16) {
    for (int delta = 8; delta > 0; delta /= 2) value += __shfl_down_sync(0x0000ffffu, value, delta, 16);
    active[lane] = __activemask();
  } else {
    for (int delta = 1; delta < 16; delta *= 2) value = max(value, __shfl_xor_sync(0xffff0000u, value, delta));
    __syncwarp(0xffff0000u);
    active[lane] = __activemask();
  }
  out[lane] = value;
}
extern "C" __global__ void partial(int* out) {  // a warp of 20 lanes, of which five leave
  const int lane = threadIdx.x;
  if (lane >= 15) return;
  out[lane] = __reduce_add_sync(0xffffffffu, 1);
}
)");
  std::vector<int> out(32);
  std::vector<unsigned> active(32);
  REQUIRE_THAT(source.run("halves", shape_of(1, 32), out.data(), active.data()).text, Equals(""));
  CHECK(out[0] == 120);
  CHECK(out[16] == 31);
  CHECK(out[31] == 31);
  CHECK(active[3] == 0x0000ffffu);
  CHECK(active[30] == 0xffff0000u);
  REQUIRE_THAT(source.run("partial", shape_of(1, 20), out.data()).text, Equals(""));
  CHECK(out[0] == 15);
  CHECK(out[14] == 15);
}
