// SPDX-License-Identifier: MIT
// Bodies of array/reduction/reduction_kernel.hpp.
#ifndef YOKE_ARRAY_REDUCTION_REDUCTION_KERNEL_IPP
#define YOKE_ARRAY_REDUCTION_REDUCTION_KERNEL_IPP

#include <yoke/array/reduction/reduction_kernel.hpp>

namespace yoke::inline v0_1::detail {

std::string reduction_kernel_source(const named_parameters& parameters, value_type_name result,
                                    const reduction_text& of, bool coalesces, const source_location& where) {
  check_text("map", "a reduction kernel", of.map, where);
  check_text("join", "a reduction kernel", of.join, where);
  check_text("neutral element", "a reduction kernel", of.neutral, where);
  const reduction_field field{.by = reduction_kind::given,
                              .accumulator = result,
                              .to = result,
                              .join = of.join.c_str(),
                              .neutral = of.neutral.c_str()};
  const char* const type = value_name(result);
  std::string out = of.preamble;
  out += "\n" + parameters.types + reduction_steps_text(1, true) + reduction_parts_text(std::span(&field, 1));
  out += function_text(result, "yoke_x_value", parameters.declared + "yoke_int64 i", of.map.c_str());
  for (const bool from_parts : {false, true}) {
    for (const bool to_parts : {false, true}) {
      const reduction_form form{.fields = std::span(&field, 1),
                                .from_parts = from_parts,
                                .to_parts = to_parts,
                                .batch = reduction_batch(coalesces, result.bytes)};
      out += reduction_kernel_text(
          form,
          {.name = text("yoke_x_", from_parts ? "rest" : "map", to_parts ? "_parts" : ""),
           .parameters = text(from_parts ? std::string() : parameters.numbered,
                              to_parts ? "YOKE_GLOBAL yoke_uint8* parts, " : text("YOKE_GLOBAL ", type, "* to0, "),
                              from_parts ? parts_parameter : ""),
           .load = from_parts ? part_load_text(form.lanes)
                              : text("    next.f0 = yoke_x_value(", parameters.passed, "(yoke_int64)i);\n")});
    }
  }
  return out;
}

}  // namespace yoke::inline v0_1::detail

#endif
