// SPDX-License-Identifier: MIT
// Reads the settings of the simulated NCCL.
#include "settings.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace yoke::nccl_simulator {

void say(const std::string& text) noexcept {
  try {
    const std::string line = "yoke NCCL simulator: " + text + "\n";
    (void)!::write(2, line.data(), line.size());
  } catch (...) {  // without memory there is no line
  }
}

namespace {

std::optional<long> number_of(std::string_view text) {
  long value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

const char* variable(const char* name) { return ::secure_getenv(name); }

void read_number(const char* name, long least, long most, const auto& store) {
  const char* const text = variable(name);
  if (text == nullptr) return;
  const auto value = number_of(text);
  if (value && *value >= least && *value <= most) return store(*value);
  say(std::string(name) + " is \"" + text + "\", not a number from " + std::to_string(least) + " to " +
      std::to_string(most));
}

settings read() {
  settings read;
  read_number("YOKE_NCCL_SIMULATOR_VERSION", 20000, 99999, [&](long value) { read.version = static_cast<int>(value); });
  read_number("YOKE_NCCL_SIMULATOR_DELAY", 0, 600000,
              [&](long value) { read.delay = std::chrono::milliseconds(value); });
  read_number("YOKE_NCCL_SIMULATOR_DEADLOCK_SECONDS", 1, 3600,
              [&](long value) { read.patience = std::chrono::seconds(value); });
  if (const char* const order = variable("YOKE_NCCL_SIMULATOR_ORDER")) {
    read.shuffled = std::string_view(order) == "shuffled";
    if (!read.shuffled) say(std::string("YOKE_NCCL_SIMULATOR_ORDER is \"") + order + "\", not \"shuffled\"");
  }
  if (const char* const fail = variable("YOKE_NCCL_SIMULATOR_FAIL")) {
    const std::string_view text = fail;
    const std::size_t first = text.find(':');
    const std::size_t last = text.rfind(':');
    const auto rank = first == std::string_view::npos ? std::nullopt : number_of(text.substr(0, first));
    const auto code = first == last ? std::nullopt : number_of(text.substr(last + 1));
    if (rank && code) {
      read.failing_rank = static_cast<int>(*rank);
      read.failing_call = text.substr(first + 1, last - first - 1);
      read.failure = static_cast<int>(*code);
    } else {
      say(std::string("YOKE_NCCL_SIMULATOR_FAIL is \"") + fail + "\", not rank:call:code");
    }
  }
  if (const char* const lose = variable("YOKE_NCCL_SIMULATOR_LOSE")) {
    const std::string_view text = lose;
    const std::size_t at = text.find('@');
    const auto rank = at == std::string_view::npos ? std::nullopt : number_of(text.substr(0, at));
    const auto call = at == std::string_view::npos ? std::nullopt : number_of(text.substr(at + 1));
    if (rank && call && *call > 0) {
      read.lost_rank = static_cast<int>(*rank);
      read.lost_at = static_cast<unsigned long>(*call);
    } else {
      say(std::string("YOKE_NCCL_SIMULATOR_LOSE is \"") + lose + "\", not rank@call");
    }
  }
  return read;
}

}  // namespace

const settings& the_settings() {
  static const settings* const once = new settings(read());
  return *once;
}

}  // namespace yoke::nccl_simulator
