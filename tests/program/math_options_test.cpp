// SPDX-License-Identifier: MIT
// The rules of arithmetic reach each compiler in its own words.
#include <support/devices.hpp>
#include <support/rig.hpp>

#include <cuda/cuda_rig.hpp>

using namespace yoke_test;

namespace {

const yoke::math_options everything{
    .fast = true, .flush_denormals = true, .contract = true, .exact_division = true, .finite_only = true};

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& each : words) all += (all.empty() ? "" : " ") + each;
  return all;
}

}  // namespace

TEST_CASE("each rule of arithmetic has its words", "[program]") {
  const auto opencl = [](const yoke::math_options& math) { return joined(yoke::detail::math_words(math, true)); };
  const auto cuda = [](const yoke::math_options& math) { return joined(yoke::detail::math_words(math, false)); };
  CHECK(opencl({}).empty());
  CHECK(cuda({}).empty());
  CHECK(opencl({.fast = true}) == "-cl-fast-relaxed-math");
  CHECK(cuda({.fast = true}) == "--use_fast_math");
  CHECK(opencl({.flush_denormals = true}) == "-cl-denorms-are-zero");
  CHECK(opencl({.flush_denormals = false}).empty());
  CHECK(cuda({.flush_denormals = true}) == "--ftz=true");
  CHECK(cuda({.flush_denormals = false}) == "--ftz=false");
  CHECK(opencl({.contract = true}) == "-cl-mad-enable");
  CHECK(opencl({.contract = false}).empty());
  CHECK(cuda({.contract = true}) == "--fmad=true");
  CHECK(cuda({.contract = false}) == "--fmad=false");
  CHECK(opencl({.exact_division = true}) == "-cl-fp32-correctly-rounded-divide-sqrt");
  CHECK(opencl({.exact_division = false}).empty());
  CHECK(cuda({.exact_division = true}) == "--prec-div=true --prec-sqrt=true");
  CHECK(cuda({.exact_division = false}) == "--prec-div=false --prec-sqrt=false");
  CHECK(opencl({.finite_only = true}) == "-cl-finite-math-only");
  CHECK(cuda({.finite_only = true}).empty());
}

YOKE_OPENCL_TEST_CASE("the rules of arithmetic arrive at OpenCL's compiler", "[program]") {
  rig on(device);
  std::string options;
  on.driver.replace<&abi::functions::build_program>([&](abi::program program, abi::uint count,
                                                        const abi::device* devices, const char* given,
                                                        abi::program_callback call, void* data) {
    options = given;
    // A device may lack correct rounding, so that the real compiler gets none of it.
    return on.driver.real().build_program(program, count, devices, "-cl-std=CL1.2 -cl-kernel-arg-info", call, data);
  });
  (void)yoke::compile(on.context, "kernel void f(global int* a) {}", {.math = everything});
  CHECK_THAT(options, ContainsSubstring("-cl-fast-relaxed-math -cl-denorms-are-zero -cl-mad-enable "
                                        "-cl-fp32-correctly-rounded-divide-sqrt -cl-finite-math-only"));
  (void)yoke::compile(on.context, "kernel void f(global int* a) {}");
  CHECK_THAT(options, !ContainsSubstring("math") && !ContainsSubstring("mad"));
}

YOKE_CUDA_TEST_CASE("the rules of arithmetic arrive at NVRTC, under the caller's own options", "[cuda]") {
  const cu::context context{device};
  const auto options_of = [&](const cu::compile_options& options) {
    try {
      (void)cu::compile(context, "an error", options);
    } catch (const yoke::compile_error& e) {
      return e.options();
    }
    return std::string("compiled");
  };
  CHECK_THAT(options_of({.math = everything}),
             ContainsSubstring("--use_fast_math --ftz=true --fmad=true --prec-div=true --prec-sqrt=true"));
  CHECK_THAT(options_of({.options = {"--fmad=true"}, .math = {.contract = false}}),
             ContainsSubstring("--fmad=true") && !ContainsSubstring("--fmad=false"));
  CHECK_THAT(options_of({}), !ContainsSubstring("fmad"));
  try {
    (void)cu::compile_to(cu::image_kind::ptx, "an error", {.math = {.contract = false}});
    FAIL("compiled");
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.options(), ContainsSubstring("--fmad=false"));
  }
}

YOKE_DEVICE_TEST_CASE("a product and a sum that must not be contracted are rounded twice", "[program]") {
  const yoke::context context{device};
  const yoke::stream stream{context};
  const auto module = yoke::compile(context, "YOKE_KERNEL f(YOKE_GLOBAL float* a) { a[0] = a[0] * a[1] + a[2]; }",
                                    {.math = {.contract = false}});
  // (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24, of which the last is lost when it is rounded.
  const float one = 1.0F + 1.0F / 4096;
  std::vector<float> values{one, one, -1.0F - 1.0F / 2048};
  yoke::get_kernel<void(float*)>(module, "f")(stream, {.grid = 1, .block = 1}, yoke::in_out(values));
  CHECK(values[0] == 0.0F);
}

YOKE_DEVICE_TEST_CASE("correct arithmetic keeps denormals and rounds a division correctly", "[program]") {
  const yoke::context context{device};
  const yoke::stream stream{context};
  const auto module =
      yoke::compile(context, "YOKE_KERNEL f(YOKE_GLOBAL float* a) { a[0] = a[0] * 0.5f; a[1] = a[1] / a[2]; }",
                    {.math = {.flush_denormals = false}});
  std::vector<float> values{1.17549435e-38F, 10.0F, 2.5F};
  yoke::get_kernel<void(float*)>(module, "f")(stream, {.grid = 1, .block = 1}, yoke::in_out(values));
  CHECK(values[0] == 1.17549435e-38F * 0.5F);
  CHECK(values[1] == 4.0F);
}
