// SPDX-License-Identifier: MIT
// The oracles of signatures, strongest first: each by itself takes the right one and refuses each kind of wrong one.
#include <cuda/cuda_rig.hpp>

#include <yoke/core/sha256.hpp>

#include <algorithm>

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
  CHECK(module.get_kernel<void(float*, spelled)>("with_pair").checked() == signature_check::types);
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
    CHECK(module.get_kernel<scale_signature>(name).checked() == signature_check::names);
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
  CHECK(module.get_kernel<void(float*, pair)>("_Z9with_pairPf4pair").checked() ==
        (is_simulated(device) ? signature_check::count : signature_check::sizes));
  // A C name says nothing at all.
  const auto binary = cu::load_image(on.context, raw_image(module));
  CHECK(binary.get_kernel<void(int)>("plain").checked() == signature_check::nothing);
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
  if (on.driver.table()->kernel_get_param_info == nullptr) YOKE_SKIP("this driver does not describe parameters");
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
  if (on.driver.table()->library_enumerate_kernels == nullptr) YOKE_SKIP("this driver does not list kernels");
  const auto module = cu::compile(on.context, source);
  const auto integers = module.get_kernel<void(int*)>("both");
  CHECK(integers.checked() == signature_check::names);
  CHECK(integers.native_handle() != module.get_kernel<void(float*)>("both").native_handle());
  std::vector<int> number{5};
  integers(on.stream, {.grid = 1}, yoke::in_out(number));
  CHECK(number[0] == 7);
  CHECK_THAT((mismatch<void(double*)>(module, "both")),
             ContainsSubstring("no kernel \"both\" takes (double*); this module has:") &&
                 ContainsSubstring("both(float*)") && ContainsSubstring("both(int*)"));
  CHECK(module.get_kernel<scale_signature>("shapes::scale<float>").checked() == signature_check::names);
}

YOKE_CUDA_TEST_CASE("instances of templates come by name expressions", "[cuda]") {
  cuda_rig on(device, 12000);
  const char* const templates = R"(
    template <class T, int N> __global__ void add(T* a) { a[threadIdx.x] += N; })";
  const auto module =
      cu::compile(on.context, templates, {.name_expressions = {"add<float, 4>", "add<int, 7>", "add<int, 8>"}});
  const auto add = module.get_kernel<void(float*)>("add<float, 4>");
  CHECK(add.checked() == signature_check::names);
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
    if (std::string_view(name) != "plain") return 500;
    *kernel = reinterpret_cast<cuda_abi::kernel>(&loaded_libraries);
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
    CHECK(each.get_kernel<void(float*, spelled)>("with_pair").checked() == signature_check::types);
    CHECK(each.get_kernel<scale_signature>("shapes::scale<float>").checked() == signature_check::names);
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
  CHECK_THAT(refused(more), ContainsSubstring("what it says of its kernels is damaged"));
  auto longer = binary;
  longer[begin + 8 + 7] = std::byte{0xff};  // a name past the end
  CHECK_THAT(refused(longer), ContainsSubstring("what it says of its kernels is damaged"));
  auto cut = binary;
  cut[begin - 8] ^= std::byte{1};  // another number of bytes
  CHECK_THAT(refused(cut), ContainsSubstring("damaged"));
  auto older = binary;
  older[7] = std::byte{'1'};
  CHECK_THAT(refused(older), ContainsSubstring("of this version of the library"));
}
