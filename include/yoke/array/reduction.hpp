// SPDX-License-Identifier: MIT
// Reductions of arrays and expressions to one value, in an order that no device changes.
#ifndef YOKE_ARRAY_REDUCTION_HPP
#define YOKE_ARRAY_REDUCTION_HPP

#include <yoke/array/device_value.hpp>
#include <yoke/array/expression_operators.hpp>

#include <limits>

namespace yoke::inline YOKE_ABI {

namespace detail {

/// The threads of a block, and the elements that it reduces: the same on each device, so that sums are.
inline constexpr std::size_t reduction_block = 256;
inline constexpr std::size_t reduction_tile = 4096;

/// How two values become one: `$0` and `$1` are values of the accumulator.
enum class reduction_kind : std::uint8_t { sum, product, least, most, any, all };
/// Returns: `yoke_x_reduce`, which reduces each tile of an operand to an element of that kind.
YOKE_API std::string reduction_source(const expression_form& form, reduction_kind by, value_kind accumulator,
                                      value_kind to);
[[noreturn, gnu::cold]] YOKE_API void throw_nothing_to_reduce(const char* what, const source_location& where);

/// The type in which sums and products are calculated: integers in 64 bits.
template <class T>
using sum_of =
    std::conditional_t<std::is_floating_point_v<computed<T>>, computed<T>,
                       std::conditional_t<std::is_signed_v<T> || std::same_as<T, bool>, std::int64_t, std::uint64_t>>;

template <reduction_kind By, class T>
[[nodiscard]] constexpr T neutral_of() noexcept {
  using limits = std::numeric_limits<T>;
  switch (By) {
    case reduction_kind::product:
    case reduction_kind::all: return T(1);
    case reduction_kind::least: return limits::has_infinity ? limits::infinity() : (limits::max)();
    case reduction_kind::most: return limits::has_infinity ? T(-limits::infinity()) : limits::lowest();
    default: return T(0);
  }
}

template <reduction_kind By, class E, class Accumulator, class To>
struct reductions;

[[nodiscard]] constexpr std::size_t tiles_of(std::size_t elements) noexcept {
  return elements == 0 ? 1 : (elements - 1) / reduction_tile + 1;
}

/// Effects: enqueues one pass, which writes one element for each tile. Requires: `to` has room for them.
template <reduction_kind By, class Accumulator, class To, class E, class Port>
void launch_reduction(const stream<Port>& stream, typename Port::memory_handle to, const E& of,
                      const source_location& where) {
  const auto extents = of.shape(where);
  const auto inputs = of.all_inputs();
  // The order of the elements is that of C, however they lie.
  const array_layout<E::rank> in_order(extents, 1);
  const auto plan = plan_of<E>(stream, extents.begin(), E::rank, {in_order, value_kind::int8}, inputs, where);
  using word = kernel_word_of<Accumulator>;
  const auto scalars = std::tuple_cat(of.all_scalars(), std::tuple<word>(neutral_of<By, Accumulator>()));
  const auto build = [&](const context<Port>& in, const expression_form& form) {
    // A product that is added is rounded as it is everywhere.
    return compile(in, reduction_source(form, By, kind_of<Accumulator>(), kind_of<To>()),
                   {.name = "yoke reduction", .math = {.contract = false}}, where);
  };
  const std::size_t tiles = tiles_of(static_cast<std::size_t>(plan.axes.count));
  launch_expression<reductions<By, E, Accumulator, To>, To, 1, E>(stream, "yoke_x_reduce", to, plan, inputs, scalars,
                                                                  launch_over(tiles * reduction_block, reduction_block),
                                                                  build, where);
}

/// Effects: enqueues all passes. Returns: the value, which is on the device.
template <reduction_kind By, class Accumulator, class To, class E>
[[nodiscard]] auto reduce(const E& of, const source_location& where) {
  using port = typename E::port_type;
  const auto& order = std::get<0>(of.all_inputs())->view.stream(where);
  const auto extents = of.shape(where);
  std::size_t count = tiles_of(volume(extents.begin(), E::rank));
  device_value<To, port> result(order, where);
  if (count == 1) {
    launch_reduction<By, Accumulator, To>(order, result.array().native_handle(), of, where);
    return result;
  }
  device_array<Accumulator, 1, port> partial(order, shape<1>(count), array_order::c, where);
  launch_reduction<By, Accumulator, Accumulator>(order, partial.native_handle(), of, where);
  for (;;) {
    const array_input<Accumulator, 1, port> rest{partial.view(where)};
    count = tiles_of(count);
    if (count == 1) {
      launch_reduction<By, Accumulator, To>(order, result.array().native_handle(), rest, where);
      return result;
    }
    device_array<Accumulator, 1, port> next(order, shape<1>(count), array_order::c, where);
    launch_reduction<By, Accumulator, Accumulator>(order, next.native_handle(), rest, where);
    partial = std::move(next);
  }
}

template <std::size_t Rank>
void check_same_shape(const shape<Rank>& left, const shape<Rank>& right, const source_location& where) {
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    if (left[axis] != right[axis]) throw_broadcast(left.begin(), Rank, "with", right.begin(), Rank, axis, where);
  }
}

template <class A>
using value_of_operand = typename operand_of<A>::value_type;

template <reduction_kind By, class Of>
[[nodiscard]] auto reduce_extreme(const Of& of, const char* what, const source_location& where) {
  using type = computed<typename Of::value_type>;
  const auto extents = of.shape(where);
  if (volume(extents.begin(), Of::rank) == 0) throw_nothing_to_reduce(what, where);
  using accumulator = std::conditional_t<std::same_as<type, bool>, std::int32_t, type>;
  return reduce<By, accumulator, type>(of, where);
}

}  // namespace detail

// Each takes an array, a view or an expression, which is calculated on the way. The result stays on the device until
// `get()` reads it; `array()` is an operand of other expressions. The order of the calculation depends on the shape alone:
// the same bits in each run, on each device and for each layout, where the device rounds the elements alike.
// Throws: as `evaluate`.

/// The sum: of integers in 64 bits, else of the elements' own type; half and bfloat16 as `float`. Of nothing: 0.
/// Example: `float length = std::sqrt(yoke::sum(a * a).get());`
template <detail::array_operand A>
[[nodiscard]] auto sum(A&& of, const source_location& where = source_location::current()) {
  using type = detail::sum_of<detail::value_of_operand<A>>;
  return detail::reduce<detail::reduction_kind::sum, type, type>(detail::as_operand(std::forward<A>(of)), where);
}
/// The product, of the same types. Of nothing: 1.
template <detail::array_operand A>
[[nodiscard]] auto prod(A&& of, const source_location& where = source_location::current()) {
  using type = detail::sum_of<detail::value_of_operand<A>>;
  return detail::reduce<detail::reduction_kind::product, type, type>(detail::as_operand(std::forward<A>(of)), where);
}
/// The least element; NaN if there is one. Throws: also `logic_error` for no elements.
template <detail::array_operand A>
[[nodiscard]] auto(min)(A&& of, const source_location& where = source_location::current()) {
  return detail::reduce_extreme<detail::reduction_kind::least>(detail::as_operand(std::forward<A>(of)), "the least",
                                                               where);
}
/// The greatest element; NaN if there is one. Throws: also `logic_error` for no elements.
template <detail::array_operand A>
[[nodiscard]] auto(max)(A&& of, const source_location& where = source_location::current()) {
  return detail::reduce_extreme<detail::reduction_kind::most>(detail::as_operand(std::forward<A>(of)), "the greatest",
                                                              where);
}
/// Whether one element at least is not 0. Of nothing: false.
template <detail::array_operand A>
[[nodiscard]] auto any(A&& of, const source_location& where = source_location::current()) {
  return detail::reduce<detail::reduction_kind::any, std::int32_t, bool>(std::forward<A>(of) != 0, where);
}
/// Whether no element is 0. Of nothing: true.
template <detail::array_operand A>
[[nodiscard]] auto all(A&& of, const source_location& where = source_location::current()) {
  return detail::reduce<detail::reduction_kind::all, std::int32_t, bool>(std::forward<A>(of) != 0, where);
}
/// How many elements are not 0: `count(a > 3)`.
template <detail::array_operand A>
[[nodiscard]] auto count(A&& of, const source_location& where = source_location::current()) {
  return detail::reduce<detail::reduction_kind::sum, std::int64_t, std::int64_t>(std::forward<A>(of) != 0, where);
}
/// The sum of the products of elements, which are as many on both sides. Throws: also `logic_error` for other shapes.
template <detail::array_operand A, detail::array_operand B>
[[nodiscard]] auto dot(A&& a, B&& b, const source_location& where = source_location::current()) {
  const auto left = detail::as_operand(std::forward<A>(a));
  const auto right = detail::as_operand(std::forward<B>(b));
  static_assert(decltype(left)::rank == decltype(right)::rank, "dot takes two arrays of one shape");
  detail::check_same_shape(left.shape(where), right.shape(where), where);
  using product =
      expression<detail::times_operation, std::remove_const_t<decltype(left)>, std::remove_const_t<decltype(right)>>;
  using type = detail::sum_of<typename product::value_type>;
  return detail::reduce<detail::reduction_kind::sum, type, type>(product(left, right), where);
}
/// The mean: of integers as `double`. Of nothing: NaN.
template <detail::array_operand A>
[[nodiscard]] auto mean(A&& of, const source_location& where = source_location::current()) {
  using type = detail::mathematical<detail::computed<detail::value_of_operand<A>>>;
  const auto given = detail::as_operand(std::forward<A>(of));
  const auto extents = given.shape(where);
  auto result = detail::reduce<detail::reduction_kind::sum, type, type>(given, where);
  const auto count = static_cast<type>(detail::volume(extents.begin(), extents.rank()));
  result.array().view(where).assign(result.array() / count, where);
  return result;
}

}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_BODIES)
#include <yoke/array/impl/reduction.ipp>
#endif

#endif
