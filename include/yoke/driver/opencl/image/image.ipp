// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/image/image.hpp: the checks before an image is made, and the driver's facts about one.
#ifndef YOKE_DRIVER_OPENCL_IMAGE_IMAGE_IPP
#define YOKE_DRIVER_OPENCL_IMAGE_IMAGE_IPP

#include <yoke/driver/opencl/image/image.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/core/native.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/memory/failed_allocation.hpp>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::opencl {

std::string abi::to_string(const image_format& of) {
  constexpr abi::uint first_order = abi::order_r;
  constexpr const char* orders[] = {"R",         "A",         "RG",    "RA",  "RGB",  "RGBA",  "BGRA",          "ARGB",
                                    "INTENSITY", "LUMINANCE", "Rx",    "RGx", "RGBx", "DEPTH", "DEPTH_STENCIL", "sRGB",
                                    "sRGBx",     "sRGBA",     "sBGRA", "ABGR"};
  constexpr abi::uint first_type = abi::type_snorm_int8;
  constexpr const char* types[] = {
      "SNORM_INT8",       "SNORM_INT16", "UNORM_INT8",   "UNORM_INT16",  "UNORM_SHORT_565",   "UNORM_SHORT_555",
      "UNORM_INT_101010", "SIGNED_INT8", "SIGNED_INT16", "SIGNED_INT32", "UNSIGNED_INT8",     "UNSIGNED_INT16",
      "UNSIGNED_INT32",   "HALF_FLOAT",  "FLOAT",        "UNORM_INT24",  "UNORM_INT_101010_2"};
  const auto name = [](abi::uint value, abi::uint first, std::span<const char* const> names) {
    return value - first < names.size() ? std::string(names[value - first]) : "0x" + yoke::detail::hex_digits(value);
  };
  return name(of.channel_order, first_order, orders) + ", " + name(of.channel_data_type, first_type, types);
}

namespace detail {

abi::image_format native_format(image_format of) noexcept {
  constexpr abi::uint types[] = {abi::type_signed_int8,   abi::type_signed_int16,   abi::type_signed_int32,
                                 abi::type_unsigned_int8, abi::type_unsigned_int16, abi::type_unsigned_int32,
                                 abi::type_half_float,    abi::type_float,          abi::type_snorm_int8,
                                 abi::type_snorm_int16,   abi::type_unorm_int8,     abi::type_unorm_int16,
                                 abi::type_unorm_int8,    abi::type_unorm_int16,    abi::type_float};
  const abi::uint type = types[static_cast<std::size_t>(of.type)];
  if (of.type == channel_type::srgb8) return {abi::order_srgba, type};
  if (yoke::detail::is_depth(of.type)) return {abi::order_depth, type};
  return {of.channels == 1 ? abi::order_r : of.channels == 2 ? abi::order_rg : abi::order_rgba, type};
}

abi::uint native_image_type(image_kind of) noexcept {
  switch (of) {
    case image_kind::d1: return abi::mem_object_image1d;
    case image_kind::d2: return abi::mem_object_image2d;
    case image_kind::d3: return abi::mem_object_image3d;
    case image_kind::d1_layered: return abi::mem_object_image1d_array;
    case image_kind::d2_layered: break;
  }
  return abi::mem_object_image2d_array;
}

/// Throws: `logic_error` with the limit when a count of an image is 0 or exceeds a device's limit.
void check_count(std::size_t count, const char* what, abi::device device, const device_property<std::size_t>& limit,
                 const image_shape& shape, const abi::functions* table, const source_location& where) {
  if (count == 0) {
    throw_error(errc::invalid_argument, where, "a ", yoke::detail::kind_text(shape.kind), " image has ", what, " 0");
  }
  const auto most = query<std::size_t, &abi::functions::get_device_info>(table, where, device, limit.code);
  if (count <= most) return;
  throw_error(errc::invalid_argument, where, "a ", yoke::detail::kind_text(shape.kind), " image of ",
              yoke::detail::shape_text(shape), " has ", what, " ", count, ", above this device's ", most, " (",
              limit.name, ")");
}

/// Throws: an error if a device of the context cannot have an image of this shape.
void check_image(const abi::functions* table, abi::context context, const image_shape& shape,
                 const source_location& where) {
  for (const abi::device device : port(table).context_devices(context, where)) {
    if (query<abi::boolean, &abi::functions::get_device_info>(table, where, device, info::image_support.code) == 0) {
      throw_error(errc::unsupported, where, "the device ",
                  query_text<&abi::functions::get_device_info>(table, where, device, info::name.code),
                  " has no images (CL_DEVICE_IMAGE_SUPPORT)");
    }
    const auto check = [&](std::size_t count, const char* what, const device_property<std::size_t>& limit) {
      check_count(count, what, device, limit, shape, table, where);
    };
    if (shape.kind == image_kind::d3) {
      check(shape.width, "width", info::image3d_max_width);
      check(shape.height, "height", info::image3d_max_height);
      check(shape.depth, "depth", info::image3d_max_depth);
    } else {
      check(shape.width, "width", info::image2d_max_width);  // also for 1D images
      check(shape.height, "height", info::image2d_max_height);
      check(shape.layers, "layers", info::image_max_array_size);
    }
  }
}

/// Returns: "float32, float32 x 4, ...": the supported formats that the library has names for.
std::string formats_text(const std::vector<abi::image_format>& list) {
  std::string result;
  for (unsigned type = 0; type <= static_cast<unsigned>(channel_type::depth32); ++type) {
    for (const unsigned channels : {1u, 2u, 4u}) {
      const image_format each{static_cast<channel_type>(type), static_cast<std::uint8_t>(channels)};
      if (each.type == channel_type::srgb8 && channels != 4) continue;
      if (yoke::detail::is_depth(each.type) && channels != 1) continue;
      if (std::find(list.begin(), list.end(), native_format(each)) == list.end()) continue;
      result += (result.empty() ? "" : ", ") + yoke::to_string(each);
    }
  }
  return result.empty() ? "none" : result;
}

/// `type` is the driver's enumerator for the kind of image, over a buffer or not.
void check_format(const image_functions& of, abi::context context, image_format format, image_kind kind, abi::uint type,
                  abi::ulong flags, const source_location& where) {
  const auto list = of.supported_formats(context, flags, type, where);
  if (std::find(list.begin(), list.end(), native_format(format)) != list.end()) return;
  throw_error(errc::unsupported, where, "this context has no ", yoke::detail::kind_text(kind), " images of ",
              yoke::to_string(format), type == abi::mem_object_image1d_buffer ? " over buffers" : "",
              yoke::detail::is_depth(format.type) ? " (cl_khr_depth_images)" : "", "; it has ", formats_text(list));
}

/// Throws: `logic_error` for pitches that rows or slices of a shape exceed, for pitches without texels of the host, and
/// for fewer texels of the host than the image takes.
inline void check_image_host(const image_shape& shape, image_format format, const image_host& host,
                             const source_location& where) {
  if (host.texels == nullptr) {
    if (host.row_pitch == 0 && host.slice_pitch == 0) return;
    throw_error(errc::invalid_argument, where,
                "an image without texels of the host has no pitches: the driver chooses its own");
  }
  const std::size_t texel = yoke::detail::texel_bytes(format);
  const std::size_t row = shape.width * texel;  // `check_image` has limited the counts
  const std::size_t row_pitch = host.row_pitch == 0 ? row : host.row_pitch;
  if (row_pitch < row) {
    throw_error(errc::size_mismatch, where, "the rows of ", shape.width, " texels do not fit a row pitch of ",
                row_pitch / texel);
  }
  if (shape.kind == image_kind::d1 && host.row_pitch != 0 && row_pitch != row) {
    throw_error(errc::invalid_argument, where, "an image of one dimension has one row, and no row pitch");
  }
  if (shape.kind != image_kind::d3 && host.slice_pitch != 0) {
    throw_error(errc::invalid_argument, where, "an image of ",
                shape.kind == image_kind::d1 ? "one dimension" : "two dimensions", " has no slice pitch");
  }
  std::size_t slice = 0;
  std::size_t bytes = 0;
  bool is_large = __builtin_mul_overflow(row_pitch, shape.height, &slice);
  const std::size_t slice_pitch = host.slice_pitch == 0 ? slice : host.slice_pitch;
  if (!is_large && (slice_pitch < slice || slice_pitch % row_pitch != 0)) {
    throw_error(errc::size_mismatch, where, "a slice pitch of ", slice_pitch / texel,
                " texels is no multiple of the row pitch of ", row_pitch / texel, " that holds ", shape.height,
                " rows");
  }
  is_large = is_large || __builtin_mul_overflow(slice_pitch, shape.depth, &bytes);
  if (is_large || host.bytes < bytes) {
    throw_error(errc::size_mismatch, where, "an image of these pitches takes ",
                is_large ? ~std::size_t{0} / texel : bytes / texel, " texels of the host, and the range has ",
                host.bytes / texel);
  }
}

inline abi::image_desc description_of(const image_shape& shape) noexcept {
  return {.type = native_image_type(shape.kind),
          .width = shape.width,
          .height = shape.height,
          .depth = shape.depth,
          .array_size = shape.layers,
          .row_pitch = 0,
          .slice_pitch = 0,
          .mip_levels = 0,
          .samples = 0,
          .of = nullptr};
}

}  // namespace detail

std::vector<abi::image_format> image_functions::supported_formats(abi::context context, abi::ulong flags,
                                                                  abi::uint type, const source_location& where) const {
  abi::uint count = 0;
  detail::invoke<&abi::functions::get_supported_image_formats>(table(), where, context, flags, type, abi::uint{0},
                                                               static_cast<abi::image_format*>(nullptr), &count);
  std::vector<abi::image_format> list(count);
  if (count == 0) return list;
  detail::invoke<&abi::functions::get_supported_image_formats>(table(), where, context, flags, type, count, list.data(),
                                                               static_cast<abi::uint*>(nullptr));
  return list;
}

abi::memory image_functions::create_image(abi::context context, image_format format, const image_shape& shape,
                                          kernel_access kernels, const source_location& where) const {
  const abi::ulong flags = kernels == kernel_access::read_only    ? abi::mem_read_only
                           : kernels == kernel_access::write_only ? abi::mem_write_only
                                                                  : abi::mem_read_write;
  return create_image_with(context, flags, format, shape, {}, where);
}

abi::memory image_functions::create_image_with(abi::context context, abi::ulong flags, image_format format,
                                               const image_shape& shape, const image_host& host,
                                               const source_location& where) const {
  detail::check_image(table(), context, shape, where);
  detail::check_image_host(shape, format, host, where);
  const abi::ulong access = flags & (abi::mem_read_write | abi::mem_read_only | abi::mem_write_only);
  detail::check_format(*this, context, format, shape.kind, detail::native_image_type(shape.kind), access, where);
  const abi::image_format native = detail::native_format(format);
  abi::image_desc description = detail::description_of(shape);
  description.row_pitch = host.row_pitch;
  description.slice_pitch = host.slice_pitch;
  abi::status status = 0;
  const abi::memory image = detail::entry<&abi::functions::create_image>(table(), where)(
      context, flags, &native, &description, host.texels, &status);
  if (status != 0 || image == nullptr) {
    const std::size_t bytes =
        shape.width * shape.height * shape.depth * shape.layers * yoke::detail::texel_bytes(format);
    detail::throw_no_memory(table(), {status == 0 ? -4 : status, error_category()}, "clCreateImage", context,
                            yoke::detail::image_text(shape, format), bytes, where);
  }
  return image;
}

abi::memory image_functions::create_image_of(abi::context context, abi::memory buffer, image_format format,
                                             const image_shape& shape, std::size_t row_pitch,
                                             const source_location& where) const {
  const abi::image_format native = detail::native_format(format);
  abi::image_desc description = detail::description_of(shape);
  if (shape.kind == image_kind::d1) {
    description.type = abi::mem_object_image1d_buffer;
  } else {
    description.row_pitch = row_pitch;
  }
  description.of = buffer;
  detail::check_format(*this, context, format, shape.kind, description.type, abi::mem_read_write, where);
  abi::status status = 0;
  const abi::memory image = detail::entry<&abi::functions::create_image>(table(), where)(
      context, abi::ulong{0}, &native, &description, nullptr, &status);
  if (status != 0 || image == nullptr) {
    detail::throw_failure(status == 0 ? -4 : status, "clCreateImage",
                          yoke::detail::image_text(shape, format) + " over a buffer", where);
  }
  return image;
}

abi::memory image_functions::adopt_image(abi::context context, abi::memory native, image_format format,
                                         const image_shape& shape, bool, const source_location& where) const {
  constexpr auto get = &abi::functions::get_image_info;
  const auto value = yoke::detail::native_value(native);
  const auto of = yoke::detail::ask_native("image", native, where, [&] {
    return detail::query<abi::context, &abi::functions::get_memory_info>(table(), where, native, abi::mem_context);
  });
  if (of != context) yoke::detail::throw_foreign_native("image", value, "context", where);
  const auto type = detail::query<abi::uint, &abi::functions::get_memory_info>(table(), where, native, abi::mem_type);
  const bool is_buffer = type == abi::mem_object_image1d_buffer && shape.kind == image_kind::d1;
  if (type != detail::native_image_type(shape.kind) && !is_buffer) {
    detail::throw_error(errc::invalid_argument, where, yoke::detail::native_text("image", value), " is no ",
                        yoke::detail::kind_text(shape.kind), " image");
  }
  const auto has = detail::query<abi::image_format, get>(table(), where, native, abi::image_info_format);
  if (has != detail::native_format(format)) {
    detail::throw_error(errc::invalid_argument, where, yoke::detail::native_text("image", value),
                        " has another format than ", yoke::to_string(format));
  }
  const auto compare = [&](abi::uint key, std::size_t wanted, const char* what) {
    const auto found = detail::query<std::size_t, get>(table(), where, native, key);
    if (found == wanted) return;
    detail::throw_error(errc::size_mismatch, where, yoke::detail::native_text("image", value), " has ", what, " ",
                        found, ", not ", wanted);
  };
  compare(abi::image_width, shape.width, "width");
  if (shape.kind != image_kind::d1 && shape.kind != image_kind::d1_layered) {
    compare(abi::image_height, shape.height, "height");
  }
  if (shape.kind == image_kind::d3) compare(abi::image_depth, shape.depth, "depth");
  if (yoke::detail::is_layered(shape.kind)) compare(abi::image_array_size, shape.layers, "layers");
  return native;
}

release_result image_functions::release_image(abi::context, abi::memory image) const noexcept {
  return detail::release<&abi::functions::release_memory>(table(), image);
}

kernel_access image_functions::access_to_image(abi::memory image, const source_location& where) const {
  const auto flags = detail::query<abi::ulong, &abi::functions::get_memory_info>(table(), where, image, abi::mem_flags);
  return (flags & abi::mem_read_only) != 0    ? kernel_access::read_only
         : (flags & abi::mem_write_only) != 0 ? kernel_access::write_only
                                              : kernel_access::read_write;
}
image_description image_functions::describe_image(abi::memory image, const source_location& where) const {
  constexpr auto get = &abi::functions::get_image_info;
  const auto count = [&](abi::uint key) { return detail::query<std::size_t, get>(table(), where, image, key); };
  return {detail::query<abi::image_format, get>(table(), where, image, abi::image_info_format),
          count(abi::image_element_size),
          count(abi::image_row_pitch),
          count(abi::image_slice_pitch),
          count(abi::image_width),
          count(abi::image_height),
          count(abi::image_depth),
          count(abi::image_array_size),
          detail::query<abi::uint, get>(table(), where, image, abi::image_num_mip_levels),
          detail::query<abi::uint, get>(table(), where, image, abi::image_num_samples),
          detail::query<abi::memory, get>(table(), where, image, abi::image_buffer)};
}

void image_functions::check_image_of(abi::context context, const image_shape& shape, std::size_t texel_bytes,
                                     std::size_t row_pitch, std::size_t buffer_bytes,
                                     const source_location& where) const {
  const bool plane = shape.kind == image_kind::d2;
  std::size_t row = 0;
  std::size_t others = 0;
  std::size_t needed = 0;
  if (__builtin_mul_overflow(shape.width, texel_bytes, &row) ||
      __builtin_mul_overflow(plane ? shape.height - 1 : 0, row_pitch, &others) ||
      __builtin_add_overflow(row, others, &needed)) {
    needed = (std::numeric_limits<std::size_t>::max)();
  }
  if (needed > buffer_bytes) {
    detail::throw_error(errc::size_mismatch, where, "an image of ", yoke::detail::shape_text(shape), " needs ", needed,
                        " bytes of its buffer, which has ", buffer_bytes);
  }
  if (plane && row_pitch < row) {
    detail::throw_error(errc::invalid_argument, where, "an image over a buffer has rows ", row_pitch,
                        " bytes apart, below the ", row, " bytes of a row");
  }
  for (const abi::device device : port(table()).context_devices(context, where)) {
    const auto check = [&](std::size_t count, const char* what, const device_property<std::size_t>& limit) {
      const auto most =
          detail::query<std::size_t, &abi::functions::get_device_info>(table(), where, device, limit.code);
      if (count <= most) return;
      detail::throw_error(errc::invalid_argument, where, "an image over a buffer has ", what, " ", count,
                          ", above this device's ", most, " (", limit.name, ")");
    };
    if (!plane) {
      check(shape.width, "width", info::image_max_buffer_size);
      continue;
    }
    abi::uint alignment = 0;  // in texels
    if (table()->get_device_info(device, info::image_pitch_alignment.code, sizeof alignment, &alignment, nullptr) !=
            0 ||
        alignment == 0) {
      detail::throw_error(errc::unsupported, where, "the device ",
                          detail::query_text<&abi::functions::get_device_info>(table(), where, device, info::name.code),
                          " has no 2D images over buffers (cl_khr_image2d_from_buffer)");
    }
    check(shape.width, "width", info::image2d_max_width);
    check(shape.height, "height", info::image2d_max_height);
    if (row_pitch % (alignment * texel_bytes) == 0) continue;
    detail::throw_error(errc::misaligned, where, "an image over a buffer has rows ", row_pitch,
                        " bytes apart, which is no multiple of ", alignment, " texels (",
                        info::image_pitch_alignment.name, ")");
  }
}

}  // namespace yoke::inline v0_1::opencl

#endif
