// SPDX-License-Identifier: MIT
// A folder for the duration of a test.
#ifndef YOKE_TESTS_SUPPORT_TEMPORARY_FOLDER_HPP
#define YOKE_TESTS_SUPPORT_TEMPORARY_FOLDER_HPP

#include <support/catch.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>

namespace yoke_test {

/// A folder that is gone, with all in it, at the end.
class temporary_folder {
 public:
  temporary_folder() {
    std::random_device number;
    do {
      path_ = std::filesystem::temp_directory_path() / ("yoke-test-" + std::to_string(number()));
    } while (!std::filesystem::create_directory(path_));
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
    REQUIRE(std::filesystem::is_directory(path_));
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  /// Effects: writes a file, with the folders that it stands in. Returns: its path.
  std::filesystem::path put(const std::string& name, std::span<const std::byte> bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace yoke_test

#endif
