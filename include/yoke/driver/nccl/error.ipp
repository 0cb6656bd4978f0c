// SPDX-License-Identifier: MIT
// Bodies of driver/nccl/error.hpp.
#ifndef YOKE_DRIVER_NCCL_ERROR_IPP
#define YOKE_DRIVER_NCCL_ERROR_IPP

#include <yoke/driver/nccl/error.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/code_category.hpp>

namespace yoke::inline v0_1::nccl {

namespace detail {

[[gnu::cold]] cuda::detail::code_facts nccl_facts_of(int code) noexcept {
  using cuda::detail::code_row;
  using cuda::detail::thrown_as;
#define YOKE_CODE_ROW(own, constant, value, condition, thrown, text) {value, thrown_as::thrown, errc::condition},
#define YOKE_CODE_TEXTS(own, constant, value, condition, thrown, text) constant "\0" text "\0"
  static constexpr code_row rows[] = {YOKE_NCCL_STATUS_CODES(YOKE_CODE_ROW)};
  return cuda::detail::facts_in(rows, YOKE_NCCL_STATUS_CODES(YOKE_CODE_TEXTS), code, "nccl?");
#undef YOKE_CODE_TEXTS
#undef YOKE_CODE_ROW
}

using cuda::detail::code_category;
YOKE_CODE_CATEGORY(nccl_category_instance, "nccl", nccl_facts_of)

std::string failure_text(const abi::functions& table, abi::communicator of, abi::status code) {
  std::string words = nccl_facts_of(code).text;
  if (words.empty() && table.get_error_string != nullptr) words = table.get_error_string(code);
  if (table.get_last_error != nullptr) {
    const char* const last = table.get_last_error(of);
    if (last != nullptr && *last != '\0') words += yoke::detail::text(": ", last);
  }
  return words;
}

void throw_failure(abi::status code, const char* call, std::string_view message, const source_location& where) {
  const cuda::detail::code_facts facts = nccl_facts_of(code);
  const auto thrown = *facts.text == '\0' ? cuda::detail::thrown_as::communication : facts.thrown;
  cuda::detail::throw_as(thrown, {code, nccl_category_instance()}, call, message.empty() ? facts.text : message, where);
}

}  // namespace detail

const std::error_category& error_category() noexcept { return detail::nccl_category_instance(); }

}  // namespace yoke::inline v0_1::nccl

#endif
