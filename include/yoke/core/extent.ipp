// SPDX-License-Identifier: MIT
// Body of core/extent.hpp.
#ifndef YOKE_CORE_EXTENT_IPP
#define YOKE_CORE_EXTENT_IPP

#include <yoke/core/extent.hpp>

namespace yoke::inline v0_1 {

void detail::throw_extent_count(const char* axis, text_part count, const text_part* all, std::size_t counts,
                                const source_location& where) {
  std::string listed;
  for (std::size_t i = 0; i < counts; ++i) listed += text(i == 0 ? "" : ", ", all[i]);
  throw_error(errc::out_of_range, where, "extent ", axis, " is ", count, ", outside 0 .. ", ~std::size_t{0}, ", in {",
              listed, "}");
}

}  // namespace yoke::inline v0_1

#endif
