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
  const expression_axes& rows = plan.walk.axes.results;
  const expression_axes& row = plan.walk.axes.reduced;
  const std::size_t inputs = operands.size() - 1;
  std::size_t part = 0;
  for (std::size_t k = 0; k < what.stages.size(); ++k) {
    if (request.same[k] == k) part += part_bytes(std::span(&what.stages[k].field, 1));
  }
  finish_plan(plan.walk, operands, false, part);
  const auto tiles = tiles_of(row.count, reduction_tile);
  const bool is_short = row.count <= row_lanes;
  if (rows.count < fewest_rows || row.count == 0 || row.rank == 0 || tiles > std::int64_t{row_lanes}) return false;
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
  if (device.processor) {
    form.way = row_way::alone;
    form.rows = is_short ? fewest_rows : 1;
  } else if (!lie_in_rows) {
    form.way = row_way::alone;  // of neighbouring threads, each reads a neighbouring element
    form.rows = form.threads = block;
  } else {
    constexpr std::uint32_t warps = block / row_lanes;
    if (is_short) {
      form.way = row_way::shared;
      form.row = static_cast<std::size_t>(row.count) | 1U;  // threads read from different banks
      form.rows = form.threads = block;
    } else {
      form.row = (static_cast<std::size_t>(row.count) + 255) / 256 * 256;
      if (form.row > warps * reduction_tile / 2) return false;
      form.tiles = std::bit_ceil(static_cast<std::uint32_t>(tiles));
      form.rows = warps / form.tiles;
    }
    std::size_t bytes = 0;
    std::size_t input = 0;
    std::size_t widest = 4;
    for (const expression_step& each : what.steps) {
      if (each.what != expression_step::form::input) continue;
      const std::size_t k = input++;
      const auto varies = [k](const expression_axes& along) {
        const std::int64_t* const strides = along.places[k + 1].strides;
        return std::any_of(strides, strides + along.rank, [](std::int64_t stride) { return stride != 0; });
      };
      if (plan.walk.slots[k] != k || !varies(row) || !varies(rows)) continue;  // caches have what rows share
      form.staged |= 1U << k;
      bytes += form.row * value_bytes(each.type.kind);
      widest = (std::max)(widest, each.type.bytes);
    }
    while (form.rows > 1 && form.rows * bytes > most_staged_bytes) form.rows /= 2;
    if (is_short) form.threads = form.rows;
    // The results of short rows are kept there; they are no larger than the parts.
    const std::size_t parts = is_short ? form.rows * part : form.block() / row_lanes * (row_lanes + 1) * part;
    if (bytes > most_staged_bytes || form.rows * bytes + parts > device.local_bytes) return false;
    form.batch = reduction_batch(device.coalesces, widest,
                                 static_cast<std::int64_t>((std::min)(form.row, reduction_tile)), {.lanes = row_lanes});
  }
  // The rest of the form follows from these.
  for (std::size_t k = 0; k < inputs; ++k) plan.key = plan.key * (k + 1) + plan.walk.slots[k];
  for (std::size_t k = 0; k < what.stages.size(); ++k) plan.key = plan.key * (k + 1) + request.same[k];
  const auto add = [&](std::uint64_t value, unsigned bits) { plan.key = plan.key << bits | value; };
  add(rows.rank, 4);
  add(row.rank, 4);
  add(form.staged, most_row_inputs);
  add(is_short ? form.count : form.row / 256, 7);
  add(is_short ? 1 : 0, 1);
  add(form.wide ? 1 : 0, 1);
  add(static_cast<std::uint64_t>(form.way), 2);
  add(form.one ? 1 : 0, 1);
  return true;
}

}  // namespace yoke::inline v0_1::detail

#endif
