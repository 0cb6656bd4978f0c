// SPDX-License-Identifier: MIT
// What get_kernel proves of an OpenCL kernel's signature: by names, by sizes, by count; and what it says of others.
#include <support/rig.hpp>

using namespace yoke_test;
using yoke::signature_check;

namespace {

struct point {
  float x, y;
  int id;
};

const char* const kernels = R"(
  typedef int count_type;
  typedef struct { float x, y; int id; } point;
  kernel void plain(global float* a, const global float* b, int n, local float* scratch, constant int* table) {}
  kernel void scalars(char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, float i) {}
  kernel void vectors(float2 a, float4 b, int2 c, int4 d, global float4* e) {}
  kernel void renamed(global int* out, count_type n) {}
  kernel void structure(global float* out, point p) { out[0] = p.x; out[1] = p.y; out[2] = p.id; }
  kernel void unsigned_words(unsigned int a, global unsigned char* b, unsigned long c) {}
)";

template <class Signature>
std::string mismatch(const ocl::module& module, const char* name) {
  return refusal<yoke::logic_error>(yoke::errc::signature_mismatch, [&] { (void)module.get_kernel<Signature>(name); });
}

using plain_signature = void(float*, const float*, int, yoke::local<float>, yoke::constant<int>);

}  // namespace

YOKE_OPENCL_TEST_CASE("a right signature is proven by names", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  CHECK(module.get_kernel<plain_signature>("plain").checked() == signature_check::names);
  CHECK(module
            .get_kernel<void(std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                             std::int64_t, std::uint64_t, float)>("scalars")
            .checked() == signature_check::names);
  CHECK(
      module.get_kernel<void(yoke::float2, yoke::float4, yoke::int2, yoke::int4, yoke::float4*)>("vectors").checked() ==
      signature_check::names);
  CHECK(module.get_kernel<void(unsigned, unsigned char*, unsigned long)>("unsigned_words").checked() ==
        signature_check::names);
  enum class size : std::uint32_t {};
  CHECK(module.get_kernel<void(size, unsigned char*, unsigned long long)>("unsigned_words").checked() ==
        signature_check::names);
}

YOKE_OPENCL_TEST_CASE("a signature that differs is refused beside the true one", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  const std::string truth =
      "kernel plain is void(float*, const float*, int, local<float>, constant<int>), asked for as ";
  using yoke::constant;
  using yoke::local;
  CHECK_THAT((mismatch<void(int*, const float*, int, local<float>, constant<int>)>(module, "plain")),
             ContainsSubstring(truth + "void(int*, const float*, int, local<float>, constant<int>): parameter 1 (a) is "
                                       "float*, not int*") &&
                 ContainsSubstring("signature_test.cpp:"));
  CHECK_THAT((mismatch<void(float*, float*, int, local<float>, constant<int>)>(module, "plain")),
             ContainsSubstring("parameter 2 (b) is const float*, not float*"));
  CHECK_THAT((mismatch<void(const float*, const float*, int, local<float>, constant<int>)>(module, "plain")),
             ContainsSubstring("parameter 1 (a) is float*, not const float*"));
  CHECK_THAT((mismatch<void(float*, const float*, unsigned, local<float>, constant<int>)>(module, "plain")),
             ContainsSubstring("parameter 3 (n) is int, not uint"));
  CHECK_THAT((mismatch<void(float*, const float*, long, local<float>, constant<int>)>(module, "plain")),
             ContainsSubstring("parameter 3 (n) is int, not long"));
  CHECK_THAT((mismatch<void(float*, const float*, int, local<int>, constant<int>)>(module, "plain")),
             ContainsSubstring("parameter 4 (scratch) is local<float>, not local<int>"));
  CHECK_THAT((mismatch<void(float*, const float*, int, float*, constant<int>)>(module, "plain")),
             ContainsSubstring("parameter 4 (scratch) is local<float>, not float*"));
  CHECK_THAT((mismatch<void(float*, const float*, int, local<float>, const int*)>(module, "plain")),
             ContainsSubstring("parameter 5 (table) is constant<int>, not const int*"));
  CHECK_THAT((mismatch<void(float*, const float*, int*, local<float>, constant<int>)>(module, "plain")),
             ContainsSubstring("parameter 3 (n) is int, not int*"));
  CHECK_THAT((mismatch<void(float, const float*, int, local<float>, constant<int>)>(module, "plain")),
             ContainsSubstring("parameter 1 (a) is float*, not float"));
  CHECK_THAT((mismatch<void(float*, const float*)>(module, "plain")),
             ContainsSubstring(truth + "void(float*, const float*): it has 5 parameters, not 2"));
  CHECK_THAT((mismatch<void(yoke::float4, yoke::float4, yoke::int2, yoke::int4, yoke::float4*)>(module, "vectors")),
             ContainsSubstring("parameter 1 (a) is float2, not float4"));
  CHECK(on.driver.count("enqueue_kernel") == 0);
}

YOKE_OPENCL_TEST_CASE("typedefs and structs prove their count only", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  CHECK(module.get_kernel<void(int*, int)>("renamed").checked() == signature_check::count);
  CHECK_THAT((mismatch<void(float*, int)>(module, "renamed")),
             ContainsSubstring("parameter 1 (out) is int*, not float*"));

  const auto structure = module.get_kernel<void(float*, point)>("structure");
  CHECK(structure.checked() == signature_check::count);
  CHECK_THAT((mismatch<void(float*, point*)>(module, "structure")), ContainsSubstring("parameter 2 (p) is point, not"));
  std::vector<float> out(3);
  structure(on.stream, {.grid = 1}, yoke::in_out(out), point{1.5F, -2.5F, 42});
  CHECK(out == std::vector<float>{1.5F, -2.5F, 42});
}

YOKE_OPENCL_TEST_CASE("without argument info the driver's sizes are the check", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  // The two ways in which drivers say that there is none.
  for (const abi::status answer : {-19, -30}) {
    on.driver.replace<&abi::functions::get_kernel_arg_info>(
        [answer](abi::kernel, abi::uint, abi::uint, std::size_t, void*, std::size_t*) { return answer; });
    CHECK(module.get_kernel<plain_signature>("plain").checked() == signature_check::sizes);
    CHECK(module.get_kernel<void(int*, int)>("renamed").checked() == signature_check::sizes);
    CHECK(module.get_kernel<void(float*, point)>("structure").checked() == signature_check::count);
    CHECK_THAT((mismatch<void(int*)>(module, "renamed")),
               ContainsSubstring("kernel renamed is a kernel of 2 parameters, asked for as void(int*): it has 2 "
                                 "parameters, not 1"));
    // PoCL 3.1 checks the sizes of built-in types only, so the typedef is left alone here.
    CHECK_THAT((mismatch<void(std::uint64_t, std::uint8_t*, std::uint64_t)>(module, "unsigned_words")),
               ContainsSubstring("kernel unsigned_words, asked for as void(ulong, uchar*, ulong): the driver does not "
                                 "take arguments of these kinds and sizes"));
    CHECK_THAT((mismatch<void(unsigned, std::uint8_t*, float)>(module, "unsigned_words")),
               ContainsSubstring("void(uint, uchar*, float)"));
  }
  std::vector<float> out(3);
  module.get_kernel<void(float*, point)>("structure")(on.stream, {.grid = 1}, yoke::in_out(out), point{1, 2, 3});
  CHECK(out == std::vector<float>{1, 2, 3});
}

YOKE_OPENCL_TEST_CASE("a kernel without parameters compiles where describing it breaks the build", "[program]") {
  rig on(device);
  const char* const source = R"(
    kernel void nothing() {}
    kernel void plain(global float* a, int n) { a[0] = n; })";
  {  // NVIDIA's 580.159 does this by itself; elsewhere its answer is played.
    const auto module = yoke::compile(on.context, source);
    CHECK(static_cast<bool>(module.get_kernel<void()>("nothing")));
    CHECK(static_cast<bool>(module.get_kernel<void(float*, int)>("plain")));
    module.get_kernel<void()>("nothing")(on.stream, {.grid = 1});
    on.stream.synchronize();
  }
  std::vector<std::string> options;
  on.driver.replace<&abi::functions::build_program>([&](abi::program program, abi::uint count,
                                                        const abi::device* devices, const char* given,
                                                        abi::program_callback callback, void* data) {
    options.emplace_back(given);
    if (options.back().find("-cl-kernel-arg-info") != std::string::npos) return abi::status{-11};
    return on.driver.real().build_program(program, count, devices, given, callback, data);
  });
  std::string log = "ptxas application ptx input, line 27; fatal   : Parsing error near '}': syntax error\n";
  on.driver.replace<&abi::functions::get_program_build_info>(
      [&](abi::program, abi::device, abi::uint, std::size_t bytes, void* out, std::size_t* size) {
        if (size != nullptr) *size = log.size() + 1;
        if (out != nullptr) std::copy_n(log.c_str(), std::min(bytes, log.size() + 1), static_cast<char*>(out));
        return abi::status{0};
      });
  const auto module = yoke::compile(on.context, source);
  CHECK(options == std::vector<std::string>{"-cl-std=CL1.2 -cl-kernel-arg-info", "-cl-std=CL1.2"});
  std::vector<float> out(1);
  module.get_kernel<void(float*, int)>("plain")(on.stream, {.grid = 1}, yoke::out(out), 7);
  CHECK(out == std::vector<float>{7});
  // Any other failure is the user's, and is told after one attempt.
  options.clear();
  log = "kernel.cl:1:1: error: unknown type name 'x'\n";
  CHECK_THROWS_AS(yoke::compile(on.context, source), yoke::compile_error);
  CHECK(options.size() == 1);
}

YOKE_OPENCL_TEST_CASE("images, samplers and pipes are no memory and no values", "[program]") {
  rig on(device);
  if (ocl::get(on.device, ocl::info::image_support)) {
    const auto module = yoke::compile(on.context, R"(
      kernel void look(read_only image2d_t picture, global float* out) { out[0] = get_image_width(picture); }
      kernel void sample(sampler_t how, global float* out) { out[0] = 1; })");
    const auto refused = [](const std::string& why, const std::string& kernel, const std::string& first) {
      CHECK_THAT(why, ContainsSubstring("kernel " + kernel + " is void(" + first + ", float*), asked for as "));
      CHECK_THAT(why, ContainsSubstring(" is " + first + ", not "));
    };
    refused(mismatch<void(float*, float*)>(module, "look"), "look", "read_only image2d_t");
    refused(mismatch<void(const point*, float*)>(module, "look"), "look", "read_only image2d_t");
    refused(mismatch<void(std::uint64_t, float*)>(module, "look"), "look", "read_only image2d_t");
    refused(mismatch<void(std::uint64_t, float*)>(module, "sample"), "sample", "sampler_t");
    refused(mismatch<void(point, float*)>(module, "sample"), "sample", "sampler_t");
    refused(mismatch<void(float*, float*)>(module, "sample"), "sample", "sampler_t");
  }
  // Drivers describe pipes by the type of their packets.
  const auto module = yoke::compile(on.context, "kernel void flow(global int* source) {}");
  on.driver.replace<&abi::functions::get_kernel_arg_info>(
      [&](abi::kernel of, abi::uint index, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        if (what == abi::kernel_arg_type_qualifier && out != nullptr) {
          *static_cast<abi::ulong*>(out) = abi::type_pipe;
          return abi::status{0};
        }
        return on.driver.real().get_kernel_arg_info(of, index, what, bytes, out, size);
      });
  CHECK_THAT((mismatch<void(int*)>(module, "flow")), ContainsSubstring("kernel flow is void(pipe int"));
}
