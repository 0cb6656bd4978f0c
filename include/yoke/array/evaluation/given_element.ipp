// SPDX-License-Identifier: MIT
// Body of array/evaluation/given_element.hpp.
#ifndef YOKE_ARRAY_EVALUATION_GIVEN_ELEMENT_IPP
#define YOKE_ARRAY_EVALUATION_GIVEN_ELEMENT_IPP

#include <yoke/array/evaluation/given_element.hpp>

#include <cstdio>

namespace yoke::inline v0_1::detail {

std::string number_digits(double number) {
  char digits[32];
  const int size = std::snprintf(digits, sizeof digits, "%.9g", number);
  return {digits, static_cast<std::size_t>(size)};
}

void throw_outside_elements(const char* name, const text_part& value, const text_part& least, const text_part& greatest,
                            const source_location& where) {
  const text_part parts[]{name, " is ", value, ", outside ", least, " .. ", greatest, " of the elements"};
  throw_error(errc::out_of_range, joined_text(parts, std::size(parts)), where);
}

void throw_inexact_element(const char* name, const text_part& value, const char* type, const source_location& where) {
  const text_part parts[]{name, " is ", value, ", which ", type, " elements cannot hold exactly"};
  throw_error(errc::out_of_range, joined_text(parts, std::size(parts)), where);
}

void throw_infinite_element(const char* name, double value, const char* type, double greatest,
                            const source_location& where) {
  throw_error(errc::out_of_range,
              text(name, " is ", number_digits(value), ", which would be infinite: the greatest ", type, " is ",
                   number_digits(greatest)),
              where);
}

}  // namespace yoke::inline v0_1::detail

#endif
