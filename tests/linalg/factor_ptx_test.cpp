// SPDX-License-Identifier: MIT
// Messages of NVRTC about the kernels of factorisations, for a GPU of today.
#include <support/process/without_driver.hpp>
#include <support/rig.hpp>
#include <support/sample.hpp>
#include <yoke/cuda/compile/compile_to.hpp>
#include <yoke/cuda/compile/nvrtc.hpp>
#include <yoke/linalg.hpp>

using namespace yoke_test;
namespace cu = yoke::cuda;
namespace d = yoke::detail;

TEST_CASE("NVRTC compiles all kernels of factorisations without a word, without a device", "[linalg]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  for (const auto family : {d::factor_family::solve, d::factor_family::qr, d::factor_family::jacobi}) {
    for (const auto kind :
         {d::value_kind::float32, d::value_kind::float64, d::value_kind::complex64, d::value_kind::complex128}) {
      if (!runs_whole() && kind != d::value_kind::complex64) continue;
      const std::string source = d::factor_source({.family = family, .kind = kind, .lanes = 256});
      INFO(source);
      const cu::compiled_image image =
          cu::compile_to(cu::image_kind::ptx, source, {.architecture = "sm_90", .math = {.contract = false}});
      CHECK(image.log.empty());
    }
  }
}
