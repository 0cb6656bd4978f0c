// SPDX-License-Identifier: MIT
// What only OpenCL has of images, with each driver call made to fail in turn.
#include <opencl/image/opencl_image_scenarios.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

namespace {
const fault_loop_options old_drivers =
    absorbing({{"get_memory_info", "drivers before OpenCL 2.0 and 3.0 do not know two of the questions"},
               {"get_sampler_info", "nor one of those about samplers"}});
}  // namespace

YOKE_OPENCL_TEST_CASE("faults with images over buffers, maps and samplers", "[image][opencl][faults]") {
  loop("images over buffers", device, [](auto& state) { opencl_image_scenarios::over(state); });
  loop(
      "maps of images", device, [](auto& state) { opencl_image_scenarios::map(state); }, old_drivers);
  loop(
      "native samplers", device, [](auto& state) { opencl_image_scenarios::samplers(state); }, old_drivers);
}
