// SPDX-License-Identifier: MIT
// Bodies of driver/image_types.hpp.
#ifndef YOKE_DRIVER_IMAGE_TYPES_IPP
#define YOKE_DRIVER_IMAGE_TYPES_IPP

#include <yoke/core/text.hpp>
#include <yoke/driver/image_types.hpp>

namespace yoke::inline v0_1 {

std::string to_string(image_format of) {
  constexpr const char* names[] = {"signed8",    "signed16", "signed32", "unsigned8", "unsigned16",
                                   "unsigned32", "half",     "float32",  "snorm8",    "snorm16",
                                   "unorm8",     "unorm16",  "srgb8",    "depth16",   "depth32"};
  const std::string name = names[static_cast<std::size_t>(of.type)];
  return of.channels == 1 ? name : detail::text(name, " x ", static_cast<unsigned>(of.channels));
}

namespace detail {

const char* kind_text(image_kind of) noexcept {
  constexpr const char* names[] = {"1D", "2D", "3D", "1D layered", "2D layered"};
  return names[static_cast<std::size_t>(of)];
}

std::string shape_text(const image_shape& of) {
  std::string result = std::to_string(of.width);
  if (of.kind != image_kind::d1 && of.kind != image_kind::d1_layered) result += text(" x ", of.height);
  if (of.kind == image_kind::d3) result += text(" x ", of.depth);
  if (is_layered(of.kind)) result += text(", ", of.layers, of.layers == 1 ? " layer" : " layers");
  return result;
}

void check_sampler(const sampler& of, const source_location& where) {
  if (of.address > address_mode::mirrored_repeat || of.filter > filter_mode::linear) {
    throw_error(errc::invalid_argument, where, "a sampler has address ", static_cast<unsigned>(of.address),
                " and filter ", static_cast<unsigned>(of.filter), ": the last ones are 3 and 1");
  }
  if (is_possible(of)) return;
  throw_error(errc::invalid_argument, where,
              "a sampler with address_mode::", of.address == address_mode::repeat ? "repeat" : "mirrored_repeat",
              " needs normalised coordinates: set .normalised, or take clamp_to_edge or border");
}

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
