// SPDX-License-Identifier: MIT
// NVRTC as a compiler object: options for every source, under those of a call.
#include <cuda/cuda_rig.hpp>

#include <yoke/cuda/nvrtc.hpp>

using namespace yoke_test;

namespace {

/// Returns: the options that a compilation which fails tells.
template <class Act>
std::string options_of(Act&& act) {
  try {
    act();
  } catch (const yoke::compile_error& e) {
    return e.options();
  }
  FAIL_CHECK("compiled");
  return "";
}

}  // namespace

YOKE_CUDA_TEST_CASE("an NVRTC object has options for every source, under those of a call", "[cuda]") {
  const cu::context context{device};
  const cu::nvrtc compiler{.options = {"-DBY=3", "--fmad=true", "-std", "c++14", "-arch=compute_80"}};
  const auto module = compiler.compile(context, "extern \"C\" __global__ void put(int* a) { a[0] = BY; }",
                                       {.architecture = "compute_75"});
  const cu::stream stream{context};
  std::vector<int> out(1);
  module.get_kernel<void(int*)>("put")(stream, {.grid = 1}, yoke::out(out));
  CHECK(out == std::vector<int>{3});

  const auto told = [&](const cu::compile_options& with) {
    const std::string compiled = options_of([&] { (void)compiler.compile(context, "an error", with); });
    CHECK(options_of([&] { (void)compiler.compile_to(cu::image_kind::ptx, "an error", with); }) == compiled);
    return compiled;
  };
  CHECK_THAT(told({}), ContainsSubstring("-DBY=3") && ContainsSubstring("--fmad=true") &&
                           ContainsSubstring("-std=c++14") && ContainsSubstring("-arch=compute_80"));
  CHECK_THAT(told({.standard = "c++17"}), !ContainsSubstring("c++14") && ContainsSubstring("--std=c++17"));
  CHECK_THAT(told({.architecture = "compute_86"}),
             !ContainsSubstring("compute_80") && ContainsSubstring("--gpu-architecture=compute_86"));
  CHECK_THAT(told({.options = {"--fmad=false"}}), !ContainsSubstring("--fmad=true"));
  CHECK_THAT(told({.math = {.contract = false}}),
             !ContainsSubstring("--fmad=true") && ContainsSubstring("--fmad=false"));
  CHECK_THAT(told({.options = {"--fmad=true"}, .math = {.contract = false}}), !ContainsSubstring("--fmad=false"));
}
