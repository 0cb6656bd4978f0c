// SPDX-License-Identifier: MIT
// CUDA's arrays, mipmaps, textures and surfaces, with each driver call made to fail in turn.
#include <cuda/image/cuda_array_scenarios.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

namespace {
constexpr const char* why = "in a destructor: reported, and the objects are released";
const fault_loop_options ends_anyway = absorbing({{"context_get_current", why}, {"context_push", why}});
}  // namespace

YOKE_CUDA_TEST_CASE("faults with CUDA's arrays", "[image][cuda][faults]") {
  loop(
      "arrays made", device, [](auto& state) { cuda_array_scenarios::make(state); }, ends_anyway);
  loop(
      "arrays used", device, [](auto& state) { cuda_array_scenarios::use(state); }, ends_anyway);
  loop(
      "mipmaps", device, [](auto& state) { cuda_array_scenarios::mipmap(state); }, ends_anyway);
}

YOKE_CUDA_TEST_CASE("faults with textures and surfaces", "[image][cuda][faults]") {
  loop(
      "textures and surfaces", device, [](auto& state) { cuda_array_scenarios::objects(state); }, ends_anyway);
}
