// SPDX-License-Identifier: MIT
// A kernel is in the image however it is declared, or the compilation says that it is missing.
#include <cuda_simulator/simulator.hpp>
#include <engine/compile/host_compiler.hpp>

using namespace yoke_test;
using simulator::compile_status;

namespace {

std::vector<std::string> kernels_of(const std::string& source, std::vector<std::string> names = {}) {
  const loaded_source made(source, {}, std::move(names));
  std::vector<std::string> found;
  for (const simulator::kernel& each : made.loaded->kernels()) found.push_back(each.name);
  return found;
}

std::string refusal_of(const std::string& source) {
  const auto result = compile_text(source);
  CHECK(result.status == compile_status::compile_error);
  CHECK(result.image.empty());
  return result.log.substr(0, result.log.find('\n'));
}

using list = std::vector<std::string>;

}  // namespace

TEST_CASE("a kernel may return void in any of its spellings") {
  CHECK(kernels_of("typedef void nothing; __global__ nothing f(int*) {}") == list{"_Z1fPi"});
  CHECK(kernels_of("__global__ auto f(int*) -> void {}") == list{"_Z1fPi"});
  CHECK(kernels_of("auto __global__ f(int*) -> void {}") == list{"_Z1fPi"});
  CHECK(kernels_of("__global__ decltype(void(0)) f(int*) {}") == list{"_Z1fPi"});
  CHECK(kernels_of("template <class T> struct id { using type = T; }; __global__ id<void>::type f(int*) {}") ==
        list{"_Z1fPi"});
  CHECK(kernels_of("__global__ void (f)(int*) {}") == list{"_Z1fPi"});
  CHECK(kernels_of("[[maybe_unused]] __global__ void f(int*) {}") == list{"_Z1fPi"});
  CHECK(kernels_of("namespace [[gnu::unused]] n { __global__ void f(int*) {} }") == list{"_ZN1n1fEPi"});
  CHECK_THAT(refusal_of("__device__ int a;\n__global__ int f() { return 1; }"),
             ContainsSubstring("test.cu(2): error: ") &&
                 ContainsSubstring("a __global__ function must have a void return type"));
}

TEST_CASE("instances of templates are kernels, explicit and deduced ones, specialisations, beside overloads") {
  const std::string f = "template <class T> __global__ void f(T*) {}\n";
  CHECK(kernels_of(f + "template <> __global__ void f<int>(int*) {}") == list{"_Z1fIiEvPT_"});
  CHECK(kernels_of(f + "template <> __global__ void f(int*) {}") == list{"_Z1fIiEvPT_"});
  CHECK(kernels_of(f + "template __global__ void f(int*);") == list{"_Z1fIiEvPT_"});
  CHECK(kernels_of(f + "template __global__ void f<int>(int*); __global__ void f(int, int) {}") ==
        list{"_Z1fIiEvPT_", "_Z1fii"});
  CHECK(kernels_of(f + "template <class T> __global__ void f(T*, int) {} template __global__ void f<int>(int*);"
                       "template __global__ void f<int>(int*, int);") == list{"_Z1fIiEvPT_", "_Z1fIiEvPT_i"});
  CHECK(kernels_of(
            "template <class T, int N> __global__ void f(T*) {} template __global__ void f<int, (3 > 2)>(int*);") ==
        list{"_Z1fIiLi1EEvPT_"});
  CHECK(kernels_of(f + "extern template __global__ void f<int>(int*);").empty());
  CHECK(kernels_of(f + "template <> __global__ void f<int>(int*);").empty());
}

TEST_CASE("CUDA's words in their form of an attribute, which the host compiler ignores, are refused") {
  for (const std::string word : {"global", "device", "shared", "constant", "managed"}) {
    INFO(word);
    CHECK_THAT(refusal_of("\n__attribute__((" + word + ")) void f(int*) {}"),
               ContainsSubstring("test.cu(2): error: '__attribute__((" + word + "))' is not understood") &&
                   ContainsSubstring("write '__" + word + "__'"));
  }
  CHECK_THAT(refusal_of("#define KERNEL __attribute__((noinline, global))\nKERNEL void f(int*) {}"),
             ContainsSubstring("write '__global__'"));
  CHECK(kernels_of("__attribute__((tls_model(\"global-dynamic\"))) extern __thread int a;\n"
                   "int global = 0; __global__ void f(int* global) {}") == list{"_Z1fPi"});
}

TEST_CASE("a kernel is told from functions of its name, and from what its namespace hides") {
  CHECK(kernels_of("__device__ void f(int) {} __global__ void f(int*) {}") == list{"_Z1fPi"});
  CHECK(kernels_of("struct p { int a, b; }; template <class, class> struct q {}; __device__ void f(int) {}\n"
                   "__global__ void f(int*, p = p{1, 2}, q<int, int> = q<int, int>(), int c = (3, 4)) {}") ==
        list{"_Z1fPi1p1qIiiEi"});
  CHECK(kernels_of("namespace n { struct b; __global__ void f(b*); __global__ void f(int); }\n"
                   "__global__ void n::f(b*) {} __global__ void n::f(int) {}") == list{"_ZN1n1fEPNS_1bE", "_ZN1n1fEi"});
  CHECK(kernels_of("namespace n { struct b; template <class T> __global__ void f(T*) {} }\n"
                   "template __global__ void n::f(b*);") == list{"_ZN1n1fINS_1bEEEvPT_"});
  CHECK(kernels_of("__device__ int table[1'000]; __global__ void f(int) {}") == list{"_Z1fi"});
  CHECK(kernels_of("__global__ void f(int a = [](int x) { return x; }(3)) {} __global__ void g() {}") ==
        list{"_Z1fi", "_Z1gv"});
}

TEST_CASE("parameters that cannot be copied are handed over as their bytes") {
  const loaded_source source(R"(
struct fixed { int a, b; fixed() = default; fixed(const fixed&) = delete; };
struct movable { int a; movable() = default; movable(const movable&) = delete; movable(movable&&) = default; };
extern "C" __global__ void k(int* out, fixed x, char c, movable y) { x.a += threadIdx.x; atomicAdd(out, x.a * x.b + c + y.a); }
)");
  struct pair {
    int a, b;
  };
  int out = 0;
  REQUIRE_THAT(source.run("k", shape_of(1, 3), &out, pair{10, 2}, char(1), 100).text, Equals(""));
  CHECK(out == (10 + 11 + 12) * 2 + 3 + 300);
}

TEST_CASE("a kernel that cannot be there is an error that names it") {
  CHECK_THAT(refusal_of("struct s {\n  int a;\n  static __global__ void f(int*) {}\n};"),
             Equals("test.cu(3): error: a __global__ function or function template cannot be a member function: 'f'"));
  CHECK_THAT(refusal_of("struct s { template <class T> __global__ void f(T*); };"),
             ContainsSubstring("cannot be a member function: 'f'"));
  CHECK_THAT(refusal_of("\nstruct s { friend __global__ void f(int*) {} };"),
             Equals("test.cu(2): error: the kernel 'f' is not understood by the simulator"));
  CHECK(kernels_of("struct s { friend __global__ void f(int*); }; __global__ void f(int*) {}\n"
                   "__device__ void g() { __global__ void f(int*); }") == list{"_Z1fPi"});
  // An error of the user's goes before it.
  CHECK_THAT(refusal_of("struct s { static __global__ void f(int*) {} };\nint x = nothing;"),
             ContainsSubstring("test.cu(2): error: ") && ContainsSubstring("nothing"));
}

TEST_CASE("a kernel that is only instantiated by its use is an error that names it") {
  const std::string text = "template <class T> __global__ void f(T*) {} __device__ void (*p)(int*) = f<int>;";
  CHECK(kernels_of(text, {"f<int>"}) == list{"_Z1fIiEvPT_"});
  if (simulator::host_compiler::find().plain_messages == "-fno-caret-diagnostics")
    return;  // Clang does not mark kernels
  CHECK_THAT(refusal_of(text), ContainsSubstring("test.cu: error: the kernel 'void f<int>(int*)' is not understood"));
}
