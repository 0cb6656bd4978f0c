// SPDX-License-Identifier: MIT
// What only OpenCL has of images, with each driver call made to fail in turn.
#include <opencl/opencl_image_scenarios.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

YOKE_OPENCL_TEST_CASE("faults with images over buffers, maps and samplers", "[image][opencl][faults]") {
  loop("images over buffers", device, [](auto& state) { opencl_image_scenarios::over(state); });
  loop("maps of images", device, [](auto& state) { opencl_image_scenarios::map(state); });
  loop("native samplers", device, [](auto& state) { opencl_image_scenarios::samplers(state); });
}
