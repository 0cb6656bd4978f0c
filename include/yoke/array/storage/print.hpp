// SPDX-License-Identifier: MIT
// Formats arrays as text, as NumPy prints them, for <yoke/fmt.hpp>.
#ifndef YOKE_ARRAY_STORAGE_PRINT_HPP
#define YOKE_ARRAY_STORAGE_PRINT_HPP

#include <yoke/array/storage/device_view.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::detail {

/// The size from which only the first and last elements of each long axis are shown.
inline constexpr std::size_t most_printed = 1000;
inline constexpr std::size_t printed_edge = 3;

/// Returns: the elements in brackets, in lines of at most 75 characters, with dots in place of elements that are left
/// out. Requires: a word for each element shown, in C order; of a long axis these are the first and last 3.
YOKE_API std::string array_text(const std::size_t* extents, std::size_t rank, bool shortened,
                                std::span<const std::string> words);
/// Returns: the number of elements shown of an axis.
[[nodiscard]] constexpr std::size_t printed_extent(std::size_t extent, bool shortened) noexcept {
  return shortened && extent > 2 * printed_edge ? 2 * printed_edge : extent;
}

/// Returns: words of one width with the fewest digits that tell the numbers apart, at most 8 behind the point. They
/// have exponents if the numbers are very large, very small, or very different.
YOKE_API std::vector<std::string> number_words(std::span<const float> numbers);
YOKE_API std::vector<std::string> number_words(std::span<const double> numbers);
/// Returns: the word of a number that stands alone.
YOKE_API std::string number_word(float number);
YOKE_API std::string number_word(double number);
/// The same for complex numbers: "1.+2.j", and "(1+2j)" alone.
YOKE_API std::vector<std::string> complex_words(std::span<const float> reals, std::span<const float> imaginaries);
YOKE_API std::vector<std::string> complex_words(std::span<const double> reals, std::span<const double> imaginaries);
YOKE_API std::string complex_word(float real, float imaginary);
YOKE_API std::string complex_word(double real, double imaginary);
/// Returns: the double with the fewest decimal digits that rounds to `number`.
YOKE_API double shortest_double(half number);
YOKE_API double shortest_double(bfloat16 number);
/// Effects: pads words with spaces in front to the length of the longest.
YOKE_API void align_words(std::span<std::string> words);

/// Returns: words of one width for the elements.
template <class T>
[[nodiscard]] std::vector<std::string> element_words(std::span<const T> of) {
  if constexpr (std::same_as<T, float> || std::same_as<T, double>) {
    return number_words(of);
  } else if constexpr (std::same_as<T, half> || std::same_as<T, bfloat16>) {
    std::vector<double> numbers;
    numbers.reserve(of.size());
    for (const T each : of) numbers.push_back(shortest_double(each));
    return number_words(numbers);
  } else if constexpr (complex_number<T>) {
    using part = typename T::value_type;
    std::vector<part> reals;
    std::vector<part> imaginaries;
    for (const T& each : of) {
      reals.push_back(each.real());
      imaginaries.push_back(each.imag());
    }
    return complex_words(std::span<const part>(reals), std::span<const part>(imaginaries));
  } else {
    std::vector<std::string> words;
    words.reserve(of.size());
    for (const T each : of) {
      if constexpr (std::same_as<T, bool>) {
        words.emplace_back(each ? "True" : "False");
      } else {
        words.push_back(text(each));
      }
    }
    align_words(words);
    return words;
  }
}
template <class T>
[[nodiscard]] std::string element_word(const T& of) {
  if constexpr (std::same_as<T, float> || std::same_as<T, double>) {
    return number_word(of);
  } else if constexpr (std::same_as<T, half> || std::same_as<T, bfloat16>) {
    return number_word(shortest_double(of));
  } else if constexpr (complex_number<T>) {
    return complex_word(of.real(), of.imag());
  } else {
    return element_words(std::span<const T>(&of, 1))[0];
  }
}

/// Formats arrays and views.
template <class View>
struct array_printer;
template <class T, std::size_t Rank, class Port>
struct array_printer<device_view<T, Rank, Port>> {
  using value_type = std::remove_const_t<T>;

  /// Whether the library formats the elements itself, without a formatter of theirs.
  template <class Element>
  static constexpr bool has_words = std::is_arithmetic_v<Element> || std::same_as<Element, half> ||
                                    std::same_as<Element, bfloat16> || complex_number<Element>;
  template <class Element>
  [[nodiscard]] static std::vector<std::string> words(std::span<const Element> of) {
    if constexpr (Rank == 0) {
      return {element_word(of[0])};
    } else {
      return element_words(of);
    }
  }
  static void align(std::span<std::string> of) { align_words(of); }

  /// Effects: copies the elements to show to the host, and waits for the copies. Returns: the text of the array.
  /// `words(elements)` returns a word for each element, all of one width.
  template <class Words>
  [[nodiscard]] static std::string print(const device_view<T, Rank, Port>& view, Words words,
                                         const source_location& where = source_location::current()) {
    const bool shortened = view.size() > most_printed;
    yoke::shape<Rank> shown = view.shape();
    std::size_t count = 1;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      shown[axis] = printed_extent(shown[axis], shortened);
      count *= shown[axis];
    }
    const std::unique_ptr<value_type[]> host(new value_type[count]());
    const std::span<value_type> elements(host.get(), count);
    if (shortened) {
      device_array<value_type, Rank, Port> edges(view.stream(where), shown, array_order::c, where);
      const device_view<value_type, Rank, Port> to = edges.view(where);
      copy_edges<0>(to, view, where);
      to.copy_to(elements, where);
    } else {
      view.copy_to(elements, where);
    }
    const auto made = words(std::span<const value_type>(elements));
    return array_text(view.shape().begin(), Rank, shortened, made);
  }

 private:
  /// Copies the first and last elements along an axis and the axes behind it.
  template <std::size_t Axis, class To, class From>
  static void copy_edges(const To& to, const From& from, const source_location& where) {
    if constexpr (Axis == Rank) {
      to.assign(from, where);
    } else if (from.extent(Axis) == to.extent(Axis)) {
      copy_edges<Axis + 1>(to, from, where);
    } else {
      constexpr auto edge = static_cast<std::ptrdiff_t>(printed_edge);
      copy_edges<Axis + 1>(part<Axis>(to, slice(0, edge)), part<Axis>(from, slice(0, edge)), where);
      copy_edges<Axis + 1>(part<Axis>(to, slice(-edge, none)), part<Axis>(from, slice(-edge, none)), where);
    }
  }
  template <std::size_t Axis, class View>
  static View part(const View& of, const slice& range) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return of((I == Axis ? range : whole)...);
    }(std::make_index_sequence<Rank>());
  }
};

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/storage/print.ipp>
#endif

#endif
