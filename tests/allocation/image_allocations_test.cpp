// SPDX-License-Identifier: MIT
// Every allocation of images, arrays, textures and samplers made to fail in turn.
#include <cuda/image/cuda_array_scenarios.hpp>
#include <opencl/image/opencl_image_scenarios.hpp>
#include <support/faults/allocation_scenarios.hpp>

using namespace yoke_test;
using memory_faults::kept;

namespace {

template <class Port, class Act>
void loop(const std::string& name, const yoke::device<Port>& device, Act act) {
  run_allocation_scenario(
      name, device, [](const yoke::device<Port>& on) { return kept<Port>(on); }, act,
      [](kept<Port>& state) { CHECK(download(state.memory, state.stream).size() == 60); });
}

}  // namespace

YOKE_DEVICE_TEST_CASE("allocations of images fail cleanly", "[allocation][image]") {
  loop("making", device, [](auto& state) { image_scenarios::make(state); });
  loop("copying", device, [](auto& state) { image_scenarios::copy(state); });
  loop("filling", device, [](auto& state) { image_scenarios::fill(state); });
  loop("adopting", device, [](auto& state) { image_scenarios::adopt(state); });
}

YOKE_CUDA_TEST_CASE("allocations of CUDA's arrays, textures and surfaces fail cleanly", "[allocation][image][cuda]") {
  loop("arrays made", device, [](auto& state) { cuda_array_scenarios::make(state); });
  loop("arrays used", device, [](auto& state) { cuda_array_scenarios::use(state); });
  loop("mipmaps", device, [](auto& state) { cuda_array_scenarios::mipmap(state); });
  loop("objects", device, [](auto& state) { cuda_array_scenarios::objects(state); });
}

YOKE_OPENCL_TEST_CASE("allocations of what only OpenCL has of images fail cleanly", "[allocation][image][opencl]") {
  loop("images over buffers", device, [](auto& state) { opencl_image_scenarios::over(state); });
  loop("maps of images", device, [](auto& state) { opencl_image_scenarios::map(state); });
}
