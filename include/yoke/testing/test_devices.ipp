// SPDX-License-Identifier: MIT
// Bodies of testing/test_devices.hpp.
#ifndef YOKE_TESTING_TEST_DEVICES_IPP
#define YOKE_TESTING_TEST_DEVICES_IPP

#include <yoke/testing/test_devices.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace yoke::inline v0_1 {

namespace detail {

/// Effects: removes from `rest` the text up to the first separator. Returns: that text, trimmed.
inline std::string_view cut_off(std::string_view& rest, std::string_view separators) noexcept {
  const std::size_t end = std::min(rest.find_first_of(separators), rest.size());
  std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
  while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
  return part;
}

/// Returns: the element of `among` at the index `word`, else the first whose text contains `word`; -1 if there is none.
template <class Text>
std::ptrdiff_t first_named(const std::vector<std::size_t>& among, std::string_view word, const Text& text_of) {
  std::size_t index = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (code == std::errc{} && end == word.data() + word.size()) {
    return index < among.size() ? static_cast<std::ptrdiff_t>(among[index]) : -1;
  }
  const auto small = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  for (const std::size_t each : among) {
    const std::string in = text_of(each);
    const auto at = std::search(in.begin(), in.end(), word.begin(), word.end(),
                                [&](char a, char b) { return small(a) == small(b); });
    if (at != in.end() || word.empty()) return static_cast<std::ptrdiff_t>(each);
  }
  return -1;
}

std::vector<std::size_t> match_pyopencl_test(const std::vector<device_summary>& candidates,
                                             const std::vector<std::string>& backends, std::string_view text,
                                             const source_location& where) {
  std::vector<std::size_t> chosen;
  const auto take = [&](std::size_t which) {
    if (std::find(chosen.begin(), chosen.end(), which) == chosen.end()) chosen.push_back(which);
  };
  const auto absent = [&](const char* noun, std::string_view word) {
    std::string there;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (backends[i] == "opencl") there += detail::text("\n  ", candidates[i].platform, ": ", candidates[i].name);
    }
    throw_error(errc::no_device, where, "PYOPENCL_TEST names the ", noun, " \"", word, "\", which is not there; ",
                there.empty() ? "there is no OpenCL device" : "there are:", there);
  };
  while (!text.empty()) {
    std::string_view entry = cut_off(text, ";");
    if (entry.empty()) continue;
    // The first device of each platform stands for it.
    std::vector<std::size_t> platforms;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto same = [&](std::size_t other) { return candidates[other].platform == candidates[i].platform; };
      if (backends[i] == "opencl" && std::none_of(platforms.begin(), platforms.end(), same)) platforms.push_back(i);
    }
    const std::string_view platform = cut_off(entry, ":=");
    const std::ptrdiff_t of = first_named(
        platforms, platform, [&](std::size_t i) { return candidates[i].platform + " " + candidates[i].vendor; });
    if (of < 0) absent("platform", platform);
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto& name = candidates[static_cast<std::size_t>(of)].platform;
      if (backends[i] == "opencl" && candidates[i].platform == name) there.push_back(i);
    }
    if (entry.empty()) std::for_each(there.begin(), there.end(), take);
    while (!entry.empty()) {
      const std::string_view word = cut_off(entry, ",");
      const std::ptrdiff_t found =
          first_named(there, word, [&](std::size_t i) { return candidates[i].name + " " + candidates[i].vendor; });
      if (found < 0) absent("device", word);
      take(static_cast<std::size_t>(found));
    }
  }
  return chosen;
}

}  // namespace detail

test_device_list select_test_devices(const source_location& where) {
  const auto variable = [](const char* name) {
    const char* const text = std::getenv(name);
    return std::string_view(text == nullptr ? "" : text);
  };
  const std::string_view own = variable("YOKE_TEST_DEVICES");
  if (!own.empty()) return {select_devices(own, where), {}};
  const std::string_view theirs = variable("PYOPENCL_TEST");
  test_device_list list;
  if (theirs.empty()) {
    list.devices = devices(where).empty() ? std::vector<device<any_port>>() : select_devices({}, where);
    if (list.devices.empty()) list.reason = list_devices();
    return list;
  }
  const std::vector<device<any_port>> all = devices(where);
  std::vector<device_summary> summaries;
  std::vector<std::string> backends;
  for (const device<any_port>& each : all) {
    summaries.push_back(each.summary(where));
    backends.emplace_back(each.backend_name());
  }
  for (const std::size_t index : detail::match_pyopencl_test(summaries, backends, theirs, where)) {
    list.devices.push_back(all[index]);
  }
  if (list.devices.empty()) list.reason = detail::text("PYOPENCL_TEST names no device: \"", theirs, "\"");
  return list;
}

}  // namespace yoke::inline v0_1

#endif
