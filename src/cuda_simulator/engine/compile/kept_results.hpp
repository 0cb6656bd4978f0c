// SPDX-License-Identifier: MIT
// Keeps the results of compiling and linking in the folder that YOKE_SIMULATOR_CACHE names.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_KEPT_RESULTS_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_KEPT_RESULTS_HPP

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::simulator {

/// A folder of results, each under all that it was made of. Nothing here throws but for memory: what cannot be kept or
/// read is made anew.
class kept_results {
 public:
  using parts = std::vector<std::string>;

  /// Returns: that of this process. It keeps nothing where the variable is unset, the program is set-uid, or the folder
  /// is one that others may write to, which is said once.
  static const kept_results& of_process();

  bool active() const { return !folder_.empty(); }
  /// Returns: what was kept for exactly this key. Of damaged files there is nothing.
  std::optional<parts> find(const parts& key) const;
  /// Effects: keeps `result`, all of it or nothing.
  void keep(const parts& key, const parts& result) const;

 private:
  kept_results();
  std::string file_of(std::string_view key) const;

  std::string folder_;
  std::string identity_;  ///< of this build of the simulator
};

/// Returns: the file's path, size and last change; empty if there is none.
std::string identity_of_file(const std::string& path);

/// Returns: whether what is made of the text, which is a source with its headers, depends on it alone: nothing in it
/// changes with the time, and no name that it includes or asks for may be a file of the user: none is absolute or goes
/// up, and `known` says yes to each. A macro for a name counts as all that it is defined as here.
bool depends_on_itself_alone(std::string text, const std::function<bool(const std::string&)>& known);

}  // namespace yoke::simulator

#endif
