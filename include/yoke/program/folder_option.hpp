// SPDX-License-Identifier: MIT
// The type of `compile_options::keep`: the path of a folder.
#ifndef YOKE_PROGRAM_FOLDER_OPTION_HPP
#define YOKE_PROGRAM_FOLDER_OPTION_HPP

#include <yoke/core/config.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace yoke::inline YOKE_ABI {

namespace detail {
class kept_build;
struct kept_functions;
/// Returns: the functions that write a compilation's folder.
YOKE_API const kept_functions& kept_writer() noexcept;
}  // namespace detail

/// The path of a folder, or nothing. `true` does not compile.
class folder_option {
 public:
  folder_option() = default;
  folder_option(std::string path) : path_(std::move(path)), writer_(&detail::kept_writer) {}  // NOLINT: a path
  folder_option(const char* path)                                                             // NOLINT: null is nothing
      : path_(path == nullptr ? "" : path), writer_(&detail::kept_writer) {}
  template <class Switch>
    requires(std::is_same_v<Switch, bool> || std::is_same_v<Switch, char>)
  folder_option(Switch) {  // NOLINT
    static_assert(!std::is_same_v<Switch, Switch>, "this option names a folder, it is not a switch");
  }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] bool empty() const noexcept { return path_.empty(); }

 private:
  friend class detail::kept_build;
  std::string path_;
  const detail::kept_functions& (*writer_)() noexcept = nullptr;  // so that a program without a path has none of it
};

}  // namespace yoke::inline YOKE_ABI

#endif
