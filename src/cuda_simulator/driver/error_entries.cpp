// SPDX-License-Identifier: MIT
// Entries that name and explain status codes.
#include "driver/entries.hpp"

namespace yoke::simulator::entries {

namespace {

struct code_facts {
  abi::status code;
  const char* name;
  const char* text;
};
constexpr code_facts codes[] = {
#define YOKE_FACTS(own, constant, value, condition, thrown, text) {value, constant, text},
    YOKE_CUDA_STATUS_CODES(YOKE_FACTS)
#undef YOKE_FACTS
};

abi::status describe(abi::status code, const char** result, const char* code_facts::*what) {
  if (result == nullptr) return abi::error_invalid_value;
  *result = nullptr;
  for (const code_facts& each : codes) {
    if (each.code == code) *result = each.*what;
  }
  return *result == nullptr ? abi::error_invalid_value : abi::success;
}

}  // namespace

// Needs neither cuInit nor a living driver.
abi::status get_error_name(abi::status code, const char** name) { return describe(code, name, &code_facts::name); }
abi::status get_error_string(abi::status code, const char** text) { return describe(code, text, &code_facts::text); }

}  // namespace yoke::simulator::entries
