// SPDX-License-Identifier: MIT
// Bodies of array/reduction.hpp.
#ifndef YOKE_ARRAY_IMPL_REDUCTION_IPP
#define YOKE_ARRAY_IMPL_REDUCTION_IPP

#include <yoke/array/reduction.hpp>

namespace yoke::inline YOKE_ABI::detail {

YOKE_COLD void throw_nothing_to_reduce(const char* what, const source_location& where) {
  throw_error(errc::invalid_argument, where, what, " of no elements");
}

YOKE_COLD std::string reduction_source(const expression_form& form, reduction_kind by, value_kind accumulator,
                                       value_kind to) {
  constexpr const char* rules[] = {"a + b", "a * b", "b < a || b != b ? b : a", "a < b || b != b ? b : a",
                                   "a | b", "a & b"};
  const char* const type = value_name(accumulator);
  // NVIDIA's compiler (13.0) makes one instruction of two steps of an unrolled loop: `max(max(a, -b), -c)` loses a minus.
  const bool loses_negation =
      (by == reduction_kind::least || by == reduction_kind::most) && accumulator <= value_kind::uint32;
  std::string out = steps_text(form, form.inputs);
  out += text(type, " yoke_x_join(", type, " a, ", type, " b) { return ", rules[static_cast<std::size_t>(by)],
              "; }\nYOKE_KERNEL YOKE_WORK_GROUP_SIZE(", reduction_block, ", 1, 1) yoke_x_reduce(YOKE_GLOBAL ",
              kind_name(to), "* to, ", inputs_text(form), type, " neutral, yoke_x_steps steps) {\n  YOKE_LOCAL ", type,
              " part[", reduction_block, "];\n");
  for (std::size_t k = 0; k < form.inputs; ++k) {
    if (form.slots[k] == k) out += text("  p", k, " += steps.offsets[", k, "];\n");
  }
  out += text("  uint here = (uint)get_local_id(0);\n  yoke_int64 first = (yoke_int64)get_group_id(0) * ",
              reduction_tile, ";\n  yoke_int64 rest_of_all = steps.count - first;\n  uint count = rest_of_all < ",
              reduction_tile, " ? (uint)rest_of_all : ", reduction_tile, "u;\n  ", type, " joined = neutral;\n",
              loses_negation ? "#pragma unroll 1\n" : "",
              "  for (uint taken = here; taken < count; taken += ", reduction_block,
              "u) {\n    YOKE_X_INDEX i = (YOKE_X_INDEX)(first + taken);\n");
  const std::string value = value_text(out, form, false);
  out += text("    joined = yoke_x_join(joined, (", type, ")", value,
              ");\n  }\n  part[here] = joined;\n  YOKE_BARRIER_LOCAL();\n  for (uint apart = ", reduction_block / 2,
              "u; apart > 0; apart /= 2) {\n    if (here < apart) part[here] = yoke_x_join(part[here], "
              "part[here + apart]);\n    YOKE_BARRIER_LOCAL();\n  }\n  if (here == 0) to[get_group_id(0)] = ",
              to == value_kind::boolean ? "(yoke_uint8)(part[0] != 0)" : "part[0]", ";\n}\n");
  return out;
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
