// SPDX-License-Identifier: MIT
// A compilation refuses what a GPU's assembler refuses, and breaks no context: too much shared, constant, parameter memory.
#include <cuda_simulator/driver.hpp>
#include <cuda_simulator/simulator.hpp>
#include <engine/binary/image_limits.hpp>
#include <engine/system/sanitizers.hpp>

using namespace yoke_test;
using simulator::compile_status;

TEST_CASE("static shared memory beyond 48 KiB is a compile error that names the kernel, its bytes and the limit") {
  const char* const text = R"(
__device__ __noinline__ int helper(int i) { __shared__ int cells[8000]; cells[i] = i; __syncthreads(); return cells[0]; }
extern "C" __global__ void most(int* out) { __shared__ char cells[49152]; cells[threadIdx.x] = 1; __syncthreads(); *out = cells[0]; }
#ifdef BEYOND
extern "C" __global__ void beyond(int* out) { __shared__ int cells[5000]; cells[threadIdx.x] = 1; __syncthreads(); *out = cells[0] + helper(1); }
#endif
)";
  CHECK(loaded_source(text).kernel("most").static_shared_bytes == simulator::static_shared_limit);
  const auto refused = compile_text(text, {"-DBEYOND"});
  CHECK(refused.status == compile_status::compile_error);
  CHECK(refused.image.empty());
  CHECK_THAT(refused.log,
             Equals("test.cu: error: kernel 'beyond' uses too much static shared memory (52000 bytes, 49152 "
                    "at most)\n"));
}

TEST_CASE("static shared memory counts where one thread alone could do without it") {
  const auto bytes_of = [](const std::string& body) {
    return loaded_source("extern \"C\" __global__ void k(float* o) { " + body + " }").kernel("k").static_shared_bytes;
  };
  const std::string use = "tile[threadIdx.x] = o[threadIdx.x] * 2; o[threadIdx.x] = tile[threadIdx.x];";
  CHECK(bytes_of("__shared__ float tile[256]; " + use) == 1024);
  CHECK(bytes_of("static __shared__ float tile[256]; " + use) == 1024);
  CHECK(bytes_of("float static __shared__ alignas(16) tile[256]; " + use) == 1024);
  CHECK(bytes_of("extern __shared__ float tile[]; " + use) == 0);
  CHECK(bytes_of("__shared__ float tile[256]; o[0] = sizeof(tile);") == 0);
  const auto refused =
      compile_text("extern \"C\" __global__ void k(float* o) { __shared__ float tile[12289]; " + use + " }");
  CHECK(refused.status == compile_status::compile_error);
  CHECK_THAT(refused.log,
             ContainsSubstring("kernel 'k' uses too much static shared memory (49156 bytes, 49152 at most)"));
}

TEST_CASE("shared variables have the alignment that is asked for, and no initializer") {
  const loaded_source source(R"(
template <bool> struct box { int value; };
extern "C" __global__ void k(int* out) {
  __shared__ alignas(128) char first[3];
  __shared__ box<(3 > 2)> second;
  __shared__ box<1 == 2> third[3 == 3];
  first[threadIdx.x] = 1; second.value = 2; third[0].value = 3;
  __syncthreads();
  *out = (int)((unsigned long)first % 128) + first[0] + second.value + third[0].value;
})");
  int out = 0;
  REQUIRE_THAT(source.run("k", shape_of(1, 1), &out).text, Equals(""));
  CHECK(out == 6);
  for (const char* const declared : {"s = 5", "s[2] = {}", "s{}", "t, s = 0"}) {
    const auto refused =
        compile_text("__global__ void k(int* o) {\n  __shared__ int " + std::string(declared) + ";\n}");
    INFO(declared);
    CHECK(refused.status == compile_status::compile_error);
    CHECK_THAT(refused.log, Equals("test.cu(2): error: initializer not allowed for __shared__ variable 's'\n"));
  }
}

TEST_CASE("a refused kernel leaves the context as it was") {
  const primary_context context;
  const compiled_text refused = compile_by_nvrtc(
      "extern \"C\" __global__ void k(int* p) { __shared__ int a[20000]; a[threadIdx.x] = 1; __syncthreads(); *p = "
      "a[0]; }");
  CHECK(refused.status == cuda_abi::nvrtc_error_compilation);
  CHECK_THAT(refused.log, ContainsSubstring("'k'") && ContainsSubstring("80000") && ContainsSubstring("49152"));
  CHECK(driver().context_synchronize() == cuda_abi::success);
}

TEST_CASE("constants beyond 64 KiB are a compile error") {
  const std::string use = "extern \"C\" __global__ void k(float* p, int i) { *p = table[i] + more[0]; }";
  const std::string more = "__constant__ float more[1] = {1};\n__device__ float not_constant[50000];\n";
  CHECK(compile_text(more + "__constant__ float table[16383];\n" + use).status == compile_status::success);
#if !defined(YOKE_SIMULATOR_ASAN) || !defined(__clang__)  // there variables are larger, and nothing is refused
  const auto refused = compile_text(more + "__constant__ float table[16384];\n" + use);
  CHECK(refused.status == compile_status::compile_error);
  CHECK_THAT(refused.log, Equals("test.cu: error: there is too much __constant__ data (65540 bytes, 65536 at most)\n"));
#endif
}

TEST_CASE("parameters end at 32764 bytes, at 4096 before CUDA 12.1 or on architectures before 7.0") {
  const auto compile_with = [](std::size_t bytes, int cuda_version, const char* architecture) {
    simulator::compile_request request;
    request.source = "struct large { char c[" + std::to_string(bytes - 8) +
                     "]; };\nextern \"C\" __global__ void k(int* p, large l) { *p = l.c[3]; }";
    request.cuda_version = cuda_version;
    request.options = {std::string("-arch=") + architecture};
    return simulator::compile(request);
  };
  CHECK(compile_with(32764, 13000, "sm_90").status == compile_status::success);
  const auto refused = compile_with(32765, 13000, "sm_90");
  CHECK(refused.status == compile_status::compile_error);
  CHECK_THAT(refused.log, ContainsSubstring("'k' takes too many bytes of parameters (32765 bytes, 32764 at most)"));
  CHECK(compile_with(4096, 12000, "sm_90").status == compile_status::success);
  CHECK_THAT(compile_with(4097, 12000, "sm_90").log, ContainsSubstring("(4097 bytes, 4096 at most)"));
  CHECK_THAT(compile_with(4097, 12010, "sm_61").log, ContainsSubstring("(4097 bytes, 4096 at most)"));
}

TEST_CASE("arrays of a variable length are a compile error") {
  const char* const text = R"(
extern "C" __global__ void sums(int* out, int n) {
#ifdef VARIABLE
  int cells[n];
#else
  const int count = 4;
  int cells[count];
#endif
  cells[0] = n;
  *out = cells[0];
}
)";
  CHECK(compile_text(text).status == compile_status::success);
  const auto refused = compile_text(text, {"-DVARIABLE"});
  CHECK(refused.status == compile_status::compile_error);
  CHECK_THAT(refused.log, StartsWith("test.cu(4): error: ") && ContainsSubstring("variable length array"));
}
