// SPDX-License-Identifier: MIT
// Rewrites the places in a compiler's messages, and a linker's words.
#include "engine/compile/diagnostics.hpp"

#include <algorithm>
#include <cctype>

#include "engine/binary/readable_names.hpp"
#include "engine/compile/message_order.hpp"

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

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// Effects: cuts the first line off. Returns: that line.
std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

/// Returns: the text in "`...'" after those words; empty if the words are missing.
std::string_view quoted_after(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == line.npos) return {};
  const std::string_view rest = line.substr(at + words.size());
  return rest.substr(0, rest.rfind('\''));
}

}  // namespace

std::string nvrtc_messages(std::string_view messages, const std::string& folder) {
  std::string log;
  while (!messages.empty()) {
    std::string line = rewritten(next_line(messages));
    replace_all(line, folder + "/include/", own_folder);  // files that the simulator serves
    replace_all(line, folder + "/headers/", "");          // files given with the program
    replace_all(line, folder + "/", "");
    log += line;
    log += '\n';
  }
  return log;
}

std::string link_messages(std::string_view messages, const std::string& file_name) {
  std::string log;
  std::string_view user;
  for (std::string_view rest = messages; !rest.empty();) {
    const std::string_view line = next_line(rest);
    const std::string_view in = quoted_after(line, "in function `");
    const std::string_view name = quoted_after(line, "undefined reference to `");
    if (!in.empty()) user = in;
    if (name.empty()) continue;
    std::string text = file_name + ": error: '" + std::string(name) + "' is declared and not defined";
    if (!user.empty()) text += "; '" + std::string(user) + "' uses it";
    if (log.find(text) == log.npos) log += text + "\n";
  }
  return log.empty() ? std::string(messages) : log;
}

std::string load_message(std::string_view reason, const std::string& file_name) {
  constexpr std::string_view before = "undefined symbol: ";
  const std::size_t at = reason.find(before);
  if (at == reason.npos) return {};
  const std::string symbol(reason.substr(at + before.size()));
  return file_name + ": error: '" + readable_name(symbol) + "' is declared and not defined\n";
}

}  // namespace yoke::simulator
