// SPDX-License-Identifier: MIT
// What the loops over faults do with CUDA's arrays, mipmaps, textures and surfaces.
#ifndef YOKE_TESTS_CUDA_CUDA_ARRAY_SCENARIOS_HPP
#define YOKE_TESTS_CUDA_CUDA_ARRAY_SCENARIOS_HPP

#include <image/image_scenarios.hpp>

#include <yoke/array.hpp>
#include <yoke/cuda/cuda.hpp>

#include <memory>

namespace yoke_test::cuda_array_scenarios {

namespace cu = yoke::cuda;
using kept = memory_faults::kept<cu::port>;

/// Effects: makes an array of each kind.
inline void make(kept& state) {
  const cu::array<float> line{state.context, {.width = 8}};
  const cu::array<float> plane{state.context, {.width = 8, .height = 4, .surface = true}};
  const cu::array<yoke::uchar4> volume{state.context, {.width = 4, .height = 3, .depth = 2}};
  const cu::array<float> lines{state.context, {.width = 8, .layers = 3}};
  const cu::array<float> planes{state.context, {.width = 4, .height = 4, .layers = 3}};
  const cu::array<float> cube{state.context, {.width = 4, .height = 4, .cubemap = true}};
  const cu::array<float> cubes{state.context, {.width = 4, .height = 4, .layers = 2, .cubemap = true}};
  const cu::array<float> gathered{state.context, {.width = 4, .height = 4, .gather = true}};
}

/// Effects: adopts, borrows, copies and fills arrays.
inline void use(kept& state) {
  cu::array<std::int32_t> made{state.context, {.width = 6, .height = 10}};
  yoke::copy(state.memory, made, state.stream);
  yoke::fill(cu::region(made, {1, 1}, {2, 2}), 7, state.stream);
  std::vector<int> part(6);
  yoke::copy(cu::region(std::as_const(made), {2, 1}, {3, 2}), part, state.stream);
  image_scenarios::expect(part[0] == 7);
  const auto lent = cu::array<std::int32_t>::borrow(state.context, made.native_handle());
  image_scenarios::expect(lent.shape().height == 10);
  cu::array<std::int32_t> owned;
  {
    // A failed adoption leaves the array with its owner, who still has it here.
    const auto native = made.native_handle();
    owned = cu::array<std::int32_t>::adopt(state.context, native);
    (void)made.release();
  }
}

/// Effects: makes mipmaps and their levels.
inline void mipmap(kept& state) {
  const cu::mipmapped_array<float> pyramid{state.context, {.width = 8, .height = 4}, 3};
  cu::array<float> level = pyramid.level(1);
  yoke::fill(level, 1.5F, state.stream);
  const cu::texture smooth{pyramid, {.normalised = true, .last_level = 2}};
  image_scenarios::expect(smooth.native_handle() != 0);
}

/// Effects: makes textures over each kind of memory, and surfaces.
inline void objects(kept& state) {
  cu::texture texture;
  cu::surface surface;
  {
    const cu::array<float> plane{state.context, {.width = 8, .height = 4, .surface = true}};
    texture = cu::texture(plane, {.filter = yoke::filter_mode::linear});
    surface = cu::surface(plane);
  }
  const auto linear = std::make_shared<cu::device_allocation<float>>(state.context, 8);
  const cu::texture of_linear(linear);
  const cu::texture of_span(state.context, linear->span().subspan(1, 4), {.allow_offset = true});
  const yoke::device_array table{cu::device_allocation<float>{state.context, 256}, yoke::shape{4, 64}, state.stream};
  const cu::texture of_table(table);
  const cu::texture of_parts(
      cu::texture_rows<float>{std::make_shared<cu::device_allocation<float>>(state.context, 512), 3, 2, 128});
  const cu::array<float> planes{state.context, {.width = 4, .height = 4, .layers = 3}};
  const cu::texture seen(planes, {.view = cu::texture_view{.first_layer = 1, .last_layer = 2}});
  (void)seen.view();
  const auto rows = std::make_shared<cu::pitched_allocation<float>>(state.context, 3, 2);
  const cu::texture of_rows(rows);
  (void)texture.resource();
  (void)texture.descriptor();
  (void)surface.resource();
}

}  // namespace yoke_test::cuda_array_scenarios

#endif
