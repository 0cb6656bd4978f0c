// SPDX-License-Identifier: MIT
// Gathers lines to messages, then sorts the messages.
#include "engine/compile/message_order.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace yoke::simulator {

namespace {

bool contains(std::string_view line, std::string_view part) { return line.find(part) != line.npos; }

bool is_own(std::string_view line) { return line.substr(0, own_folder.size()) == own_folder; }

/// Returns: the length of "file(12)" at the start of the line; 0 if it names no line.
std::size_t place_length(std::string_view line) {
  for (std::size_t open = line.find('('); open != line.npos; open = line.find('(', open + 1)) {
    std::size_t end = open + 1;
    while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0) ++end;
    if (end > open + 1 && line.substr(end, 2) == "):") return end + 1;
  }
  return 0;
}

bool is_head(std::string_view line) {
  return contains(line, ": error: ") || contains(line, ": fatal error: ") || contains(line, ": warning: ");
}
bool is_note(std::string_view line) { return contains(line, "): note: ") || line.substr(0, 6) == "note: "; }

// GCC's "file: In function 'f':", which NVRTC does not say either.
bool is_scope(std::string_view line) {
  if (line.empty() || line.back() != ':') return false;
  return contains(line, ": At global scope") || (contains(line, ": In ") && !contains(line, ": In instantiation of "));
}

bool is_own_inclusion(std::string_view line) {
  constexpr std::string_view beginning = "In file included from ";
  return line.substr(0, beginning.size()) == beginning && is_own(line.substr(beginning.size()));
}

/// GCC says "required from" before an error, Clang "requested here" behind it.
bool is_request(std::string_view line) {
  return contains(line, "  required from ") || contains(line, " requested here");
}

struct message {
  std::string head{};
  std::vector<std::string> rest{};

  /// Effects: if the error is in the simulator's own text, reports it at the user's line that led there.
  void blame_user() {
    if (!is_own(head)) return;
    const auto asked = std::find_if(rest.begin(), rest.end(), [](const std::string& each) {
      return !is_own(each) && is_request(each) && place_length(each) != 0;
    });
    if (asked == rest.end()) return;
    std::string blamed = asked->substr(0, place_length(*asked)) + head.substr(place_length(head));
    rest.insert(rest.begin(), std::exchange(head, std::move(blamed)));
  }
};

std::vector<message> gather(std::string_view text) {
  std::vector<message> found;
  std::vector<std::string> before;  // lines that lead to the next error
  const auto move_before_to = [&](message& to) {
    std::move(before.begin(), before.end(), std::back_inserter(to.rest));
    before.clear();
  };
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(text.size(), length + 1));
    if (is_head(line)) {
      found.push_back(message{std::string(line), {}});
      move_before_to(found.back());
    } else if (is_note(line) && !found.empty()) {
      move_before_to(found.back());
      found.back().rest.emplace_back(line);
    } else if (!is_scope(line) && !is_own_inclusion(line)) {
      before.emplace_back(line);
    }
  }
  if (!before.empty()) found.push_back(message{});
  if (!before.empty()) move_before_to(found.back());
  return found;
}

}  // namespace

std::string user_messages_first(std::string_view messages) {
  std::vector<message> all = gather(messages);
  for (message& each : all) each.blame_user();
  std::string text;
  for (const bool of_user : {true, false}) {
    for (const message& each : all) {
      if (of_user != (!each.head.empty() && !is_own(each.head))) continue;
      if (!each.head.empty()) text += each.head + "\n";
      for (const std::string& line : each.rest) text += line + "\n";
    }
  }
  return text;
}

}  // namespace yoke::simulator
