// SPDX-License-Identifier: MIT
// How long a sequence is, and the kernel that writes one; and the layouts of mdspans.
#ifndef YOKE_ARRAY_SEQUENCE_HPP
#define YOKE_ARRAY_SEQUENCE_HPP

#include <yoke/array/evaluation.hpp>

#include <bit>
#include <cmath>

namespace yoke::inline YOKE_ABI::detail {

template <class T>
inline constexpr bool is_sequence = integer<T> || std::same_as<T, float> || std::same_as<T, double>;

[[noreturn, gnu::cold]] YOKE_API void throw_sequence(const char* why, const source_location& where);

/// Returns: how many numbers there are from `start` on before `stop`.
template <class T>
[[nodiscard]] std::size_t sequence_size(T start, T stop, T step, const source_location& where) {
  if (step == T{0}) throw_sequence("a step of 0", where);
  if constexpr (std::integral<T>) {
    using counter = std::make_unsigned_t<decltype(start + stop)>;
    const bool back = std::cmp_less(step, 0);
    if (back ? start <= stop : start >= stop) return 0;
    const auto distance = static_cast<counter>(back ? static_cast<counter>(start) - static_cast<counter>(stop)
                                                    : static_cast<counter>(stop) - static_cast<counter>(start));
    const auto by = static_cast<counter>(back ? counter{0} - static_cast<counter>(step) : static_cast<counter>(step));
    return static_cast<std::size_t>((distance - 1) / by) + 1;
  } else {
    const double count =
        std::ceil((static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step));
    if (!(count < 9.2e18)) throw_sequence("bounds that are no numbers, or too far apart", where);
    return count < 0 ? 0 : static_cast<std::size_t>(count);
  }
}

/// The type of a sequence. Its address names its kernel in a context.
template <class Word>
inline constexpr value_type_name sequence_type = name_of<Word>();

/// Effects: enqueues the writing of a sequence. `arguments` are those of the launch: the memory, the first number, the step, how
/// many there are.
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

/// Real numbers at equal distances: number `i` is `(first + i * step) * scale`.
template <class T>
struct number_line {
  T front, back;           ///< what number 0 and number `last` are, to the bit
  double first, step;      ///< for devices that have doubles
  float scale = 1;         ///< 2 where the distance of the ends is no number of `T`
  std::int64_t last = -1;  ///< -1: none is given
};
/// Returns: `first`, `first + step`, ...
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
/// Effects: enqueues the writing of real numbers.
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

/// Effects: enqueues the writing of the integers `first`, `first + step`, ...
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

/// Returns: the layout of an mdspan, from its data handle on.
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

}  // namespace yoke::inline YOKE_ABI::detail

#if defined(YOKE_BODIES)
#include <yoke/array/impl/sequence.ipp>
#endif

#endif
