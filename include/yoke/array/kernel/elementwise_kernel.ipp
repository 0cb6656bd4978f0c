// SPDX-License-Identifier: MIT
// Bodies of array/kernel/elementwise_kernel.hpp.
#ifndef YOKE_ARRAY_KERNEL_ELEMENTWISE_KERNEL_IPP
#define YOKE_ARRAY_KERNEL_ELEMENTWISE_KERNEL_IPP

#include <yoke/array/evaluation/array_programs.hpp>
#include <yoke/array/kernel/elementwise_kernel.hpp>
#include <yoke/language/words.hpp>

namespace yoke::inline v0_1::detail {

void check_names(const char* what, std::size_t parameters, std::span<const std::string_view> names,
                 const source_location& where) {
  if (names.size() != parameters) {
    throw_error(errc::invalid_argument, where, what, " with ", parameters, " parameters has ", names.size(), " names");
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (!is_identifier(names[k])) {
      throw_error(errc::invalid_argument, where, "name ", k + 1, " of ", what, ", \"", names[k],
                  "\", is no identifier");
    }
    if (names[k] == "i") {
      throw_error(errc::invalid_argument, where, "name ", k + 1, " of ", what,
                  ", \"i\", is that of the number of an element");
    }
    for (std::size_t other = 0; other < k; ++other) {
      if (names[other] == names[k]) {
        throw_error(errc::invalid_argument, where, "names ", other + 1, " and ", k + 1, " of ", what, " are both \"",
                    names[k], "\"");
      }
    }
  }
}
void check_text(const char* part, const char* what, std::string_view given, const source_location& where) {
  if (given.empty()) throw_error(errc::invalid_argument, where, "the ", part, " of ", what, " is empty");
}

std::string offsets_text(std::size_t parameters) {
  return text("YOKE_STRUCT(yoke_x_offsets) {\n  yoke_int64 at[", parameters, "];\n};\n");
}

std::string elementwise_source(std::span<const elementwise_parameter> parameters,
                               std::span<const std::string_view> names, std::string_view body,
                               const elementwise_options& options, const source_location& where) {
  check_names("an elementwise kernel", parameters.size(), names, where);
  check_text("text", "an elementwise kernel", body, where);
  if (!is_identifier(options.name)) {
    throw_error(errc::invalid_argument, where, "the name \"", options.name,
                "\" of an elementwise kernel is no identifier");
  }
  std::string out = options.preamble;
  if (!out.empty()) out += "\n";
  out += offsets_text(parameters.size());
  out += text("YOKE_KERNEL ", options.name, "(");
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    out += text(parameters[k].is_pointer ? "YOKE_GLOBAL " : "", parameters[k].is_const ? "const " : "", "yoke_x_type",
                k, parameters[k].is_pointer ? "* " : " ", names[k], ", ");
  }
  out += "yoke_x_offsets yoke_x_begins, yoke_int64 yoke_x_count) {\n";
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].is_pointer) out += text("  ", names[k], " += yoke_x_begins.at[", k, "];\n");
  }
  out += text(
      "  for (yoke_int64 i = (yoke_int64)get_global_id(0); i < yoke_x_count; i += (yoke_int64)get_global_size(0)) {\n"
      "#line 1 \"",
      given_text_prefix, "the kernel\"\n", body, "\n#line 1 \"rest of the kernel\"\n", ";\n  }\n}\n");
  return out;
}

void throw_elementwise_shape(std::size_t argument, const const_axes& one, const const_axes& other,
                             const source_location& where) {
  throw_error(errc::size_mismatch,
              text("argument ", argument, " has the shape ", shape_text(one.extents, one.rank), ", the first array ",
                   shape_text(other.extents, other.rank)),
              where);
}

}  // namespace yoke::inline v0_1::detail

#endif
