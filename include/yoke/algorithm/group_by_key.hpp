// SPDX-License-Identifier: MIT
// Groups values by their keys: a list for each key.
#ifndef YOKE_ALGORITHM_GROUP_BY_KEY_HPP
#define YOKE_ALGORITHM_GROUP_BY_KEY_HPP

#include <yoke/algorithm/index_kernel.hpp>
#include <yoke/algorithm/list_source.hpp>
#include <yoke/algorithm/lists.hpp>
#include <yoke/algorithm/sort.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The type of keys. A context stores the kernel under its address.
template <class Word>
inline constexpr value_type_name key_type = name_of<Word>();

/// Effects: enqueues the kernel that finds the start of each key among sorted keys.
template <class Port>
void run_starts(const stream<Port>& order, const value_type_name& type, const typename Port::memory_handle& starts,
                const typename Port::memory_handle& keys, std::int64_t size, std::int64_t count,
                const source_location& where) {
  const kernel_argument arguments[]{handle_argument(starts),
                                    handle_argument(keys),
                                    {argument_kind::value, &size, sizeof size},
                                    {argument_kind::value, &count, sizeof count}};
  run_index_kernel(
      order, &type, 1, "yoke_l_starts", [&] { return starts_source(type); }, nullptr, threads_for(count + 1), arguments,
      where);
}

}  // namespace detail

/// Returns: a list for each key from 0 to `count - 1`, with the values of that key in their order, in the keys'
/// stream. Values with other keys are in no list. Keys and values stay unchanged.
/// Throws: `logic_error` for values of another shape or context, and for a count below 0, or of 2^62 or more; as
/// `sort_by_key`.
/// Example: `auto of_cell = yoke::group_by_key(cells, particles, cell_count);`
template <class Keys, class Values, integer Count>
  requires detail::sorted_memory<Keys> && detail::sorted_memory<Values>
[[nodiscard]] auto group_by_key(const Keys& keys, const Values& values, Count count,
                                const source_location& where = source_location::current()) {
  const auto key = detail::view_to_sort(keys, where);
  const auto value = detail::view_to_sort(values, where);
  using key_type = typename std::remove_cvref_t<decltype(key)>::value_type;
  using value_type = typename std::remove_cvref_t<decltype(value)>::value_type;
  using port = typename std::remove_cvref_t<decltype(key)>::port_type;
  static_assert(integer<key_type>, "keys of groups are integers");
  static_assert(std::same_as<port, typename std::remove_cvref_t<decltype(value)>::port_type>,
                "keys and values are arrays of one backend");
  static_assert(std::remove_cvref_t<decltype(key)>::rank() == 1 && std::remove_cvref_t<decltype(value)>::rank() == 1,
                "keys and values of groups have one axis");
  const std::int64_t number = detail::checked_list_count(count, where);
  const auto& order = key.stream(where);
  (void)value.stream(where);
  if (key.shape() != value.shape()) detail::throw_sort_shapes(key.layout().axes(), value.layout().axes(), where);
  detail::check_side(order, detail::describe(value), "values", where);
  device_array<std::int64_t, 1, port> starts(order, shape<1>(number + 1), array_order::c, where);
  auto sorted_keys = detail::dense_to_sort(order, key, where);
  auto sorted_values = detail::dense_to_sort(order, value, where);
  sort_by_key(sorted_keys, sorted_values, {}, where);
  detail::run_starts<port>(order, detail::key_type<detail::kernel_word_of<key_type>>, starts.native_handle(),
                           sorted_keys.native_handle(), static_cast<std::int64_t>(key.size()), number, where);
  return lists<value_type, port>(std::move(starts), std::move(sorted_values));
}

}  // namespace yoke::inline v0_1

#endif
