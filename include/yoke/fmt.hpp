// SPDX-License-Identifier: MIT
// Formatters for {fmt}; opt-in, because the library itself needs no fmt.
#ifndef YOKE_FMT_HPP
#define YOKE_FMT_HPP

#include <yoke/yoke.hpp>

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1 {
// Declared only: formatting a number needs no arrays.
template <std::size_t Rank>
class shape;
template <class T, std::size_t Rank, class Port>
class device_array;
template <class T, std::size_t Rank, class Port>
class device_view;
template <class T, class Port>
class device_value;
template <class Op, class... Operands>
class expression;
template <class T, class Port>
class selection;
}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::detail {

template <class View>
struct array_printer;

constexpr const char* word(device_kind value) noexcept {
  constexpr const char* words[] = {"gpu", "accelerator", "cpu", "other"};
  return words[static_cast<std::size_t>(value)];
}
constexpr const char* word(event_status value) noexcept {
  constexpr const char* words[] = {"queued", "submitted", "running", "complete", "failed"};
  return words[static_cast<std::size_t>(value)];
}
constexpr const char* word(signature_check value) noexcept {
  constexpr const char* words[] = {"types", "names", "sizes", "count", "nothing"};
  return words[static_cast<std::size_t>(value)];
}

/// Formats an enumerator by its name, with the options of a string.
template <class Enum>
struct word_formatter : fmt::formatter<const char*> {
  template <class Context>
  auto format(Enum value, Context& context) const {
    return fmt::formatter<const char*>::format(word(value), context);
  }
};

/// Formats elements by the options of `T`; without options as NumPy does.
template <class T>
class array_formatter {
 public:
  constexpr auto parse(fmt::format_parse_context& context) {
    const auto begin = context.begin();
    auto end = begin;
    if (begin != context.end() && *begin != '}') {
      fmt::formatter<part_of<T>> element;  // complex numbers have the options of their parts
      end = element.parse(context);
    }
    options_ = {&*begin, static_cast<std::size_t>(end - begin)};
    return end;
  }

 protected:
  template <class View, class Context>
  auto write(const View& view, Context& context) const {
    const auto words = [&]<class Element>(std::span<const Element> of) {
      using printer = array_printer<View>;
      if constexpr (printer::template has_words<Element>) {
        if (options_.size() == 0) return printer::words(of);
      }
      std::vector<std::string> made;
      const std::string form = fmt::format("{{:{}}}", options_);
      for (const Element& each : of) {
        if constexpr (complex_number<Element>) {
          const std::string imaginary = fmt::format(fmt::runtime(form), each.imag());
          made.push_back(fmt::format(fmt::runtime(form), each.real()) +
                         (imaginary.find_first_of("+-") == 0 ? "" : "+") + imaginary + "j");
        } else {
          made.push_back(fmt::format(fmt::runtime(form), each));
        }
      }
      printer::align(made);
      return made;
    };
    return fmt::format_to(context.out(), "{}", array_printer<View>::print(view, words));
  }

 private:
  fmt::string_view options_;
};

}  // namespace yoke::inline v0_1::detail

/// An array as NumPy prints it: `fmt::print("{}", a)`. The elements' options apply: `{:.2f}`. More than 1000 elements
/// are abbreviated to the first and last 3 of each long axis; only these are copied. Effects: waits for them, in the
/// array's stream.
template <class T, std::size_t Rank, class Port>
struct fmt::formatter<yoke::device_view<T, Rank, Port>> : yoke::detail::array_formatter<std::remove_const_t<T>> {
  template <class Context>
  auto format(const yoke::device_view<T, Rank, Port>& value, Context& context) const {
    return this->write(value, context);
  }
};
template <class T, std::size_t Rank, class Port>
struct fmt::formatter<yoke::device_array<T, Rank, Port>> : yoke::detail::array_formatter<T> {
  template <class Context>
  auto format(const yoke::device_array<T, Rank, Port>& value, Context& context) const {
    return this->write(value.view(), context);
  }
};
template <class T, class Port>
struct fmt::formatter<yoke::device_value<T, Port>> : yoke::detail::array_formatter<T> {
  template <class Context>
  auto format(const yoke::device_value<T, Port>& value, Context& context) const {
    return this->write(value.array().view(), context);
  }
};
/// An expression: evaluated into a temporary array.
template <class Op, class... Operands>
struct fmt::formatter<yoke::expression<Op, Operands...>>
    : yoke::detail::array_formatter<typename yoke::expression<Op, Operands...>::value_type> {
  template <class Context>
  auto format(const yoke::expression<Op, Operands...>& value, Context& context) const {
    return this->write(evaluate(value).view(), context);
  }
};
/// Does not compile: the number of selected elements is known only on the device.
template <class T, class Port>
struct fmt::formatter<yoke::selection<T, Port>> : fmt::formatter<int> {
  template <class Context>
  auto format(const yoke::selection<T, Port>&, Context& context) const {
    static_assert(
        !std::is_same_v<T, T>,
        "a selection is printed by its view, which waits for how many there are: fmt::print(\"{}\", s.view())");
    return context.out();
  }
};

template <>
struct fmt::formatter<yoke::device_kind> : yoke::detail::word_formatter<yoke::device_kind> {};
template <>
struct fmt::formatter<yoke::event_status> : yoke::detail::word_formatter<yoke::event_status> {};
template <>
struct fmt::formatter<yoke::signature_check> : yoke::detail::word_formatter<yoke::signature_check> {};

/// Formats 16-bit numbers as the `float` of the same value, with the options of `float`.
template <>
struct fmt::formatter<yoke::half> : fmt::formatter<float> {
  template <class Context>
  auto format(yoke::half value, Context& context) const {
    return fmt::formatter<float>::format(static_cast<float>(value), context);
  }
};
template <>
struct fmt::formatter<yoke::bfloat16> : fmt::formatter<float> {
  template <class Context>
  auto format(yoke::bfloat16 value, Context& context) const {
    return fmt::formatter<float>::format(static_cast<float>(value), context);
  }
};

// A shape has begin() and end(), for which <fmt/ranges.h> would add a second formatter.
FMT_BEGIN_NAMESPACE
template <typename T, typename Char>
struct is_range;
FMT_END_NAMESPACE
template <std::size_t Rank, typename Char>
struct fmt::is_range<yoke::shape<Rank>, Char> : std::false_type {};
// begin() and end() of arrays exist only to explain a mistake: arrays are not ranges.
template <class T, std::size_t Rank, class Port, typename Char>
struct fmt::is_range<yoke::device_array<T, Rank, Port>, Char> : std::false_type {};
template <class T, std::size_t Rank, class Port, typename Char>
struct fmt::is_range<yoke::device_view<T, Rank, Port>, Char> : std::false_type {};

/// Formats the shape of an array as "(3, 4)", "(3,)" or "()".
template <std::size_t Rank>
struct fmt::formatter<yoke::shape<Rank>> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const yoke::shape<Rank>& value, Context& context) const {
    return fmt::format_to(context.out(), Rank == 1 ? "({},)" : "({})",
                          fmt::join(value.begin(), value.begin() + Rank, ", "));
  }
};

/// Formats an extent as "{x, y, z}".
template <>
struct fmt::formatter<yoke::extent3> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const yoke::extent3& value, Context& context) const {
    return fmt::format_to(context.out(), "{{{}, {}, {}}}", value.x, value.y, value.z);
  }
};

/// Formats the format of an image by its name, with the options of a string: "unorm8 x 4", "RGBA, UNORM_INT8".
template <>
struct fmt::formatter<yoke::image_format> : fmt::formatter<std::string> {
  template <class Context>
  auto format(yoke::image_format value, Context& context) const {
    return fmt::formatter<std::string>::format(to_string(value), context);
  }
};
template <>
struct fmt::formatter<yoke::opencl::abi::image_format> : fmt::formatter<std::string> {
  template <class Context>
  auto format(const yoke::opencl::abi::image_format& value, Context& context) const {
    return fmt::formatter<std::string>::format(to_string(value), context);
  }
};

/// Formats a device as "name (platform)". Effects: queries the driver for both.
template <class Port>
struct fmt::formatter<yoke::device<Port>> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const yoke::device<Port>& value, Context& context) const {
    const yoke::device_summary facts = value.summary();
    return fmt::format_to(context.out(), "{} ({})", facts.name, facts.platform);
  }
};

#endif
