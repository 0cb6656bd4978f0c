// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/image/sampler.hpp.
#ifndef YOKE_DRIVER_OPENCL_IMAGE_SAMPLER_IPP
#define YOKE_DRIVER_OPENCL_IMAGE_SAMPLER_IPP

#include <yoke/driver/opencl/image/sampler.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/driver/opencl/invoke.hpp>

namespace yoke::inline v0_1::opencl {

abi::sampler sampler_functions::create_sampler(abi::context context, const yoke::sampler& fields,
                                               const source_location& where) const {
  constexpr abi::uint addresses[] = {abi::address_clamp_to_edge, abi::address_clamp, abi::address_repeat,
                                     abi::address_mirrored_repeat};
  return detail::create<&abi::functions::create_sampler>(
      table(), where, context, fields.normalised ? abi::yes : abi::no,
      addresses[static_cast<std::size_t>(fields.address)],
      fields.filter == filter_mode::linear ? abi::filter_linear : abi::filter_nearest);
}
release_result sampler_functions::release_sampler(abi::sampler made) const noexcept {
  return detail::release<&abi::functions::release_sampler>(table(), made);
}
abi::sampler sampler_functions::create_sampler_with(abi::context context, std::span<const std::uint64_t> properties,
                                                    const source_location& where) const {
  if (properties.size() % 2 != 0 && properties.back() != 0) {
    detail::throw_error(errc::invalid_argument, where, "the ", properties.size(),
                        " numbers of a sampler's properties end in a key without a value: give pairs of both");
  }
  std::vector<std::uint64_t> ended(properties.begin(), properties.end());
  if (ended.size() % 2 == 0) ended.push_back(0);  // the driver reads pairs until a key of 0
  return detail::create<&abi::functions::create_sampler_with_properties>(
      table(), where, context, static_cast<const std::uint64_t*>(ended.data()));
}
void sampler_functions::retain_sampler(abi::sampler made, const source_location& where) const {
  detail::invoke<&abi::functions::retain_sampler>(table(), where, made);
}
sampler_description sampler_functions::describe_sampler(abi::sampler made, const source_location& where) const {
  constexpr auto get = &abi::functions::get_sampler_info;
  // Older drivers do not know this property.
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

}  // namespace yoke::inline v0_1::opencl

#endif
