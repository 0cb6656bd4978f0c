// SPDX-License-Identifier: MIT
// Sparse matrices: how they are made and checked, and their products, against sums on the host.
#include <array/reduction/recorded_rig.hpp>
#include <support/sample.hpp>
#include <yoke/cache.hpp>
#include <yoke/linalg.hpp>
#include <yoke/sparse.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;
using Catch::Matchers::ContainsSubstring;

namespace {

struct sparse_rig : any_rig {
  explicit sparse_rig(const yoke::device<>& on) : any_rig(on) {
    static const yoke::program_cache in_memory{{}, {}};
    yoke::use_array_programs(context, in_memory);
  }
};

/// Takes a shape of the kernel while it lives.
struct by_shape {
  explicit by_shape(yoke::detail::csr_shape wanted) { yoke::detail::wanted_csr_shape() = wanted; }
  ~by_shape() { yoke::detail::wanted_csr_shape() = yoke::detail::csr_shape::automatic; }
  by_shape(const by_shape&) = delete;
  by_shape& operator=(const by_shape&) = delete;
};

/// Returns: small whole numbers that do not repeat soon, the same on each run.
template <class T>
T drawn(std::mt19937& engine) {
  const auto draw = [&] { return static_cast<int>(engine() % 13) - 6; };
  if constexpr (yoke::detail::complex_element<T>) {
    const auto real = static_cast<typename T::value_type>(draw());
    return T(real, static_cast<typename T::value_type>(draw()));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(draw());
  } else {
    return static_cast<T>(static_cast<float>(draw()));
  }
}
template <class T>
std::vector<T> numbers(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<T> made(size);
  for (T& each : made) each = drawn<T>(engine);
  return made;
}
/// Returns: numbers with all bits of their fractions in use.
std::vector<float> fractions(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<float> made(size);
  for (float& each : made) each = static_cast<float>(static_cast<double>(engine()) / 4294967296.0 - 0.5);
  return made;
}
template <class T>
bool same_bits(const std::vector<T>& left, const std::vector<T>& right) {
  return left.size() == right.size() && std::memcmp(left.data(), right.data(), left.size() * sizeof(T)) == 0;
}
template <class T>
std::uint64_t hash_of(const std::vector<T>& values) {
  std::uint64_t hash = 14695981039346656037U;
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t k = 0; k < values.size() * sizeof(T); ++k) hash = (hash ^ bytes[k]) * 1099511628211U;
  return hash;
}

/// The arrays of a sparse matrix on the host.
template <class T, class Index = int>
struct host_csr {
  std::size_t rows = 0, extent = 0;
  std::vector<Index> starts{0}, columns{};
  std::vector<T> values{};

  /// Returns: rows of up to `most` elements in any order; every third row is empty, and columns may come twice.
  static host_csr of(std::size_t rows, std::size_t extent, std::size_t most, unsigned seed) {
    std::mt19937 engine(seed);
    host_csr made;
    made.rows = rows;
    made.extent = extent;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t count = row % 3 == 2 ? 0 : engine() % (most + 1);
      for (std::size_t k = 0; k < count; ++k) {
        const auto column = static_cast<Index>(engine() % extent);  // before the value is drawn
        made.add(column, drawn<T>(engine));
      }
      made.end_row();
    }
    return made;
  }
  void add(Index column, T value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { starts.push_back(static_cast<Index>(columns.size())); }
  [[nodiscard]] yoke::csr_matrix<T, Index> on(const yoke::stream<>& stream) const {
    return {yoke::to_device_array(starts, stream),
            yoke::to_device_array(columns, stream),
            yoke::to_device_array(values, stream),
            {rows, extent}};
  }
  /// Returns: all elements; those that occur several times are added.
  [[nodiscard]] std::vector<T> dense() const {
    std::vector<T> made(rows * extent);
    for (std::size_t row = 0; row < rows; ++row) {
      for (auto at = static_cast<std::size_t>(starts[row]); at < static_cast<std::size_t>(starts[row + 1]); ++at) {
        T& to = made[row * extent + static_cast<std::size_t>(columns[at])];
        if constexpr (yoke::detail::complex_element<T> || std::is_integral_v<T>) {
          to = static_cast<T>(to + values[at]);
        } else {
          to = static_cast<T>(static_cast<float>(to) + static_cast<float>(values[at]));
        }
      }
    }
    return made;
  }
};

/// Products of small whole numbers are exact: they equal those of arrays whatever the order of sums.
template <class T, class Index = int>
void check_type(sparse_rig& state) {
  INFO(static_cast<int>(yoke::detail::kind_of<T>()) << ", indices of " << sizeof(Index) << " bytes");
  const auto host = host_csr<T, Index>::of(20, 11, 7, 3);
  const auto s = host.on(state.stream);
  const auto dense = yoke::to_device_array(host.dense(), {20, 11}, state.stream);
  CHECK(same_bits(s.to_dense().to_host(), host.dense()));
  const auto x = yoke::to_device_array(numbers<T>(11 * 3, 4), {11, 3}, state.stream);
  const auto y = yoke::to_device_array(numbers<T>(20 * 3, 5), {20, 3}, state.stream);
  const auto column = x(yoke::whole, 1);
  const auto line = y(yoke::whole, 2);
  CHECK(same_bits(yoke::matmul(s, column).to_host(), yoke::matmul(dense, column).to_host()));
  CHECK(same_bits(yoke::matmul(s, x).to_host(), yoke::matmul(dense, x).to_host()));
  CHECK(same_bits(yoke::matmul(s.transpose(), line).to_host(), yoke::matmul(dense.transpose(), line).to_host()));
  CHECK(same_bits(yoke::matmul(s.transpose(), y).to_host(), yoke::matmul(dense.transpose(), y).to_host()));
  CHECK(same_bits(yoke::matmul(y.transpose(), s).to_host(), yoke::matmul(y.transpose(), dense).to_host()));
  CHECK(same_bits(yoke::matmul(line, s).to_host(), yoke::matmul(line, dense).to_host()));
  CHECK(same_bits(yoke::matmul(x.transpose(), s.transpose()).to_host(),
                  yoke::matmul(x.transpose(), dense.transpose()).to_host()));
}

/// Returns: the sum of a row as the kernels add it.
float row_sum(const host_csr<float>& of, std::size_t row, const std::vector<float>& x, std::size_t lanes) {
  std::vector<float> totals(lanes);
  const auto begin = static_cast<std::size_t>(of.starts[row]);
  const auto end = static_cast<std::size_t>(of.starts[row + 1]);
  for (std::size_t part = begin; part < end; part += 512 * lanes) {
    const std::size_t stop = std::min(end, part + 512 * lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      float sum = 0;
      for (std::size_t at = part + lane; at < stop; at += lanes) {
        sum = std::fma(of.values[at], x[static_cast<std::size_t>(of.columns[at])], sum);
      }
      totals[lane] += sum;
    }
  }
  for (std::size_t apart = lanes / 2; apart > 0; apart /= 2) {
    for (std::size_t lane = 0; lane < apart; ++lane) totals[lane] += totals[lane + apart];
  }
  return totals[0];
}
/// Returns: a matrix with fractions as values.
host_csr<float> fractional(std::size_t rows, std::size_t extent, std::size_t most, unsigned seed) {
  auto made = host_csr<float>::of(rows, extent, most, seed);
  made.values = fractions(made.values.size(), seed + 1);
  return made;
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("multiplies a sparse matrix of three arrays", "[sparse]") {
  sparse_rig state(device);
  const auto starts = yoke::to_device_array(std::vector<int>{0, 2, 2, 5}, state.stream);
  const auto columns = yoke::to_device_array(std::vector<int>{0, 2, 3, 1, 3}, state.stream);
  auto values = yoke::to_device_array(std::vector<float>{1, 2, 3, 4, 5}, state.stream);
  const yoke::csr_matrix s{starts, columns, values, {3, 4}};
  STATIC_REQUIRE(std::same_as<decltype(s), const yoke::csr_matrix<float, int>>);
  CHECK(s.nnz() == 5);
  CHECK(s.shape() == yoke::shape<2>{3, 4});
  CHECK(s.transpose().shape() == yoke::shape<2>{4, 3});
  CHECK(s.to_dense().to_host() == std::vector<float>{1, 0, 2, 0, 0, 0, 0, 0, 0, 4, 0, 8});
  const auto x = yoke::to_device_array(std::vector<float>{1, 10, 100, 1000}, state.stream);
  const auto y = yoke::to_device_array(std::vector<float>{1, 10, 100}, state.stream);
  CHECK(yoke::matmul(s, x).to_host() == std::vector<float>{201, 0, 8040});
  CHECK(yoke::matvec(s, x).to_host() == std::vector<float>{201, 0, 8040});
  CHECK(yoke::matmul(s.transpose(), y).to_host() == std::vector<float>{1, 400, 2, 800});
  CHECK(yoke::vecmat(y, s).to_host() == std::vector<float>{1, 400, 2, 800});
  CHECK(yoke::matmul(s.transpose().transpose(), 2 * x).to_host() == std::vector<float>{402, 0, 16080});
  // The matrix shares its arrays: it has their new values, transposed too.
  values(2).fill(30);
  CHECK(yoke::matmul(s, x).to_host() == std::vector<float>{201, 0, 35040});
  CHECK(yoke::matmul(s.transpose(), y).to_host() == std::vector<float>{1, 400, 2, 3500});
  // A copy shares them, and assignment does not write elements.
  yoke::csr_matrix<float> other;
  CHECK_FALSE(other);
  CHECK_THROWS_AS(yoke::matmul(other, x), yoke::logic_error);
  other = s;
  yoke::csr_matrix<float> moved = std::move(other);
  moved = moved.with_values(moved.values() * 2.0F);
  CHECK(yoke::matmul(moved, x).to_host() == std::vector<float>{402, 0, 70080});
  CHECK(yoke::matmul(s, x).to_host() == std::vector<float>{201, 0, 35040});
}

YOKE_ANY_DEVICE_TEST_CASE("multiplies sparse matrices of numbers of every type", "[sparse]") {
  sparse_rig state(device);
  turns turn(device);
  if (turn()) check_type<float>(state);
  if (turn()) check_type<float, std::int64_t>(state);
  if (turn()) check_type<yoke::half>(state);
  if (turn()) check_type<yoke::bfloat16>(state);
  if (turn()) check_type<std::complex<float>>(state);
  if (turn()) check_type<std::int8_t>(state);
  if (turn()) check_type<std::uint16_t>(state);
  if (turn()) check_type<std::int32_t>(state);
  if (turn()) check_type<std::uint64_t, std::int64_t>(state);
  if (turn()) check_type<double>(state);
  if (turn()) check_type<std::complex<double>>(state);
  // The type that is named, and real by complex numbers.
  host_csr<yoke::half> large;
  large.rows = 1;
  large.extent = 64;
  for (int k = 0; k < 64; ++k) large.add(k, yoke::half(1024.0F));
  large.end_row();
  const auto h = yoke::full(yoke::half(1024.0F), {64}, state.stream);
  CHECK(yoke::matmul<float>(large.on(state.stream), h).to_host() == std::vector<float>{64.0F * 1024 * 1024});
  const auto real = host_csr<float>::of(6, 5, 4, 8);
  const auto z = yoke::to_device_array(numbers<std::complex<float>>(5, 9), state.stream);
  const auto dense = yoke::to_device_array(real.dense(), {6, 5}, state.stream);
  CHECK(same_bits(yoke::matmul(real.on(state.stream), conj(z)).to_host(), yoke::matmul(dense, conj(z)).to_host()));
  // Complex vectors are conjugated by `vecmat` alone.
  const auto w = yoke::to_device_array(numbers<std::complex<float>>(6, 9), state.stream);
  CHECK(same_bits(yoke::vecmat(w, real.on(state.stream)).to_host(), yoke::vecmat(w, dense).to_host()));
  CHECK(same_bits(yoke::vecmat(conj(w), real.on(state.stream)).to_host(), yoke::matmul(w, dense).to_host()));
  CHECK(same_bits(yoke::matmul(w, real.on(state.stream)).to_host(), yoke::matmul(w, dense).to_host()));
}

YOKE_ANY_DEVICE_TEST_CASE("adds sparse rows of any length in one order", "[sparse]") {
  sparse_rig state(device);
  struct row {
    std::size_t rows, extent, most, lanes;
  };
  // Few elements a row, some, and many; more than one part of 512 terms for each sum.
  for (const row& each : {row{300, 90, 9, 1}, row{60, 500, 80, 8}, row{4, 5000, 40'000, 32}}) {
    INFO("rows of up to " << each.most);
    const auto host = fractional(each.rows, each.extent, each.most, 7);
    const auto s = host.on(state.stream);
    const auto x = fractions(each.extent, 11);
    const auto on_device = yoke::to_device_array(x, state.stream);
    REQUIRE(yoke::detail::csr_lanes(static_cast<std::int64_t>(host.values.size()),
                                    static_cast<std::int64_t>(each.rows)) == static_cast<std::int64_t>(each.lanes));
    std::vector<float> expected(each.rows);
    for (std::size_t k = 0; k < each.rows; ++k) expected[k] = row_sum(host, k, x, each.lanes);
    const auto turned = s.transpose().copy();
    const auto y = yoke::to_device_array(fractions(each.rows, 12), state.stream);
    const auto across = yoke::matmul(turned, y).to_host();
    for (const auto shape : {yoke::detail::csr_shape::rows, yoke::detail::csr_shape::lanes}) {
      const by_shape takes(shape);
      CHECK(same_bits(yoke::matmul(s, on_device).to_host(), expected));
      CHECK(same_bits(yoke::matmul(s.transpose(), y).to_host(), across));
      // Columns of a matrix have the bits of single vectors.
      for (const int columns : {2, 3, 5, 6, 7, 19}) {
        INFO(columns << " columns");
        // The last one, and every other one before it.
        const auto taken = yoke::arange<int>(columns, state.stream) % 2 == (columns - 1) % 2;
        const auto product = yoke::matmul(s, yoke::outer(on_device, yoke::where(taken, 1.0F, 0.0F)));
        for (int column = 0; column < columns; ++column) {
          const bool is_taken = column % 2 == (columns - 1) % 2;
          CHECK(same_bits(product(yoke::whole, column).copy().to_host(),
                          is_taken ? expected : std::vector<float>(each.rows)));
        }
      }
    }
  }
  // One long row among short ones.
  host_csr<float> host;
  host.rows = 100;
  host.extent = 3000;
  for (std::size_t k = 0; k < 100; ++k) {
    for (int c = 0; c < (k == 40 ? 2500 : 1); ++c) host.add(2999 - c, 0.0F);
    host.end_row();
  }
  host.values = fractions(host.columns.size(), 20);
  const auto x = fractions(3000, 21);
  const auto lanes =
      static_cast<std::size_t>(yoke::detail::csr_lanes(static_cast<std::int64_t>(host.values.size()), 100));
  CHECK(yoke::matmul(host.on(state.stream), yoke::to_device_array(x, state.stream)).to_host()[40] ==
        row_sum(host, 40, x, lanes));
}

YOKE_ANY_DEVICE_TEST_CASE("multiplies sparse matrices with the same bits on every device", "[sparse]") {
  sparse_rig state(device);
  struct row {
    std::size_t rows, extent, most;
    std::uint64_t of_vectors, of_transposed, of_halves;
  };
  constexpr row rows[]{{50, 40, 6, 12162994592481623287U, 12942391431460269948U, 4769036816391749930U},
                       {50, 400, 90, 3704850264788612862U, 200197677658709021U, 17701468400663164733U},
                       {9, 700, 900, 11908247437201524676U, 7222238988076253138U, 969222711808039789U}};
  for (const row& each : rows) {
    INFO("rows of up to " << each.most);
    const auto s = fractional(each.rows, each.extent, each.most, 31).on(state.stream);
    const auto x = yoke::to_device_array(fractions(each.extent, 32), state.stream);
    const auto y = yoke::to_device_array(fractions(each.rows, 33), state.stream);
    CHECK(hash_of(yoke::matmul(s, x).to_host()) == each.of_vectors);
    CHECK(hash_of(yoke::matmul(s.transpose(), y).to_host()) == each.of_transposed);
    CHECK(hash_of(yoke::matmul(s.astype<yoke::half>(), x.astype<yoke::half>()).to_host()) == each.of_halves);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("writes sparse products to destinations of any layout, scales and adds", "[sparse]") {
  sparse_rig state(device);
  const auto host = host_csr<float>::of(12, 8, 6, 40);
  const auto s = host.on(state.stream);
  const auto dense = yoke::to_device_array(host.dense(), {12, 8}, state.stream);
  const auto room = yoke::to_device_array(numbers<float>(16 * 10, 41), {10, 16}, state.stream);
  const auto x = room(yoke::slice(0, 5), yoke::slice(yoke::none, yoke::none, 2)).transpose()(yoke::reversed);  // (8, 5)
  auto y = yoke::full(2.0F, {12, 5}, state.stream);
  auto expected = y.copy();
  const auto check = [&] { CHECK(y.to_host() == expected.to_host()); };
  y = yoke::pass::matmul(s, x);
  expected = yoke::pass::matmul(dense, x);
  check();
  y = 2.0F * yoke::pass::matmul(s, x) + 0.5F * y;
  expected = 2.0F * yoke::pass::matmul(dense, x) + 0.5F * expected;
  check();
  y += yoke::pass::matmul(s, x);
  expected += yoke::pass::matmul(dense, x);
  check();
  y -= 2 * yoke::pass::matmul(s, x);
  expected -= 2 * yoke::pass::matmul(dense, x);
  check();
  y = expected - yoke::pass::matmul(s, x) * 3;
  expected = expected - yoke::pass::matmul(dense, x) * 3;
  check();
  y = -yoke::pass::matmul(s, x) + y;
  expected = -yoke::pass::matmul(dense, x) + expected;
  check();
  // With h == 0 the added array is not read.
  y.fill(std::numeric_limits<float>::quiet_NaN());
  y = yoke::pass::matmul(s, x) + 0.0F * y;
  expected = yoke::pass::matmul(dense, x);
  check();
  // A part with gaps, transposed and reversed, and the same for a dense matrix on the left.
  auto wide = yoke::full(7.0F, {10, 24}, state.stream);
  auto part = wide(yoke::slice(yoke::none, yoke::none, 2), yoke::slice(1, 13)).transpose()(yoke::reversed);
  part = yoke::pass::matmul(s, x);
  CHECK(part.copy().to_host() == expected.to_host());
  CHECK(wide(1).copy().to_host() == std::vector<float>(24, 7.0F));
  part.transpose() = yoke::pass::matmul(x.transpose(), s.transpose());
  CHECK(part.copy().to_host() == expected.to_host());
  // The destination is the dense operand, the values of the matrix, or an added array in another order.
  const auto square = host_csr<float>::of(8, 8, 5, 42);
  auto values = yoke::to_device_array(square.values, state.stream);
  const auto t = square.on(state.stream).with_values(values);
  const auto full = yoke::to_device_array(square.dense(), {8, 8}, state.stream);
  auto d = yoke::to_device_array(numbers<float>(64, 43), {8, 8}, state.stream);
  auto e = d.copy();
  d = yoke::pass::matmul(t, d);
  e = yoke::pass::matmul(full, e);
  CHECK(d.to_host() == e.to_host());
  d = yoke::pass::matmul(t, d) + d.transpose();
  e = yoke::pass::matmul(full, e) + e.transpose();
  CHECK(d.to_host() == e.to_host());
  const auto line = yoke::to_device_array(numbers<float>(8, 44), state.stream);
  values(yoke::slice(0, 8)) = yoke::pass::matmul(t, line);
  CHECK(values(yoke::slice(0, 8)).copy().to_host() == yoke::matmul(full, line).to_host());
  auto whole = host_csr<std::uint32_t>::of(3, 3, 3, 45).on(state.stream);
  auto less = yoke::to_device_array(std::vector<std::uint32_t>{1, 2, 3}, state.stream);
  const auto wrapped = yoke::evaluate(less - yoke::matmul(whole.to_dense(), less));
  less -= yoke::pass::matmul(whole, less);
  CHECK(less.to_host() == wrapped.to_host());
}

YOKE_ANY_DEVICE_TEST_CASE("makes sparse matrices from dense arrays and from coordinates", "[sparse]") {
  sparse_rig state(device);
  const std::vector<float> all{0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 4};
  const auto dense = yoke::to_device_array(all, {3, 4}, state.stream);
  const auto s = yoke::csr_matrix<float>::from_dense(dense);
  CHECK(s.starts().to_host() == std::vector<int>{0, 2, 2, 4});
  CHECK(s.columns().to_host() == std::vector<int>{1, 3, 0, 3});
  CHECK(s.values().to_host() == std::vector<float>{1, 2, 3, 4});
  CHECK(s.row_indices().to_host() == std::vector<int>{0, 0, 2, 2});
  CHECK(s.to_dense().to_host() == all);
  CHECK(yoke::csr_matrix<float, std::int64_t>::from_dense(2 * dense.transpose()).columns().to_host() ==
        std::vector<std::int64_t>{2, 0, 0, 2});
  CHECK(yoke::csr_matrix<std::complex<float>>::from_dense(dense.astype<std::complex<float>>()).nnz() == 4);

  // Coordinates in any order, some of them twice.
  const auto rows = yoke::to_device_array(std::vector<std::int64_t>{2, 0, 2, 0, 2}, state.stream);
  const auto columns = yoke::to_device_array(std::vector<std::uint8_t>{3, 1, 0, 3, 3}, state.stream);
  const auto values = yoke::to_device_array(std::vector<float>{1, 1, 3, 2, 3}, state.stream);
  const auto c = yoke::csr_matrix<float>::from_coordinates(rows, columns, values, {3, 4});
  CHECK(c.starts().to_host() == std::vector<int>{0, 2, 2, 4});
  CHECK(c.columns().to_host() == std::vector<int>{1, 3, 0, 3});
  CHECK(c.values().to_host() == std::vector<float>{1, 2, 3, 4});
  const auto halves =
      yoke::csr_matrix<yoke::half>::from_coordinates(rows, columns, values.astype<yoke::half>(), {3, 4});
  CHECK(halves.values().astype<float>().to_host() == std::vector<float>{1, 2, 3, 4});
  const auto pairs = yoke::csr_matrix<std::complex<double>, std::int64_t>::from_coordinates(
      rows, columns, values.astype<std::complex<double>>(), {3, 4});
  CHECK(pairs.values().to_host() == std::vector<std::complex<double>>{1, 2, 3, 4});
  const auto small = yoke::csr_matrix<std::int8_t>::from_coordinates(
      rows, columns, yoke::to_device_array(std::vector<std::int8_t>{100, 1, 3, 2, 100}, state.stream), {3, 4});
  CHECK(small.values().to_host() == std::vector<std::int8_t>{1, 2, 3, -56});

  // Many of them against sums on the host, exact and in any order.
  const auto host = host_csr<float>::of(70, 60, 30, 50);
  const auto given = host.on(state.stream);
  const auto order = yoke::argsort(yoke::to_device_array(fractions(host.values.size(), 51), state.stream));
  const auto again = yoke::csr_matrix<float>::from_coordinates(yoke::take(given.row_indices(), order),
                                                               yoke::take(given.columns(), order),
                                                               yoke::take(given.values(), order), {70, 60});
  CHECK(again.to_dense().to_host() == host.dense());
  CHECK(again.nnz() < given.nnz());
  CHECK(given.transpose().copy().to_dense().transpose().copy().to_host() == host.dense());
}

YOKE_ANY_DEVICE_TEST_CASE("calculates with sparse matrices element by element", "[sparse]") {
  sparse_rig state(device);
  const auto one = host_csr<float>::of(9, 7, 5, 60);
  const auto two = host_csr<float>::of(9, 7, 5, 61);
  const auto s = one.on(state.stream);
  const auto t = two.on(state.stream);
  const auto a = yoke::to_device_array(one.dense(), {9, 7}, state.stream);
  const auto b = yoke::to_device_array(two.dense(), {9, 7}, state.stream);
  const auto is = [](const yoke::csr_matrix<float>& sparse, const auto& dense) {
    CHECK(sparse.to_dense().to_host() == dense.to_host());
  };
  is(2 * s, 2 * a);
  is(s * 2.0F, 2 * a);
  is(s / 4, a / 4);
  is(-s, -a);
  is(s + t, a + b);
  is(s - t, a - b);
  is(s.with_values(s.values() * s.values() + 1.0F) - s.with_values(s.values() * s.values()) -
         s.with_values(0 * s.values() + 1.0F),
     0 * a);
  std::vector<float> diagonal(7);
  for (std::size_t k = 0; k < 7; ++k) diagonal[k] = one.dense()[k * 8];
  CHECK(s.diagonal().to_host() == diagonal);
  CHECK(s.transpose().copy().diagonal().to_host() == diagonal);
  is(s.with_values(sqrt(s.values() * s.values())), s.with_values(abs(s.values())).to_dense());
  CHECK(s.astype<double>().values().to_host() == std::vector<double>(one.values.begin(), one.values.end()));
  CHECK_THROWS_WITH(s.with_values(yoke::zeros<float>({1}, state.stream)),
                    ContainsSubstring(" elements takes as many values: these are 1"));
  CHECK_THROWS_WITH(
      s + yoke::csr_matrix<float>::from_dense(a.transpose()),
      ContainsSubstring("the sum or difference of sparse matrices of (") && ContainsSubstring("the shapes differ"));
  // Factors are numbers that the elements can hold.
  CHECK_THROWS_WITH(1e300 * s, ContainsSubstring("factor is 1e+300, which would be infinite"));
  CHECK_THROWS_WITH(s / 16777217, ContainsSubstring("divisor is 16777217, which float elements cannot hold exactly"));
  CHECK_THROWS_WITH(300 * s.astype<std::int8_t>(), ContainsSubstring("factor is 300, outside -128 .. 127"));
  // A sum with a matrix without elements is sorted, too, and has each element once.
  const auto nothing = yoke::csr_matrix<float>::from_coordinates(yoke::zeros<int>({0}, state.stream),
                                                                 yoke::zeros<int>({0}, state.stream),
                                                                 yoke::zeros<float>({0}, state.stream), {1, 4});
  const yoke::csr_matrix twice(yoke::to_device_array({0, 3}, state.stream),
                               yoke::to_device_array({2, 0, 2}, state.stream),
                               yoke::to_device_array({1.0F, 2.0F, 3.0F}, state.stream), {1, 4});
  for (const auto& sum : {twice + nothing, nothing + twice, twice - nothing}) {
    CHECK(sum.columns().to_host() == std::vector<int>{0, 2});
    CHECK(sum.values().to_host() == std::vector<float>{2, 4});
  }
}

YOKE_ANY_DEVICE_TEST_CASE("sparse matrices may lack elements, rows and columns", "[sparse]") {
  sparse_rig state(device);
  for (const auto& extents : {yoke::shape<2>{3, 4}, yoke::shape<2>{0, 4}, yoke::shape<2>{3, 0}, yoke::shape<2>{0, 0}}) {
    INFO(extents[0] << " x " << extents[1]);
    const auto dense = yoke::zeros<float>(extents, state.stream);
    const auto x = yoke::full(1.0F, yoke::shape<2>{extents[1], 2}, state.stream);
    const auto y = yoke::full(1.0F, yoke::shape<1>(extents[0]), state.stream);
    const auto nothing = yoke::zeros<int>({0}, state.stream);
    const yoke::csr_matrix<float> made[]{
        yoke::csr_matrix<float>::from_dense(dense),
        yoke::csr_matrix<float>::from_coordinates(nothing, nothing, yoke::zeros<float>({0}, state.stream), extents),
        {yoke::zeros<int>(yoke::shape<1>(extents[0] + 1), state.stream), nothing, yoke::zeros<float>({0}, state.stream),
         extents}};
    for (const auto& s : made) {
      CHECK(s.nnz() == 0);
      CHECK(yoke::matmul(s, x).to_host() == std::vector<float>(extents[0] * 2));
      CHECK(yoke::matmul(s.transpose(), y).to_host() == std::vector<float>(extents[1]));
      CHECK(yoke::matmul(y, s).to_host() == std::vector<float>(extents[1]));
      CHECK(s.to_dense().to_host() == std::vector<float>(extents[0] * extents[1]));
      CHECK(s.diagonal().to_host() == std::vector<float>(std::min(extents[0], extents[1])));
      CHECK((s + s).nnz() == 0);
      CHECK((2 * s).nnz() == 0);
      CHECK(s.row_indices().size() == 0);
      CHECK(s.transpose().copy().shape() == yoke::shape<2>{extents[1], extents[0]});
      auto z = yoke::full(3.0F, yoke::shape<1>(extents[1]), state.stream);
      z = 2 * yoke::pass::matmul(s.transpose(), y) + 3 * z;
      CHECK(z.to_host() == std::vector<float>(extents[1], 9.0F));
    }
  }
}

YOKE_ANY_DEVICE_TEST_CASE("refuses sparse matrices that cannot be, and names what is wrong", "[sparse]") {
  counting_rig state(device);
  const auto array = [&](const std::vector<int>& of) { return yoke::to_device_array(of, state.stream); };
  const auto values = yoke::full(1.0F, {4}, state.stream);
  const auto starts = array({0, 2, 2, 4});
  const auto columns = array({0, 3, 1, 2});
  using matrix = yoke::csr_matrix<float>;
  // Sizes and layouts are checked before the device is asked.
  const auto gaps = yoke::zeros<float>({8}, state.stream);
  const auto mark = state.mark();
  const auto made = [&](const auto& first, const auto& second, const auto& third, const yoke::shape<2>& extents) {
    (void)matrix(first, second, third, extents);
  };
  CHECK_THROWS_WITH(made(starts, columns, values, {4, 4}),
                    ContainsSubstring("a csr_matrix of 4 rows takes 5 starts: these are 4"));
  CHECK_THROWS_WITH(made(starts, columns, values(yoke::slice(0, 3)), {3, 4}),
                    ContainsSubstring("as many columns as values: these are 4 columns and 3 values"));
  CHECK_THROWS_WITH(
      made(starts, columns, gaps(yoke::slice(yoke::none, yoke::none, 2)), {3, 4}),
      ContainsSubstring("the values of a csr_matrix lie without gaps and not reversed: write values.copy()"));
  CHECK_THROWS_WITH(made(starts, columns(yoke::reversed), values, {3, 4}), ContainsSubstring("write columns.copy()"));
  for (const yoke::shape<2>& each : {yoke::shape{-1, 4}, yoke::shape{3, -4}}) {
    CHECK_THROWS_WITH(made(starts, columns, values, each), ContainsSubstring("has an extent of -"));
    CHECK_THROWS_WITH(matrix::from_coordinates(columns, columns, values, each),
                      ContainsSubstring("has an extent of -"));
    const auto none = array({});
    CHECK_THROWS_WITH(made(none, none, values(yoke::slice(0, 0)), each), ContainsSubstring("has an extent of -"));
  }
  CHECK_THROWS_WITH(made(starts, columns, values, {3, std::size_t{3} << 30}),
                    ContainsSubstring("takes indices of 64 bits: write csr_matrix<T, std::int64_t>"));
  CHECK_THROWS_WITH(matrix::from_coordinates(columns, starts(yoke::slice(0, 3)), values, {9, 9}),
                    ContainsSubstring("these are 4 rows, 3 columns and 4 values"));
  CHECK(state.enqueued(mark) == 0);
  // The content.
  CHECK_THROWS_WITH(made(array({1, 2, 2, 4}), columns, values, {3, 4}),
                    ContainsSubstring("starts[0] = 1 of a csr_matrix is not 0"));
  CHECK_THROWS_WITH(made(array({0, 3, 2, 4}), columns, values, {3, 4}),
                    ContainsSubstring("the starts of a csr_matrix ascend: starts[2] = 2 is below starts[1] = 3"));
  CHECK_THROWS_WITH(made(array({0, 2, 2, 3}), columns, values, {3, 4}),
                    ContainsSubstring("starts[3] = 3 of a csr_matrix is not the number of its elements, 4"));
  CHECK_THROWS_WITH(made(starts, array({0, 3, 1, 4}), values, {3, 4}),
                    ContainsSubstring("row 2 of a csr_matrix: columns[3] = 4 is not in [0, 4)"));
  CHECK_THROWS_WITH(made(starts, array({0, -1, 1, 2}), values, {3, 4}),
                    ContainsSubstring("row 0 of a csr_matrix: columns[1] = -1 is not in [0, 4)"));
  CHECK_THROWS_WITH(matrix::from_coordinates(columns, columns, values, {3, 4}),
                    ContainsSubstring("rows[1] = 3 of coordinates is not in [0, 3)"));
  CHECK_THROWS_WITH(matrix::from_coordinates(columns, columns, values, {4, 3}),
                    ContainsSubstring("columns[1] = 3 of coordinates is not in [0, 3)"));
  // Shapes of products.
  const matrix s(starts, columns, values, {3, 4});
  const auto x = yoke::zeros<float>({3}, state.stream);
  auto y = yoke::zeros<float>({4}, state.stream);
  const auto later = state.mark();
  CHECK_THROWS_WITH(yoke::matmul(s, x), ContainsSubstring("matmul of (3, 4) and (3,): 4 is not 3"));
  CHECK_THROWS_WITH(yoke::matvec(s.transpose(), y), ContainsSubstring("matvec of (4, 3) and (4,): 3 is not 4"));
  CHECK_THROWS_WITH(yoke::matmul(y, s), ContainsSubstring("matmul of (4,) and (3, 4): 4 is not 3"));
  CHECK_THROWS_AS(y = yoke::pass::matmul(s, y), yoke::logic_error);
  CHECK_THROWS_AS(y = yoke::pass::matmul(s.transpose(), x) + x, yoke::logic_error);
  CHECK(state.enqueued(later) == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("sparse products of two streams are ordered, and nothing stays", "[sparse][pool]") {
  sparse_rig state(device);
  const yoke::stream<> second(state.context);
  const auto host = fractional(40, 50, 20, 70);
  const auto blocks = [&] { return yoke::array_pool_statistics(state.context).active_blocks; };
  const std::size_t before = blocks();
  {
    auto s = host.on(state.stream);
    auto x = yoke::to_device_array(fractions(50, 71), state.stream);
    const auto y = yoke::to_device_array(fractions(40, 72), second);
    const auto once = yoke::matmul(s, x).to_host();
    const auto across = yoke::matmul(y, s).to_host();  // in the second stream
    auto made = yoke::zeros<float>({40}, second);
    auto turned = yoke::zeros<float>({50}, second);
    for (int k = 0; k < 4; ++k) {
      x = 2.0F * x;
      made = yoke::pass::matmul(s, x);
      turned = yoke::pass::matmul(s.transpose(), y);
      s = 2.0F * s;
    }
    auto expected = once;
    for (float& each : expected) each *= 16 * 8;
    CHECK(same_bits(made.to_host(), expected));
    auto expected_across = across;
    for (float& each : expected_across) each *= 8;
    CHECK(same_bits(turned.to_host(), expected_across));
  }
  CHECK(blocks() == before);
}

YOKE_ANY_DEVICE_TEST_CASE("sparse products are recorded", "[sparse][graph]") {
  recorded_rig on(device);
  const auto host = fractional(40, 50, 20, 80);
  auto x = yoke::to_device_array(fractions(50, 81), on.stream);
  auto later = yoke::zeros<float>({40}, on.stream);
  auto back = yoke::zeros<float>({50}, on.stream);
  const auto kept = host.on(on.stream);
  yoke::graph_executable<> executable;
  {
    const auto s = host.on(on.stream);  // it ends before the graph
    yoke::graph graph{on.context};
    auto record = graph.record();
    later.bind(record) = 2.0F * yoke::pass::matmul(s, x);
    back.bind(record) = yoke::pass::matmul(s.transpose(), later) + 0.5F * x;
    executable = graph.instantiate();
  }
  for (int k = 0; k < 3; ++k) {
    x = 1.5F * x;
    executable.launch(on.stream);
    auto expected = yoke::matmul(kept, x);
    expected = 2.0F * yoke::pass::matmul(kept, x);
    CHECK(same_bits(later.to_host(), expected.to_host()));
    auto expected_back = yoke::zeros<float>({50}, on.stream);
    expected_back = yoke::pass::matmul(kept.transpose(), expected) + 0.5F * x;
    CHECK(same_bits(back.to_host(), expected_back.to_host()));
  }
}
