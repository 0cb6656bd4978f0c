// SPDX-License-Identifier: MIT
// The oracles of signatures, strongest first: each by itself takes the right one and refuses each kind of wrong one.
#include <cuda/cuda_rig.hpp>

#include <yoke/core/sha256.hpp>

#include <algorithm>
#include <complex>

using namespace yoke_test;
using yoke::signature_check;
using yoke::typed;

namespace {

struct pair {
  int a;
  double b;
};
struct spelled {
  int a;
  double b;
};

constexpr const char* source = R"(
struct pair { int a; double b; };
namespace shapes {
template <class T> __global__ void scale(T* a, const T* b, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] * by;
}
}
template __global__ void shapes::scale<float>(float*, const float*, float, int);
__global__ void both(float* a) { a[0] += 1; }
__global__ void both(int* a) { a[0] += 2; }
__global__ void with_pair(float* a, pair p) { a[0] = (float)(p.a + p.b); }
extern "C" __global__ void plain(float* a, const double* b, double c, int d) { a[0] = (float)(b[0] + c + d); }
extern "C" __global__ void none() {}
extern "C" __global__ void wide(float* a, long long b) { a[0] = (float)b; }
)";

using scale_signature = void(float*, const float*, float, int);
using plain_signature = void(float*, const double*, double, int);

template <class Signature>
std::string mismatch(const cu::module& module, const char* name) {
  return cuda_refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                         [&] { (void)module.get_kernel<Signature>(name); });
}
/// Effects: compiles with a kernel registered as something else. Returns: the error's words.
template <class Signature>
std::string refused_by_compiler(const cu::context& context, const char* name) {
  return cuda_refusal<yoke::logic_error>(yoke::errc::signature_mismatch, [&] {
    (void)cu::compile(context, source, {.kernels = {typed<Signature>(name)}});
  });
}

}  // namespace

template <>
inline constexpr const char* yoke::device_type_name<spelled> = "pair";

YOKE_CUDA_TEST_CASE("NVRTC itself compares the types of registered kernels", "[cuda]") {
  cuda_rig on(device, 12000);  // a driver that says nothing about kernels
  const auto module = cu::compile(
      on.context, source,
      {.kernels = {typed<plain_signature>("plain"), typed<scale_signature>("shapes::scale"),
                   typed<void(double*, const double*, double, int)>("shapes::scale"), typed<void(int*)>("both"),
                   typed<void(float*)>("both"), typed<void(float*, spelled)>("with_pair"), typed<void()>("none")}});
  const auto plain = module.get_kernel<plain_signature>("plain");
  CHECK(plain.checked() == signature_check::types);
  const auto scale = module.get_kernel<scale_signature>("shapes::scale");
  CHECK(scale.checked() == signature_check::types);
  const auto scale_double = module.get_kernel<void(double*, const double*, double, int)>("shapes::scale");
  CHECK(scale_double.checked() == signature_check::types);
  CHECK(scale_double.native_handle() != scale.native_handle());
  const auto both_int = module.get_kernel<void(int*)>("both");
  CHECK(both_int.checked() == signature_check::types);
  CHECK(module.get_kernel<void(float*)>("both").checked() == signature_check::types);
  // Of a type that says no more than what kernels call it the compiler has compared name and size.
  CHECK(module.get_kernel<void(float*, spelled)>("with_pair").checked() == signature_check::names);
  CHECK(module.get_kernel<void()>("none").checked() == signature_check::types);

  std::vector<int> number{5};
  both_int(on.stream, {.grid = 1}, yoke::in_out(number));
  CHECK(number[0] == 7);
  std::vector<double> from{1.5, 2.5}, to(2);
  scale_double(on.stream, {.grid = 1, .block = 2}, yoke::out(to), yoke::in(from), 2.0, 2);
  CHECK(to == std::vector<double>{3.0, 5.0});
  // A C name says nothing, but the compiler has said what the kernel is.
  CHECK_THAT((mismatch<void(float*, const float*, double, int)>(module, "plain")),
             ContainsSubstring("kernel plain is void(float*, const double*, double, int), asked for as "
                               "void(float*, const float*, double, int): parameter 2 is const double*"));
}

YOKE_CUDA_TEST_CASE("a registered kernel of another signature stops the compilation", "[cuda]") {
  cuda_rig on(device, 12000);
  const char* const truth = "kernel plain is void(float*, const double*, double, int), asked for as ";
  CHECK_THAT((refused_by_compiler<void(float*, const double*, double)>(on.context, "plain")),
             ContainsSubstring(truth) && ContainsSubstring("as void(float*, const double*, double):"));
  CHECK_THAT((refused_by_compiler<void(int*, const double*, double, int)>(on.context, "plain")),
             ContainsSubstring(truth));
  CHECK_THAT((refused_by_compiler<void(float*, double*, double, int)>(on.context, "plain")), ContainsSubstring(truth));
  CHECK_THAT((refused_by_compiler<void(float*, const double*, float, int)>(on.context, "plain")),
             ContainsSubstring(truth));
  CHECK_THAT((refused_by_compiler<void(float*, const double*, double, unsigned)>(on.context, "plain")),
             ContainsSubstring(truth));
  CHECK_THAT((refused_by_compiler<void(float*, const double*, int, double)>(on.context, "plain")),
             ContainsSubstring(truth));
  CHECK_THAT((refused_by_compiler<void(float*, long)>(on.context, "wide")),
             ContainsSubstring("kernel wide is void(float*, long long), asked for as void(float*, long)"));
  CHECK_THAT((refused_by_compiler<void(double*)>(on.context, "both")),
             ContainsSubstring("kernel both cannot be had as void(double*)"));
  CHECK_THAT((refused_by_compiler<void(double*)>(on.context, "nowhere")),
             ContainsSubstring("kernel nowhere cannot be had as void(double*)") && ContainsSubstring("nowhere"));
}

YOKE_CUDA_TEST_CASE("an error in the source is not mistaken for one in a registered kernel", "[cuda]") {
  const cu::context context{device};
  try {
    (void)cu::compile(context, "__global__ void f(int* a) {\n  a[0] = missing;\n}",
                      {.name = "mine.cu", .kernels = {typed<void(int*)>("f")}});
    FAIL("compiled");
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.log(), ContainsSubstring("mine.cu(2)") || ContainsSubstring("mine.cu:2"));
    CHECK_THAT(e.log(), ContainsSubstring("missing"));
  }
}

YOKE_CUDA_TEST_CASE("mangled names by themselves tell signatures apart", "[cuda]") {
  cuda_rig on(device, 12000);
  const auto module = cu::compile(on.context, source, {.name_expressions = {"shapes::scale<float>"}});
  const auto check = [&](const char* name) {
    CHECK(module.get_kernel<scale_signature>(name).checked() == signature_check::types);
    const char* const truth = "is void(float*, const float*, float, int), asked for as ";
    CHECK_THAT((mismatch<void(float*, const float*, float)>(module, name)), ContainsSubstring("4 parameters, not 3"));
    CHECK_THAT((mismatch<void(int*, const float*, float, int)>(module, name)),
               ContainsSubstring(truth) && ContainsSubstring("parameter 1 is float*, not int*"));
    CHECK_THAT((mismatch<void(float*, float*, float, int)>(module, name)),
               ContainsSubstring("parameter 2 is const float*, not float*"));
    CHECK_THAT((mismatch<void(float*, const float*, double, int)>(module, name)),
               ContainsSubstring("parameter 3 is float, not double"));
    CHECK_THAT((mismatch<void(float*, const float*, float, long)>(module, name)),
               ContainsSubstring("parameter 4 is int, not long"));
    CHECK_THAT((mismatch<void(float*, const float*, int, float)>(module, name)),
               ContainsSubstring("parameter 3 is float, not int"));
  };
  check("_ZN6shapes5scaleIfEEvPT_PKS1_S1_i");
  check("shapes::scale<float>");
  // A struct has no name that the library knows: no proof, but no mismatch.
  // Where the compiler gave PTX, too, that tells sizes.
  CHECK(module.get_kernel<void(float*, pair)>("_Z9with_pairPf4pair").checked() == signature_check::sizes);
  // A C name says nothing at all.
  const auto binary = cu::load_image(on.context, raw_image(module));
  CHECK(binary.get_kernel<void(int)>("plain").checked() == signature_check::nothing);
}

YOKE_CUDA_TEST_CASE("pointers to pointers are compared by their names, and spelled as C++ has them", "[cuda]") {
  const char* const pointers = R"(
__global__ void pp(const int* const* a) {}
__global__ void p2(int** a) {}
__global__ void p3(const float** a, int* const* b) {})";
  for (const int newest : {0, 12000}) {
    cuda_rig on(device, newest);
    const auto module = cu::compile(on.context, pointers);
    CHECK(module.get_kernel<void(const int* const*)>("pp").checked() == signature_check::types);
    CHECK(module.get_kernel<void(int**)>("p2").checked() == signature_check::types);
    CHECK(module.get_kernel<void(const float**, int* const*)>("p3").checked() == signature_check::types);
    CHECK_THAT((mismatch<void(int**)>(module, "pp")),
               ContainsSubstring("kernel pp is void(const int* const*), asked for as void(int**): parameter 1 is "
                                 "const int* const*, not int**"));
    CHECK_THAT((mismatch<void(int* const*)>(module, "pp")), ContainsSubstring("asked for as void(int* const*)"));
    CHECK_THAT((mismatch<void(const int**)>(module, "pp")), ContainsSubstring("asked for as void(const int**)"));
    CHECK_THAT((mismatch<void(float**)>(module, "p2")), ContainsSubstring("parameter 1 is int**, not float**"));
    CHECK_THAT((mismatch<void(int*)>(module, "p2")), ContainsSubstring("parameter 1 is int**, not int*"));
    CHECK_THAT(
        (mismatch<void(const float**, int**)>(module, "p3")),
        ContainsSubstring("kernel p3 is void(const float**, int* const*), asked for as void(const float**, int**)"));
  }
  cuda_rig on(device);
  const auto registered = cu::compile(on.context, pointers, {.kernels = {typed<void(const int* const*)>("pp")}});
  CHECK(registered.get_kernel<void(const int* const*)>("pp").checked() == signature_check::types);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(
                 yoke::errc::signature_mismatch,
                 [&] { (void)cu::compile(on.context, pointers, {.kernels = {typed<void(int**)>("pp")}}); }),
             ContainsSubstring("kernel pp is void(const int* const*), asked for as void(int**)"));
}

YOKE_CUDA_TEST_CASE("kernels are found by name where the driver lists none", "[cuda]") {
  cuda_rig on(device, 12000);
  const auto module = cu::compile(on.context, source);
  // Overloads go by their mangled names.
  const std::vector<std::string> names{"_Z4bothPf", "_Z4bothPi", "none", "plain", "shapes::scale<float>",
                                       "wide",      "with_pair"};
  const auto check = [&](const cu::module& of) {
    CHECK(of.kernel_names() == names);
    CHECK(of.get_kernel<scale_signature>("shapes::scale").checked() == signature_check::types);
    CHECK(of.get_kernel<void(int*)>("both").native_handle() == of.get_kernel<void(int*)>("_Z4bothPi").native_handle());
    CHECK_THAT((mismatch<void(double*)>(of, "both")), ContainsSubstring("no kernel \"both\" takes (double*)"));
    CHECK_THAT(
        cuda_refusal<yoke::logic_error>(yoke::errc::kernel_not_found, [&] { (void)of.get_kernel<void()>("plian"); }),
        ContainsSubstring("no kernel \"plian\" in this module, near to plain; it has: both(float*), both(int*), "));
  };
  check(module);
  CHECK(module.get_kernel<plain_signature>("plain").checked() == signature_check::sizes);
  const auto binary = cu::load_image(on.context, raw_image(module));
  check(binary);  // by the image alone
  const auto theirs = binary.get_kernel<void(int*)>("both").native_handle();
  CHECK(cu::kernel<void(int*)>::borrow(binary, theirs).checked() == signature_check::types);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(yoke::errc::wrong_context,
                                             [&] { (void)cu::kernel<void(int*)>::borrow(module, theirs); }),
             ContainsSubstring("is of another module"));
  // Nobody has told the library of an image that others have loaded.
  std::vector<std::byte> image = raw_image(module);
  cuda_abi::library native = nullptr;
  REQUIRE(on.driver.table()->library_load_data(&native, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == 0);
  const auto foreign = cu::module::adopt(on.context, native);
  CHECK(foreign.get_kernel<void(int*)>("_Z4bothPi").checked() == signature_check::types);
  CHECK_THAT(
      cuda_refusal<yoke::logic_error>(yoke::errc::kernel_not_found,
                                      [&] { (void)foreign.get_kernel<void(int*)>("both"); }),
      ContainsSubstring("no kernel \"both\" in this module; it has: some that cannot be listed: this driver (CUDA ") &&
          ContainsSubstring(") cannot list kernels, nor does the image; ask by the mangled name, or compile with "
                            "the kernel among .kernels or .name_expressions"));
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] { (void)foreign.kernel_names(); }),
             ContainsSubstring("cannot list kernels, nor does the image"));
}

YOKE_CUDA_TEST_CASE("a driver before 12.5 refuses kernels of another module, too", "[cuda]") {
  cuda_rig on(device, 12040);
  const auto module = cu::compile(on.context, source);
  const auto other = cu::compile(on.context, source);
  const auto theirs = other.get_kernel<plain_signature>("plain").native_handle();
  CHECK(cu::kernel<plain_signature>::borrow(other, theirs).checked() == signature_check::sizes);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(yoke::errc::wrong_context,
                                             [&] { (void)cu::kernel<plain_signature>::borrow(module, theirs); }),
             ContainsSubstring("is of another module"));
}

YOKE_CUDA_TEST_CASE("sizes and offsets by themselves tell C kernels apart", "[cuda]") {
  cuda_rig on(device);
  if (on.driver.table()->kernel_get_param_info == nullptr) YOKE_SKIP("this driver does not describe parameters");
  // From the image alone, so that neither the compiler nor PTX has anything to say.
  const auto module = cu::load_image(on.context, raw_image(cu::compile(on.context, source)));
  CHECK(module.get_kernel<plain_signature>("plain").checked() == signature_check::sizes);
  CHECK(module.get_kernel<void()>("none").checked() == signature_check::sizes);
  CHECK_THAT((mismatch<void(float*, const double*, double)>(module, "plain")),
             ContainsSubstring("kernel plain is a kernel of 4 parameters of 8, 8, 8, 4 bytes, asked for as") &&
                 ContainsSubstring("4 parameters, not 3"));
  CHECK_THAT((mismatch<void(float*, const double*, double, int, int)>(module, "plain")),
             ContainsSubstring("4 parameters, not 5"));
  CHECK_THAT((mismatch<void(float*, const double*, float, int)>(module, "plain")),
             ContainsSubstring("parameter 3 has 8 bytes, float has 4"));
  CHECK_THAT((mismatch<void(float*, const double*, double, long)>(module, "plain")),
             ContainsSubstring("parameter 4 has 4 bytes, long has 8"));
  CHECK_THAT((mismatch<void(float*, const double*, int, double)>(module, "plain")),
             ContainsSubstring("parameter 3 has 8 bytes, int has 4"));
  CHECK_THAT((mismatch<void(float*, yoke::local<double>, double, int)>(module, "plain")),
             ContainsSubstring("parameter 2 has 8 bytes, local<double> has 4"));
  CHECK_THAT((mismatch<void()>(module, "plain")), ContainsSubstring("4 parameters, not 0"));
  // What pointers point to, and float against int, sizes cannot tell.
  CHECK(module.get_kernel<void(int*, double*, long, float)>("plain").checked() == signature_check::sizes);
  struct alignas(16) aligned {
    long long value[2];
  };
  const auto structs = cu::load_image(on.context, raw_image(cu::compile(on.context, R"(
        struct pair { int a; double b; };
        extern "C" __global__ void takes(int a, pair p, int c) {})")));
  CHECK(structs.get_kernel<void(int, pair, int)>("takes").checked() == signature_check::sizes);
  CHECK_THAT(
      (mismatch<void(int, aligned, int)>(structs, "takes")),
      ContainsSubstring("parameter 2 lies at byte 8 of the arguments") && ContainsSubstring("alignment differs"));
}

YOKE_CUDA_TEST_CASE("C++ kernels with structs are compared by names and by sizes", "[cuda]") {
  cuda_rig on(device);
  const auto module = cu::compile(on.context, source);
  CHECK(module.get_kernel<void(float*, pair)>("with_pair").checked() == signature_check::sizes);
  struct longer {
    int a;
    double b, c;
  };
  CHECK_THAT(
      (mismatch<void(float*, longer)>(module, "with_pair")),
      ContainsSubstring("kernel with_pair is void(float*, pair)") && ContainsSubstring("parameter 2 has 16 bytes"));
  CHECK_THAT((mismatch<void(int*, pair)>(module, "with_pair")), ContainsSubstring("parameter 1 is float*, not int*"));
}

YOKE_CUDA_TEST_CASE("an overload is found by its signature, without being registered", "[cuda]") {
  cuda_rig on(device);
  const auto module = cu::compile(on.context, source);
  const auto integers = module.get_kernel<void(int*)>("both");
  CHECK(integers.checked() == signature_check::types);
  CHECK(integers.native_handle() != module.get_kernel<void(float*)>("both").native_handle());
  std::vector<int> number{5};
  integers(on.stream, {.grid = 1}, yoke::in_out(number));
  CHECK(number[0] == 7);
  CHECK_THAT((mismatch<void(double*)>(module, "both")),
             ContainsSubstring("no kernel \"both\" takes (double*); this module has:") &&
                 ContainsSubstring("both(float*)") && ContainsSubstring("both(int*)"));
  CHECK(module.get_kernel<scale_signature>("shapes::scale<float>").checked() == signature_check::types);
}

YOKE_CUDA_TEST_CASE("instances of templates come by name expressions", "[cuda]") {
  cuda_rig on(device, 12000);
  const char* const templates = R"(
    template <class T, int N> __global__ void add(T* a) { a[threadIdx.x] += N; })";
  const auto module =
      cu::compile(on.context, templates, {.name_expressions = {"add<float, 4>", "add<int, 7>", "add<int, 8>"}});
  const auto add = module.get_kernel<void(float*)>("add<float, 4>");
  CHECK(add.checked() == signature_check::types);
  std::vector<float> values{1.5F, 2.5F};
  add(on.stream, {.grid = 1, .block = 2}, yoke::in_out(values));
  CHECK(values == std::vector<float>{5.5F, 6.5F});
  std::vector<int> number{1};
  module.get_kernel<void(int*)>("add<int,8>")(on.stream, {.grid = 1}, yoke::in_out(number));
  CHECK(number[0] == 9);
  CHECK_THAT((mismatch<void(float*)>(module, "add<int, 7>")), ContainsSubstring("parameter 1 is int*, not float*"));
  try {
    (void)cu::compile(on.context, templates, {.name_expressions = {"add<float, 4>", "gone<int>"}});
    FAIL("compiled");
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("name expression \"gone<int>\" names nothing"));
    CHECK_THAT(e.log(), ContainsSubstring("gone"));
  }
}

namespace {

// A driver without any word about kernels that loads PTX: an image is all there is to ask.
constexpr std::string_view recorded_ptx = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry plain(
	.param .u64 plain_param_0,
	.param .u64 .ptr .global .align 4 plain_param_1,
	.param .f64 plain_param_2,
	.param .u32 plain_param_3
)
{ ret; }
)";
constexpr std::string_view types_ptx = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry types(
	.param .u64 .ptr .align 1 types_param_0,
	.param .align 8 .b8 types_param_1[16],
	.param .align 2 .b8 types_param_2[2],
	.param .align 16 .b8 types_param_3[16],
	.param .align 8 .b8 types_param_4[8]
)
{ ret; }
)";

int loaded_libraries = 0;

cuda_abi::functions ptx_driver(const cuda_abi::functions& real) {
  cuda_abi::functions table = real;
  table.kernel_get_param_info = nullptr;
  table.kernel_get_name = nullptr;
  table.kernel_get_library = nullptr;
  table.library_get_kernel_count = nullptr;
  table.library_enumerate_kernels = nullptr;
  table.library_load_data = [](cuda_abi::library* library, const void*, cuda_abi::jit_option*, void**, unsigned,
                               cuda_abi::library_option*, void**, unsigned) -> cuda_abi::status {
    *library = reinterpret_cast<cuda_abi::library>(&loaded_libraries);
    ++loaded_libraries;
    return 0;
  };
  table.library_unload = [](cuda_abi::library) -> cuda_abi::status {
    --loaded_libraries;
    return 0;
  };
  table.library_get_kernel = [](cuda_abi::kernel* kernel, cuda_abi::library, const char* name) -> cuda_abi::status {
    if (std::string_view(name) != "plain" && std::string_view(name) != "types") return 500;
    *kernel = reinterpret_cast<cuda_abi::kernel>(&loaded_libraries);
    return 0;
  };
  table.kernel_get_function = [](cuda_abi::function* function, cuda_abi::kernel kernel) -> cuda_abi::status {
    *function = reinterpret_cast<cuda_abi::function>(kernel);
    return 0;
  };
  return table;
}

}  // namespace

YOKE_CUDA_TEST_CASE("the text of PTX by itself tells C kernels apart", "[cuda]") {
  const cuda_abi::functions table = ptx_driver(*device.port().table());
  {
    const cu::context context{through_table(&table, device)};
    const auto module = cu::load_image(context, std::as_bytes(std::span(recorded_ptx)));
    CHECK(loaded_libraries == 1);
    CHECK(module.get_kernel<plain_signature>("plain").checked() == signature_check::sizes);
    CHECK_THAT((mismatch<void(float*, const double*, double)>(module, "plain")),
               ContainsSubstring("of 8, 8, 8 (floating), 4 bytes") && ContainsSubstring("4 parameters, not 3"));
    CHECK_THAT((mismatch<void(float*, const double*, float, int)>(module, "plain")),
               ContainsSubstring("parameter 3 has 8 bytes, float has 4"));
    CHECK_THAT((mismatch<void(float*, const double*, long, int)>(module, "plain")),
               ContainsSubstring("parameter 3 is floating point, long is not"));
    CHECK_THAT((mismatch<void(float*, const double*, double, float)>(module, "plain")),
               ContainsSubstring("parameter 4 is no floating point, float is"));
    CHECK_THAT((mismatch<void(float*, double, const double*, int)>(module, "plain")),
               ContainsSubstring("parameter 2 is no floating point, double is"));
    CHECK_THAT((mismatch<void(float*, const double*, int, double)>(module, "plain")),
               ContainsSubstring("parameter 3 has 8 bytes, int has 4"));
  }
  CHECK(loaded_libraries == 0);
}

YOKE_CUDA_TEST_CASE("the text of PTX tells structs, halves and vectors by size and place", "[cuda]") {
  const cuda_abi::functions table = ptx_driver(*device.port().table());
  {
    const cu::context context{through_table(&table, device)};
    const auto module = cu::load_image(context, std::as_bytes(std::span(types_ptx)));
    using yoke::float2;
    using yoke::float4;
    using yoke::half;
    using right = void(pair*, pair, half, float4, std::complex<float>);
    CHECK(module.get_kernel<right>("types").checked() == signature_check::sizes);
    CHECK_THAT((mismatch<void(pair*, spelled, half, float4)>(module, "types")),
               ContainsSubstring("5 parameters, not 4"));
    CHECK_THAT((mismatch<void(pair*, float4, half, float4, float2)>(module, "types")),
               ContainsSubstring("parameter 2 lies at byte 8 of the arguments, float4 would lie at byte 16"));
    CHECK_THAT((mismatch<void(pair*, pair, float, float4, float2)>(module, "types")),
               ContainsSubstring("parameter 3 has 2 bytes, float has 4"));
    CHECK_THAT((mismatch<void(pair*, pair, half, cu::float3, float2)>(module, "types")),
               ContainsSubstring("parameter 4 has 16 bytes, float3 has 12"));
    CHECK_THAT((mismatch<void(pair*, pair, half, float4, std::complex<double>)>(module, "types")),
               ContainsSubstring("parameter 5 has 8 bytes, double2 has 16"));
    CHECK_THAT(
        (mismatch<void(pair*, spelled, half, float4, unsigned char)>(module, "types")),
        ContainsSubstring("asked for as void(struct*, pair, __half, float4, unsigned char): parameter 5 has 8 bytes"));
  }
  CHECK(loaded_libraries == 0);
}

namespace {

template <class Number>
void put(std::vector<std::byte>& bytes, std::size_t at, Number value) {
  if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
void put_text(std::vector<std::byte>& bytes, std::size_t at, std::string_view text) {
  if (bytes.size() < at + text.size()) bytes.resize(at + text.size());
  std::memcpy(bytes.data() + at, text.data(), text.size());
}

/// A cubin with nothing but a symbol table: a kernel "plain", a function "helper", a variable "w".
std::vector<std::byte> small_cubin() {
  std::vector<std::byte> cubin(64);
  put_text(cubin, 0,
           "\x7F"
           "ELF\x02\x01\x01");
  put(cubin, 18, std::uint16_t{190});  // the machine
  put(cubin, 40, std::uint64_t{64});   // the sections
  put(cubin, 58, std::uint16_t{64});
  put(cubin, 60, std::uint16_t{3});
  const std::size_t strings = 64 + 3 * 64;
  put_text(cubin, strings, std::string_view("\0plain\0helper\0w\0", 17));
  const std::size_t symbols = strings + 24;
  const auto symbol = [&](std::size_t index, std::uint32_t name, std::uint8_t info, std::uint8_t other) {
    put(cubin, symbols + index * 24, name);
    put(cubin, symbols + index * 24 + 4, info);
    put(cubin, symbols + index * 24 + 5, other);
    put(cubin, symbols + index * 24 + 16, std::uint64_t{0});
  };
  symbol(0, 0, 0, 0);
  symbol(1, 14, 0x11, 0);    // a variable
  symbol(2, 7, 0x12, 0);     // a function
  symbol(3, 1, 0x12, 0x10);  // a function that hosts can launch
  const auto section = [&](std::size_t index, std::uint32_t type, std::uint64_t at, std::uint64_t bytes,
                           std::uint32_t link) {
    const std::size_t row = 64 + index * 64;
    put(cubin, row + 4, type);
    put(cubin, row + 24, at);
    put(cubin, row + 32, bytes);
    put(cubin, row + 40, link);
  };
  section(1, 3, strings, 17, 0);
  section(2, 2, symbols, 4 * 24, 1);
  return cubin;
}
/// A fatbin of these parts, of which the last is compressed or not.
std::vector<std::byte> fatbin_of(const std::vector<std::vector<std::byte>>& parts) {
  std::vector<std::byte> fatbin;
  put(fatbin, 0, std::uint32_t{0xBA55ED50});
  put(fatbin, 4, std::uint16_t{1});
  put(fatbin, 6, std::uint16_t{16});
  for (const auto& part : parts) {
    const std::size_t header = fatbin.size() < 16 ? 16 : fatbin.size();
    put(fatbin, header, std::uint16_t{2});
    put(fatbin, header + 4, std::uint32_t{64});
    put(fatbin, header + 8, std::uint64_t{part.size()});
    put(fatbin, header + 56, std::uint64_t{0});
    fatbin.insert(fatbin.end(), part.begin(), part.end());
  }
  put(fatbin, 8, std::uint64_t{fatbin.size() - 16});
  return fatbin;
}

}  // namespace

YOKE_CUDA_TEST_CASE("a cubin's symbols and a fatbin's parts tell of their kernels", "[cuda]") {
  const cuda_abi::functions table = ptx_driver(*device.port().table());
  {
    const cu::context context{through_table(&table, device)};
    const auto names = [&](std::span<const std::byte> image) { return cu::load_image(context, image).kernel_names(); };
    const std::vector<std::string> plain{"plain"};
    const std::vector<std::byte> cubin = small_cubin();
    CHECK(names(cubin) == plain);
    CHECK(names(fatbin_of({cubin, cubin})) == plain);
    const auto ptx = std::as_bytes(std::span(recorded_ptx));
    CHECK(names(fatbin_of({{ptx.begin(), ptx.end()}})) == plain);
    const std::vector<std::byte> compressed(100, std::byte{7});
    CHECK(names(fatbin_of({compressed, cubin})) == plain);
    cuda_refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] { (void)names(fatbin_of({compressed})); });
    std::vector<std::byte> damaged = fatbin_of({cubin});
    for (const std::uint32_t header : {0U, 8U, 100000U}) {
      put(damaged, 20, header);
      cuda_refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] { (void)names(damaged); });
    }
    const auto module = cu::load_image(context, cubin);
    CHECK_THAT(cuda_refusal<yoke::logic_error>(yoke::errc::kernel_not_found,
                                               [&] { (void)module.get_kernel<void()>("helper"); }),
               ContainsSubstring("it has: plain ["));
  }
  CHECK(loaded_libraries == 0);
}

namespace {

/// Where the facts behind the image begin in what `export_binary` wrote.
std::size_t facts_begin(const std::vector<std::byte>& binary) {
  std::uint32_t name = 0;
  std::memcpy(&name, binary.data() + 12, sizeof name);
  std::uint64_t image = 0;
  std::memcpy(&image, binary.data() + 16 + name, sizeof image);
  return 16 + name + 8 + static_cast<std::size_t>(image) + 8;
}
void sign(std::vector<std::byte>& binary) {
  const auto digest = yoke::detail::sha256(std::span(binary).first(binary.size() - 32));
  std::copy(digest.begin(), digest.end(), binary.end() - 32);
}

}  // namespace

YOKE_CUDA_TEST_CASE("what the compiler has compared travels with an exported binary", "[cuda]") {
  cuda_rig on(device, 12000);  // a driver that says nothing about kernels
  const auto module = cu::compile(on.context, source,
                                  {.kernels = {typed<plain_signature>("plain"), typed<void(float*)>("both"),
                                               typed<void(float*, spelled)>("with_pair")},
                                   .name_expressions = {"shapes::scale<float>"}});
  const auto once = yoke::load(on.context, module.export_binary());
  const auto twice = yoke::load(on.context, once.export_binary());
  for (const auto& each : {module, once, twice}) {
    CHECK(each.get_kernel<plain_signature>("plain").checked() == signature_check::types);
    CHECK(each.get_kernel<void(float*)>("both").checked() == signature_check::types);
    CHECK(each.get_kernel<void(float*, spelled)>("with_pair").checked() == signature_check::names);
    CHECK(each.get_kernel<scale_signature>("shapes::scale<float>").checked() == signature_check::types);
    CHECK_THAT((mismatch<void(float*, const double*, double)>(each, "plain")), ContainsSubstring("kernel plain is "));
    CHECK(each.get_kernel<void(float*, long long)>("wide").checked() ==
          module.get_kernel<void(float*, long long)>("wide").checked());
  }
  CHECK(module.export_binary() == once.export_binary());
}

YOKE_CUDA_TEST_CASE("a binary whose facts are damaged, or of another version, is refused", "[cuda]") {
  cuda_rig on(device);
  const auto binary = cu::compile(on.context, source, {.kernels = {typed<plain_signature>("plain")}}).export_binary();
  const auto refused = [&](std::vector<std::byte> changed) {
    sign(changed);
    return cuda_refusal<yoke::logic_error>(yoke::errc::incompatible_binary,
                                           [&] { (void)yoke::load(on.context, changed); });
  };
  const std::size_t begin = facts_begin(binary);
  REQUIRE(begin + 32 + 16 < binary.size());
  auto more = binary;
  more[begin] = std::byte{200};  // more names than there are
  CHECK_THAT(refused(more), ContainsSubstring("its facts about kernels are damaged"));
  auto longer = binary;
  longer[begin + 8 + 7] = std::byte{0xff};  // a name past the end
  CHECK_THAT(refused(longer), ContainsSubstring("its facts about kernels are damaged"));
  auto cut = binary;
  cut[begin - 8] ^= std::byte{1};  // another number of bytes
  CHECK_THAT(refused(cut), ContainsSubstring("damaged"));
  auto older = binary;
  older[7] = std::byte{'1'};
  CHECK_THAT(refused(older), ContainsSubstring("of this version of the library"));
}
