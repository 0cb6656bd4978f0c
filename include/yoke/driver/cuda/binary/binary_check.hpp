// SPDX-License-Identifier: MIT
// Checks an image before the driver gets it: the driver is not told the size, and reads beyond the end of a truncated
// image.
#ifndef YOKE_DRIVER_CUDA_BINARY_BINARY_CHECK_HPP
#define YOKE_DRIVER_CUDA_BINARY_BINARY_CHECK_HPP

#include <yoke/core/config.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/binary.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace yoke::inline v0_1::cuda::detail {

using yoke::detail::number_at;
using yoke::detail::table_fits;

/// Returns: the fault of an ELF image; "" for a whole cubin.
[[gnu::cold]] inline std::string cubin_problem(std::span<const std::byte> image) {
  constexpr std::size_t header = 64;
  constexpr std::uint16_t cuda_machine = 190;
  if (image.size() < header) return "is an ELF file cut off in its header";
  if (image[4] != std::byte{2} || number_at<std::uint16_t>(image, 18) != cuda_machine) {
    return "is an ELF file of another machine, no cubin";
  }
  const bool sections = table_fits(number_at<std::uint64_t>(image, 40), number_at<std::uint16_t>(image, 58),
                                   number_at<std::uint16_t>(image, 60), image.size());
  const bool segments = table_fits(number_at<std::uint64_t>(image, 32), number_at<std::uint16_t>(image, 54),
                                   number_at<std::uint16_t>(image, 56), image.size());
  if (!sections || !segments) return "is a cubin that was cut off";
  const std::uint64_t table = number_at<std::uint64_t>(image, 40);
  for (std::size_t i = 0; i < number_at<std::uint16_t>(image, 60); ++i) {
    const std::size_t row = static_cast<std::size_t>(table) + i * number_at<std::uint16_t>(image, 58);
    constexpr std::uint32_t no_bits = 8;  // a section without bytes in the file
    if (number_at<std::uint32_t>(image, row + 4) == no_bits) continue;
    if (!table_fits(number_at<std::uint64_t>(image, row + 24), number_at<std::uint64_t>(image, row + 32), 1,
                    image.size())) {
      return "is a cubin that was cut off or damaged";
    }
  }
  return "";
}

/// Whether the bytes are text with PTX's first directive.
[[gnu::cold]] inline bool is_ptx(std::span<const std::byte> image) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(image.data()), image.size());
  return text.find(".version") != std::string_view::npos && text.find(".target") != std::string_view::npos &&
         text.substr(0, text.find_last_not_of('\0') + 1).find('\0') == std::string_view::npos;
}

inline constexpr std::uint32_t fatbin_magic = 0xBA55ED50;
inline constexpr std::string_view simulated_magic = "\x93YOKE simulation";

/// Returns: why the driver must not get the image; "" if it may.
[[gnu::cold]] inline std::string image_problem(std::span<const std::byte> image) {
  if (image.empty()) return "is empty";
  const auto begins_with = [&](std::string_view magic) {
    return image.size() >= magic.size() && std::memcmp(image.data(), magic.data(), magic.size()) == 0;
  };
  if (begins_with("\x7F"
                  "ELF"))
    return cubin_problem(image);
  if (number_at<std::uint32_t>(image, 0) == fatbin_magic) {
    const bool whole = image.size() >= 16 && table_fits(number_at<std::uint16_t>(image, 6), 1,
                                                        number_at<std::uint64_t>(image, 8), image.size());
    return whole ? "" : "is a fatbin that was cut off";
  }
  if (begins_with(simulated_magic)) {
    constexpr std::size_t header = 64;  // the object's size follows the magic and two small numbers
    const bool whole = table_fits(header, 1, number_at<std::uint64_t>(image, 24), image.size());
    if (!whole || image.size() < header) return "is an image of the simulator that was cut off";
    const auto capability = number_at<std::uint32_t>(image, 40);
    return capability > 0 && capability < 1000 ? "" : "is an image of the simulator whose header is damaged";
  }
  if (is_ptx(image)) return "";
  return "is no cubin, no fatbin and no PTX";
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
