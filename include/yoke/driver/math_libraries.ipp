// SPDX-License-Identifier: MIT
// Body of driver/math_libraries.hpp.
#ifndef YOKE_DRIVER_MATH_LIBRARIES_IPP
#define YOKE_DRIVER_MATH_LIBRARIES_IPP

#include <yoke/driver/math_libraries.hpp>

#include <yoke/core/error.hpp>
#include <yoke/core/text.hpp>

#include <algorithm>

namespace yoke::inline v0_1::detail {

library_wish wish_for(std::string_view list, std::string_view word, const source_location& where) {
  if (list.empty()) return library_wish::allowed;
  if (list == "own") return library_wish::refused;
  library_wish wish = library_wish::refused;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = (std::min)(list.find(',', begin), list.size());
    const std::string_view each = list.substr(begin, end - begin);
    if (each != "cublas" && each != "cufft" && each != "cusolver" && each != "cusparse") {
      throw_error(errc::invalid_argument, where, "libraries \"", list, "\": \"", each,
                  "\" is not known: write own, or a list of cublas, cufft, cusolver and cusparse such as cublas,cufft");
    }
    if (each == word) wish = library_wish::named;
    begin = end + 1;
  }
  return wish;
}

}  // namespace yoke::inline v0_1::detail

#endif
