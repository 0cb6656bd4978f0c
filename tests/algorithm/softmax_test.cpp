// SPDX-License-Identifier: MIT
// softmax, log_softmax, logsumexp and normalise against sums in double, of rows along every axis, in place and recorded.
#include <array/reduction/recorded_rig.hpp>
#include <support/sample.hpp>

#include <yoke/algorithm.hpp>

#include <cmath>
#include <limits>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

/// What the functions give for one row.
struct row_model {
  explicit row_model(const std::vector<double>& row) : of(row) {
    for (const double each : row) most = std::max(most, each);
    for (const double each : row) total += std::exp(each - most);
    for (const double each : row) mean += each / static_cast<double>(row.size());
    for (const double each : row) variance += (each - mean) * (each - mean) / static_cast<double>(row.size());
  }
  [[nodiscard]] double softmax(std::size_t i) const { return std::exp(of[i] - most) / total; }
  [[nodiscard]] double log_softmax(std::size_t i) const { return of[i] - most - std::log(total); }
  [[nodiscard]] double logsumexp() const { return most + std::log(total); }
  [[nodiscard]] double normal(std::size_t i, double epsilon) const {
    return (of[i] - mean) / std::sqrt(variance + epsilon);
  }
  std::vector<double> of;
  double most = -std::numeric_limits<double>::infinity();
  double total = 0;
  double mean = 0;
  double variance = 0;
};
template <class T>
bool near(T got, double wanted, double bound) {
  return std::abs(static_cast<double>(got) - wanted) <= bound * (1 + std::abs(wanted));
}

template <class T>
void check_rows(any_rig& state, double bound) {
  static constexpr std::size_t rows = 5;
  constexpr std::size_t columns = 300;
  std::vector<T> host(rows * columns);
  const std::vector<float> numbers = random_values<float>(host.size());
  for (std::size_t i = 0; i < host.size(); ++i) {
    host[i] = static_cast<T>(std::fmod(numbers[i], 8.0F) + static_cast<float>(i / columns * 20));
  }
  const auto a = yoke::to_device_array(host, {rows, columns}, state.stream);
  const auto check = [&](const auto& of, const auto& axes, const char* what) {
    INFO(what);
    const auto soft = yoke::softmax(of, axes);
    const auto logs = yoke::log_softmax(of, axes);
    const auto sums = yoke::logsumexp(of, axes);
    const auto normal = yoke::normalise(of, axes, {.epsilon = 0.5});
    REQUIRE(sums.shape() == yoke::shape<1>{rows});
    const auto turned = [](const auto& made) {
      return made.shape()[0] == rows ? made.to_host() : made.transpose().to_host();
    };
    const auto soft_host = turned(soft);
    const auto log_host = turned(logs);
    const auto normal_host = turned(normal);
    const auto sum_host = sums.to_host();
    bool right = true;
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<double> values(columns);
      for (std::size_t i = 0; i < columns; ++i) values[i] = static_cast<double>(host[row * columns + i]);
      const row_model model(values);
      right = right && near(sum_host[row], model.logsumexp(), bound);
      for (std::size_t i = 0; i < columns; ++i) {
        right = right && near(soft_host[row * columns + i], model.softmax(i), bound) &&
                near(log_host[row * columns + i], model.log_softmax(i), bound) &&
                near(normal_host[row * columns + i], model.normal(i, 0.5), bound);
      }
    }
    CHECK(right);
  };
  check(a, yoke::along(1), "rows");
  check(a.transpose(), yoke::along(0), "columns of a transposed view");
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("softmax and its kin of every kind of real number", "[algorithm]") {
  any_rig state(device);
  turns turn(device);
  if (turn()) check_rows<float>(state, 2e-6);
  if (turn()) check_rows<double>(state, 1e-13);
  if (turn()) check_rows<int>(state, 1e-13);
  if (turn()) check_rows<yoke::half>(state, 2e-3);
  if (turn()) check_rows<yoke::bfloat16>(state, 2e-2);
}

YOKE_ANY_DEVICE_TEST_CASE("softmax of several axes, of expressions, in place and across", "[algorithm]") {
  any_rig state(device);
  const auto& stream = state.stream;
  const auto cube = yoke::to_device_array(random_values<float>(3 * 4 * 5), {3, 4, 5}, stream);
  const auto small = yoke::evaluate(cube / 1000);
  const auto of_two = yoke::softmax(cube / 1000, yoke::along(0, -1));
  const auto sums = yoke::sum(of_two, yoke::along(0, 2)).to_host();
  REQUIRE(sums.size() == 4);
  for (const float each : sums) CHECK(near(each, 1, 1e-6));
  CHECK(yoke::logsumexp(small, yoke::along(1).keep_dims()).shape() == yoke::shape<3>{3, 1, 5});
  CHECK(yoke::logsumexp(small, yoke::along(0, 1, 2)).shape() == yoke::shape<0>{});
  // In place, also where the destination is the transposed operand.
  auto square = yoke::to_device_array(random_values<float>(40 * 40), {40, 40}, stream);
  square = square / 1000;
  const auto before = square.copy();
  const auto wanted = yoke::softmax(before.transpose(), yoke::along(1)).to_host();
  square = yoke::pass::softmax(square.transpose(), yoke::along(1));
  CHECK(square.to_host() == wanted);
  square = yoke::pass::normalise(before, yoke::along(0), {.fewer = 1});
  CHECK(near(yoke::variance(square(yoke::whole, 3), 1).get(), 1, 1e-4));
  CHECK(std::abs(yoke::mean(square(yoke::whole, 3)).get()) <= 1e-6F);
}

YOKE_ANY_DEVICE_TEST_CASE("softmax of infinite and great elements, of rows without elements", "[algorithm]") {
  any_rig state(device);
  const float inf = std::numeric_limits<float>::infinity();
  const auto a = yoke::to_device_array(
      {{1e38F, 1e38F, -inf}, {-inf, -inf, -inf}, {inf, 0.0F, 1.0F}, {0.0F, std::nanf(""), 1.0F}}, state.stream);
  const auto soft = yoke::softmax(a, yoke::along(1)).to_host();
  CHECK((soft[0] == 0.5F && soft[1] == 0.5F && soft[2] == 0));
  for (std::size_t i = 3; i < 6; ++i) CHECK(std::isnan(soft[i]));
  CHECK(std::isnan(soft[9]));
  CHECK(yoke::log_softmax(a, yoke::along(1)).to_host()[2] == -inf);
  const auto sums = yoke::logsumexp(a, yoke::along(1)).to_host();
  CHECK((sums[0] == 1e38F && sums[1] == -inf && sums[2] == inf && std::isnan(sums[3])));
  const auto flat = yoke::normalise(yoke::ones<float>({2, 3}, state.stream), yoke::along(1)).to_host();
  CHECK(std::isnan(flat[0]));
  const auto none = yoke::zeros<float>({2, 0}, state.stream);
  CHECK(yoke::softmax(none, yoke::along(1)).shape() == yoke::shape<2>{2, 0});
  CHECK_THROWS_AS(yoke::logsumexp(none, yoke::along(1)), yoke::logic_error);
  CHECK_THROWS_AS(yoke::softmax(a, yoke::along(2)), yoke::logic_error);
  auto to = yoke::zeros<float>({4, 4}, state.stream);
  CHECK_THROWS_AS(to = yoke::pass::softmax(a, yoke::along(1)), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("softmax is recorded, and reads what is there at each launch", "[algorithm][graph]") {
  recorded_rig on(device);
  auto a = yoke::to_device_array({{0.0F, 0.0F}, {1.0F, 1.0F}}, on.stream);
  auto p = yoke::zeros<float>({2, 2}, on.stream);
  yoke::graph graph{on.context};
  auto record = graph.record();
  p.bind(record) = yoke::pass::softmax(a, yoke::along(1));
  const auto run = graph.instantiate();
  run.launch(on.stream);
  CHECK(p.to_host() == std::vector<float>{0.5F, 0.5F, 0.5F, 0.5F});
  a.assign(std::vector<float>{0, 200, 200, 0});
  run.launch(on.stream);
  CHECK(p.to_host() == std::vector<float>{0, 1, 1, 0});
}
