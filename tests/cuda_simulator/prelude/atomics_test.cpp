// SPDX-License-Identifier: MIT
// The atomic functions on every type CUDA documents, with their forms for block and system.
#include <cuda_simulator/simulator.hpp>

using namespace yoke_test;

namespace {

struct atomic_row {
  const char* name;
  const char* type;
  const char* arguments;  // after the address
  double before, after;
};

const atomic_row rows[] = {
    {"atomicAdd", "int", "-3", 10, 7},
    {"atomicAdd", "unsigned", "3u", 10, 13},
    {"atomicAdd", "unsigned long long", "1ull << 40", 10, 1099511627786.0},
    {"atomicAdd", "float", "0.5f", 10, 10.5},
    {"atomicAdd", "double", "0.5", 10, 10.5},
    {"atomicSub", "int", "3", 1, -2},
    {"atomicSub", "unsigned", "3u", 10, 7},
    {"atomicExch", "int", "-3", 10, -3},
    {"atomicExch", "unsigned", "3u", 10, 3},
    {"atomicExch", "unsigned long long", "3ull", 10, 3},
    {"atomicExch", "float", "3.5f", 10, 3.5},
    {"atomicMin", "int", "-3", 10, -3},
    {"atomicMin", "unsigned", "30u", 10, 10},
    {"atomicMin", "long long", "-3ll", 10, -3},
    {"atomicMin", "unsigned long long", "3ull", 10, 3},
    {"atomicMax", "int", "-3", 10, 10},
    {"atomicMax", "unsigned", "30u", 10, 30},
    {"atomicMax", "long long", "30ll", -10, 30},
    {"atomicMax", "unsigned long long", "30ull", 10, 30},
    {"atomicInc", "unsigned", "10u", 9, 10},
    {"atomicInc", "unsigned", "10u", 10, 0},
    {"atomicInc", "unsigned", "10u", 11, 0},
    {"atomicDec", "unsigned", "10u", 9, 8},
    {"atomicDec", "unsigned", "10u", 0, 10},
    {"atomicDec", "unsigned", "10u", 11, 10},
    {"atomicCAS", "int", "10, -3", 10, -3},
    {"atomicCAS", "int", "11, -3", 10, 10},
    {"atomicCAS", "unsigned", "10u, 3u", 10, 3},
    {"atomicCAS", "unsigned long long", "10ull, 3ull", 10, 3},
    {"atomicCAS", "unsigned short", "(unsigned short)10, (unsigned short)3", 10, 3},
    {"atomicAnd", "int", "6", 12, 4},
    {"atomicAnd", "unsigned", "6u", 12, 4},
    {"atomicAnd", "unsigned long long", "6ull", 12, 4},
    {"atomicOr", "int", "6", 12, 14},
    {"atomicOr", "unsigned", "6u", 12, 14},
    {"atomicOr", "unsigned long long", "6ull", 12, 14},
    {"atomicXor", "int", "6", 12, 10},
    {"atomicXor", "unsigned", "6u", 12, 10},
    {"atomicXor", "unsigned long long", "6ull", 12, 10},
};

}  // namespace

TEST_CASE("atomic functions return the old value and leave the new one") {
  for (const char* form : {"", "_block", "_system"}) {
    std::string source = "extern \"C\" __global__ void evaluate(double* out) {\n";
    std::size_t count = 0;
    for (const atomic_row& each : rows) {
      if (std::string(each.type) == "unsigned short" && *form != '\0') continue;  // has no scopes
      const std::string call = std::string(each.name) + form + "(&cell, " + each.arguments + ")";
      const std::string at = std::to_string(2 * count++);
      const std::string before = std::to_string(static_cast<long long>(each.before));
      source.append("{ ").append(each.type).append(" cell = ").append(before).append(";\n");
      source.append("out[").append(at).append("] = (double)").append(call).append(";\n");
      source.append("out[").append(at).append(" + 1] = (double)cell; }\n");
    }
    const loaded_source loaded(source + "}\n");
    std::vector<double> out(2 * count);
    REQUIRE_THAT(loaded.run("evaluate", shape_of(1, 1), out.data()).text, Equals(""));
    std::size_t next = 0;
    for (const atomic_row& each : rows) {
      if (std::string(each.type) == "unsigned short" && *form != '\0') continue;
      INFO(each.name << form << " on " << each.type << " with " << each.arguments);
      CHECK(out[next++] == each.before);
      CHECK(out[next++] == each.after);
    }
  }
}

TEST_CASE("atomic functions are atomic between threads and between blocks") {
  const loaded_source source(R"(
#include <cuda_fp16.h>
struct sums { int i; unsigned u; unsigned long long l; float f; double d; float2 f2; float4 f4; unsigned wraps; half2 h; };
extern "C" __global__ void count(sums* s) {
  __shared__ int local;
  if (threadIdx.x == 0) local = 0;
  __syncthreads();
  atomicAdd_block(&local, 1);
  atomicAdd(&s->u, 2u);
  atomicAdd(&s->l, 3ull);
  atomicAdd(&s->f, 1.0f);
  atomicAdd(&s->d, 1.0);
  atomicAdd(&s->f2, make_float2(1, 2));
  atomicAdd(&s->f4, make_float4(1, 2, 3, 4));
  atomicInc(&s->wraps, 9);
  if (threadIdx.x < 2) atomicAdd(&s->h, half2(half(1), half(2)));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&s->i, local);
}
extern "C" __global__ void spin(int* lock, int* total) {  // a lock held over a barrier of the warp
  while (atomicCAS(lock, 0, 1) != 0) {}
  *total += 1;
  __syncwarp(1u << threadIdx.x % 32);
  atomicExch(lock, 0);
}
)");
  struct alignas(16) sums {
    int i;
    unsigned u;
    unsigned long long l;
    float f;
    double d;
    alignas(8) float f2[2];
    alignas(16) float f4[4];
    unsigned wraps;
    std::uint16_t h[2];
  } s{};
  REQUIRE_THAT(source.run("count", shape_of(64, 128), &s).text, Equals(""));
  CHECK(s.i == 8192);
  CHECK(s.u == 16384);
  CHECK(s.l == 24576);
  CHECK(s.f == 8192);
  CHECK(s.d == 8192);
  CHECK(s.f2[1] == 16384);
  CHECK(s.f4[3] == 32768);
  CHECK(s.wraps == 8192 % 10);
  CHECK(s.h[0] == 0x5800);  // 128
  CHECK(s.h[1] == 0x5c00);
  int lock = 0;
  int total = 0;
  REQUIRE_THAT(source.run("spin", shape_of(4, 64), &lock, &total).text, Equals(""));
  CHECK(total == 256);
}
