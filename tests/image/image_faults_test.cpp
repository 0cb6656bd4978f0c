// SPDX-License-Identifier: MIT
// Images, with each driver call made to fail in turn: nothing is lost, and what is thrown is of the right class.
#include <memory/memory_faults.hpp>

#include <yoke/image.hpp>

#include <vector>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

namespace {
// The end of an image on CUDA makes its context current; if that fails, it releases the objects all the same.
constexpr const char* why = "in a destructor: reported, and the objects are released";
const fault_loop_options ends_anyway = absorbing({{"context_get_current", why}, {"context_push", why}});
}  // namespace

YOKE_DEVICE_TEST_CASE("faults with images", "[image][faults]") {
  loop(
      "images made and released", device,
      [](auto& state) {
        yoke::image<float, 2, port> plane{state.context, {8, 4}};
        const yoke::layered_image<float, 2, port> layers{state.context, {4, 4}, 3};
        auto moved = std::move(plane);
        moved = yoke::image<float, 2, port>{state.context, {4, 4}};
      },
      ends_anyway);
  loop(
      "copies of images", device,
      [](auto& state) {
        const std::vector<float> texels(32, 2.0F);
        yoke::image<float, 2, port> plane{state.context, texels, {8, 4}, state.stream};
        yoke::image<float, 2, port> other{state.context, {8, 4}};
        yoke::copy(plane, other, state.stream);
        std::vector<float> back(8);
        yoke::copy(yoke::region(other, {2, 1}, {4, 2}), back, state.stream);
        CHECK(back == std::vector<float>(8, 2.0F));
      },
      ends_anyway);
  loop(
      "adopted images", device,
      [](auto& state) {
        yoke::image<float, 2, port> plane{state.context, {8, 4}};
        const auto lent = yoke::image<float, 2, port>::borrow(state.context, plane.native_handle(), {8, 4});
        CHECK(lent.size() == 32);
      },
      ends_anyway);
}
