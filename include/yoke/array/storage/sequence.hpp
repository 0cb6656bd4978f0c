// SPDX-License-Identifier: MIT
// Calculates the length of sequences, launches the kernels that write them, and reads the layouts of mdspans.
#ifndef YOKE_ARRAY_STORAGE_SEQUENCE_HPP
#define YOKE_ARRAY_STORAGE_SEQUENCE_HPP

#include <yoke/array/evaluation/evaluation.hpp>
#include <yoke/array/evaluation/given_element.hpp>

#include <bit>
#include <cmath>

namespace yoke::inline v0_1::detail {

template <class T>
inline constexpr bool is_sequence = integer<T> || std::same_as<T, float> || std::same_as<T, double>;

[[noreturn, gnu::cold]] YOKE_API void throw_sequence(const char* why, const source_location& where);

/// The first number, the step and the length of a sequence.
template <class T>
struct sequence_plan {
  using wide = std::conditional_t<std::integral<T>, T, double>;
  wide first{};
  wide step{};
  std::size_t size = 0;
};
/// Returns: the sequence from `start` to before `stop`. Throws: `logic_error` for a first or last number that `T`
/// cannot hold.
template <class T, class Start, class Stop, class Step>
[[nodiscard]] sequence_plan<T> plan_sequence(Start start, Stop stop, Step step, const source_location& where) {
  if constexpr (!check_given_kind<T, Start>() || !check_given_kind<T, Stop>() || !check_given_kind<T, Step>()) {
    return {};
  } else if constexpr (std::integral<Start> && std::integral<Stop> && std::integral<Step>) {
    if (+step == 0) throw_sequence("a step of 0", where);
    const bool back = std::cmp_less(+step, 0);
    if (back ? std::cmp_less_equal(+start, +stop) : std::cmp_greater_equal(+start, +stop)) return {};
    const auto is_wide = [](auto of) { return std::cmp_greater(+of, greatest_of<std::int64_t>); };
    const bool wide = is_wide(start) || is_wide(stop);
    if (wide && (std::cmp_less(+start, 0) || std::cmp_less(+stop, 0))) throw_sequence("bounds too far apart", where);
    // Subtracts modulo 2^64, which gives the right difference.
    const auto from = static_cast<std::uint64_t>(start);
    const auto to = static_cast<std::uint64_t>(stop);
    const auto by = static_cast<std::uint64_t>(step);
    const std::uint64_t steps = ((back ? from - to : to - from) - 1) / (back ? 0 - by : by);
    const auto check = [&](std::uint64_t at, const char* name) {
      const std::uint64_t number = from + at * by;
      wide ? (void)given_element<T>(number, name, where)
           : (void)given_element<T>(static_cast<std::int64_t>(number), name, where);
    };
    [[maybe_unused]] const T first = given_element<T>(start, "first element", where);
    check(steps, "last element");
    if constexpr (std::integral<T>) {
      return {first, static_cast<T>(by), static_cast<std::size_t>(steps) + 1};  // steps below 0 wrap around
    } else {
      if (steps > 1) {  // if the last two numbers are exact, so are all that are nearer to 0
        check(1, "second element");
        check(steps - 1, "last element but one");
      }
      (void)given_element<T>(step, "step", where);
      return {static_cast<double>(start), static_cast<double>(step), static_cast<std::size_t>(steps) + 1};
    }
  } else {
    const auto from = static_cast<double>(start);
    const auto by = static_cast<double>(step);
    if (by == 0) throw_sequence("a step of 0", where);
    const double count = std::ceil((static_cast<double>(stop) - from) / by);
    if (!(count < 9.2e18) || !std::isfinite(from) || !std::isfinite(by)) {
      throw_sequence("bounds that are no numbers, or too far apart", where);
    }
    if (!(count > 0)) return {};
    (void)given_element<T>(from + (count - 1) * by, "last element", where);
    (void)given_element<T>(start, "first element", where);
    (void)given_element<T>(step, "step", where);
    return {from, by, static_cast<std::size_t>(count)};
  }
}

/// The type of a sequence. A context stores the kernel under its address.
template <class Word>
inline constexpr value_type_name sequence_type = name_of<Word>();

/// Effects: enqueues the kernel that writes a sequence. `arguments` are those of the launch: the memory, the first
/// number, the step and the count.
template <class Port>
void run_sequence(const stream<Port>& stream, const value_type_name& type, std::span<const kernel_argument> arguments,
                  std::int64_t count, const source_location& where) {
  const context<Port>& in = stream.context_of();
  auto& kept = in.state(where).attached.template get_at<once_map<text_kernel<Port>>>(&type);
  const text_kernel<Port>& run = kept.find_or_make(0, [&] {
    compile_options options{.defines = {{"T", kind_name(type)}}, .name = "yoke sequence", .math = exact_sums};
    const bool is_real = type.kind == value_kind::float32 || type.kind == value_kind::float64;
    return text_kernel<Port>(
        compile_task(in, is_real ? line_source() : sequence_source(), std::move(options), nullptr, where),
        is_real ? "yoke_a_line" : "yoke_a_sequence", where);
  });
  run.launch(stream, threads_for(count), arguments, where);
}

/// Equally spaced real numbers: number `i` is `(first + i * step) * scale`.
template <class T>
struct number_line {
  T front, back;           ///< exact values of numbers 0 and `last`
  double first, step;      ///< for devices with double
  float scale = 1;         ///< 2 where the distance of the ends is infinite in `T`: both are halved first
  std::int64_t last = -1;  ///< -1: only the first number is exact
};
/// Returns: the numbers `first`, `first + step`, ....
template <class T>
[[nodiscard]] number_line<T> line_from(double first, double step) noexcept {
  return {static_cast<T>(first), T{0}, first, step};
}
/// Returns: `count` numbers from `first` to `last`.
template <class T>
[[nodiscard]] number_line<T> line_between(T first, T last, std::size_t count) noexcept {
  number_line<T> line{first, last, static_cast<double>(first), 0};
  line.last = static_cast<std::int64_t>(count) - 1;
  if (count < 2) return line;
  const T distance = last - first;
  if (!std::isfinite(distance) && std::isfinite(first) && std::isfinite(last)) line.scale = 2;
  const double scale = line.scale;
  line.step = (static_cast<double>(last) / scale - static_cast<double>(first) / scale) / static_cast<double>(count - 1);
  line.first /= scale;
  return line;
}
/// Effects: enqueues the kernel that writes equally spaced real numbers.
template <class T, class Port>
void launch_line(const stream<Port>& stream, typename Port::memory_handle to, const number_line<T>& line,
                 std::size_t count, const source_location& where) {
  if (count == 0) return;
  const auto first = std::bit_cast<std::uint64_t>(line.first);
  const auto step = std::bit_cast<std::uint64_t>(line.step);
  const auto narrow_first = static_cast<float>(line.first);
  const auto narrow_step = static_cast<float>(line.step);
  const auto steps = static_cast<std::int64_t>(count);
  const auto value = [](const auto& of) { return kernel_argument{argument_kind::value, &of, sizeof of}; };
  const kernel_argument arguments[]{handle_argument(to), value(line.front),   value(line.back),   value(first),
                                    value(step),         value(narrow_first), value(narrow_step), value(line.scale),
                                    value(line.last),    value(steps)};
  run_sequence<Port>(stream, sequence_type<T>, arguments, steps, where);
}

/// Effects: enqueues the kernel that writes the integers `first`, `first + step`, ...
template <class T, class Port>
void launch_sequence(const stream<Port>& stream, typename Port::memory_handle to, T first, T step, std::size_t count,
                     const source_location& where) {
  using word = kernel_word_of<T>;
  if (count == 0) return;
  const word from = static_cast<word>(first);
  const word by = static_cast<word>(step);
  const auto steps = static_cast<std::int64_t>(count);
  const kernel_argument arguments[]{handle_argument(to),
                                    {argument_kind::value, &from, sizeof from},
                                    {argument_kind::value, &by, sizeof by},
                                    {argument_kind::value, &steps, sizeof steps}};
  run_sequence<Port>(stream, sequence_type<word>, arguments, steps, where);
}

/// Returns: the layout of an mdspan, relative to its data handle.
template <class Span>
[[nodiscard]] array_layout<Span::rank()> layout_of_mdspan(const Span& span, const source_location& where) {
  constexpr std::size_t rank = Span::rank();
  constexpr std::size_t element = sizeof(typename Span::element_type);
  shape<rank> extents;
  std::array<std::ptrdiff_t, rank> strides{};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    extents[axis] = static_cast<std::size_t>(span.extent(axis));
    strides[axis] = static_cast<std::ptrdiff_t>(span.stride(axis)) * static_cast<std::ptrdiff_t>(element);
  }
  return {extents, strides, 0, element, where};
}

template <std::size_t Rank>
[[nodiscard]] constexpr std::size_t differing_axis(const shape<Rank>& left, const shape<Rank>& right) noexcept {
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    if (left[axis] != right[axis]) return axis;
  }
  return Rank;
}

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/storage/sequence.ipp>
#endif

#endif
