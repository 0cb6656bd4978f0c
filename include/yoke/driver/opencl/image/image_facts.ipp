// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/image/image.hpp: what only OpenCL has of images and samplers.
#ifndef YOKE_DRIVER_OPENCL_IMAGE_IMAGE_FACTS_IPP
#define YOKE_DRIVER_OPENCL_IMAGE_IMAGE_FACTS_IPP

#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/image/image.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/memory/buffers.hpp>
#include <yoke/driver/opencl/port.hpp>

#include <limits>

namespace yoke::inline v0_1::opencl {

abi::sampler image_functions::create_sampler_with(abi::context context, std::span<const std::uint64_t> properties,
                                                  const source_location& where) const {
  if (properties.size() % 2 == 0 || properties.back() != 0) {  // the driver reads pairs up to a key of 0
    detail::throw_error(errc::invalid_argument, where, "the ", properties.size(),
                        " numbers of a sampler's properties must end in 0, behind pairs of a key and a value");
  }
  return detail::create<&abi::functions::create_sampler_with_properties>(table(), where, context, properties.data());
}
void image_functions::retain_sampler(abi::sampler made, const source_location& where) const {
  detail::invoke<&abi::functions::retain_sampler>(table(), where, made);
}
sampler_description image_functions::describe_sampler(abi::sampler made, const source_location& where) const {
  constexpr auto get = &abi::functions::get_sampler_info;
  // Older drivers do not know the last question.
  std::size_t bytes = 0;
  const abi::status status = table()->get_sampler_info(made, abi::sampler_properties, 0, nullptr, &bytes);
  if (status != 0 && status != abi::invalid_value) detail::throw_failure(status, "clGetSamplerInfo", "", where);
  return {detail::query<abi::uint, get>(table(), where, made, abi::sampler_reference_count),
          detail::query<abi::context, get>(table(), where, made, abi::sampler_context),
          detail::query<abi::boolean, get>(table(), where, made, abi::sampler_normalized_coords) != 0,
          detail::query<abi::uint, get>(table(), where, made, abi::sampler_addressing_mode),
          detail::query<abi::uint, get>(table(), where, made, abi::sampler_filter_mode),
          status == 0 && bytes != 0
              ? detail::query_list<std::uint64_t, get>(table(), where, made, abi::sampler_properties)
              : std::vector<std::uint64_t>{}};
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

void* image_functions::map_image(abi::queue stream, abi::memory image, const image_box& box, map_mode mode,
                                 std::size_t& row_pitch, std::size_t& slice_pitch, const source_location& where) const {
  const std::size_t origin[3] = {box.x, box.y, box.z};
  const std::size_t region[3] = {box.width, box.height, box.depth};
  abi::status status = 0;
  abi::event event = nullptr;
  abi::event* const slot = detail::reads_tell_all(table()) ? nullptr : &event;
  void* const address = detail::entry<&abi::functions::enqueue_map_image>(table(), where)(
      stream, image, abi::yes, detail::map_flags(mode), &origin[0], &region[0], &row_pitch, &slice_pitch, 0, nullptr,
      slot, &status);
  if (status != 0 || address == nullptr) {
    detail::throw_failure(status == 0 ? -12 : status, "clEnqueueMapImage", "", where);
  }
  if (slot == nullptr) return address;
  try {
    detail::wait_and_release(table(), event, where);
  } catch (...) {  // the driver still counts it as mapped
    detail::report(port(table()).unmap(stream, image, address));
    throw;
  }
  return address;
}
void image_functions::migrate_image(abi::queue stream, abi::memory image, bool to_host,
                                    const source_location& where) const {
  constexpr abi::ulong host = 1;  // CL_MIGRATE_MEM_OBJECT_HOST
  detail::kept_event kept(table());
  detail::invoke<&abi::functions::enqueue_migrate_memory>(
      table(), where, stream, abi::uint{1}, static_cast<const abi::memory*>(&image), to_host ? host : abi::ulong{0},
      abi::uint{0}, static_cast<const abi::event*>(nullptr), kept.slot());
}

}  // namespace yoke::inline v0_1::opencl

#endif
