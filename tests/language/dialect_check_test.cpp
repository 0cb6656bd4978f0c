// SPDX-License-Identifier: MIT
// Words that only one backend's language has, in a source in the dialect: told at their line on every backend.
#include <program/compiling.hpp>
#include <support/process/temporary_folder.hpp>
#include <support/sample.hpp>
#include <yoke/cache.hpp>
#include <yoke/cuda.hpp>

#include <fstream>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

/// Returns: the log of a compilation that is refused; "" of one that succeeds.
template <class Context>
std::string log_of(const Context& context, const std::string& source, const yoke::compile_options& options) {
  try {
    (void)yoke::compile(context, source, options);
  } catch (const yoke::compile_error& e) {
    return e.log();
  }
  return "";
}
/// A kernel with a line of its own, the second.
std::string with_line(const std::string& line) {
  return "YOKE_KERNEL f(YOKE_GLOBAL float* a, YOKE_GLOBAL float4* v, int n) {\n" + line + "\n}\n";
}

}  // namespace

YOKE_DEVICE_TEST_CASE("a word of one backend is told at its line, with the dialect's word", "[program][dialect]") {
  rig on(device);
  const auto [line, word, advice] = GENERATE(table<const char*, const char*, const char*>({
      {"barrier(CLK_LOCAL_MEM_FENCE);", "barrier", "write YOKE_BARRIER_LOCAL()"},
      {"a[0] = CLK_GLOBAL_MEM_FENCE;", "CLK_GLOBAL_MEM_FENCE", "write YOKE_BARRIER_LOCAL()"},
      {"__syncthreads();", "__syncthreads", "write YOKE_BARRIER_LOCAL()"},
      {"mem_fence(1);", "mem_fence", "write YOKE_FENCE_LOCAL()"},
      {"__threadfence_block();", "__threadfence_block", "write YOKE_FENCE_LOCAL()"},
      {"__local int t[4];", "__local", "write YOKE_LOCAL;"},
      {"__shared__ int t[4];", "__shared__", "write YOKE_LOCAL;"},
      {"__global float* b = a;", "__global", "write YOKE_GLOBAL"},
      {"global float* b = a;", "global", "write YOKE_GLOBAL"},
      {"YOKE_GLOBAL float* restrict b = a;", "restrict", "write YOKE_RESTRICT"},
      {"a[0] = threadIdx.x;", "threadIdx", "write get_local_id(d)"},
      {"a[0] = blockIdx.x;", "blockIdx", "write get_group_id(d)"},
      {"a[0] = blockDim.x + gridDim.x;", "gridDim", "write get_num_groups(d)"},
      {"v[0] = (float4)(1.0f, 2.0f, 3.0f, 4.0f);", "(float4)(..", "write make_float4(..)"},
      {"v[0].xy = v[0].zw;", ".xy", "the dialect has no swizzles"},
      {"float3 b; float8 c;", "float8", "the dialect has vectors of 2 and 4"},
      {"atomic_add(a, 1);", "atomic_add", "write yoke_atomic_add"},
      {"atomicAdd(a, 1);", "atomicAdd", "write yoke_atomic_add"},
      {"atomicCAS(a, 1, 2);", "atomicCAS", "write yoke_atomic_compare_exchange"},
      {"n = get_sub_group_size();", "get_sub_group_size", "write yoke_sub_group_size()"},
      {"n = __shfl_sync(1, n, 0);", "__shfl_sync", "write yoke_sub_group_size()"},
      {"n = work_group_reduce_add(n);", "work_group_reduce_add", "write yoke_work_group_reduce_add"},
      {"half h; ", "half", "write yoke_half"},
      {"a[0] = vload_half(0, a);", "vload_half", "write yoke_load_half"},
      {"a[0] = __int_as_float(n);", "__int_as_float", "write as_float"},
      {"a[0] = M_PI_F;", "M_PI_F", "write the number"},
      {"a[0] = static_cast<float>(n);", "static_cast",
       "the dialect is also OpenCL C, which has no such word: write (type)"},
      {"auto b = a;", "auto", "the dialect is also OpenCL C, which has no such word: write the type"},
      {"a = nullptr;", "nullptr", "the dialect is also OpenCL C, which has no such word: write 0"},
      {"a[0] = __ldg(a + 1);", "__ldg", "read it directly"},
      {"a[0] = __ldcs(a + 1);", "__ldcs", "write yoke_load_once(i, p)"},
      {"__stcs(a + 1, 2.0f);", "__stcs", "write yoke_store_once(value, i, p)"},
      {"__nanosleep(100);", "__nanosleep", "write yoke_pause(nanoseconds)"},
      {"__syncwarp();", "__syncwarp", "write YOKE_BARRIER_WARP()"},
      {"dim3 b;", "dim3", "the dialect has no such type, write a number for each dimension"},
      {"n = 1'000;", "1'", "write the number without '"},
      {"float& b = a[0];", "float& b", "OpenCL C has no references"},
      {"a[0] = float(n);", "float(..", "write (float)(..): OpenCL C has no such cast"},
      {"v[0] = float4{1, 2, 3, 4};", "float4{..", "write make_float4(..): OpenCL C has no such cast"},
      {"_Bool b = n;", "_Bool", "write bool"},
      {"static int b = 3;", "static", "leave it out: OpenCL C has no static variables in functions"},
      {"if (n) { YOKE_LOCAL int t[4]; t[0] = n; }", "YOKE_LOCAL", "declare it at the top of a kernel"},
      {"if (n) { YOKE_CONSTANT int t = 4; n = t; }", "YOKE_CONSTANT", "declare it outside of functions"},
      {"YOKE_LOCAL int t[4]; YOKE_LOCAL int* p = t;", "YOKE_LOCAL int*", "write YOKE_LOCAL_POINTER for a pointer"},
      {"n = n ?: 3;", "?:", "write the value between ? and : too"},
      {"n = ({ 3; });", "({", "write a function: CUDA C++ has no statements in expressions"},
      {"switch (n) { case 1 ... 4: n = 2; }", "...", "write each case"},
      {"int b[2] = {[1] = 4};", "[1", "write the values in order"},
      {"struct { int a, b; } c = {.a = 1, .b = 2};", ".b", "write the values in order"},
      {"typedef struct { int a; } pair; pair c; c = (pair){1};", "(pair){", "write a variable of that type"},
      {"n = __builtin_popcount(n);", "__builtin_popcount", "write popcount"},
      {"n = (int)__builtin_offsetof(pair, lo);", "__builtin_offsetof", "write YOKE_CHECK_OFFSET"},
      {"typeof(n) b = 3;", "typeof", "write the type"},
      {"_Static_assert(1, \"\");", "_Static_assert", "write YOKE_CHECK_SIZE"},
      {"a[0] = isnormal(a[0]);", "isnormal", "the dialect has no such function"},
      {"a[0] = tanpi(a[1]);", "tanpi", "the dialect has no such function"},
      {"a[0] = distance(a[0], a[1]);", "distance", "the dialect has no such function"},
      {"__trap();", "__trap", "write YOKE_TRAP()"},
  }));
  CHECK_THAT(log_of(on.context, with_line(line), {.name = "mine"}),
             ContainsSubstring(std::string("mine:2: error: ") + word + ": " + advice));
}

YOKE_DEVICE_TEST_CASE("qualifiers of one backend are told, and all the words of a source at once",
                      "[program][dialect]") {
  rig on(device);
  const std::string log = log_of(on.context,
                                 "__kernel void f(YOKE_GLOBAL int* a) {}\n__constant int b[] = {1};\n"
                                 "__global__ void g(YOKE_GLOBAL int* a) {}\n#define PLACE threadIdx\n"
                                 "__device__ int h(void) { return b[0]; }\ntemplate <class T> T i(T a) { return a; }",
                                 {.name = "mine"});
  for (const char* each :
       {"mine:1: error: __kernel: write YOKE_KERNEL\n", "mine:2: error: __constant: write YOKE_CONST",
        "mine:3: error: __global__: write YOKE_KERNEL\n", "mine:4: error: threadIdx: write get_local_",
        "mine:5: error: __device__: leave it out",
        "mine:6: error: template: the dialect is also OpenCL C, which has no such word"}) {
    CHECK_THAT(log, ContainsSubstring(each));
  }
}

YOKE_DEVICE_TEST_CASE("local memory that is used before it is bound is told", "[program][dialect]") {
  rig on(device);
  const auto log = [&](const std::string& body) {
    return log_of(on.context, "YOKE_KERNEL f(YOKE_GLOBAL int* a, YOKE_LOCAL_ARG(int, t), int n) {\n" + body + "\n}",
                  {.name = "mine"});
  };
  CHECK_THAT(log("  t[0] = 1; a[0] = t[0];"),
             ContainsSubstring("mine:2: error: t: write YOKE_LOCAL_BIND(int, t) at the top of the kernel"));
  CHECK_THAT(log("  a[0] = 1;\n  t[0] = 1;\n  YOKE_LOCAL_BIND(int, t)"), ContainsSubstring("mine:3: error: t: write"));
  CHECK(log("  YOKE_LOCAL_BIND(int, t)\n  t[0] = 1; a[0] = t[0];") == "");
  CHECK(log("  a[0] = n;") == "");  // not used, not bound
}

YOKE_DEVICE_TEST_CASE("local memory that is bound as another type is told", "[program][dialect]") {
  rig on(device);
  const auto log = [&](const std::string& argument, const std::string& bind) {
    return log_of(on.context,
                  "#define REAL float\nYOKE_KERNEL f(YOKE_GLOBAL float* a, YOKE_LOCAL_ARG(" + argument + ", t)) {\n" +
                      "YOKE_LOCAL_BIND(" + bind + ", t)\nt[0] = 1.5f; a[0] = t[0]; }",
                  {.name = "mine"});
  };
  CHECK(log("float", "int") ==
        "mine:3: error: YOKE_LOCAL_BIND(int,t): write YOKE_LOCAL_BIND(float, t): the parameter is "
        "YOKE_LOCAL_ARG(float, t)\n");
  CHECK_THAT(log("unsigned int", "int"), ContainsSubstring("mine:3: error: YOKE_LOCAL_BIND(int,t): write"));
  CHECK_THAT(log("REAL", "float"), ContainsSubstring("write YOKE_LOCAL_BIND(REAL, t)"));
  turns turn(device);
  if (turn()) CHECK(log("float", "float") == "");
  if (turn()) CHECK(log("REAL", "REAL") == "");
  if (turn()) CHECK(log("unsigned int", "uint") == "");
  if (turn()) CHECK(log("yoke_float32", "float") == "");
}

YOKE_DEVICE_TEST_CASE("a kernel named like a function of OpenCL C is told", "[program][dialect]") {
  rig on(device);
  const auto log = [&](const std::string& head) {
    return log_of(on.context, "\n" + head + "(YOKE_GLOBAL float* a) { a[0] = 1; }", {.name = "mine"});
  };
  turns turn(device);  // those that compile
  for (const char* const name : {"step", "mix", "min", "dot", "select", "sign", "abs", "distance", "clamp"}) {
    CHECK(log(std::string("YOKE_KERNEL ") + name) ==
          std::string("mine:2: error: ") + name + ": rename the kernel: " + name + " is a function of OpenCL C\n");
    CHECK_THAT(log(std::string("YOKE_KERNEL YOKE_WORK_GROUP_SIZE(4, 1, 1) ") + name),
               ContainsSubstring("rename the kernel"));
    if (!turn()) continue;
    CHECK(log(std::string("#define ") + name + " other\nYOKE_KERNEL " + name) == "");
    CHECK(log(std::string("YOKE_KERNEL my_") + name) == "");
  }
}

YOKE_DEVICE_TEST_CASE("parameters of a kernel that only CUDA takes are told", "[program][dialect]") {
  rig on(device);
  const auto log = [&](const std::string& parameters) {
    return log_of(on.context,
                  "#define DEVICE YOKE_GLOBAL\ntypedef struct { float half_of; } pair;\nYOKE_KERNEL "
                  "YOKE_WORK_GROUP_SIZE(1, 1, 1) f(" +
                      parameters + ") { }",
                  {.name = "mine"});
  };
  CHECK(log("float* a, int n") ==
        "mine:3: error: float* a: write YOKE_GLOBAL float* a: a kernel's pointer names its memory\n");
  CHECK_THAT(log("int n, const pair* YOKE_RESTRICT p"),
             ContainsSubstring("write YOKE_GLOBAL const pair* YOKE_RESTRICT p"));
  CHECK_THAT(log("YOKE_GLOBAL float* a, float b[]"), ContainsSubstring("write YOKE_GLOBAL float b[]"));
  CHECK(log("int& n") == "mine:3: error: int& n: OpenCL C has no references: pass a value, or a pointer\n");
  CHECK_THAT(log("YOKE_GLOBAL int* a, const pair& p"),
             ContainsSubstring("mine:3: error: const pair& p: OpenCL C has no"));
  CHECK_THAT(log("dim3 n"), ContainsSubstring("mine:3: error: dim3: "));
  CHECK(log("YOKE_GLOBAL int* a, bool n") == "mine:3: error: bool n: write int: OpenCL C's kernels take no bool\n");
  CHECK(log("const size_t n") ==
        "mine:3: error: const size_t n: write a number of a fixed width, as yoke_uint64: OpenCL C's kernels take no "
        "size_t\n");
  CHECK_THAT(log("ptrdiff_t n, YOKE_GLOBAL int* a"), ContainsSubstring("error: ptrdiff_t n: write a number"));
  CHECK_THAT(log("YOKE_LOCAL int* a"), ContainsSubstring("YOKE_LOCAL int*: write YOKE_LOCAL_POINTER for a pointer"));
  CHECK(log("DEVICE float* a, YOKE_CONSTANT_POINTER const pair* b, YOKE_LOCAL_ARG(float, t), int n, pair p") == "");
}

YOKE_DEVICE_TEST_CASE("what one language takes only elsewhere is told", "[program][dialect]") {
  rig on(device);
  const auto log = [&](const std::string& text) {
    return log_of(on.context, text + "\nYOKE_KERNEL f(YOKE_GLOBAL int* a) { a[0] = 1; }\n", {.name = "mine"});
  };
  const auto [text, told] = GENERATE(table<const char*, const char*>({
      {"int counter = 0;", "mine:1: error: int counter: write YOKE_CONSTANT for a constant"},
      {"\nconst unsigned int four = 4, five = 5;", "mine:2: error: const unsigned int four: write YOKE_CONSTANT"},
      {"static float weights[3] = {1, 2, 3};", "mine:1: error: static float weights: write YOKE_CONSTANT"},
      {"int h(int a) { return a; }\nfloat4 origin;", "mine:2: error: float4 origin: write YOKE_CONSTANT"},
      {"int h(int a) { return a; }\nfloat h(float a) { return a; }", "mine:2: error: h: give it a name of its own"},
      {"int h(int a, int b = 2) { return a + b; }", "mine:1: error: b =: pass each argument"},
      {"int h(YOKE_LOCAL int* p) { return p[0]; }", "mine:1: error: YOKE_LOCAL int*: write YOKE_LOCAL_POINTER"},
      {"int h(YOKE_CONSTANT int* p) { return *p; }", "mine:1: error: YOKE_CONSTANT int*: write YOKE_CONSTANT_POINTER"},
      {"int h(int a) { YOKE_LOCAL int t[4]; t[0] = a; return t[0]; }",
       "mine:1: error: YOKE_LOCAL: declare it at the top"},
      {"YOKE_KERNEL g(YOKE_GLOBAL int* a) { a[0] = 1; }\nvoid h(YOKE_GLOBAL int* a) { g(a); }",
       "mine:2: error: g: put its body into a function"},
      {"struct cell { int a; };\nint h(cell c) { return c.a; }", "mine:2: error: cell: OpenCL C wants its struct"},
      {"enum colour { red, green };\nint h(int a) { colour c = red; return c; }",
       "mine:2: error: colour: OpenCL C wants its struct, union or enum"},
  }));
  CHECK_THAT(log(text), ContainsSubstring(told));
}

YOKE_DEVICE_TEST_CASE("declarations that both languages take are not told", "[program][dialect]") {
  rig on(device);
  const auto module = yoke::compile(on.context, R"(
YOKE_CONSTANT int weights[2] = {1, 2};
struct cell { int a; };
typedef struct pair { int a, b; } pair;
struct other { int a; };
typedef struct other other;
enum colour { red, green };
typedef int number;
static int one(void);
static int one(void) { return 1; }
#ifdef CHOSEN
int two(int a) { return a; }
#else
int two(int a) { return a + 1; }
#endif
number cell_of(struct cell c, pair p, other* o) {
  struct cell d = c;
  struct cell cell = d;
  int red_one = (int)(float)red;
  return c.a + p.b + o->a + cell.a + red_one;
}
#define KERNEL YOKE_KERNEL
#define WHOLE int
WHOLE three(void) { return 3; }
int four(void) { return three() + 1; }
#define FIRST(a, b) (a)
typedef struct __attribute__((aligned(8))) { int a, b; } even;
typedef struct __attribute__((aligned(16))) { int a, b, c, d; } wide;
#define ONE_MORE(name, change) int name(int a) { change; return a; }
ONE_MORE(five, a = a + 5)
#define BODY_OF(name) int name(int a)
BODY_OF(six) { return a + 6; }
BODY_OF(seven) { return five(six(a)); }
KERNEL f(YOKE_GLOBAL int* a, YOKE_GLOBAL size_t* sizes) {
  if (a) { a[0] += FIRST(0, 1); }
  int list[2] = {a[0], a[0] = 0};
  a[0] = list[0] > 0 ? 0 : a[0];
  YOKE_LOCAL int t[4];
  YOKE_LOCAL_POINTER int* p = t;
  struct cell c = {3};
  pair q = {0, 4};
  other o = {5};
  bool yes = a[0] == 0;
  size_t n = sizes[0];
  p[0] = weights[1];
  a[0] = cell_of(c, q, &o) + t[0] + one() + two((int)n) + (yes ? 100 : 0);
}
)");
  std::vector<int> out(1);
  std::vector<std::uint64_t> sizes{6};
  yoke::get_kernel<void(int*, std::uint64_t*)>(module, "f")(on.stream, {.grid = 1}, yoke::in_out(out),
                                                            yoke::in_out(sizes));
  CHECK(out[0] == 3 + 4 + 5 + 3 + 2 + 1 + 7 + 100);
}

YOKE_DEVICE_TEST_CASE("macros of headers in folders may hide what a declaration is", "[program][dialect]") {
  rig on(device);
  const temporary_folder folder;
  std::ofstream(folder.path() / "heads.h") << "#define KERNEL YOKE_KERNEL\n#define HEAD(name) int name(int a)\n"
                                              "#define CHANGE(name, change) HEAD(name) { change; return a; }\n";
  CHECK(log_of(on.context, R"(
#include "heads.h"
HEAD(one) { return a + 1; }
HEAD(two) { return a + 2; }
CHANGE(three, a = a + 3)
KERNEL f(YOKE_GLOBAL int* a) {
  YOKE_LOCAL int t[1];
  t[0] = one(two(three(1)));
  a[0] = t[0];
}
)",
               {.include_folders = {folder.path().string()}}) == "");
}

YOKE_DEVICE_TEST_CASE("heads of functions that conditions choose say nothing of what stands below",
                      "[program][dialect]") {
  rig on(device);
  CHECK(log_of(on.context, R"(
#if YOKE_BACKEND_CUDA
extern "C" __global__ void f(int* a) {
#else
__kernel void f(__global int* a) {
#endif
  int b = 3;
  a[0] = b;
}
YOKE_KERNEL g(YOKE_GLOBAL int* a) {
  YOKE_LOCAL int t[4];
  t[0] = 1;
  a[0] = t[0];
}
)",
               {}) == "");
}

YOKE_DEVICE_TEST_CASE("comments, literals, a source's own words and a backend's own branches say nothing",
                      "[program][dialect]") {
  rig on(device);
  const auto module = yoke::compile(on.context, R"(
// barrier(CLK_LOCAL_MEM_FENCE), __kernel and threadIdx.x
/* __shared__ float4 v = (float4)(0.0f); */
#ifndef GUARD  // __syncthreads()
#define GUARD
#if YOKE_BACKEND_CUDA
#define MEET() __syncthreads()
#elif YOKE_BACKEND_OPENCL
#define MEET() barrier(CLK_LOCAL_MEM_FENCE)
#endif
#define gridDim 4
#if 0
__kernel void f(__global int* threadIdx);
#endif
typedef struct { int lo, xy; } pair;
int atomic_inc_by(int a) { return a + 1; }
YOKE_KERNEL f(YOKE_GLOBAL int* a, YOKE_GLOBAL pair* p) {
  int blockIdx = 3;
  MEET();
#ifdef __OPENCL_VERSION__
  barrier(CLK_GLOBAL_MEM_FENCE);
#else
  __syncthreads();
#endif
  p[0].lo = p[0].xy = 1;
  a[0] = atomic_inc_by(blockIdx) + gridDim + M_PI + p[0].lo;
  if (a[1] == 77) yoke_printf("__kernel barrier(1) %d", a[1]);
}
#endif
)",
                                    {.options = {"-DOPTION=1"}, .defines = {{"M_PI", 3}}});
  std::vector<int> out(2);
  std::vector<std::int64_t> pairs(1);
  struct pair {
    int lo, xy;
  };
  std::vector<pair> members(1);
  yoke::get_kernel<void(int*, pair*)>(module, "f")(on.stream, {.grid = 1}, yoke::in_out(out), yoke::in_out(members));
  CHECK(out[0] == 4 + 4 + 3 + 1);
}

YOKE_DEVICE_TEST_CASE("a source that says it is not portable is compiled as it is, by a cache too",
                      "[program][dialect][cache]") {
  rig on(device);
  const bool opencl = std::string_view(Backend::name) == "opencl";
  const std::string source = std::string("YOKE_KERNEL f(YOKE_GLOBAL int* a) { ") +
                             (opencl ? "barrier(CLK_LOCAL_MEM_FENCE);" : "__syncthreads();") + " a[0] = 7; }";
  const temporary_folder folder;
  const yoke::program_cache cache{{.folder = folder.path().string()}, {}};
  const auto module = yoke::compile(on.context, source, {.cache = &cache, .portable = false});
  std::vector<int> out(1);
  yoke::get_kernel<void(int*)>(module, "f")(on.stream, {.grid = 1}, yoke::out(out));
  CHECK(out[0] == 7);
  // What the cache holds is not taken by a source that is to be portable.
  CHECK_THAT(log_of(on.context, source, {.cache = &cache}), ContainsSubstring("write YOKE_BARRIER_LOCAL()"));
  CHECK_THAT(log_of(on.context, source, {.language = yoke::source_language::portable, .cache = &cache}),
             ContainsSubstring("write YOKE_BARRIER_LOCAL()"));
  CHECK_NOTHROW(yoke::compile(on.context, source, {.cache = &cache, .portable = false}));
  CHECK(cache.counters().compiled == 1);
}

YOKE_DEVICE_TEST_CASE("headers that are texts are checked, at their own lines", "[program][dialect]") {
  rig on(device);
  CHECK_THAT(log_of(on.context, "#include \"inner.h\"\nYOKE_KERNEL f(YOKE_GLOBAL int* a) { a[0] = threadIdx.x; }",
                    {.name = "mine", .headers = {{"inner.h", "#pragma once\n\n__device__ int g(void);\n"}}}),
             ContainsSubstring("inner.h:3: error: __device__: leave it out") &&
                 ContainsSubstring("mine:2: error: threadIdx: write get_local_id(d)"));
}

YOKE_DEVICE_TEST_CASE("words of the dialect in comments and literals change no language", "[program][dialect]") {
  rig on(device);
  const std::string kernel = std::string_view(Backend::name) == "opencl" ? "kernel void f(global int* a)"
                                                                         : "extern \"C\" __global__ void f(int* a)";
  CHECK_NOTHROW(yoke::compile(on.context, "// YOKE_KERNEL yoke_printf\n/* YOKE_GLOBAL */" + kernel +
                                              " { if (a[0] == 77) printf(\"YOKE_KERNEL\"); a[0] = 1; }"));
}

YOKE_CUDA_TEST_CASE("a failure of OpenCL C on CUDA names the language to ask for", "[program][dialect]") {
  const cu::context context{device};
  const auto message = [&](const std::string& source) -> std::string {
    try {
      (void)cu::compile(context, source, {.name = "mine.cl"});
    } catch (const yoke::compile_error& e) {
      return e.what();
    }
    return "";
  };
  const char* const hint = ".language = yoke::source_language::opencl_c";
  CHECK_THAT(message("// a kernel\n__kernel void f(__global int* a) { a[get_global_id(0)] = 1; }"),
             ContainsSubstring("mine.cl:2 says __kernel, a word of OpenCL C") && ContainsSubstring(hint));
  CHECK_THAT(message("kernel void f(global int* a) { a[0] = 1; }"), ContainsSubstring(hint));
  CHECK_THAT(message("__global__ void f(int* a) { a[0] = get_global_id(0); }"), !ContainsSubstring(hint));
}
