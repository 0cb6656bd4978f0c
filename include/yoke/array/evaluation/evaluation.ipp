// SPDX-License-Identifier: MIT
// Bodies of array/evaluation/evaluation.hpp.
#ifndef YOKE_ARRAY_EVALUATION_EVALUATION_IPP
#define YOKE_ARRAY_EVALUATION_EVALUATION_IPP

#include <yoke/array/evaluation/evaluation.hpp>

#include <bit>

namespace yoke::inline v0_1::detail {

void add_description(std::vector<struct_description>& to, struct_description made) {
  if (std::find(to.begin(), to.end(), made) == to.end()) to.push_back(std::move(made));
}

void finish_plan(evaluation_plan& plan, const evaluation_text& what, std::span<const evaluation_input> inputs,
                 bool coalesces) noexcept {
  const std::size_t operands = inputs.size() + 1;
  plan.linear = is_linear(plan.axes, operands);
  plan.wide = !is_narrow(plan.axes, operands);
  std::size_t bytes[most_inputs + 1];
  bytes[0] = what.to.bytes;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    bytes[k + 1] = inputs[k].type.bytes;
    std::size_t same = 0;
    while (same < k && !(inputs[same].type == inputs[k].type && inputs[same].memory == inputs[k].memory &&
                         plan.axes.is_same(same + 1, k + 1))) {
      ++same;
    }
    plan.slots[k] = static_cast<std::uint8_t>(same);
    plan.key = plan.key * (k + 1) + same;
  }
  const auto add = [&](std::uint64_t value, unsigned bits) { plan.key = plan.key << bits | value; };
  const bool several = takes_several(plan.axes.count, coalesces);
  if (several) {
    plan.tiles =
        tiles_for(plan.axes, plan.linear, std::span<const std::size_t>(bytes, operands), plan.slots, what.steps);
  }
  const expression_tiles& tiles = plan.tiles;
  if (tiles.tall != 0) {
    constexpr std::uint64_t columns = 15;  // no axis has this number
    add(static_cast<std::uint64_t>(std::countr_zero(tiles.width)), 4);
    add(static_cast<std::uint64_t>(std::countr_zero(tiles.tall)), 3);
    add(tiles.ahead ? 1 : 0, 1);
    add(columns, 4);
  } else {
    add(tiles.inputs, 8);
    add(tiles.across, 4);
  }
  add(several ? 1 : 0, 1);
  add(plan.linear ? 0 : plan.axes.rank, 4);
  add(plan.wide ? 1 : 0, 1);
}

void fill_steps(evaluation_steps& steps, const evaluation_plan& plan, std::size_t operands) noexcept {
  const expression_axes& axes = plan.axes;
  std::int64_t* to = steps.words;
  *to++ = axes.count;
  for (std::size_t k = 0; k < operands; ++k) *to++ = axes.places[k].offset;
  if (!plan.linear) {
    to = std::copy_n(axes.extents, most_axes, to);
    for (std::size_t k = 0; k < operands; ++k) to = std::copy_n(axes.places[k].strides, most_axes, to);
  }
  steps.bytes = static_cast<std::size_t>(to - steps.words) * sizeof(std::int64_t);
}

}  // namespace yoke::inline v0_1::detail

#endif
