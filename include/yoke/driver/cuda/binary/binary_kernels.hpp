// SPDX-License-Identifier: MIT
// The names of the kernels in an image, for drivers that do not list them.
#ifndef YOKE_DRIVER_CUDA_BINARY_BINARY_KERNELS_HPP
#define YOKE_DRIVER_CUDA_BINARY_BINARY_KERNELS_HPP

#include <yoke/driver/cuda/binary/binary_check.hpp>
#include <yoke/driver/cuda/binary/loaded_binaries.hpp>
#include <yoke/driver/cuda/binary/ptx.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

using image_view = std::span<const std::byte>;

[[gnu::cold]] inline std::string_view text_of(image_view bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
/// Returns: the bytes from `begin` on; fewer if the image ends before.
[[gnu::cold]] inline image_view part_of(image_view image, std::uint64_t begin, std::uint64_t bytes) noexcept {
  if (begin >= image.size()) return {};
  const auto at = static_cast<std::size_t>(begin);
  return image.subspan(at, static_cast<std::size_t>((std::min)(bytes, std::uint64_t{image.size() - at})));
}
/// Returns: whether it is an image of the simulator. Effects: stores the text after the mark, which is at the end of
/// the image.
[[gnu::cold]] inline bool simulated_text(image_view image, std::string_view mark, std::string_view& text) noexcept {
  const std::string_view all = text_of(image);
  if (all.substr(0, simulated_magic.size()) != simulated_magic) return false;
  const std::size_t at = all.rfind(mark);
  text = at == std::string_view::npos ? std::string_view() : all.substr(at + mark.size());
  return true;
}

/// Returns: the kernels of PTX text, or of the simulator's equivalent.
[[gnu::cold]] inline std::vector<ptx_entry> image_entries(image_view image) {
  std::string_view text;
  if (simulated_text(image, "\n// as PTX\n", text)) return parse_ptx(text);
  return is_ptx(image) ? parse_ptx(text_of(image)) : std::vector<ptx_entry>{};
}

/// Effects: adds the functions in a complete cubin's symbol table that hosts can launch.
[[gnu::cold]] inline void add_cubin_kernels(image_view cubin, std::vector<std::string>& names) {
  const std::size_t row_bytes = number_at<std::uint16_t>(cubin, 58);
  const auto section = [&](std::size_t index) {
    const image_view row = part_of(cubin, number_at<std::uint64_t>(cubin, 40) + index * row_bytes, row_bytes);
    return std::pair{row, part_of(cubin, number_at<std::uint64_t>(row, 24), number_at<std::uint64_t>(row, 32))};
  };
  for (std::size_t i = 0; i < number_at<std::uint16_t>(cubin, 60); ++i) {
    const auto [row, symbols] = section(i);
    constexpr std::uint32_t symbol_table = 2;
    if (number_at<std::uint32_t>(row, 4) != symbol_table) continue;
    const std::string_view strings = text_of(section(number_at<std::uint32_t>(row, 40)).second);
    constexpr std::size_t symbol_bytes = 24;
    for (std::size_t at = 0; at + symbol_bytes <= symbols.size(); at += symbol_bytes) {
      constexpr unsigned function = 2;
      constexpr unsigned entry = 0x10;  // STO_CUDA_ENTRY
      const bool is_kernel = (number_at<std::uint8_t>(symbols, at + 4) & 0xFU) == function &&
                             (number_at<std::uint8_t>(symbols, at + 5) & entry) != 0;
      const std::uint32_t name = number_at<std::uint32_t>(symbols, at);
      if (!is_kernel || name >= strings.size()) continue;
      const std::string_view rest = strings.substr(name);
      names.push_back(std::string(rest.substr(0, rest.find('\0'))));
    }
  }
}

/// Effects: adds the names of the kernels in a cubin or in PTX. Returns: false for any other image.
[[gnu::cold]] inline bool add_code_kernels(image_view code, std::vector<std::string>& names) {
  if (is_ptx(code)) {
    for (ptx_entry& each : parse_ptx(text_of(code))) names.push_back(std::move(each.name));
    return true;
  }
  if (text_of(code).rfind("\x7F"
                          "ELF",
                          0) != 0 ||
      !cubin_problem(code).empty())
    return false;
  add_cubin_kernels(code, names);
  return true;
}

/// Effects: adds the names of the kernels in an image. Returns: whether the names are complete: compressed parts of a
/// fatbin are not read.
[[gnu::cold]] inline bool add_image_kernels(image_view image, std::vector<std::string>& names) {
  std::string_view list;
  if (simulated_text(image, "\n// kernels\n", list)) {
    for (list = list.substr(0, list.find("//")); !list.empty();) {
      const std::string_view line = list.substr(0, list.find('\n'));
      if (!line.empty()) names.push_back(std::string(line));
      list.remove_prefix((std::min)(line.size() + 1, list.size()));
    }
    return true;
  }
  if (number_at<std::uint32_t>(image, 0) != fatbin_magic) return add_code_kernels(image, names);
  bool all = true;
  image_view rest = part_of(image, number_at<std::uint16_t>(image, 6), number_at<std::uint64_t>(image, 8));
  while (!rest.empty()) {  // headers, each with its own size and the size of its content
    const std::uint64_t header = number_at<std::uint32_t>(rest, 4);
    const std::uint64_t bytes = number_at<std::uint64_t>(rest, 8);
    if (header == 0 || header > rest.size()) return false;
    rest = part_of(rest, header, rest.size());
    all = add_code_kernels(part_of(rest, 0, bytes), names) && all;
    rest = part_of(rest, bytes, rest.size());
  }
  return all;
}

/// Effects: lists the kernels named in the compiler's output and in the image.
[[gnu::cold]] inline void list_kernels(image_record& record) {
  std::vector<std::string> names;
  const bool all = add_image_kernels(record.image, names);
  for (const ptx_entry& each : record.entries) names.push_back(each.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());  // a fatbin has each once for each kind of device
  record.has_all_kernels = all;
  record.kernels = std::move(names);
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
