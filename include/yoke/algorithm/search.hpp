// SPDX-License-Identifier: MIT
// Searches sorted elements for many values at once, by bisection.
#ifndef YOKE_ALGORITHM_SEARCH_HPP
#define YOKE_ALGORITHM_SEARCH_HPP

#include <yoke/algorithm/index_kernel.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The type of the sorted elements. A context stores the kernel under its address.
template <class T, bool Behind>
inline constexpr value_type_name bound_kernels = name_of<T>();

/// A search for the places of values among sorted elements.
template <bool Behind, class View, class V>
class bounds_item {
  using T = typename View::value_type;
  using port = typename View::port_type;

 public:
  using pass_tag = void;
  using result = device_array<std::int64_t, V::rank, port>;

  bounds_item(const View& among, V values) : among_(among), values_(std::move(values)) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return among_.stream(where); }
  [[nodiscard]] yoke::shape<V::rank> shape(const source_location& where) const { return values_.shape(where); }

  template <class Order, class To, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<To, Rank, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<To>, "this view cannot be written");
    static_assert(std::same_as<To, std::int64_t> && Rank == V::rank,
                  "places among sorted elements are assigned to std::int64_t in the values' shape");
    if constexpr (std::same_as<To, std::int64_t> && Rank == V::rank) {
      (void)among_.stream(where);
      const auto extents = shape(where);
      check_result_shape(extents.begin(), to.shape().begin(), Rank, where);
      const bool in_place = !shares_with(order, to, among_, where) && !shares_with(order, to, values_, where);
      write_dense(
          order, to, in_place,
          [&](const auto& dense) {
            operation_memory operation(order);
            const auto sorted = dense_input_of<T>(operation, among_, "array", false, where);
            const auto wanted = dense_input_of<T>(operation, values_, "values", false, where);
            const std::int64_t numbers[]{sorted.memory.first, wanted.memory.first,
                                         static_cast<std::int64_t>(among_.size()),
                                         static_cast<std::int64_t>(dense.size())};
            const typename Port::memory_handle memory = dense.memory().memory;
            const kernel_argument arguments[]{handle_argument(memory),
                                              handle_argument(sorted.memory.memory),
                                              handle_argument(wanted.memory.memory),
                                              number_argument(numbers[0]),
                                              number_argument(numbers[1]),
                                              number_argument(numbers[2]),
                                              number_argument(numbers[3])};
            run_index_kernel(
                order, &bound_kernels<T, Behind>, 0, "yoke_i_bound",
                [] { return bound_source(bound_kernels<T, Behind>, Behind); }, nullptr, threads_for(numbers[3]),
                arguments, where);
          },
          where);
    }
  }

 private:
  View among_;
  V values_;
};

/// Does not compile for values that cannot be searched among these elements.
template <class View, class V>
consteval bool check_bounds() {
  using T = typename View::value_type;
  constexpr bool one_backend = std::same_as<typename View::port_type, typename V::port_type>;
  constexpr bool one_type = std::same_as<T, typename V::value_type>;
  static_assert(View::rank() == 1, "what is searched has one axis");
  static_assert(real_element<T>, "real numbers and bools have an order");
  static_assert(one_backend, "elements and values are of one backend");
  static_assert(one_type, "values are of the type of the elements among which they are searched: cast<T>(values)");
  return View::rank() == 1 && real_element<T> && one_backend && one_type;
}

}  // namespace detail

// Returns for each value the place where it belongs in sorted elements of one axis: as `std::int64_t`, in the values'
// shape, in the stream of the elements. Values are an array, a view or an expression of the elements' type. The order
// is that of `sort`: 0 and -0 are equal, NaN is behind all numbers. Requires: elements in ascending order.
// Throws: as `evaluate`. Source: NumPy's `searchsorted`, C++'s algorithms of these names.
// `view = pass::lower_bound(limits, a)` writes the result to existing elements, in the view's stream or on a recorder.
#define YOKE_X_BOUND(name, behind)                                                                                     \
  namespace pass {                                                                                                     \
  template <class A, class V>                                                                                          \
    requires detail::sorted_memory<A> && detail::array_operand<V>                                                      \
  [[nodiscard]] auto name(A&& sorted, V&& values, const source_location& where = source_location::current()) {         \
    if constexpr (detail::check_bounds<detail::view_of<A>, detail::operand_of<V>>()) {                                 \
      return detail::bounds_item<behind, detail::view_of<A>, detail::operand_of<V>>(                                   \
          detail::view_to_keep(std::forward<A>(sorted), where), detail::as_operand(std::forward<V>(values)));          \
    }                                                                                                                  \
  }                                                                                                                    \
  }                                                                                                                    \
  template <class A, class V>                                                                                          \
    requires detail::sorted_memory<A> && detail::array_operand<V>                                                      \
  [[nodiscard]] auto name(A&& sorted, V&& values, const source_location& where = source_location::current()) {         \
    if constexpr (detail::check_bounds<detail::view_of<A>, detail::operand_of<V>>()) {                                 \
      return detail::made_of(pass::name(std::forward<A>(sorted), std::forward<V>(values), where), where);              \
    }                                                                                                                  \
  }

/// The place before equal elements: the number of lesser elements.
/// Example: `auto below = yoke::lower_bound(limits, a);`
YOKE_X_BOUND(lower_bound, false)
/// The place behind equal elements: the number of elements that are less or equal.
YOKE_X_BOUND(upper_bound, true)
#undef YOKE_X_BOUND

}  // namespace yoke::inline v0_1

#endif
