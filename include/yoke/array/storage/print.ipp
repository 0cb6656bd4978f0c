// SPDX-License-Identifier: MIT
// Bodies of array/storage/print.hpp.
#ifndef YOKE_ARRAY_STORAGE_PRINT_IPP
#define YOKE_ARRAY_STORAGE_PRINT_IPP

#include <yoke/array/storage/print.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace yoke::inline v0_1::detail {

/// The lines of a printed array.
struct printed_lines {
  static constexpr std::size_t width = 75;
  const std::size_t* extents;
  std::size_t rank;
  bool shortened;
  const std::string* next;  // the next word

  [[nodiscard]] std::string of_axis(std::size_t axis) {
    if (axis == rank) return *next++;
    const std::size_t extent = extents[axis];
    const bool dots = shortened && extent > 2 * printed_edge;
    const std::size_t shown = printed_extent(extent, shortened);
    const std::string indent(axis + 1, ' ');
    std::string out = "[";
    if (axis + 1 < rank) {
      const std::string between = std::string(rank - axis - 1, '\n') + indent;
      for (std::size_t i = 0; i < shown; ++i) {
        if (i != 0) out += between;
        if (dots && i == printed_edge) out += "..." + between;
        out += of_axis(axis + 1);
      }
      return out + "]";
    }
    // Leaves room for the closing brackets on the last line.
    std::size_t at = indent.size();
    const auto add = [&](const std::string& word, bool first) {
      if (!first) {
        ++at;
        if (at + word.size() > width - rank) {
          while (out.back() == ' ') out.pop_back();
          out += "\n" + indent;
          at = indent.size();
        } else {
          out += ' ';
        }
      }
      out += word;
      at += word.size();
    };
    for (std::size_t i = 0; i < shown; ++i) {
      if (dots && i == printed_edge) add("...", false);
      add(*next++, i == 0);
    }
    return out + "]";
  }
};

template <class T>
std::string characters_of(T number, std::chars_format format, int precision = -1) {
  char room[400];  // the longest double has 309 digits before the point
  const auto end = precision < 0 ? std::to_chars(room, room + sizeof(room), number, format)
                                 : std::to_chars(room, room + sizeof(room), number, format, precision);
  return {room, end.ptr};
}
/// The parts of a number's word: "-1", "25", "e+10".
struct number_parts {
  std::string whole, fraction, exponent;
};
constexpr std::size_t most_digits = 8;
template <class T>
number_parts parts_of(T number, bool with_exponent) {
  const auto format = with_exponent ? std::chars_format::scientific : std::chars_format::fixed;
  std::string word = characters_of(number, format);
  const auto split = [&] {
    const std::size_t e = with_exponent ? word.find('e') : word.size();
    const std::size_t point = std::min(word.find('.'), e);
    return number_parts{word.substr(0, point), word.substr(std::min(point + 1, e), e - std::min(point + 1, e)),
                        word.substr(e)};
  };
  number_parts parts = split();
  if (parts.fraction.size() > most_digits) {
    word = characters_of(number, format, static_cast<int>(most_digits));
    parts = split();
    while (!parts.fraction.empty() && parts.fraction.back() == '0') parts.fraction.pop_back();
  }
  return parts;
}

template <class T>
std::vector<std::string> words_of_numbers(std::span<const T> numbers, bool with_sign = false) {
  T least = 0;
  T most = 0;
  for (const T each : numbers) {
    const T size = std::fabs(each);
    if (!std::isfinite(each) || size == 0) continue;
    most = std::max(most, size);
    least = least == 0 ? size : std::min(least, size);
  }
  const bool with_exponent = most >= T(1e8) || (least != 0 && (least < T(1e-4) || most / least > T(1000)));
  std::size_t whole = 0;
  std::size_t fraction = 0;
  std::size_t exponent = 0;
  std::size_t special = 0;
  std::vector<number_parts> parts(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const T each = numbers[i];
    if (!std::isfinite(each)) {
      parts[i].whole = std::isnan(each) ? "nan" : each < 0 ? "-inf" : "inf";
      if (with_sign && !(each < 0)) parts[i].whole.insert(0, 1, '+');
      special = std::max(special, parts[i].whole.size());
      continue;
    }
    parts[i] = parts_of(each, with_exponent);
    if (with_sign && parts[i].whole[0] != '-') parts[i].whole.insert(0, 1, '+');
    whole = std::max(whole, parts[i].whole.size());
    fraction = std::max(fraction, parts[i].fraction.size());
    exponent = std::max(exponent, parts[i].exponent.size());
  }
  const std::size_t behind = 1 + fraction + exponent;
  if (special > whole + behind) whole = special - behind;
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    number_parts& each = parts[i];
    if (!std::isfinite(numbers[i])) {
      words.push_back(std::string(whole + behind - each.whole.size(), ' ') + each.whole);
      continue;
    }
    std::string word = std::string(whole - each.whole.size(), ' ') + each.whole + "." + each.fraction;
    word.append(fraction - each.fraction.size(), with_exponent ? '0' : ' ');
    if (with_exponent) {  // pads "e+05" to the width of "e+100"
      word += each.exponent.substr(0, 2);
      word.append(exponent - each.exponent.size(), '0');
      word += each.exponent.substr(2);
    }
    words.push_back(std::move(word));
  }
  return words;
}

template <class T>
std::string word_of_number(T number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  const T size = std::fabs(number);
  if (size >= T(1e16) || (size != 0 && size < T(1e-4))) return characters_of(number, std::chars_format::scientific);
  std::string word = characters_of(number, std::chars_format::fixed);
  if (word.find('.') == std::string::npos) word += ".0";
  return word;
}

template <class T>
std::vector<std::string> words_of_complex(std::span<const T> reals, std::span<const T> imaginaries) {
  std::vector<std::string> words = words_of_numbers(reals);
  const std::vector<std::string> others = words_of_numbers(imaginaries, true);
  for (std::size_t i = 0; i < words.size(); ++i) {
    // The "j" follows the number directly; padding stands behind it.
    const std::size_t end = others[i].find_last_not_of(' ') + 1;
    words[i] += others[i].substr(0, end) + "j" + others[i].substr(end);
  }
  return words;
}
template <class T>
std::string word_of_complex(T real, T imaginary) {
  const auto part = [](T number) {
    std::string word = word_of_number(number);
    if (word.ends_with(".0")) word.resize(word.size() - 2);
    return word;
  };
  std::string other = part(imaginary) + "j";
  if (real == 0 && !std::signbit(real)) return other;
  return "(" + part(real) + (other[0] == '-' ? "" : "+") + other + ")";
}

template <class T>
double shortest_of(T number) {
  const auto value = static_cast<float>(number);
  if (!std::isfinite(value)) return static_cast<double>(value);
  for (int digits = 0; digits < 8; ++digits) {
    const double candidate = std::strtod(characters_of(value, std::chars_format::scientific, digits).c_str(), nullptr);
    if (static_cast<float>(T(candidate)) == value) return candidate;
  }
  return static_cast<double>(value);
}

std::string array_text(const std::size_t* extents, std::size_t rank, bool shortened,
                       std::span<const std::string> words) {
  if (words.empty()) return "[]";
  return printed_lines{extents, rank, shortened, words.data()}.of_axis(0);
}

std::vector<std::string> number_words(std::span<const float> numbers) { return words_of_numbers(numbers); }
std::vector<std::string> number_words(std::span<const double> numbers) { return words_of_numbers(numbers); }
std::string number_word(float number) { return word_of_number(number); }
std::string number_word(double number) { return word_of_number(number); }
std::vector<std::string> complex_words(std::span<const float> reals, std::span<const float> imaginaries) {
  return words_of_complex(reals, imaginaries);
}
std::vector<std::string> complex_words(std::span<const double> reals, std::span<const double> imaginaries) {
  return words_of_complex(reals, imaginaries);
}
std::string complex_word(float real, float imaginary) { return word_of_complex(real, imaginary); }
std::string complex_word(double real, double imaginary) { return word_of_complex(real, imaginary); }
double shortest_double(half number) { return shortest_of(number); }
double shortest_double(bfloat16 number) { return shortest_of(number); }

void align_words(std::span<std::string> words) {
  std::size_t width = 0;
  for (const std::string& each : words) width = std::max(width, each.size());
  for (std::string& each : words) each.insert(0, width - each.size(), ' ');
}

}  // namespace yoke::inline v0_1::detail

#endif
