// SPDX-License-Identifier: MIT
// Convolutions and correlations of arrays of rank 1: by their definition, long ones by transforms.
#ifndef YOKE_FFT_CONVOLVE_HPP
#define YOKE_FFT_CONVOLVE_HPP

#include <yoke/fft/transforms.hpp>

#include <algorithm>

namespace yoke::inline v0_1 {

/// Which elements of a convolution of M and N elements are calculated. Source: NumPy's `mode`.
enum class convolve_mode : std::uint8_t {
  full,   ///< all M + N - 1
  same,   ///< as many as the longer array has, from the middle
  valid,  ///< those for which the arrays overlap entirely
};

namespace detail {

/// The elements of a full convolution that a mode selects.
struct convolve_range {
  std::int64_t start = 0;
  std::int64_t count = 0;
};
[[nodiscard]] constexpr convolve_range range_of_convolution(std::int64_t left, std::int64_t right, convolve_mode mode,
                                                            bool back) noexcept {
  const std::int64_t less = (std::min)(left, right);
  const std::int64_t more = (std::max)(left, right);
  if (mode == convolve_mode::full) return {0, left + right - 1};
  if (mode == convolve_mode::valid) return {less - 1, more - less + 1};
  return {back && left < right ? less / 2 : (less - 1) / 2, more};
}
/// The greatest length of the shorter array that is convolved by the definition. The bits depend on the lengths alone.
inline constexpr std::int64_t most_direct_convolution = 64;

/// Returns: the source of `yoke_f_convolve` and `yoke_f_product`.
[[nodiscard]] YOKE_API std::string convolve_source(bool in_double, bool is_pair, bool back);
[[noreturn, gnu::cold]] YOKE_API void throw_convolve(const char* name, std::size_t left, std::size_t right,
                                                     const source_location& where);
/// A context stores the kernels under these addresses.
inline constexpr char convolve_kernels_kept = 0;
inline constexpr char spectra_kernels_kept = 0;

/// Does not compile for arrays that are not convolved.
template <class A, class V>
consteval bool check_convolved() {
  using value = typename operand_of<A>::value_type;
  constexpr bool is_element = fft_element<value>;
  constexpr bool of_one_type = std::same_as<value, typename operand_of<V>::value_type>;
  constexpr bool are_rows = operand_of<A>::rank == 1 && operand_of<V>::rank == 1;
  constexpr bool one_backend = of_one_backend<std::remove_cvref_t<A>, std::remove_cvref_t<V>>;
  static_assert(is_element,
                "convolutions are of float, double and complex numbers of both: write convolve(cast<float>(a), v)");
  static_assert(of_one_type, "both arrays of a convolution have elements of one type: write convolve(a, cast<T>(v))");
  static_assert(are_rows, "convolutions are of arrays of rank 1");
  static_assert(one_backend, "both arrays of a convolution are of one backend");
  return is_element && of_one_type && are_rows && one_backend;
}

/// A convolution, or with `Back` a correlation, of two operands.
template <bool Back, class A, class V>
class convolve_item {
  using value = typename operand_of<const A&>::value_type;
  using types = fft_types<value>;
  using pair = typename types::pair;
  static constexpr bool in_double = std::same_as<typename types::part, double>;
  static constexpr bool is_real = fft_real<value>;
  static constexpr std::uint64_t variant = (in_double ? 4U : 0U) | (is_real ? 2U : 0U) | (Back ? 1U : 0U);

 public:
  using pass_tag = void;
  using result = device_array<value, 1, typename A::port_type>;

  convolve_item(A left, V right, convolve_mode mode) : left_(std::move(left)), right_(std::move(right)), mode_(mode) {}
  [[nodiscard]] const auto& stream(const source_location& where) const { return left_.stream(where); }
  /// Throws: `logic_error` where one of both has no elements.
  [[nodiscard]] yoke::shape<1> shape(const source_location& where) const {
    const std::size_t left = shape_to_join(left_, where)[0];
    const std::size_t right = shape_to_join(right_, where)[0];
    if (left == 0 || right == 0) throw_convolve(Back ? "correlate" : "convolve", left, right, where);
    const auto range =
        range_of_convolution(static_cast<std::int64_t>(left), static_cast<std::int64_t>(right), mode_, Back);
    return {static_cast<std::size_t>(range.count)};
  }

  template <class Order, class T, std::size_t To, class Port>
  void evaluate_in(const Order& order, const device_view<T, To, Port>& to, const source_location& where) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    static_assert(std::same_as<T, value> && To == 1,
                  "a convolution is assigned to elements of its own type, along one axis");
    if constexpr (std::same_as<T, value> && To == 1) {
      const auto extents = shape(where);
      check_result_shape(extents.begin(), to.shape().begin(), 1, where);
      const bool in_place = !shares_with(order, to, left_, where) && !shares_with(order, to, right_, where);
      write_dense(
          order, to, in_place, [&](const auto& dense) { write(order, dense, where); }, where);
    }
  }

 private:
  template <class Order, class View>
  void write(const Order& order, const View& to, const source_location& where) const {
    operation_memory operation(order);
    const auto left = dense_input_of<value>(operation, left_, "first array", false, where);
    const auto right = dense_input_of<value>(operation, right_, "second array", false, where);
    const auto count = static_cast<std::int64_t>(shape_to_join(left_, where)[0]);
    const auto other = static_cast<std::int64_t>(shape_to_join(right_, where)[0]);
    const convolve_range range = range_of_convolution(count, other, mode_, Back);
    const auto source = [] { return convolve_source(in_double, !is_real, Back); };
    if ((std::min)(count, other) <= most_direct_convolution) {
      argument_list<10> arguments;
      const auto own = memory_to_sort(to);
      arguments.add_memory(own.memory);
      arguments.add_memory(left.memory.memory);
      arguments.add_memory(right.memory.memory);
      const std::int64_t numbers[]{own.first, left.memory.first, right.memory.first, count,
                                   other,     range.start,       range.count};
      for (const std::int64_t each : numbers) arguments.add_number(each);
      return run_index_kernel(order, &convolve_kernels_kept, variant, "yoke_f_convolve", source, nullptr,
                              threads_for(range.count), arguments.get(), where);
    }
    const std::int64_t points = fft_points(count + other - 1);
    const std::int64_t bins = is_real ? points / 2 + 1 : points;
    const yoke::shape<1> half(static_cast<std::size_t>(bins));
    const dense_elements<pair, 1, Order> one(order, half, to.stream(where), where);
    const dense_elements<pair, 1, Order> two(order, half, to.stream(where), where);
    fft_transform what{.in_double = in_double, .real_in = is_real, .length = points, .given = count, .kept = bins};
    what.from_first = left.memory.first;
    run_fft<Order>(order, what, {one.view().memory().memory}, {left.memory.memory}, where);
    what.given = other;
    what.from_first = right.memory.first;
    if constexpr (Back) {  // the product takes the conjugate of an inverse transform, which is that of the conjugate
      what.inverse = true;
      what.from_first += other - 1;
      what.from_stride = -1;
    }
    run_fft<Order>(order, what, {two.view().memory().memory}, {right.memory.memory}, where);
    argument_list<3> arguments;
    const auto product = memory_to_sort(one.view());
    const auto factor = memory_to_sort(two.view());
    arguments.add_memory(product.memory);
    arguments.add_memory(factor.memory);
    arguments.add_number(bins);
    run_index_kernel(order, &spectra_kernels_kept, variant, "yoke_f_product", source, nullptr, threads_for(bins),
                     arguments.get(), where);
    const std::int64_t kept = range.start + range.count;
    const dense_elements<value, 1, Order> all(order, yoke::shape<1>(static_cast<std::size_t>(kept)), to.stream(where),
                                              where);
    const fft_transform inverse{.in_double = in_double,
                                .real_out = is_real,
                                .half = is_real,
                                .inverse = true,
                                .length = points,
                                .given = bins,
                                .kept = kept,
                                .scale = 1.0 / static_cast<double>(points)};
    run_fft<Order>(order, inverse, {all.view().memory().memory}, {product.memory}, where);
    assign_in(
        order, to,
        all.view().part_at(where, slice(static_cast<std::ptrdiff_t>(range.start), static_cast<std::ptrdiff_t>(kept))),
        where);
  }

  A left_;
  V right_;
  convolve_mode mode_;
};

template <bool Back, class A, class V>
[[nodiscard]] auto convolved(A&& left, V&& right, convolve_mode mode) {
  if constexpr (check_convolved<A, V>()) {
    return convolve_item<Back, kept_of<A>, kept_of<V>>(kept_to_join(std::forward<A>(left)),
                                                       kept_to_join(std::forward<V>(right)), mode);
  }
}

}  // namespace detail

// Both take arrays, views and expressions of rank 1 and of one type: float, double or complex. Where the shorter one
// has at most 64 elements, they are calculated by the definition, else by transforms, whose error is relative to the
// greatest results. The results have the same bits on every device.
// Throws: `logic_error` where one of both has no elements; as `evaluate`.
// `view = pass::convolve(a, v)` writes to existing elements, in the view's stream or on a recorder.
#define YOKE_X_CONVOLVE(name, back, default_mode)                                                                      \
  namespace pass {                                                                                                     \
  template <class A, class V>                                                                                          \
    requires detail::array_operand<A> && detail::array_operand<V>                                                      \
  [[nodiscard]] auto name(A&& left, V&& right, convolve_mode mode = convolve_mode::default_mode) {                     \
    return detail::convolved<back>(std::forward<A>(left), std::forward<V>(right), mode);                               \
  }                                                                                                                    \
  }                                                                                                                    \
  template <class A, class V>                                                                                          \
    requires detail::array_operand<A> && detail::array_operand<V>                                                      \
  [[nodiscard]] auto name(A&& left, V&& right, convolve_mode mode = convolve_mode::default_mode,                       \
                          const source_location& where = source_location::current()) {                                 \
    if constexpr (detail::check_convolved<A, V>()) {                                                                   \
      return detail::made_of(pass::name(std::forward<A>(left), std::forward<V>(right), mode), where);                  \
    }                                                                                                                  \
  }

/// Returns: the sums of `a[i] * v[k - i]`, in the stream of `a`. Source: NumPy's `convolve`.
/// Example: `auto smooth = yoke::convolve(signal, window, yoke::convolve_mode::same);`
YOKE_X_CONVOLVE(convolve, false, full)
/// Returns: the sums of `a[k + i] * conj(v[i])`; by default only where `v` lies within `a`. Source: NumPy's
/// `correlate`.
/// Example: `auto match = yoke::correlate(signal, pattern);`
YOKE_X_CONVOLVE(correlate, true, valid)
#undef YOKE_X_CONVOLVE

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/fft/convolve.ipp>
#endif

#endif
