// SPDX-License-Identifier: MIT
// Rewrites the places in a compiler's messages.
#include "diagnostics.hpp"

#include <algorithm>
#include <cctype>

namespace yoke::simulator {

namespace {

std::size_t digits_from(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

/// "file:12:5: " at the start of a line becomes "file(12): ".
std::string rewritten(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
    const std::size_t end = digits_from(line, colon + 1);
    if (end == colon + 1 || end >= line.size() || line[end] != ':') continue;
    const std::size_t column = digits_from(line, end + 1);
    const bool has_column = column > end + 1 && column < line.size() && line[column] == ':';
    std::string text(line.substr(0, colon));
    text += '(';
    text += line.substr(colon + 1, end - colon - 1);
    text += ')';
    text += line.substr(has_column ? column : end);
    return text;
  }
  return std::string(line);
}

}  // namespace

std::string nvrtc_messages(std::string_view messages, const std::string& folder) {
  std::string log;
  while (!messages.empty()) {
    const std::size_t length = std::min(messages.find('\n'), messages.size());
    std::string line = rewritten(messages.substr(0, length));
    messages.remove_prefix(std::min(messages.size(), length + 1));
    for (std::size_t at = line.find(folder + "/"); at != std::string::npos; at = line.find(folder + "/", at)) {
      line.erase(at, folder.size() + 1);
    }
    log += line;
    log += '\n';
  }
  return log;
}

}  // namespace yoke::simulator
