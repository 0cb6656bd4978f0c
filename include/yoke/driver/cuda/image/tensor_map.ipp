// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/image/tensor_map.hpp.
#ifndef YOKE_DRIVER_CUDA_IMAGE_TENSOR_MAP_IPP
#define YOKE_DRIVER_CUDA_IMAGE_TENSOR_MAP_IPP

#include <yoke/driver/cuda/image/tensor_map.hpp>

#include <yoke/driver/cuda/context.hpp>
#include <yoke/driver/cuda/invoke.hpp>

namespace yoke::inline v0_1::cuda::detail {

/// Throws: `logic_error` for an address that the hardware does not accept.
void check_tensor_address(abi::device_pointer address, const source_location& where) {
  if (address % 16 == 0) return;
  yoke::detail::throw_error(errc::invalid_argument, where, "the tensor begins at address ", address, ", ", address % 16,
                            " bytes behind a multiple of 16: a tensor map takes multiples of 16");
}

/// Throws: `logic_error` for a plan that the hardware does not accept, because the driver's code says no more.
void check_tensor(const tensor_plan& plan, const source_location& where) {
  const auto refuse = [&](errc why, const auto&... words) { yoke::detail::throw_error(why, where, words...); };
  constexpr std::size_t most_elements = std::size_t{1} << 32;
  constexpr std::ptrdiff_t most_bytes = std::ptrdiff_t{1} << 40;
  const std::size_t last = plan.rank - 1;
  const std::ptrdiff_t innermost = plan.strides[last];
  if (plan.extents[last] > 1 && innermost != static_cast<std::ptrdiff_t>(plan.element_bytes)) {
    refuse(errc::invalid_argument, "the last axis of the tensor has a stride of ", innermost,
           " bytes: its elements of ", plan.element_bytes, " bytes have to lie without gaps");
  }
  check_tensor_address(plan.address, where);
  for (std::size_t axis = 0; axis <= last; ++axis) {
    const std::size_t extent = plan.extents[axis];
    const std::ptrdiff_t stride = plan.strides[axis];
    if (extent == 0 || extent > most_elements) {
      refuse(errc::out_of_range, "axis ", axis, " of the tensor has ", extent,
             " elements: a tensor map takes 1 to 2^32");
    }
    if (axis != last && extent != 1 && (stride < 0 || stride % 16 != 0 || stride >= most_bytes)) {
      refuse(errc::invalid_argument, "axis ", axis, " of the tensor has a stride of ", stride,
             " bytes: a tensor map takes multiples of 16 from 0 to below 2^40");
    }
    if (plan.box[axis] == 0 || plan.box[axis] > 256) {
      refuse(errc::out_of_range, "axis ", axis, " of the tile has ", plan.box[axis],
             " elements: a tensor map takes 1 to 256");
    }
    if (plan.steps[axis] == 0 || plan.steps[axis] > 8) {
      refuse(errc::out_of_range, "axis ", axis, " has a step of ", plan.steps[axis], ": a tensor map takes 1 to 8");
    }
  }
  if (plan.steps[last] != 1) {
    refuse(errc::out_of_range, "the last axis has a step of ", plan.steps[last], ": a tensor map takes 1 there");
  }
  const std::size_t row = plan.box[last] * plan.element_bytes;
  if (row % 16 != 0) {
    refuse(errc::invalid_argument, "a row of the tile has ", plan.box[last], " elements of ", plan.element_bytes,
           " bytes, so ", row, " bytes: a tensor map takes multiples of 16");
  }
  const std::size_t most = swizzle_bytes(plan.swizzle);
  if (most != 0 && row > most) {
    refuse(errc::out_of_range, "a row of the tile has ", row, " bytes: the swizzle works within ", most);
  }
}

/// A map aligned as the driver requires.
struct alignas(abi::tensor_map_alignment) aligned_map {
  abi::tensor_map map{};
};

abi::tensor_map encode_tensor_map(const abi::functions* table, abi::context context, const tensor_plan& plan,
                                  const source_location& where) {
  check_tensor(plan, where);
  // The driver counts axes from the contiguous one.
  std::array<std::uint64_t, tensor_axes> extents{};
  std::array<std::uint64_t, tensor_axes> strides{};
  std::array<std::uint32_t, tensor_axes> box{};
  std::array<std::uint32_t, tensor_axes> steps{};
  std::uint64_t gapless = plan.element_bytes;
  for (std::size_t i = 0; i < plan.rank; ++i) {
    const std::size_t axis = plan.rank - 1 - i;
    extents[i] = plan.extents[axis];
    box[i] = static_cast<std::uint32_t>(plan.box[axis]);
    steps[i] = static_cast<std::uint32_t>(plan.steps[axis]);
    // An axis with one element needs no stride, but the driver accepts only some values.
    const bool is_one = plan.extents[axis] == 1;
    if (i != 0) strides[i - 1] = is_one ? (gapless + 15) / 16 * 16 : static_cast<std::uint64_t>(plan.strides[axis]);
    gapless = (i == 0 ? gapless : strides[i - 1]) * extents[i];
  }
  aligned_map made;
  const current_context scope(table, context, where);
  invoke<&abi::functions::tensor_map_encode_tiled>(
      table, where, &made.map, plan.element, static_cast<abi::uint>(plan.rank), reinterpret_cast<void*>(plan.address),
      extents.data(), strides.data(), box.data(), steps.data(), abi::tensor_interleave::none, plan.swizzle,
      plan.promotion, plan.fill);
  return made.map;
}

void move_tensor_map(const abi::functions* table, abi::context context, abi::tensor_map& map,
                     abi::device_pointer address, const source_location& where) {
  check_tensor_address(address, where);
  aligned_map moved{map};
  const current_context scope(table, context, where);
  invoke<&abi::functions::tensor_map_replace_address>(table, where, &moved.map, reinterpret_cast<void*>(address));
  map = moved.map;
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
