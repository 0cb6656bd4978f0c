// SPDX-License-Identifier: MIT
// Generates arrays of random numbers from a seed and a position, with the same bits on every device.
#ifndef YOKE_ALGORITHM_RANDOM_GENERATOR_HPP
#define YOKE_ALGORITHM_RANDOM_GENERATOR_HPP

#include <yoke/algorithm/philox.hpp>
#include <yoke/algorithm/random_kernel.hpp>
#include <yoke/array/reduction/recorded_view.hpp>

#include <bit>
#include <cmath>
#include <limits>

namespace yoke::inline v0_1 {

namespace detail {

/// Types of uniform and normal numbers.
template <class T>
concept random_real =
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, half> || std::same_as<T, bfloat16>;
/// Types of normal numbers, which may be complex.
template <class T>
concept random_normal = random_real<T> || complex_element<T>;
/// Types of whole numbers and random bits.
template <class T>
concept random_integer = integer<T> && sizeof(T) <= 8;
template <class T>
consteval auto width_of_random() {
  if constexpr (complex_element<T>) {
    return std::type_identity<typename T::value_type>{};
  } else {
    return std::type_identity<T>{};
  }
}
/// The type of a standard deviation.
template <class T>
using random_width = typename decltype(width_of_random<T>())::type;
/// The type in which a kernel calculates real numbers.
template <class T>
using random_word = std::conditional_t<std::same_as<random_width<T>, double>, double, float>;

/// The element type in kernels, which use unsigned integers.
template <class T>
inline constexpr value_type_name random_element = name_of<T>();
template <random_integer T>
inline constexpr value_type_name random_element<T> = name_of<std::make_unsigned_t<T>>();

/// Returns: the greatest value less than `of`. Requires: `of` is finite.
template <random_real T>
[[nodiscard]] T value_below(T of) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    return std::nextafter(of, -std::numeric_limits<T>::infinity());
  } else {
    const auto value = static_cast<float>(of);
    const std::uint16_t bits = of.bits();
    return T::from_bits(static_cast<std::uint16_t>(value > 0 ? bits - 1 : value < 0 ? bits + 1 : 0x8001));
  }
}

/// Returns: a view of the destination of a fill.
template <class To>
[[nodiscard]] auto view_to_fill(To& to, const source_location& where) {
  if constexpr (requires { to.view(where); }) {
    return to.view(where);
  } else {
    return to;
  }
}
template <class To>
using filled_value = typename std::remove_cvref_t<To>::value_type;

/// Does not compile: the message asks for a stream.
template <class T>
auto refuse_random_without_stream() {
  static_assert(
      !std::same_as<T, T>,
      "random numbers are made in a stream: write uniform<float>({3, 4}, stream), integers<int>({100}, stream, 1, 7)");
  return 0;
}
/// The integers of `[low, high)`, modulo 2^64: the first, and the number of them.
struct random_integers {
  std::uint64_t from;
  std::uint64_t count;
};
/// Throws: `logic_error` for `low >= high`, and for bounds outside the range of `T`.
template <random_integer T, std::integral Low, std::integral High>
[[nodiscard]] random_integers random_integers_of(Low low, High high, const source_location& where) {
  const auto refuse = [&](const char* why) {
    throw_random_range("whole numbers", std::to_string(low), std::to_string(high), why, where);
  };
  if (!std::cmp_less(low, high)) [[unlikely]]
    refuse("low must be below high");
  (void)given_element<T>(low, "low", where);
  const auto from = static_cast<std::uint64_t>(low);  // a negative bound modulo 2^64
  const auto end = static_cast<std::uint64_t>(high);
  if (std::cmp_greater(high, greatest_of<T>) && end - 1 != static_cast<std::uint64_t>(greatest_of<T>)) [[unlikely]] {
    throw_outside_elements("high - 1", end - 1, least_of<T>, greatest_of<T>, where);
  }
  if (end == from) [[unlikely]]  // the range has 2^64 integers
    refuse("that is every value of the type: bits draws them");
  return {from, end - from};
}

}  // namespace detail

/// Generates random numbers on the device. A generator is a seed and a position in the seed's sequence of Philox
/// 4x32-10, 16 bytes on the host.
///
/// Effects: element `i` of an array, counted in C order, gets number `position() + i` of the sequence, whatever the
/// shape, the layout, the device and earlier calls; then the position advances by the number of elements. The numbers
/// have the same bits on every device that rounds as IEEE 754 says and keeps denormal numbers. A sequence has 2^64
/// positions and then begins again. Thread safety: a value; calls change it. Not for cryptography.
/// Example: `yoke::random_generator rng{42}; auto x = rng.normal<float>({1000, 3}, stream);`
class random_generator {
 public:
  constexpr explicit random_generator(std::uint64_t seed, std::uint64_t position = 0) noexcept
      : seed_(seed), position_(position) {}

  [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return seed_; }
  /// The position of the next number.
  [[nodiscard]] constexpr std::uint64_t position() const noexcept { return position_; }
  /// Advances the position as if `count` numbers had been drawn.
  constexpr void skip(std::uint64_t count) noexcept { position_ += count; }
  /// Returns: a generator whose seed is derived from this one's seed and position. Its numbers are independent of
  /// those of this generator and of others that it makes. Effects: advances the position by one.
  [[nodiscard]] constexpr random_generator split() noexcept {
    const auto words = philox4x32({lower(position_), upper(position_), 0, 0},
                                  {lower(seed_), upper(seed_)});  // drawn numbers use other counters
    ++position_;
    return random_generator(std::uint64_t{words[1]} << 32 | words[0]);
  }
  friend constexpr bool operator==(const random_generator&, const random_generator&) = default;

  /// Returns: an array of uniform numbers of `[low, high)`: multiples of 2^-24, for `double` of 2^-53, in `[0, 1)`,
  /// scaled by one `fma`. `T` is `float`, `double`, `half` or `bfloat16`.
  /// Throws: `logic_error` unless `low < high` and `low`, `high` and `high - low` are finite; as `device_array`.
  template <class T, std::size_t Rank, class Port>
  [[nodiscard]] device_array<T, Rank, Port> uniform(const shape<Rank>& extents, const stream<Port>& stream,
                                                    std::type_identity_t<T> low = T(0),
                                                    std::type_identity_t<T> high = T(1),
                                                    const source_location& where = source_location::current()) {
    device_array<T, Rank, Port> result(stream, extents, array_order::c, where);
    fill_uniform(result, low, high, where);
    return result;
  }
  template <class T, std::size_t Rank, class Port>
  [[nodiscard]] device_array<T, Rank, Port> uniform(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                                    std::type_identity_t<T> low = T(0),
                                                    std::type_identity_t<T> high = T(1),
                                                    const source_location& where = source_location::current()) {
    return uniform<T>(shape<Rank>::of(extents), stream, low, high, where);
  }
  /// The same with memory of a pool or of a `memory_resource`, as every function here that takes `from`: what is made
  /// from the array comes from there, too. Throws: also as `device_array` of a pool.
  /// Example: `auto x = rng.uniform<float>({1000, 3}, stream, pool, -1, 1);`
  template <class T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
  [[nodiscard]] device_array<T, Rank, Port> uniform(const shape<Rank>& extents, const stream<Port>& stream,
                                                    const From& from, std::type_identity_t<T> low = T(0),
                                                    std::type_identity_t<T> high = T(1),
                                                    const source_location& where = source_location::current()) {
    return uniform<T>(extents, detail::stream_with(stream, from, where), low, high, where);
  }
  template <class T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
  [[nodiscard]] device_array<T, Rank, Port> uniform(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                                    const From& from, std::type_identity_t<T> low = T(0),
                                                    std::type_identity_t<T> high = T(1),
                                                    const source_location& where = source_location::current()) {
    return uniform<T>(shape<Rank>::of(extents), stream, from, low, high, where);
  }
  /// Returns: an array of normally distributed numbers by the Box-Muller method: `mean + sigma * z`, rounded once,
  /// with `z` within 6.8 for `float` and 9.5 for `double`. `T` may be complex: then `sigma` belongs to the complex
  /// number, and each part has `sigma / sqrt(2)`.
  /// Throws: `logic_error` unless mean and sigma are finite and `sigma >= 0`; as `device_array`.
  template <class T, std::size_t Rank, class Port>
  [[nodiscard]] device_array<T, Rank, Port> normal(const shape<Rank>& extents, const stream<Port>& stream,
                                                   std::type_identity_t<T> mean = T(0),
                                                   detail::random_width<T> sigma = detail::random_width<T>(1),
                                                   const source_location& where = source_location::current()) {
    device_array<T, Rank, Port> result(stream, extents, array_order::c, where);
    fill_normal(result, mean, sigma, where);
    return result;
  }
  template <class T, std::size_t Rank, class Port>
  [[nodiscard]] device_array<T, Rank, Port> normal(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                                   std::type_identity_t<T> mean = T(0),
                                                   detail::random_width<T> sigma = detail::random_width<T>(1),
                                                   const source_location& where = source_location::current()) {
    return normal<T>(shape<Rank>::of(extents), stream, mean, sigma, where);
  }
  template <class T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
  [[nodiscard]] device_array<T, Rank, Port> normal(const shape<Rank>& extents, const stream<Port>& stream,
                                                   const From& from, std::type_identity_t<T> mean = T(0),
                                                   detail::random_width<T> sigma = detail::random_width<T>(1),
                                                   const source_location& where = source_location::current()) {
    return normal<T>(extents, detail::stream_with(stream, from, where), mean, sigma, where);
  }
  template <class T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
  [[nodiscard]] device_array<T, Rank, Port> normal(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                                   const From& from, std::type_identity_t<T> mean = T(0),
                                                   detail::random_width<T> sigma = detail::random_width<T>(1),
                                                   const source_location& where = source_location::current()) {
    return normal<T>(shape<Rank>::of(extents), stream, from, mean, sigma, where);
  }
  /// Returns: an array of whole numbers of `[low, high)`. Each has the probability `1 / (high - low)` within 2^-64, in
  /// 64-bit types within 2^-128. `high` may be one more than the greatest element:
  /// `integers<std::uint8_t>({12}, stream, 0, 256)`.
  /// Throws: `logic_error` for `low >= high`, and for bounds outside the range of `T`; as `device_array`.
  template <class T, std::size_t Rank, class Port, class Low, class High>
  [[nodiscard]] device_array<T, Rank, Port> integers(const shape<Rank>& extents, const stream<Port>& stream, Low low,
                                                     High high,
                                                     const source_location& where = source_location::current()) {
    device_array<T, Rank, Port> result(stream, extents, array_order::c, where);
    fill_integers(result, low, high, where);
    return result;
  }
  template <class T, std::size_t Rank, class Port, class Low, class High>
  [[nodiscard]] device_array<T, Rank, Port> integers(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                                     Low low, High high,
                                                     const source_location& where = source_location::current()) {
    return integers<T>(shape<Rank>::of(extents), stream, low, high, where);
  }
  template <class T, std::size_t Rank, class Port, detail::memory_origin<Port> From, class Low, class High>
  [[nodiscard]] device_array<T, Rank, Port> integers(const shape<Rank>& extents, const stream<Port>& stream,
                                                     const From& from, Low low, High high,
                                                     const source_location& where = source_location::current()) {
    return integers<T>(extents, detail::stream_with(stream, from, where), low, high, where);
  }
  template <class T, std::size_t Rank, class Port, detail::memory_origin<Port> From, class Low, class High>
  [[nodiscard]] device_array<T, Rank, Port> integers(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                                     const From& from, Low low, High high,
                                                     const source_location& where = source_location::current()) {
    return integers<T>(shape<Rank>::of(extents), stream, from, low, high, where);
  }
  /// Returns: an array of random bits: every value of the integer type is equally probable. Throws: as `device_array`.
  template <class T, std::size_t Rank, class Port>
  [[nodiscard]] device_array<T, Rank, Port> bits(const shape<Rank>& extents, const stream<Port>& stream,
                                                 const source_location& where = source_location::current()) {
    device_array<T, Rank, Port> result(stream, extents, array_order::c, where);
    fill_bits(result, where);
    return result;
  }
  template <class T, std::size_t Rank, class Port>
  [[nodiscard]] device_array<T, Rank, Port> bits(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                                 const source_location& where = source_location::current()) {
    return bits<T>(shape<Rank>::of(extents), stream, where);
  }
  template <class T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
  [[nodiscard]] device_array<T, Rank, Port> bits(const shape<Rank>& extents, const stream<Port>& stream,
                                                 const From& from,
                                                 const source_location& where = source_location::current()) {
    return bits<T>(extents, detail::stream_with(stream, from, where), where);
  }
  template <class T, std::size_t Rank, class Port, detail::memory_origin<Port> From>
  [[nodiscard]] device_array<T, Rank, Port> bits(const axis_extent (&extents)[Rank], const stream<Port>& stream,
                                                 const From& from,
                                                 const source_location& where = source_location::current()) {
    return bits<T>(shape<Rank>::of(extents), stream, from, where);
  }

  // These do not compile: the message asks for a stream.
  template <class T, std::size_t Rank>
  auto uniform(const axis_extent (&)[Rank]) {
    return detail::refuse_random_without_stream<T>();
  }
  template <class T, std::size_t Rank>
  auto normal(const axis_extent (&)[Rank]) {
    return detail::refuse_random_without_stream<T>();
  }
  template <class T, std::size_t Rank, class Low, class High>
  auto integers(const axis_extent (&)[Rank], Low, High) {
    return detail::refuse_random_without_stream<T>();
  }

  /// Fills an array or a view of any layout, in its own stream, by one launch. On a recorder,
  /// `rng.fill_uniform(a.bind(record))` records and returns a node: it splits off a generator, and each launch draws
  /// new numbers of it, from where the last launch ended. Recording waits for the array's stream. Throws: as
  /// `uniform`; `logic_error` for an empty array and a view that repeats elements; the position then stays.
  template <class To>
  auto fill_uniform(To&& to, detail::filled_value<To> low = detail::filled_value<To>(0),
                    detail::filled_value<To> high = detail::filled_value<To>(1),
                    const source_location& where = source_location::current()) {
    using value = detail::filled_value<To>;
    static_assert(detail::random_real<value>,
                  "uniform numbers are of float, double, half or bfloat16: integers<T>(...) draws whole numbers");
    if constexpr (detail::random_real<value>) {
      using word = detail::random_word<value>;
      const word from = static_cast<word>(low);
      const word end = static_cast<word>(high);
      if (!std::isfinite(from) || !std::isfinite(end) || !(from < end) || !std::isfinite(end - from)) [[unlikely]] {
        const bool is_range = from < end && std::isfinite(from) && std::isfinite(end);
        detail::throw_random_range("uniform numbers", detail::number_digits(from), detail::number_digits(end),
                                   is_range ? "high - low must be finite" : "both must be finite, and low below high",
                                   where);
      }
      return fill(to, detail::random_kind::uniform, from, static_cast<word>(end - from),
                  static_cast<word>(detail::value_below(high)), where);
    }
  }
  /// The same for normally distributed numbers. Throws: as `normal` and `fill_uniform`.
  template <class To>
  auto fill_normal(
      To&& to, detail::filled_value<To> mean = detail::filled_value<To>(0),
      detail::random_width<detail::filled_value<To>> sigma = detail::random_width<detail::filled_value<To>>(1),
      const source_location& where = source_location::current()) {
    using value = detail::filled_value<To>;
    static_assert(detail::random_normal<value>,
                  "normal numbers are of float, double, half, bfloat16 or complex numbers");
    if constexpr (detail::random_normal<value>) {
      using word = detail::random_word<value>;
      word middle{};
      word across{};
      word width = static_cast<word>(sigma);
      if constexpr (detail::complex_element<value>) {
        middle = mean.real();
        across = mean.imag();
      } else {
        middle = static_cast<word>(mean);
      }
      if (!std::isfinite(middle) || !std::isfinite(across) || !std::isfinite(width) || width < 0) [[unlikely]]
        detail::throw_random_normal(std::isfinite(across) ? middle : across, width, detail::complex_element<value>,
                                    where);
      if constexpr (detail::complex_element<value>) width *= static_cast<word>(0.70710678118654752);
      return fill(to, detail::random_kind::normal, middle, width, across, where);
    }
  }
  /// The same for whole numbers. Throws: as `integers` and `fill_uniform`.
  template <class To, class Low, class High>
  auto fill_integers(To&& to, Low low, High high, const source_location& where = source_location::current()) {
    using value = detail::filled_value<To>;
    static_assert(detail::random_integer<value>,
                  "whole numbers are of integer types: uniform<T>(...) draws float, double, half and bfloat16");
    if constexpr (detail::random_integer<value> && detail::check_given_kind<value, Low>() &&
                  detail::check_given_kind<value, High>()) {
      const auto [from, count] = detail::random_integers_of<value>(+low, +high, where);
      return fill(to, detail::random_kind::integers, from, count, std::uint64_t{0}, where);
    }
  }
  /// The same for random bits. Throws: as `bits` and `fill_uniform`.
  template <class To>
  auto fill_bits(To&& to, const source_location& where = source_location::current()) {
    using value = detail::filled_value<To>;
    static_assert(detail::random_integer<value>, "random bits are of integer types");
    if constexpr (detail::random_integer<value>) {
      return fill(to, detail::random_kind::bits, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}, where);
    }
  }

 private:
  static constexpr std::uint32_t lower(std::uint64_t of) noexcept { return static_cast<std::uint32_t>(of); }
  static constexpr std::uint32_t upper(std::uint64_t of) noexcept { return static_cast<std::uint32_t>(of >> 32); }

  template <class To, class Number>
  auto fill(To& to, detail::random_kind kind, Number a, Number b, Number c, const source_location& where) {
    const kernel_argument numbers[]{{argument_kind::value, &a, sizeof a},
                                    {argument_kind::value, &b, sizeof b},
                                    {argument_kind::value, &c, sizeof c}};
    if constexpr (requires { typename To::view_type; }) {
      return fill_recorded(to, kind, numbers, where);
    } else {
      const auto view = detail::view_to_fill(to, where);
      using view_type = std::remove_const_t<decltype(view)>;
      static_assert(!std::is_const_v<typename view_type::element_type>, "this view cannot be written");
      detail::fill_random(view.stream(where),
                          {kind, detail::random_element<typename view_type::value_type>, seed_, position_},
                          view.memory(), view.layout(), numbers, nullptr, where);
      position_ += view.size();
    }
  }
  template <class T, std::size_t Rank, class Port>
  graph_node<Port> fill_recorded(const recorded_view<T, Rank, Port>& to, detail::random_kind kind,
                                 std::span<const kernel_argument, 3> numbers, const source_location& where) {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    random_generator after = *this;
    const random_generator own = after.split();
    const auto& view = to.view();
    graph_node<Port> node = to.record(
        [&](const auto& order) {
          detail::operation_memory operation(order);
          detail::check_memory(operation, view.memory(), detail::memory_use::writes, "destination", where);
          detail::check_writable(view.layout(), where);
          if (view.empty()) return;
          auto& drawn = detail::allocate_for_array<std::uint64_t>(order, 1, where);
          const auto& stream = view.stream(where);
          yoke::fill(drawn, std::uint64_t{0}, stream, where);
          stream.synchronize(where);
          const typename Port::memory_handle memory = drawn.native_handle();
          const kernel_argument count = detail::handle_argument(memory);
          detail::fill_random(order, {kind, detail::random_element<std::remove_const_t<T>>, own.seed(), own.position()},
                              view.memory(), view.layout(), numbers, &count, where);
        },
        where);
    if (!view.empty()) *this = after;
    return node;
  }

  std::uint64_t seed_;
  std::uint64_t position_;
};

}  // namespace yoke::inline v0_1

#endif
