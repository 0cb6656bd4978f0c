// SPDX-License-Identifier: MIT
// Body of fft/fft_library.hpp.
#ifndef YOKE_FFT_FFT_LIBRARY_IPP
#define YOKE_FFT_FFT_LIBRARY_IPP

#include <yoke/fft/fft_library.hpp>

#include <algorithm>

namespace yoke::inline v0_1::detail {

/// An axis of a transform, or of its batches. Units: elements.
struct library_axis {
  std::int64_t points;  ///< or how many arrays there are
  std::int64_t from, to;
};

bool set_library_transform(placed_transform& to, const byte_layout& output, const byte_layout& input,
                           std::span<const std::size_t> axes, std::int64_t length, bool real_in, bool real_out,
                           bool in_double) {
  const auto to_element = static_cast<std::ptrdiff_t>(output.element);
  const auto from_element = static_cast<std::ptrdiff_t>(input.element);
  if (output.offset % output.element != 0 || input.offset % input.element != 0) return false;
  if (axes.size() > static_cast<std::size_t>(library_transform::most_axes)) return false;
  library_axis along[library_transform::most_axes];
  library_axis batches[max_array_rank];
  std::size_t count = 0;
  std::size_t others = 0;
  const std::size_t last = axes.back();
  const std::int64_t half = length / 2 + 1;
  for (std::size_t each = 0; each < output.axes.rank; ++each) {
    const bool transformed = std::find(axes.begin(), axes.end(), each) != axes.end();
    const auto from_extent = static_cast<std::int64_t>(input.axes.extents[each]);
    const auto to_extent = static_cast<std::int64_t>(output.axes.extents[each]);
    const std::int64_t points = each == last ? length : to_extent;
    if (from_extent != (each == last && real_out ? half : points)) return false;
    if (to_extent != (each == last && real_in ? half : points)) return false;
    const bool is_real = each == last && (real_in || real_out);
    if (points == 1 && !is_real) continue;
    const std::ptrdiff_t from_stride = input.axes.strides[each];
    const std::ptrdiff_t to_stride = output.axes.strides[each];
    if (from_stride <= 0 || to_stride <= 0) return false;
    if (from_stride % from_element != 0 || to_stride % to_element != 0) return false;
    (transformed ? along[count++] : batches[others++]) = {points, from_stride / from_element, to_stride / to_element};
  }
  if (count == 0) return false;
  const auto outer = [](const library_axis& one, const library_axis& other) {
    return one.from != other.from ? one.from > other.from : one.to > other.to;
  };
  const library_axis real = along[count - 1];
  const bool has_real = real_in || real_out;
  if (has_real) {
    // The axis of real numbers is the innermost one.
    for (std::size_t k = 0; k < count; ++k) {
      if (along[k].from < real.from || along[k].to < real.to) return false;
    }
  }
  std::sort(along, along + count, outer);
  std::sort(batches, batches + others, outer);
  library_transform& made = to.of;
  made = {};
  made.in_double = in_double;
  made.real_in = real_in;
  made.real_out = real_out;
  made.rank = static_cast<std::int32_t>(count);
  for (std::size_t k = 0; k < count; ++k) {
    made.points[k] = made.from_embed[k] = made.to_embed[k] = along[k].points;
    if (k == 0) continue;
    const library_axis& before = along[k - 1];
    if (before.from % along[k].from != 0 || before.to % along[k].to != 0) return false;
    made.from_embed[k] = before.from / along[k].from;
    made.to_embed[k] = before.to / along[k].to;
    const bool is_last = k + 1 == count;
    if (made.from_embed[k] < (is_last && real_out ? half : along[k].points)) return false;
    if (made.to_embed[k] < (is_last && real_in ? half : along[k].points)) return false;
  }
  made.from_stride = along[count - 1].from;
  made.to_stride = along[count - 1].to;
  std::size_t groups = 0;
  for (std::size_t k = 0; k < others; ++k) {
    const library_axis each = batches[k];
    if (groups != 0 && batches[groups - 1].from == each.from * each.points &&
        batches[groups - 1].to == each.to * each.points) {
      batches[groups - 1] = {batches[groups - 1].points * each.points, each.from, each.to};
    } else {
      batches[groups++] = each;
    }
  }
  if (groups > 2 || (groups == 2 && batches[0].points > most_library_calls)) return false;
  if (groups == 2) {
    to.calls = batches[0].points;
    to.from_step = batches[0].from;
    to.to_step = batches[0].to;
  }
  // A library wants a distance of arrays, also of one.
  made.from_batch = (std::max)(along[0].points, std::int64_t{1}) * along[0].from;
  made.to_batch = (std::max)(along[0].points, std::int64_t{1}) * along[0].to;
  if (groups != 0) {
    made.batches = batches[groups - 1].points;
    made.from_batch = batches[groups - 1].from;
    made.to_batch = batches[groups - 1].to;
  }
  to.from_first = static_cast<std::int64_t>(input.offset) / from_element;
  to.to_first = static_cast<std::int64_t>(output.offset) / to_element;
  return true;
}

}  // namespace yoke::inline v0_1::detail

#endif
