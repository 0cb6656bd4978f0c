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

/// A folder of results, keyed by all their inputs. Functions throw only std::bad_alloc: results that cannot be kept or
/// read are made anew.
class kept_results {
 public:
  using parts = std::vector<std::string>;

  /// Returns: the folder of this process. It keeps nothing if the variable is unset, the program is set-uid, or other
  /// users can write to the folder, which is reported once.
  static const kept_results& of_process();

  bool active() const { return !folder_.empty(); }
  /// Returns: the result kept for exactly this key; nothing from damaged files.
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

/// Returns: whether results for the text (a source with its headers) depend on it alone. Then nothing in it changes
/// with the time, and no file that it includes or tests for can be a file of the user: no path is absolute or goes up,
/// and `known` accepts each. A macro for a name counts as every definition of it in the text.
bool depends_on_itself_alone(std::string text, const std::function<bool(const std::string&)>& known);

}  // namespace yoke::simulator

#endif
