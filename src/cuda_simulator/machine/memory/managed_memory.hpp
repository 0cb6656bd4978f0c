// SPDX-License-Identifier: MIT
// Advice and prefetches that a program gave for managed memory, page by page.
#ifndef YOKE_SIMULATOR_MACHINE_MEMORY_MANAGED_MEMORY_HPP
#define YOKE_SIMULATOR_MACHINE_MEMORY_MANAGED_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "machine/base/abi.hpp"

namespace yoke::simulator {

/// The present or preferred location of pages. The id of a host is always -1.
using page_location = std::pair<abi::memory_location_type, int>;

/// The facts about a page.
struct page_facts {
  bool read_mostly = false;
  std::optional<page_location> preferred{};
  std::optional<page_location> prefetched{};
  std::set<int> accessed_by{};  ///< device ordinals; the host is -1

  friend bool operator==(const page_facts&, const page_facts&) = default;
};

/// The pages of a block of managed memory. A range includes every page that it touches, as on a device.
/// Thread safety: the driver's lock.
class managed_pages {
 public:
  /// Effects: changes the facts about the pages of [address, address + bytes).
  template <class Change>
  void apply(std::uintptr_t address, std::size_t bytes, Change&& change) {
    const auto [first, last] = pages_of(address, bytes);
    split(first);
    split(last);
    for (auto each = runs_.find(first); each != runs_.end() && each->first < last; ++each) change(each->second);
  }
  /// Effects: calls `look` with the facts about the range, once for each run of equal pages.
  template <class Look>
  void look_at(std::uintptr_t address, std::size_t bytes, Look&& look) const {
    const auto [first, last] = pages_of(address, bytes);
    for (auto each = std::prev(runs_.upper_bound(first)); each != runs_.end() && each->first < last; ++each) {
      look(each->second);
    }
  }

 private:
  static std::pair<std::uintptr_t, std::uintptr_t> pages_of(std::uintptr_t address, std::size_t bytes) {
    constexpr std::size_t page = 4096;
    return {address / page, (address + bytes + page - 1) / page};
  }
  void split(std::uintptr_t page) {
    const auto before = std::prev(runs_.upper_bound(page));
    if (before->first != page) runs_.emplace(page, before->second);
  }

  std::map<std::uintptr_t, page_facts> runs_{{0, {}}};  // keyed by their first page
};

}  // namespace yoke::simulator

#endif
