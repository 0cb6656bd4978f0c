// SPDX-License-Identifier: MIT
// The frequencies of a transform's results, and the two halves of an axis exchanged.
#ifndef YOKE_FFT_FREQUENCIES_HPP
#define YOKE_FFT_FREQUENCIES_HPP

#include <yoke/fft/transforms.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The type of frequencies: the given one, or that of the spacing, `float` for whole numbers.
template <class Given, class Spacing>
using frequency_type = std::conditional_t<!std::is_void_v<Given>, Given,
                                          std::conditional_t<std::is_floating_point_v<Spacing>, Spacing, float>>;

/// Returns: the frequencies of `count` points, all of them or those of a half.
template <class T, class Port>
[[nodiscard]] device_array<T, 1, Port> frequencies(const char* name, bool half, std::int64_t count, double spacing,
                                                   const stream<Port>& stream, const source_location& where) {
  static_assert(fft_real<T>, "frequencies are float or double");
  if (count < 1 || !std::isfinite(spacing) || spacing == 0) throw_fft_frequencies(name, count, spacing, where);
  const double step = 1.0 / (static_cast<double>(count) * spacing);
  std::vector<T> made(static_cast<std::size_t>(half ? count / 2 + 1 : count));
  std::int64_t k = 0;
  for (T& each : made) {
    each = static_cast<T>(static_cast<double>(half || k < (count + 1) / 2 ? k : k - count) * step);
    ++k;
  }
  return to_device_array(made, stream, where);
}

/// An array whose axes of a mask are moved by a half, towards the middle or back.
template <bool Back, class E>
class shift_item {
  using value = typename operand_of<const E&>::value_type;
  static constexpr std::size_t rank = operand_of<const E&>::rank;

 public:
  using pass_tag = void;
  using result = device_array<value, rank, typename E::port_type>;

  shift_item(E of, std::uint32_t axes) : of_(std::move(of)), axes_(axes) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return of_.stream(where); }
  [[nodiscard]] yoke::shape<rank> shape(const source_location& where) const {
    yoke::shape<rank> all;
    all = shape_to_join(of_, where);
    return all;
  }

  template <class Order, class T, std::size_t To, class Port>
  void evaluate_in(const Order& order, const device_view<T, To, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    static_assert(std::same_as<T, value> && To == rank,
                  "a shifted array is assigned to elements of its own type, with as many axes");
    if constexpr (std::same_as<T, value> && To == rank) {
      const auto extents = shape(where);
      check_result_shape(extents.begin(), to.shape().begin(), rank, where);
      operation_memory operation(order);
      check_destination(operation, to, where);
      if (to.empty()) return;
      if constexpr (sorted_memory<E>) {
        if (!views_share(order, to, of_, where)) return move(order, to, of_, 0, where);
      }
      const dense_elements<value, rank, Order> between(order, extents, to.stream(where), where);
      assign_in(order, between.view(), of_, where);
      move(order, to, between.view(), 0, where);
    }
  }

 private:
  template <class Order, class Out, class In>
  void move(const Order& order, const Out& to, const In& from, std::size_t axis, const source_location& where) const {
    while (axis < rank && (axes_ >> axis & 1U) == 0) ++axis;
    if (axis == rank) return assign_in(order, to, from, where);
    const auto extent = static_cast<std::ptrdiff_t>(from.shape()[axis]);
    const std::ptrdiff_t by = Back ? extent - extent / 2 : extent / 2;
    const auto part = [&](const auto& of, std::ptrdiff_t first, std::ptrdiff_t end) {
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return of.part_at(where, (K == axis ? slice(first, end) : slice(none, none))...);
      }(std::make_index_sequence<rank>());
    };
    if (by != extent) move(order, part(to, by, extent), part(from, 0, extent - by), axis + 1, where);
    if (by != 0) move(order, part(to, 0, by), part(from, extent - by, extent), axis + 1, where);
  }

  E of_;
  std::uint32_t axes_;
};

}  // namespace detail

/// Returns: the frequency of each result of `fft` of `count` points, in cycles per unit of the spacing: 0 and the
/// positive ones, then the negative ones. The type is `T`, or that of the spacing.
/// Throws: `logic_error` for a count below 1 and a spacing of 0; as `to_device_array`. Source: NumPy's `fftfreq`.
/// Example: `auto f = yoke::fftfreq(8, 0.1f, stream);`
template <class T = float, integer Count, class Port>
[[nodiscard]] device_array<T, 1, Port> fftfreq(Count count, const stream<Port>& stream,
                                               const source_location& where = source_location::current()) {
  return detail::frequencies<T>("fftfreq", false, detail::clamped_count(count), 1, stream, where);
}
template <class T = void, integer Count, class Spacing, class Port>
  requires std::is_arithmetic_v<Spacing>
[[nodiscard]] auto fftfreq(Count count, Spacing spacing, const stream<Port>& stream,
                           const source_location& where = source_location::current()) {
  return detail::frequencies<detail::frequency_type<T, Spacing>>("fftfreq", false, detail::clamped_count(count),
                                                                 static_cast<double>(spacing), stream, where);
}
/// The same for the results of `rfft`: none of them is negative. Source: NumPy's `rfftfreq`.
template <class T = float, integer Count, class Port>
[[nodiscard]] device_array<T, 1, Port> rfftfreq(Count count, const stream<Port>& stream,
                                                const source_location& where = source_location::current()) {
  return detail::frequencies<T>("rfftfreq", true, detail::clamped_count(count), 1, stream, where);
}
template <class T = void, integer Count, class Spacing, class Port>
  requires std::is_arithmetic_v<Spacing>
[[nodiscard]] auto rfftfreq(Count count, Spacing spacing, const stream<Port>& stream,
                            const source_location& where = source_location::current()) {
  return detail::frequencies<detail::frequency_type<T, Spacing>>("rfftfreq", true, detail::clamped_count(count),
                                                                 static_cast<double>(spacing), stream, where);
}

// Moves frequency 0 from the front of each axis to the middle, by copies; `ifftshift` moves it back. Without axes they
// move all of them. `view = pass::fftshift(f)` writes to existing elements, in the view's stream or on a recorder.
// Throws: `logic_error` for an axis that does not exist or is named twice; as `evaluate`.
#define YOKE_X_SHIFT(name, back)                                                                                       \
  namespace pass {                                                                                                     \
  template <class A>                                                                                                   \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of) {                                                                                    \
    return detail::shift_item<back, detail::kept_of<A>>(detail::kept_to_join(std::forward<A>(of)), ~std::uint32_t{0}); \
  }                                                                                                                    \
  template <class A, std::size_t Count>                                                                                \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, const reduced_axes<Count>& axes,                                                     \
                          const source_location& where = source_location::current()) {                                 \
    const std::uint32_t mask = detail::axis_mask(axes.axes, detail::operand_of<A>::rank, where);                       \
    return detail::shift_item<back, detail::kept_of<A>>(detail::kept_to_join(std::forward<A>(of)), mask);              \
  }                                                                                                                    \
  }                                                                                                                    \
  template <class A>                                                                                                   \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, const source_location& where = source_location::current()) {                         \
    return detail::made_of(pass::name(std::forward<A>(of)), where);                                                    \
  }                                                                                                                    \
  template <class A, std::size_t Count>                                                                                \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, const reduced_axes<Count>& axes,                                                     \
                          const source_location& where = source_location::current()) {                                 \
    return detail::made_of(pass::name(std::forward<A>(of), axes, where), where);                                       \
  }

/// Example: `auto centred = yoke::fftshift(yoke::fft(image, yoke::along(0, 1)));` Source: NumPy's `fftshift`.
YOKE_X_SHIFT(fftshift, false)
/// Undoes `fftshift`, also of an odd extent. Source: NumPy's `ifftshift`.
YOKE_X_SHIFT(ifftshift, true)
#undef YOKE_X_SHIFT

}  // namespace yoke::inline v0_1

#endif
