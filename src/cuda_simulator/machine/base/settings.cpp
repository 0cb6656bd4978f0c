// SPDX-License-Identifier: MIT
// Reads the variables YOKE_SIMULATOR_..., and reports on stderr those that it cannot parse.
#include "machine/base/settings.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

#include "engine/compile/host_compiler.hpp"

namespace yoke::simulator {

namespace {

/// Returns: the variable's text; nothing if it is unset or empty, or the program is set-uid.
std::optional<std::string_view> variable(const char* name) {
  const char* const text = ::secure_getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return text;
}

template <class Number>
bool parse(std::string_view text, Number& value) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size();
}

void refuse_text(const char* name, std::string_view text, const std::string& expected) {
  say(std::string(name) + " is \"" + std::string(text) + "\", expected is " + expected + "; the default stands");
}

template <class Number>
void read(const char* name, Number& value, Number least, Number most = std::numeric_limits<Number>::max()) {
  const auto text = variable(name);
  if (!text) return;
  Number number{};
  if (parse(*text, number) && number >= least && number <= most) {
    value = number;
  } else {
    refuse_text(name, *text, "a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
}

/// "9.0" or "90".
void read_capability(int& value) {
  const char* const name = "YOKE_SIMULATOR_COMPUTE_CAPABILITY";
  const auto text = variable(name);
  if (!text) return;
  std::string digits(*text);
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  int number = 0;
  if (parse(std::string_view(digits), number) && number >= 50 && number < 1000) {
    value = number;
  } else {
    refuse_text(name, *text, "a compute capability of at least 5.0, as 9.0 or 90");
  }
}

bool is_failure(abi::status code) {
  switch (code) {
#define YOKE_KNOWN(own, constant, value, ...) case value:
    YOKE_CUDA_STATUS_CODES(YOKE_KNOWN)
#undef YOKE_KNOWN
    return code != abi::success;
    default: return false;
  }
}

/// "3", or "3:700" with the code of the error.
void read_launch_failure(settings& into) {
  const char* const name = "YOKE_SIMULATOR_LAUNCH_FAILURE";
  const auto text = variable(name);
  if (!text) return;
  const std::size_t colon = text->find(':');
  unsigned long which = 0;
  abi::status code = into.launch_failure;
  const bool is_number = parse(text->substr(0, colon), which) && which > 0;
  if (is_number && (colon == text->npos || parse(text->substr(colon + 1), code)) && is_failure(code)) {
    into.failing_launch = which;
    into.launch_failure = code;
  } else {
    refuse_text(name, *text, "n or n:code, with n from 1 and the code of an error that CUresult has");
  }
}

void read_leaks(leak_policy& policy) {
  const char* const name = "YOKE_SIMULATOR_LEAKS";
  const auto text = variable(name);
  if (!text || *text == "report") return;
  if (*text == "fail") {
    policy = leak_policy::fail;
  } else if (*text == "ignore") {
    policy = leak_policy::ignore;
  } else {
    refuse_text(name, *text, "report, fail or ignore");
  }
}

constexpr std::string_view known_variables[] = {
    "YOKE_SIMULATOR_DEVICES",        "YOKE_SIMULATOR_DRIVER_VERSION", "YOKE_SIMULATOR_COMPUTE_CAPABILITY",
    "YOKE_SIMULATOR_MEMORY_BYTES",   "YOKE_SIMULATOR_DELAY_US",       "YOKE_SIMULATOR_OUT_OF_MEMORY",
    "YOKE_SIMULATOR_LAUNCH_FAILURE", "YOKE_SIMULATOR_PATIENCE_MS",    "YOKE_SIMULATOR_LEAKS",
    "YOKE_SIMULATOR_COMPILER",       "YOKE_SIMULATOR_OPTIMISE",       "YOKE_SIMULATOR_CACHE"};

void report_unknown_variables() {
  if (::getauxval(AT_SECURE) != 0) return;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view entry = *each;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (name.substr(0, 15) != "YOKE_SIMULATOR_") continue;
    if (std::find(std::begin(known_variables), std::end(known_variables), name) != std::end(known_variables)) continue;
    std::string expected;
    for (const std::string_view known : known_variables) {
      expected += (expected.empty() ? "_" : ", _") + std::string(known.substr(15));
    }
    say(std::string(name) + " is \"" + std::string(entry.substr(std::min(entry.size(), name.size() + 1))) +
        "\" and no variable of the simulator; expected is YOKE_SIMULATOR with one of " + expected);
  }
}

settings read_all() {
  settings found;
  read("YOKE_SIMULATOR_DRIVER_VERSION", found.driver_version, 1000, 99990);
  read("YOKE_SIMULATOR_DEVICES", found.devices, 0, 64);
  read_capability(found.compute_capability);
  read<std::size_t>("YOKE_SIMULATOR_MEMORY_BYTES", found.memory_bytes, 1);
  read("YOKE_SIMULATOR_DELAY_US", found.delay_us, 0u, 10'000'000u);
  read("YOKE_SIMULATOR_OUT_OF_MEMORY", found.failing_allocation, 1ul);
  long patience = found.patience.count();
  read("YOKE_SIMULATOR_PATIENCE_MS", patience, 1l);
  found.patience = std::chrono::milliseconds(patience);
  read_launch_failure(found);
  read_leaks(found.leaks);
  // Only checked here: the engine reads it at each compilation.
  const auto level = variable("YOKE_SIMULATOR_OPTIMISE");
  if (level && !is_optimisation_level(*level)) {
    refuse_text("YOKE_SIMULATOR_OPTIMISE", *level, "a number from 0 to 3");
  }
  report_unknown_variables();
  return found;
}

}  // namespace

const settings& the_settings() {
  // Never destroyed: calls come until the process has ended.
  static const settings& all = *new settings(read_all());
  return all;
}

void say(const std::string& text) noexcept { std::fprintf(stderr, "yoke CUDA simulator: %s\n", text.c_str()); }

}  // namespace yoke::simulator
