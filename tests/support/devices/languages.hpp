// SPDX-License-Identifier: MIT
// The languages of both backends, with another prelude where a test wants one.
#ifndef YOKE_TESTS_SUPPORT_LANGUAGES_HPP
#define YOKE_TESTS_SUPPORT_LANGUAGES_HPP

#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/opencl/port.hpp>
#include <yoke/language/language.hpp>

#include <string_view>

namespace yoke_test {

inline yoke::kernel_language opencl_language(std::string_view prelude = "") {
  yoke::kernel_language language = yoke::opencl::detail::language();
  language.prelude = prelude;
  return language;
}
inline yoke::kernel_language cuda_language(std::string_view prelude = "") {
  yoke::kernel_language language = yoke::cuda::detail::language();
  language.prelude = prelude;
  return language;
}

}  // namespace yoke_test

#endif
