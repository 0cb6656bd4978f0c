// SPDX-License-Identifier: MIT
// Functions of rows that need a reduction of each row first: softmax, its logarithm, and rows of mean 0 and variance 1.
#ifndef YOKE_ALGORITHM_SOFTMAX_HPP
#define YOKE_ALGORITHM_SOFTMAX_HPP

#include <yoke/algorithm/concatenate.hpp>
#include <yoke/array/reduction/scan.hpp>

namespace yoke::inline v0_1 {

/// How `normalise` divides.
struct normalise_options {
  double epsilon = 0;     ///< is added to the variance. With 0 the elements of a row whose variance is 0 are NaN
  std::size_t fewer = 0;  ///< the divisor of the variance is the number of elements minus this
};

namespace detail {

enum class row_function : std::uint8_t { softmax, log_softmax, logsumexp, normalise };

/// The type of the results, that of a mean; half and bfloat16 are calculated in `float`.
template <class T>
using row_result = typename mean_operation<reduction_kind::mean>::template result<T>;
template <class T>
using row_number = std::conditional_t<std::same_as<T, half> || std::same_as<T, bfloat16>, float, row_result<T>>;

/// Does not compile for elements without an order. Returns: whether they have one.
template <class A>
consteval bool check_row_elements() {
  using value = typename operand_of<A>::value_type;
  constexpr bool real = number_element<value> && !complex_element<value>;
  static_assert(real, "softmax, logsumexp and normalise are of real numbers: write abs(a) or real(a) for complex ones");
  return real;
}

/// A function of the rows along axes, which is assigned as an expression with reductions inside.
template <row_function Function, std::size_t Count, bool Keep, class E>
class [[nodiscard]] row_item {
  using value = typename operand_of<const E&>::value_type;
  using number = row_number<value>;
  static constexpr std::size_t rank = operand_of<const E&>::rank;
  static constexpr bool reduces = Function == row_function::logsumexp;
  static constexpr std::size_t own_rank = reduces && !Keep ? rank - Count : rank;
  static_assert(Count <= rank, "the function goes along more axes than the array has");

 public:
  using pass_tag = void;
  using result = device_array<row_result<value>, own_rank, typename E::port_type>;

  row_item(E of, const reduced_axes<Count, Keep>& axes, const normalise_options& options, const source_location& where)
      : of_(std::move(of)), axes_(axes), mask_(axis_mask(axes.axes, rank, where)), options_(options) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return of_.stream(where); }
  [[nodiscard]] yoke::shape<own_rank> shape(const source_location& where) const {
    const auto given = given_shape(where);
    yoke::shape<own_rank> made;
    std::size_t to = 0;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const bool is_reduced = reduces && (mask_ >> axis & 1U) != 0;
      if (is_reduced && !Keep) continue;
      made[to++] = is_reduced ? 1 : given[axis];
    }
    return made;
  }
  template <class Order, class T, std::size_t Rank, class Port>
  void evaluate_in(const Order& order, const device_view<T, Rank, Port>& to, const source_location& where) const {
    static_assert(Rank == own_rank, "softmax, log_softmax and normalise are assigned to arrays of as many axes");
    const auto own = shape(where);
    check_broadcast(own.begin(), own_rank, to.shape().begin(), Rank, where);
    if (!reduces && volume(own.begin(), own_rank) == 0) return;
    assign_in(order, to, rows_of(numbers(), where), where);
  }

 private:
  [[nodiscard]] yoke::shape<rank> given_shape(const source_location& where) const {
    yoke::shape<rank> given;
    given = shape_to_join(of_, where);
    return given;
  }
  template <class Op, bool Kept, class X>
  [[nodiscard]] auto reduced(const X& x, const source_location& where) const {
    return reduced_operand<Op, X, Count, Kept>{x, {axes_.axes}, options_.fewer, where};
  }
  /// Returns: the function as an expression with reductions inside.
  template <class X>
  [[nodiscard]] auto rows_of(const X& x, const source_location& where) const {
    using greatest = extreme_operation<reduction_kind::most>;
    using total = total_operation<reduction_kind::sum>;
    if constexpr (Function == row_function::normalise) {
      const auto distances = distances_from_mean(x, reduced_axes<Count, true>{axes_.axes}, where);
      return distances /
             sqrt(reduced<variance_operation, true>(distances, where) + static_cast<number>(options_.epsilon));
    } else if constexpr (Function == row_function::logsumexp) {
      // Right for infinite elements; `softmax` divides infinities as NumPy's words do.
      const auto finite = [](const auto& most) { return yoke::where(isfinite(most), most, number(0)); };
      const auto powers = exp(x - finite(reduced<greatest, true>(x, where)));
      return log(reduced<total, Keep>(powers, where)) + finite(reduced<greatest, Keep>(x, where));
    } else {
      const auto distances = x - reduced<greatest, true>(x, where);
      const auto sums = reduced<total, true>(exp(distances), where);
      if constexpr (Function == row_function::softmax) {
        return exp(distances) / sums;
      } else {
        return distances - log(sums);
      }
    }
  }
  [[nodiscard]] auto numbers() const {
    if constexpr (std::same_as<value, number>) {
      return as_operand(of_);
    } else {
      return cast<number>(of_);
    }
  }
  E of_;
  reduced_axes<Count, Keep> axes_;
  std::uint32_t mask_;
  normalise_options options_;
};

template <row_function Function, class A, std::size_t Count, bool Keep>
[[nodiscard]] auto row_item_of(A&& of, const reduced_axes<Count, Keep>& axes, const source_location& where,
                               const normalise_options& options = {}) {
  if constexpr (check_row_elements<A>()) {
    return row_item<Function, Count, Keep, kept_of<A>>(kept_to_join(std::forward<A>(of), where), axes, options, where);
  }
}

}  // namespace detail

// The functions take an array, a view or an expression of real numbers, and the axes of a row: `softmax(a, along(1))`,
// `normalise(image, along(0, 1))`. Results have the elements' type, `double` for integers, `float` for half and
// bfloat16. Each is an expression with reductions inside, which reads rows that fit into a block's memory
// once.
// `to = pass::softmax(a, along(1))` writes to elements that exist, which may be those of `a`, in the destination's
// stream or on a recorder.
// Throws: `logic_error` for an axis that does not exist or is named twice, and from `logsumexp` without elements; as
// `evaluate`.
namespace pass {
template <detail::array_operand A, std::size_t Count>
[[nodiscard]] auto softmax(A&& of, const reduced_axes<Count, false>& axes,
                           const source_location& where = source_location::current()) {
  return detail::row_item_of<detail::row_function::softmax>(std::forward<A>(of), axes, where);
}
template <detail::array_operand A, std::size_t Count>
[[nodiscard]] auto log_softmax(A&& of, const reduced_axes<Count, false>& axes,
                               const source_location& where = source_location::current()) {
  return detail::row_item_of<detail::row_function::log_softmax>(std::forward<A>(of), axes, where);
}
template <detail::array_operand A, std::size_t Count, bool Keep>
[[nodiscard]] auto logsumexp(A&& of, const reduced_axes<Count, Keep>& axes,
                             const source_location& where = source_location::current()) {
  return detail::row_item_of<detail::row_function::logsumexp>(std::forward<A>(of), axes, where);
}
template <detail::array_operand A, std::size_t Count>
[[nodiscard]] auto normalise(A&& of, const reduced_axes<Count, false>& axes, const normalise_options& options = {},
                             const source_location& where = source_location::current()) {
  return detail::row_item_of<detail::row_function::normalise>(std::forward<A>(of), axes, where, options);
}
}  // namespace pass

/// Returns: `exp(a)` divided by its sum along the axes, without overflow. Rows whose greatest element is infinite are
/// NaN. Source: SciPy's `special.softmax`. Example: `auto p = yoke::softmax(scores, yoke::along(-1));`
template <detail::array_operand A, std::size_t Count>
[[nodiscard]] auto softmax(A&& of, const reduced_axes<Count, false>& axes,
                           const source_location& where = source_location::current()) {
  if constexpr (detail::check_row_elements<A>()) {
    return detail::made_of(pass::softmax(std::forward<A>(of), axes, where), where);
  }
}
/// Returns: the logarithm of `softmax(a)`, also where that is 0. Source: SciPy's `special.log_softmax`.
/// Example: `auto losses = -yoke::log_softmax(scores, yoke::along(-1));`
template <detail::array_operand A, std::size_t Count>
[[nodiscard]] auto log_softmax(A&& of, const reduced_axes<Count, false>& axes,
                               const source_location& where = source_location::current()) {
  if constexpr (detail::check_row_elements<A>()) {
    return detail::made_of(pass::log_softmax(std::forward<A>(of), axes, where), where);
  }
}
/// Returns: `log(sum(exp(a)))` along the axes, without overflow; infinite elements give what the sum would.
/// `along(1).keep_dims()` keeps the axis with an extent of 1. Source: SciPy's `special.logsumexp`.
/// Example: `auto energies = yoke::logsumexp(a, yoke::along(1));`
template <detail::array_operand A, std::size_t Count, bool Keep>
[[nodiscard]] auto logsumexp(A&& of, const reduced_axes<Count, Keep>& axes,
                             const source_location& where = source_location::current()) {
  if constexpr (detail::check_row_elements<A>()) {
    return detail::made_of(pass::logsumexp(std::forward<A>(of), axes, where), where);
  }
}
/// Returns: `(a - mean) / sqrt(variance + epsilon)` along the axes. Source: SciPy's `stats.zscore`; with an epsilon and
/// factors, PyTorch's `layer_norm`. Example: `auto z = yoke::normalise(a, yoke::along(-1), {.epsilon = 1e-5});`
template <detail::array_operand A, std::size_t Count>
[[nodiscard]] auto normalise(A&& of, const reduced_axes<Count, false>& axes, const normalise_options& options = {},
                             const source_location& where = source_location::current()) {
  if constexpr (detail::check_row_elements<A>()) {
    return detail::made_of(pass::normalise(std::forward<A>(of), axes, options, where), where);
  }
}

namespace detail {
/// Does not compile: says how axes are named.
template <class A>
void refuse_rows_without_axes() {
  static_assert(!array_operand<A>, "name the axes of a row: write softmax(a, along(-1)), for all elements along(0, 1)");
}
}  // namespace detail
template <detail::array_operand A, std::integral... I>
void softmax(const A&, I...) {
  detail::refuse_rows_without_axes<A>();
}
template <detail::array_operand A, std::integral... I>
void log_softmax(const A&, I...) {
  detail::refuse_rows_without_axes<A>();
}
template <detail::array_operand A, std::integral... I>
void logsumexp(const A&, I...) {
  detail::refuse_rows_without_axes<A>();
}
template <detail::array_operand A, std::integral... I>
void normalise(const A&, I...) {
  detail::refuse_rows_without_axes<A>();
}

}  // namespace yoke::inline v0_1

#endif
