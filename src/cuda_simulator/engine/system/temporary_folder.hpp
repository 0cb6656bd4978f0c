// SPDX-License-Identifier: MIT
// A temporary folder that goes away with its object, and files in it.
#ifndef YOKE_SIMULATOR_ENGINE_SYSTEM_TEMPORARY_FOLDER_HPP
#define YOKE_SIMULATOR_ENGINE_SYSTEM_TEMPORARY_FOLDER_HPP

#include <filesystem>
#include <string>
#include <string_view>

namespace yoke::simulator {

class temporary_folder {
 public:
  /// Effects: makes a folder that only this user may enter, under $TMPDIR or /tmp. Throws: std::system_error.
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  /// Returns: the path of the file that now holds `text`; folders in `name` are made. Throws: std::system_error.
  std::filesystem::path write(const std::filesystem::path& name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

/// Returns: the bytes of a file; empty if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace yoke::simulator

#endif
