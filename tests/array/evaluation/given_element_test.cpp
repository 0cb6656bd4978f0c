// SPDX-License-Identifier: MIT
// Numbers that are given for elements: every entry point, every kind of element, every limit.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/algorithm.hpp>
#include <yoke/graph.hpp>
#include <yoke/random.hpp>

#include <complex>
#include <optional>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

using complex = std::complex<float>;

template <class T>
inline constexpr bool is_complex = std::is_same_v<T, complex>;
template <class T>
inline constexpr bool is_whole = std::is_integral_v<T>;
template <class T>
using part = std::conditional_t<is_complex<T>, float, T>;

/// The greatest finite value, and the number of digits that whole numbers may have.
template <class T>
struct limits {
  static constexpr long double greatest = static_cast<long double>(std::numeric_limits<T>::max());
  static constexpr int digits = std::numeric_limits<T>::digits;
};
template <>
struct limits<yoke::half> {
  static constexpr long double greatest = 65504;
  static constexpr int digits = 11;
};
template <>
struct limits<yoke::bfloat16> {
  static constexpr long double greatest = 0x1.fep127L;
  static constexpr int digits = 8;
};
template <class T>
long double wide(const T& of) {
  if constexpr (is_complex<T>) {
    return static_cast<long double>(of.real());
  } else if constexpr (is_whole<T> || std::is_floating_point_v<T>) {
    return static_cast<long double>(of);
  } else {
    return static_cast<long double>(static_cast<double>(of));
  }
}

/// Returns: the element that a number is, by the table of the page; nothing if it is none.
template <class T, class Value>
std::optional<long double> element_of(Value value) {
  using real = part<T>;
  const auto number = static_cast<long double>(value);
  if constexpr (is_whole<T>) {
    if (number < wide(std::numeric_limits<T>::min()) || number > wide(std::numeric_limits<T>::max())) return {};
    return number;
  } else if constexpr (is_whole<Value>) {
    const long double size = number < 0 ? -number : number;
    if (size > limits<real>::greatest) return {};
    int exponent = 0;
    const long double digits = std::ldexp(std::frexp(size, &exponent), limits<real>::digits);
    if (digits != std::floor(digits)) return {};
    return number;
  } else {
    if (std::isnan(number) || std::isinf(number)) return number;
    const long double rounded = wide(static_cast<real>(static_cast<double>(value)));
    if (std::isinf(rounded)) return {};
    return rounded;
  }
}
bool same(long double one, long double other) { return one == other || (std::isnan(one) && std::isnan(other)); }

/// Calls `check(value)` for each limit, with those of a type that elements do not take left out when compiling.
template <class T, class Check>
void for_each_limit(const Check& check) {
  if constexpr (is_whole<T>) {
    const auto each = [&](long double number) {
      if (number < wide(std::numeric_limits<std::int64_t>::min()) ||
          number > wide(std::numeric_limits<std::uint64_t>::max())) {
        return;
      }
      if (number <= wide(std::numeric_limits<std::int64_t>::max())) check(static_cast<std::int64_t>(number));
      if (number >= 0) check(static_cast<std::uint64_t>(number));
      if (number >= -128 && number <= 127) check(static_cast<std::int8_t>(number));
    };
    for (const long double number : {wide(std::numeric_limits<T>::min()) - 1, wide(std::numeric_limits<T>::min()),
                                     wide(std::numeric_limits<T>::max()), wide(std::numeric_limits<T>::max()) + 1}) {
      each(number);
    }
    each(-1);
    each(0);
    check(true);
    check('a');
  } else {
    const std::int64_t exact = std::int64_t{1} << limits<part<T>>::digits;
    for (const std::int64_t number : {exact, exact + 1, exact + 2, -exact - 1, std::int64_t{-1}, std::int64_t{0}})
      check(number);
    check(std::numeric_limits<std::int64_t>::max());
    check(std::numeric_limits<std::uint64_t>::max());
    check(std::int8_t{-128});
    check(true);
    const double greatest = static_cast<double>(limits<part<T>>::greatest);
    for (const double number : {-1.0, 1.5, 0.1, 1e300, -1e300, greatest, -greatest, greatest * 1.01,
                                std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      check(number);
    }
    check(1.5F);
    check(std::numeric_limits<float>::max());
  }
}

template <class T>
T first_of(const auto& view) {
  T made[3]{};
  view.copy_to(std::span<T>(made, 3));
  return made[0];
}

/// A struct with a member of each type.
template <class T>
struct holder {
  char before;
  T x;
};

/// Calls `check` with elements of each type.
void for_each_type(const auto& check) {
  check(std::uint8_t{});
  check(std::int8_t{});
  check(int{});
  check(std::uint64_t{});
  check(bool{});
  check(yoke::half{});
  check(yoke::bfloat16{});
  check(float{});
  check(complex{});
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("a number that is given for elements is one of them, or refused", "[array]") {
  counting_rig state(device);
  const auto check_type = [&]<class T>(T) {
    INFO(yoke::detail::kind_name(yoke::detail::kind_of<T>()));
    auto array = yoke::zeros<T>({3}, state.stream);
    auto table = yoke::zeros<T>({3, 2}, state.stream);
    const auto at = yoke::to_device_array({0}, state.stream);
    yoke::device_value<T> one(state.stream, T{});
    yoke::device_value<holder<T>> held(state.stream, holder<T>{});
    yoke::device_array<holder<T>, 1> holders(state.stream, {3});
    const auto check_entry = [&](const char* entry, const auto& write) {
      INFO(entry);
      for_each_limit<T>([&](auto value) {
        const std::optional<long double> expected = element_of<T>(value);
        const auto mark = state.mark();
        long double found = 0;
        bool refused = false;
        try {
          found = wide(write(value));
        } catch (const yoke::logic_error& e) {
          refused = true;
          const std::string said = e.what();
          if (e.code() != yoke::errc::out_of_range || said.find(" is ") == std::string::npos) FAIL(said);
          if (state.enqueued(mark) != 0) FAIL("the driver was asked");
        }
        if (refused == expected.has_value() || (!refused && !same(found, *expected))) {
          FAIL("given " << static_cast<long double>(value) << ", " << (refused ? "refused" : std::to_string(found)));
        }
      });
    };
    check_entry("array = value", [&](auto value) {
      array = value;
      return first_of<T>(array);
    });
    check_entry("array.fill", [&](auto value) {
      array.fill(value);
      return first_of<T>(array);
    });
    check_entry("view = value", [&](auto value) {
      array(yoke::whole) = value;
      return first_of<T>(array);
    });
    check_entry("part.fill", [&](auto value) {
      table(yoke::whole, 1).fill(value);
      return first_of<T>(table(yoke::whole, 1));
    });
    check_entry("full", [&](auto value) { return first_of<T>(yoke::full<T>(value, {3}, state.stream)); });
    check_entry("full_like", [&](auto value) { return first_of<T>(yoke::full_like(array, value)); });
    check_entry("device_value::set", [&](auto value) {
      one.set(value);
      return one.get();
    });
    check_entry("device_value", [&](auto value) { return yoke::device_value<T>(state.stream, value).get(); });
    check_entry("put", [&](auto value) {
      put(array, at, value);
      return first_of<T>(array);
    });
    check_entry("put along", [&](auto value) {
      put(table, at, value, yoke::along(1));
      return first_of<T>(table(yoke::whole, 0));
    });
    check_entry("array(0) = value", [&](auto value) {
      array(0) = value;
      return first_of<T>(array);
    });
    check_entry("member = value", [&](auto value) {
      holders.template member<&holder<T>::x>() = value;
      return first_of<T>(holders.template member<&holder<T>::x>());
    });
    check_entry("device_value::set of a member", [&](auto value) {
      held.template set<&holder<T>::x>(value);
      return held.template get<&holder<T>::x>();
    });
    const auto fill_or_not = [&](auto& to, auto value, auto& order) {
      // What does not convert by itself does not compile there.
      if constexpr (std::convertible_to<decltype(value), T>) {
        yoke::fill(to, value, order);
      } else {
        array = value;
      }
    };
    check_entry("fill in a stream", [&](auto value) {
      fill_or_not(array, value, state.stream);
      return first_of<T>(array);
    });
    check_entry("fill of a view in a stream", [&](auto value) {
      auto view = array.view();
      fill_or_not(view, value, state.stream);
      return first_of<T>(array);
    });
    const auto check_recorded = [&](const char* entry, const auto& record) {
      check_entry(entry, [&](auto value) {
        yoke::graph graph{state.context};
        auto recorder = graph.record();
        record(recorder, value);
        graph.instantiate().launch(state.stream);
        return first_of<T>(array);
      });
    };
    check_recorded("recorded fill", [&](auto& recorder, auto value) { array.bind(recorder).fill(value); });
    check_recorded("recorded = value", [&](auto& recorder, auto value) { array.bind(recorder) = value; });
    check_recorded("fill on a recorder", [&](auto& recorder, auto value) { fill_or_not(array, value, recorder); });
    check_recorded("recorded put", [&](auto& recorder, auto value) { put(array.bind(recorder), at, value); });
    if constexpr (is_whole<T>) {
      if constexpr (!std::is_same_v<T, bool>) {
        check_entry("arange", [&](auto value) {
          if constexpr (yoke::integer<decltype(value)>) {
            if (value < std::numeric_limits<decltype(value)>::max()) {
              const auto next = static_cast<decltype(value)>(value + 1);
              return yoke::arange<T>(value, next, 1, state.stream).to_host().at(0);
            }
          }
          if (!element_of<T>(value)) (void)yoke::full<T>(value, {3}, state.stream);
          return static_cast<T>(value);
        });
      }
    } else if constexpr (is_complex<T>) {
      check_entry("another complex number", [&](auto value) {
        if constexpr (std::is_floating_point_v<decltype(value)>) {
          array = std::complex<decltype(value)>(1, value);
          return complex(first_of<T>(array).imag());
        } else {
          array = value;
          return first_of<T>(array);
        }
      });
    }
  };
  for_each_type(check_type);
}

YOKE_ANY_DEVICE_TEST_CASE("compound assignment takes numbers that are elements", "[array]") {
  counting_rig state(device);
  const auto check = [&]<class T>(T, auto value, auto refused) {
    INFO(yoke::detail::kind_name(yoke::detail::kind_of<T>()));
    auto array = yoke::zeros<T>({3}, state.stream);
    array += value;
    CHECK(same(wide(first_of<T>(array)), static_cast<long double>(value)));
    const auto mark = state.mark();
    CHECK_THROWS_AS(array += refused, yoke::logic_error);
    CHECK_THROWS_AS(array(yoke::whole) -= refused, yoke::logic_error);
    CHECK_THROWS_AS(array *= refused, yoke::logic_error);
    CHECK_THROWS_AS(array /= refused, yoke::logic_error);
    yoke::graph graph{state.context};
    auto recorder = graph.record();
    CHECK_THROWS_AS(array.bind(recorder) += refused, yoke::logic_error);
    CHECK(state.enqueued(mark) == 0);
    CHECK(same(wide(first_of<T>(array)), static_cast<long double>(value)));
  };
  check(std::uint8_t{}, 255, 256);
  check(std::uint8_t{}, 1, -1);
  check(std::int8_t{}, -128, -129);
  check(int{}, 7, std::uint64_t{1} << 31);
  check(std::uint64_t{}, 7, -1);
  check(bool{}, 1, 2);
  check(yoke::half{}, 2048, 2049);
  check(yoke::half{}, 1.5F, 1e5F);
  check(yoke::bfloat16{}, 1.5F, 257);
  check(float{}, 1.5F, 16'777'217);
  check(complex{}, 1.5F, 16'777'217);
}

YOKE_ANY_DEVICE_TEST_CASE("the right side of compound assignments is an element, or refused", "[array]") {
  counting_rig state(device);
  const auto check_type = [&]<class T>(T) {
    // One type of each kind, and all of them in `./dev check`: each kind of number is a kernel.
    constexpr bool is_sample = std::is_same_v<T, std::uint8_t> || std::is_same_v<T, bool> ||
                               std::is_same_v<T, yoke::half> || std::is_same_v<T, complex>;
    if (!is_sample && !runs_whole()) return;
    INFO(yoke::detail::kind_name(yoke::detail::kind_of<T>()));
    auto array = yoke::zeros<T>({3}, state.stream);
    for_each_limit<T>([&](auto value) {
      const std::optional<long double> expected = element_of<T>(value);
      const auto check_operator = [&](const char* name, const auto& write, bool is_sum) {
        INFO(name << static_cast<long double>(value));
        array = T{};
        const auto mark = state.mark();
        bool refused = false;
        try {
          write();
        } catch (const yoke::logic_error& e) {
          refused = true;
          const std::string said = e.what();
          if (e.code() != yoke::errc::out_of_range || said.find("right operand is ") == std::string::npos) FAIL(said);
          if (state.enqueued(mark) != 0) FAIL("the driver was asked");
        }
        if (refused == expected.has_value()) FAIL((refused ? "refused" : "taken"));
        const long double found = wide(first_of<T>(array));
        if (refused && found != 0) FAIL("changed to " << found);
        if (is_sum && !refused && !same(found, *expected)) FAIL("made " << found);
      };
      check_operator(
          " += ", [&] { array += value; }, true);
      if (!runs_whole()) return;
      check_operator(
          "part += ", [&] { array(yoke::slice(0, 2)) += value; }, true);
      check_operator(
          " -= ", [&] { array -= value; }, false);
      check_operator(
          " *= ", [&] { array *= value; }, false);
      check_operator(
          " /= ", [&] { array /= value; }, false);
    });
  };
  for_each_type(check_type);
}

YOKE_ANY_DEVICE_TEST_CASE("sequences have elements of their type, from the first to the last", "[array]") {
  any_rig state(device);
  const auto check = [&]<class T>(T, auto start, auto stop, auto step) {
    INFO("arange " << start << " " << stop << " " << step << " of "
                   << yoke::detail::kind_name(yoke::detail::kind_of<T>()));
    std::vector<T> expected;
    bool fits = true;
    const auto by = static_cast<long double>(step);
    for (auto at = static_cast<long double>(start);
         by < 0 ? at > static_cast<long double>(stop) : at < static_cast<long double>(stop); at += by) {
      const bool is_element = element_of<T>(static_cast<std::int64_t>(at)).has_value();
      fits = fits && is_element;
      if (is_element) expected.push_back(static_cast<T>(at));
    }
    if (fits) {
      const auto found = yoke::arange<T>(start, stop, step, state.stream).to_host();
      CHECK((found == expected));
    } else {
      CHECK_THROWS_AS((yoke::arange<T>(start, stop, step, state.stream)), yoke::logic_error);
    }
  };
  const auto check_all = [&]<class T>(T of) {
    for (const int start : {-129, -128, -1, 0, 10, 255, 256}) {
      for (const int stop : {-130, -129, -1, 0, 10, 127, 128, 256, 257, 300}) {
        for (const int step : {1, -1, 2, -2, 100, -300}) check(of, start, stop, step);
      }
    }
  };
  check_all(std::uint8_t{});
  check_all(std::int8_t{});
  check(std::uint8_t{}, 0U, 256U, std::uint64_t{1});
  check(std::uint8_t{}, 10U, 0U, -2);
  check(float{}, 16'777'210, 16'777'217, 1);
  check(float{}, 16'777'210, 16'777'218, 1);
  check(float{}, 16'777'210, 16'777'219, 1);
  check(float{}, 16'777'219, 16'777'210, -1);
  check(float{}, -3, 9, 3);
  CHECK(yoke::arange<std::uint64_t>(~std::uint64_t{1}, ~std::uint64_t{0}, 1, state.stream).to_host().at(0) ==
        ~std::uint64_t{1});
  CHECK_THROWS_AS(yoke::arange<std::int64_t>(std::uint64_t{1} << 63, (std::uint64_t{1} << 63) + 1, 1, state.stream),
                  yoke::logic_error);
  CHECK_THROWS_AS(yoke::arange<std::int64_t>(-1, ~std::uint64_t{0}, 1, state.stream), yoke::logic_error);
  CHECK_THROWS_AS(yoke::arange(-1, 10U, 1U, state.stream), yoke::logic_error);
  CHECK_THROWS_AS(yoke::arange<float>(1e300, 2e300, 1e300, state.stream), yoke::logic_error);
  CHECK_THROWS_AS(yoke::arange<float>(0.0, 1e300, 1e299, state.stream), yoke::logic_error);
  CHECK_THROWS_AS(yoke::arange(std::numeric_limits<float>::infinity(), 1.0F, 1.0F, state.stream), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("numbers equally far apart are real", "[array]") {
  any_rig state(device);
  CHECK((yoke::linspace(0, 10, 5, state.stream).to_host() == std::vector<double>{0, 2.5, 5, 7.5, 10}));
  CHECK((yoke::linspace<float>(0, 10, 5, state.stream).to_host() == std::vector<float>{0, 2.5F, 5, 7.5F, 10}));
  CHECK((yoke::linspace(0.0F, 1, 2, state.stream).to_host() == std::vector<float>{0, 1}));
  CHECK((yoke::linspace(0, 1.0F, 2, state.stream).to_host() == std::vector<float>{0, 1}));
  CHECK_THROWS_AS(yoke::linspace<float>(0.0, 1e300, 5, state.stream), yoke::logic_error);
  CHECK_THROWS_AS(yoke::linspace<float>(16'777'217, 0, 5, state.stream), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("ends of sequences and bounds of random numbers are elements, or refused", "[array]") {
  counting_rig state(device);
  const auto check_type = [&]<class T>(T) {
    if constexpr (!std::is_same_v<T, bool> && (is_whole<T> || std::is_same_v<T, float>)) {
      INFO(yoke::detail::kind_name(yoke::detail::kind_of<T>()));
      const auto check_entry = [&](const char* entry, auto value, bool is_taken, long double expected,
                                   const auto& make) {
        INFO(entry << " of " << static_cast<long double>(value));
        const auto mark = state.mark();
        bool refused = false;
        long double found = 0;
        try {
          found = wide(make());
        } catch (const yoke::logic_error& e) {
          refused = true;
          const std::string said = e.what();
          if (e.code() != yoke::errc::out_of_range || said.find(" is ") == std::string::npos) FAIL(said);
          if (state.enqueued(mark) != 0) FAIL("the driver was asked");
        }
        if (refused == is_taken || (is_taken && !same(found, expected))) {
          FAIL((refused ? "refused" : std::to_string(found)));
        }
      };
      for_each_limit<T>([&](auto value) {
        using given = decltype(value);
        const std::optional<long double> expected = element_of<T>(value);
        const long double element = expected.value_or(0);
        if constexpr (std::is_same_v<T, float>) {
          if (std::isnan(static_cast<long double>(value)) || std::isinf(static_cast<long double>(value))) return;
          check_entry("linspace from", value, expected.has_value(), element,
                      [&] { return yoke::linspace<T>(value, T{}, 2, state.stream).to_host().at(0); });
          check_entry("linspace to", value, expected.has_value(), element,
                      [&] { return yoke::linspace<T>(T{}, value, 2, state.stream).to_host().at(1); });
        } else if constexpr (yoke::integer<given> && !std::is_same_v<given, char>) {
          const auto number = static_cast<long double>(value);
          if (value < std::numeric_limits<given>::max()) {
            const auto next = static_cast<given>(value + 1);
            yoke::random_generator draw(3);
            check_entry("integers from", value, expected.has_value(), element,
                        [&] { return draw.template integers<T>({3}, state.stream, value, next).to_host().at(0); });
            auto array = yoke::zeros<T>({3}, state.stream);
            check_entry("fill_integers from", value, expected.has_value(), element, [&] {
              draw.fill_integers(array, value, next);
              return first_of<T>(array);
            });
          }
          // From 0 to the number, or down to it.
          if (number < 0) {
            const bool is_near = expected.has_value() && number > -1000;
            if (is_near || !expected) {
              check_entry("arange down to", value, expected.has_value(), element, [&] {
                return yoke::arange<T>(given{0}, static_cast<std::int64_t>(value) - 1, -1, state.stream)
                    .to_host()
                    .back();
              });
            }
          } else if (number < 1000 && value < std::numeric_limits<given>::max()) {
            check_entry("arange up to", value, expected.has_value(), element, [&] {
              return yoke::arange<T>(given{0}, static_cast<given>(value + 1), 1, state.stream).to_host().back();
            });
          }
        }
      });
    }
  };
  for_each_type(check_type);
}

YOKE_ANY_DEVICE_TEST_CASE("bounds of random whole numbers are those of elements", "[array]") {
  any_rig state(device);
  const auto check = [&]<class T>(T) {
    INFO(yoke::detail::kind_name(yoke::detail::kind_of<T>()));
    const auto least = static_cast<std::int64_t>(std::numeric_limits<T>::min());
    const auto end = static_cast<std::int64_t>(std::numeric_limits<T>::max()) + 1;
    yoke::random_generator generator(7);
    bool low_seen = false;
    bool high_seen = false;
    const auto all = generator.integers<T>({4000}, state.stream, least, end).to_host();
    for (const T each : all) {
      low_seen = low_seen || each < static_cast<T>(least + (end - least) / 16);
      high_seen = high_seen || each > static_cast<T>(least + (end - least) / 16 * 15);
    }
    CHECK(low_seen);
    CHECK(high_seen);
    const auto last = generator.integers<T>({10}, state.stream, end - 1, end).to_host();
    CHECK((last == std::vector<T>(10, std::numeric_limits<T>::max())));
    const auto place = generator.position();
    CHECK_THROWS_AS(generator.integers<T>({4}, state.stream, least, end + 1), yoke::logic_error);
    CHECK_THROWS_AS(generator.integers<T>({4}, state.stream, least - 1, end), yoke::logic_error);
    CHECK_THROWS_AS(generator.integers<T>({4}, state.stream, 0, std::int64_t{5'000'000'000}), yoke::logic_error);
    auto array = yoke::zeros<T>({4}, state.stream);
    CHECK_THROWS_AS(generator.fill_integers(array, 0, end + 1), yoke::logic_error);
    yoke::graph graph{state.context};
    auto recorder = graph.record();
    CHECK_THROWS_AS(generator.fill_integers(array.bind(recorder), 0, end + 1), yoke::logic_error);
    CHECK(generator.position() == place);
  };
  check(std::uint8_t{});
  check(std::int8_t{});
  check(std::uint16_t{});
  check(int{});
  check(std::uint32_t{});
  yoke::random_generator generator(7);
  constexpr auto middle = std::uint64_t{1} << 63;
  CHECK((generator.integers<std::int64_t>({2}, state.stream, middle - 1, middle).to_host() ==
         std::vector<std::int64_t>(2, std::numeric_limits<std::int64_t>::max())));
  CHECK_THROWS_AS(generator.integers<std::int64_t>({2}, state.stream, 0, middle + 1), yoke::logic_error);
  CHECK_THROWS_AS(generator.integers<std::uint64_t>({2}, state.stream, -1, 5), yoke::logic_error);
  CHECK_THROWS_AS(generator.integers<std::int64_t>({2}, state.stream, std::numeric_limits<std::int64_t>::min(), middle),
                  yoke::logic_error);
}
