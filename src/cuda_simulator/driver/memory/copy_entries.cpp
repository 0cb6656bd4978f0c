// SPDX-License-Identifier: MIT
// Entries that copy.
#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/state.hpp"
#include "machine/graph/capture.hpp"
#include "machine/image/arrays.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/copy.hpp"
#include "machine/work/copy_plan.hpp"

namespace yoke::simulator::entries {

namespace {

copy_side device_side(abi::device_pointer pointer) { return {abi::memory_type::device, pointer, 0, 0, {}}; }
copy_side any_side(abi::device_pointer pointer) { return {abi::memory_type::unified, pointer, 0, 0, {}}; }
copy_side host_side(const void* pointer) {
  return {abi::memory_type::host, reinterpret_cast<std::uintptr_t>(pointer), 0, 0, {}};
}

abi::status copy_on(abi::stream on, const copy_side& to, const copy_side& from, std::size_t bytes) {
  return entry([&](driver_lock& lock) {
    copy_or_capture(lock, recording_stream_of(on), {from, to, {bytes, 1, 1}}, copy_return::at_once);
  });
}

abi::status copy_now(const copy_side& to, const copy_side& from, std::size_t bytes) {
  return entry([&](driver_lock& lock) {
    copy_or_capture(lock, *current_context().legacy, {from, to, {bytes, 1, 1}}, copy_return::like_the_driver);
  });
}

/// Throws: refusal if the pointer does not belong to that context.
copy_side peer_side(abi::device_pointer pointer, abi::context of) {
  const context& which = context_of(of);
  check_context(which);
  const memory_block* const block = state<memory_table>().find(pointer);
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
    copy_or_capture(lock, on, {peer_side(from, from_context), peer_side(to, to_context), {bytes, 1, 1}},
                    copy_return::when_done);
  });
}

abi::status memcpy_peer_async(abi::device_pointer to, abi::context to_context, abi::device_pointer from,
                              abi::context from_context, std::size_t bytes, abi::stream on) {
  return entry([&](driver_lock& lock) {
    stream& in = recording_stream_of(on);
    copy_or_capture(lock, in, {peer_side(from, from_context), peer_side(to, to_context), {bytes, 1, 1}},
                    copy_return::at_once);
  });
}

namespace {

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
    copy_or_capture(lock, on, simulator::plan_of(*what), copy_return::like_the_driver);
  });
}

template <class Description>
abi::status copy_box_on(abi::stream on, const Description* what) {
  return entry([&](driver_lock& lock) {
    stream& in = recording_stream_of(on);
    require(what != nullptr);
    copy_or_capture(lock, in, simulator::plan_of(*what), copy_return::at_once);
  });
}

}  // namespace

abi::status memcpy_2d(const abi::copy_2d* what) { return copy_box_now(what); }
abi::status memcpy_2d_unaligned(const abi::copy_2d* what) { return copy_box_now(what); }
abi::status memcpy_2d_async(const abi::copy_2d* what, abi::stream on) { return copy_box_on(on, what); }
abi::status memcpy_3d(const abi::copy_3d* what) { return copy_box_now(what); }
abi::status memcpy_3d_async(const abi::copy_3d* what, abi::stream on) { return copy_box_on(on, what); }
abi::status memcpy_3d_peer_async(const abi::copy_3d* what, abi::stream on) {
  return entry([&](driver_lock& lock) {
    stream& in = stream_of(on);
    require(what != nullptr);
    copy_or_capture(lock, in, plan_between(*what), copy_return::at_once);
  });
}

namespace {

/// Returns: the stream of a batch, which must not be the legacy one. Throws: refusal, also without a current context.
stream& batch_stream(abi::stream on) {
  require(top_context() != nullptr);
  require(on != nullptr && reinterpret_cast<std::uintptr_t>(on) != abi::legacy_stream);
  return stream_of(on);
}

/// Effects: checks all copies, then runs them last to first, so that programs cannot rely on an order. `failed` gets
/// the index of the refused copy.
template <class Plan>
void copy_batch(driver_lock& lock, stream& on, std::size_t count, std::size_t* failed, const Plan& plan) {
  for (std::size_t index = count; index-- > 0;) {
    if (failed != nullptr) *failed = index;
    copy_or_capture(lock, on, plan(index), copy_return::at_once);
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
      require(texel == 1);  // wider texels count elements, which is not supported
      const std::size_t offset[] = {of.image.x, of.image.y, of.image.z};
      return byte_layout(of.image.handle, offset, box);
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
