// SPDX-License-Identifier: MIT
// Bodies of array/reduction/scan_kernel.hpp.
#ifndef YOKE_ARRAY_REDUCTION_SCAN_KERNEL_IPP
#define YOKE_ARRAY_REDUCTION_SCAN_KERNEL_IPP

#include <yoke/array/reduction/scan_kernel.hpp>

namespace yoke::inline v0_1::detail {

bool needs_last_item(const scan_text& of) noexcept {
  return (of.output + of.preamble).find("last_item") != std::string::npos;
}

std::string scan_kernel_source(const named_parameters& parameters, value_type_name accumulator, const scan_text& of,
                               bool look_back, const source_location& where) {
  check_text("input", "a scan kernel", of.input, where);
  check_text("join", "a scan kernel", of.join, where);
  check_text("neutral element", "a scan kernel", of.neutral, where);
  check_text("output", "a scan kernel", of.output, where);
  const bool segments = !of.segment_start.empty();
  const char* const type = value_name(accumulator);
  scan_parts parts;
  parts.parameters = parameters.numbered;
  parts.segments = segments;
  if (look_back) parts.way = scan_way::look_back;
  parts.one_row = true;
  parts.padded = may_unroll(accumulator, of.join, look_back);
  parts.part = scan_part_bytes(accumulator.bytes, segments);
  parts.items = scan_items(parts.part);
  parts.load = text("    next.f = yoke_x_value(", parameters.passed, "(yoke_int64)i);\n");
  if (segments) parts.load += text("    next.s = yoke_x_starts(", parameters.passed, "(yoke_int64)i);\n");
  parts.store =
      text("    yoke_x_output(", parameters.passed, "(yoke_int64)i, steps.count, item.f, prior.f, every.f);\n");
  std::string out = of.preamble;
  out += "\n" + parameters.types + reduction_steps_text(1, true) +
         scan_types_text(accumulator, of.join.c_str(), of.neutral.c_str(), segments);
  out += function_text(accumulator, "yoke_x_value", parameters.declared + "yoke_int64 i", of.input.c_str());
  if (segments) {
    out += text("int yoke_x_starts(", parameters.declared, "yoke_int64 i) {\n  return (", of.segment_start,
                ") != 0;\n}\n");
  }
  out += text("void yoke_x_output(", parameters.declared, "yoke_int64 i, yoke_int64 N, ", type, " item, ", type,
              " prev_item, ", type, " last_item) {\n  ", of.output, ";\n}\n");
  return out + scan_kernels_text(parts);
}

}  // namespace yoke::inline v0_1::detail

#endif
