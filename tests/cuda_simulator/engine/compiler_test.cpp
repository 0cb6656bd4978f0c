// SPDX-License-Identifier: MIT
// Compilation: options, messages, headers, macros, names, parameter layouts.
#include <cstdlib>
#include <cuda_simulator/simulator.hpp>
#include <engine/compile/prelude_choice.hpp>
#include <engine/compile/prelude_text.hpp>
#include <engine/system/temporary_folder.hpp>
#include <regex>
#include <support/process/child.hpp>

using namespace yoke_test;
using simulator::compile_status;

TEST_CASE("errors name the user's file and line") {
  const auto result =
      compile_text("__device__ int f() { return 1; }\nextern \"C\" __global__ void k() {\n  int x = nothing;\n}\n");
  CHECK(result.status == compile_status::compile_error);
  CHECK(result.image.empty());
  CHECK_THAT(result.log, ContainsSubstring("test.cu(3): error: "));
  CHECK_THAT(result.log, ContainsSubstring("nothing"));
  CHECK_THAT(result.log, !ContainsSubstring("/yoke-simulator-"));
}

TEST_CASE("warnings come in the log of a compilation that succeeds") {
  const auto result = compile_text("extern \"C\" __global__ void k(int* p) { *p = 1 / 0; }");
  CHECK(result.status == compile_status::success);
  CHECK_THAT(result.log, ContainsSubstring("test.cu(1): warning: "));
  const auto quiet = compile_text("extern \"C\" __global__ void k(int* p) { *p = 1 / 0; }", {"-w"});
  CHECK_THAT(quiet.log, Equals(""));
}

TEST_CASE("every name of an optional part of the prelude asks for that part") {
  const std::regex names(
      "\\b(__(?!builtin|atomic|attribute)[a-z]\\w*|atomic[A-Z]\\w*|tex[123C]\\w*|surf[123C]\\w*|cuda[A-Z]\\w*)");
  std::size_t seen = 0;
  for (std::size_t each = 0; each < simulator::prelude_part_count; ++each) {
    const simulator::prelude_file& part = simulator::prelude_parts[each];
    if (simulator::needs_prelude_part(part.name, "")) continue;
    const std::string text(part.text);
    for (std::sregex_iterator at(text.begin(), text.end(), names), end; at != end; ++at, ++seen) {
      INFO(part.name);
      CAPTURE(at->str());
      CHECK(simulator::needs_prelude_part(part.name, "x = " + at->str() + "(y);"));
    }
  }
  CHECK(seen > 100);
}

TEST_CASE("names that a source pastes together, or has from a file of the user, are found in the prelude") {
  const simulator::temporary_folder folder;
  folder.write("hidden.h", "__device__ inline int up(int* p) { return atomicAdd(p, 1); }\n");
  const char* const text = R"(
#include "hidden.h"
#define JOIN(a, b) a##b
extern "C" __global__ void k(int* out) { out[0] = JOIN(__pop, c)(7u) + JOIN(__sh, fl_sync)(~0u, 5, 0) + up(out + 1); }
)";
  const auto result = compile_text(text, {"-I" + folder.path().string()});
  CHECK_THAT(result.log, Equals(""));
  CHECK(result.status == compile_status::success);
}

TEST_CASE("options of NVRTC are taken in all their spellings") {
  const char* const text = R"(
#include "found.h"
extern "C" __global__ void k(int* out) { out[0] = A; out[1] = B; out[2] = FOUND; out[3] = __CUDA_ARCH__; out[4] = __cplusplus / 100;
#ifdef C
out[0] = -1;
#endif
}
)";
  const simulator::temporary_folder folder;
  folder.write("found.h", "#define FOUND 77\n");
  const std::string path = folder.path().string();
  const std::vector<std::vector<std::string>> spellings = {
      {"-DA=5", "-DB", "-I" + path, "-arch=sm_75", "-std=c++20", "-DC", "-UC"},
      {"-D", "A=5", "-D", "B", "-I", path, "-arch", "compute_75", "-std", "c++20"},
      {"--define-macro=A=5", "--define-macro=B=1", "--include-path=" + path, "--gpu-architecture=compute_75",
       "--std=c++20"},
      {"-D A=5",
       "-D B",
       "-I " + path,
       "--gpu-architecture=sm_75",
       "-std=c++20",
       "--use_fast_math",
       "-lineinfo",
       "-G",
       "--maxrregcount=32",
       "-default-device",
       "-fmad=false",
       "--ftz=true",
       "-rdc=true",
       "--generate-line-info",
       "--ptxas-options=-v",
       "-Xptxas",
       "-O3",
       "--define-macro=C",
       "--undefine-macro=C",
       "--restrict",
       "-dopt=on",
       "--relocatable-device-code=false"}};
  for (const auto& options : spellings) {
    const loaded_source source(text, options);
    int out[5] = {};
    REQUIRE_THAT(source.run("k", shape_of(1, 1), &out[0]).text, Equals(""));
    CHECK(out[0] == 5);
    CHECK(out[1] == 1);
    CHECK(out[2] == 77);
    CHECK(out[3] == 750);
    CHECK(out[4] == 2020);
    CHECK(source.loaded->target().number == 75);
  }
}

TEST_CASE("macros of the user reach neither the prelude nor the served headers") {
  const loaded_source source(R"(
#include <cuda_fp16.h>
#include <cooperative_groups/reduce.h>
extern "C" __global__ void k(T* out) {
  auto tile = cooperative_groups::tiled_partition<2>(cooperative_groups::this_thread_block());
  assert(false && "not asked");
  *out = N + (T)value + CALL(3) + (T)cooperative_groups::reduce(tile, 1, cooperative_groups::plus<int>());
})",
                             {"-DT=float", "-DN=4", "-Dvalue=__half2float(half(2))", "-Deach=1", "-DF=2", "-Dslot",
                              "-DA=0", "-DCALL(x)=(x*2)", "-Dwhere=1", "-DNDEBUG"});
  float out = 0;
  REQUIRE_THAT(source.run("k", shape_of(1, 2), &out).text, Equals(""));
  CHECK(out == 14);
}

TEST_CASE("options that NVRTC does not know are refused") {
  for (const char* option : {"-foo",
                             "--O3",
                             "-std=c++98",
                             "-arch=sm_x",
                             "--gpu-architecture=hopper",
                             "-I",
                             "-arch",
                             "x.cu",
                             "",
                             " ",
                             "-arch=sm_11",
                             "-arch=sm_70",
                             "-arch=sm_999",
                             "-arch=90",
                             "-arch=sm_9",
                             "-arch=lto_90",
                             "-arch=sm_80a",
                             "-arch=sm_90f",
                             "-arch=",
                             "--maxrregcount=abc",
                             "--maxrregcount=3x",
                             "--fmad=1",
                             "-ftz=maybe"}) {
    const auto result = compile_text("", {option});
    INFO(option << ": " << result.log);
    CHECK(result.status == compile_status::invalid_option);
    CHECK_THAT(result.log, StartsWith("nvrtc: error: "));
  }
  CHECK_THAT(compile_text("", {"-foo"}).log, ContainsSubstring("unrecognized option -foo found"));
  CHECK_THAT(compile_text("", {""}).log, Equals("nvrtc: error: unrecognized option  found\n"));
  CHECK_THAT(compile_text("", {"-arch=sm_70"}).log,
             Equals("nvrtc: error: invalid value for --gpu-architecture (-arch)\n"));
  CHECK_THAT(compile_text("", {"--maxrregcount=abc"}).log,
             Equals("nvrtc: error: --maxrregcount (-maxrregcount) expects an integer value\n"));
  CHECK_THAT(compile_text("", {"-fmad=1"}).log, Equals("nvrtc: error: --fmad (-fmad) expects true or false\n"));
}

TEST_CASE("headers are given by name, and what is not given is not there") {
  simulator::compile_request request;
  request.source =
      "#include \"lib/one.h\"\n#include <two.h>\nextern \"C\" __global__ void k(int* p) { *p = ONE + TWO; }";
  request.headers = {{"lib/one.h", "#define ONE 1\n"}, {"two.h", "#include \"lib/one.h\"\n#define TWO (ONE + 1)\n"}};
  CHECK(simulator::compile(request).status == compile_status::success);
  request.headers.pop_back();
  const auto missing = simulator::compile(request);
  CHECK(missing.status == compile_status::compile_error);
  CHECK_THAT(missing.log, ContainsSubstring("default_program(2)") && ContainsSubstring("two.h"));
  request.headers = {{"../outside.h", ""}};
  CHECK_THAT(simulator::compile(request).log, ContainsSubstring("leaves its folder"));
  CHECK(compile_text("#include <vector>\n").status == compile_status::compile_error);
  CHECK(compile_text("#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n").status == compile_status::success);
}

TEST_CASE("a program may have a std::source_location of its own") {
  const loaded_source source(R"(
namespace std { struct source_location { static int current() { return 3; } }; }
extern "C" __global__ void k(int* out) { __syncthreads(); *out = std::source_location::current(); }
)");
  int out = 0;
  REQUIRE_THAT(source.run("k", shape_of(1, 1), &out).text, Equals(""));
  CHECK(out == 3);
}

TEST_CASE("the macros of CUDA's compiler are defined") {
  const loaded_source source(R"(
extern "C" __global__ void k(int* out) {
  out[0] = __CUDA_ARCH__; out[1] = __CUDACC__; out[2] = __CUDACC_RTC__; out[3] = __CUDACC_VER_MAJOR__ * 10 + __CUDACC_VER_MINOR__; out[4] = __LINE__;
  out[5] = __YOKE_SIMULATOR__; out[6] = __cplusplus / 100;
})");
  int out[7] = {};
  REQUIRE_THAT(source.run("k", shape_of(1, 1), &out[0]).text, Equals(""));
  CHECK(std::vector<int>(out, out + 7) == std::vector<int>{900, 1, 1, 130, 3, 1, 2017});
}

TEST_CASE("the macros of the host compiler are not") {
  const loaded_source source(R"(
extern "C" __global__ void k(int* out) {
#if defined __GNUC__ || defined __clang__ || defined __linux__ || defined linux || defined __unix__ || defined _GNU_SOURCE
  *out += 1;
#endif
#if defined __x86_64__ || defined __aarch64__ || defined __SIZEOF_INT128__ || defined __INT_MAX__ || defined __FLT_MAX__
  *out += 2;
#endif
#if !defined __cplusplus || !defined __STDC_HOSTED__ || !defined __LP64__ || !defined __cpp_constexpr
  *out += 4;
#endif
  assert(*out == 0);
  __syncthreads();
}
#include <cuda_fp16.h>
#include <cooperative_groups/reduce.h>
)",
                             {"-std=c++20"});
  int out = 0;
  REQUIRE_THAT(source.run("k", shape_of(1, 1), &out).text, Equals(""));
  CHECK(out == 0);
}

TEST_CASE("parameters lie where the compiler puts them") {
  const loaded_source source(R"(
struct mixed { int a; double b; };
struct small { char c[3]; };
struct alignas(16) wide { float f[4]; };
extern "C" __global__ void scalars(char a, short b, int c, long long d, float* e, bool f) {}
extern "C" __global__ void vectors(int a, double2 b, mixed c, const __grid_constant__ float4 d) {}
extern "C" __global__ void odd(small a, small b, float3 c, char d, wide e, char4 f, unsigned short g) {}
extern "C" __global__ void none() {}
extern "C" __global__ void sums(double* out, char a, double2 b, mixed c, wide d, small e) {
  *out = a + b.x + b.y + c.a + c.b + d.f[3] + e.c[2];
}
)");
  struct layout {
    const char* name;
    std::vector<std::pair<unsigned long, unsigned long>> parameters;  // offset, size
  };
  const layout layouts[] = {
      {"scalars", {{0, 1}, {2, 2}, {4, 4}, {8, 8}, {16, 8}, {24, 1}}},
      {"vectors", {{0, 4}, {16, 16}, {32, 16}, {48, 16}}},
      {"odd", {{0, 3}, {3, 3}, {8, 12}, {20, 1}, {32, 16}, {48, 4}, {52, 2}}},
      {"none", {}},
  };
  for (const layout& each : layouts) {
    const simulator::kernel& kernel = source.kernel(each.name);
    INFO(each.name);
    REQUIRE(kernel.parameter_count() == each.parameters.size());
    for (std::size_t index = 0; index < each.parameters.size(); ++index) {
      CHECK(kernel.parameter(index).offset == each.parameters[index].first);
      CHECK(kernel.parameter(index).size == each.parameters[index].second);
    }
  }
  struct mixed {
    int a;
    double b;
  };
  struct alignas(16) wide {
    float f[4];
  };
  struct alignas(16) pair {
    double x, y;
  };
  struct small {
    char c[3];
  };
  double out = 0;
  REQUIRE_THAT(
      source.run("sums", shape_of(1, 1), &out, char(1), pair{2, 3}, mixed{4, 5}, wide{{0, 0, 0, 6}}, small{{0, 0, 7}})
          .text,
      Equals(""));
  CHECK(out == 28);
}

TEST_CASE("kernels have the names that the Itanium ABI gives them") {
  const loaded_source source(R"(
namespace a { namespace b {
struct point { float x, y; };
constexpr int most = 128;
__global__ void __launch_bounds__(most) move(point* p, point by) { p->x += by.x; }
__global__ void move(point* p, int n) { p->x += n; }
} }
namespace a::b::c { extern "C" __global__ void plain(int*) {} }
template <class T, int N> __global__ __launch_bounds__(256, 2) void scale(T* x) { x[threadIdx.x] *= N; }
template __global__ void scale<double, 3>(double*);
#define KERNEL extern "C" __global__ void
KERNEL by_macro(float* x);
KERNEL by_macro(float* x) { x[0] = 1; }
__global__ void defaulted(int* x, int n = 4) { *x = n; }
static __global__ void own(int* x) { *x = 1; }
namespace { __global__ void nameless(int* x) { *x = 2; } }
inline namespace v1 { __global__ void versioned() {} }
__device__ const char* text = "__global__ void not_a_kernel() {";
struct not_these { void operator()() {} };
// __global__ void nor_this() {}
)",
                             {}, {"scale<float, 2>", "(void (*)(a::b::point*, int))a::b::move", "&text"});
  std::vector<std::string> names;
  for (const simulator::kernel& each : source.loaded->kernels()) names.push_back(each.name);
  CHECK_THAT(names, UnorderedEquals<std::string>({"_ZN1a1b4moveEPNS0_5pointES1_", "_ZN1a1b4moveEPNS0_5pointEi", "plain",
                                                  "_Z5scaleIdLi3EEvPT_", "by_macro", "_Z9defaultedPii", "_ZL3ownPi",
                                                  "_ZN12_GLOBAL__N_18namelessEPi", "_ZN2v19versionedEv",
                                                  "_Z5scaleIfLi2EEvPT_"}));
  using name = std::pair<std::string, std::string>;
  CHECK(source.compiled.lowered_names ==
        std::vector<name>{{"scale<float, 2>", "_Z5scaleIfLi2EEvPT_"},
                          {"(void (*)(a::b::point*, int))a::b::move", "_ZN1a1b4moveEPNS0_5pointEi"},
                          {"&text", "text"}});
  CHECK(source.kernel("_ZN1a1b4moveEPNS0_5pointES1_").max_threads() == 128);
  CHECK(source.kernel("by_macro").max_threads() == 0);
  float x[2] = {3, 4};
  REQUIRE_THAT(source.run("_Z5scaleIfLi2EEvPT_", shape_of(1, 2), &x[0]).text, Equals(""));
  CHECK(x[1] == 8);
  int value = 0;
  REQUIRE_THAT(source.run("_ZL3ownPi", shape_of(1, 1), &value).text, Equals(""));
  CHECK(value == 1);
}

TEST_CASE("a name expression that names nothing is an error that quotes it") {
  const auto result = compile_text("template <class T> __global__ void f(T) {}", {}, {"f<float>", "g<int>"});
  CHECK(result.status == compile_status::compile_error);
  CHECK_THAT(result.log, ContainsSubstring("name expression g<int>"));
  const auto mismatch = compile_text("__global__ void f(float*) {}", {}, {"(void (*)(int*))f"});
  CHECK(mismatch.status == compile_status::compile_error);
}

TEST_CASE("kernels with shared memory compile for debugging") {
  for (const char* option : {"-G", "--device-debug"}) {
    const auto result = compile_text(R"(
__shared__ int of_file[4];
extern "C" __global__ void f(int* p) { extern __shared__ int d[]; d[0] = of_file[0] = 1; __syncthreads(); *p = d[0] + of_file[0]; }
)",
                                     {option});
    CHECK_THAT(result.log, Equals(""));
    CHECK(result.status == compile_status::success);
  }
}

TEST_CASE("launch bounds and static shared bytes are known for each kernel") {
  const loaded_source source(R"(
template <class T> __device__ T helper(T v) { __shared__ T cells[8]; cells[0] = v; __syncthreads(); return cells[threadIdx.x % 1]; }
extern "C" __global__ void __launch_bounds__(256, 2) first(int* p) { __shared__ int a[10]; a[threadIdx.x % 10] = 1; atomicAdd(a, 1); __syncthreads(); *p = a[3] + helper(1.0f); }
__global__ __launch_bounds__(32) void second(int* p) { __shared__ double a[10]; a[threadIdx.x % 10] = 1; __syncthreads(); *p = (int)a[3]; }
extern "C" __global__ void dynamic(int* p) { extern __shared__ int d[]; d[0] = 1; __syncthreads(); *p = d[0]; }
__shared__ int of_file[4];
__device__ __noinline__ float called(int* p) { of_file[threadIdx.x % 4] = *p; __syncthreads(); return helper((float)of_file[0]); }
extern "C" __global__ void third(int* p) { *p = (int)called(p); }
)");
  CHECK(source.kernel("first").max_threads() == 256);
  CHECK(source.kernel("first").min_blocks() == 2);
  CHECK(source.kernel("_Z6secondPi").max_threads() == 32);
  CHECK(source.kernel("first").static_shared_bytes == 40 + 32);
  CHECK(source.kernel("_Z6secondPi").static_shared_bytes == 80);
  CHECK(source.kernel("dynamic").static_shared_bytes == 0);
  CHECK(source.kernel("third").static_shared_bytes == 16 + 32);
}

TEST_CASE("all qualifier words are accepted where CUDA accepts them") {
  const loaded_source source(R"(
__device__ __forceinline__ int one() { return 1; }
inline __device__ __forceinline__ int two() { return 2; }
static __device__ __noinline__ int three() { return 3; }
__host__ __device__ constexpr int four() { return 4; }
struct __align__(16) aligned { float x; };
__managed__ int managed = 5;
extern "C" __global__ void __cluster_dims__(1, 1, 1) k(int* __restrict__ out) {
  auto lambda = [] __device__ (int x) { return x + 1; };
  volatile __shared__ int cell;
  cell = 7;
  __syncthreads();
  out[0] = one() + two() + three() + four() + managed + (int)sizeof(aligned) + lambda(6) + cell;
}
)");
  int out = 0;
  REQUIRE_THAT(source.run("k", shape_of(1, 1), &out).text, Equals(""));
  CHECK(out == 15 + 16 + 14);
}

TEST_CASE("without a compiler the message says what to do") {
  const std::string name = "without a compiler the message says what to do";
  if (!is_child(name)) {
    const child_result child = run_child(name, {{"YOKE_SIMULATOR_COMPILER", "/nowhere/c++"}});
    INFO(child.output);
    CHECK(child.status == 0);
    return;
  }
  const auto result = compile_text("");
  CHECK(result.status == compile_status::no_compiler);
  CHECK_THAT(result.log, ContainsSubstring("YOKE_SIMULATOR_COMPILER=/nowhere/c++"));
}
