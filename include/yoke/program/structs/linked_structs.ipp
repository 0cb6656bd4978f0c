// SPDX-License-Identifier: MIT
// Body of program/structs/linked_structs.hpp.
#ifndef YOKE_PROGRAM_STRUCTS_LINKED_STRUCTS_IPP
#define YOKE_PROGRAM_STRUCTS_LINKED_STRUCTS_IPP

#include <yoke/program/structs/device_struct.hpp>
#include <yoke/program/structs/linked_structs.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Collects the structs of several programs. Drops a name that they use for different structs, because it is unclear
/// which one a kernel means.
class linked_structs {
 public:
  [[gnu::cold]] void add(std::span<const struct_description> types) {
    for (const struct_description& each : types) {
      add(each.nested);
      const auto same =
          std::find_if(all_.begin(), all_.end(), [&](const auto& other) { return other.name == each.name; });
      if (same == all_.end()) {
        all_.push_back(each);
      } else if (!(*same == each)) {
        ambiguous_.push_back(each.name);
      }
    }
  }
  /// Returns: the unambiguous structs. Requires: this is the last call.
  [[nodiscard, gnu::cold]] std::vector<struct_description> known() {
    const auto is_ambiguous = [&](const struct_description& each) {
      return std::find(ambiguous_.begin(), ambiguous_.end(), each.name) != ambiguous_.end();
    };
    std::erase_if(all_, [&](const struct_description& each) {
      return is_ambiguous(each) || std::any_of(each.nested.begin(), each.nested.end(), is_ambiguous);
    });
    return std::move(all_);
  }

 private:
  std::vector<struct_description> all_;
  std::vector<std::string> ambiguous_;
};

std::vector<struct_description> linked_types(std::span<const std::vector<struct_description>> parts) {
  linked_structs structs;
  for (const std::vector<struct_description>& each : parts) structs.add(each);
  return structs.known();
}

}  // namespace yoke::inline v0_1::detail

#endif
