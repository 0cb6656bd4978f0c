// SPDX-License-Identifier: MIT
// Options for the driver's compiler in the driver's form, for loading and linking images.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_JIT_ARGUMENTS_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_JIT_ARGUMENTS_HPP

#include <yoke/core/error.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/compiler/jit_options.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/invoke.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace yoke::inline v0_1::cuda::detail {

[[gnu::cold]] inline int compute_capability(const abi::functions* table, abi::device device,
                                            const source_location& where) {
  return get(*table, device, info::compute_capability_major, where) * 10 +
         get(*table, device, info::compute_capability_minor, where);
}

/// `jit_options` in the driver's form: names, and numbers stored as pointers.
class jit_arguments {
 public:
  [[gnu::cold]] explicit jit_arguments(const jit_options& jit, const source_location& where, bool timed = false)
      : info_(log_room(jit, where), '\0'), error_(log_room(jit, where), '\0') {
    const auto number = [&](abi::jit_option name, const std::optional<int>& value, const char* what, int least,
                            int most) {
      if (!value) return;
      if (*value < least || *value > most) {
        throw_error(errc::out_of_range, where, "JIT option ", what, " is ", *value, ", outside ", least, " .. ", most);
      }
      add(name, static_cast<std::uintptr_t>(*value));
    };
    number(abi::jit_option::max_registers, jit.max_registers, "max_registers", 1, 255);
    number(abi::jit_option::threads_per_block, jit.min_block, "min_block", 1, 1024);
    number(abi::jit_option::optimization_level, jit.optimization_level, "optimization_level", 0, 4);
    number(abi::jit_option::target, jit.target, "target (90 for compute capability 9.0)", 30, 999);
    if (jit.prefer_ptx) add(abi::jit_option::fallback_strategy, *jit.prefer_ptx ? 0 : 1);
    using enum jit_cache;
    if (jit.cache) yoke::detail::check_enumerator("JIT option cache", *jit.cache, {automatic, global, all}, where);
    if (jit.cache) add(abi::jit_option::cache_mode, static_cast<std::uintptr_t>(*jit.cache));
    if (jit.debug_info) add(abi::jit_option::generate_debug_info, 1);
    if (jit.line_info) add(abi::jit_option::generate_line_info, 1);
    if (jit.verbose) add(abi::jit_option::log_verbose, 1);
    if (timed) add(abi::jit_option::wall_time, 0);
    add(abi::jit_option::info_log_buffer, reinterpret_cast<std::uintptr_t>(info_.data()));
    add(abi::jit_option::info_log_buffer_size_bytes, info_.size() - 1);
    add(abi::jit_option::error_log_buffer, reinterpret_cast<std::uintptr_t>(error_.data()));
    add(abi::jit_option::error_log_buffer_size_bytes, error_.size() - 1);
  }
  [[nodiscard]] abi::jit_option* names() noexcept { return names_.data(); }
  [[nodiscard]] void** values() noexcept { return values_.data(); }
  [[nodiscard]] abi::uint count() const noexcept { return count_; }
  /// Returns: the wall time in milliseconds, which the driver writes over the option's value. Requires: `timed`.
  [[nodiscard]] float wall_time() const noexcept {
    float milliseconds = 0;
    for (abi::uint i = 0; i < count_; ++i) {
      if (names_[i] == abi::jit_option::wall_time) std::memcpy(&milliseconds, &values_[i], sizeof milliseconds);
    }
    return milliseconds;
  }
  [[nodiscard]] const char* info_log() const noexcept { return info_.data(); }
  [[nodiscard]] const char* error_log() const noexcept { return error_.data(); }

 private:
  static std::size_t log_room(const jit_options& jit, const source_location& where) {
    constexpr std::size_t most = std::size_t{1} << 30;  // the driver counts in 32 bits
    if (jit.log_bytes > most) {
      throw_error(errc::out_of_range, where, "JIT option log_bytes is ", jit.log_bytes, ", more than ", most);
    }
    return jit.log_bytes + 2;
  }
  void add(abi::jit_option name, std::uintptr_t value) noexcept {
    names_[count_] = name;
    values_[count_++] = reinterpret_cast<void*>(value);
  }
  std::string info_, error_;
  std::array<abi::jit_option, 16> names_{};
  std::array<void*, 16> values_{};
  abi::uint count_ = 0;
};

/// Returns: both texts, one below the other.
[[gnu::cold]] inline std::string joined_logs(std::string first, const std::string& second) {
  if (!first.empty() && !second.empty() && first.back() != '\n') first += '\n';
  return first + second;
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
