// SPDX-License-Identifier: MIT
// Reads options whose values are numbers in the place of pointers.
#include "jit_options.hpp"

#include <cstdint>
#include <cstring>

namespace yoke::simulator {

namespace {

void*& value_of(abi::jit_option wanted, const abi::jit_option* options, void** values, unsigned count, void*& missing) {
  for (unsigned each = 0; each < count; ++each) {
    if (options[each] == wanted) return values[each];
  }
  return missing;
}

}  // namespace

bool empty_logs(const abi::jit_option* options, void** values, unsigned count) {
  if (count == 0) return true;
  if (options == nullptr || values == nullptr) return false;
  for (unsigned each = 0; each < count; ++each) {
    if (options[each] > abi::jit_option::split_compile) return false;
  }
  constexpr abi::jit_option logs[][2] = {
      {abi::jit_option::info_log_buffer, abi::jit_option::info_log_buffer_size_bytes},
      {abi::jit_option::error_log_buffer, abi::jit_option::error_log_buffer_size_bytes},
  };
  for (const auto& each : logs) {
    void* no_buffer = nullptr;
    void* no_size = nullptr;
    void* const buffer = value_of(each[0], options, values, count, no_buffer);
    void*& size = value_of(each[1], options, values, count, no_size);
    if (buffer != nullptr && reinterpret_cast<std::uintptr_t>(size) != 0) *static_cast<char*>(buffer) = '\0';
    size = nullptr;  // how much was written
  }
  return true;
}

}  // namespace yoke::simulator
