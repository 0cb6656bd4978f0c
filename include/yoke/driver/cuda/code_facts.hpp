// SPDX-License-Identifier: MIT
// The names, meanings and exception classes of the codes of CUDA and its libraries.
#ifndef YOKE_DRIVER_CUDA_CODE_FACTS_HPP
#define YOKE_DRIVER_CUDA_CODE_FACTS_HPP

#include <yoke/core/error.hpp>
#include <yoke/driver/cuda/abi/status_codes.hpp>

#include <cstdint>
#include <cstring>
#include <span>
#include <system_error>

namespace yoke::inline v0_1::cuda::detail {

/// The exception class of a code.
enum class thrown_as : unsigned char { runtime, memory, logic, launch, unsupported, compile, lost, communication };

struct code_facts {
  const char* name;
  const char* text;
  errc condition;  ///< `errc::success` if the code has no portable condition
  thrown_as thrown;
};

/// A code's row in a table. The table's texts hold the name and the meaning of each row, one after the other.
struct code_row {
  std::int16_t value;
  thrown_as thrown;
  errc condition;
};

/// Returns: a table's facts about a code.
[[gnu::cold]] inline code_facts facts_in(std::span<const code_row> rows, const char* texts, int code,
                                         const char* unknown) noexcept {
  for (const code_row& each : rows) {
    const char* const meaning = texts + std::strlen(texts) + 1;
    if (each.value == code) return {texts, meaning, each.condition, each.thrown};
    texts = meaning + std::strlen(meaning) + 1;
  }
  return {unknown, "", errc::success, thrown_as::runtime};
}

#define YOKE_CODE_ROW(own, constant, value, condition, thrown, text) {value, thrown_as::thrown, errc::condition},
#define YOKE_CODE_TEXTS(own, constant, value, condition, thrown, text) constant "\0" text "\0"

[[gnu::cold]] inline code_facts facts_of(int code) noexcept {
  static constexpr code_row rows[] = {YOKE_CUDA_STATUS_CODES(YOKE_CODE_ROW)};
  return facts_in(rows, YOKE_CUDA_STATUS_CODES(YOKE_CODE_TEXTS), code, "CUDA_ERROR_?");
}

[[gnu::cold]] inline code_facts nvrtc_facts_of(int code) noexcept {
  static constexpr code_row rows[] = {YOKE_NVRTC_STATUS_CODES(YOKE_CODE_ROW)};
  return facts_in(rows, YOKE_NVRTC_STATUS_CODES(YOKE_CODE_TEXTS), code, "NVRTC_ERROR_?");
}

[[gnu::cold]] inline code_facts nvjitlink_facts_of(int code) noexcept {
  static constexpr code_row rows[] = {YOKE_NVJITLINK_STATUS_CODES(YOKE_CODE_ROW)};
  return facts_in(rows, YOKE_NVJITLINK_STATUS_CODES(YOKE_CODE_TEXTS), code, "NVJITLINK_ERROR_?");
}

[[gnu::cold]] inline code_facts cublas_facts_of(int code) noexcept {
  static constexpr code_row rows[] = {YOKE_CUBLAS_STATUS_CODES(YOKE_CODE_ROW)};
  return facts_in(rows, YOKE_CUBLAS_STATUS_CODES(YOKE_CODE_TEXTS), code, "CUBLAS_STATUS_?");
}

[[gnu::cold]] inline code_facts cufft_facts_of(int code) noexcept {
  static constexpr code_row rows[] = {YOKE_CUFFT_STATUS_CODES(YOKE_CODE_ROW)};
  return facts_in(rows, YOKE_CUFFT_STATUS_CODES(YOKE_CODE_TEXTS), code, "CUFFT_?");
}

[[gnu::cold]] inline code_facts cusolver_facts_of(int code) noexcept {
  static constexpr code_row rows[] = {YOKE_CUSOLVER_STATUS_CODES(YOKE_CODE_ROW)};
  return facts_in(rows, YOKE_CUSOLVER_STATUS_CODES(YOKE_CODE_TEXTS), code, "CUSOLVER_STATUS_?");
}

#undef YOKE_CODE_TEXTS
#undef YOKE_CODE_ROW

// Categories compare by name: each shared object may hold a copy of them.
inline bool is_of(const std::error_code& code, const std::error_category& category) noexcept {
  return std::strcmp(code.category().name(), category.name()) == 0;
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
