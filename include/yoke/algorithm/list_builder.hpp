// SPDX-License-Identifier: MIT
// Builds lists of any length by the program's text, which appends elements.
#ifndef YOKE_ALGORITHM_LIST_BUILDER_HPP
#define YOKE_ALGORITHM_LIST_BUILDER_HPP

#include <yoke/algorithm/list_source.hpp>
#include <yoke/algorithm/lists.hpp>

#include <array>
#include <tuple>

namespace yoke::inline v0_1 {

/// A list of a `list_builder`: its name and its element type. Where `CountedAs` names another list, each object
/// appends equally often to both lists, and only the other one is counted.
/// Example: `named_list<"near", int>, named_list<"distance", float, "near">`
template <fixed_text Name, class T, fixed_text CountedAs = Name>
struct named_list {
  using value_type = T;
  static constexpr auto name = Name;
  static constexpr auto counted_as = CountedAs;
};

namespace detail {

template <fixed_text One, fixed_text Other>
consteval bool same_text() {
  if (sizeof One.text != sizeof Other.text) return false;
  for (std::size_t i = 0; i < sizeof One.text && i < sizeof Other.text; ++i)
    if (One.text[i] != Other.text[i]) return false;
  return true;
}
template <fixed_text Name>
consteval bool is_list_name() {
  if (sizeof Name.text < 2) return false;
  for (std::size_t i = 0; i + 1 < sizeof Name.text; ++i) {
    const char c = Name.text[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}
/// Returns: the index of the list with a name; the number of lists if no list has it.
template <fixed_text Name, class... L>
consteval std::size_t find_list() {
  const bool has[]{same_text<Name, L::name>()..., true};
  std::size_t at = 0;
  while (!has[at]) ++at;
  return at;
}
template <class... L>
consteval bool have_own_names() {
  std::size_t number = 0;
  return ((find_list<L::name, L...>() == number++) && ...);
}

/// For each list the index of the list that is counted for it.
template <class... L>
inline constexpr std::array<std::size_t, sizeof...(L)> counted_by{find_list<L::counted_as, L...>()...};
template <class... L>
consteval bool are_counted() {
  constexpr auto& by = counted_by<L...>;
  for (const std::size_t each : by)
    if (each >= by.size() || by[each] != each) return false;
  return true;
}
/// Returns: the index of the `at`-th list that is counted itself; the number of lists if there are fewer.
template <class... L>
consteval std::size_t counted_list(std::size_t at) {
  std::size_t list = 0;
  for (; list < sizeof...(L); ++list)
    if (counted_by<L...>[list] == list && at-- == 0) break;
  return list;
}
template <class... L>
consteval std::size_t counted_total() {
  std::size_t total = 0;
  while (total < sizeof...(L) && counted_list<L...>(total) < sizeof...(L)) ++total;
  return total;
}
template <class, class... L>
struct counted_sequence;
template <std::size_t... At, class... L>
struct counted_sequence<std::index_sequence<At...>, L...> {
  using type = std::index_sequence<counted_list<L...>(At)...>;
};
/// The indices of the lists that are counted themselves.
template <class... L>
using counted_lists = typename counted_sequence<std::make_index_sequence<counted_total<L...>()>, L...>::type;

}  // namespace detail

/// The result of a `list_builder`: `get<"name">()` returns the lists of that name. Move-only.
template <class Port, class... L>
class built_lists {
 public:
  explicit built_lists(lists<typename L::value_type, Port>... made) noexcept : made_(std::move(made)...) {}

  template <fixed_text Name>
  [[nodiscard]] auto& get() & noexcept {
    return std::get<place<Name>()>(made_);
  }
  template <fixed_text Name>
  [[nodiscard]] const auto& get() const& noexcept {
    return std::get<place<Name>()>(made_);
  }
  template <fixed_text Name>
  [[nodiscard]] auto&& get() && noexcept {
    return std::get<place<Name>()>(std::move(made_));
  }

 private:
  template <fixed_text Name>
  static consteval std::size_t place() {
    constexpr std::size_t at = detail::find_list<Name, L...>();
    static_assert(at < sizeof...(L), "the list builder has no list of this name");
    return at < sizeof...(L) ? at : 0;
  }
  std::tuple<lists<typename L::value_type, Port>...> made_;
};

namespace detail {

/// A type for each list.
// A struct instead of an alias of T itself, for which nvcc loses the pack.
template <class T, std::size_t>
struct on_list_type {
  using type = T;
};
template <class T, std::size_t List>
using on_list = typename on_list_type<T, List>::type;

template <class Signature, class Port, class Indices, class Counted, class... L>
class list_call;
/// The call operator of a list builder.
template <class... P, class Port, std::size_t... Index, std::size_t... Counted, class... L>
class list_call<void(P...), Port, std::index_sequence<Index...>, std::index_sequence<Counted...>, L...> {
 public:
  /// Builds lists 0 to `count - 1`, in the stream of the first array. Effects: waits for the lengths of the lists.
  /// Returns: the lists of each name. Throws: `logic_error` for a count below 0, and arrays with gaps; as a launch.
  template <integer Count>
  [[nodiscard]] built_lists<Port, L...> operator()(Count count,
                                                   const elementwise_argument<Index, P, Port>&... arguments) const {
    const source_location places[]{arguments.where()...};
    const source_location& where = places[0];
    const stream<Port>* order = nullptr;
    const auto find = [&](const auto& argument) {
      elementwise_shape<Port> shape;
      argument.add_to(shape);
      if (order == nullptr) order = shape.order;
    };
    (find(arguments), ...);
    if (order == nullptr) throw_error(errc::invalid_argument, "no argument is an array, which has a stream", where);
    const std::int64_t number = checked_list_count(count, where);
    const array_offsets<sizeof...(P)> begins{{arguments.offset()...}};
    const auto room = [&](std::size_t) {
      return device_array<std::int64_t, 1, Port>(*order, shape<1>(static_cast<std::size_t>(number) + 1), array_order::c,
                                                 where);
    };
    constexpr auto own = std::index_sequence_for<L...>{};
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      constexpr auto& by = counted_by<L...>;
      std::array<device_array<std::int64_t, 1, Port>, sizeof...(L)> starts;
      ((starts[Counted] = room(Counted)), ...);
      count_({*order, where}, threads_for(number + 1), arguments.launched()..., begins, starts[Counted]..., number);
      ((starts[Counted] = exclusive_scan<"a + b", "0">(starts[Counted], where)), ...);
      std::array<std::int64_t, sizeof...(L)> totals{};
      ((totals[Counted] = starts[Counted].view(where).part_at(where, -1).value(where)), ...);
      std::tuple<device_array<typename L::value_type, 1, Port>...> elements{
          device_array<typename L::value_type, 1, Port>(*order, shape<1>(static_cast<std::size_t>(totals[by[K]])),
                                                        array_order::c, where)...};
      if (((totals[Counted] != 0) || ...)) {
        const auto& begin = starts;
        fill_({*order, where}, threads_for(number), arguments.launched()..., begins, begin[Counted]...,
              std::get<K>(elements)..., number);
      }
      ((by[K] != K ? void(starts[K] = starts[by[K]].copy(where)) : void()), ...);
      return built_lists<Port, L...>(
          lists<typename L::value_type, Port>(std::move(starts[K]), std::move(std::get<K>(elements)))...);
    }(own);
  }

 protected:
  using count_signature = void(P..., array_offsets<sizeof...(P)>, on_list<std::int64_t*, Counted>..., std::int64_t);
  using fill_signature = void(P..., array_offsets<sizeof...(P)>, on_list<const std::int64_t*, Counted>...,
                              typename L::value_type*..., std::int64_t);
  kernel<count_signature, Port> count_;
  kernel<fill_signature, Port> fill_;
};

}  // namespace detail

template <class Signature, class Lists, class Port = any_port>
class list_builder;

/// Builds several lists for each of many objects, like ListOfListsBuilder of PyOpenCL. The text runs for object `i`
/// and calls `append_name(value)`. It runs twice, once to count and once to write, and must append the same number
/// both times.
///
/// Parameters are numbers and pointers; a pointer takes an array or a view of any shape without gaps.
/// Thread safety: calls are safe from any number of threads at once.
/// Example: `yoke::list_builder<void(const float*, float), std::tuple<yoke::named_list<"near", std::int32_t>>> near(
///           ctx, {"x", "r"}, {.body = "for (int k = 0; k < 9; ++k) if (fabs(x[k] - x[i]) < r) append_near(k)"});
///           auto made = near(9, x, 0.5f);`
template <class... P, class... L, class Port>
class list_builder<void(P...), std::tuple<L...>, Port>
    : public detail::list_call<void(P...), Port, std::index_sequence_for<P...>, detail::counted_lists<L...>, L...> {
  static_assert((std::is_pointer_v<P> || ...), "a list builder has an array");
  static_assert(sizeof...(L) > 0, "a list builder has a list");
  static_assert((detail::is_list_name<L::name>() && ...), "the name of a list is part of an identifier");
  static_assert(detail::have_own_names<L...>(), "two lists have one name");
  static_assert(detail::are_counted<L...>(), "a list must be counted as itself, or as a list of this builder that is");

 public:
  /// Compiles it. Throws: `logic_error` unless each parameter has one name, for names that are not identifiers or given
  /// twice, and for an empty body; as `compile`.
  list_builder(const context<Port>& context, std::initializer_list<std::string_view> names, const list_text& of,
               const source_location& where = source_location::current()) {
    static constexpr detail::elementwise_parameter parameters[]{detail::parameter_of<P>...};
    static constexpr detail::list_name lists[]{{L::name.text, detail::find_list<L::counted_as, L...>()}...};
    compile_options options = of.compile;
    detail::define_types<P..., typename L::value_type...>(options);
    detail::describe_structs<P..., typename L::value_type...>(options);
    if (options.name.empty()) options.name = "lists";
    const auto module = detail::compile_for_arrays(
        context, detail::list_builder_source(parameters, std::span(names.begin(), names.size()), lists, of, where),
        options, where);
    this->count_ = get_kernel<typename list_builder::count_signature>(module, "yoke_l_count", where);
    this->fill_ = get_kernel<typename list_builder::fill_signature>(module, "yoke_l_fill", where);
  }
};

}  // namespace yoke::inline v0_1

#endif
