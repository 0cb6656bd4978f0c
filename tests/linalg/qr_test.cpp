// SPDX-License-Identifier: MIT
// QR factorisations of every type and layout, by the products of their factors.
#include <linalg/factor_rig.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using namespace yoke_test::factors;

namespace {

template <class T>
void check_factors(const matrix& a, const matrix& q, const matrix& r) {
  for (std::size_t i = 0; i < r.rows; ++i) {
    for (std::size_t j = 0; j < std::min(i, r.columns); ++j) REQUIRE(r(i, j) == exact(0));
  }
  const double size = 10 * static_cast<double>(std::max(a.rows, a.columns)) * epsilon_of<T>;
  CHECK((q.turned() * q - identity(q.columns)).norm() <= size);
  CHECK((q * r - a).norm() <= size * a.norm());
}
template <class T>
void check_sizes(factor_rig& state) {
  for (const auto& [m, n] : {std::pair{1U, 1U}, {7U, 7U}, {40U, 40U}, {29U, 11U}, {11U, 29U}}) {
    INFO(m << " x " << n);
    const matrix a = random_matrix<T>(m, n, m);
    const auto given = on_device<T>(a, state.stream);
    const std::size_t least = std::min(m, n);
    const auto [q, r] = yoke::qr(given);
    REQUIRE(q.shape() == yoke::shape<2>{m, least});
    REQUIRE(r.shape() == yoke::shape<2>{least, n});
    check_factors<T>(a, matrix(m, least, q.to_host()), matrix(least, n, r.to_host()));
    const auto [all, upper] = yoke::qr(given, {.complete = true});
    REQUIRE(all.shape() == yoke::shape<2>{m, m});
    REQUIRE(upper.shape() == yoke::shape<2>{m, n});
    check_factors<T>(a, matrix(m, m, all.to_host()), matrix(m, n, upper.to_host()));
    CHECK(given.to_host() == a.values<T>());
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("makes columns of every type orthonormal", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(8);
  turns takes_next(device);
  if (takes_next()) check_sizes<float>(state);
  if (takes_next()) check_sizes<std::complex<float>>(state);
  if (takes_next()) check_sizes<std::complex<double>>(state);
  if (takes_next()) check_sizes<double>(state);
}

YOKE_ANY_DEVICE_TEST_CASE("makes columns orthonormal in panels of the usual width", "[linalg]") {
  factor_rig state(device);
  const matrix a = random_matrix<float>(75, 70, 3);
  const auto [q, r] = yoke::qr(on_device<float>(a, state.stream));
  check_factors<float>(a, matrix(75, 70, q.to_host()), matrix(70, 70, r.to_host()));
}

YOKE_ANY_DEVICE_TEST_CASE("makes columns of batches, views and expressions orthonormal", "[linalg]") {
  factor_rig state(device);
  const by_width narrow(3);
  const auto all = random_matrix<float>(6 * 9, 5, 4).values<float>();
  const auto batch = yoke::to_device_array(all, {2, 3, 9, 5}, state.stream);
  const auto [q, r] = yoke::qr(batch);
  REQUIRE(q.shape() == yoke::shape<4>{2, 3, 9, 5});
  REQUIRE(r.shape() == yoke::shape<4>{2, 3, 5, 5});
  const auto of_q = q.to_host();
  const auto of_r = r.to_host();
  for (std::size_t k = 0; k < 6; ++k) {
    check_factors<float>(matrix(9, 5, all, k * 45), matrix(9, 5, of_q, k * 45), matrix(5, 5, of_r, k * 25));
  }
  const auto view = batch(1, 1, yoke::slice(yoke::none, yoke::none, -2)).transpose();
  const auto dense = yoke::qr(view.copy());
  CHECK(yoke::qr(view).q.to_host() == dense.q.to_host());
  CHECK(yoke::qr(1.0F * view).r.to_host() == dense.r.to_host());
  const yoke::device_view<const float, 2> constant = view;
  CHECK(yoke::qr(constant).q.to_host() == dense.q.to_host());
}

YOKE_ANY_DEVICE_TEST_CASE("makes columns orthonormal that depend on each other, are great or small, or hold nothing",
                          "[linalg]") {
  factor_rig state(device);
  const by_width narrow(2);
  matrix same(6, 4);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 4; ++j) same(i, j) = j == 2 ? 0.0 : static_cast<double>(i + 1);
  }
  for (const double scale : {1.0, 0x1p100, 0x1p-100}) {
    INFO(scale);
    matrix scaled = same;
    for (exact& each : scaled.at) each *= scale;
    const auto [q, r] = yoke::qr(on_device<float>(scaled, state.stream));
    check_factors<float>(scaled, matrix(6, 4, q.to_host()), matrix(4, 4, r.to_host()));
  }
  const auto zeros = yoke::qr(yoke::zeros<float>({3, 2}, state.stream));
  CHECK(zeros.q.to_host() == std::vector<float>{1, 0, 0, 1, 0, 0});
  CHECK(zeros.r.to_host() == std::vector<float>(4));
  CHECK(yoke::qr(yoke::zeros<float>({0, 2}, state.stream)).r.shape() == yoke::shape<2>{0, 2});
  CHECK(yoke::qr(yoke::zeros<float>({2, 0}, state.stream), {.complete = true}).q.to_host() ==
        std::vector<float>{1, 0, 0, 1});
  auto unknown = yoke::ones<float>({3, 2}, state.stream);
  unknown(1, 0) = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(yoke::qr(unknown).r.to_host()[0]));
}
