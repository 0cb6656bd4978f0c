// SPDX-License-Identifier: MIT
// PoCL's program binaries. They contain files of its cache folder, which other processes may be writing.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_POCL_BINARY_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_POCL_BINARY_HPP

#include <yoke/driver/binary.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace yoke::inline v0_1::opencl::detail {

using yoke::detail::bounded_reader;
using yoke::detail::number_at;

/// Returns: whether the bytes are complete LLVM bitcode: blocks with their lengths in words, among them the module, and
/// the names last. The content of a bitcode wrapper is not checked.
[[gnu::cold]] inline bool is_whole_bitcode(std::span<const std::byte> file) noexcept {
  constexpr std::uint32_t bitcode = 0xdec04342;  // "BC" and two more
  constexpr std::uint32_t wrapper = 0x0b17c0de;
  constexpr std::uint32_t module_block = 8;
  constexpr std::uint32_t names_block = 23;
  const auto magic = number_at<std::uint32_t>(file, 0);
  if (magic != bitcode) return magic == wrapper;
  bool has_module = false;
  std::uint32_t block = 0;
  std::uint64_t at = 4;
  while (at < file.size()) {
    block = number_at<std::uint32_t>(file, at) >> 2 & 0xff;  // after the two bits that enter a block
    has_module = has_module || block == module_block;
    at += 8 + 4 * std::uint64_t{number_at<std::uint32_t>(file, at + 4)};
  }
  return at == file.size() && has_module && block == names_block;
}

/// Returns: whether the bytes are a complete ELF object: it ends in the section table, since linkers put it last. For
/// formats other than 64-bit ELF only the beginning is checked.
[[gnu::cold]] inline bool is_whole_object(std::span<const std::byte> file) noexcept {
  constexpr std::uint32_t elf = 0x464c457f;  // "\x7f" "ELF"
  const auto magic = number_at<std::uint32_t>(file, 0);
  if (magic != elf) return magic != 0;
  if (file.size() < 5 || file[4] != std::byte{2}) return file.size() >= 52;  // a 32-bit header
  const auto table = number_at<std::uint64_t>(file, 40);
  const auto each = number_at<std::uint16_t>(file, 58);
  const auto count = number_at<std::uint16_t>(file, 60);
  return table != 0 && each != 0 && count != 0 && yoke::detail::table_fits(table, each, count, file.size());
}

/// Returns: whether a file was complete when it was read, judged by its own lengths. A file that is neither bitcode nor
/// ELF only must not be empty.
[[gnu::cold]] inline bool is_whole_file(std::string_view name, std::span<const std::byte> file) noexcept {
  if (file.empty()) return false;
  if (name.ends_with(".bc")) return is_whole_bitcode(file);
  return !name.ends_with(".so") || is_whole_object(file);
}

/// Returns: whether a complete file comes next. Effects: skips it. A file is the length of its name (u32), the name,
/// which begins with a slash, the length of its content (u32), and the content.
[[gnu::cold]] inline bool take_file(bounded_reader& from) noexcept {
  std::uint32_t length = 0;
  std::span<const std::byte> name;
  std::span<const std::byte> content;
  return from.get(length) && from.take(length, name) && !name.empty() && from.get(length) &&
         from.take(length, content) &&
         is_whole_file({reinterpret_cast<const char*>(name.data()), name.size()}, content);
}
[[gnu::cold]] inline bool are_files(std::span<const std::byte> bytes) noexcept {
  bounded_reader files{bytes};
  while (!files.empty()) {
    if (!take_file(files)) return false;
  }
  return true;
}

/// Returns: false for a binary of PoCL with a file that was still being written. When PoCL loads it, PoCL asserts that
/// each file is present and not empty, and so ends the process; a truncated file stays in its cache. Unrecognised
/// bytes, of other drivers or newer layouts, count as complete.
/// The layout of versions 6 to 11 (PoCL 3.1 writes 9, PoCL 6 writes 11): head, with the version at 16 and the number of
/// kernels at 20 | the program, a file | if it has variables of its own: length (u64) of files, files | per kernel:
/// length of the whole (u64), length of its files (u64), its other facts, its files.
[[gnu::cold]] inline bool is_whole_pocl_binary(std::span<const std::byte> bytes) noexcept {
  constexpr std::string_view magic{"poclbin\0", 8};
  const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  const auto version = number_at<std::uint32_t>(bytes, 16);
  if (text.substr(0, magic.size()) != magic || version < 6 || version > 11) return true;
  // The header's length depends on the version. A part that a version does not have is missing as a whole.
  const std::string_view program = "/program.";
  const std::size_t found = text.substr(0, 256).find(program);
  if (found == std::string_view::npos) return false;
  if (text.substr(found + program.size(), 2) != "bc") return true;  // another kind of program

  bounded_reader rest{bytes.subspan(found - 4)};
  if (!take_file(rest)) return false;
  std::uint64_t length = 0;
  std::uint64_t in_files = 0;
  std::span<const std::byte> part;
  bounded_reader ahead = rest;
  // a kernel's first length is followed by another of 8 bytes, not by a name
  if (ahead.take(12, part) && ahead.take(1, part) && part.front() == std::byte{'/'}) {
    if (!rest.get(length) || !rest.take(length, part) || !are_files(part)) return false;
  }
  for (auto kernels = number_at<std::uint32_t>(bytes, 20); kernels != 0; --kernels) {
    // a length under 16 wraps to almost 2^64
    if (!rest.get(length) || !rest.get(in_files) || !rest.take(length - 16, part)) return false;
    if (in_files > part.size() || !are_files(part.last(static_cast<std::size_t>(in_files)))) return false;
  }
  return rest.empty();
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
