// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/image/image.hpp.
#ifndef YOKE_DRIVER_CUDA_IMAGE_IMAGE_IPP
#define YOKE_DRIVER_CUDA_IMAGE_IMAGE_IPP

#include <yoke/driver/cuda/image/image.hpp>

#include <yoke/core/native.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/event.hpp>
#include <yoke/driver/cuda/image/image_array.hpp>
#include <yoke/driver/cuda/image/image_copy.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/memory/allocation.hpp>
#include <yoke/driver/cuda/memory/copy_rows.hpp>
#include <yoke/driver/cuda/memory/memory.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/references.hpp>

#include <cstddef>
#include <memory>

namespace yoke::inline v0_1::cuda {

namespace detail {

abi::array_format native_format(channel_type type) noexcept {
  using enum abi::array_format;
  switch (type) {
    case channel_type::signed8:
    case channel_type::snorm8: return signed_int8;
    case channel_type::signed16:
    case channel_type::snorm16: return signed_int16;
    case channel_type::signed32: return signed_int32;
    case channel_type::unsigned8:
    case channel_type::unorm8:
    case channel_type::srgb8: return unsigned_int8;
    case channel_type::unsigned16:
    case channel_type::unorm16:
    case channel_type::depth16: return unsigned_int16;
    case channel_type::unsigned32: return unsigned_int32;
    case channel_type::half_float: return half;
    case channel_type::float32:
    case channel_type::depth32: break;
  }
  return float_;
}

/// Throws: `unsupported_error` for a format that CUDA lacks.
void check_format(image_format format, const source_location& where) {
  if (!yoke::detail::is_depth(format.type)) return;
  throw_error(errc::unsupported, where, "CUDA has no images of ", yoke::to_string(format), ": take unorm16 or float32");
}

/// The largest size of an image on a device, for textures and for surfaces.
struct image_limit {
  const char* what;
  std::size_t count;
  const device_attribute<int>* texture;
  const device_attribute<int>* surface;
};

/// Throws: `logic_error` for a count of 0 or above the device's limit.
void check_image_limits(const abi::functions* table, abi::context context, const image_shape& shape,
                        kernel_access kernels, const source_location& where) {
  const abi::device device = device_of(table, context, where);
  const auto check = [&](const image_limit& each) {
    if (each.count == 0) {
      throw_error(errc::invalid_argument, where, "a ", yoke::detail::kind_text(shape.kind), " image has ", each.what,
                  " 0");
    }
    for (const device_attribute<int>* const limit : {each.texture, each.surface}) {
      if (limit == each.texture ? kernels == kernel_access::write_only : kernels == kernel_access::read_only) continue;
      const int most = get(*table, device, *limit, where);
      if (each.count <= static_cast<std::size_t>(most)) continue;
      throw_error(errc::invalid_argument, where, "a ", yoke::detail::kind_text(shape.kind), " image of ",
                  yoke::detail::shape_text(shape), " has ", each.what, " ", each.count, ", above this device's ", most,
                  " (", limit->name, ")");
    }
  };
  using namespace info;
  switch (shape.kind) {
    case yoke::image_kind::d1: return check({"width", shape.width, &maximum_texture1d_width, &maximum_surface1d_width});
    case yoke::image_kind::d2:
      check({"width", shape.width, &maximum_texture2d_width, &maximum_surface2d_width});
      return check({"height", shape.height, &maximum_texture2d_height, &maximum_surface2d_height});
    case yoke::image_kind::d3:
      check({"width", shape.width, &maximum_texture3d_width, &maximum_surface3d_width});
      check({"height", shape.height, &maximum_texture3d_height, &maximum_surface3d_height});
      return check({"depth", shape.depth, &maximum_texture3d_depth, &maximum_surface3d_depth});
    case yoke::image_kind::d1_layered:
      check({"width", shape.width, &maximum_texture1d_layered_width, &maximum_surface1d_layered_width});
      return check({"layers", shape.layers, &maximum_texture1d_layered_layers, &maximum_surface1d_layered_layers});
    case yoke::image_kind::d2_layered: break;
  }
  check({"width", shape.width, &maximum_texture2d_layered_width, &maximum_surface2d_layered_width});
  check({"height", shape.height, &maximum_texture2d_layered_height, &maximum_surface2d_layered_height});
  check({"layers", shape.layers, &maximum_texture2d_layered_layers, &maximum_surface2d_layered_layers});
}

/// Returns: the driver's description of an image's array.
abi::array_descriptor descriptor_of(image_format format, const image_shape& shape,
                                    kernel_access kernels = kernel_access::read_write) noexcept {
  abi::array_descriptor result{};
  result.width = shape.width;
  result.height = shape.kind == yoke::image_kind::d1 || shape.kind == yoke::image_kind::d1_layered ? 0 : shape.height;
  result.depth = shape.kind == yoke::image_kind::d3     ? shape.depth
                 : yoke::detail::is_layered(shape.kind) ? shape.layers
                                                        : 0;
  result.format = native_format(format.type);
  result.channels = format.channels;
  result.flags = (kernels == kernel_access::read_only ? 0 : abi::array_surface_ldst) |
                 (yoke::detail::is_layered(shape.kind) ? abi::array_layered : 0);
  return result;
}

/// Returns: the driver's description of a sampler's texture object.
abi::texture_descriptor descriptor_of(const sampler& fields, channel_type type, std::size_t axes) noexcept {
  abi::texture_descriptor result{};
  // A linear filter in one dimension also blends with the rows outside the only one: a border would take half of each
  // value.
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.address[axis] = axis < axes ? native_address(fields.address) : abi::address_mode::clamp;
  }
  result.filter = native_filter(fields.filter);
  if (!yoke::detail::is_read_as_float(type)) result.flags |= abi::texture_read_as_integer;
  if (fields.normalised) result.flags |= abi::texture_normalized_coordinates;
  if (type == channel_type::srgb8) result.flags |= abi::texture_srgb;
  return result;
}

/// Returns: the code of the same sampler with the filter `nearest`.
constexpr unsigned nearest_code(unsigned code) noexcept {
  sampler fields = yoke::detail::sampler_of_code(code);
  fields.filter = filter_mode::nearest;
  return yoke::detail::sampler_code(fields);
}

/// Effects: destroys an image's objects, and its array if it is owned. Returns: the outcome.
release_result end_image(const abi::functions* table, abi::context context, image_array* image,
                         bool with_array) noexcept {
  const std::unique_ptr<image_array> record(image);
  return release_in(table, context, [&] {
    release_result first{0, "cuTexObjectDestroy"};
    const auto& textures = record->parameter.textures;
    for (unsigned code = 0; code < yoke::detail::sampler_codes; ++code) {
      if (textures[code] == 0 || (code != nearest_code(code) && textures[code] == textures[nearest_code(code)]))
        continue;
      add_outcome(first, release<&abi::functions::texture_destroy>(table, textures[code]));
    }
    if (record->parameter.surface != 0) {
      add_outcome(first, release<&abi::functions::surface_destroy>(table, record->parameter.surface));
    }
    if (with_array) add_outcome(first, release<&abi::functions::array_destroy>(table, record->array));
    return first;
  });
}

/// Effects: makes the objects of an array. Returns: its record. Throws: `error`; the array then stays the caller's.
image_array* describe_image(const abi::functions* table, abi::context context, abi::array array, image_format format,
                            const image_shape& shape, bool owned, kernel_access kernels, const source_location& where) {
  auto record = std::make_unique<image_array>();
  record->array = array;
  record->kind = shape.kind;
  record->owned = owned;
  record->parameter.width = static_cast<std::int32_t>(shape.width);
  record->parameter.height = static_cast<std::int32_t>(shape.height);
  record->parameter.depth = static_cast<std::int32_t>(shape.depth);
  record->parameter.layers = static_cast<std::int32_t>(shape.layers);
  record->parameter.type = static_cast<std::int32_t>(format.type);
  record->parameter.channels = format.channels;
  const abi::resource_descriptor resource = resource_of(array);
  const std::size_t axes = shape.kind == yoke::image_kind::d3                                                 ? 3
                           : shape.kind == yoke::image_kind::d1 || shape.kind == yoke::image_kind::d1_layered ? 1
                                                                                                              : 2;
  try {
    for (unsigned code = 0; code < yoke::detail::sampler_codes; ++code) {
      const sampler fields = yoke::detail::sampler_of_code(code);
      if (!yoke::detail::is_possible(fields) || kernels == kernel_access::write_only) continue;
      if (fields.filter == filter_mode::linear && !yoke::detail::is_read_as_float(format.type)) {
        // A kernel may pass one sampler to images of floats and of integers: integers are read without a filter.
        record->parameter.textures[code] = record->parameter.textures[nearest_code(code)];
        continue;
      }
      const abi::texture_descriptor texture = descriptor_of(fields, format.type, axes);
      abi::texture_object made = 0;
      invoke<&abi::functions::texture_create>(table, where, &made,
                                              static_cast<const abi::resource_descriptor*>(&resource),
                                              static_cast<const abi::texture_descriptor*>(&texture),
                                              static_cast<const abi::resource_view_descriptor*>(nullptr));
      record->parameter.textures[code] = made;
    }
    if (kernels != kernel_access::read_only) {
      abi::surface_object made = 0;
      invoke<&abi::functions::surface_create>(table, where, &made,
                                              static_cast<const abi::resource_descriptor*>(&resource));
      record->parameter.surface = made;
    }
  } catch (...) {
    report(end_image(table, context, record.release(), false));
    throw;
  }
  return record.release();
}

/// Effects: enqueues a copy of a box, whose sides are complete but for the pitches.
void enqueue_image_copy(const abi::functions* table, abi::stream stream, abi::copy_3d& request, const image_box& box,
                        const box_side* linear, completion<abi::event> done, const source_location& where) {
  const linear_side side = complete_image_copy(request, box, linear);
  enqueue_copy<&abi::functions::memcpy_3d_async>(table, stream, side.sides(), where,
                                                 static_cast<const abi::copy_3d*>(&request));
  if (done.blocks() || done.wanted()) finish_or_record(table, stream, done, where);
}

}  // namespace detail

image_array* image_functions::create_image(abi::context context, image_format format, const image_shape& shape,
                                           kernel_access kernels, const source_location& where) const {
  detail::check_format(format, where);
  detail::check_image_limits(table(), context, shape, kernels, where);
  const detail::current_context scope(table(), context, where);
  const abi::array_descriptor wanted = detail::descriptor_of(format, shape, kernels);
  abi::array array = nullptr;
  const abi::status status =
      detail::call<&abi::functions::array_create>(table(), &array, static_cast<const abi::array_descriptor*>(&wanted));
  if (status != abi::success) {
    detail::throw_no_memory(table(), context, status, "cuArray3DCreate", yoke::detail::image_text(shape, format),
                            where);
  }
  try {
    if (format.type == channel_type::srgb8 && kernels == kernel_access::read_write) kernels = kernel_access::read_only;
    return detail::describe_image(table(), context, array, format, shape, true, kernels, where);
  } catch (...) {
    detail::report(detail::release<&abi::functions::array_destroy>(table(), array));
    throw;
  }
}

image_array* image_functions::adopt_image(abi::context context, abi::array native, image_format format,
                                          const image_shape& shape, bool owned, const source_location& where) const {
  detail::check_format(format, where);
  const detail::current_context scope(table(), context, where);
  abi::array_descriptor has{};
  yoke::detail::ask_native("image", native, where, [&] {
    detail::invoke<&abi::functions::array_get_descriptor>(table(), where, &has, native);
    return 0;
  });
  const abi::array_descriptor wanted = detail::descriptor_of(format, shape);
  const auto value = yoke::detail::native_value(native);
  if (has.format != wanted.format || has.channels != wanted.channels) {
    detail::throw_error(errc::invalid_argument, where, yoke::detail::native_text("image", value),
                        " has another format than ", yoke::to_string(format));
  }
  const unsigned kinds = abi::array_layered | abi::array_cubemap;
  if (has.width != wanted.width || has.height != wanted.height || has.depth != wanted.depth ||
      (has.flags & kinds) != (wanted.flags & kinds)) {
    detail::throw_error(errc::size_mismatch, where, yoke::detail::native_text("image", value), " is an array of ",
                        has.width, " x ", has.height, " x ", has.depth, ", no ", yoke::detail::kind_text(shape.kind),
                        " image of ", yoke::detail::shape_text(shape));
  }
  const bool writable = (has.flags & abi::array_surface_ldst) != 0 && format.type != channel_type::srgb8;
  return detail::describe_image(table(), context, native, format, shape, owned,
                                writable ? kernel_access::read_write : kernel_access::read_only, where);
}

release_result image_functions::release_image(abi::context context, image_array* image) const noexcept {
  return detail::end_image(table(), context, image, image->owned);
}
release_result image_functions::detach_image(abi::context context, image_array* image) const noexcept {
  return detail::end_image(table(), context, image, false);
}
abi::array image_functions::native_of_image(image_array* image) const noexcept { return image->array; }
kernel_argument image_functions::image_argument(image_array* image) const noexcept {
  return {argument_kind::value, &image->parameter, sizeof image->parameter};
}
kernel_access image_functions::access_to_image(image_array* image, const source_location&) const noexcept {
  if (image->parameter.surface == 0) return kernel_access::read_only;
  return image->parameter.textures[0] == 0 ? kernel_access::write_only : kernel_access::read_write;
}

void image_functions::write_image(abi::stream stream, image_array* destination, const image_box& to, const void* source,
                                  const box_side& from, completion<abi::event> done,
                                  const source_location& where) const {
  abi::copy_3d request{};
  request.source_type = abi::memory_type::host;
  request.source_host = static_cast<const std::byte*>(source) + from.offset;
  detail::set_destination(request, *destination, to);
  detail::enqueue_image_copy(table(), stream, request, to, &from, done, where);
}
void image_functions::read_image(abi::stream stream, image_array* source, const image_box& from, void* destination,
                                 const box_side& to, completion<abi::event> done, const source_location& where) const {
  abi::copy_3d request{};
  detail::set_source(request, *source, from);
  request.destination_type = abi::memory_type::host;
  request.destination_host = static_cast<std::byte*>(destination) + to.offset;
  detail::enqueue_image_copy(table(), stream, request, from, &to, done, where);
}
void image_functions::copy_image(abi::stream stream, image_array* source, const image_box& from,
                                 image_array* destination, const image_box& to, completion<abi::event> done,
                                 const source_location& where) const {
  abi::copy_3d request{};
  detail::set_source(request, *source, from);
  detail::set_destination(request, *destination, to);
  // The layers of a 1D image correspond to the rows of a 2D image: this copy is made row by row.
  if ((from.kind == yoke::image_kind::d1_layered) == (to.kind == yoke::image_kind::d1_layered)) {
    return detail::enqueue_image_copy(table(), stream, request, from, nullptr, done, where);
  }
  image_box row = from;
  row.height = 1;
  for (std::size_t y = 0; y < from.height; ++y) {
    const bool last = y + 1 == from.height;
    detail::enqueue_image_copy(table(), stream, request, row, nullptr,
                               last ? done : completion<abi::event>::unwatched(), where);
    ++(from.kind == yoke::image_kind::d1_layered ? request.source_z : request.source_y);
    ++(to.kind == yoke::image_kind::d1_layered ? request.destination_z : request.destination_y);
  }
}
void image_functions::copy_to_image(abi::stream stream, abi::device_pointer source, const box_side& from,
                                    image_array* destination, const image_box& to, completion<abi::event> done,
                                    const source_location& where) const {
  abi::copy_3d request{};
  request.source_type = abi::memory_type::device;
  request.source_device = source + from.offset;
  detail::set_destination(request, *destination, to);
  detail::enqueue_image_copy(table(), stream, request, to, &from, done, where);
}
void image_functions::copy_from_image(abi::stream stream, image_array* source, const image_box& from,
                                      abi::device_pointer destination, const box_side& to, completion<abi::event> done,
                                      const source_location& where) const {
  abi::copy_3d request{};
  detail::set_source(request, *source, from);
  request.destination_type = abi::memory_type::device;
  request.destination_device = destination + to.offset;
  detail::enqueue_image_copy(table(), stream, request, from, &to, done, where);
}

void image_functions::fill_image(abi::context context, abi::stream stream, image_array* image, const image_box& box,
                                 image_format, const void* texel, const source_location& where) const {
  const auto& memory = part<memory_functions>();
  const std::size_t row_bytes = box.width * box.texel_bytes;
  const abi::device_pointer slice = memory.allocate_ordered(context, stream, row_bytes * box.height, where);
  const auto give_back = [&] { detail::report(memory.release_memory_ordered(context, slice, stream, {})); };
  try {
    memory.fill(stream, slice, 0, texel, box.texel_bytes, box.width * box.height, where);
    image_box part = box;
    part.depth = 1;
    for (std::size_t z = 0; z < box.depth; ++z) {
      part.z = box.z + z;
      copy_to_image(stream, slice, {0, row_bytes, row_bytes * box.height}, image, part,
                    completion<abi::event>::unwatched(), where);
    }
  } catch (...) {
    give_back();
    throw;
  }
  give_back();
}

}  // namespace yoke::inline v0_1::cuda

#endif
