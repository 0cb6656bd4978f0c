// SPDX-License-Identifier: MIT
// What the loops over faults do with what only OpenCL has of images.
#ifndef YOKE_TESTS_OPENCL_OPENCL_IMAGE_SCENARIOS_HPP
#define YOKE_TESTS_OPENCL_OPENCL_IMAGE_SCENARIOS_HPP

#include <image/image_scenarios.hpp>

#include <yoke/opencl/opencl.hpp>

namespace yoke_test::opencl_image_scenarios {

using kept = memory_faults::kept<ocl::port>;

/// Effects: makes images over a buffer, asks the driver about them, fills and copies one.
inline void over(kept& state) {
  const auto line = ocl::image_over(state.memory, 12);
  image_scenarios::expect(ocl::description_of(line).buffer == state.memory.native_handle());
  ocl::device_allocation<std::int32_t> own{state.context, 12};
  auto filled = ocl::image_over(own, 12);
  yoke::fill(filled, 5, state.stream);
  const ocl::image<std::int32_t, 1> other{state.context, std::vector<std::int32_t>(12, 7), 12, state.stream};
  yoke::copy(yoke::region(other, 0, 4), yoke::region(filled, 3, 4), state.stream);
  std::vector<std::int32_t> back(12);
  yoke::copy(own, back, state.stream);
  image_scenarios::expect(back[2] == 5 && back[3] == 7 && back[11] == 5);
}
/// Effects: maps, unmaps and migrates an image.
inline void map(kept& state) {
  ocl::image<float, 2> image{state.context, counting<float>(35), {7, 5}, state.stream};
  ocl::migrate(image, state.stream);
  image_scenarios::expect(ocl::memory_description_of(image).size_bytes >= 140);
  const auto view = ocl::map_image(image, state.stream, {2, 1}, {3, 2});
  image_scenarios::expect(view.row(1)[2] == 19.0F);
}
/// Effects: makes, asks, borrows and adopts native samplers.
inline void samplers(kept& state) {
  ocl::sampler made{state.context, {.filter = yoke::filter_mode::linear}};
  image_scenarios::expect(made.description().references == 1);
  (void)ocl::sampler::borrow(state.context, made.native_handle());
  if (state.context.port().table()->create_sampler_with_properties != nullptr) {
    const std::uint64_t properties[] = {ocl::abi::sampler_filter_mode, ocl::abi::filter_linear, 0};
    (void)ocl::sampler(state.context, std::span<const std::uint64_t>(properties)).description();
  }
  ocl::sampler adopted;
  {
    const auto native = made.native_handle();
    adopted = ocl::sampler::adopt(state.context, native);
    (void)made.release();
  }
}

}  // namespace yoke_test::opencl_image_scenarios

#endif
