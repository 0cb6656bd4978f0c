// SPDX-License-Identifier: MIT
// Entries that make tensor maps: plain values, which the driver does not keep.
#include <cstring>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/stream/context.hpp"
#include "prelude/include/yoke_simulator/tensor_words.h"

namespace yoke::simulator {

namespace {

using yoke_simulator::tensor_words;
constexpr std::uint64_t most_elements = std::uint64_t{1} << 32;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;

unsigned bytes_of(abi::tensor_element element) {
  switch (element) {
    case abi::tensor_element::uint8: return 1;
    case abi::tensor_element::uint16:
    case abi::tensor_element::float16:
    case abi::tensor_element::bfloat16: return 2;
    case abi::tensor_element::uint64:
    case abi::tensor_element::int64:
    case abi::tensor_element::float64: return 8;
    default: return 4;
  }
}
bool is_real(abi::tensor_element element) { return element >= abi::tensor_element::float16; }

bool is_aligned(const void* address, std::uintptr_t multiple) {
  return reinterpret_cast<std::uintptr_t>(address) % multiple == 0;
}

void check_pattern(abi::tensor_swizzle swizzle, std::size_t row) {
  // The other patterns are for devices from 10.0 on.
  require(swizzle <= abi::tensor_swizzle::bytes_128);
  require(swizzle == abi::tensor_swizzle::none || row <= std::size_t{16} << static_cast<unsigned>(swizzle));
}

}  // namespace

namespace entries {

abi::status tensor_map_encode_tiled(abi::tensor_map* result, abi::tensor_element element, abi::uint rank, void* address,
                                    const std::uint64_t* extents, const std::uint64_t* strides,
                                    const std::uint32_t* box, const std::uint32_t* steps,
                                    abi::tensor_interleave interleave, abi::tensor_swizzle swizzle,
                                    abi::tensor_promotion promotion, abi::tensor_fill fill) {
  return entry([&] {
    (void)current_context();
    require(result != nullptr && is_aligned(result, 64) && address != nullptr && is_aligned(address, 16));
    require(extents != nullptr && box != nullptr && steps != nullptr && (strides != nullptr || rank == 1));
    require(rank >= 1 && rank <= 5 && element <= abi::tensor_element::tfloat32_flushed);
    require(interleave == abi::tensor_interleave::none, abi::error_not_supported);
    require(promotion <= abi::tensor_promotion::bytes_256 && fill <= abi::tensor_fill::nan);
    require(fill == abi::tensor_fill::zero || is_real(element));
    tensor_words words{};
    words.mark = yoke_simulator::tensor_mark;
    words.address = reinterpret_cast<std::uintptr_t>(address);
    words.rank = static_cast<unsigned char>(rank);
    words.element = static_cast<unsigned char>(element);
    words.element_bytes = static_cast<unsigned char>(bytes_of(element));
    words.swizzle = static_cast<unsigned char>(swizzle);
    words.fills_nan = fill == abi::tensor_fill::nan ? 1 : 0;
    for (unsigned axis = 0; axis < rank; ++axis) {
      require(extents[axis] != 0 && extents[axis] <= most_elements && box[axis] != 0 && box[axis] <= 256);
      require(steps[axis] != 0 && steps[axis] <= 8);
      words.extents[axis] = extents[axis];
      words.box[axis] = static_cast<unsigned short>(box[axis]);
      words.steps[axis] = static_cast<unsigned char>(axis == 0 ? 1 : steps[axis]);  // the first is ignored
      if (axis == 0) continue;
      const std::uint64_t stride = strides[axis - 1];
      require(stride % 16 == 0 && stride < most_bytes);
      words.strides[axis - 1] = stride;
    }
    const std::size_t row = std::size_t{box[0]} * words.element_bytes;
    require(row % 16 == 0);
    check_pattern(swizzle, row);
    std::memcpy(static_cast<void*>(result), &words, sizeof words);
  });
}

abi::status tensor_map_replace_address(abi::tensor_map* map, void* address) {
  return entry([&] {
    (void)current_context();
    require(map != nullptr && is_aligned(map, 64) && address != nullptr && is_aligned(address, 16));
    tensor_words words;
    std::memcpy(&words, map, sizeof words);
    require(words.mark == yoke_simulator::tensor_mark);
    words.address = reinterpret_cast<std::uintptr_t>(address);
    std::memcpy(static_cast<void*>(map), &words, sizeof words);
  });
}

}  // namespace entries

}  // namespace yoke::simulator
