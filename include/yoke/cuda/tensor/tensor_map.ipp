// SPDX-License-Identifier: MIT
// Bodies of cuda/tensor/tensor_map.hpp.
#ifndef YOKE_CUDA_TENSOR_TENSOR_MAP_IPP
#define YOKE_CUDA_TENSOR_TENSOR_MAP_IPP

#include <yoke/cuda/tensor/tensor_map.hpp>

#include <yoke/cuda/device/device.hpp>

namespace yoke::inline v0_1::cuda::detail {

/// Throws: `logic_error` for a value that an enumeration does not have.
template <class Choice>
void check_choice(const char* option, Choice given, Choice last, const source_location& where) {
  if (given <= last) return;
  yoke::detail::throw_error(errc::invalid_argument, where, "tensor_map_options::", option, " is ",
                            static_cast<unsigned>(given), ", which has no name");
}

/// Throws: `unsupported_error` for a device that cannot copy tiles, or does not know the swizzle pattern.
void check_copies_tiles(const device& on, tensor_swizzle swizzle, const source_location& where) {
  const int least = swizzle > tensor_swizzle::bytes_128 ? 10 : 9;
  const int major = get(on, info::compute_capability_major, where);
  if (major >= least) return;
  yoke::detail::throw_error(
      errc::unsupported, where, on.name(where), " has compute capability ", major, ".",
      get(on, info::compute_capability_minor, where), ": ",
      least == 9 ? "tensor maps are for devices from 9.0 on" : "this tensor_swizzle is for devices from 10.0 on");
}

/// Throws: `logic_error` for options that have no meaning, or none for these elements.
void check_options(const tensor_map_options& options, abi::tensor_element element, const source_location& where) {
  check_choice("swizzle", options.swizzle, tensor_swizzle::bytes_128_by_64, where);
  check_choice("promotion", options.promotion, tensor_promotion::bytes_256, where);
  check_choice("fill", options.fill, tensor_fill::nan, where);
  check_choice("floats", options.floats, tensor_float::tf32_flushed, where);
  if (options.floats != tensor_float::exact && element != abi::tensor_element::float32) {
    yoke::detail::throw_error(errc::invalid_argument, where,
                              "tensor_map_options::floats is for elements of float, not of another type");
  }
  const bool is_real = element >= abi::tensor_element::float16 && element <= abi::tensor_element::bfloat16;
  if (options.fill == tensor_fill::nan && !is_real) {
    yoke::detail::throw_error(errc::invalid_argument, where,
                              "tensor_fill::nan is for floating-point elements: integers have no NaN");
  }
}

abi::tensor_element converted(abi::tensor_element element, tensor_float how) noexcept {
  switch (how) {
    case tensor_float::flushed: return abi::tensor_element::float32_flushed;
    case tensor_float::tf32: return abi::tensor_element::tfloat32;
    case tensor_float::tf32_flushed: return abi::tensor_element::tfloat32_flushed;
    default: return element;
  }
}

abi::tensor_map make_tensor_map(const context& in, tensor_plan plan, const tensor_map_options& options,
                                const source_location& where) {
  check_options(options, plan.element, where);
  check_copies_tiles(in.only_device(where), options.swizzle, where);
  plan.element = converted(plan.element, options.floats);
  plan.swizzle = options.swizzle;
  plan.promotion = options.promotion;
  plan.fill = options.fill;
  return encode_tensor_map(in.port(where).table(), in.native_handle(), plan, where);
}

void move_map(const context& in, abi::tensor_map& map, const tensor_plan& from, const tensor_plan& to,
              const source_location& where) {
  for (std::size_t axis = 0; axis < from.rank; ++axis) {
    if (from.extents[axis] != to.extents[axis]) {
      yoke::detail::throw_error(errc::size_mismatch, where, "axis ", axis, " of the array has ", to.extents[axis],
                                " elements, that of the tensor map ", from.extents[axis]);
    }
    if (from.strides[axis] != to.strides[axis] && from.extents[axis] != 1) {
      yoke::detail::throw_error(errc::size_mismatch, where, "axis ", axis, " of the array has a stride of ",
                                to.strides[axis], " bytes, that of the tensor map ", from.strides[axis]);
    }
  }
  move_tensor_map(in.port(where).table(), in.native_handle(), map, to.address, where);
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
