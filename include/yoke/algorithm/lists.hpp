// SPDX-License-Identifier: MIT
// Many lists in one array on the device, with the start of each.
#ifndef YOKE_ALGORITHM_LISTS_HPP
#define YOKE_ALGORITHM_LISTS_HPP

#include <yoke/algorithm/select.hpp>
#include <yoke/array/storage/make_array.hpp>

namespace yoke::inline v0_1 {

template <class T, class Port>
struct nonempty_lists;

/// Lists of elements in one array: list `k` has the elements `starts()[k]` to `starts()[k + 1] - 1`. Move-only.
/// Thread safety: one thread at a time.
template <class T, class Port = any_port>
class lists {
 public:
  using value_type = T;
  using port_type = Port;

  /// Requires: ascending starts within the elements, and one start more than there are lists.
  lists(device_array<std::int64_t, 1, Port> starts, device_array<T, 1, Port> elements) noexcept
      : starts_(std::move(starts)), elements_(std::move(elements)) {}

  /// Returns: the number of lists.
  [[nodiscard]] std::size_t size() const noexcept {
    const std::size_t starts = starts_.layout().size();
    return starts == 0 ? 0 : starts - 1;  // 0: moved from
  }
  /// The start of each list and, behind them, the end of the last one.
  [[nodiscard]] device_array<std::int64_t, 1, Port>& starts() noexcept { return starts_; }
  [[nodiscard]] const device_array<std::int64_t, 1, Port>& starts() const noexcept { return starts_; }
  /// The elements of all lists.
  [[nodiscard]] device_array<T, 1, Port>& elements() noexcept { return elements_; }
  [[nodiscard]] const device_array<T, 1, Port>& elements() const noexcept { return elements_; }
  /// Returns: the lists on the host, once they have arrived. Throws: `logic_error` when moved from; `error`.
  [[nodiscard]] std::vector<std::vector<T>> to_host(const source_location& where = source_location::current()) const {
    const std::vector<std::int64_t> begins = starts_.to_host(where);
    const std::vector<T> all = elements_.to_host(where);
    std::vector<std::vector<T>> result(begins.size() - 1);
    for (std::size_t k = 0; k < result.size(); ++k)
      result[k].assign(all.begin() + static_cast<std::ptrdiff_t>(begins[k]),
                       all.begin() + static_cast<std::ptrdiff_t>(begins[k + 1]));
    return result;
  }

  /// Removes the lists that have no elements. Effects: moves the elements; waits for the number of lists.
  /// Returns: the other lists, and their indices. Throws: as `copy_if`.
  /// Example: `auto [kept, indices] = std::move(made).without_empty();`
  [[nodiscard]] nonempty_lists<T, Port> without_empty(const source_location& where = source_location::current()) &&;

 private:
  device_array<std::int64_t, 1, Port> starts_;
  device_array<T, 1, Port> elements_;
};

/// The result of `lists::without_empty`.
template <class T, class Port = any_port>
struct nonempty_lists {
  yoke::lists<T, Port> lists;
  device_array<std::int64_t, 1, Port> indices;  ///< index of each list before the removal
};

template <class T, class Port>
nonempty_lists<T, Port> lists<T, Port>::without_empty(const source_location& where) && {
  const auto& order = starts_.stream(where);
  const auto begins = starts_.view(where).part_at(where, slice(0, -1));
  const auto ends = starts_.view(where).part_at(where, slice(1, none));
  const auto has_elements = begins != ends;
  const auto found = indices_where(has_elements, where);
  const auto kept = copy_if(begins, has_elements, where);
  const std::size_t count = found.size(where);
  const auto first = slice(0, static_cast<std::ptrdiff_t>(count));
  device_array<std::int64_t, 1, Port> indices(order, shape<1>(count), array_order::c, where);
  if (count != 0) indices.view(where).assign(found.elements().view(where).part_at(where, first), where);
  device_array<std::int64_t, 1, Port> starts(order, shape<1>(count + 1), array_order::c, where);
  const auto to = starts.view(where);
  if (count != 0) to.part_at(where, first).assign(kept.elements().view(where).part_at(where, first), where);
  to.part_at(where, slice(-1, none)).assign(starts_.view(where).part_at(where, slice(-1, none)), where);
  return {yoke::lists<T, Port>(std::move(starts), std::move(elements_)), std::move(indices)};
}

}  // namespace yoke::inline v0_1

#endif
