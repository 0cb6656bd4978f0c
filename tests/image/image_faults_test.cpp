// SPDX-License-Identifier: MIT
// Images, with each driver call made to fail in turn: nothing is lost, and what is thrown is of the right class.
#include <image/image_scenarios.hpp>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

namespace {

// The end of an image on CUDA makes its context current; if that fails, it releases the objects all the same.
constexpr const char* why = "in a destructor: reported, and the objects are released";
const char* const other_way =
    "a copy that NVIDIA's driver refuses for layers of lines goes through an image of one layer";
const fault_loop_options copies_otherwise = absorbing({{"context_get_current", why},
                                                       {"context_push", why},
                                                       {"enqueue_copy_image", other_way},
                                                       {"enqueue_copy_image_to_buffer", other_way},
                                                       {"enqueue_copy_buffer_to_image", other_way}});
const fault_loop_options ends_anyway = absorbing({{"context_get_current", why}, {"context_push", why}});

/// What a launch needs besides an image.
template <class Port>
struct launched : kept<Port> {
  explicit launched(const yoke::device<Port>& on)
      : kept<Port>(on),
        sampled(
            yoke::get_kernel<void(yoke::read_image<float, 1>, yoke::sampler, float*)>(yoke::compile(this->context, R"(
YOKE_KERNEL sampled(YOKE_READ_IMAGE_1D(float, from), YOKE_SAMPLER(by), YOKE_GLOBAL float* to) {
  to[get_global_id(0)] = yoke_sample_1d(float, from, by, (float)get_global_id(0) + 1.0f);
}
)"),
                                                                                      "sampled")),
        image(this->context, std::vector<float>{1, 2, 3, 4}, 4, this->stream),
        to(this->context, 3) {}
  yoke::kernel<void(yoke::read_image<float, 1>, yoke::sampler, float*), Port> sampled;
  yoke::image<float, 1, Port> image;
  yoke::device_allocation<float, Port> to;
};

}  // namespace

YOKE_DEVICE_TEST_CASE("faults with images", "[image][faults]") {
  loop(
      "images made and released", device, [](auto& state) { image_scenarios::make(state); }, ends_anyway);
  loop(
      "copies of images", device, [](auto& state) { image_scenarios::copy(state); }, copies_otherwise);
  loop(
      "fills of images", device, [](auto& state) { image_scenarios::fill(state); }, ends_anyway);
  loop(
      "adopted images", device, [](auto& state) { image_scenarios::adopt(state); }, ends_anyway);
}

YOKE_DEVICE_TEST_CASE("faults with samplers", "[image][faults]") {
  run_fault_scenario(
      "samplers", device, [](const yoke::device<port>& on) { return launched<port>(on); },
      [](launched<port>& state) {
        state.sampled(state.stream, {.grid = 3}, state.image, yoke::sampler{.filter = yoke::filter_mode::linear},
                      state.to);
        state.sampled(state.stream, {.grid = 3}, state.image, yoke::sampler{}, state.to);
        state.stream.synchronize();
      },
      [](launched<port>& state) {
        state.sampled(state.stream, {.grid = 3}, state.image, yoke::sampler{.filter = yoke::filter_mode::linear},
                      state.to);
        CHECK(download(state.to, state.stream) == std::vector<float>{1.5F, 2.5F, 3.5F});
      },
      ends_anyway);
}
