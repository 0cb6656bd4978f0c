// SPDX-License-Identifier: MIT
// Bodies of array/kernel/named_parameters.hpp.
#ifndef YOKE_ARRAY_KERNEL_NAMED_PARAMETERS_IPP
#define YOKE_ARRAY_KERNEL_NAMED_PARAMETERS_IPP

#include <yoke/array/kernel/named_parameters.hpp>

namespace yoke::inline v0_1::detail {

named_parameters named_parameters_of(const char* what, std::span<const elementwise_parameter> parameters,
                                     std::span<const std::string_view> names, const source_location& where) {
  check_names(what, parameters.size(), names, where);
  named_parameters made;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const std::string type =
        text(parameters[k].is_pointer ? "YOKE_GLOBAL " : "", parameters[k].is_const ? "const " : "", "yoke_x_type", k,
             parameters[k].is_pointer ? "* " : " ");
    made.declared += text(type, names[k], ", ");
    made.numbered += text(type, "y", k, ", ");
    made.passed += parameters[k].is_pointer ? text("y", k, " + yoke_x_begins.at[", k, "], ") : text("y", k, ", ");
  }
  made.numbered += "yoke_x_offsets yoke_x_begins, ";
  made.types = offsets_text(parameters.size());
  return made;
}

}  // namespace yoke::inline v0_1::detail

#endif
