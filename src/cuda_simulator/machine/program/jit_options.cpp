// SPDX-License-Identifier: MIT
// Reads options whose values are numbers in the place of pointers.
#include "machine/program/jit_options.hpp"

#include <algorithm>
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

void jit_logs::write(std::string_view info_text, std::string_view error_text) const {
  const auto put = [](char* to, std::size_t room, void** written, std::string_view text) {
    if (to == nullptr || room == 0) return;
    const std::size_t bytes = std::min(room - 1, text.size());
    std::copy_n(text.begin(), bytes, to);  // an empty one may have no data
    to[bytes] = '\0';
    if (written != nullptr) *written = reinterpret_cast<void*>(bytes);
  };
  put(info, info_bytes, info_written, info_text);
  put(error, error_bytes, error_written, error_text);
}

void jit_logs::write_time(float milliseconds) const {
  if (wall_time != nullptr) std::memcpy(wall_time, &milliseconds, sizeof milliseconds);
}

bool empty_logs(const abi::jit_option* options, void** values, unsigned count, jit_logs* logs) {
  if (count == 0) return true;
  if (options == nullptr || values == nullptr) return false;
  for (unsigned each = 0; each < count; ++each) {
    if (options[each] > abi::jit_option::split_compile) return false;
  }
  constexpr abi::jit_option known_logs[][2] = {
      {abi::jit_option::info_log_buffer, abi::jit_option::info_log_buffer_size_bytes},
      {abi::jit_option::error_log_buffer, abi::jit_option::error_log_buffer_size_bytes},
  };
  for (const auto& each : known_logs) {
    void* no_buffer = nullptr;
    void* no_size = nullptr;
    void* const buffer = value_of(each[0], options, values, count, no_buffer);
    void*& size = value_of(each[1], options, values, count, no_size);
    const auto room = reinterpret_cast<std::uintptr_t>(size);
    if (buffer != nullptr && room != 0) *static_cast<char*>(buffer) = '\0';
    size = nullptr;  // how much was written
    if (logs == nullptr || buffer == nullptr) continue;
    const bool is_info = &each == &known_logs[0];
    (is_info ? logs->info : logs->error) = static_cast<char*>(buffer);
    (is_info ? logs->info_bytes : logs->error_bytes) = room;
    (is_info ? logs->info_written : logs->error_written) = &size == &no_size ? nullptr : &size;
  }
  void* no_time = nullptr;
  void*& time = value_of(abi::jit_option::wall_time, options, values, count, no_time);
  if (logs != nullptr && &time != &no_time) logs->wall_time = &time;
  return true;
}

}  // namespace yoke::simulator
