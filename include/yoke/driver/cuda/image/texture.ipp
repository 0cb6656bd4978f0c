// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/image/texture.hpp.
#ifndef YOKE_DRIVER_CUDA_IMAGE_TEXTURE_IPP
#define YOKE_DRIVER_CUDA_IMAGE_TEXTURE_IPP

#include <yoke/driver/cuda/image/texture.hpp>

#include <yoke/core/native.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/image/image_array.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/memory/allocation.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/references.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

namespace yoke::inline v0_1::cuda {

namespace detail {

image_shape shape_of(const array_shape& of) noexcept {
  const std::size_t layers = (of.layers == 0 ? 1 : of.layers) * (of.cubemap ? 6 : 1);
  const bool layered = of.layers != 0 || of.cubemap;
  if (of.height == 0) return {layered ? yoke::image_kind::d1_layered : yoke::image_kind::d1, of.width, 1, 1, layers};
  if (layered) return {yoke::image_kind::d2_layered, of.width, of.height, 1, layers};
  if (of.depth != 0) return {yoke::image_kind::d3, of.width, of.height, of.depth, 1};
  return {yoke::image_kind::d2, of.width, of.height, 1, 1};
}

std::string array_text(const array_shape& of) {
  std::string text = std::to_string(of.width);
  if (of.height != 0) text += yoke::detail::text(" x ", of.height);
  if (of.depth != 0) text += yoke::detail::text(" x ", of.depth);
  if (of.layers != 0) text += yoke::detail::text(", ", of.layers, of.cubemap ? " cubes" : " layers");
  return of.cubemap ? "a cubemap of " + text : "an array of " + text;
}

/// Returns: "an array of 640 x 480 of unorm8 x 4, 1228800 bytes", with the number of levels.
std::string array_text(const array_shape& of, image_format format, unsigned levels) {
  const image_shape counts = shape_of(of);
  std::size_t texels = 0;
  for (unsigned level = 0; level < levels; ++level) {
    const auto halved = [&](std::size_t count) { return (std::max)(count >> level, std::size_t{1}); };
    texels += halved(counts.width) * halved(counts.height) * halved(counts.depth) * counts.layers;
  }
  return text(array_text(of), " of ", yoke::to_string(format), ", ", texels * yoke::detail::texel_bytes(format),
              " bytes");
}

/// Throws: `logic_error` for a size that arrays cannot have, or above the device's limit for textures of its kind.
void check_array(const abi::functions* table, abi::context context, const array_shape& of, bool mipmapped,
                 const source_location& where) {
  using namespace info;
  const auto refuse = [&](const char* why) { throw_error(errc::invalid_argument, where, array_text(of), " ", why); };
  if (of.width == 0) refuse("has width 0");
  if (of.depth != 0 && of.height == 0) refuse("has depth without height");
  if (of.depth != 0 && (of.layers != 0 || of.cubemap)) refuse("has depth, and layers or faces: take one of them");
  if (of.cubemap && of.width != of.height) refuse("has faces that are no squares");
  if (of.gather && (of.height == 0 || of.depth != 0 || of.layers != 0 || of.cubemap)) {
    refuse("cannot be gathered from: only plain arrays of two dimensions can");
  }
  const abi::device device = device_of(table, context, where);
  const auto check = [&](const char* what, std::size_t count, const device_attribute<int>& texture,
                         const device_attribute<int>* surface) {
    for (const device_attribute<int>* const limit : {&texture, of.surface ? surface : nullptr}) {
      if (limit == nullptr) continue;
      const int most = get(*table, device, *limit, where);
      if (count <= static_cast<std::size_t>(most)) continue;
      throw_error(errc::invalid_argument, where, array_text(of), " has ", what, " ", count, ", above this device's ",
                  most, " (", limit->name, ")");
    }
  };
  if (of.cubemap && of.layers == 0) {
    check("width", of.width, maximum_texturecubemap_width, &maximum_surfacecubemap_width);
  } else if (of.cubemap) {
    check("width", of.width, maximum_texturecubemap_layered_width, &maximum_surfacecubemap_layered_width);
    const std::size_t cubes = (std::min)(of.layers, std::numeric_limits<std::size_t>::max() / 6);
    check("faces", 6 * cubes, maximum_texturecubemap_layered_layers, &maximum_surfacecubemap_layered_layers);
  } else if (of.layers != 0 && of.height == 0) {
    check("width", of.width, maximum_texture1d_layered_width, &maximum_surface1d_layered_width);
    check("layers", of.layers, maximum_texture1d_layered_layers, &maximum_surface1d_layered_layers);
  } else if (of.layers != 0) {
    check("width", of.width, maximum_texture2d_layered_width, &maximum_surface2d_layered_width);
    check("height", of.height, maximum_texture2d_layered_height, &maximum_surface2d_layered_height);
    check("layers", of.layers, maximum_texture2d_layered_layers, &maximum_surface2d_layered_layers);
  } else if (of.depth != 0) {
    check("width", of.width, maximum_texture3d_width, &maximum_surface3d_width);
    check("height", of.height, maximum_texture3d_height, &maximum_surface3d_height);
    check("depth", of.depth, maximum_texture3d_depth, &maximum_surface3d_depth);
  } else if (of.height != 0) {
    const auto& width = of.gather   ? maximum_texture2d_gather_width
                        : mipmapped ? maximum_texture2d_mipmapped_width
                                    : maximum_texture2d_width;
    const auto& height = of.gather   ? maximum_texture2d_gather_height
                         : mipmapped ? maximum_texture2d_mipmapped_height
                                     : maximum_texture2d_height;
    check("width", of.width, width, &maximum_surface2d_width);
    check("height", of.height, height, &maximum_surface2d_height);
  } else {
    check("width", of.width, mipmapped ? maximum_texture1d_mipmapped_width : maximum_texture1d_width,
          &maximum_surface1d_width);
  }
}

abi::array_descriptor array_descriptor(image_format format, const array_shape& of) noexcept {
  abi::array_descriptor result{};
  result.width = of.width;
  result.height = of.height;
  result.depth = of.cubemap ? 6 * (std::max)(of.layers, std::size_t{1}) : of.layers != 0 ? of.layers : of.depth;
  result.format = native_format(format.type);
  result.channels = format.channels;
  result.flags = (of.layers != 0 ? abi::array_layered : 0) | (of.cubemap ? abi::array_cubemap : 0) |
                 (of.surface ? abi::array_surface_ldst : 0) | (of.gather ? abi::array_texture_gather : 0);
  return result;
}

/// Returns: the size and abilities in a driver's description.
array_shape shape_of(const abi::array_descriptor& has) noexcept {
  array_shape shape{.width = has.width, .height = has.height};
  shape.cubemap = (has.flags & abi::array_cubemap) != 0;
  if ((has.flags & abi::array_layered) != 0) {
    shape.layers = shape.cubemap ? has.depth / 6 : has.depth;
  } else if (!shape.cubemap) {
    shape.depth = has.depth;
  }
  shape.surface = (has.flags & abi::array_surface_ldst) != 0;
  shape.gather = (has.flags & abi::array_texture_gather) != 0;
  return shape;
}

/// Throws: `logic_error` for an address or a pitch that the device's textures cannot have.
void check_linear(const abi::functions* table, abi::device device, const abi::resource_descriptor& of,
                  const source_location& where) {
  const bool pitched = of.type == abi::resource_type::pitch2d;
  const abi::device_pointer address = pitched ? of.pitch2d.address : of.linear.address;
  const auto refuse_none = [&](const char* what, std::size_t value) {
    if (value == 0) throw_error(errc::invalid_argument, where, "a texture over memory has ", what, " 0");
  };
  if (pitched) {
    refuse_none("width", of.pitch2d.width);
    refuse_none("height", of.pitch2d.height);
    refuse_none("pitch", of.pitch2d.pitch_bytes);
  } else {
    refuse_none("texels", of.linear.bytes);
  }
  const auto alignment = static_cast<abi::device_pointer>(get(*table, device, info::texture_alignment, where));
  if (address % alignment != 0) {
    throw_error(errc::misaligned, where, "a texture over memory at 0x", yoke::detail::hex_digits(address),
                ", which is no multiple of ", alignment, " (CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT)");
  }
  const auto check = [&](const char* what, std::size_t value, std::size_t most, const char* name) {
    if (value <= most) return;
    throw_error(errc::invalid_argument, where, "a texture over memory has ", what, " ", value, ", above this device's ",
                most, " (", name, ")");
  };
  if (!pitched) {
    std::size_t most = 0;
    invoke<&abi::functions::device_get_texture1d_linear_max_width>(table, where, &most, of.linear.format,
                                                                   of.linear.channels, device);
    const abi::array_descriptor texel{0, 0, 0, of.linear.format, of.linear.channels, 0};
    const std::size_t channel =
        (texel.format == abi::array_format::unsigned_int8 || texel.format == abi::array_format::signed_int8) ? 1
        : texel.format == abi::array_format::unsigned_int32 || texel.format == abi::array_format::signed_int32 ||
                texel.format == abi::array_format::float_
            ? 4
            : 2;
    return check("texels", of.linear.bytes / (channel * of.linear.channels), most,
                 "cuDeviceGetTexture1DLinearMaxWidth");
  }
  const auto step = static_cast<std::size_t>(get(*table, device, info::texture_pitch_alignment, where));
  if (of.pitch2d.pitch_bytes % step != 0) {
    throw_error(errc::misaligned, where, "a texture over rows ", of.pitch2d.pitch_bytes,
                " bytes apart, which is no multiple of ", step, " (CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT)");
  }
  const auto limit = [&](const device_attribute<int>& which) {
    return static_cast<std::size_t>(get(*table, device, which, where));
  };
  check("width", of.pitch2d.width, limit(info::maximum_texture2d_linear_width),
        info::maximum_texture2d_linear_width.name);
  check("height", of.pitch2d.height, limit(info::maximum_texture2d_linear_height),
        info::maximum_texture2d_linear_height.name);
  check("pitch", of.pitch2d.pitch_bytes, limit(info::maximum_texture2d_linear_pitch),
        info::maximum_texture2d_linear_pitch.name);
}

/// Whether a texture's memory is a cubemap, or a mipmapped one.
bool is_cubemap(const abi::functions* table, abi::context context, const abi::resource_descriptor& of,
                const source_location& where) {
  const bool is_mipmap = of.type == abi::resource_type::mipmapped_array;
  if (!is_mipmap && of.type != abi::resource_type::array) return false;
  const current_context scope(table, context, where);
  abi::array whole = of.of_array.handle;
  if (is_mipmap) invoke<&abi::functions::mipmapped_array_get_level>(table, where, &whole, of.of_mipmap.handle, 0u);
  abi::array_descriptor has{};
  invoke<&abi::functions::array_get_descriptor>(table, where, &has, whole);
  return (has.flags & abi::array_cubemap) != 0;
}

/// Returns: the driver's enumerator for a format of a view.
unsigned native_view_format(image_format of) noexcept {
  const unsigned first = [&]() -> unsigned {
    switch (native_format(of.type)) {
      case abi::array_format::unsigned_int8: return abi::view_uint_1x8;
      case abi::array_format::signed_int8: return abi::view_sint_1x8;
      case abi::array_format::unsigned_int16: return abi::view_uint_1x16;
      case abi::array_format::signed_int16: return abi::view_sint_1x16;
      case abi::array_format::unsigned_int32: return abi::view_uint_1x32;
      case abi::array_format::signed_int32: return abi::view_sint_1x32;
      case abi::array_format::half: return abi::view_float_1x16;
      case abi::array_format::float_: break;
    }
    return abi::view_float_1x32;
  }();
  return first + (of.channels == 1 ? 0 : of.channels == 2 ? 1 : 2);
}

/// Returns: the driver's description of a view. Throws: `logic_error` for levels or layers that the array does not
/// have, for texels of another size, and for memory that is not an array.
abi::resource_view_descriptor view_descriptor(const abi::functions* table, const abi::resource_descriptor& resource,
                                              image_format format, unsigned levels, const texture_view& view,
                                              const source_location& where) {
  const bool is_mipmap = resource.type == abi::resource_type::mipmapped_array;
  if (!is_mipmap && resource.type != abi::resource_type::array) {
    throw_error(errc::invalid_argument,
                "only arrays and mipmapped arrays have views: a texture over memory sees all of it", where);
  }
  const image_format seen = view.format.value_or(format);
  if (yoke::detail::texel_bytes(seen) != yoke::detail::texel_bytes(format)) {
    throw_error(errc::size_mismatch, where, "a view with texels of ", yoke::detail::texel_bytes(seen), " bytes, ",
                yoke::to_string(seen), ", of an array whose texels have ", yoke::detail::texel_bytes(format));
  }
  const auto check = [&](const char* what, unsigned first, unsigned last, std::size_t count) {
    if (first <= last && last < count) return;
    throw_error(errc::out_of_range, where, "a view of ", what, " ", first, " to ", last, ", of which there are ",
                count);
  };
  check("levels", view.first_level, view.last_level, is_mipmap ? levels : 1);
  abi::array whole = resource.of_array.handle;
  if (is_mipmap) {
    invoke<&abi::functions::mipmapped_array_get_level>(table, where, &whole, resource.of_mipmap.handle, 0u);
  }
  abi::array_descriptor has{};
  invoke<&abi::functions::array_get_descriptor>(table, where, &has, whole);
  const bool layered = (has.flags & (abi::array_layered | abi::array_cubemap)) != 0;
  check("layers", view.first_layer, view.last_layer, layered ? has.depth : 1);
  if ((has.flags & abi::array_cubemap) != 0 && (view.first_layer % 6 != 0 || view.last_layer % 6 != 5)) {
    throw_error(errc::invalid_argument, where, "a view of layers ", view.first_layer, " to ", view.last_layer,
                " of cubes, which have six each");
  }
  abi::resource_view_descriptor result{};
  result.format = native_view_format(seen);  // drivers require the format of a view
  result.width = has.width;
  result.height = has.height;
  result.depth = has.depth;
  result.first_level = view.first_level;
  result.last_level = view.last_level;
  result.first_layer = view.first_layer;
  result.last_layer = view.last_layer;
  return result;
}

}  // namespace detail

image_array* texture_functions::create_array(abi::context context, image_format format, const array_shape& shape,
                                             const source_location& where) const {
  detail::check_array(table(), context, shape, false, where);
  auto record = std::make_unique<image_array>();
  record->kind = detail::shape_of(shape).kind;
  const abi::array_descriptor wanted = detail::array_descriptor(format, shape);
  const detail::current_context scope(table(), context, where);
  const abi::status status = detail::call_present<&abi::functions::array_create>(
      table(), where, &record->array, static_cast<const abi::array_descriptor*>(&wanted));
  if (status != abi::success) {
    detail::throw_no_memory(table(), context, status, "cuArray3DCreate", detail::array_text(shape, format, 1), where);
  }
  return record.release();
}
abi::array_descriptor texture_functions::array_descriptor_of(abi::array native, const source_location& where) const {
  abi::array_descriptor result{};
  detail::invoke<&abi::functions::array_get_descriptor>(table(), where, &result, native);
  return result;
}
image_array* texture_functions::adopt_array(abi::context context, abi::array native, image_format format, bool owned,
                                            array_shape& shape, const source_location& where) const {
  auto record = std::make_unique<image_array>();
  const detail::current_context scope(table(), context, where);
  const abi::array_descriptor has =
      yoke::detail::ask_native("array", native, where, [&] { return array_descriptor_of(native, where); });
  if (has.format != detail::native_format(format.type) || has.channels != format.channels) {
    detail::throw_error(errc::invalid_argument, where,
                        yoke::detail::native_text("array", yoke::detail::native_value(native)),
                        " has another format than ", yoke::to_string(format));
  }
  shape = detail::shape_of(has);
  record->array = native;
  record->owned = owned;
  record->kind = detail::shape_of(shape).kind;
  return record.release();
}

abi::mipmapped_array texture_functions::create_mipmapped(abi::context context, image_format format,
                                                         const array_shape& shape, unsigned levels,
                                                         const source_location& where) const {
  detail::check_array(table(), context, shape, true, where);
  const auto most = static_cast<unsigned>(std::bit_width((std::max)({shape.width, shape.height, shape.depth})));
  if (levels == 0 || levels > most) {
    detail::throw_error(errc::invalid_argument, where, "a mipmap of ", detail::array_text(shape), " has 1 to ", most,
                        " levels, not ", levels);
  }
  const abi::array_descriptor wanted = detail::array_descriptor(format, shape);
  const detail::current_context scope(table(), context, where);
  abi::mipmapped_array made = nullptr;
  const abi::status status = detail::call_present<&abi::functions::mipmapped_array_create>(
      table(), where, &made, static_cast<const abi::array_descriptor*>(&wanted), levels);
  if (status != abi::success) {
    detail::throw_no_memory(
        table(), context, status, "cuMipmappedArrayCreate",
        detail::text("a mipmap of ", levels, " levels of ", detail::array_text(shape, format, levels)), where);
  }
  return made;
}
abi::array texture_functions::mipmap_level(abi::mipmapped_array of, unsigned level,
                                           const source_location& where) const {
  abi::array found = nullptr;
  detail::invoke<&abi::functions::mipmapped_array_get_level>(table(), where, &found, of, level);
  return found;
}
release_result texture_functions::release_mipmapped(abi::context context, abi::mipmapped_array of) const noexcept {
  return detail::release_in(table(), context,
                            [&] { return detail::release<&abi::functions::mipmapped_array_destroy>(table(), of); });
}

abi::texture_object texture_functions::create_texture(abi::context context, const abi::resource_descriptor& resource,
                                                      const abi::texture_descriptor& texture, image_format format,
                                                      unsigned levels, const texture_view* view,
                                                      const source_location& where) const {
  const channel_type type = view != nullptr && view->format.has_value() ? view->format->type : format.type;
  const bool as_integer = (texture.flags & abi::texture_read_as_integer) != 0;
  const bool whole = type == channel_type::signed32 || type == channel_type::unsigned32;
  const bool floating = type == channel_type::float32 || type == channel_type::half_float;
  if (texture.filter == abi::filter_mode::linear && (whole || (as_integer && !floating))) {
    detail::throw_error(errc::invalid_argument, where,
                        "a texture of integers cannot be filtered: take filter_mode::nearest, or read 8 and 16 bits as "
                        "numbers from 0 to 1");
  }
  if ((texture.flags & abi::texture_srgb) != 0 &&
      (yoke::detail::channel_bytes(type) != 1 || type == channel_type::signed8 || type == channel_type::snorm8)) {
    detail::throw_error(errc::invalid_argument, where, "a texture of ", yoke::to_string({type, 1}),
                        " cannot be read as sRGB: only 8 bits without a sign can");
  }
  if ((texture.flags & abi::texture_seamless_cubemap) != 0 && !detail::is_cubemap(table(), context, resource, where)) {
    detail::throw_error(errc::invalid_argument, where,
                        "a texture with seamless_cubemap of what is no array made with .cubemap");
  }
  if (texture.max_anisotropy > 16) {
    detail::throw_error(errc::invalid_argument, where, "a texture with max_anisotropy ", texture.max_anisotropy,
                        ", above 16");
  }
  if (resource.type == abi::resource_type::mipmapped_array && !(texture.min_mipmap_level <= texture.max_mipmap_level)) {
    detail::throw_error(errc::invalid_argument, where, "a texture of a mipmapped array has least_level ",
                        std::to_string(texture.min_mipmap_level), ", above its last_level ",
                        std::to_string(texture.max_mipmap_level));
  }
  if (!(texture.min_mipmap_level >= 0) || !std::isfinite(texture.mipmap_level_bias)) {
    detail::throw_error(errc::invalid_argument, where, "a texture with least_level ",
                        std::to_string(texture.min_mipmap_level), " and level_bias ",
                        std::to_string(texture.mipmap_level_bias), ": levels count from 0 on, and a bias is a number");
  }
  const bool normalised = (texture.flags & abi::texture_normalized_coordinates) != 0;
  if (resource.type == abi::resource_type::mipmapped_array && !normalised) {
    detail::throw_error(errc::invalid_argument, where, "a texture of a mipmapped array needs normalised coordinates");
  }
  for (const abi::address_mode each : texture.address) {
    if (normalised || (each != abi::address_mode::wrap && each != abi::address_mode::mirror)) continue;
    detail::throw_error(errc::invalid_argument, where,
                        "a texture with address_mode::", each == abi::address_mode::wrap ? "repeat" : "mirrored_repeat",
                        " needs normalised coordinates");
  }
  if (resource.type == abi::resource_type::linear || resource.type == abi::resource_type::pitch2d) {
    detail::check_linear(table(), detail::device_of(table(), context, where), resource, where);
  }
  const detail::current_context scope(table(), context, where);
  abi::resource_view_descriptor seen{};
  if (view != nullptr) seen = detail::view_descriptor(table(), resource, format, levels, *view, where);
  abi::texture_object made = 0;
  detail::invoke<&abi::functions::texture_create>(
      table(), where, &made, static_cast<const abi::resource_descriptor*>(&resource),
      static_cast<const abi::texture_descriptor*>(&texture),
      static_cast<const abi::resource_view_descriptor*>(view != nullptr ? &seen : nullptr));
  return made;
}
std::size_t texture_functions::align_texture(abi::context context, abi::resource_descriptor& resource,
                                             image_format format, const source_location& where) const {
  if (resource.type != abi::resource_type::linear) return 0;
  const auto alignment = static_cast<abi::device_pointer>(
      get(*table(), detail::device_of(table(), context, where), info::texture_alignment, where));
  const auto distance = static_cast<std::size_t>(resource.linear.address % alignment);
  const std::size_t texel = yoke::detail::texel_bytes(format);
  if (distance % texel != 0) {
    detail::throw_error(errc::misaligned, where, "a texture over memory at 0x",
                        yoke::detail::hex_digits(resource.linear.address), ", which is ", distance,
                        " bytes behind a multiple of ", alignment,
                        " (CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT): not a whole number of texels of ", texel, " bytes");
  }
  resource.linear.address -= distance;
  resource.linear.bytes += distance;
  return distance / texel;
}
release_result texture_functions::release_texture(abi::context context, abi::texture_object texture) const noexcept {
  return detail::release_in(table(), context,
                            [&] { return detail::release<&abi::functions::texture_destroy>(table(), texture); });
}
abi::resource_descriptor texture_functions::texture_resource(abi::context context, abi::texture_object texture,
                                                             const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::resource_descriptor result{};
  detail::invoke<&abi::functions::texture_get_resource>(table(), where, &result, texture);
  return result;
}
abi::texture_descriptor texture_functions::texture_descriptor_of(abi::context context, abi::texture_object texture,
                                                                 const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::texture_descriptor result{};
  detail::invoke<&abi::functions::texture_get_descriptor>(table(), where, &result, texture);
  return result;
}

abi::resource_view_descriptor texture_functions::texture_view_of(abi::context context, abi::texture_object texture,
                                                                 const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::resource_view_descriptor result{};
  detail::invoke<&abi::functions::texture_get_view>(table(), where, &result, texture);
  return result;
}

abi::surface_object texture_functions::create_surface(abi::context context, abi::array of,
                                                      const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  if ((array_descriptor_of(of, where).flags & abi::array_surface_ldst) == 0) {
    detail::throw_error(errc::invalid_argument, where,
                        "a surface of an array that was made without .surface (CUDA_ARRAY3D_SURFACE_LDST)");
  }
  const abi::resource_descriptor resource = detail::resource_of(of);
  abi::surface_object made = 0;
  detail::invoke<&abi::functions::surface_create>(table(), where, &made,
                                                  static_cast<const abi::resource_descriptor*>(&resource));
  return made;
}
release_result texture_functions::release_surface(abi::context context, abi::surface_object surface) const noexcept {
  return detail::release_in(table(), context,
                            [&] { return detail::release<&abi::functions::surface_destroy>(table(), surface); });
}
abi::resource_descriptor texture_functions::surface_resource(abi::context context, abi::surface_object surface,
                                                             const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::resource_descriptor result{};
  detail::invoke<&abi::functions::surface_get_resource>(table(), where, &result, surface);
  return result;
}

}  // namespace yoke::inline v0_1::cuda

#endif
