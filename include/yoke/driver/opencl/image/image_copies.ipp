// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/image/image_copies.hpp, and workarounds for copies that drivers refuse.
#ifndef YOKE_DRIVER_OPENCL_IMAGE_IMAGE_COPIES_IPP
#define YOKE_DRIVER_OPENCL_IMAGE_IMAGE_COPIES_IPP

#include <yoke/driver/opencl/image/image_copies.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/core/half.hpp>
#include <yoke/driver/opencl/event/copy_event.hpp>
#include <yoke/driver/opencl/event/held_events.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/memory/map_flags.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace yoke::inline v0_1::opencl {

namespace detail {

/// A box in the form that image calls take.
struct image_rectangle {
  std::size_t origin[3];
  std::size_t region[3];
  explicit image_rectangle(const image_box& box) noexcept
      : origin{box.x, box.y, box.z}, region{box.width, box.height, box.depth} {}
};

/// The pitches of rows and slices in host memory, in the form that image calls take.
struct host_pitches {
  std::size_t row = 0;
  std::size_t slice = 0;
  host_pitches(const image_box& box, const box_side& side) noexcept : row(side.row_pitch) {
    if (box.kind == image_kind::d1) row = 0;
    if (box.kind == image_kind::d1_layered) slice = side.row_pitch;  // the pitch of layers
    if (box.kind == image_kind::d3 || box.kind == image_kind::d2_layered) slice = side.slice_pitch;
  }
};

/// A colour for `clEnqueueFillImage`.
union fill_colour {
  float floats[4];
  std::int32_t integers[4];
  std::uint32_t naturals[4];
};

/// Returns: a normalised integer as a colour that every driver stores as that integer: PoCL truncates, others round.
template <class Integer>
float normalised_colour(Integer value) noexcept {
  constexpr float most = static_cast<float>((std::numeric_limits<Integer>::max)());
  const auto number = static_cast<float>(value);
  const float nudge = number > 0 ? 0.25F : number < 0 ? -0.25F : 0.0F;
  return (std::max)(-1.0F, (std::min)(1.0F, (number + nudge) / most));
}

template <class Channel>
Channel channel_of(const void* texel, std::size_t i) noexcept {
  Channel value;
  std::memcpy(&value, static_cast<const std::byte*>(texel) + i * sizeof(Channel), sizeof value);
  return value;
}

/// Returns: a texel as a colour. Requires: the format is not sRGB.
fill_colour colour_of(image_format format, const void* texel) noexcept {
  fill_colour colour{};
  for (std::size_t i = 0; i < format.channels; ++i) {
    switch (format.type) {
      case channel_type::signed8: colour.integers[i] = channel_of<std::int8_t>(texel, i); break;
      case channel_type::signed16: colour.integers[i] = channel_of<std::int16_t>(texel, i); break;
      case channel_type::signed32: colour.integers[i] = channel_of<std::int32_t>(texel, i); break;
      case channel_type::unsigned8: colour.naturals[i] = channel_of<std::uint8_t>(texel, i); break;
      case channel_type::unsigned16: colour.naturals[i] = channel_of<std::uint16_t>(texel, i); break;
      case channel_type::unsigned32: colour.naturals[i] = channel_of<std::uint32_t>(texel, i); break;
      case channel_type::half_float:
        colour.floats[i] = yoke::detail::float_of_half(channel_of<std::uint16_t>(texel, i));
        break;
      case channel_type::float32:
      case channel_type::depth32: colour.floats[i] = channel_of<float>(texel, i); break;
      case channel_type::snorm8: colour.floats[i] = normalised_colour(channel_of<std::int8_t>(texel, i)); break;
      case channel_type::snorm16: colour.floats[i] = normalised_colour(channel_of<std::int16_t>(texel, i)); break;
      case channel_type::unorm8:
      case channel_type::srgb8: colour.floats[i] = normalised_colour(channel_of<std::uint8_t>(texel, i)); break;
      case channel_type::unorm16:
      case channel_type::depth16: colour.floats[i] = normalised_colour(channel_of<std::uint16_t>(texel, i)); break;
    }
  }
  return colour;
}

/// Effects: calls `copy(box, offset, done)` for each part of a box whose rows lie without gaps in a buffer: the whole
/// box, its slices, or its rows.
template <class Copy>
void for_tight_parts(const image_box& box, const box_side& side, completion<abi::event> done, const Copy& copy) {
  const std::size_t row = box.width * box.texel_bytes;
  const bool tight_rows = box.height == 1 || side.row_pitch == row;
  const bool tight = tight_rows && (box.depth == 1 || side.slice_pitch == row * box.height);
  if (tight) return copy(box, side.offset, done);
  image_box part = box;
  part.depth = 1;
  if (!tight_rows) part.height = 1;
  const std::size_t rows = tight_rows ? 1 : box.height;
  for (std::size_t z = 0; z < box.depth; ++z) {
    for (std::size_t y = 0; y < rows; ++y) {
      part.y = box.y + y;
      part.z = box.z + z;
      const bool last = z + 1 == box.depth && y + 1 == rows;
      copy(part, side.offset + z * side.slice_pitch + y * side.row_pitch,
           last ? done : completion<abi::event>::unwatched());
    }
  }
}

inline constexpr const abi::event* no_events = nullptr;

/// The buffer behind a 1D image that is a view of a buffer, kept until a command is enqueued; none for other images.
/// Fills and device copies use this buffer in the image's place: PoCL 3.1 ends the process, or refuses, when they get
/// the image. Some drivers (Intel's CPU runtime) no longer accept a buffer whose last reference is gone, although the
/// image still names it: there commands take the image.
class buffer_of_line {
 public:
  buffer_of_line(const abi::functions* table, abi::memory image, const image_box& box, const source_location& where)
      : table_(table) {
    if (box.kind != image_kind::d1) return;
    const auto type = query<abi::uint, &abi::functions::get_memory_info>(table, where, image, abi::mem_type);
    if (type != abi::mem_object_image1d_buffer) return;
    const auto buffer = query<abi::memory, &abi::functions::get_image_info>(table, where, image, abi::image_buffer);
    const abi::status status = table->retain_memory(buffer);
    if (status == abi::invalid_mem_object) return;
    if (status != 0) throw_failure(status, symbol<&abi::functions::retain_memory>(), "", where);
    kept_ = buffer;
  }
  buffer_of_line(const buffer_of_line&) = delete;
  buffer_of_line& operator=(const buffer_of_line&) = delete;
  ~buffer_of_line() {
    if (kept_ != nullptr) report(release<&abi::functions::release_memory>(table_, kept_));
  }
  [[nodiscard]] explicit operator bool() const noexcept { return kept_ != nullptr; }
  [[nodiscard]] abi::memory get() const noexcept { return kept_; }

 private:
  const abi::functions* table_;
  abi::memory kept_ = nullptr;
};

/// Whether NVIDIA's driver may refuse to copy this part of an image to and from buffers, or images of other kinds.
inline bool needs_spare_layer(const image_box& box) noexcept {
  return box.kind == image_kind::d1_layered && (box.y != 0 || box.height > 1);
}

/// A single layer with the width and format of a layered 1D image. NVIDIA's driver copies only the first layer of a
/// layered 1D image, and only alone, to and from buffers and images of other kinds: other layers are copied through
/// this one.
class spare_layer {
 public:
  spare_layer(const abi::functions* table, abi::memory image, const image_box& box, const source_location& where)
      : table_(table) {
    const auto context = query<abi::context, &abi::functions::get_memory_info>(table, where, image, abi::mem_context);
    const auto format =
        query<abi::image_format, &abi::functions::get_image_info>(table, where, image, abi::image_info_format);
    abi::image_desc description{};
    description.type = abi::mem_object_image1d_array;
    description.width = box.width;
    description.array_size = 1;
    layer_ = create<&abi::functions::create_image>(table, where, context, abi::mem_read_write, &format, &description,
                                                   static_cast<void*>(nullptr));
  }
  spare_layer(const spare_layer&) = delete;
  spare_layer& operator=(const spare_layer&) = delete;
  ~spare_layer() { report(release<&abi::functions::release_memory>(table_, layer_)); }  // commands keep it
  [[nodiscard]] abi::memory get() const noexcept { return layer_; }

 private:
  const abi::functions* table_;
  abi::memory layer_ = nullptr;
};

/// Effects: calls `copy(box of the image, box of the spare layer, offset of the row, done)` for each layer of a box
/// without gaps.
template <class Copy>
void for_layers(const image_box& box, std::size_t offset, completion<abi::event> done, const Copy& copy) {
  image_box one = box;
  one.height = 1;
  image_box spare = one;
  spare.x = spare.y = 0;
  for (std::size_t layer = 0; layer < box.height; ++layer) {
    copy(one, spare, offset, layer + 1 == box.height ? done : completion<abi::event>::unwatched());
    ++one.y;
    offset += box.width * box.texel_bytes;
  }
}

}  // namespace detail

void image_copy_functions::write_image(abi::queue stream, abi::memory destination, const image_box& to,
                                       const void* source, const box_side& from, completion<abi::event> done,
                                       const source_location& where) const {
  const detail::image_rectangle box(to);
  const detail::host_pitches pitches(to, from);
  detail::copy_event event(table(), done, detail::writes_tell_all(table()));
  detail::invoke<&abi::functions::enqueue_write_image>(
      table(), where, stream, destination, event.blocking(), &box.origin[0], &box.region[0], pitches.row, pitches.slice,
      static_cast<const void*>(static_cast<const std::byte*>(source) + from.offset), abi::uint{0}, detail::no_events,
      event.slot());
  event.finish(table(), where);
}
void image_copy_functions::read_image(abi::queue stream, abi::memory source, const image_box& from, void* destination,
                                      const box_side& to, completion<abi::event> done,
                                      const source_location& where) const {
  const detail::image_rectangle box(from);
  const detail::host_pitches pitches(from, to);
  detail::copy_event event(table(), done, detail::reads_tell_all(table()));
  detail::invoke<&abi::functions::enqueue_read_image>(
      table(), where, stream, source, event.blocking(), &box.origin[0], &box.region[0], pitches.row, pitches.slice,
      static_cast<void*>(static_cast<std::byte*>(destination) + to.offset), abi::uint{0}, detail::no_events,
      event.slot());
  event.finish(table(), where);
}
void image_copy_functions::copy_image(abi::queue stream, abi::memory source, const image_box& from,
                                      abi::memory destination, const image_box& to, completion<abi::event> done,
                                      const source_location& where) const {
  const std::size_t from_offset = from.x * from.texel_bytes;
  const std::size_t to_offset = to.x * to.texel_bytes;
  const std::size_t bytes = from.width * from.texel_bytes;
  if (const detail::buffer_of_line line{table(), source, from, where}) {
    return copy_to_image(stream, line.get(), {from_offset, bytes, bytes}, destination, to, done, where);
  }
  if (const detail::buffer_of_line line{table(), destination, to, where}) {
    return copy_from_image(stream, source, from, line.get(), {to_offset, bytes, bytes}, done, where);
  }
  const detail::image_rectangle first(from);
  const detail::image_rectangle second(to);
  const auto by_layers = [&] {
    return from.kind != to.kind && (detail::needs_spare_layer(from) || detail::needs_spare_layer(to));
  };
  detail::copy_event event(table(), done);
  if (detail::is_taken<&abi::functions::enqueue_copy_image>(table(), where, by_layers, stream, source, destination,
                                                            &first.origin[0], &second.origin[0], &first.region[0],
                                                            abi::uint{0}, detail::no_events, event.slot())) {
    return event.finish(table(), where);
  }
  const bool reads = from.kind == image_kind::d1_layered;
  const detail::spare_layer spare(table(), reads ? source : destination, reads ? from : to, where);
  image_box read = from;
  image_box written = to;
  read.height = written.height = 1;
  detail::for_layers(reads ? from : to, 0, done, [&](const image_box&, const image_box& alone, std::size_t, auto then) {
    copy_image(stream, source, read, spare.get(), alone, completion<abi::event>::unwatched(), where);
    copy_image(stream, spare.get(), alone, destination, written, then, where);
    ++read.y;
    ++written.y;
  });
}
void image_copy_functions::copy_to_image(abi::queue stream, abi::memory source, const box_side& from,
                                         abi::memory destination, const image_box& to, completion<abi::event> done,
                                         const source_location& where) const {
  if (const detail::buffer_of_line line{table(), destination, to, where}) {
    return port(table()).copy(stream, source, from.offset, line.get(), to.x * to.texel_bytes, to.width * to.texel_bytes,
                              done, where);
  }
  detail::for_tight_parts(to, from, done, [&](const image_box& part, std::size_t offset, completion<abi::event> last) {
    const detail::image_rectangle box(part);
    detail::copy_event event(table(), last);
    if (detail::is_taken<&abi::functions::enqueue_copy_buffer_to_image>(
            table(), where, [&] { return detail::needs_spare_layer(part); }, stream, source, destination, offset,
            &box.origin[0], &box.region[0], abi::uint{0}, detail::no_events, event.slot())) {
      return event.finish(table(), where);
    }
    const detail::spare_layer spare(table(), destination, part, where);
    detail::for_layers(
        part, offset, last, [&](const image_box& layer, const image_box& alone, std::size_t at, auto then) {
          copy_to_image(stream, source, {at}, spare.get(), alone, completion<abi::event>::unwatched(), where);
          copy_image(stream, spare.get(), alone, destination, layer, then, where);
        });
  });
}
void image_copy_functions::copy_from_image(abi::queue stream, abi::memory source, const image_box& from,
                                           abi::memory destination, const box_side& to, completion<abi::event> done,
                                           const source_location& where) const {
  if (const detail::buffer_of_line line{table(), source, from, where}) {
    return port(table()).copy(stream, line.get(), from.x * from.texel_bytes, destination, to.offset,
                              from.width * from.texel_bytes, done, where);
  }
  detail::for_tight_parts(from, to, done, [&](const image_box& part, std::size_t offset, completion<abi::event> last) {
    const detail::image_rectangle box(part);
    detail::copy_event event(table(), last);
    if (detail::is_taken<&abi::functions::enqueue_copy_image_to_buffer>(
            table(), where, [&] { return detail::needs_spare_layer(part); }, stream, source, destination,
            &box.origin[0], &box.region[0], offset, abi::uint{0}, detail::no_events, event.slot())) {
      return event.finish(table(), where);
    }
    const detail::spare_layer spare(table(), source, part, where);
    detail::for_layers(
        part, offset, last, [&](const image_box& layer, const image_box& alone, std::size_t at, auto then) {
          copy_image(stream, source, layer, spare.get(), alone, completion<abi::event>::unwatched(), where);
          copy_from_image(stream, spare.get(), alone, destination, {at}, then, where);
        });
  });
}

void image_copy_functions::fill_image(abi::context, abi::queue stream, abi::memory image, const image_box& box,
                                      image_format format, const void* texel, const source_location& where) const {
  if (const detail::buffer_of_line line{table(), image, box, where}) {
    return port(table()).fill(stream, line.get(), box.x * box.texel_bytes, texel, box.texel_bytes, box.width, where);
  }
  if (format.type == channel_type::srgb8) {
    detail::throw_error(errc::unsupported, where,
                        "OpenCL fills sRGB images with linear colours, which need not become this texel: copy it");
  }
  const detail::fill_colour colour = detail::colour_of(format, texel);
  const detail::image_rectangle part(box);
  detail::kept_event kept(table());
  detail::invoke<&abi::functions::enqueue_fill_image>(table(), where, stream, image, static_cast<const void*>(&colour),
                                                      &part.origin[0], &part.region[0], abi::uint{0}, detail::no_events,
                                                      kept.slot());
}

void* image_copy_functions::map_image(abi::queue stream, abi::memory image, const image_box& box, map_mode mode,
                                      std::size_t& row_pitch, std::size_t& slice_pitch,
                                      const source_location& where) const {
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
void image_copy_functions::migrate_image(abi::queue stream, abi::memory image, bool to_host,
                                         const source_location& where) const {
  constexpr abi::ulong host = 1;  // CL_MIGRATE_MEM_OBJECT_HOST
  detail::kept_event kept(table());
  detail::invoke<&abi::functions::enqueue_migrate_memory>(
      table(), where, stream, abi::uint{1}, static_cast<const abi::memory*>(&image), to_host ? host : abi::ulong{0},
      abi::uint{0}, static_cast<const abi::event*>(nullptr), kept.slot());
}

}  // namespace yoke::inline v0_1::opencl

#endif
