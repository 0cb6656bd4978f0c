// SPDX-License-Identifier: MIT
// Reductions of arrays and expressions, to one value or along axes, in an order that is the same on every device.
#ifndef YOKE_ARRAY_REDUCTION_REDUCTION_HPP
#define YOKE_ARRAY_REDUCTION_REDUCTION_HPP

#include <yoke/array/evaluation/fixed_text.hpp>
#include <yoke/array/reduction/reduced_operand.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The type in which sums and products are calculated: 64 bits for integers.
template <class T>
using sum_of =
    std::conditional_t<std::is_floating_point_v<computed<T>> || complex_number<T>, computed<T>,
                       std::conditional_t<std::is_signed_v<T> || std::same_as<T, bool>, std::int64_t, std::uint64_t>>;
template <class T>
using without_bool = std::conditional_t<std::same_as<T, bool>, std::int32_t, T>;
template <class T>
using mean_of = mathematical<computed<T>>;
/// The type of norms and variances: that of the mean, or of its parts for complex numbers.
template <class T>
using size_of = part_of<mean_of<T>>;

// The operations that reductions apply.
template <reduction_kind By>
struct reduction_operation {
  static constexpr reduction_kind by = By;
  static constexpr const char* join = "";
  static constexpr const char* neutral = "";
  static constexpr const char* needs_elements = nullptr;
  static constexpr bool takes_structs = false;
};
template <reduction_kind By>
struct total_operation : reduction_operation<By> {
  template <class T>
  using accumulator = sum_of<T>;
  template <class T>
  using result = sum_of<T>;
};
template <reduction_kind By>
struct extreme_operation : reduction_operation<By> {
  static constexpr const char* needs_elements = By == reduction_kind::least ? "the least" : "the greatest";
  template <class T>
  using accumulator = without_bool<ordered<computed<T>>>;
  template <class T>
  using result = computed<T>;
};
template <reduction_kind By>
struct place_operation : reduction_operation<By> {
  static constexpr const char* needs_elements =
      By == reduction_kind::first_least ? "the place of the least" : "the place of the greatest";
  template <class T>
  using accumulator = without_bool<ordered<computed<T>>>;
  template <class>
  using result = std::int64_t;
};
template <reduction_kind By>
struct truth_operation : reduction_operation<By> {
  template <class>
  using accumulator = std::int32_t;
  template <class>
  using result = bool;
};
struct count_operation : reduction_operation<reduction_kind::count> {
  template <class>
  using accumulator = std::int64_t;
  template <class>
  using result = std::int64_t;
};
template <reduction_kind By>
struct mean_operation : reduction_operation<By> {
  template <class T>
  using accumulator = mean_of<T>;
  template <class T>
  using result = mean_of<T>;
};
template <reduction_kind By>
struct size_operation : reduction_operation<By> {
  template <class T>
  using accumulator = size_of<T>;
  template <class T>
  using result = size_of<T>;
};
template <fixed_text Join, fixed_text Neutral, class Accumulator>
struct text_operation : reduction_operation<reduction_kind::given> {
  static constexpr const char* join = Join.text;
  static constexpr const char* neutral = Neutral.text;
  static constexpr bool takes_structs = true;
  template <class T>
  using accumulator = std::conditional_t<std::is_void_v<Accumulator>, without_bool<computed<T>>, Accumulator>;
  template <class T>
  using result = accumulator<T>;
};

template <class Op, class A>
[[nodiscard]] auto item_of(A&& of, const source_location& where) {
  return reduction_item<Op, operand_of<A>>{as_operand(std::forward<A>(of)), where};
}
template <std::size_t Count, bool Keep, class Item>
[[nodiscard]] reduction_along<Item, Count, Keep> item_along(const reduced_axes<Count, Keep>& axes, Item item) {
  return {std::move(item), axes};
}

}  // namespace detail

// Each function takes an array, a view or an expression, which is calculated on the way. It reduces all elements, or
// those along some axes: `sum(a)`, `sum(a, along(0))`, `mean(a, along(-1).keep_dims())`. A single result is a
// `device_value`, which stays on the device until `get()` reads it and whose `array()` is an operand of other
// expressions; along axes the result is a `device_array`. The order of the calculation depends only on the shape and
// the axes: the bits are the same in each run, on each device and for each layout, where the device rounds the
// elements alike.
// `in_one_pass` takes several reductions, by their names in `pass`. `view = pass::max(a, along(1))` writes the result
// to existing elements, in the view's stream or on a recorder.
// Throws: as `evaluate`; `logic_error` for an axis that does not exist or is given twice.
#define YOKE_X_REDUCTION(name, ...)                                                                                    \
  namespace pass {                                                                                                     \
  template <detail::expression_operand A>                                                                              \
  [[nodiscard]] auto(name)(A && of, const source_location& where = source_location::current()) {                       \
    return detail::item_of<__VA_ARGS__>(std::forward<A>(of), where);                                                   \
  }                                                                                                                    \
  template <detail::expression_operand A, std::size_t Count, bool Keep>                                                \
  [[nodiscard]] auto(name)(A && of, const reduced_axes<Count, Keep>& axes,                                             \
                           const source_location& where = source_location::current()) {                                \
    return detail::item_along(axes, detail::item_of<__VA_ARGS__>(std::forward<A>(of), where));                         \
  }                                                                                                                    \
  }                                                                                                                    \
  template <detail::expression_operand A>                                                                              \
  [[nodiscard]] auto(name)(A && of, const source_location& where = source_location::current()) {                       \
    return std::get<0>(detail::reduce_all(0, where, detail::item_of<__VA_ARGS__>(std::forward<A>(of), where)));        \
  }                                                                                                                    \
  template <detail::expression_operand A, std::size_t Count, bool Keep>                                                \
  [[nodiscard]] auto(name)(A && of, const reduced_axes<Count, Keep>& axes,                                             \
                           const source_location& where = source_location::current()) {                                \
    return std::get<0>(                                                                                                \
        detail::reduce_along(axes, 0, where, detail::item_of<__VA_ARGS__>(std::forward<A>(of), where)));               \
  }

/// The sum: for integers in 64 bits, else in the elements' own type; half and bfloat16 as `float`. Without elements:
/// 0.
/// Example: `float length = std::sqrt(yoke::sum(a * a).get());`
YOKE_X_REDUCTION(sum, detail::total_operation<detail::reduction_kind::sum>)
/// The product, in the same types. Without elements: 1.
YOKE_X_REDUCTION(prod, detail::total_operation<detail::reduction_kind::product>)
/// The least element; NaN if an element is NaN. Throws: also `logic_error` without elements.
YOKE_X_REDUCTION(min, detail::extreme_operation<detail::reduction_kind::least>)
/// The greatest element; NaN if an element is NaN. Throws: also `logic_error` without elements.
YOKE_X_REDUCTION(max, detail::extreme_operation<detail::reduction_kind::most>)
/// The position of the least element, as an index in C order along the reduced axes: the first of equal ones, or the
/// first NaN. Throws: also `logic_error` without elements.
YOKE_X_REDUCTION(argmin, detail::place_operation<detail::reduction_kind::first_least>)
/// The same for the greatest element.
YOKE_X_REDUCTION(argmax, detail::place_operation<detail::reduction_kind::first_most>)
/// Whether at least one element is not 0. Without elements: false.
YOKE_X_REDUCTION(any, detail::truth_operation<detail::reduction_kind::any>)
/// Whether all elements differ from 0. Without elements: true.
YOKE_X_REDUCTION(all, detail::truth_operation<detail::reduction_kind::all>)
/// The number of elements that are not 0: `count(a > 3)`.
YOKE_X_REDUCTION(count, detail::count_operation)
/// The same by NumPy's name.
YOKE_X_REDUCTION(count_nonzero, detail::count_operation)
/// The mean: for integers as `double`. Floats are added in `double` where the device has it, so that sums do not
/// overflow where the mean is finite; likewise for variances and norms. Without elements: NaN.
YOKE_X_REDUCTION(mean, detail::mean_operation<detail::reduction_kind::mean>)
/// The square root of the sum of squares, for complex numbers of the squares of absolute values, in the type of the
/// mean or of its parts. The device's `sqrt` rounds it. It is infinite where the sum overflows in `double`, or in
/// `float` on a device without `double`. Without elements: 0.
YOKE_X_REDUCTION(norm, detail::size_operation<detail::reduction_kind::norm>)
#undef YOKE_X_REDUCTION
#define YOKE_X_REFUSED_AXIS(name)                                                                                      \
  namespace pass {                                                                                                     \
  template <detail::array_operand A, class I>                                                                          \
    requires std::is_integral_v<I>                                                                                     \
  auto name(const A&, I) {                                                                                             \
    return detail::refuse_axis<I>();                                                                                   \
  }                                                                                                                    \
  }                                                                                                                    \
  template <detail::array_operand A, class I>                                                                          \
    requires std::is_integral_v<I>                                                                                     \
  auto name(const A&, I) {                                                                                             \
    return detail::refuse_axis<I>();                                                                                   \
  }
YOKE_X_REFUSED_AXIS(sum)
YOKE_X_REFUSED_AXIS(prod)
YOKE_X_REFUSED_AXIS(argmin)
YOKE_X_REFUSED_AXIS(argmax)
YOKE_X_REFUSED_AXIS(any)
YOKE_X_REFUSED_AXIS(all)
YOKE_X_REFUSED_AXIS(count)
YOKE_X_REFUSED_AXIS(count_nonzero)
YOKE_X_REFUSED_AXIS(mean)
YOKE_X_REFUSED_AXIS(norm)
#undef YOKE_X_REFUSED_AXIS

namespace pass {
template <detail::array_operand A, detail::array_operand B>
[[nodiscard]] auto dot(A&& a, B&& b, const source_location& where = source_location::current()) {
  const auto left = detail::as_operand(std::forward<A>(a));
  const auto right = detail::as_operand(std::forward<B>(b));
  static_assert(decltype(left)::rank == decltype(right)::rank, "dot takes two arrays of one shape");
  (void)detail::shape_of_all(where, left, right);
  return pass::sum(
      expression<detail::times_operation, std::remove_const_t<decltype(left)>, std::remove_const_t<decltype(right)>>(
          left, right),
      where);
}
template <detail::array_operand A, detail::array_operand B>
[[nodiscard]] auto vdot(A&& a, B&& b, const source_location& where = source_location::current()) {
  return pass::dot(conj(std::forward<A>(a)), std::forward<B>(b), where);
}
}  // namespace pass

/// The sum of the products of corresponding elements; `vdot` is the inner product of complex arrays.
/// Throws: also `logic_error` for shapes that differ.
template <detail::array_operand A, detail::array_operand B>
[[nodiscard]] auto dot(A&& a, B&& b, const source_location& where = source_location::current()) {
  return std::get<0>(detail::reduce_all(0, where, pass::dot(std::forward<A>(a), std::forward<B>(b), where)));
}
/// The inner product: `dot` of the first operand's conjugate and the second. Throws: as `dot`.
template <detail::array_operand A, detail::array_operand B>
[[nodiscard]] auto vdot(A&& a, B&& b, const source_location& where = source_location::current()) {
  return std::get<0>(detail::reduce_all(0, where, pass::vdot(std::forward<A>(a), std::forward<B>(b), where)));
}

namespace detail {
/// Returns: the distances of elements from their mean along axes.
template <class E, std::size_t Count>
[[nodiscard]] auto distances_from_mean(const E& of, const reduced_axes<Count, true>& axes,
                                       const source_location& where) {
  using middle = reduced_operand<mean_operation<reduction_kind::mean>, E, Count, true>;
  return expression<minus_operation, E, middle>(of, middle{of, axes, 0, where});
}
using variance_operation = size_operation<reduction_kind::mean_square>;
using variance_of_all = size_operation<reduction_kind::variance>;
/// Whether memory is read once: for all elements of kinds that are calculated in `float`, and added in `double`.
template <class E, std::size_t Count>
inline constexpr bool varies_in_one_pass = Count == E::rank && std::same_as<size_of<typename E::value_type>, float> &&
                                           !complex_element<typename E::value_type>;
/// The variance of all elements or along axes: the mean of the squares of distances.
template <class E, std::size_t Count, bool Keep>
struct variance_item {
  using pass_tag = void;
  using reduction_tag = void;
  using operand_type = E;
  [[nodiscard]] auto operand(const source_location& place) const {
    if constexpr (varies_in_one_pass<E, Count>) {
      return reduced_operand<variance_of_all, E, Count, Keep>{of, axes, fewer, place};
    } else {
      const auto distances = distances_from_mean(of, axes.keep_dims(), place);
      return reduced_operand<variance_operation, std::remove_const_t<decltype(distances)>, Count, Keep>{distances, axes,
                                                                                                        fewer, place};
    }
  }
  template <class Order, class T, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<T, Rank, Port>& to, const source_location& place) const {
    static_assert(Rank == (Keep ? E::rank : E::rank - Count), "the result of the reduction has another rank");
    evaluate_reduction(order, to, operand(place), place);
  }
  E of;
  reduced_axes<Count, Keep> axes;
  std::size_t fewer;
};
template <class E, std::size_t Count, bool Keep>
[[nodiscard]] auto as_operand(const variance_item<E, Count, Keep>& of) {
  return of.operand(source_location{});
}
template <class Item>
inline constexpr bool takes_two_passes = false;
template <class E, std::size_t Count, bool Keep>
inline constexpr bool takes_two_passes<variance_item<E, Count, Keep>> = true;
template <class Item>
inline constexpr bool has_axes_of_its_own = false;
template <class Item, std::size_t Count, bool Keep>
inline constexpr bool has_axes_of_its_own<reduction_along<Item, Count, Keep>> = true;
}  // namespace detail

namespace pass {
template <detail::array_operand A>
[[nodiscard]] auto variance(A&& of, std::size_t fewer = 0) {
  using operand = detail::operand_of<A>;
  return detail::variance_item<operand, operand::rank, false>{detail::as_operand(std::forward<A>(of)),
                                                              detail::every_axis<operand::rank>(), fewer};
}
template <detail::array_operand A, std::size_t Count, bool Keep>
[[nodiscard]] auto variance(A&& of, const reduced_axes<Count, Keep>& axes, std::size_t fewer = 0) {
  return detail::variance_item<detail::operand_of<A>, Count, Keep>{detail::as_operand(std::forward<A>(of)), axes,
                                                                   fewer};
}
}  // namespace pass

/// The mean of the squared distances from the mean, which is real also for complex numbers. The divisor is the number
/// of elements minus `fewer`: use 1 for a sample.
/// Effects: the mean is calculated first; of all elements of a type that is calculated in `float` in the same pass.
/// Infinite where it exceeds the mean's type. Without elements: NaN.
/// Throws: as the other reductions.
template <detail::array_operand A>
[[nodiscard]] auto variance(A&& of, std::size_t fewer = 0, const source_location& where = source_location::current()) {
  const auto given = detail::as_operand(std::forward<A>(of));
  using operand = detail::operand_of<A>;
  if constexpr (detail::varies_in_one_pass<operand, operand::rank>) {
    return std::get<0>(detail::reduce_all(fewer, where, detail::item_of<detail::variance_of_all>(given, where)));
  } else {
    const auto axes = detail::every_axis<operand::rank>().keep_dims();
    return std::get<0>(detail::reduce_all(
        fewer, where,
        detail::item_of<detail::variance_operation>(detail::distances_from_mean(given, axes, where), where)));
  }
}
template <detail::array_operand A, std::size_t Count, bool Keep>
[[nodiscard]] auto variance(A&& of, const reduced_axes<Count, Keep>& axes, std::size_t fewer = 0,
                            const source_location& where = source_location::current()) {
  const auto given = detail::as_operand(std::forward<A>(of));
  if constexpr (detail::varies_in_one_pass<detail::operand_of<A>, Count>) {
    return std::get<0>(
        detail::reduce_along(axes, fewer, where, detail::item_of<detail::variance_of_all>(given, where)));
  } else {
    return std::get<0>(detail::reduce_along(axes, fewer, where,
                                            detail::item_of<detail::variance_operation>(
                                                detail::distances_from_mean(given, axes.keep_dims(), where), where)));
  }
}

namespace pass {
template <fixed_text Join, fixed_text Neutral, class Accumulator = void, detail::array_operand A>
[[nodiscard]] auto reduce(A&& of, const source_location& where = source_location::current()) {
  return detail::item_of<detail::text_operation<Join, Neutral, Accumulator>>(std::forward<A>(of), where);
}
template <fixed_text Join, fixed_text Neutral, class Accumulator = void, detail::array_operand A, std::size_t Count,
          bool Keep>
[[nodiscard]] auto reduce(A&& of, const reduced_axes<Count, Keep>& axes,
                          const source_location& where = source_location::current()) {
  return detail::item_along(axes, pass::reduce<Join, Neutral, Accumulator>(std::forward<A>(of), where));
}
}  // namespace pass

/// A reduction by the program's own text. `Join` is an expression in the dialect that joins two values, `a` and `b`;
/// the values come in any order and grouping. `Neutral` is its neutral element. Both may be statements that return a
/// value, as structs need. Values have the elements' type, or `Accumulator`.
/// Example: `auto largest = yoke::reduce<"a > b ? a : b", "0">(abs(x));`
template <fixed_text Join, fixed_text Neutral, class Accumulator = void, detail::array_operand A>
[[nodiscard]] auto reduce(A&& of, const source_location& where = source_location::current()) {
  return std::get<0>(
      detail::reduce_all(0, where, pass::reduce<Join, Neutral, Accumulator>(std::forward<A>(of), where)));
}
template <fixed_text Join, fixed_text Neutral, class Accumulator = void, detail::array_operand A, std::size_t Count,
          bool Keep>
[[nodiscard]] auto reduce(A&& of, const reduced_axes<Count, Keep>& axes,
                          const source_location& where = source_location::current()) {
  return std::get<0>(
      detail::reduce_along(axes, 0, where, pass::reduce<Join, Neutral, Accumulator>(std::forward<A>(of), where)));
}

/// Makes several reductions of arrays or expressions of one shape, and reads these once. Returns: a tuple of the
/// results.
/// Throws: as each reduction; `logic_error` where shapes differ.
/// Example: `auto [total, least] = yoke::in_one_pass(yoke::pass::sum(a), yoke::pass::min(b));`
template <class... Op, class... E>
[[nodiscard]] auto in_one_pass(const detail::reduction_item<Op, E>&... items) {
  return detail::reduce_all(0, std::get<0>(std::tie(items.where...)), items...);
}
template <std::size_t Count, bool Keep, class... Op, class... E>
[[nodiscard]] auto in_one_pass(const reduced_axes<Count, Keep>& axes, const detail::reduction_item<Op, E>&... items) {
  return detail::reduce_along(axes, 0, std::get<0>(std::tie(items.where...)), items...);
}
/// Does not compile: a variance needs the mean first.
template <class... Item>
  requires(... || detail::takes_two_passes<Item>)
auto in_one_pass(const Item&...) {
  static_assert(sizeof...(Item) == 0,
                "a variance needs the mean first: write variance(a), beside in_one_pass(pass::mean(a), pass::max(a))");
  return 0;
}
/// Does not compile: all reductions of a pass take the same axes.
template <class... Item>
  requires(!(... || detail::takes_two_passes<Item>) && (... || detail::has_axes_of_its_own<Item>))
auto in_one_pass(const Item&...) {
  static_assert(sizeof...(Item) == 0,
                "one pass has the same axes for all: write in_one_pass(along(0), pass::sum(a), pass::max(a))");
  return 0;
}

}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::detail {
// The library compiles it, so that a program's files need not.
extern template YOKE_API void run_reductions(const stream<any_port>&, const reduction_task&, const walked_shape&,
                                             std::int64_t, std::span<const evaluation_operand<any_port>>,
                                             std::span<kernel_argument>, const source_location&);
extern template YOKE_API bool run_rows(const stream<any_port>&, const row_task&, const row_request&,
                                       std::span<const evaluation_operand<any_port>>, std::span<kernel_argument>,
                                       const source_location&);
}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/reduction/reduction.ipp>
#endif

#endif
