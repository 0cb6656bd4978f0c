// SPDX-License-Identifier: MIT
// A table of architectures, each with the versions that it came and went with.
#include "engine/binary/architectures.hpp"

#include <algorithm>
#include <string>

namespace yoke::simulator {

namespace {

struct known_architecture {
  int number;
  int since, until;                 // the first version that knows it, and the first that does not
  int specific = 0, of_family = 0;  // the versions that added its "a" and "f" forms
};
constexpr int always = 0, never = 1'000'000;

// The release notes of the toolkits; 13.0 as its NVRTC answers.
constexpr known_architecture known[] = {
    {35, always, 12000},
    {37, always, 12000},
    {50, always, 13000},
    {52, always, 13000},
    {53, always, 13000},
    {60, always, 13000},
    {61, always, 13000},
    {62, always, 13000},
    {70, always, 13000},
    {72, always, 13000},
    {75, always, never},
    {80, always, never},
    {86, 11010, never},
    {87, 11040, never},
    {88, 13000, never},
    {89, 11080, never},
    {90, 11080, never, 12000},
    {100, 12080, never, 12080, 12090},
    {101, 12080, 13000, 12080, 12090},
    {103, 12090, never, 12090, 12090},
    {110, 13000, never, 13000, 13000},
    {120, 12080, never, 12080, 12090},
    {121, 12090, never, 12090, 12090},
};

bool knows(const known_architecture& what, int version) { return version >= what.since && version < what.until; }

}  // namespace

std::vector<int> supported_architectures(int cuda_version) {
  std::vector<int> numbers;
  for (const known_architecture& each : known) {
    if (knows(each, cuda_version)) numbers.push_back(each.number);
  }
  return numbers;
}

architecture parse_architecture(std::string_view text, int cuda_version) {
  architecture found;
  for (const std::string_view prefix : {"compute_", "sm_"}) {
    if (text.substr(0, prefix.size()) != prefix) continue;
    found.is_virtual = prefix != "sm_";
    text.remove_prefix(prefix.size());
    for (const known_architecture& each : known) {
      const std::string number = std::to_string(each.number);
      if (!knows(each, cuda_version) || text.substr(0, number.size()) != number) continue;
      const std::string_view suffix = text.substr(number.size());
      const int since = suffix == "a" ? each.specific : suffix == "f" ? each.of_family : 0;
      if (!suffix.empty() && (since == 0 || cuda_version < since)) continue;
      found.number = each.number;
      found.is_specific = suffix == "a";
      found.is_of_family = suffix == "f";
    }
    return found;
  }
  return found;
}

bool loads_on(const architecture& image, int compute_capability) {
  if (image.is_specific) return image.number == compute_capability;
  const bool same_major = image.number / 10 == compute_capability / 10;
  return image.number <= compute_capability && (same_major || (image.is_virtual && !image.is_of_family));
}

}  // namespace yoke::simulator
