// SPDX-License-Identifier: MIT
// The sources of the kernels that make lists.
#ifndef YOKE_ALGORITHM_LIST_SOURCE_HPP
#define YOKE_ALGORITHM_LIST_SOURCE_HPP

#include <yoke/array/evaluation/value_kind.hpp>
#include <yoke/array/kernel/named_parameters.hpp>

#include <utility>

namespace yoke::inline v0_1 {

/// The statements that a `list_builder` runs for list `i`, in the dialect.
struct list_text {
  std::string body{};  ///< statements that append to lists: "for (int k = 0; k < x[i]; ++k) append_near(k);"
  std::string preamble{};
  compile_options compile{};
};

namespace detail {

/// A list's name, and the index of the list that is counted for it: itself or another.
struct list_name {
  const char* name;
  std::size_t counted_by;
};

/// Returns: the source of `yoke_l_count` and `yoke_l_fill`: the body runs once to count and once to write. The types
/// of lists are numbered behind those of the given parameters. Throws: `logic_error` for an empty body; as
/// `named_parameters_of`.
[[nodiscard]] YOKE_API std::string list_builder_source(std::span<const elementwise_parameter> parameters,
                                                       std::span<const std::string_view> names,
                                                       std::span<const list_name> lists, const list_text& of,
                                                       const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_list_count(std::int64_t count, const source_location& where);
/// Returns: the number of lists. Throws: `logic_error` if it is below 0, or 2^62 or more.
template <class Count>
[[nodiscard]] std::int64_t checked_list_count(Count count, const source_location& where) {
  const bool is_low = std::cmp_less(count, 0);
  if (is_low || std::cmp_greater_equal(count, std::int64_t{1} << 62)) [[unlikely]]
    throw_list_count(is_low ? static_cast<std::int64_t>(count) : greatest_of<std::int64_t>, where);
  return static_cast<std::int64_t>(count);
}
/// Returns: `yoke_l_starts`, which finds the start of each key among sorted keys.
[[nodiscard]] YOKE_API std::string starts_source(const value_type_name& key);

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/list_source.ipp>
#endif

#endif
