// SPDX-License-Identifier: MIT
// Bodies of program/compile_options.hpp.
#ifndef YOKE_PROGRAM_COMPILE_OPTIONS_IPP
#define YOKE_PROGRAM_COMPILE_OPTIONS_IPP

#include <yoke/program/compile_options.hpp>

#include <yoke/driver/compile_request.hpp>
#include <yoke/language/words.hpp>

namespace yoke::inline v0_1 {
bool operator==(const math_options& left, const math_options& right) noexcept {
  return left.fast == right.fast && left.flush_denormals == right.flush_denormals && left.contract == right.contract &&
         left.exact_division == right.exact_division && left.finite_only == right.finite_only;
}
}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::detail {

std::vector<std::string> math_words(const math_options& math, const math_spelling& spelling) {
  std::vector<std::string_view> words;
  const auto choose = [&](const std::optional<bool>& wanted, const math_spelling::choice& of) {
    if (wanted) add_words(words, *wanted ? of.on : of.off);
  };
  if (math.fast) add_words(words, spelling.fast);
  choose(math.flush_denormals, spelling.flush_denormals);
  choose(math.contract, spelling.contract);
  choose(math.exact_division, spelling.exact_division);
  if (math.finite_only) add_words(words, spelling.finite_only);
  return {words.begin(), words.end()};
}

}  // namespace yoke::inline v0_1::detail

#endif
