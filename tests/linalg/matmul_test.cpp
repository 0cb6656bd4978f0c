// SPDX-License-Identifier: MIT
// Products of matrices and vectors of any type and layout, against sums on the host.
#include <array/reduction/recorded_rig.hpp>
#include <support/sample.hpp>
#include <yoke/cache.hpp>
#include <yoke/linalg.hpp>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

struct linalg_rig : any_rig {
  explicit linalg_rig(const yoke::device<>& on) : any_rig(on) {
    static const yoke::program_cache in_memory{{}, {}};
    yoke::use_array_programs(context, in_memory);
    yoke::use_linalg(context, {.libraries = "own"});  // which have the same bits everywhere
  }
};

/// Takes a shape of the own kernels while it lives.
struct by_shape {
  explicit by_shape(yoke::detail::product_shape wanted) { yoke::detail::wanted_product_shape() = wanted; }
  ~by_shape() { yoke::detail::wanted_product_shape() = yoke::detail::product_shape::automatic; }
  by_shape(const by_shape&) = delete;
  by_shape& operator=(const by_shape&) = delete;
};
constexpr yoke::detail::product_shape all_shapes[]{
    yoke::detail::product_shape::direct, yoke::detail::product_shape::packed, yoke::detail::product_shape::tiled,
    yoke::detail::product_shape::wide};

/// Returns: small whole numbers that do not repeat soon, the same on each run.
template <class T>
std::vector<T> numbers(std::size_t size, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::vector<T> made(size);
  for (T& each : made) {
    const auto draw = [&] { return static_cast<int>(engine() % 17) - 8; };
    if constexpr (yoke::detail::complex_element<T>) {
      const auto real = static_cast<typename T::value_type>(draw());
      each = T(real, static_cast<typename T::value_type>(draw()));
    } else if constexpr (std::is_integral_v<T>) {
      each = static_cast<T>(draw());
    } else {
      each = static_cast<T>(static_cast<float>(draw()));
    }
  }
  return made;
}
/// Returns: numbers with all bits of their fractions in use.
template <class T>
std::vector<T> fractions(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<T> made(size);
  for (T& each : made) each = static_cast<T>(static_cast<double>(engine()) / 4294967296.0 - 0.5);
  return made;
}
/// Returns: numbers whose products are rounded, or wrap around.
template <class T>
std::vector<T> any_numbers(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  const auto draw = [&] { return static_cast<double>(engine()) / 4294967296.0 - 0.5; };
  std::vector<T> made(size);
  for (T& each : made) {
    if constexpr (yoke::detail::complex_element<T>) {
      const double real = draw();
      each = T(static_cast<typename T::value_type>(real), static_cast<typename T::value_type>(draw()));
    } else if constexpr (std::is_integral_v<T>) {
      const std::uint64_t high = engine();
      each = static_cast<T>(high << 32U | engine());
    } else if constexpr (std::is_same_v<T, double>) {
      each = draw();
    } else {
      each = static_cast<T>(static_cast<float>(draw()));
    }
  }
  return made;
}
template <class T>
std::uint64_t hash_of(const std::vector<T>& values) {
  std::uint64_t hash = 14695981039346656037U;
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t k = 0; k < values.size() * sizeof(T); ++k) hash = (hash ^ bytes[k]) * 1099511628211U;
  return hash;
}
template <class T>
bool same_bits(const std::vector<T>& left, const std::vector<T>& right) {
  return left.size() == right.size() && std::memcmp(left.data(), right.data(), left.size() * sizeof(T)) == 0;
}

/// Products of small whole numbers are exact, whatever the order of sums.
template <class T>
void check_type(linalg_rig& state) {
  INFO(static_cast<int>(yoke::detail::kind_of<T>()));
  constexpr std::size_t m = 9;
  constexpr std::size_t n = 34;
  constexpr std::size_t k = 19;
  const auto x = numbers<T>(m * k, 1);
  const auto y = numbers<T>(k * n, 2);
  std::vector<T> expected(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if constexpr (yoke::detail::complex_element<T>) {
        for (std::size_t q = 0; q < k; ++q) expected[i * n + j] += x[i * k + q] * y[q * n + j];
      } else if constexpr (std::is_integral_v<T>) {
        std::uint64_t sum = 0;
        for (std::size_t q = 0; q < k; ++q) {
          sum += static_cast<std::uint64_t>(x[i * k + q]) * static_cast<std::uint64_t>(y[q * n + j]);
        }
        expected[i * n + j] = static_cast<T>(sum);
      } else {
        float sum = 0;
        for (std::size_t q = 0; q < k; ++q) sum += static_cast<float>(x[i * k + q]) * static_cast<float>(y[q * n + j]);
        expected[i * n + j] = static_cast<T>(sum);
      }
    }
  }
  const auto a = yoke::to_device_array(x, {m, k}, state.stream);
  const auto b = yoke::to_device_array(y, {k, n}, state.stream);
  CHECK(same_bits(yoke::matmul(a, b).to_host(), expected));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("multiplies two matrices", "[linalg]") {
  linalg_rig state(device);
  const auto x = fractions<float>(33 * 70, 1);
  const auto y = fractions<float>(70 * 65, 2);
  const auto a = yoke::to_device_array(x, {33, 70}, state.stream);
  const auto b = yoke::to_device_array(y, {70, 65}, state.stream);
  auto c = yoke::matmul(a, b);
  REQUIRE(c.shape() == yoke::shape<2>{33, 65});
  const auto got = c.to_host();
  for (std::size_t i = 0; i < 33; ++i) {
    for (std::size_t j = 0; j < 65; ++j) {
      double exact = 0;
      double size = 0;
      for (std::size_t k = 0; k < 70; ++k) {
        const double term = static_cast<double>(x[i * 70 + k]) * static_cast<double>(y[k * 65 + j]);
        exact += term;
        size += std::abs(term);
      }
      REQUIRE(std::abs(static_cast<double>(got[i * 65 + j]) - exact) <= 2.4e-7 * size);
    }
  }
}

YOKE_ANY_DEVICE_TEST_CASE("multiplies numbers of every type", "[linalg]") {
  linalg_rig state(device);
  check_type<float>(state);
  check_type<yoke::half>(state);
  check_type<yoke::bfloat16>(state);
  check_type<std::complex<float>>(state);
  check_type<std::int8_t>(state);
  check_type<std::uint8_t>(state);
  check_type<std::int16_t>(state);
  check_type<std::uint16_t>(state);
  check_type<std::int32_t>(state);
  check_type<std::uint32_t>(state);
  check_type<std::int64_t>(state);
  check_type<std::uint64_t>(state);
  check_type<double>(state);
  check_type<std::complex<double>>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("multiplies in the type that is named, and real by complex numbers", "[linalg]") {
  linalg_rig state(device);
  const std::vector<yoke::half> thousand(64, yoke::half(1024.0F));
  const auto h = yoke::to_device_array(thousand, {8, 8}, state.stream);
  CHECK(yoke::matmul<float>(h, h).to_host() == std::vector<float>(64, 8.0F * 1024 * 1024));
  const auto small = yoke::to_device_array(std::vector<std::int8_t>{-128, 127, 100, -100}, {2, 2}, state.stream);
  CHECK(yoke::matmul<std::int32_t>(small, small).to_host() == std::vector<std::int32_t>{29084, -28956, -22800, 22700});
  CHECK(yoke::matmul<std::int64_t>(small, small).to_host() == std::vector<std::int64_t>{29084, -28956, -22800, 22700});
  const std::vector<std::complex<float>> turns{{0, 1}, {1, 0}, {2, 0}, {0, -1}};
  const auto z = yoke::to_device_array(turns, {2, 2}, state.stream);
  const auto r = yoke::to_device_array(std::vector<float>{1, 2, 3, 4}, {2, 2}, state.stream);
  CHECK(yoke::matmul(r, z).to_host() == std::vector<std::complex<float>>{{4, 1}, {1, -2}, {8, 3}, {3, -4}});
  CHECK(yoke::matmul(conj(z), r.transpose()).to_host() ==
        std::vector<std::complex<float>>{{2, -1}, {4, -3}, {2, 2}, {6, 4}});
  CHECK(yoke::matmul(conj(z.transpose()), z)(0, 0).value() == std::complex<float>(5, 0));
}

YOKE_ANY_DEVICE_TEST_CASE("multiplies by conjugated and transposed operands where they are", "[linalg]") {
  counting_rig state(device);
  yoke::use_linalg(state.context, {.libraries = "own"});
  using number = std::complex<float>;
  const auto z = yoke::to_device_array(numbers<number>(5 * 7, 1), {5, 7}, state.stream);
  const auto w = yoke::to_device_array(numbers<number>(5 * 3, 2), {5, 3}, state.stream);
  const auto expected = yoke::matmul(yoke::evaluate(conj(z.transpose())), w);
  yoke::device_array<number, 2> to{state.stream, {7, 3}};
  // Their own sums take one kernel: nothing is copied or calculated first.
  to = yoke::pass::matmul(conj(z.transpose()), w);
  const std::size_t mark = state.mark();
  to = yoke::pass::matmul(conj(z).transpose(), w);
  CHECK(state.enqueued(mark) == 1);
  CHECK(same_bits(to.to_host(), expected.to_host()));
  CHECK(yoke::matmul(w.transpose(), conj(z)).to_host() == conj(yoke::matmul(conj(w).transpose(), z)).to_host());
  const auto batch = yoke::to_device_array(numbers<number>(2 * 3 * 4, 3), {2, 3, 4}, state.stream);
  CHECK(same_bits(yoke::matmul(conj(batch).transpose({0, 2, 1}), batch).to_host(),
                  yoke::matmul(yoke::evaluate(conj(batch)).transpose({0, 2, 1}), batch).to_host()));
  // Other expressions are calculated first.
  CHECK(yoke::matmul((2.0F * w).transpose(), z).to_host() == yoke::matmul(w.transpose(), 2.0F * z).to_host());
}

YOKE_ANY_DEVICE_TEST_CASE("vecmat conjugates complex vectors, and nothing else does", "[linalg]") {
  linalg_rig state(device);
  using number = std::complex<float>;
  const auto x = yoke::to_device_array(std::vector<number>{{1, 2}, {0, 3}}, state.stream);
  const auto m = yoke::to_device_array(std::vector<number>{{1, 1}, {2, 0}, {0, 1}, {1, -1}}, {2, 2}, state.stream);
  const std::vector<number> conjugated{{6, -1}, {-1, -7}};
  const std::vector<number> plain{{-4, 3}, {5, 7}};
  CHECK(yoke::vecmat(x, m).to_host() == conjugated);
  CHECK(yoke::vecmat(1.0F * x, m).to_host() == conjugated);
  CHECK(yoke::vecmat(x(yoke::reversed), m(yoke::reversed)).to_host() == conjugated);
  CHECK(yoke::vecmat(conj(x), m).to_host() == plain);
  CHECK(yoke::matmul(x, m).to_host() == plain);
  CHECK(yoke::matmul(conj(x), m).to_host() == conjugated);
  CHECK(yoke::matvec(m.transpose(), x).to_host() == plain);
  CHECK(yoke::matmul(x, x).value() == number(-12, 4));
  CHECK(yoke::vdot(x, m(yoke::whole, 0)).get() == conjugated[0]);
  // A real vector, a real matrix, batches, and destinations that exist.
  const auto real = yoke::to_device_array(std::vector<float>{1, 2}, state.stream);
  CHECK(yoke::vecmat(real, m).to_host() == std::vector<number>{{1, 3}, {4, -2}});
  CHECK(yoke::vecmat(x, real(yoke::whole, yoke::newaxis)).to_host() == std::vector<number>{{1, -8}});
  auto two = yoke::zeros<number>({2, 2}, state.stream);
  two(0) = x;
  two(1) = conj(x);
  auto to = yoke::zeros<number>({2, 2}, state.stream);
  to = 2.0F * yoke::pass::vecmat(two, m);
  CHECK(to.to_host() == std::vector<number>{{12, -2}, {-2, -14}, {-8, 6}, {10, 14}});
}

YOKE_ANY_DEVICE_TEST_CASE("multiplies by NumPy's rules of ranks and batches", "[linalg]") {
  linalg_rig state(device);
  const auto a = yoke::arange<float>(24, state.stream);
  const auto v = yoke::arange<float>(4, state.stream);
  const auto two = a.reshape({2, 3, 4});
  // Vectors are rows on the left and columns on the right.
  CHECK(yoke::matmul(v, v).value() == 14);
  CHECK(yoke::matmul(two(0), v).to_host() == std::vector<float>{14, 38, 62});
  CHECK(yoke::matmul(v(yoke::slice(0, 3)), two(0)).to_host() == std::vector<float>{20, 23, 26, 29});
  CHECK(yoke::matmul(two, v).shape() == yoke::shape<2>{2, 3});
  CHECK(yoke::matmul(two, v).to_host() == std::vector<float>{14, 38, 62, 86, 110, 134});
  CHECK(yoke::matvec(two, v).to_host() == std::vector<float>{14, 38, 62, 86, 110, 134});
  CHECK(yoke::matvec(two, two(yoke::whole, 0)).to_host() == std::vector<float>{14, 38, 62, 734, 950, 1166});
  CHECK(yoke::vecmat(v(yoke::slice(0, 3)), two).to_host() == std::vector<float>{20, 23, 26, 29, 56, 59, 62, 65});
  CHECK(yoke::outer(v, v(yoke::slice(1, 3))).to_host() == std::vector<float>{0, 0, 1, 2, 2, 4, 3, 6});
  // Batches broadcast: (5, 1, 2, 3) by (4, 3, 2) is (5, 4, 2, 2).
  const auto x = numbers<float>(30, 3);
  const auto y = numbers<float>(24, 4);
  const auto left = yoke::to_device_array(x, {5, 1, 2, 3}, state.stream);
  const auto right = yoke::to_device_array(y, {4, 3, 2}, state.stream);
  const auto c = yoke::matmul(left, right);
  REQUIRE(c.shape() == yoke::shape<4>{5, 4, 2, 2});
  const auto got = c.to_host();
  for (std::size_t at = 0; at < got.size(); ++at) {
    const std::size_t p = at / 16;
    const std::size_t q = at / 4 % 4;
    float sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += x[p * 6 + at / 2 % 2 * 3 + k] * y[q * 6 + k * 2 + at % 2];
    REQUIRE(got[at] == sum);
  }
  // Two axes of batches that no one stride reaches.
  const auto turned = yoke::to_device_array(numbers<float>(48, 5), {2, 3, 2, 4}, state.stream);
  const auto swapped = turned.transpose({1, 0, 2, 3});
  CHECK(same_bits(yoke::matmul(swapped, swapped.transpose({0, 1, 3, 2})).to_host(),
                  yoke::matmul(swapped.copy(), swapped.transpose({0, 1, 3, 2}).copy()).to_host()));
}

YOKE_ANY_DEVICE_TEST_CASE("gives views the bits of dense copies, and each shape of kernel the same", "[linalg]") {
  linalg_rig state(device);
  constexpr std::size_t k = 530;  // more than one chain
  const auto wide = yoke::to_device_array(fractions<float>(80 * 2 * k, 7), {80, 2 * k}, state.stream);
  const auto tall = yoke::to_device_array(fractions<float>(k * 70, 8), {70, k}, state.stream);
  const auto a = wide(yoke::slice(0, 37), yoke::slice(yoke::none, yoke::none, 2));
  const auto b = tall(yoke::reversed).transpose();
  const auto dense_a = a.copy();
  yoke::device_array<float, 2> dense_b = 1.0F * b;
  std::vector<std::vector<float>> results;
  for (const auto shape : all_shapes) {
    const by_shape takes(shape);
    results.push_back(yoke::matmul(a, b).to_host());
    results.push_back(yoke::matmul(dense_a, dense_b).to_host());
  }
  results.push_back(yoke::matmul(a, b).to_host());
  results.push_back(yoke::matmul(b.transpose(), a.transpose()).copy().transpose().copy().to_host());
  for (const auto& each : results) CHECK(same_bits(each, results.front()));
  // An element is a chain of fused terms in parts of 512, which are added in order.
  const auto x = a.copy().to_host();
  const auto y = dense_b.to_host();
  float total = 0;
  for (std::size_t begin = 0; begin < k; begin += 512) {
    float sum = 0;
    for (std::size_t q = begin; q < std::min(k, begin + 512); ++q) sum = std::fma(x[36 * k + q], y[q * 70 + 69], sum);
    total += sum;
  }
  CHECK(results.front().back() == total);
}

YOKE_ANY_DEVICE_TEST_CASE("gives the same bits for every tile and element", "[linalg]") {
  linalg_rig state(device);
  const auto check = [&](auto zero) {
    using T = decltype(zero);
    // Whole tiles and parts of tiles along both axes, and terms that end within a tile.
    const auto a = yoke::to_device_array(numbers<T>(130 * 21, 1), {130, 21}, state.stream);
    const auto b = yoke::to_device_array(numbers<T>(21 * 150, 2), {21, 150}, state.stream);
    std::vector<std::vector<T>> results;
    for (const auto shape : all_shapes) {
      const by_shape takes(shape);
      results.push_back(yoke::matmul(a, b).to_host());
      results.push_back(yoke::matmul(a.transpose().copy().transpose(), b.transpose().copy().transpose()).to_host());
    }
    for (const auto& each : results) CHECK(same_bits(each, results.front()));
    const auto x = a.to_host();
    const auto y = b.to_host();
    T last{};
    for (std::size_t q = 0; q < 21; ++q) last = static_cast<T>(last + x[129 * 21 + q] * y[q * 150 + 149]);
    CHECK(results.front().back() == last);
  };
  check(std::int32_t{});
  check(std::int64_t{});
  check(float{});
  check(double{});
}

YOKE_ANY_DEVICE_TEST_CASE("gives the same bits on every device", "[linalg]") {
  linalg_rig state(device);
  struct row {
    std::size_t m, n, k;
    std::uint64_t of_floats, of_halves, of_complex;
  };
  constexpr row rows[]{{3, 5, 7, 8521621222610540959U, 14785173361722730330U, 11685342935101483059U},
                       {40, 70, 33, 3148302220737396941U, 9139766628117014190U, 2860605376978018740U},
                       {17, 33, 1100, 3189710594779637268U, 1504598927738612401U, 9599678182884438578U}};
  for (const row& each : rows) {
    INFO(each.m << " x " << each.n << " of " << each.k);
    const auto a = yoke::to_device_array(fractions<float>(each.m * each.k, 1), {each.m, each.k}, state.stream);
    const auto b = yoke::to_device_array(fractions<float>(each.k * each.n, 2), {each.k, each.n}, state.stream);
    CHECK(hash_of(yoke::matmul(a, b).to_host()) == each.of_floats);
    const auto h = a.astype<yoke::half>();
    const auto g = b.astype<yoke::half>();
    CHECK(hash_of(yoke::matmul(h, g).to_host()) == each.of_halves);
    const auto z = a.astype<std::complex<float>>();
    yoke::device_array<std::complex<float>, 2> w = std::complex<float>(0.3F, 0.7F) * b;
    CHECK(hash_of(yoke::matmul(z, conj(w)).to_host()) == each.of_complex);
  }
}

namespace {

/// Products of one type, whose bits do not depend on the device, the layout, the shape of the kernel or the stream.
template <class T>
void check_bits(linalg_rig& state, bool in_all_layouts, std::uint64_t of_product, std::uint64_t of_vector) {
  INFO(static_cast<int>(yoke::detail::kind_of<T>()));
  constexpr std::size_t m = 17;
  constexpr std::size_t n = 35;
  constexpr std::size_t k = 600;  // more than one chain
  const auto x = any_numbers<T>(m * k, 1);
  const auto y = any_numbers<T>(k * n, 2);
  const auto a = yoke::to_device_array(x, {m, k}, state.stream);
  const auto b = yoke::to_device_array(y, {k, n}, state.stream);
  const auto dense = yoke::matmul(a, b).to_host();
  CHECK(hash_of(dense) == of_product);
  CHECK(hash_of(yoke::matmul(a, b(yoke::whole, 1)).to_host()) == of_vector);
  if (!in_all_layouts) return;
  for (const auto shape : all_shapes) {
    const by_shape takes(shape);
    CHECK(same_bits(yoke::matmul(a, b).to_host(), dense));
  }
  // Columns, gaps and reversed axes of each operand and of the result; a batch that repeats an operand.
  const auto a_columns = a.transpose().copy();
  const auto b_columns = b.transpose().copy();
  auto room_a = yoke::zeros<T>({2 * m, 2 * k + 1}, state.stream);
  auto room_b = yoke::zeros<T>({k, n + 3}, state.stream);
  auto far_a = room_a(yoke::slice(1, yoke::none, 2), yoke::slice(1, yoke::none, 2))(yoke::reversed);
  auto far_b = room_b(yoke::whole, yoke::slice(3, yoke::none));
  far_a = a.view();
  far_b = b.view();
  CHECK(same_bits(yoke::matmul(a_columns.transpose(), b).to_host(), dense));
  CHECK(same_bits(yoke::matmul(a, b_columns.transpose()).to_host(), dense));
  CHECK(same_bits(yoke::matmul(a_columns.transpose(), b_columns.transpose()).to_host(), dense));
  CHECK(same_bits(yoke::matmul(far_a, far_b).to_host(), dense));
  auto room_c = yoke::zeros<T>({2 * n, m + 1}, state.stream);
  auto far_c = room_c(yoke::slice(yoke::none, yoke::none, 2), yoke::slice(1, yoke::none)).transpose()(yoke::reversed);
  far_c = yoke::pass::matmul(far_a, b_columns.transpose());
  CHECK(same_bits(yoke::device_array(far_c.copy()).to_host(), dense));
  const auto batch = yoke::matmul(a.reshape({1, m, k}), yoke::stack(b, b, b));
  CHECK(same_bits(batch(2).copy().to_host(), dense));
  // Two streams at once.
  const yoke::stream<> other(state.context);
  const auto other_a = yoke::to_device_array(x, {m, k}, other);
  const auto other_b = yoke::to_device_array(y, {k, n}, other);
  std::vector<yoke::device_array<T, 2>> made;
  for (int round = 0; round < 3; ++round) {
    made.push_back(yoke::matmul(a, b));
    made.push_back(yoke::matmul(other_a, other_b));
  }
  for (const auto& each : made) CHECK(same_bits(each.to_host(), dense));
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("gives the same bits for each type on every device, in each layout and stream", "[linalg]") {
  linalg_rig state(device);
  turns turn(device);
  check_bits<float>(state, turn(), 0xb45607de3cafa324, 0x4474a6149fddb5ee);
  check_bits<double>(state, turn(), 0x35ce466808470ba6, 0x81023bec431e31e0);
  check_bits<yoke::half>(state, turn(), 0x36bed0f1c4136dcc, 0xdd60e8852d1b6071);
  check_bits<yoke::bfloat16>(state, turn(), 0x7206420a345bdf1f, 0xab752aaec4ed6ecf);
  check_bits<std::complex<float>>(state, turn(), 0x77cfeabd937d5896, 0x3a3eb4341b1dc242);
  check_bits<std::complex<double>>(state, turn(), 0x3083b0878105972f, 0x6514295196694504);
  check_bits<std::int8_t>(state, turn(), 0x7bb32d7e821c3bc8, 0x891aac04c8224350);
  check_bits<std::uint8_t>(state, turn(), 0x7bb32d7e821c3bc8, 0x891aac04c8224350);
  check_bits<std::int16_t>(state, turn(), 0x81cdbcc605132c67, 0xfa78be43687fd726);
  check_bits<std::uint16_t>(state, turn(), 0x81cdbcc605132c67, 0xfa78be43687fd726);
  check_bits<std::int32_t>(state, turn(), 0xe65854c525fbb672, 0xb20e886c9b6797fa);
  check_bits<std::uint32_t>(state, turn(), 0xe65854c525fbb672, 0xb20e886c9b6797fa);
  check_bits<std::int64_t>(state, turn(), 0x6189e1e7138deea0, 0xc169bbbff4c538b7);
  check_bits<std::uint64_t>(state, turn(), 0x6189e1e7138deea0, 0xc169bbbff4c538b7);
}

YOKE_ANY_DEVICE_TEST_CASE("writes destinations of any layout, scales and adds", "[linalg]") {
  linalg_rig state(device);
  const auto a = yoke::to_device_array(std::vector<float>{1, 2, 3, 4}, {2, 2}, state.stream);
  const auto b = yoke::to_device_array(std::vector<float>{5, 6, 7, 8}, {2, 2}, state.stream);  // 19 22 43 50
  auto c = yoke::full(1.0F, {2, 2}, state.stream);
  c = yoke::pass::matmul(a, b);
  CHECK(c.to_host() == std::vector<float>{19, 22, 43, 50});
  c = 2.0F * yoke::pass::matmul(a, b) + 0.5F * c;
  CHECK(c.to_host() == std::vector<float>{47.5, 55, 107.5, 125});
  c += yoke::pass::matmul(a, b);
  CHECK(c.to_host() == std::vector<float>{66.5, 77, 150.5, 175});
  c -= 2 * yoke::pass::matmul(a, b);
  CHECK(c.to_host() == std::vector<float>{28.5, 33, 64.5, 75});
  c = a - yoke::pass::matmul(a, b) * 2;
  CHECK(c.to_host() == std::vector<float>{-37, -42, -83, -96});
  c = yoke::pass::matmul(a, b) - b * 3;
  CHECK(c.to_host() == std::vector<float>{4, 4, 22, 26});
  c = -yoke::pass::matmul(a, b) + a;
  CHECK(c.to_host() == std::vector<float>{-18, -20, -40, -46});
  // With h == 0 the added array is not read.
  c.fill(std::numeric_limits<float>::quiet_NaN());
  c = yoke::pass::matmul(a, b) + 0.0F * c;
  CHECK(c.to_host() == std::vector<float>{19, 22, 43, 50});
  // A part with gaps, transposed and reversed.
  auto room = yoke::zeros<float>({4, 4}, state.stream);
  auto part = room(yoke::slice(yoke::none, yoke::none, 2), yoke::slice(1, 3)).transpose()(yoke::reversed);
  part = yoke::pass::matmul(a, b);
  CHECK(room.to_host() == std::vector<float>{0, 43, 19, 0, 0, 0, 0, 0, 0, 50, 22, 0, 0, 0, 0, 0});
  // The destination is an operand, or an added array in another order.
  auto d = a.copy();
  d = yoke::pass::matmul(d, b);
  CHECK(d.to_host() == std::vector<float>{19, 22, 43, 50});
  d = yoke::pass::matmul(a, b) + d.transpose();
  CHECK(d.to_host() == std::vector<float>{38, 65, 65, 100});
  // Operands that are calculated.
  CHECK(yoke::matmul(2 * a, b + 1).to_host() == std::vector<float>{44, 50, 100, 114});
  auto whole = yoke::to_device_array(std::vector<std::uint32_t>{1, 2, 3, 4}, {2, 2}, state.stream);
  auto less = whole.copy();
  less -= yoke::pass::matmul(whole, whole);
  CHECK(less.to_host() == std::vector<std::uint32_t>{0U - 6U, 0U - 8U, 0U - 12U, 0U - 18U});
  auto phases = yoke::to_device_array(std::vector<std::complex<float>>{{0, 1}}, {1, 1}, state.stream);
  phases = std::complex<float>(0, 2) * yoke::pass::matmul(phases, phases) + std::complex<float>(0, 3) * phases;
  CHECK(phases.to_host() == std::vector<std::complex<float>>{{-3, -2}});
}

YOKE_ANY_DEVICE_TEST_CASE("products are recorded, with arrays that end before the graph", "[linalg][graph]") {
  recorded_rig on(device);
  yoke::use_linalg(on.context, {.libraries = "own"});  // as the recorded ones
  // Of each shape of kernel: the packed one has temporaries, which the graph keeps.
  for (const std::size_t size : {3U, 70U}) {
    INFO(size);
    auto a = yoke::to_device_array(fractions<float>(size * 40, 1), {size, 40}, on.stream);
    const auto values = fractions<float>(40 * size, 2);
    auto c = yoke::zeros<float>({size, size}, on.stream);
    auto d = yoke::zeros<float>({size, size}, on.stream);
    yoke::graph_executable<> executable;
    {
      const auto b = yoke::to_device_array(values, {40, size}, on.stream);
      yoke::graph graph{on.context};
      auto record = graph.record();
      c.bind(record) = yoke::pass::matmul(a, b);
      d.bind(record) = 2.0F * yoke::pass::matmul(c, c.transpose()) + 0.5F * d;
      d.bind(record) = yoke::pass::matmul(d, c);  // through a temporary
      executable = graph.instantiate();
    }
    const auto b = yoke::to_device_array(values, {40, size}, on.stream);
    auto expected_d = yoke::zeros<float>({size, size}, on.stream);
    for (int k = 0; k < 3; ++k) {
      a = -1.5F * a;
      executable.launch(on.stream);
      const auto expected = yoke::matmul(a, b);
      CHECK(same_bits(c.to_host(), expected.to_host()));
      expected_d = 2.0F * yoke::pass::matmul(expected, expected.transpose()) + 0.5F * expected_d;
      expected_d = yoke::pass::matmul(expected_d, expected);
      CHECK(same_bits(d.to_host(), expected_d.to_host()));
    }
  }
}

YOKE_ANY_DEVICE_TEST_CASE("refuses shapes that do not fit, and makes no call for nothing", "[linalg]") {
  counting_rig state(device);
  const auto a = yoke::zeros<float>({3, 4}, state.stream);
  const auto b = yoke::zeros<float>({5, 6}, state.stream);
  const auto cube = yoke::zeros<float>({2, 4, 4}, state.stream);
  const auto cubes = yoke::zeros<float>({3, 4, 4}, state.stream);
  auto c = yoke::full(7.0F, {3, 3}, state.stream);
  const auto none = yoke::zeros<float>({3, 0}, state.stream);
  const auto mark = state.mark();
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(yoke::matmul(a, b), ContainsSubstring("matmul of (3, 4) and (5, 6): 4 is not 5"));
  CHECK_THROWS_WITH(yoke::matmul(cube, cubes), ContainsSubstring("matmul of (2, 4, 4) and (3, 4, 4): 2 is not 3"));
  CHECK_THROWS_WITH(yoke::matvec(a, b(0)), ContainsSubstring("matvec of (3, 4) and (6,): 4 is not 6"));
  CHECK_THROWS_AS(c = yoke::pass::matmul(a, cube(0)), yoke::logic_error);
  CHECK_THROWS_AS(c = yoke::pass::matmul(a, a.transpose()) + a, yoke::logic_error);
  CHECK(yoke::matmul(none.transpose(), a).size() == 0);
  CHECK(yoke::matmul(a.transpose(), none).size() == 0);
  CHECK(state.enqueued(mark) == 0);
  CHECK(yoke::matmul(none, none.transpose()).to_host() == std::vector<float>(9, 0.0F));
  c = 2 * yoke::pass::matmul(none, none.transpose()) + 3 * c;
  CHECK(c.to_host() == std::vector<float>(9, 21.0F));
}

TEST_CASE("classifies how matrices lie in memory", "[linalg]") {
  using yoke::detail::classify;
  using yoke::detail::matrix_layout;
  using yoke::detail::matrix_lines;
  constexpr matrix_layout strided{};
  STATIC_REQUIRE(classify(2, 7, 7, 1) == matrix_layout{matrix_lines::rows, 7});
  STATIC_REQUIRE(classify(2, 7, 10, 1) == matrix_layout{matrix_lines::rows, 10});
  STATIC_REQUIRE(classify(2, 7, 1, 2) == matrix_layout{matrix_lines::columns, 2});
  STATIC_REQUIRE(classify(2, 7, 1, 5) == matrix_layout{matrix_lines::columns, 5});
  STATIC_REQUIRE(classify(2, 7, -7, 1) == strided);
  STATIC_REQUIRE(classify(2, 7, 0, 1) == strided);
  STATIC_REQUIRE(classify(2, 7, 14, 2) == strided);
  STATIC_REQUIRE(classify(2, 7, 7, -1) == strided);
  STATIC_REQUIRE(classify(2, 7, 3, 1) == strided);
  STATIC_REQUIRE(classify(1, 7, -99, 1) == matrix_layout{matrix_lines::rows, 7});
  STATIC_REQUIRE(classify(1, 7, 5, 3) == matrix_layout{matrix_lines::columns, 3});
  STATIC_REQUIRE(classify(7, 1, 1, 0) == matrix_layout{matrix_lines::rows, 1});
  STATIC_REQUIRE(classify(7, 1, 4, 0) == matrix_layout{matrix_lines::rows, 4});
  STATIC_REQUIRE(classify(1, 1, 0, 0) == matrix_layout{matrix_lines::rows, 1});
  STATIC_REQUIRE(classify(0, 7, 7, 1) == matrix_layout{matrix_lines::rows, 7});
  STATIC_REQUIRE(classify(7, 0, 0, 1) == matrix_layout{matrix_lines::rows, 1});
}
