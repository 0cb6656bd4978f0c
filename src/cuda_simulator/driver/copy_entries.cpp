// SPDX-License-Identifier: MIT
// Entries that copy.
#include "arrays.hpp"
#include "copy.hpp"
#include "entries.hpp"
#include "state.hpp"

namespace yoke::simulator::entries {

namespace {

copy_side device_side(abi::device_pointer pointer) { return {abi::memory_type::device, pointer, 0, 0, {}}; }
copy_side any_side(abi::device_pointer pointer) { return {abi::memory_type::unified, pointer, 0, 0, {}}; }
copy_side host_side(const void* pointer) {
  return {abi::memory_type::host, reinterpret_cast<std::uintptr_t>(pointer), 0, 0, {}};
}

abi::status copy_on(abi::stream on, const copy_side& to, const copy_side& from, std::size_t bytes) {
  return entry([&](driver_lock& lock) {
    copy(lock, recording_stream_of(on), {from, to, {bytes, 1, 1}}, copy_return::at_once);
  });
}

abi::status copy_now(const copy_side& to, const copy_side& from, std::size_t bytes) {
  return entry([&](driver_lock& lock) {
    copy(lock, *current_context().legacy, {from, to, {bytes, 1, 1}}, copy_return::like_the_driver);
  });
}

/// Throws: refusal, if the pointer is not of that context.
copy_side peer_side(abi::device_pointer pointer, abi::context of) {
  const context& which = context_of(of);
  check_context(which);
  const memory_block* const block = state().memory.find(pointer);
  require(block == nullptr || block->owner->device == which.device);
  return device_side(pointer);
}

}  // namespace

abi::status memcpy_any(abi::device_pointer to, abi::device_pointer from, std::size_t bytes) {
  return copy_now(any_side(to), any_side(from), bytes);
}
abi::status memcpy_any_async(abi::device_pointer to, abi::device_pointer from, std::size_t bytes, abi::stream on) {
  return copy_on(on, any_side(to), any_side(from), bytes);
}
abi::status memcpy_htod(abi::device_pointer to, const void* from, std::size_t bytes) {
  return copy_now(device_side(to), host_side(from), bytes);
}
abi::status memcpy_htod_async(abi::device_pointer to, const void* from, std::size_t bytes, abi::stream on) {
  return copy_on(on, device_side(to), host_side(from), bytes);
}
abi::status memcpy_dtoh(void* to, abi::device_pointer from, std::size_t bytes) {
  return copy_now(host_side(to), device_side(from), bytes);
}
abi::status memcpy_dtoh_async(void* to, abi::device_pointer from, std::size_t bytes, abi::stream on) {
  return copy_on(on, host_side(to), device_side(from), bytes);
}
abi::status memcpy_dtod(abi::device_pointer to, abi::device_pointer from, std::size_t bytes) {
  return copy_now(device_side(to), device_side(from), bytes);
}
abi::status memcpy_dtod_async(abi::device_pointer to, abi::device_pointer from, std::size_t bytes, abi::stream on) {
  return copy_on(on, device_side(to), device_side(from), bytes);
}

abi::status memcpy_peer(abi::device_pointer to, abi::context to_context, abi::device_pointer from,
                        abi::context from_context, std::size_t bytes) {
  return entry([&](driver_lock& lock) {
    stream& on = *current_context().legacy;
    copy(lock, on, {peer_side(from, from_context), peer_side(to, to_context), {bytes, 1, 1}}, copy_return::when_done);
  });
}

abi::status memcpy_peer_async(abi::device_pointer to, abi::context to_context, abi::device_pointer from,
                              abi::context from_context, std::size_t bytes, abi::stream on) {
  return entry([&](driver_lock& lock) {
    stream& in = recording_stream_of(on);
    copy(lock, in, {peer_side(from, from_context), peer_side(to, to_context), {bytes, 1, 1}}, copy_return::at_once);
  });
}

namespace {

constexpr std::size_t pitch_limit = 2147483647;

/// Returns: the address of one side, by its type. Throws: refusal.
std::uintptr_t base_of(abi::memory_type type, const void* host, abi::device_pointer device) {
  require(type >= abi::memory_type::host && type <= abi::memory_type::unified && type != abi::memory_type::array);
  return type == abi::memory_type::host ? reinterpret_cast<std::uintptr_t>(host) : static_cast<std::uintptr_t>(device);
}

/// Returns: the side with its offsets applied; pitch and height 0 mean those of the box.
copy_side side_of(abi::memory_type type, std::uintptr_t base, std::size_t pitch, std::size_t height,
                  const std::size_t (&offset)[3], const copy_box& box) {
  if (pitch == 0) pitch = offset[0] + box.width;
  if (height == 0) height = offset[1] + box.height;
  require(pitch <= pitch_limit && offset[0] + box.width <= pitch);
  require(box.depth == 1 || offset[1] + box.height <= height);
  require(base != 0);
  std::size_t slice = 0, layers = 0, rows = 0;
  const bool fits = !__builtin_mul_overflow(pitch, height, &slice) &&
                    !__builtin_mul_overflow(slice, offset[2], &layers) &&
                    !__builtin_mul_overflow(pitch, offset[1], &rows);
  require(fits);
  return {type, base + layers + rows + offset[0], pitch, slice, {}};
}
/// Returns: a side that is an array. Throws: refusal if the box leaves it, or x is no whole texel.
copy_side array_side(abi::array handle, const std::size_t (&offset)[3], const copy_box& box) {
  const auto array = array_of(handle);
  const texel_box& all = array->box;
  require(offset[0] % all.texel_bytes == 0 && box.width % all.texel_bytes == 0);
  require(offset[0] <= all.row_bytes && box.width <= all.row_bytes - offset[0]);
  require(offset[1] <= all.height && box.height <= all.height - offset[1]);
  require(offset[2] <= all.depth && box.depth <= all.depth - offset[2]);
  std::byte* const first = all.first + offset[2] * all.slice_bytes + offset[1] * all.row_bytes + offset[0];
  return {abi::memory_type::array, reinterpret_cast<std::uintptr_t>(first), all.row_bytes, all.slice_bytes,
          array->memory};
}

/// Returns: both sides of a copy. Throws: refusal.
template <class Description>
copy_plan plan_of_sides(const Description& what, const copy_box& box, const std::size_t (&from)[3],
                        std::size_t from_height, const std::size_t (&to)[3], std::size_t to_height) {
  const auto source = [&] {
    if (what.source_type == abi::memory_type::array) return array_side(what.source_array, from, box);
    return side_of(what.source_type, base_of(what.source_type, what.source_host, what.source_device), what.source_pitch,
                   from_height, from, box);
  };
  const auto destination = [&] {
    if (what.destination_type == abi::memory_type::array) return array_side(what.destination_array, to, box);
    return side_of(what.destination_type,
                   base_of(what.destination_type, what.destination_host, what.destination_device),
                   what.destination_pitch, to_height, to, box);
  };
  return {source(), destination(), box};
}

copy_plan plan_of(const abi::copy_2d& what) {
  const copy_box box{what.width_bytes, what.height, 1};
  if (box.is_empty()) return {};
  const std::size_t from[] = {what.source_x_bytes, what.source_y, 0};
  const std::size_t to[] = {what.destination_x_bytes, what.destination_y, 0};
  return plan_of_sides(what, box, from, 0, to, 0);
}

copy_plan plan_of(const abi::copy_3d& what) { return simulator::plan_of(what); }

copy_plan plan_between(const abi::copy_3d& what) {
  const copy_box box{what.width_bytes, what.height, what.depth};
  require(what.source_level == 0 && what.destination_level == 0);
  require(what.source_type == abi::memory_type::device && what.destination_type == abi::memory_type::device);
  (void)peer_side(what.source_device, what.source_context);
  (void)peer_side(what.destination_device, what.destination_context);
  if (box.is_empty()) return {};
  const std::size_t from[] = {what.source_x_bytes, what.source_y, what.source_z};
  const std::size_t to[] = {what.destination_x_bytes, what.destination_y, what.destination_z};
  return {
      side_of(what.source_type, what.source_device, what.source_pitch, what.source_height, from, box),
      side_of(what.destination_type, what.destination_device, what.destination_pitch, what.destination_height, to, box),
      box};
}

template <class Description>
abi::status copy_box_now(const Description* what) {
  return entry([&](driver_lock& lock) {
    stream& on = *current_context().legacy;
    require(what != nullptr);
    copy(lock, on, plan_of(*what), copy_return::like_the_driver);
  });
}

template <class Description>
abi::status copy_box_on(abi::stream on, const Description* what) {
  return entry([&](driver_lock& lock) {
    stream& in = recording_stream_of(on);
    require(what != nullptr);
    copy(lock, in, plan_of(*what), copy_return::at_once);
  });
}

}  // namespace

}  // namespace yoke::simulator::entries

namespace yoke::simulator {

copy_plan plan_of(const abi::copy_3d& what) {
  const copy_box box{what.width_bytes, what.height, what.depth};
  require(what.source_context == nullptr && what.destination_context == nullptr && what.source_level == 0 &&
          what.destination_level == 0);
  if (box.is_empty()) return {};
  const std::size_t from[] = {what.source_x_bytes, what.source_y, what.source_z};
  const std::size_t to[] = {what.destination_x_bytes, what.destination_y, what.destination_z};
  return entries::plan_of_sides(what, box, from, what.source_height, to, what.destination_height);
}

}  // namespace yoke::simulator

namespace yoke::simulator::entries {

abi::status memcpy_2d(const abi::copy_2d* what) { return copy_box_now(what); }
abi::status memcpy_2d_unaligned(const abi::copy_2d* what) { return copy_box_now(what); }
abi::status memcpy_2d_async(const abi::copy_2d* what, abi::stream on) { return copy_box_on(on, what); }
abi::status memcpy_3d(const abi::copy_3d* what) { return copy_box_now(what); }
abi::status memcpy_3d_async(const abi::copy_3d* what, abi::stream on) { return copy_box_on(on, what); }
abi::status memcpy_3d_peer_async(const abi::copy_3d* what, abi::stream on) {
  return entry([&](driver_lock& lock) {
    stream& in = stream_of(on);
    require(what != nullptr);
    copy(lock, in, plan_between(*what), copy_return::at_once);
  });
}

namespace {

/// Returns: the stream of a batch, which may be no legacy one. Throws: refusal, also where no context is current.
stream& batch_stream(abi::stream on) {
  require(top_context() != nullptr);
  require(on != nullptr && reinterpret_cast<std::uintptr_t>(on) != abi::legacy_stream);
  return stream_of(on);
}

/// Effects: checks all copies, then runs them last to first: nothing may rely on an order. `failed` gets the index of the
/// copy that is refused.
template <class Plan>
void copy_batch(driver_lock& lock, stream& on, std::size_t count, std::size_t* failed, const Plan& plan) {
  for (std::size_t index = count; index-- > 0;) {
    if (failed != nullptr) *failed = index;
    copy(lock, on, plan(index), copy_return::at_once);
  }
  if (failed != nullptr) *failed = ~std::size_t{0};
}

abi::status copy_rows(abi::device_pointer* to, abi::device_pointer* from, std::size_t* bytes, std::size_t count,
                      abi::batch_attributes* attributes, std::size_t* first_of, std::size_t attribute_count,
                      std::size_t* failed, abi::stream on) {
  return entry([&](driver_lock& lock) {
    stream& in = batch_stream(on);
    require(to != nullptr && from != nullptr && bytes != nullptr && count != 0);
    require(attributes != nullptr && first_of != nullptr && attribute_count != 0 && attribute_count <= count);
    require(first_of[0] == 0 && first_of[attribute_count - 1] < count);
    for (std::size_t i = 0; i < attribute_count; ++i) {
      require(attributes[i].order >= abi::source_order::in_stream && attributes[i].order <= abi::source_order::any);
      require(i == 0 || first_of[i] > first_of[i - 1]);
    }
    copy_batch(lock, in, count, failed, [&](std::size_t index) {
      return copy_plan{any_side(from[index]), any_side(to[index]), {bytes[index], 1, 1}};
    });
  });
}

copy_plan plan_of(const abi::batch_copy_3d& what) {
  const copy_box box{what.width, what.height, what.depth};
  require(!box.is_empty());
  require(what.order >= abi::source_order::in_stream && what.order <= abi::source_order::any);
  const auto side = [&](const abi::batch_side& of) {
    if (of.type == abi::batch_side_type::image) {
      const std::size_t texel = array_of(of.image.handle)->box.texel_bytes;
      require(texel == 1);  // wider texels count elements, which this does not do
      const std::size_t offset[] = {of.image.x, of.image.y, of.image.z};
      return array_side(of.image.handle, offset, box);
    }
    require(of.type == abi::batch_side_type::pointer);
    const std::size_t none[] = {0, 0, 0};
    return side_of(abi::memory_type::unified, static_cast<std::uintptr_t>(of.pointer.address), of.pointer.row_length,
                   of.pointer.layer_height, none, box);
  };
  return {side(what.source), side(what.destination), box};
}

abi::status copy_boxes(std::size_t count, abi::batch_copy_3d* list, std::size_t* failed, abi::ulong flags,
                       abi::stream on) {
  return entry([&](driver_lock& lock) {
    stream& in = batch_stream(on);
    require(list != nullptr && count != 0 && flags == 0);
    copy_batch(lock, in, count, failed, [&](std::size_t index) { return plan_of(list[index]); });
  });
}

}  // namespace

abi::status memcpy_batch_async(abi::device_pointer* to, abi::device_pointer* from, std::size_t* bytes,
                               std::size_t count, abi::batch_attributes* attributes, std::size_t* first_of,
                               std::size_t attribute_count, std::size_t* failed, abi::stream on) {
  return copy_rows(to, from, bytes, count, attributes, first_of, attribute_count, failed, on);
}
abi::status memcpy_batch_async_v2(abi::device_pointer* to, abi::device_pointer* from, std::size_t* bytes,
                                  std::size_t count, abi::batch_attributes* attributes, std::size_t* first_of,
                                  std::size_t attribute_count, abi::stream on) {
  return copy_rows(to, from, bytes, count, attributes, first_of, attribute_count, nullptr, on);
}
abi::status memcpy_3d_batch_async(std::size_t count, abi::batch_copy_3d* list, std::size_t* failed, abi::ulong flags,
                                  abi::stream on) {
  return copy_boxes(count, list, failed, flags, on);
}
abi::status memcpy_3d_batch_async_v2(std::size_t count, abi::batch_copy_3d* list, abi::ulong flags, abi::stream on) {
  return copy_boxes(count, list, nullptr, flags, on);
}

}  // namespace yoke::simulator::entries
