// SPDX-License-Identifier: MIT
// Bodies of core/text.hpp.
#ifndef YOKE_CORE_TEXT_IPP
#define YOKE_CORE_TEXT_IPP

#include <yoke/core/text.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {

void detail::text_part::append_to(std::string& out) const {
  switch (what_) {
    case kind::word: out.append(std::string_view(word_, static_cast<std::size_t>(size_or_number_))); return;
    case kind::number: out += std::to_string(size_or_number_); return;
    case kind::negative: out += '-' + std::to_string(0 - size_or_number_); return;
  }
}

std::string detail::joined_text(const text_part* parts, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) parts[i].append_to(out);
  return out;
}

std::string detail::hex_digits(unsigned long long value, std::size_t least) {
  std::string out;
  for (; value != 0 || out.size() < least; value /= 16) out.insert(out.begin(), "0123456789abcdef"[value % 16]);
  return out;
}

std::string detail::near_names(std::string_view wrong, std::string_view list) {
  const auto is_of_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
  };
  // Levenshtein distance: how many letters differ, are missing or are too many.
  const auto distance = [&](std::string_view name) {
    std::vector<std::size_t> row(wrong.size() + 1);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
    for (std::size_t k = 0; k < name.size(); ++k) {
      std::size_t before = row[0]++;
      for (std::size_t i = 1; i < row.size(); ++i) {
        const std::size_t changed = before + (wrong[i - 1] == name[k] ? 0 : 1);
        before = row[i];
        row[i] = std::min({row[i] + 1, row[i - 1] + 1, changed});
      }
    }
    return row.back();
  };
  std::vector<std::pair<std::size_t, std::string_view>> found;
  int depth = 0;
  for (std::size_t at = 0; at < list.size();) {
    const char c = list[at];
    depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
    std::size_t end = at;
    while (depth == 0 && end < list.size() && is_of_name(list[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const std::string_view name = list.substr(at, end - at);
    const std::size_t far = distance(name);
    const bool is_part = !wrong.empty() && name.find(wrong) != std::string_view::npos;
    if (far <= 1 + wrong.size() / 4 || is_part) found.emplace_back(far, name);
    at = end;
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out;
  for (std::size_t i = 0; i < found.size() && i < 3; ++i) {
    out += (i == 0 ? ", near to " : ", ") + std::string(found[i].second);
  }
  return out;
}

std::string detail::shortened(std::string_view whole) {
  constexpr std::size_t most = 80;
  return whole.size() <= most ? std::string(whole) : std::string(whole.substr(0, most)) + "...";
}

}  // namespace yoke::inline v0_1

#endif
