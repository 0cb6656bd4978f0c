// SPDX-License-Identifier: MIT
// Entries that make and destroy arrays, mipmapped arrays, texture and surface objects.

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "driver/entries.hpp"
#include "engine/words/texels.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/image/arrays.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/work/waiting.hpp"

namespace yoke::simulator {

namespace {

/// Throws: refusal for a description that drivers make no array of.
void check_descriptor(const device& on, const abi::array_descriptor& what, bool mipmapped) {
  (void)texel_bytes_of(what.format, what.channels);
  const unsigned known = abi::array_layered | abi::array_surface_ldst | abi::array_cubemap | abi::array_texture_gather;
  require((what.flags & ~known) == 0 && what.width != 0);
  const bool layered = (what.flags & abi::array_layered) != 0;
  const bool cube = (what.flags & abi::array_cubemap) != 0;
  const auto most = [&](int code) { return static_cast<std::size_t>(on.attribute(code).value_or(0)); };
  if (cube) {
    require(what.width == what.height && (layered ? what.depth != 0 && what.depth % 6 == 0 : what.depth == 6));
    require(what.width <= most(layered ? 53 : 52) && (!layered || what.depth <= most(54)));
  } else if (layered) {
    require(what.depth != 0);
    require(what.height == 0 ? what.width <= most(42) && what.depth <= most(43)
                             : what.width <= most(27) && what.height <= most(28) && what.depth <= most(29));
  } else if (what.depth != 0) {
    require(what.height != 0 && what.width <= most(24) && what.height <= most(25) && what.depth <= most(26));
  } else if (what.height != 0) {
    require(what.width <= most(mipmapped ? 73 : 22) && what.height <= most(mipmapped ? 74 : 23));
  } else {
    require(what.width <= most(mipmapped ? 77 : 21));
  }
  if ((what.flags & abi::array_texture_gather) != 0) {
    require(what.height != 0 && what.depth == 0 && what.width <= most(45) && what.height <= most(46));
  }
}

abi::array add_array(context& in, const abi::array_descriptor& what, bool is_level) {
  count_allocation();
  texel_box box;
  box.width = what.width;
  box.height = std::max<std::size_t>(what.height, 1);
  box.depth = std::max<std::size_t>(what.depth, 1);
  box.texel_bytes = texel_bytes_of(what.format, what.channels);
  box.row_bytes = box.width * box.texel_bytes;
  box.slice_bytes = box.row_bytes * box.height;
  const device& on = device_of(in.device);
  const std::size_t bytes = box.slice_bytes * box.depth;
  require(bytes <= on.total_bytes - on.used_bytes, abi::error_out_of_memory);
  std::shared_ptr<std::byte[]> memory(new std::byte[bytes]);
  std::memset(memory.get(), 0xa5, bytes);  // garbage on purpose
  box.first = memory.get();
  auto made = std::make_shared<array_object>(array_object{in, what, box, std::move(memory), is_level});
  return state<image_state>().arrays.add(std::move(made));
}

/// Effects: waits for the work of the context's streams with the memory.
template <class Owner>
void wait_for_owner(driver_lock& lock, const Owner& object) {
  check_context(object.owner);
  wait_for_all(lock, object.owner);
}

void set_levels(texture_view& view, const array_object& from) {
  view.format = {static_cast<unsigned>(from.made.format), from.made.channels};
  view.layered = (from.made.flags & abi::array_layered) != 0;
  view.cube = (from.made.flags & abi::array_cubemap) != 0;
  view.levels.push_back(from.box);
}

/// Returns: a view of the memory that a resource describes. Throws: refusal.
std::shared_ptr<texture_view> view_of(const device& on, const abi::resource_descriptor& what) {
  auto view = std::make_shared<texture_view>();
  const auto add_memory = [&](abi::device_pointer address, abi::array_format format, unsigned channels,
                              const texel_box& shape, std::size_t bytes) {
    view->format = {static_cast<unsigned>(format), channels};
    texel_box box = shape;
    box.first = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
    box.texel_bytes = texel_bytes_of(format, channels);
    require(address != 0 && address % static_cast<std::size_t>(on.attribute(14).value_or(1)) == 0);
    state<memory_table>().require_range(address, bytes);
    view->levels.push_back(box);
  };
  switch (what.type) {
    case abi::resource_type::array: {
      const auto array = array_of(what.of_array.handle);
      view->keeps = array->memory;
      set_levels(*view, *array);
      return view;
    }
    case abi::resource_type::mipmapped_array: {
      const auto found = state<image_state>().mipmaps.find(what.of_mipmap.handle);
      require(found != nullptr);
      for (const abi::array each : found->levels) set_levels(*view, *array_of(each));
      return view;
    }
    case abi::resource_type::linear: {
      const std::size_t texel = texel_bytes_of(what.linear.format, what.linear.channels);
      const std::size_t count = what.linear.bytes / texel;
      require(count != 0 && count <= std::size_t{1} << 28);
      add_memory(what.linear.address, what.linear.format, what.linear.channels, {.width = count}, count * texel);
      return view;
    }
    case abi::resource_type::pitch2d: {
      const auto& given = what.pitch2d;
      const std::size_t texel = texel_bytes_of(given.format, given.channels);
      const auto most = [&](int code) { return static_cast<std::size_t>(on.attribute(code).value_or(0)); };
      require(given.width != 0 && given.height != 0 && given.width <= most(70) && given.height <= most(71));
      require(given.pitch_bytes <= most(72) && given.pitch_bytes % most(51) == 0 &&
              given.pitch_bytes >= given.width * texel);
      add_memory(given.address, given.format, given.channels,
                 {.width = given.width, .height = given.height, .row_bytes = given.pitch_bytes},
                 given.pitch_bytes * (given.height - 1) + given.width * texel);
      return view;
    }
  }
  refuse(abi::error_invalid_value);
}

/// Effects: restricts a texture to the part that a view of its array shows. Throws: refusal.
void see_part(texture_view& view, const abi::resource_descriptor& of, const abi::resource_view_descriptor& seen) {
  const bool is_mipmap = of.type == abi::resource_type::mipmapped_array;
  require(is_mipmap || of.type == abi::resource_type::array);
  const auto whole =
      array_of(is_mipmap ? state<image_state>().mipmaps.find(of.of_mipmap.handle)->levels.front() : of.of_array.handle);
  const abi::array_descriptor& made = whole->made;
  require(seen.width == made.width && seen.height == made.height && seen.depth == made.depth);
  require(seen.first_level <= seen.last_level && seen.last_level < view.levels.size());
  const bool layers = view.layered || view.cube;
  require(seen.first_layer <= seen.last_layer && seen.last_layer < (layers ? made.depth : 1));
  require(!view.cube || (seen.first_layer % 6 == 0 && seen.last_layer % 6 == 5));
  // In groups of three: 1, 2 or 4 channels of each type. The driver requires a format for a view.
  constexpr unsigned types[] = {0x01, 0x08, 0x02, 0x09, 0x03, 0x0a, 0x10, 0x20};
  require(seen.format >= 1 && seen.format <= 24);
  const unsigned channels = 1u << (seen.format - 1) % 3;
  const auto type = static_cast<abi::array_format>(types[(seen.format - 1) / 3]);
  require(texel_bytes_of(type, channels) == texel_bytes_of(made.format, made.channels));
  view.format = {static_cast<unsigned>(type), channels};
  view.levels = {view.levels.begin() + seen.first_level, view.levels.begin() + seen.last_level + 1};
  for (texel_box& each : view.levels) {
    if (!layers) continue;
    each.first += seen.first_layer * each.slice_bytes;
    each.depth = seen.last_layer - seen.first_layer + 1;
  }
}

}  // namespace

namespace entries {

abi::status array_create(abi::array* result, const abi::array_descriptor* what) {
  return entry([&] {
    context& in = current_context();
    require(result != nullptr && what != nullptr);
    check_descriptor(device_of(in.device), *what, false);
    *result = add_array(in, *what, false);
    state<ledger>().add(object_kind::array, *result);
  });
}
abi::status array_destroy(abi::array handle) {
  return entry([&](driver_lock& lock) {
    state<ledger>().remove(object_kind::array, handle);
    const auto found = array_of(handle);
    require(!found->is_level);
    wait_for_owner(lock, *found);
    state<image_state>().arrays.remove(handle);
  });
}
abi::status array_get_descriptor(abi::array_descriptor* result, abi::array handle) {
  return entry([&] {
    require(result != nullptr);
    *result = array_of(handle)->made;
  });
}

abi::status mipmapped_array_create(abi::mipmapped_array* result, const abi::array_descriptor* what, unsigned levels) {
  return entry([&] {
    context& in = current_context();
    require(result != nullptr && what != nullptr && levels != 0);
    check_descriptor(device_of(in.device), *what, true);
    const bool layers = (what->flags & (abi::array_layered | abi::array_cubemap)) != 0;
    const std::size_t largest = std::max({what->width, what->height, layers ? std::size_t{1} : what->depth});
    levels = std::min(levels, static_cast<unsigned>(std::bit_width(largest)));
    auto made = std::make_shared<mipmap_object>(mipmap_object{in, *what, {}});
    abi::array_descriptor level = *what;
    for (unsigned i = 0; i < levels; ++i) {
      made->levels.push_back(add_array(in, level, true));
      const auto halve = [](std::size_t& extent) {
        if (extent > 1) extent /= 2;
      };
      halve(level.width);
      halve(level.height);
      if (!layers) halve(level.depth);
    }
    *result = state<image_state>().mipmaps.add(std::move(made));
    state<ledger>().add(object_kind::mipmap, *result);
  });
}
abi::status mipmapped_array_get_level(abi::array* result, abi::mipmapped_array of, unsigned level) {
  return entry([&] {
    const auto found = state<image_state>().mipmaps.find(of);
    require(result != nullptr && found != nullptr && level < found->levels.size());
    *result = found->levels[level];
  });
}
abi::status mipmapped_array_destroy(abi::mipmapped_array handle) {
  return entry([&](driver_lock& lock) {
    state<ledger>().remove(object_kind::mipmap, handle);
    const auto found = state<image_state>().mipmaps.find(handle);
    require(found != nullptr);
    wait_for_owner(lock, *found);
    for (const abi::array each : found->levels) state<image_state>().arrays.remove(each);
    state<image_state>().mipmaps.remove(handle);
  });
}

abi::status texture_create(abi::texture_object* result, const abi::resource_descriptor* resource,
                           const abi::texture_descriptor* texture,
                           const abi::resource_view_descriptor* view_descriptor) {
  return entry([&] {
    context& in = current_context();
    require(result != nullptr && resource != nullptr && texture != nullptr);
    const std::shared_ptr<texture_view> view = view_of(device_of(in.device), *resource);
    if (view_descriptor != nullptr) see_part(*view, *resource, *view_descriptor);
    for (int axis = 0; axis < 3; ++axis) {
      require(texture->address[axis] <= abi::address_mode::border);
      view->address[axis] = static_cast<unsigned>(texture->address[axis]);
    }
    require(texture->filter <= abi::filter_mode::linear && texture->mipmap_filter <= abi::filter_mode::linear);
    view->linear = texture->filter == abi::filter_mode::linear;
    view->as_integer = (texture->flags & abi::texture_read_as_integer) != 0;
    view->normalised = (texture->flags & abi::texture_normalized_coordinates) != 0;
    view->srgb = (texture->flags & abi::texture_srgb) != 0;
    view->seamless = view->cube && (texture->flags & abi::texture_seamless_cubemap) != 0;
    view->mip_linear = texture->mipmap_filter == abi::filter_mode::linear;
    view->bias = texture->mipmap_level_bias;
    view->least_level = texture->min_mipmap_level;
    view->last_level = texture->max_mipmap_level;
    std::copy(std::begin(texture->border_colour), std::end(texture->border_colour), view->border);
    const bool wide = resource->type == abi::resource_type::mipmapped_array;
    require(!wide || view->normalised);
    const auto type = static_cast<abi::array_format>(view->format.type);
    const bool whole = type == abi::array_format::unsigned_int32 || type == abi::array_format::signed_int32;
    const bool floating = type == abi::array_format::half || type == abi::array_format::float_;
    require(!view->linear || (!whole && (floating || !view->as_integer)));
    require(!view->srgb || type == abi::array_format::unsigned_int8);
    *result = add_texture(view);
    const auto seen = view_descriptor == nullptr ? std::nullopt : std::optional(*view_descriptor);
    state<image_state>().textures.emplace(*result, texel_object{in, *resource, *texture, seen});
    state<ledger>().add(object_kind::texture, static_cast<std::uintptr_t>(*result));
  });
}
abi::status texture_destroy(abi::texture_object object) {
  return entry([&](driver_lock& lock) {
    state<ledger>().remove(object_kind::texture, static_cast<std::uintptr_t>(object));
    const auto found = state<image_state>().textures.find(object);
    require(found != state<image_state>().textures.end());
    wait_for_owner(lock, found->second);
    state<image_state>().textures.erase(object);
    remove_texture(object);
  });
}
abi::status texture_get_resource(abi::resource_descriptor* result, abi::texture_object object) {
  return entry([&] {
    const auto found = state<image_state>().textures.find(object);
    require(result != nullptr && found != state<image_state>().textures.end());
    *result = found->second.resource;
  });
}
abi::status texture_get_descriptor(abi::texture_descriptor* result, abi::texture_object object) {
  return entry([&] {
    const auto found = state<image_state>().textures.find(object);
    require(result != nullptr && found != state<image_state>().textures.end());
    *result = found->second.texture;
  });
}

abi::status texture_get_view(abi::resource_view_descriptor* result, abi::texture_object object) {
  return entry([&] {
    const auto found = state<image_state>().textures.find(object);
    require(result != nullptr && found != state<image_state>().textures.end() && found->second.view.has_value());
    *result = *found->second.view;
  });
}

abi::status surface_create(abi::surface_object* result, const abi::resource_descriptor* resource) {
  return entry([&] {
    context& in = current_context();
    require(result != nullptr && resource != nullptr && resource->type == abi::resource_type::array);
    require((array_of(resource->of_array.handle)->made.flags & abi::array_surface_ldst) != 0);
    *result = add_surface(view_of(device_of(in.device), *resource));
    state<image_state>().surfaces.emplace(*result, texel_object{in, *resource, {}, {}});
    state<ledger>().add(object_kind::surface, static_cast<std::uintptr_t>(*result));
  });
}
abi::status surface_destroy(abi::surface_object object) {
  return entry([&](driver_lock& lock) {
    state<ledger>().remove(object_kind::surface, static_cast<std::uintptr_t>(object));
    const auto found = state<image_state>().surfaces.find(object);
    require(found != state<image_state>().surfaces.end());
    wait_for_owner(lock, found->second);
    state<image_state>().surfaces.erase(object);
    remove_surface(object);
  });
}
abi::status surface_get_resource(abi::resource_descriptor* result, abi::surface_object object) {
  return entry([&] {
    const auto found = state<image_state>().surfaces.find(object);
    require(result != nullptr && found != state<image_state>().surfaces.end());
    *result = found->second.resource;
  });
}

abi::status device_get_texture1d_linear_max_width(std::size_t* result, abi::array_format format, unsigned channels,
                                                  abi::device of) {
  return entry([&] {
    (void)device_of(of);
    require(result != nullptr);
    (void)texel_bytes_of(format, channels);
    *result = std::size_t{1} << 28;
  });
}

}  // namespace entries

}  // namespace yoke::simulator
