// SPDX-License-Identifier: MIT
// Body of core/file.hpp.
#ifndef YOKE_CORE_FILE_IPP
#define YOKE_CORE_FILE_IPP

#include <yoke/core/file.hpp>
#include <yoke/core/native_path.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace yoke::inline v0_1::detail {

std::vector<std::byte> file_bytes(std::string_view noun, const std::string& path, const source_location& where) {
  const auto refuse = [&](const std::string& why) {
    throw_error(errc::invalid_argument, where, noun, " \"", path, "\" ", why);
  };
  if (path.find('\0') != std::string::npos) refuse("has a zero character in its name");
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(native_path(path), failure);
  if (status.type() == std::filesystem::file_type::not_found) refuse("does not exist");
  if (failure) refuse("cannot be read: " + failure_text(failure));
  if (std::filesystem::is_directory(status)) refuse("is a folder");
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status)) refuse("is a device");
  if (!std::filesystem::is_regular_file(status)) refuse("is a pipe or a socket");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_to_read_bytes(path), &std::fclose);
  if (file == nullptr) refuse(std::string("cannot be read: ") + std::strerror(errno));
  std::vector<std::byte> bytes;
  std::size_t got = 0;
  do {
    constexpr std::size_t step = 1 << 16;
    bytes.resize(bytes.size() + step);
    got = std::fread(bytes.data() + bytes.size() - step, 1, step, file.get());
    bytes.resize(bytes.size() - step + got);
  } while (got != 0);
  if (std::ferror(file.get()) != 0) refuse(std::string("cannot be read: ") + std::strerror(errno));
  if (bytes.empty()) refuse("is empty");
  return bytes;
}

}  // namespace yoke::inline v0_1::detail

#endif
