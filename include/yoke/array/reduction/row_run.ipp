// SPDX-License-Identifier: MIT
// Body of array/reduction/row_run.hpp.
#ifndef YOKE_ARRAY_REDUCTION_ROW_RUN_IPP
#define YOKE_ARRAY_REDUCTION_ROW_RUN_IPP

#include <yoke/array/reduction/row_run.hpp>

#include <bit>

namespace yoke::inline v0_1::detail {

bool finish_rows(row_plan& plan, const row_task& what, const row_request& request, const row_device& device,
                 std::span<const evaluation_input> operands) noexcept {
  constexpr std::uint32_t fewest_rows = 64;
  constexpr std::size_t most_staged_bytes = 32768;
  constexpr std::size_t most_element_bytes = 16;  // of each element
  const expression_axes& rows = plan.walk.axes.results;
  const expression_axes& row = plan.walk.axes.reduced;
  const std::size_t inputs = operands.size() - 1;
  std::size_t part = 0;
  for (std::size_t k = 0; k < what.stages.size(); ++k) {
    if (request.same[k] == k) part += part_bytes(std::span(&what.stages[k].field, 1));
  }
  finish_plan(plan.walk, operands, false, part);
  const bool is_short = row.count <= row_lanes;
  if (rows.count < fewest_rows || row.count == 0 || row.rank == 0) return false;
  if (row.count > std::int64_t{row_lanes * reduction_tile}) return false;
  // The first input that varies along the rows decides.
  std::int64_t step = 0;
  for (std::size_t k = 0; k < inputs && step == 0; ++k) step = row.places[k + 1].strides[row.rank - 1];
  const bool lie_in_rows = step == 1;
  if (!is_short && !lie_in_rows) return false;
  row_form& form = plan.form;
  form = {.slots = plan.walk.slots,
          .same = request.same,
          .inputs = inputs,
          .result_rank = rows.rank,
          .rank = row.rank,
          .wide = plan.walk.wide,
          .one = request.one,
          .count = is_short ? static_cast<std::size_t>(row.count) : 0};
  constexpr auto block = static_cast<std::uint32_t>(reduction_block);
  const auto is_kept = [&](std::size_t k) {
    const auto varies = [k](const expression_axes& along) {
      const std::int64_t* const strides = along.places[k + 1].strides;
      return std::any_of(strides, strides + along.rank, [](std::int64_t stride) { return stride != 0; });
    };
    return plan.walk.slots[k] == k && varies(row) && varies(rows);  // caches have what rows share
  };
  std::size_t bytes = 0;  // of an element of each input that is kept
  const auto keep_inputs = [&] {
    std::size_t input = 0;
    for (const expression_step& each : what.steps) {
      if (each.what != expression_step::form::input) continue;
      const std::size_t k = input++;
      if (!is_kept(k)) continue;
      form.staged |= 1U << k;
      bytes += (std::max)(value_bytes(each.type.kind), std::size_t{each.type.bytes});
    }
  };
  if (device.processor) {
    form.way = row_way::alone;
    form.rows = is_short ? fewest_rows : 1;
  } else if (!lie_in_rows) {
    form.way = row_way::alone;  // of neighbouring threads, each reads a neighbouring element
    form.rows = form.threads = block;
  } else {
    keep_inputs();
    if (is_short) {
      form.way = row_way::shared;
      form.row = static_cast<std::size_t>(row.count) | 1U;  // threads read from different banks
      form.rows = block;
      // The results of short rows are kept there, too; they are no larger than the parts.
      const auto local_bytes = [&] { return form.rows * (form.row * bytes + part); };
      while (form.rows > row_lanes && local_bytes() > most_staged_bytes) form.rows /= 2;
      if (local_bytes() > device.local_bytes) return false;
      form.threads = form.rows;
    } else {
      // Loops over the elements that a thread keeps are unrolled.
      for (const row_stage& each : what.stages) {
        if (loses_negation({.values = {.steps = what.steps.subspan(each.first, each.end - each.first)},
                            .fields = std::span(&each.field, 1)})) {
          return false;
        }
      }
      // A thread keeps a piece of a lane, or less of short rows.
      form.items = static_cast<std::uint32_t>(reduction_piece);
      while (form.items > 4 && form.items / 2 * row_lanes >= row.count) form.items /= 2;
      const std::int64_t warps = tiles_of(row.count, std::size_t{form.items} * row_lanes);
      if (warps > std::int64_t{device.most_threads / row_lanes} || bytes > most_element_bytes) return false;
      form.warps = static_cast<std::uint32_t>(warps);
      form.rows = warps == 1 ? block / row_lanes : 1;
      const auto has_gaps = [&](std::size_t k) { return row.places[k + 1].strides[0] != 1; };
      const std::size_t all = inputs + (request.one ? 0 : 1);
      form.flat = row.rank == 1 && row.count == std::int64_t{form.items} * row_lanes * warps &&
                  rows.count % std::int64_t{form.rows} == 0;
      for (std::size_t k = 0; k < all && form.flat; ++k) form.flat = !has_gaps(k);
      const std::size_t parts = std::size_t{form.rows} * form.warps * (row_lanes + 1) * part;
      if (parts > device.local_bytes) return false;
    }
  }
  // The rest of the form follows from these.
  for (std::size_t k = 0; k < inputs; ++k) plan.key = plan.key * (k + 1) + plan.walk.slots[k];
  for (std::size_t k = 0; k < what.stages.size(); ++k) plan.key = plan.key * (k + 1) + request.same[k];
  const auto add = [&](std::uint64_t value, unsigned bits) { plan.key = plan.key << bits | value; };
  add(rows.rank, 4);
  add(row.rank, 4);
  add(form.staged, most_row_inputs);
  add((is_short ? form.count : form.warps) - 1, 5);
  add(is_short || form.items == 1 ? 0 : static_cast<std::uint64_t>(std::countr_zero(form.items)) - 2, 2);
  add(is_short ? 1 : 0, 1);
  add(form.flat ? 1 : 0, 1);
  add(form.wide ? 1 : 0, 1);
  add(static_cast<std::uint64_t>(form.way), 2);
  add(form.one ? 1 : 0, 1);
  return true;
}

}  // namespace yoke::inline v0_1::detail

#endif
