// SPDX-License-Identifier: MIT
// The bodies: memory of every kind with the table's texels, and objects over it.
#include <kernels/objects.hpp>

#include <memory>

namespace yoke_test {

namespace {

namespace cu = yoke::cuda;
using memory = kernel_object::memory;

cu::array_shape shape_of(const kernel_object& object) {
  const auto [x, y, z] = extents_of(object);
  cu::array_shape shape{.width = x};
  switch (object.of) {
    case memory::linear:
    case memory::line: break;
    case memory::plane:
    case memory::gathered: shape.height = y; break;
    case memory::volume: shape.height = y, shape.depth = z; break;
    case memory::lines: shape.layers = z; break;
    case memory::planes: shape.height = y, shape.layers = z; break;
    case memory::cube: shape.height = y, shape.cubemap = true; break;
    case memory::cubes: shape.height = y, shape.cubemap = true, shape.layers = z / 6; break;
  }
  shape.surface = object.is_surface;
  shape.gather = object.of == memory::gathered;
  return shape;
}

std::vector<float> texels(std::size_t count, float more = 0) {
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = texel_value(i) + more;
  return result;
}

cu::texture_options options_of(const kernel_object& object) {
  cu::texture_options options{.address = {object.by.address, object.by.address, object.by.address},
                              .filter = object.by.filter,
                              .normalised = object.by.normalised};
  if (object.of == memory::line || object.of == memory::lines) options.address[1] = yoke::address_mode::clamp_to_edge;
  if (object.has_levels) {
    options.level_filter = yoke::filter_mode::linear;
    options.last_level = 2;
  }
  return options;
}

}  // namespace

std::array<std::size_t, 3> extents_of(const kernel_object& object) {
  switch (object.of) {
    case memory::linear: return {64, 1, 1};
    case memory::line: return {8, 1, 1};
    case memory::plane:
    case memory::gathered: return {8, 6, 1};
    case memory::volume: return {8, 6, 5};
    case memory::lines: return {8, 1, 3};
    case memory::planes: return {8, 6, 3};
    case memory::cube: return {4, 4, 6};
    case memory::cubes: break;
  }
  return {4, 4, 12};
}

float texel_value(std::size_t number) { return static_cast<float>(number * 37 % 101) / 64.0F - 0.5F; }

std::size_t surface_words(const kernel_entry& kernel) {
  std::size_t words = 0;
  for (const kernel_object& each : kernel.objects) {
    const auto extents = extents_of(each);
    if (each.is_surface) words += extents[0] * extents[1] * extents[2];
  }
  return words;
}

live_objects::live_objects(const std::vector<kernel_object>& list, const cu::stream& stream) {
  const cu::context& context = stream.context_of();
  for (const kernel_object& each : list) {
    const auto extents = extents_of(each);
    const std::size_t count = extents[0] * extents[1] * extents[2];
    if (each.of == memory::linear) {
      textures_.emplace_back(std::make_shared<cu::device_allocation<float>>(context, texels(count), stream));
    } else if (each.has_levels) {
      const cu::mipmapped_array<float> levels{context, shape_of(each), 3};
      for (unsigned i = 0; i < levels.levels(); ++i) {
        auto level = levels.level(i);
        yoke::copy(texels(level.size(), 2.0F * static_cast<float>(i)), level, stream);
      }
      textures_.emplace_back(levels, options_of(each));
    } else {
      cu::array<float> array{context, shape_of(each)};
      yoke::copy(texels(count), array, stream);
      if (each.is_surface) {
        surfaces_.emplace_back(array);
        written_.push_back(std::move(array));
      } else {
        textures_.emplace_back(array, options_of(each));
      }
    }
    numbers_.push_back(each.is_surface ? surfaces_.back().native_handle() : textures_.back().native_handle());
  }
}

void live_objects::read_surfaces(std::vector<word>& to, const cu::stream& stream) const {
  for (const cu::array<float>& each : written_) {
    std::vector<float> found(each.size());
    yoke::copy(each, found, stream);
    for (const float value : found) to.push_back(word_of(value));
  }
}

}  // namespace yoke_test
