// SPDX-License-Identifier: MIT
// The sources of the arrays' kernels.
#ifndef YOKE_ARRAY_EVALUATION_ARRAY_KERNELS_IPP
#define YOKE_ARRAY_EVALUATION_ARRAY_KERNELS_IPP

#include <yoke/array/evaluation/array_kernels.hpp>

namespace yoke::inline v0_1::detail {

// clang-format off
std::string_view sequence_source() noexcept {
  static constexpr std::string_view source =
#include <yoke/kernels/evaluation/sequence.ipp>
      ;
  return source;
}
std::string_view line_source() noexcept {
  static constexpr std::string_view source =
#include <yoke/kernels/evaluation/line.ipp>
      ;
  return source;
}
// clang-format on

}  // namespace yoke::inline v0_1::detail

#endif
