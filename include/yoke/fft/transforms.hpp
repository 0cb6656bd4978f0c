// SPDX-License-Identifier: MIT
// Discrete Fourier transforms of arrays, along one axis or several, on every device.
#ifndef YOKE_FFT_TRANSFORMS_HPP
#define YOKE_FFT_TRANSFORMS_HPP

#include <yoke/algorithm/concatenate.hpp>
#include <yoke/fft/fft_library.hpp>
#include <yoke/fft/fft_run.hpp>

#include <cmath>
#include <complex>
#include <optional>
#include <span>

namespace yoke::inline v0_1 {

/// By which of the two directions of a transform of N points the results are divided. Source: NumPy's `norm`.
enum class fft_norm : std::uint8_t {
  backward,  ///< the inverse by N
  ortho,     ///< both by the root of N
  forward,   ///< the forward one by N
};

namespace detail {

/// The functions: their inputs and outputs.
enum class fft_kind : std::uint8_t { fft, ifft, rfft, irfft };
[[nodiscard]] constexpr const char* name_of_fft(fft_kind kind) noexcept {
  constexpr const char* names[]{"fft", "ifft", "rfft", "irfft"};
  return names[static_cast<int>(kind)];
}
[[nodiscard]] constexpr bool is_inverse(fft_kind kind) noexcept {
  return kind == fft_kind::ifft || kind == fft_kind::irfft;
}

/// Elements that are transformed: real ones and complex ones of two precisions.
template <class T>
concept fft_real = std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept fft_element = fft_real<T> || complex_element<T>;
/// The complex type of elements, and the real one.
template <class T>
struct fft_types {
  using pair = std::complex<T>;
  using part = T;
};
template <complex_element T>
struct fft_types<T> {
  using pair = T;
  using part = typename T::value_type;
};

/// Does not compile for elements that are not transformed.
template <fft_kind Kind, class A>
consteval bool check_transformed() {
  using value = typename operand_of<A>::value_type;
  constexpr bool has_axis = operand_of<A>::rank > 0;
  constexpr bool is_element = fft_element<value>;
  constexpr bool is_real = Kind != fft_kind::rfft || !complex_element<value>;
  static_assert(is_element,
                "transforms are of float, double and complex numbers of both: write fft(cast<float>(a)) for others");
  static_assert(is_real, "rfft takes real numbers: write fft(a) for complex ones");
  static_assert(has_axis, "an array of rank 0 has no axis to transform");
  return is_element && is_real && has_axis;
}
/// Does not compile: chosen where a type says what the number of an axis or of points means.
template <class Given>
auto refuse_fft_argument() {
  static_assert(!std::same_as<Given, Given>,
                "behind the array stand the number of points, then along(axis), then the norm: write fft(a, 8, "
                "along(0), fft_norm::ortho), each of them optional");
  return 0;
}

/// The number of points along each axis, where it is named.
template <std::size_t Count>
using fft_numbers_of_points = std::array<std::optional<std::int64_t>, Count>;
/// Returns: one number of points, along the axis named last.
template <std::size_t Count, integer N>
[[nodiscard]] constexpr fft_numbers_of_points<Count> last_number_of_points(N points) noexcept {
  fft_numbers_of_points<Count> all{};
  all[Count - 1] = clamped_count(points);
  return all;
}
/// Returns: a number of points along each axis.
template <std::size_t Count>
[[nodiscard]] constexpr fft_numbers_of_points<Count> numbers_of_points(const axis_extent (&points)[Count]) noexcept {
  fft_numbers_of_points<Count> all{};
  for (std::size_t k = 0; k < Count; ++k) all[k] = clamped_count(points[k].value);
  return all;
}
/// Returns: the last axes of an array.
template <std::size_t Count>
[[nodiscard]] constexpr std::array<std::ptrdiff_t, Count> last_axes() noexcept {
  std::array<std::ptrdiff_t, Count> axes{};
  for (std::size_t k = 0; k < Count; ++k) axes[k] = static_cast<std::ptrdiff_t>(k) - static_cast<std::ptrdiff_t>(Count);
  return axes;
}
/// Does not compile unless each axis has its number of points.
template <std::size_t Points, std::size_t Axes>
consteval bool check_numbers_of_points() {
  static_assert(Points == Axes,
                "a list of numbers of points has one for each axis: write fft(a, {16, 8}, along(0, 1)), or fft(a, 8, "
                "along(0, 1)) for the axis named last");
  return Points == Axes;
}

/// The transforms of an array, a view or an expression along axes, in the order in which they were named.
template <fft_kind Kind, std::size_t Count, class E>
class fft_item {
  using value = typename operand_of<const E&>::value_type;
  using types = fft_types<value>;
  using pair = typename types::pair;
  using part = typename types::part;
  static constexpr std::size_t rank = operand_of<const E&>::rank;
  static_assert(Count <= rank, "a transform goes along more axes than the array has");

 public:
  using pass_tag = void;
  using result = device_array<std::conditional_t<Kind == fft_kind::irfft, part, pair>, rank, typename E::port_type>;

  /// Throws: `logic_error` for an axis that does not exist or is named twice.
  fft_item(E of, const std::array<std::ptrdiff_t, Count>& axes, const fft_numbers_of_points<Count>& points,
           fft_norm norm, const source_location& where)
      : of_(std::move(of)), points_(points), norm_(norm) {
    (void)axis_mask(axes, rank, where);
    for (std::size_t k = 0; k < Count; ++k) {
      axes_[k] = static_cast<std::size_t>(axes[k] < 0 ? axes[k] + static_cast<std::ptrdiff_t>(rank) : axes[k]);
    }
  }
  [[nodiscard]] const auto& stream(const source_location& where) const { return of_.stream(where); }
  /// Throws: `logic_error` for a length of 0, and where `irfft` of that length takes another extent.
  [[nodiscard]] yoke::shape<rank> shape(const source_location& where) const {
    yoke::shape<rank> all;
    all = shape_to_join(of_, where);
    const yoke::shape<rank> given = all;
    for (std::size_t k = 0; k < Count; ++k) {
      const std::int64_t length = length_of(given, k);
      check_fft_length(name_of_fft(Kind), length, axes_[k], where);
      all[axes_[k]] = static_cast<std::size_t>(length);
    }
    const std::int64_t length = length_of(given, Count - 1);
    if (Kind == fft_kind::irfft) check_half_extent(length, given[last()], last(), where);
    if (Kind == fft_kind::rfft) all[last()] = static_cast<std::size_t>(length / 2 + 1);
    return all;
  }

  template <class Order, class T, std::size_t To, class Port>
  void evaluate_in(const Order& order, const device_view<T, To, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    static_assert(std::same_as<T, typename result::value_type> && To == rank,
                  "a transform is assigned to elements of its own type, with as many axes");
    if constexpr (std::same_as<T, typename result::value_type> && To == rank) {
      const auto extents = shape(where);
      check_result_shape(extents.begin(), to.shape().begin(), rank, where);
      operation_memory operation(order);
      check_destination(operation, to, where);
      if (to.empty()) return;
      if constexpr (sorted_memory<E>) {
        check_memory(operation, of_.memory(), memory_use::reads, "array", where);
        if (of_.empty()) return fill_view(order, to, T{}, where);
        transform(order, to, of_, views_share(order, to, of_, where), where);
      } else {
        const auto given = of_.shape(where);
        if (volume(given.begin(), rank) == 0) return fill_view(order, to, T{}, where);
        const dense_elements<value, rank, Order> source(order, given, of_.stream(where), where);
        assign_in(order, source.view(), of_, where);
        transform(order, to, source.view(), false, where);
      }
    }
  }

 private:
  [[nodiscard]] std::size_t last() const noexcept { return axes_[Count - 1]; }
  /// Returns: the number of points along the axis named as number `k`.
  [[nodiscard]] std::int64_t length_of(const yoke::shape<rank>& given, std::size_t k) const noexcept {
    const auto extent = static_cast<std::int64_t>(given[axes_[k]]);
    if (points_[k]) return *points_[k];
    return Kind == fft_kind::irfft && k + 1 == Count ? 2 * (extent - 1) : extent;
  }

  template <class Order, class Out, class In>
  void transform(const Order& order, const Out& to, const In& from, bool overlaps, const source_location& where) const {
    std::int64_t lengths[Count];
    std::int64_t given[Count];
    double points = 1;
    for (std::size_t k = 0; k < Count; ++k) {
      lengths[k] = length_of(from.shape(), k);
      given[k] = (std::min)(static_cast<std::int64_t>(from.shape()[axes_[k]]), lengths[k]);
      points *= static_cast<double>(lengths[k]);
    }
    const double scale = norm_ == fft_norm::ortho                            ? 1 / std::sqrt(points)
                         : (norm_ == fft_norm::backward) == is_inverse(Kind) ? 1 / points
                                                                             : 1.0;
    if (Count > 1 && by_library(order, to, from, axes_, scale, lengths[Count - 1], overlaps, where)) return;
    const auto in_place = [&](const auto& of, std::size_t k, double by) {
      along_axis(order, of, of, axes_[k], false, by, lengths[k], given[k], true, where);
    };
    if constexpr (Kind == fft_kind::irfft && Count > 1) {
      // The last axis comes last, because its output is real.
      yoke::shape<rank> extents = from.shape();
      for (std::size_t k = 0; k + 1 < Count; ++k) extents[axes_[k]] = static_cast<std::size_t>(lengths[k]);
      const dense_elements<pair, rank, Order> between(order, extents, to.stream(where), where);
      along_axis(order, between.view(), from, axes_[0], false, 1, lengths[0], given[0], false, where);
      for (std::size_t k = 1; k + 1 < Count; ++k) in_place(between.view(), k, 1);
      along_axis(order, to, between.view(), last(), true, scale, lengths[Count - 1],
                 static_cast<std::int64_t>(extents[last()]), false, where);
    } else {
      along_axis(order, to, from, last(), true, Count == 1 ? scale : 1, lengths[Count - 1], given[Count - 1], overlaps,
                 where);
      if constexpr (Count > 1) {
        for (std::size_t k = Count - 1; k-- > 0;) in_place(to, k, k == 0 ? scale : 1);
      }
    }
  }
  /// Effects: enqueues transforms along axes by a library. Returns: false if own kernels must do it.
  template <class Order, class Out, class In>
  bool by_library(const Order& order, const Out& to, const In& from, std::span<const std::size_t> axes, double scale,
                  std::int64_t length, bool overlaps, const source_location& where) const {
    if constexpr (is_a_stream<Order> || takes_library_graphs<Order>) {
      constexpr bool real_in = fft_real<typename In::value_type>;
      constexpr bool real_out = fft_real<typename Out::value_type>;
      constexpr bool in_double = std::same_as<part, double>;
      const byte_layout output = to.layout();
      const byte_layout input = from.layout();
      const bool in_place = !real_in && !real_out && to.memory().memory == from.memory().memory &&
                            output.offset == input.offset &&
                            std::equal(output.axes.strides, output.axes.strides + rank, input.axes.strides);
      if (overlaps && !in_place && !real_out) return false;
      // Scaling is a launch of its own behind a library's, where own kernels need one launch in all.
      if (scale != 1 && !real_out && axes.size() == 1 && length <= (in_double ? 2048 : 4096)) return false;
      placed_transform what;
      if (!set_library_transform(what, output, input, axes, length, real_in, real_out, in_double)) return false;
      math_libraries* by = nullptr;
      if constexpr (is_a_stream<Order>) {
        by = library_for(order, math_family::transforms, where);
      } else {
        by = recording_library_for(order, math_family::transforms, where);
      }
      if (by == nullptr) return false;
      const auto factor = static_cast<part>(scale);
      if constexpr (real_out) {
        // The library overwrites its input.
        const dense_elements<pair, rank, Order> copy(order, from.shape(), to.stream(where), where);
        if (!set_library_transform(what, output, copy.view().layout(), axes, length, real_in, real_out, in_double)) {
          return false;
        }
        assign_in(order, copy.view(), from * factor, where);
        return run_library_transform(order, *by, what, to.memory().memory, copy.view().memory().memory, true, where);
      } else {
        if (!run_library_transform(order, *by, what, to.memory().memory, from.memory().memory, is_inverse(Kind),
                                   where)) {
          return false;
        }
        if (scale != 1) assign_in(order, to, to * factor, where);
        return true;
      }
    } else {
      return false;
    }
  }
  /// Effects: enqueues the transforms along one axis, of the rows that both sides have. `is_last`: along the axis whose
  /// elements may be real.
  template <class Order, class Out, class In>
  void along_axis(const Order& order, const Out& to, const In& from, std::size_t axis, bool is_last, double scale,
                  std::int64_t length, std::int64_t given, bool overlaps, const source_location& where) const {
    const bool is_half = is_last && Kind == fft_kind::irfft;
    if (given == (is_half ? length / 2 + 1 : length) &&
        by_library(order, to, from, {&axis, 1}, scale, length, overlaps, where)) {
      return;
    }
    fft_transform what{.in_double = std::same_as<part, double>,
                       .real_in = fft_real<typename In::value_type>,
                       .real_out = fft_real<typename Out::value_type>,
                       .half = is_half,
                       .inverse = is_inverse(Kind),
                       .overlaps = overlaps,
                       .length = length,
                       .given = given,
                       .kept = static_cast<std::int64_t>(to.shape()[axis]),
                       .scale = scale};
    set_sides(what, to.layout(), from.layout(), axis, where);
    run_fft<Order>(order, what, {to.memory().memory}, {from.memory().memory}, where);
  }

  E of_;
  std::size_t axes_[Count]{};
  fft_numbers_of_points<Count> points_;
  fft_norm norm_;
};

template <fft_kind Kind, std::size_t Count, class A>
[[nodiscard]] auto transformed(A&& of, const std::array<std::ptrdiff_t, Count>& axes,
                               const fft_numbers_of_points<Count>& points, fft_norm norm,
                               const source_location& where) {
  if constexpr (check_transformed<Kind, A>()) {
    return fft_item<Kind, Count, kept_of<A>>(kept_to_join(std::forward<A>(of)), axes, points, norm, where);
  }
}

}  // namespace detail

// Each function takes an array, a view of any layout, or an expression, and never writes it. Behind it may stand, in
// this order, the number of points, `along(axis)` and the norm. The elements are complex, or real ones of float or
// double; the results have the same precision. A transform goes along the last axis, or the axes that `along` names.
// A number of points is that along the axis named last, a list of them has one for each axis, of which the last ones
// are taken where none are named: elements behind it are left out, and lacking ones are 0.
// For one type and one length the results have the same bits on every device, in every layout, and in every run.
// Throws: `logic_error` before anything is enqueued: for a length of 0, an axis that does not exist or is named twice;
// as `evaluate`.
// `view = pass::fft(a)` writes the result to existing elements, which may be those of `a`, in the view's stream or on a
// recorder.
#define YOKE_X_TRANSFORM(name)                                                                                         \
  namespace pass {                                                                                                     \
  template <class A>                                                                                                   \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, fft_norm norm = fft_norm::backward,                                                  \
                          const source_location& where = source_location::current()) {                                 \
    return detail::transformed<detail::fft_kind::name, 1>(std::forward<A>(of), {-1}, {}, norm, where);                 \
  }                                                                                                                    \
  template <class A, std::size_t Count>                                                                                \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, const reduced_axes<Count>& axes, fft_norm norm = fft_norm::backward,                 \
                          const source_location& where = source_location::current()) {                                 \
    return detail::transformed<detail::fft_kind::name, Count>(std::forward<A>(of), axes.axes, {}, norm, where);        \
  }                                                                                                                    \
  template <class A, integer N>                                                                                        \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, N points, fft_norm norm = fft_norm::backward,                                        \
                          const source_location& where = source_location::current()) {                                 \
    return detail::transformed<detail::fft_kind::name, 1>(std::forward<A>(of), {-1},                                   \
                                                          detail::last_number_of_points<1>(points), norm, where);      \
  }                                                                                                                    \
  template <class A, integer N, std::size_t Count>                                                                     \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, N points, const reduced_axes<Count>& axes, fft_norm norm = fft_norm::backward,       \
                          const source_location& where = source_location::current()) {                                 \
    return detail::transformed<detail::fft_kind::name, Count>(                                                         \
        std::forward<A>(of), axes.axes, detail::last_number_of_points<Count>(points), norm, where);                    \
  }                                                                                                                    \
  template <class A, std::size_t Count>                                                                                \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, const axis_extent (&points)[Count], fft_norm norm = fft_norm::backward,              \
                          const source_location& where = source_location::current()) {                                 \
    return detail::transformed<detail::fft_kind::name, Count>(std::forward<A>(of), detail::last_axes<Count>(),         \
                                                              detail::numbers_of_points(points), norm, where);         \
  }                                                                                                                    \
  template <class A, std::size_t Points, std::size_t Count>                                                            \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, const axis_extent (&points)[Points], const reduced_axes<Count>& axes,                \
                          fft_norm norm = fft_norm::backward,                                                          \
                          const source_location& where = source_location::current()) {                                 \
    if constexpr (detail::check_numbers_of_points<Points, Count>()) {                                                  \
      return detail::transformed<detail::fft_kind::name, Count>(std::forward<A>(of), axes.axes,                        \
                                                                detail::numbers_of_points(points), norm, where);       \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class A, std::size_t Count, integer N, class... Norm>                                                      \
    requires detail::array_operand<A>                                                                                  \
  void name(A&&, const reduced_axes<Count>&, N, const Norm&...) {                                                      \
    (void)detail::refuse_fft_argument<N>();                                                                            \
  }                                                                                                                    \
  }                                                                                                                    \
  template <class A>                                                                                                   \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, fft_norm norm = fft_norm::backward,                                                  \
                          const source_location& where = source_location::current()) {                                 \
    if constexpr (detail::check_transformed<detail::fft_kind::name, A>()) {                                            \
      return detail::made_of(pass::name(std::forward<A>(of), norm, where), where);                                     \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class A, std::size_t Count>                                                                                \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, const reduced_axes<Count>& axes, fft_norm norm = fft_norm::backward,                 \
                          const source_location& where = source_location::current()) {                                 \
    if constexpr (detail::check_transformed<detail::fft_kind::name, A>()) {                                            \
      return detail::made_of(pass::name(std::forward<A>(of), axes, norm, where), where);                               \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class A, integer N>                                                                                        \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, N points, fft_norm norm = fft_norm::backward,                                        \
                          const source_location& where = source_location::current()) {                                 \
    if constexpr (detail::check_transformed<detail::fft_kind::name, A>()) {                                            \
      return detail::made_of(pass::name(std::forward<A>(of), points, norm, where), where);                             \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class A, integer N, std::size_t Count>                                                                     \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, N points, const reduced_axes<Count>& axes, fft_norm norm = fft_norm::backward,       \
                          const source_location& where = source_location::current()) {                                 \
    if constexpr (detail::check_transformed<detail::fft_kind::name, A>()) {                                            \
      return detail::made_of(pass::name(std::forward<A>(of), points, axes, norm, where), where);                       \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class A, std::size_t Count>                                                                                \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, const axis_extent(&points)[Count], fft_norm norm = fft_norm::backward,               \
                          const source_location& where = source_location::current()) {                                 \
    if constexpr (detail::check_transformed<detail::fft_kind::name, A>()) {                                            \
      return detail::made_of(pass::name(std::forward<A>(of), points, norm, where), where);                             \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class A, std::size_t Points, std::size_t Count>                                                            \
    requires detail::array_operand<A>                                                                                  \
  [[nodiscard]] auto name(A&& of, const axis_extent(&points)[Points], const reduced_axes<Count>& axes,                 \
                          fft_norm norm = fft_norm::backward,                                                          \
                          const source_location& where = source_location::current()) {                                 \
    if constexpr (detail::check_transformed<detail::fft_kind::name, A>() &&                                            \
                  detail::check_numbers_of_points<Points, Count>()) {                                                  \
      return detail::made_of(pass::name(std::forward<A>(of), points, axes, norm, where), where);                       \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class A, std::size_t Count, integer N, class... Norm>                                                      \
    requires detail::array_operand<A>                                                                                  \
  void name(A&&, const reduced_axes<Count>&, N, const Norm&...) {                                                      \
    (void)detail::refuse_fft_argument<N>();                                                                            \
  }

/// The discrete Fourier transform of complex or real numbers. Source: NumPy's `fft`, and `fftn` along several axes.
/// Example: `auto f = yoke::fft(a); auto image = yoke::fft(b, yoke::along(0, 1));`
YOKE_X_TRANSFORM(fft)
/// The inverse transform, divided by the number of points unless the norm says otherwise. Source: NumPy's `ifft`.
/// Example: `auto a = yoke::ifft(f);`
YOKE_X_TRANSFORM(ifft)
/// The first `n / 2 + 1` results of the transform of `n` real numbers along the axis named last; the others are their
/// conjugates. Source: NumPy's `rfft`.
/// Example: `auto f = yoke::rfft(signal);`
YOKE_X_TRANSFORM(rfft)
/// The real numbers whose `rfft` is given. Their number is even, unless it is named: `irfft(f, 7)`.
/// Throws: also `logic_error` unless the axis has `n / 2 + 1` elements. Source: NumPy's `irfft`.
/// Example: `auto signal = yoke::irfft(f, 7);`
YOKE_X_TRANSFORM(irfft)
#undef YOKE_X_TRANSFORM

}  // namespace yoke::inline v0_1

#endif
