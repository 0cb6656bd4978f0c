// SPDX-License-Identifier: MIT
// Bodies of array/reduction/reduction_run.hpp.
#ifndef YOKE_ARRAY_REDUCTION_REDUCTION_RUN_IPP
#define YOKE_ARRAY_REDUCTION_REDUCTION_RUN_IPP

#include <yoke/array/reduction/reduction_run.hpp>

namespace yoke::inline v0_1::detail {

void check_same_shape(const std::size_t* left, const std::size_t* right, std::size_t rank,
                      const source_location& where) {
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (left[axis] != right[axis]) throw_broadcast(left, rank, "with", right, rank, axis, where);
  }
}
void check_result_shape(const std::size_t* result, const std::size_t* destination, std::size_t rank,
                        const source_location& where) {
  if (std::equal(result, result + rank, destination)) return;
  throw_error(errc::size_mismatch, where, "the result has the shape ", shape_text(result, rank), ", the destination ",
              shape_text(destination, rank));
}

std::int64_t left_extents(std::size_t* to, bool keep, const walked_shape& of, const reduction_task& what,
                          const source_location& where) {
  std::size_t count = 1;
  std::size_t results = 1;
  for (std::size_t axis = 0; axis < of.rank; ++axis) {
    const bool gone = (of.axes >> axis & 1U) != 0;
    (gone ? count : results) *= of.extents[axis];
    if (to != nullptr && (keep || !gone)) *to++ = gone ? 1 : of.extents[axis];
  }
  if (count == 0 && results != 0) {
    for (const reduction_field& each : what.fields) {
      if (each.needs_elements != nullptr) throw_nothing_to_reduce(each.needs_elements, of.extents, of.rank, where);
    }
  }
  return static_cast<std::int64_t>(count);
}

/// Returns: a number for the threads and results of a block.
[[nodiscard]] inline std::uint64_t lanes_key(const reduction_lanes& of) noexcept {
  if (of.lanes == 1) return 7;
  return of.is_whole() ? 6 : static_cast<std::uint64_t>(std::bit_width(of.results) - 1);  // 1 to 32 results
}

void finish_plan(reduction_plan& plan, std::span<const evaluation_input> operands, bool whole,
                 std::size_t part) noexcept {
  plan.wide = !is_narrow(plan.axes, operands.size() + 1);
  plan.linear = plan.axes.results.rank == 0 && is_linear(plan.axes.reduced, operands.size() + 1);
  plan.lanes = lanes_for(plan.axes, whole, part);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    std::size_t same = 0;
    while (same < k && !(operands[same].type == operands[k].type && operands[same].memory == operands[k].memory &&
                         plan.axes.results.is_same(same + 1, k + 1) && plan.axes.reduced.is_same(same + 1, k + 1))) {
      ++same;
    }
    plan.slots[k] = static_cast<std::uint8_t>(same);
    plan.key = plan.key * (k + 1) + same;
  }
  const auto add = [&](std::uint64_t value, unsigned bits) { plan.key = plan.key << bits | value; };
  add(plan.axes.results.rank, 4);
  add(plan.axes.reduced.rank, 4);
  add(plan.linear ? 1 : 0, 1);
  add(plan.wide ? 1 : 0, 1);
  add(plan.lanes.columns ? 1 : 0, 1);
  add(lanes_key(plan.lanes), 3);
}

void go_on(reduction_plan& plan, reduction_form& form, std::int64_t tiles, const reduction_walk& walk) noexcept {
  const std::int64_t rows = plan.axes.results.count;
  plan = {};
  plan.axes.results.count = rows;
  plan.axes.reduced.count = tiles;
  plan.lanes = lanes_for_parts(plan.axes, walk.whole, walk.part, walk.most_threads);
  make_serial(plan.lanes, walk.serial, walk.part);
  plan.wide = !is_narrow(plan.axes, 0);
  plan.key = std::uint64_t{plan.lanes.lanes} << 4U | lanes_key(plan.lanes) << 1U | (plan.wide ? 1U : 0U);
  form = {.values = {.wide = plan.wide},
          .fields = form.fields,
          .lanes = plan.lanes,
          .from_parts = true,
          .batch = reduction_batch(walk.several, walk.part, tiles, plan.lanes)};
}

void fill_words(reduction_words& to, const reduction_plan& plan, std::size_t inputs, std::int64_t elements,
                std::int64_t tiles) noexcept {
  std::int64_t* at = to.words;
  const expression_axes& results = plan.axes.results;
  const expression_axes& reduced = plan.axes.reduced;
  for (const std::int64_t each : {results.count, reduced.count, tiles, elements}) *at++ = each;
  for (std::size_t k = 1; k <= inputs; ++k) *at++ = results.places[k].offset + reduced.places[k].offset;
  for (const expression_axes* of : {&results, &reduced}) {
    at = std::copy_n(of->extents, most_axes, at);
    for (std::size_t k = 1; k <= inputs; ++k) at = std::copy_n(of->places[k].strides, most_axes, at);
  }
  to.bytes = static_cast<std::size_t>(at - to.words) * sizeof(std::int64_t);
}

}  // namespace yoke::inline v0_1::detail

#endif
