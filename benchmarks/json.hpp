// SPDX-License-Identifier: MIT
// A JSON object written member by member.
#ifndef YOKE_BENCHMARKS_JSON_HPP
#define YOKE_BENCHMARKS_JSON_HPP

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

class json {
 public:
  void raw(std::string_view name, std::string_view value) {
    members_ += (members_.empty() ? "{" : ", ") + quoted(name) + ": ";
    members_ += value;
  }
  void text(std::string_view name, std::string_view value) { raw(name, quoted(value)); }
  void number(std::string_view name, double value) { raw(name, written(value)); }
  void numbers(std::string_view name, const std::vector<double>& values) {
    std::string list;
    for (const double each : values) list += (list.empty() ? "[" : ", ") + written(each);
    raw(name, list.empty() ? "[]" : list + "]");
  }
  [[nodiscard]] std::string written() const { return members_.empty() ? "{}" : members_ + "}"; }

 private:
  static std::string written(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.10g", value);
    return buffer;
  }
  static std::string quoted(std::string_view value) {
    std::string result = "\"";
    for (const char each : value) {
      char buffer[8]{each};
      if (static_cast<unsigned char>(each) < 0x20)
        std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(each));
      if (each == '"' || each == '\\') result += '\\';
      result += buffer;
    }
    return result + "\"";
  }
  std::string members_;
};

}  // namespace bench

#endif
