// SPDX-License-Identifier: MIT
// Reads the driver's structures; a pitch or height of 0 means the box's.
#include "machine/work/copy_plan.hpp"

#include "engine/words/texels.hpp"
#include "machine/image/arrays.hpp"

namespace yoke::simulator {

namespace {

constexpr std::size_t pitch_limit = 2147483647;

/// Returns: the address of one side, by its type. Throws: refusal.
std::uintptr_t base_of(abi::memory_type type, const void* host, abi::device_pointer device) {
  require(type >= abi::memory_type::host && type <= abi::memory_type::unified && type != abi::memory_type::array);
  return type == abi::memory_type::host ? reinterpret_cast<std::uintptr_t>(host) : static_cast<std::uintptr_t>(device);
}

}  // namespace

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

copy_side byte_layout(abi::array handle, const std::size_t (&offset)[3], const copy_box& box) {
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

namespace {

/// Returns: both sides of a copy. Throws: refusal.
template <class Description>
copy_plan plan_of_sides(const Description& what, const copy_box& box, const std::size_t (&from)[3],
                        std::size_t from_height, const std::size_t (&to)[3], std::size_t to_height) {
  const auto source = [&] {
    if (what.source_type == abi::memory_type::array) return byte_layout(what.source_array, from, box);
    return side_of(what.source_type, base_of(what.source_type, what.source_host, what.source_device), what.source_pitch,
                   from_height, from, box);
  };
  const auto destination = [&] {
    if (what.destination_type == abi::memory_type::array) return byte_layout(what.destination_array, to, box);
    return side_of(what.destination_type,
                   base_of(what.destination_type, what.destination_host, what.destination_device),
                   what.destination_pitch, to_height, to, box);
  };
  return {source(), destination(), box};
}

}  // namespace

copy_plan plan_of(const abi::copy_2d& what) {
  const copy_box box{what.width_bytes, what.height, 1};
  if (box.is_empty()) return {};
  const std::size_t from[] = {what.source_x_bytes, what.source_y, 0};
  const std::size_t to[] = {what.destination_x_bytes, what.destination_y, 0};
  return plan_of_sides(what, box, from, 0, to, 0);
}
copy_plan plan_of(const abi::copy_3d& what) {
  const copy_box box{what.width_bytes, what.height, what.depth};
  require(what.source_context == nullptr && what.destination_context == nullptr && what.source_level == 0 &&
          what.destination_level == 0);
  if (box.is_empty()) return {};
  const std::size_t from[] = {what.source_x_bytes, what.source_y, what.source_z};
  const std::size_t to[] = {what.destination_x_bytes, what.destination_y, what.destination_z};
  return plan_of_sides(what, box, from, what.source_height, to, what.destination_height);
}

}  // namespace yoke::simulator
