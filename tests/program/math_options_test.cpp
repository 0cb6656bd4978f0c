// SPDX-License-Identifier: MIT
// The rules of arithmetic reach each compiler in its own words.
#include <support/devices/background.hpp>
#include <support/devices/build_options.hpp>
#include <support/devices/devices.hpp>
#include <support/devices/languages.hpp>
#include <support/process/in_child.hpp>
#include <support/process/without_driver.hpp>
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
  const auto opencl = [](const yoke::math_options& math) {
    return joined(yoke::detail::math_words(math, opencl_language().math));
  };
  const auto cuda = [](const yoke::math_options& math) {
    return joined(yoke::detail::math_words(math, cuda_language().math));
  };
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
  std::vector<std::string> options;
  // A device may lack correct rounding, so that the real compiler gets none of it.
  record_options(on.driver, options, "-cl-std=CL1.2 -cl-kernel-arg-info");
  (void)yoke::compile(on.context, "kernel void f(global int* a) {}", {.math = everything});
  CHECK_THAT(options.back(), ContainsSubstring("-cl-fast-relaxed-math -cl-denorms-are-zero -cl-mad-enable "
                                               "-cl-fp32-correctly-rounded-divide-sqrt -cl-finite-math-only"));
  (void)yoke::compile(on.context, "kernel void f(global int* a) {}");
  CHECK_THAT(options.back(), !ContainsSubstring("math") && !ContainsSubstring("mad"));
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

YOKE_DEVICE_TEST_CASE("correct arithmetic keeps denormals", "[program]") {
  const yoke::context context{device};
  const yoke::stream stream{context};
  const auto module = yoke::compile(context, "YOKE_KERNEL f(YOKE_GLOBAL float* a) { a[0] = a[0] * 0.5f; }",
                                    {.math = {.flush_denormals = false}});
  std::vector<float> values{1.17549435e-38F};
  yoke::get_kernel<void(float*)>(module, "f")(stream, {.grid = 1, .block = 1}, yoke::in_out(values));
  CHECK(values[0] == 1.17549435e-38F * 0.5F);
}

namespace {

/// Returns: how many quotients a device rounds otherwise than the host, of numbers that most approximations get wrong.
template <class Context>
int wrong_quotients(const Context& context, const yoke::math_options& math) {
  constexpr int count = 1024;
  std::vector<float> quotients;
  std::vector<float> divisors;
  std::vector<float> expected;
  int approximate = 0;
  for (int i = 0; i < count; ++i) {
    const float dividend = 1.0F + static_cast<float>(i) / 731;
    const float divisor = 3.0F + static_cast<float>(i * 7 % count) / 977;
    quotients.push_back(dividend);
    divisors.push_back(divisor);
    expected.push_back(dividend / divisor);
    const float reciprocal = 1.0F / divisor;
    if (dividend * reciprocal != expected.back()) ++approximate;
  }
  CHECK(approximate > count / 8);
  const auto module = yoke::compile(
      context,
      "YOKE_KERNEL f(YOKE_GLOBAL float* a, YOKE_GLOBAL const float* b) { size_t i = get_global_id(0); a[i] /= b[i]; }",
      {.math = math});
  const yoke::stream stream{context};
  yoke::get_kernel<void(float*, const float*)>(module, "f")(stream, {.grid = count / 64, .block = 64},
                                                            yoke::in_out(quotients), yoke::in(divisors));
  int wrong = 0;
  for (std::size_t i = 0; i < count; ++i) wrong += quotients[i] != expected[i] ? 1 : 0;
  return wrong;
}

}  // namespace

YOKE_CUDA_TEST_CASE("a division that is to be exact is rounded correctly on CUDA", "[cuda]") {
  const cu::context context{device};
  CHECK(wrong_quotients(context, {.exact_division = true}) == 0);
  CHECK(wrong_quotients(context, {.fast = true, .exact_division = true}) == 0);
  // The simulator divides correctly whatever it is told.
  if (!is_simulated(device)) CHECK(wrong_quotients(context, {.fast = true}) > 0);
}

YOKE_OPENCL_TEST_CASE("a division that is to be exact is rounded correctly on OpenCL, where a device can",
                      "[program]") {
  const ocl::context context{device};
  constexpr std::uint64_t correctly_rounded = 1 << 7;  // CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
  if ((ocl::get(device, ocl::info::single_fp_config) & correctly_rounded) != 0) {
    CHECK(wrong_quotients(context, {.exact_division = true}) == 0);
    return;
  }
  // The specification lets a device that cannot refuse the option, or ignore it.
  try {
    const auto module =
        yoke::compile(context, "kernel void f(global float* a) { a[0] /= a[1]; }", {.math = {.exact_division = true}});
    CHECK(static_cast<bool>(module));
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.options(), ContainsSubstring("-cl-fp32-correctly-rounded-divide-sqrt"));
  }
}

YOKE_OPENCL_TEST_CASE("the rules of arithmetic change what PoCL computes", "[program]") {
  const ocl::context context{device};
  if (!is_pocl(device)) YOKE_SKIP("a driver may keep more of a rule than it has to");
  CHECK(wrong_quotients(context, {}) == 0);
  CHECK(wrong_quotients(context, {.exact_division = false}) == 0);
  CHECK(wrong_quotients(context, {.fast = true}) > 0);
  const ocl::stream stream{context};
  const auto half_of_least = [&](const yoke::math_options& math) {
    const auto module =
        yoke::compile(context, "kernel void f(global float* a) { a[0] = a[0] * 0.5f; }", {.math = math});
    std::vector<float> value{1.17549435e-38F};
    module.get_kernel<void(float*)>("f")(stream, {.grid = 1, .block = 1}, yoke::in_out(value));
    return value[0];
  };
  CHECK(half_of_least({.flush_denormals = true}) == 0.0F);
  CHECK(half_of_least({.flush_denormals = false}) > 0.0F);
  const auto rounding = [&](const yoke::math_options& math) {
    const auto module =
        yoke::compile(context, "kernel void f(global float* a) { a[0] = a[0] * a[1] + a[2]; }", {.math = math});
    const float one = 1.0F + 1.0F / 4096;
    std::vector<float> values{one, one, -1.0F - 1.0F / 2048};
    module.get_kernel<void(float*)>("f")(stream, {.grid = 1, .block = 1}, yoke::in_out(values));
    return values[0];
  };
  CHECK(rounding({.contract = true}) > 0.0F);
  CHECK(rounding({.contract = false}) == 0.0F);
}

TEST_CASE("of NVRTC's options on arithmetic the call's own stand above the rules, in the code that it makes",
          "[cuda]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; },
                                                         {{"YOKE_CUDA_OPTIONS", "--prec-div=true --fmad=false"}});
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  const auto ptx = [](const cu::compile_options& options) {
    const cu::compiled_image image = cu::compile_to(
        cu::image_kind::ptx,
        "extern \"C\" __global__ void f(float* a) { a[0] = a[1] / a[2]; a[3] = sqrtf(a[4]); a[5] = sinf(a[6]); "
        "a[7] = a[8] * a[9] + a[10]; }",
        options);
    return std::string(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size());
  };
  const auto check = [&](const cu::compile_options& options, const std::vector<std::string>& there,
                         const std::vector<std::string>& absent_ones = {}) {
    const std::string text = ptx(options);
    INFO(text);
    for (const std::string& each : there) CHECK_THAT(text, ContainsSubstring(each));
    for (const std::string& each : absent_ones) CHECK_THAT(text, !ContainsSubstring(each));
  };
  const std::vector<std::string> exact{"div.rn.f32", "sqrt.rn.f32"};
  const std::vector<std::string> fast{"div.approx.ftz.f32", "sqrt.approx.ftz.f32", "sin.approx.ftz.f32"};
  const std::vector<std::string> correct{"div.rn", "sqrt.rn"};
  check({}, exact, {"sin.approx"});
  check({.math = {.exact_division = true}}, exact);
  check({.math = {.exact_division = false}}, {"div.full.f32", "sqrt.approx.f32"}, correct);
  // What the call says stands above the variable, as a rule or as an option.
  check({.math = {.fast = true}}, fast, correct);
  check({.options = {"--use_fast_math"}}, fast, correct);
  // The options of a call stand above its rules.
  const yoke::math_options rules{.flush_denormals = false, .contract = false, .exact_division = true};
  for (const char* const option : {"--use_fast_math", "-use_fast_math"}) {
    check({.options = {option}, .math = rules}, fast, correct);
  }
  check({.options = {"--prec-div=false"}, .math = rules}, {"div.full.f32", "sqrt.rn.f32"});
  check({.options = {"--use_fast_math", "--prec-div=true"}}, {"div.rn.ftz.f32", "sqrt.approx.ftz.f32"});
  // Among the rules of a call one that is set stands above `fast`.
  check({.math = {.fast = true, .flush_denormals = false, .exact_division = true}},
        {"div.rn.f32", "sqrt.rn.f32", "sin.approx.f32"});
  const auto contraction = [&](const cu::compile_options& options) {
    const cu::compiled_image image = cu::compile_to(
        cu::image_kind::ptx, "extern \"C\" __global__ void f(float* a) { a[0] = a[1] * a[2] + a[3]; }", options);
    const std::string text(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size());
    return text.find("fma.rn") != std::string::npos;
  };
  CHECK_FALSE(contraction({}));  // by the variable
  CHECK(contraction({.math = {.contract = true}}));
  CHECK(contraction({.options = {"--use_fast_math"}, .math = {.contract = false}}));
  CHECK_FALSE(contraction({.math = {.fast = true, .contract = false}}));
}

YOKE_OPENCL_TEST_CASE("a rule that OpenCL has no word for takes back what a variable says", "[program]") {
  if (!in_child(
          {{"YOKE_OPENCL_OPTIONS", "-cl-mad-enable -cl-denorms-are-zero -cl-fp32-correctly-rounded-divide-sqrt"}}))
    return;
  rig on(device);
  std::vector<std::string> given;
  record_options(on.driver, given, "-cl-std=CL1.2 -cl-kernel-arg-info");
  const auto options_of = [&](const yoke::compile_options& options) {
    (void)yoke::compile(on.context, "kernel void f(global int* a) {}", options);
    return given.back();
  };
  CHECK_THAT(options_of({}), ContainsSubstring("-cl-mad-enable -cl-denorms-are-zero -cl-fp32-correctly-rounded"));
  CHECK_THAT(options_of({.math = {.flush_denormals = false, .contract = false, .exact_division = false}}),
             !ContainsSubstring("mad") && !ContainsSubstring("denorms") && !ContainsSubstring("correctly"));
  CHECK_THAT(options_of({.options = {"-cl-fast-relaxed-math"}, .math = {.exact_division = true}}),
             ContainsSubstring("-cl-fast-relaxed-math") && !ContainsSubstring("correctly"));
}
