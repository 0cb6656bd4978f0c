// SPDX-License-Identifier: MIT
// Evaluations in which a thread takes several steps, by vectors, by strides and through local memory, and reductions that read
// ahead: the bits of those in which it takes one.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/cache.hpp>
#include <yoke/struct.hpp>

#include <complex>
#include <limits>

namespace tiles {
struct triple {
  float values[3];
};
}  // namespace tiles
YOKE_STRUCT(tiles::triple, values);

using namespace yoke_test;
using namespace yoke_test::arrays;
using tiles::triple;

namespace {

/// Makes threads take several steps, or one, while it lives.
class steps_a_thread {
 public:
  explicit steps_a_thread(bool several) : before_(yoke::detail::tiling()) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    yoke::detail::tiling() = {.from = several ? 1 : most, .everywhere = several};
  }
  ~steps_a_thread() { yoke::detail::tiling() = before_; }
  steps_a_thread(const steps_a_thread&) = delete;
  steps_a_thread& operator=(const steps_a_thread&) = delete;

 private:
  yoke::detail::tiling_rule before_;
};

/// Returns: what `run` gives when threads take several steps; checks that it gives the same bits when they take one.
template <class Run>
auto both(const Run& run) {
  const auto values = [&](bool several) {
    const steps_a_thread chosen(several);
    return run();
  };
  const auto one = values(false);
  const auto several = values(true);
  REQUIRE(one.size() == several.size());
  CHECK((one.empty() || std::memcmp(one.data(), several.data(), one.size() * sizeof(one[0])) == 0));
  return several;
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("vectors of every kind of element, with rests, between bytes that stay", "[array]") {
  any_rig state(device);
  const auto& stream = state.stream;
  const auto check = [&]<class To, class From>(To poison, From) {
    // Tiles have 256 threads with up to four vectors of up to 16 elements.
    for (const std::size_t size : {1U, 255U, 1024U, 2047U, 2048U, 2049U, 16'384U, 20'001U}) {
      std::vector<From> host(size + 3);
      const std::vector<int> numbers = random_values<int>(size + 3);
      for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<From>(static_cast<float>(numbers[i] % 100));
      const auto from = yoke::to_device_array(host, stream);
      auto to = yoke::full(poison, {size + 3}, stream);
      for (const int skipped : {0, 1}) {  // aligned as the allocation is, and by one element
        const auto count = static_cast<std::ptrdiff_t>(size) + skipped;
        const auto found = both([&] {
          to.fill(poison);
          to(yoke::slice(skipped, count)) = from(yoke::slice(skipped, count)) + 1;
          return to.to_host();
        });
        bool right = true;
        for (std::size_t i = 0; i < found.size(); ++i) {
          const bool is_inside = i >= static_cast<std::size_t>(skipped) && i < size + static_cast<std::size_t>(skipped);
          const auto wanted = is_inside ? static_cast<To>(static_cast<float>(numbers[i] % 100 + 1)) : poison;
          right = right && std::memcmp(&found[i], &wanted, sizeof(To)) == 0;
        }
        INFO(size << " elements behind " << skipped << ", of " << sizeof(From) << " bytes, to " << sizeof(To));
        CHECK(right);
      }
    }
  };
  turns turn(device);
  if (turn()) check(float{-1}, float{});
  if (turn()) check(std::int8_t{-7}, std::int8_t{});
  if (turn()) check(double{-1}, std::int16_t{});
  if (turn()) check(yoke::half(-1.0F), yoke::bfloat16{});
}

YOKE_ANY_DEVICE_TEST_CASE("vectors of complex numbers, of structs, of several inputs, in place", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto& stream = state.stream;
  constexpr std::size_t size = 5001;
  const auto numbers = yoke::arange<float>(size, stream);
  using complex = std::complex<double>;
  const auto z = yoke::evaluate(complex{0, 1} * numbers);
  const auto squares = both([&] { return yoke::evaluate(z * z).to_host(); });
  CHECK(squares[size - 1] == complex(-25'000'000, 0));
  const yoke::device_array made(
      yoke::apply<"triple r; r.values[0] = r.values[1] = r.values[2] = a; return r;", triple>(numbers));
  const auto copied = both([&] { return yoke::evaluate(where(numbers > 3, made, made(0))).to_host(); });
  CHECK((copied[3].values[2] == 0 && copied[5000].values[1] == 5000));
  auto a = yoke::to_device_array(random_values<float>(size), stream);
  const auto before = a.copy();
  const auto bytes = yoke::evaluate(yoke::cast<std::uint8_t>(yoke::arange<int>(size, stream) % 200));
  const auto changed = both([&] {
    a = 1.0F * before;
    a = a * 2 + a + bytes;
    return a.to_host();
  });
  const auto host = before.to_host();
  bool right = true;
  for (std::size_t i = 0; i < size; ++i) right = right && changed[i] == 3 * host[i] + static_cast<float>(i % 200);
  CHECK(right);
}

YOKE_ANY_DEVICE_TEST_CASE("several strided steps of a thread", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto& stream = state.stream;
  const auto x = yoke::to_device_array(random_values<float>(20'011), stream);
  auto y = yoke::zeros<float>({20'011}, stream);
  const auto reversed = both([&] {
    y = 2 * x(yoke::reversed);
    return y.to_host();
  });
  CHECK(reversed[0] == 2 * x(-1).value());
  for (const std::size_t rows : {3U, 17U, 100U}) {
    const auto table = yoke::to_device_array(random_values<float>(rows * 150), {rows, 150}, stream);
    const auto found = both([&] { return yoke::evaluate(table + table(0)).to_host(); });
    const auto host = table.to_host();
    CHECK(found[rows * 150 - 2] == host[rows * 150 - 2] + host[148]);
    (void)both([&] {
      return yoke::evaluate(table(yoke::slice(yoke::none, yoke::none, -2), yoke::slice(1, -1, 3)) * 2).to_host();
    });
  }
}

YOKE_ANY_DEVICE_TEST_CASE("threads go down columns of several axes", "[array]") {
  any_rig state(device);
  const auto& stream = state.stream;
  turns turn(device);
  for (const std::size_t wide : {16U, 31U, 48U, 130U, 250U, 300U, 512U}) {
    if (!turn()) continue;
    for (const std::size_t high : {2U, 3U, 9U, 67U}) {
      INFO(high << " x " << wide);
      const auto table =
          yoke::to_device_array(random_values<float>((high + 2) * (wide + 2)), {high + 2, wide + 2}, stream);
      const auto host = table.to_host();
      const auto at = [&](std::size_t row, std::size_t column) { return host[row * (wide + 2) + column]; };
      const auto inner = yoke::slice(1, -1);
      auto to = yoke::full(-1.0F, {high + 2, wide + 2}, stream);
      const auto found = both([&] {
        to.fill(-1);
        to(inner, inner) = table(yoke::slice(0, -2), inner) + table(yoke::slice(2, yoke::none), inner) +
                           table(inner, yoke::slice(0, -2)) + table(inner, yoke::slice(2, yoke::none));
        return to.to_host();
      });
      bool right = true;
      for (std::size_t row = 0; row < high + 2; ++row) {
        for (std::size_t column = 0; column < wide + 2; ++column) {
          const bool inside = row > 0 && row <= high && column > 0 && column <= wide;
          const float wanted =
              inside ? at(row - 1, column) + at(row + 1, column) + at(row, column - 1) + at(row, column + 1) : -1;
          right = right && found[row * (wide + 2) + column] == wanted;
        }
      }
      CHECK(right);
    }
  }
  if (turn()) {
    // Stacks, rows and columns that broadcast, functions that are called, and elements of 16 bytes.
    const auto stack = yoke::to_device_array(random_values<float>(3 * 21 * 5 * 37), {3, 21, 5, 37}, stream);
    const auto part = stack(yoke::whole, yoke::slice(2, 19), yoke::whole, yoke::slice(yoke::none, yoke::none, 2));
    (void)both(
        [&] { return yoke::evaluate(part * part(1) + sqrt(abs(part(yoke::whole, yoke::slice(3, 4))))).to_host(); });
    const auto z = yoke::to_device_array(random_values<double>(40 * 33), {40, 33}, stream);
    const auto row = yoke::evaluate(std::complex<double>{0, 1} * z(3));
    const auto found = both([&] { return yoke::evaluate(z * row).to_host(); });
    CHECK(found[39 * 33 + 32].imag() == z(39, 32).value() * z(3, 32).value());
  }
}

YOKE_ANY_DEVICE_TEST_CASE("operands that are fastest along another axis go through local memory", "[array]") {
  any_rig state(device);
  const auto& stream = state.stream;
  const auto check = [&]<class T>(T) {
    for (const std::size_t high : {16U, 31U, 32U, 33U, 70U}) {
      for (const std::size_t wide : {17U, 32U, 65U}) {
        std::vector<T> host(high * wide);
        const std::vector<int> numbers = random_values<int>(host.size());
        for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(static_cast<float>(numbers[i] % 100));
        const auto x = yoke::to_device_array(host, {high, wide}, stream);
        yoke::device_array<T, 2> y(stream, {wide, high});
        const auto found = both([&] {
          y = x.transpose() + T(static_cast<float>(1));
          return y.to_host();
        });
        bool right = true;
        for (std::size_t row = 0; row < wide; ++row) {
          for (std::size_t k = 0; k < high; ++k) {
            const T wanted = static_cast<T>(static_cast<float>(numbers[k * wide + row] % 100 + 1));
            right = right && std::memcmp(&found[row * high + k], &wanted, sizeof(T)) == 0;
          }
        }
        INFO(high << " x " << wide << ", " << sizeof(T) << " bytes");
        CHECK(right);
      }
    }
  };
  turns turn(device);
  if (turn()) check(float{});
  if (turn()) check(std::int8_t{});
  if (turn()) check(yoke::half{});
  if (turn()) check(std::complex<double>{});
}

YOKE_ANY_DEVICE_TEST_CASE("squares of several inputs, of a transposed destination, in stacks, in place", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto& stream = state.stream;
  const auto a = yoke::to_device_array(random_values<float>(40 * 50), {40, 50}, stream);
  const auto b = yoke::to_device_array(random_values<float>(40 * 50), {50, 40}, stream);
  const auto row = yoke::arange<float>(40, stream);
  yoke::device_array<float, 2> to(stream, {50, 40});
  const auto sum = both([&] {
    to = a.transpose() * 2 + b - a.transpose() * row;
    return to.to_host();
  });
  CHECK(sum[3 * 40 + 2] == a(2, 3).value() * 2 + b(3, 2).value() - a(2, 3).value() * 2);
  // The destination is the transposed one.
  const auto turned = both([&] {
    to.transpose() = a + b.transpose() * 3;
    return to.to_host();
  });
  CHECK(turned[49 * 40 + 39] == a(39, 49).value() + 3 * b(49, 39).value());
  // Axes before, between and behind those that change places.
  const auto stack = yoke::to_device_array(random_values<int>(3 * 20 * 5 * 33), {3, 20, 5, 33}, stream);
  const int orders[][4]{{0, 3, 2, 1}, {2, 0, 3, 1}, {3, 2, 1, 0}, {1, 3, 0, 2}};
  for (const auto& order : orders) {
    const auto view = stack.transpose(order);
    const auto found = both([&] { return yoke::evaluate(view * 2).to_host(); });
    const auto host = view.to_host();
    bool right = true;
    for (std::size_t i = 0; i < host.size(); ++i) right = right && found[i] == 2 * host[i];
    CHECK(right);
  }
  // In place: through a temporary array.
  auto square = yoke::to_device_array(random_values<float>(64 * 64), {64, 64}, stream);
  const auto before = square.copy();
  const auto symmetric = both([&] {
    square = 1.0F * before;
    square = square + square.transpose();
    return square.to_host();
  });
  CHECK(symmetric[5 * 64 + 9] == before(5, 9).value() + before(9, 5).value());
  // A struct of 12 bytes.
  const yoke::device_array made(
      yoke::apply<"triple r; r.values[0] = a; r.values[1] = 1; r.values[2] = 2; return r;", triple>(a));
  const auto structs = both([&] { return yoke::evaluate(where(b > 0, made.transpose(), made.transpose())).to_host(); });
  CHECK(structs[7 * 40 + 1].values[0] == a(1, 7).value());
}

YOKE_ANY_DEVICE_TEST_CASE("copies of transposed arrays go through local memory, too", "[array]") {
  any_rig state(device);
  const auto& stream = state.stream;
  const auto check = [&]<class T>(T) {
    constexpr std::size_t high = 33;
    constexpr std::size_t wide = 70;
    std::vector<std::byte> random(high * wide * sizeof(T));
    const std::vector<int> numbers = random_values<int>(random.size());
    for (std::size_t i = 0; i < random.size(); ++i) random[i] = static_cast<std::byte>(numbers[i] & 0xff);
    std::vector<T> host(high * wide);
    std::memcpy(host.data(), random.data(), random.size());
    std::vector<T> turned(high * wide);
    for (std::size_t i = 0; i < host.size(); ++i) turned[i % wide * high + i / wide] = host[i];
    const auto is = [](const std::vector<T>& found, const std::vector<T>& wanted) {
      return std::memcmp(found.data(), wanted.data(), wanted.size() * sizeof(T)) == 0;
    };
    INFO(sizeof(T) << " bytes");
    const auto x = yoke::to_device_array(host, {high, wide}, stream);
    yoke::device_array<T, 2> y(stream, {wide, high});
    CHECK(is(both([&] {
               y.assign(x.transpose());
               return y.to_host();
             }),
             turned));
    // A packed copy for the host, and one from it.
    CHECK(is(both([&] { return x.transpose().to_host(); }), turned));
    CHECK(is(both([&] {
               y.transpose().assign(host);
               return y.to_host();
             }),
             turned));
    CHECK(is(both([&] { return x.transpose().reshape_copy({-1}).to_host(); }), turned));
    CHECK(is(both([&] {
               y.transpose() = x;
               return y(yoke::reversed, yoke::reversed).to_host();
             }),
             std::vector<T>(turned.rbegin(), turned.rend())));
  };
  turns turn(device);
  if (turn()) check(std::uint8_t{});
  if (turn()) check(yoke::half{});
  if (turn()) check(std::int32_t{});
  if (turn()) check(triple{});
  if (turn()) check(std::int64_t{});
  if (turn()) check(std::complex<double>{});
  if (!turn()) return;
  // Conversions.
  const auto x = yoke::to_device_array(random_values<std::int16_t>(48 * 40), {48, 40}, stream);
  const auto converted = both([&] { return x.transpose().astype<float>().to_host(); });
  CHECK(converted[3 * 48 + 2] == static_cast<float>(x(2, 3).value()));
}

YOKE_ANY_DEVICE_TEST_CASE("a copy of a transposed array has a kernel of its own where neighbours' accesses become one",
                          "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto x = yoke::to_device_array(random_values<float>(64 * 64), {64, 64}, state.stream);
  yoke::device_array<float, 2> y(state.stream, {64, 64});
  const auto kernels = [&](bool several) {
    const steps_a_thread chosen(several);
    const auto before = yoke::array_programs(state.context).counters().compiled;
    y.assign(x.transpose());
    y.assign(x.transpose());
    return yoke::array_programs(state.context).counters().compiled - before;
  };
  CHECK(kernels(false) == 1);
  CHECK(kernels(true) == 1);
  CHECK(kernels(true) == 0);
  // So has each choice of the operands that are transposed.
  const auto z = yoke::to_device_array(random_values<float>(64 * 64), {64, 64}, state.stream);
  const auto sums = [&](const auto& left, const auto& right) {
    const steps_a_thread chosen(true);
    const auto before = yoke::array_programs(state.context).counters().compiled;
    y = left + right;
    return yoke::array_programs(state.context).counters().compiled - before;
  };
  CHECK(sums(x.transpose(), z.view()) == 1);
  CHECK(sums(x.view(), z.transpose()) == 1);
  CHECK(sums(z.transpose(), x.view()) == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("a table and a row have a kernel of their own where threads go down columns", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto kernels = [&](bool several, std::size_t rows, std::size_t columns) {
    const steps_a_thread chosen(several);
    const auto x = yoke::full(1.0F, {rows, columns}, state.stream);
    yoke::device_array<float, 2> y(state.stream, {rows, columns});
    const auto before = yoke::array_programs(state.context).counters().compiled;
    y = x + x(0);
    return yoke::array_programs(state.context).counters().compiled - before;
  };
  (void)kernels(true, 64, 64);
  (void)kernels(false, 64, 64);
  CHECK(kernels(true, 80, 64) == 0);   // the same threads along a row
  CHECK(kernels(true, 80, 256) == 1);  // others
  CHECK(kernels(true, 80, 255) == 0);
  CHECK(kernels(false, 80, 256) == 0);
  CHECK(kernels(true, 3, 64) == 1);  // too few rows
  CHECK(kernels(true, 80, 5) == 0);  // rows that are too short
}

YOKE_ANY_DEVICE_TEST_CASE("scans down columns have the bits of scans of rows", "[array]") {
  any_rig state(device);
  const auto& stream = state.stream;
  const auto check = [&]<class T>(T, std::size_t high, std::size_t wide) {
    INFO(high << " x " << wide << ", " << sizeof(T) << " bytes");
    std::vector<T> host(high * wide);
    const std::vector<float> numbers = random_values<float>(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(numbers[i] * 1.1F);
    const auto a = yoke::to_device_array(host, {high, wide}, stream);
    const auto turned = a.transpose().copy();
    const auto found = both([&] { return yoke::cumsum(a, yoke::along(0)).to_host(); });
    const auto rows = yoke::evaluate(yoke::cumsum(turned, yoke::along(1)).transpose() * T(1)).to_host();
    CHECK(std::memcmp(found.data(), rows.data(), found.size() * sizeof(found[0])) == 0);
    (void)both([&] { return yoke::exclusive_scan<"a + b", "0">(2 * a(yoke::reversed), yoke::along(0)).to_host(); });
    (void)both([&] { return yoke::cummax(a, yoke::along(0)).to_host(); });
    (void)both([&] { return yoke::cumsum(turned.transpose() + a, yoke::along(0)).to_host(); });
  };
  turns turn(device);
  // A tile has 256 parts of 20 elements of 4 bytes, of 12 of 8 bytes.
  if (turn()) check(float{}, 33, 32);
  if (turn()) check(float{}, 2 * 5120 + 21, 33);
  if (turn()) check(double{}, 3073, 40);
  if (turn()) check(std::int32_t{}, 700, 64);
  if (turn()) check(float{}, 640, 70);
  if (turn()) {
    const auto cube = yoke::to_device_array(random_values<float>(5 * 60 * 45), {5, 60, 45}, stream);
    (void)both([&] { return yoke::cumsum(1.1F * cube, yoke::along(1)).to_host(); });
    (void)both([&] { return yoke::cumsum(cube(yoke::whole, yoke::reversed), yoke::along(1)).to_host(); });
    (void)both([&] { return yoke::cumprod(cube.transpose({1, 0, 2}) * 1e-3F + 1, yoke::along(0)).to_host(); });
  }
}

YOKE_ANY_DEVICE_TEST_CASE("random parts of every rank, whether threads take one step or several", "[array]") {
  any_rig state(device);
  array_model::dice random(std::random_device{}());
  const auto check = [&]<std::size_t Rank>(std::integral_constant<std::size_t, Rank>) {
    yoke::shape<Rank> shape;
    for (std::size_t axis = 0; axis < Rank; ++axis) shape[axis] = random.extent() + (random.below(2) == 0 ? 20 : 0);
    if (yoke::detail::volume(shape.begin(), Rank) > 400'000) return;
    const std::size_t count = yoke::detail::volume(shape.begin(), Rank);
    const auto array = yoke::to_device_array(random_values<int>(count), shape, state.stream,
                                             random.below(2) == 0 ? yoke::array_order::c : yoke::array_order::f);
    const auto part = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return array.view()(random.slice(static_cast<std::ptrdiff_t>(shape[I]))...);
    }(std::make_index_sequence<Rank>());
    const auto turned = part.transpose();
    yoke::device_array<int, Rank> to(state.stream, turned.shape(),
                                     random.below(2) == 0 ? yoke::array_order::c : yoke::array_order::f);
    INFO("rank " << Rank << ", shape " << yoke::detail::shape_text(turned.shape()) << ", seed " << random.seed());
    const auto found = both([&] {
      to = turned * 3 + turned;
      return to.to_host();
    });
    const auto host = turned.to_host();
    bool right = true;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < host.size(); ++i) {
      right = right && found[i] == 4 * host[i];
      sum += host[i];
    }
    CHECK(right);
    CHECK(both([&] { return std::vector{yoke::sum(turned).get()}; })[0] == sum);
    (void)both([&] { return yoke::sum(turned, yoke::along(0)).to_host(); });
  };
  turns turn(device);
  for (int round = 0; round < (runs_whole() ? 8 : 2); ++round) {
    if (turn()) check(std::integral_constant<std::size_t, 1>{});
    if (turn()) check(std::integral_constant<std::size_t, 2>{});
    if (turn()) check(std::integral_constant<std::size_t, 3>{});
    if (turn()) check(std::integral_constant<std::size_t, 4>{});
    if (turn()) check(std::integral_constant<std::size_t, 5>{});
  }
}

YOKE_ANY_DEVICE_TEST_CASE("reductions that read ahead have the same bits and find the same places", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t size : {1U, 255U, 257U, 4095U, 4096U, 4097U, 70'000U}) {
    INFO(size);
    std::vector<float> host = random_values<float>(size);
    for (float& each : host) each *= 1.1F;
    const auto extremes = [&](std::size_t least, std::size_t most) {
      const auto x = yoke::to_device_array(host, state.stream);
      const auto found = both([&] {
        auto [first, last] = yoke::in_one_pass(yoke::pass::argmin(x), yoke::pass::argmax(x));
        return std::vector<std::int64_t>{first.get(), last.get()};
      });
      CHECK((found[0] == static_cast<std::int64_t>(least) && found[1] == static_cast<std::int64_t>(most)));
    };
    const auto place = [&](auto iterator) { return static_cast<std::size_t>(iterator - host.begin()); };
    extremes(place(std::min_element(host.begin(), host.end())), place(std::max_element(host.begin(), host.end())));
    const auto x = yoke::to_device_array(host, state.stream);
    (void)both([&] {
      auto [sum, least, most] = yoke::in_one_pass(yoke::pass::sum(x), yoke::pass::min(x), yoke::pass::max(x));
      return std::vector<float>{sum.get(), least.get(), most.get(), dot(x, x(yoke::reversed)).get()};
    });
    const auto whole = yoke::cast<int>(x);
    (void)both([&] {
      auto [least, most, other] =
          yoke::in_one_pass(yoke::pass::min(whole), yoke::pass::max(-whole), yoke::pass::argmin(-whole));
      return std::vector<std::int64_t>{least.get(), most.get(), other.get()};
    });
    // The first of equal ones, and of elements that are not greater than the neutral one; the first NaN.
    std::fill(host.begin(), host.end(), -inf);
    extremes(0, 0);
    std::fill(host.begin(), host.end(), inf);
    extremes(0, 0);
    host[size / 2] = host[size - 1] = nan;
    extremes(size / 2, size / 2);
  }
  for (const std::size_t columns : {33U, 5000U}) {
    const auto table = yoke::to_device_array(random_values<float>(40 * columns), {40, columns}, state.stream);
    (void)both([&] { return yoke::sum(1.1F * table, yoke::along(0)).to_host(); });
    (void)both([&] { return yoke::sum(1.1F * table, yoke::along(1)).to_host(); });
    (void)both([&] { return yoke::argmax(table.transpose(), yoke::along(0)).to_host(); });
  }
}
