// SPDX-License-Identifier: MIT
// Every type of element in expressions, reductions and scans; registered structs in expressions.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/struct.hpp>

#include <complex>

namespace elements {
struct particle {
  float position[2];
  float mass;
  int id;
};
struct pair {
  double low;
  std::int64_t count;
};
}  // namespace elements
YOKE_STRUCT(elements::particle, position, mass, id);
YOKE_STRUCT_AS(elements::pair, "low_and_count", low, count);

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

using elements::particle;

template <class T>
T element(int value) {
  if constexpr (std::is_same_v<T, yoke::half> || std::is_same_v<T, yoke::bfloat16>) {
    return T(static_cast<float>(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    return value != 0;
  } else if constexpr (yoke::detail::complex_element<T>) {
    return T(static_cast<typename T::value_type>(value));
  } else {
    return static_cast<T>(value);
  }
}
template <class T>
bool same(const T& one, const T& other) {
  if constexpr (std::is_same_v<T, yoke::half> || std::is_same_v<T, yoke::bfloat16>) {
    return static_cast<float>(one) == static_cast<float>(other);
  } else {
    return one == other;
  }
}
template <class T>
std::unique_ptr<T[]> host_of(const auto& view) {  // of bool, too
  std::unique_ptr<T[]> made(new T[view.size()]);
  view.copy_to(std::span<T>(made.get(), view.size()));
  return made;
}
particle made(int id) { return {{1.0F, 2.0F}, 0.5F * static_cast<float>(id), id}; }

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("every type of element in expressions, reductions and scans", "[array]") {
  any_rig state(device);
  const auto check = [&]<class T>(T) {
    INFO(yoke::detail::kind_name(yoke::detail::kind_of<T>()));
    constexpr bool is_complex = yoke::detail::complex_element<T>;
    constexpr std::size_t size = 300;
    std::unique_ptr<T[]> x(new T[size]);
    std::unique_ptr<T[]> y(new T[size]);
    for (std::size_t i = 0; i < size; ++i) {
      x[i] = element<T>(static_cast<int>(i * 7 % 5));
      y[i] = element<T>(static_cast<int>(i * 3 % 4));
    }
    const auto value = [](const T& of) {
      if constexpr (is_complex) {
        return static_cast<int>(of.real());
      } else {
        return static_cast<int>(static_cast<float>(of));
      }
    };
    const auto a = yoke::to_device_array(std::span<const T>(x.get(), size), state.stream);
    const auto b = yoke::to_device_array(std::span<const T>(y.get(), size), state.stream);
    yoke::device_array<T, 1> c(state.stream, {size});
    c = where(a == b, a * b + element<T>(1), a - b + element<T>(3));
    const auto found = host_of<T>(c);
    bool right = true;
    for (std::size_t i = 0; i < size; ++i) {
      const int p = value(x[i]);
      const int q = value(y[i]);
      right = right && same(found[i], element<T>(p == q ? p * q + 1 : p - q + (std::is_same_v<T, bool> ? 1 : 3)));
    }
    CHECK(right);
    c(yoke::reversed) = a;
    CHECK(same(host_of<T>(c)[size - 1], x[0]));
    int sum = 0;
    int many = 0;
    for (std::size_t i = 0; i < size; ++i) {
      sum += value(x[i]);
      many += value(x[i]) != 0 ? 1 : 0;
    }
    const auto total = [&](const auto& device_value) {
      if constexpr (is_complex) {
        return static_cast<int>(device_value.get().real());
      } else {
        return static_cast<int>(device_value.get());
      }
    };
    auto [all, one, none, count] =
        yoke::in_one_pass(yoke::pass::sum(a), yoke::pass::any(a), yoke::pass::all(a), yoke::pass::count(a));
    CHECK((total(all) == sum && one.get() && !none.get() && count.get() == many));
    if constexpr (!is_complex) {
      auto [least, most, place] = yoke::in_one_pass(yoke::pass::min(a), yoke::pass::max(a), yoke::pass::argmax(a));
      CHECK((static_cast<int>(least.get()) == 0 && static_cast<int>(most.get()) == (std::is_same_v<T, bool> ? 1 : 4)));
      CHECK(place.get() == (std::is_same_v<T, bool> ? 1 : 2));
    }
    CHECK(total(yoke::device_value(state.stream, yoke::cumsum(a)(-1).value())) == sum);
  };
  turns turn(device);
  if (turn()) check(bool{});
  if (turn()) check(std::uint8_t{});
  if (turn()) check(std::int8_t{});
  if (turn()) check(std::int16_t{});
  if (turn()) check(std::uint16_t{});
  if (turn()) check(std::uint32_t{});
  if (turn()) check(std::int32_t{});
  if (turn()) check(std::int64_t{});
  if (turn()) check(std::uint64_t{});
  if (turn()) check(double{});
  if (turn()) check(float{});
  if (turn()) check(yoke::half{});
  if (turn()) check(yoke::bfloat16{});
  if (turn()) check(std::complex<float>{});
  if (turn()) check(std::complex<double>{});
}

YOKE_ANY_DEVICE_TEST_CASE("integers keep every bit at the ends of their range", "[array]") {
  any_rig state(device);
  const auto check = [&]<class T>(T) {
    using limits = std::numeric_limits<T>;
    const auto a = yoke::to_device_array({limits::min(), limits::max(), T{1}, T{0}}, state.stream);
    yoke::device_array<T, 1> b(state.stream, {4});
    b = a ^ limits::max();
    CHECK(b.to_host() == std::vector<T>{static_cast<T>(limits::min() ^ limits::max()), T{0},
                                        static_cast<T>(1 ^ limits::max()), limits::max()});
    auto [least, most] = yoke::in_one_pass(yoke::pass::min(a), yoke::pass::max(a));
    CHECK((least.get() == limits::min() && most.get() == limits::max()));
    CHECK(yoke::inclusive_scan<"a ^ b", "0">(a)(-1).value() == static_cast<T>(limits::min() ^ limits::max() ^ T{1}));
  };
  turns turn(device);
  if (turn()) check(std::int8_t{});
  if (turn()) check(std::uint16_t{});
  if (turn()) check(std::int32_t{});
  if (turn()) check(std::uint32_t{});
  if (turn()) check(std::int64_t{});
  if (turn()) check(std::uint64_t{});
}

YOKE_ANY_DEVICE_TEST_CASE("registered structs are chosen, made, assigned and taken apart", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  std::vector<particle> host;
  for (int i = 0; i < 10; ++i) host.push_back(made(i));
  const auto p = yoke::to_device_array(host, state.stream);
  const auto ids = p.template member<&particle::id>();
  auto q = yoke::zeros<particle>({10}, state.stream);
  q = where(ids % 2 == 0, p(yoke::reversed), made(100));
  const auto chosen = q.to_host();
  CHECK((chosen[0].id == 9 && chosen[0].mass == 4.5F && chosen[1].id == 100 && chosen[8].id == 1));
  // A member of an expression, and of an array that is written.
  CHECK(yoke::member<&particle::id>(where(ids > 4, p, q)).to_host() ==
        std::vector<int>{9, 100, 7, 100, 5, 5, 6, 7, 8, 9});
  q.template member<&particle::mass>() = 2.0F * yoke::member<&particle::mass>(where(ids > 4, q, p));
  CHECK((q.to_host()[2].mass == 2.0F && q.to_host()[9].mass == 100.0F && q.to_host()[9].id == 100));
  // Made by functions of the program's own, of numbers and of structs.
  q = yoke::apply<"particle r; r.position[0] = a; r.position[1] = -a; r.mass = 1.0f; r.id = b; return r;", particle>(
      yoke::arange<float>(10, state.stream), ids);
  q = yoke::apply<"a.position[1] += b.position[0]; a.id += 1000; return a;", particle>(q, p);
  CHECK((q.to_host()[3].position[0] == 3 && q.to_host()[3].position[1] == -2 && q.to_host()[3].id == 1003));
  const auto heavy = yoke::evaluate(yoke::apply<"a.mass > 1 ? a.id : -1", int>(p));
  CHECK(heavy.to_host() == std::vector<int>{-1, -1, -1, 3, 4, 5, 6, 7, 8, 9});
  // In reductions and scans by their members; two structs in one kernel.
  const yoke::device_array pairs(
      yoke::apply<"low_and_count r; r.low = a.mass; r.count = a.id; return r;", elements::pair>(p));
  static_assert(std::is_same_v<decltype(pairs), const yoke::device_array<elements::pair, 1>>);
  CHECK(yoke::sum(yoke::member<&elements::pair::low>(where(ids < 9, pairs, pairs(0)))).get() == 18);
  CHECK(yoke::cumsum(yoke::member<&elements::pair::count>(where(ids < 9, pairs, pairs(0))))(-1).value() == 36);
}
