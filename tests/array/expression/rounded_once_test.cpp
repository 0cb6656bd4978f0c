// SPDX-License-Identifier: MIT
// Numbers that become half and bfloat16 on the device are rounded once: all ties between neighbours, and what is beside them.
#include <array/array_rig.hpp>
#include <support/sample.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

template <class Small>
constexpr std::uint16_t infinity_bits = std::is_same_v<Small, yoke::half> ? 0x7c00 : 0x7f80;

/// Returns: a small number as the integer type, or as double; of infinity what would be next.
template <class Small>
double value_of(std::uint32_t bits) {
  const double last = static_cast<double>(Small::from_bits(static_cast<std::uint16_t>(infinity_bits<Small> - 1)));
  if (bits != infinity_bits<Small>) return static_cast<double>(Small::from_bits(static_cast<std::uint16_t>(bits)));
  return last + (last - static_cast<double>(Small::from_bits(static_cast<std::uint16_t>(infinity_bits<Small> - 2))));
}

/// Numbers, and the bits that they have as small ones.
template <class T>
struct cases {
  std::vector<T> numbers;
  std::vector<std::uint16_t> bits;
  void add(T number, std::uint32_t right) {
    numbers.push_back(number);
    bits.push_back(static_cast<std::uint16_t>(right));
  }
};

/// Returns: each tie of two neighbours of both signs, and the doubles beside it.
template <class Small>
cases<double> ties_of_doubles() {
  cases<double> all;
  for (std::uint32_t low = 0; low < infinity_bits<Small>; ++low) {
    const double tie = (value_of<Small>(low) + value_of<Small>(low + 1)) / 2;
    const std::uint32_t even = low % 2 == 0 ? low : low + 1;
    for (const std::uint32_t sign : {0U, 0x8000U}) {
      const double s = sign == 0 ? 1 : -1;
      all.add(s * tie, sign | even);
      all.add(s * std::nextafter(tie, 0), sign | low);
      all.add(s * std::nextafter(tie, 2 * tie), sign | (low + 1));
    }
  }
  all.add(1e300, infinity_bits<Small>);
  all.add(-1e-300, 0x8000U);
  all.add(std::numeric_limits<double>::infinity(), infinity_bits<Small>);
  all.add(0.0, 0);
  return all;
}
/// Returns: the ties that are whole numbers of a type, and what is beside them.
template <class Small, class T>
cases<T> ties_of_integers() {
  cases<T> all;
  const double most = std::ldexp(1.0, std::numeric_limits<T>::digits);
  for (std::uint32_t low = 0; low < infinity_bits<Small>; ++low) {
    const double tie = (value_of<Small>(low) + value_of<Small>(low + 1)) / 2;
    if (tie < 2 || tie != std::floor(tie) || tie >= most) continue;
    const std::uint32_t even = low % 2 == 0 ? low : low + 1;
    const auto number = static_cast<T>(tie);
    const bool is_near = static_cast<double>(number) - value_of<Small>(low) > 1;  // another integer lies between
    all.add(number, even);
    if (is_near) {
      all.add(static_cast<T>(number - 1), low);
      all.add(static_cast<T>(number + 1), low + 1);
    }
    if constexpr (std::is_signed_v<T>) {
      all.add(static_cast<T>(-number), 0x8000U | even);
      if (is_near) {
        all.add(static_cast<T>(-(number - 1)), 0x8000U | low);
        all.add(static_cast<T>(-(number + 1)), 0x8000U | (low + 1));
      }
    }
  }
  return all;
}

template <class Small, class T>
void compare(const yoke::stream<>& stream, const cases<T>& of) {
  INFO(of.numbers.size() << " numbers of " << sizeof(T) << " bytes");
  const auto a = yoke::to_device_array(of.numbers, stream);
  const auto check = [&](const char* how, const yoke::device_array<Small, 1>& found) {
    const std::vector<Small> back = found.to_host();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < back.size(); ++i) {
      if (back[i].bits() == of.bits[i]) continue;
      if (wrong++ == 0)
        UNSCOPED_INFO(how << ": " << of.numbers[i] << " is " << back[i].bits() << ", right: " << of.bits[i]);
    }
    CHECK(wrong == 0);
  };
  check("astype", a.template astype<Small>());
  yoke::device_array<Small, 1> made(stream, {of.numbers.size()});
  made = a + T(0);
  check("an expression", made);
  made = where(a == a, a, T(0));
  check("a choice", made);
  // With gaps, by steps of one element.
  yoke::device_array<Small, 2> rows(stream, {of.numbers.size(), 2});
  rows(yoke::whole, 1).assign(a);
  made.assign(rows(yoke::whole, 1));
  check("gaps", made);
  // In texts of the program's own.
  const std::string small = std::is_same_v<Small, yoke::half> ? "half" : "bfloat16";
  const yoke::module<> module =
      yoke::compile(stream.context_of(),
                    "YOKE_KERNEL store(YOKE_GLOBAL yoke_" + small +
                        "* to, YOKE_GLOBAL const T* from, int n) {\n  int i = (int)get_global_id(0);\n"
                        "  if (i < n) yoke_store_" +
                        small + "(from[i], i, to);\n}\n",
                    {.defines = yoke::specialise<T>("T")});
  made.fill(Small(1.0F));
  module.get_kernel<void(Small*, const T*, int)>("store")(stream, yoke::launch_over(of.numbers.size(), 64), made, a,
                                                          static_cast<int>(of.numbers.size()));
  check("a kernel", made);
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("doubles become half and bfloat16 by one rounding, at every tie", "[array]") {
  any_rig state(device);
  compare<yoke::half>(state.stream, ties_of_doubles<yoke::half>());
  compare<yoke::bfloat16>(state.stream, ties_of_doubles<yoke::bfloat16>());
  // The host's rounding is the same.
  for (const auto& [numbers, bits] : {ties_of_doubles<yoke::half>()}) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) wrong += yoke::half{numbers[i]}.bits() == bits[i] ? 0 : 1;
    CHECK(wrong == 0);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("integers become half and bfloat16 by one rounding, at every tie", "[array]") {
  any_rig state(device);
  compare<yoke::bfloat16>(state.stream, ties_of_integers<yoke::bfloat16, std::int64_t>());
  compare<yoke::bfloat16>(state.stream, ties_of_integers<yoke::bfloat16, std::uint32_t>());
  compare<yoke::half>(state.stream, ties_of_integers<yoke::half, std::int32_t>());
  if (!runs_whole()) return;
  compare<yoke::bfloat16>(state.stream, ties_of_integers<yoke::bfloat16, std::uint64_t>());
  compare<yoke::bfloat16>(state.stream, ties_of_integers<yoke::bfloat16, std::int32_t>());
  compare<yoke::bfloat16>(state.stream, ties_of_integers<yoke::bfloat16, std::int16_t>());
  compare<yoke::half>(state.stream, ties_of_integers<yoke::half, std::uint64_t>());
  compare<yoke::half>(state.stream, ties_of_integers<yoke::half, std::uint16_t>());
}
