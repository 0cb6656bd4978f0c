// SPDX-License-Identifier: MIT
// Makes and removes temporary folders.
#include "engine/system/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace yoke::simulator {

temporary_folder::temporary_folder() {
  const char* const parent = std::getenv("TMPDIR");
  const bool is_named = parent != nullptr && *parent != '\0';
  const std::string where = is_named ? parent : "/tmp";
  std::string name = where + "/yoke-simulator-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(),
                            "no folder can be made in " + where + (is_named ? ", the value of TMPDIR" : ""));
  }
  path_ = name;
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path temporary_folder::write(const std::filesystem::path& name, std::string_view text) const {
  std::filesystem::path path = path_ / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) throw std::system_error(EIO, std::generic_category(), "writing " + path.string());
  return path;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

}  // namespace yoke::simulator
