// SPDX-License-Identifier: MIT
// Bodies of program/source/embedded_header.hpp: insert headers that the compiler cannot read itself.
#ifndef YOKE_PROGRAM_SOURCE_EMBEDDED_HEADER_IPP
#define YOKE_PROGRAM_SOURCE_EMBEDDED_HEADER_IPP

#include <yoke/core/error.hpp>
#include <yoke/program/source/embedded_header.hpp>
#include <yoke/program/source/expanded_source.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace yoke::inline v0_1::detail {

std::string expand_headers(const header_request& request) {
  const include_lexer::language as{!request.opencl, !request.opencl};
  return header_expander(request.folders, {}, request.headers, as).run(request.source, request.name).text;
}

std::vector<line_mark> line_marks(std::string_view text) {
  constexpr std::string_view directive = "#line ";
  std::vector<line_mark> marks;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = (std::min)(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.substr(0, directive.size()) != directive) continue;
    line_mark mark{.at = number};
    std::size_t at = directive.size();
    for (; at < line.size() && at < directive.size() + 9 && line[at] >= '0' && line[at] <= '9'; ++at) {
      mark.line = mark.line * 10 + static_cast<std::size_t>(line[at] - '0');
    }
    const std::size_t open = line.find('"', at);
    const std::size_t close = line.rfind('"');
    if (open == std::string_view::npos || close == open) continue;
    mark.file = line.substr(open + 1, close - open - 1);
    marks.push_back(std::move(mark));
  }
  return marks;
}

void check_headers(std::span<const embedded_header> headers, const source_location& where) {
  const auto refuse = [&](const std::string& why) { throw_error(errc::invalid_argument, why, where); };
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const std::string& name = headers[i].name;
    if (name.empty() || name.find('\0') != std::string::npos) {
      refuse("header " + std::to_string(i) + " has no name, or one with a zero character");
    }
    // Drivers may write headers to their own folders, under these names.
    const std::string path = "/" + name + "/";
    if (name.front() == '/' || path.find("/../") != std::string::npos ||
        name.find_first_of("\r\n\"\\") != std::string::npos) {
      refuse("header \"" + name + "\" has a name that leads out of its folder, or that no source can include");
    }
    if (headers[i].text.find('\0') != std::string::npos) refuse("header \"" + name + "\" has a zero character");
    for (std::size_t before = 0; before < i; ++before) {
      if (headers[before].name == name) refuse("header \"" + name + "\" is given twice");
    }
  }
}

}  // namespace yoke::inline v0_1::detail

#endif
