// SPDX-License-Identifier: MIT
// Reductions inside of expressions: their results, in one kernel and in several.
#include <array/reduction/recorded_rig.hpp>
#include <support/sample.hpp>

#include <yoke/algorithm.hpp>
#include <yoke/struct.hpp>

#include <cmath>
#include <complex>
#include <utility>

using namespace yoke_test;
using namespace yoke_test::arrays;
using Catch::Matchers::ContainsSubstring;
using yoke::along;
using yoke::device_array;
using yoke::whole;

namespace {

struct weighted {
  float value;
  int weight;
};

}  // namespace

YOKE_STRUCT(weighted, value, weight);

namespace {

/// Returns: numbers of a size from -4 to 4.
template <class T = float>
std::vector<T> small_values(std::size_t count) {
  const std::vector<float> numbers = random_values<float>(count);
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(std::fmod(numbers[i] / 300, 4.0F) + 0.01F);
  return values;
}
template <class T = float, std::size_t Rank>
device_array<T, Rank> made(const yoke::stream<>& stream, const yoke::shape<Rank>& shape) {
  return yoke::to_device_array(small_values<T>(yoke::detail::volume(shape.begin(), shape.rank())), shape, stream);
}

/// Checks softmax in NumPy's words, scores and sums against arrays made one after the other, which have the same bits.
template <class X, class Axes>
void check_words(const X& x, const Axes& axes) {
  using T = typename X::value_type;
  const auto keep = axes.keep_dims();
  const auto most = yoke::max(x, keep);
  const auto powers = yoke::evaluate(exp(x - most));
  const auto sums = yoke::sum(powers, keep);
  const auto e = exp(x - yoke::pass::max(x, keep));
  const device_array inside(e / yoke::pass::sum(e, keep));
  REQUIRE(inside.shape() == x.shape());
  CHECK(inside.to_host() == yoke::evaluate(powers / sums).to_host());

  const auto distances = yoke::evaluate(x - yoke::mean(x, keep));
  CHECK(device_array(x - yoke::pass::mean(x, keep)).to_host() == distances.to_host());
  const device_array scores((x - yoke::pass::mean(x, keep)) / sqrt(yoke::pass::variance(x, keep, 1) + T(1)));
  CHECK(scores.to_host() == yoke::evaluate(distances / sqrt(yoke::variance(x, keep, 1) + T(1))).to_host());
  // Results for each row, from two reductions.
  const device_array logs(log(yoke::pass::sum(e, keep)) + yoke::pass::max(x, keep));
  CHECK(logs.to_host() == yoke::evaluate(log(sums) + most).to_host());
  CHECK(yoke::sum(e, axes).to_host() == sums.to_host());
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("reductions inside of expressions have the bits of arrays made one after the other",
                          "[array]") {
  any_rig state(device);
  turns turn(device);
  const auto floats = [&](auto... extents) {
    return made(state.stream, yoke::shape<sizeof...(extents)>{static_cast<std::size_t>(extents)...});
  };
  if (turn()) check_words(floats(70, 300), along(1));
  if (turn()) check_words(floats(64, 8192), along(1));  // of several tiles
  if (turn()) check_words(floats(72, 128), along(1));   // of a warp's elements exactly
  if (turn()) check_words(floats(300, 10), along(1));   // rows that a thread runs alone
  if (turn()) check_words(floats(10, 300), along(0));
  if (turn()) check_words(floats(5, 64, 90).transpose({1, 0, 2}), along(2));  // rows of two axes
  if (turn()) check_words(floats(3, 20), along(1));
  if (!runs_whole()) return;
  if (turn()) check_words(floats(70, 5000), along(-1));
  if (turn()) check_words(floats(64, 4608), along(1));
  if (turn()) check_words(floats(65, 512), along(1));
  if (turn()) check_words(floats(64, 256).reshape({8, 8, 256}), along(2));
  if (turn()) check_words(floats(66, 10000), along(1));
  if (turn()) check_words(floats(64, 20000), along(1));  // longer than a block has threads for
  if (turn()) check_words(floats(70, 33), along(1));
  if (turn()) check_words(floats(1000, 32), along(1));
  if (turn()) check_words(floats(700, 2), along(1));
  if (turn()) check_words(floats(4, 7, 70), along(0));
  if (turn()) check_words(floats(90, 5, 2), along(1, 2));
  if (turn()) check_words(floats(20, 3, 17).transpose({1, 0, 2}), along(2));
  if (turn()) check_words(floats(300, 70), along(0));
  if (turn()) check_words(floats(5, 17, 90), along(0, 2));
  if (turn()) check_words(floats(64, 11, 90), along(1, 2));
  if (turn()) check_words(floats(90, 3, 70).transpose({0, 2, 1}), along(1, 2));
  if (turn()) check_words(floats(9000), along(0));
  if (turn()) check_words(made<double>(state.stream, yoke::shape{70, 500}), along(1));
}

YOKE_ANY_DEVICE_TEST_CASE("an expression with reductions of rows inside is one kernel", "[array]") {
  counting_rig state(device);
  const auto x = made(state.stream, yoke::shape{70, 300});
  device_array<float, 2> to(state.stream, x.shape());
  device_array<float, 1> of_rows(state.stream, yoke::shape{70});
  const auto count = [&](const auto& run) {
    run();  // compiles
    const std::size_t mark = state.mark();
    run();
    return state.enqueued(mark);
  };
  const auto e = exp(x - yoke::pass::max(x, along(1).keep_dims()));
  CHECK(count([&] { to = e / yoke::pass::sum(e, along(1).keep_dims()); }) == 1);
  CHECK(count([&] { to = yoke::pass::softmax(x, along(1)); }) == 1);
  CHECK(count([&] { to = yoke::pass::log_softmax(x, along(1)); }) == 1);
  CHECK(count([&] { to = yoke::pass::normalise(x, along(1)); }) == 1);
  CHECK(count([&] { of_rows = yoke::pass::logsumexp(x, along(1)); }) == 1);
  CHECK(count([&] { of_rows = yoke::pass::variance(x, along(1)); }) == 1);
  CHECK(count([&] { (void)yoke::variance(x, along(1)); }) == 1);
  CHECK(count([&] { (void)yoke::mean(e, along(1)); }) == 1);
  CHECK(count([&] { to /= yoke::pass::sum(to, along(1).keep_dims()); }) == 1);
  // The order of factors does not matter.
  const auto column = made(state.stream, yoke::shape{70, 1});
  CHECK(count([&] { to = x / yoke::pass::sum(column * x, along(1).keep_dims()); }) == 1);
  const auto narrow = x(whole, yoke::slice(0, 10)).copy();
  device_array<float, 2> narrow_to(state.stream, narrow.shape());
  CHECK(count([&] { narrow_to = yoke::pass::softmax(narrow, along(1)); }) == 1);
  device_array<float, 2> low_to(state.stream, yoke::shape{10, 300});
  CHECK(count([&] { low_to = yoke::pass::softmax(x(yoke::slice(0, 10), whole), along(0)); }) == 1);
  // Long columns, few rows and all elements take several.
  CHECK(count([&] { to = yoke::pass::softmax(x, along(0)); }) > 1);
  CHECK(count([&] { to(yoke::slice(0, 5), whole) = yoke::pass::softmax(x(yoke::slice(0, 5), whole), along(1)); }) > 1);
  CHECK(count([&] { to = x / yoke::pass::sum(x); }) > 1);
}

YOKE_ANY_DEVICE_TEST_CASE("reductions inside of expressions are of every kind and type", "[array]") {
  any_rig state(device);
  turns turn(device);
  const yoke::shape shape{65, 100};
  const auto keep = along(1).keep_dims();
  const auto check = [](const auto& inside, const auto& apart) {
    CHECK(yoke::evaluate(inside).to_host() == yoke::evaluate(apart).to_host());
  };
  if (turn()) {
    const auto x = made<int>(state.stream, shape);
    check(x * yoke::pass::sum(x, keep), x * yoke::sum(x, keep));
    check(x - yoke::pass::mean(x, keep), x - yoke::mean(x, keep));
    check(where(yoke::pass::any(x > 2, keep), x, 0), where(yoke::any(x > 2, keep), x, 0));
    check(x + yoke::pass::count(x > 1, keep), x + yoke::count(x > 1, keep));
    check(x % 7 == yoke::pass::min(x % 7, keep), x % 7 == yoke::min(x % 7, keep));
    check(x + yoke::pass::argmax(x, keep), x + yoke::argmax(x, keep));
  }
  if (turn()) {
    const auto x = made<yoke::half>(state.stream, shape);
    check(yoke::cast<yoke::half>(x / yoke::pass::norm(x, keep)), yoke::cast<yoke::half>(x / yoke::norm(x, keep)));
    check(x - yoke::pass::prod(x, keep), x - yoke::prod(x, keep));
    const auto y = made<yoke::bfloat16>(state.stream, shape);
    check(y - yoke::pass::max(-y, keep), y - yoke::max(-y, keep));
    check(y * yoke::pass::all(y != 0.0F, keep), y * yoke::all(y != 0.0F, keep));
  }
  if (turn()) {
    using number = std::complex<float>;
    std::vector<number> host(yoke::detail::volume(shape.begin(), shape.rank()));
    const auto parts = small_values(2 * host.size());
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = {parts[2 * i], parts[2 * i + 1]};
    const auto z = yoke::to_device_array(host, shape, state.stream);
    check(z - yoke::pass::mean(z, keep), z - yoke::mean(z, keep));
    check(z * yoke::pass::norm(z, keep), z * yoke::norm(z, keep));
    check(abs(z) / yoke::pass::variance(z, keep), abs(z) / yoke::variance(z, keep));
  }
  if (turn()) {  // texts and numbers of the program, in each part
    const auto x = made(state.stream, shape);
    const auto scaled = yoke::apply<"a * b + 1">(x, 0.5F);
    const auto most = yoke::pass::reduce<"fabs(a) > fabs(b) ? a : b", "0">(scaled, keep);
    check(yoke::apply<"a > b ? a - b : c">(x, most, 3.0F) - 2.0F,
          yoke::apply<"a > b ? a - b : c">(
              x, yoke::reduce<"fabs(a) > fabs(b) ? a : b", "0">(yoke::evaluate(scaled), keep), 3.0F) -
              2.0F);
    // Two variances with different divisors, and one of each twice.
    check(yoke::pass::variance(x, keep) / yoke::pass::variance(x, keep, 1) + x,
          yoke::variance(x, keep) / yoke::variance(x, keep, 1) + x);
    check(x / yoke::pass::max(abs(x), keep) + yoke::pass::max(abs(x), keep),
          x / yoke::max(abs(x), keep) + yoke::max(abs(x), keep));
  }
  if (turn()) {  // other arrays, of rows and of columns
    const auto x = made(state.stream, shape);
    const auto gain = made(state.stream, yoke::shape{100});
    const auto bias = made(state.stream, yoke::shape{65, 1});
    const auto other = made(state.stream, shape);
    const auto middle = yoke::mean(x * gain, keep);
    check((x - yoke::pass::mean(x * gain, keep)) / (gain + 9.0F) - bias, (x - middle) / (gain + 9.0F) - bias);
    check(x - yoke::pass::max(other - bias, keep), x - yoke::max(other - bias, keep));
    check(bias - yoke::pass::sum(x - yoke::pass::min(other, keep), keep),
          bias - yoke::sum(x - yoke::min(other, keep), keep));
    // Reductions of other shapes.
    check(x - yoke::pass::sum(bias, along(0)), x - yoke::sum(bias, along(0)));
    check(x - yoke::pass::mean(gain), x - yoke::mean(gain));
    check(x / yoke::pass::mean(x, along(0)) + yoke::pass::max(x, keep),
          x / yoke::mean(x, along(0)) + yoke::max(x, keep));
  }
}

YOKE_ANY_DEVICE_TEST_CASE("structs and long expressions with reductions inside take several kernels", "[array]") {
  any_rig state(device);
  const auto keep = along(1).keep_dims();
  const auto x = made(state.stream, yoke::shape{65, 40});
  std::vector<weighted> host(65 * 40);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = {static_cast<float>(i % 17), static_cast<int>(i % 5)};
  const auto structs = yoke::to_device_array(host, {65, 40}, state.stream);
  const auto chosen = yoke::member<&weighted::value>(where(x > 0.0F, structs, weighted{1, 2}));
  CHECK(device_array(chosen - yoke::pass::max(chosen, keep)).to_host() ==
        device_array(chosen - yoke::max(chosen, keep)).to_host());
  const auto several = [&](const auto& most, const auto& least) {
    const auto sum = most + least + most * least + (most - least) * (least + 2.0F * most);
    return where(x > 0.0F, sum, least);
  };
  CHECK(device_array(several(yoke::pass::max(x, keep), yoke::pass::min(x, keep))).to_host() ==
        device_array(several(yoke::max(x, keep), yoke::min(x, keep))).to_host());
  const auto many = [&](const auto& most) {
    return max(x, max(-x, max(x, max(-x, max(x, max(-x, max(x, -x))))))) - most;
  };
  CHECK(device_array(many(yoke::pass::max(x, keep))).to_host() == device_array(many(yoke::max(x, keep))).to_host());
}

YOKE_ANY_DEVICE_TEST_CASE("results of reductions without an axis broadcast as arrays do", "[array]") {
  any_rig state(device);
  const auto x = made(state.stream, yoke::shape{70, 70});
  // The sum of row i belongs to column i.
  CHECK(device_array(x - yoke::pass::sum(x, along(1))).to_host() == device_array(x - yoke::sum(x, along(1))).to_host());
  const auto e = x - yoke::pass::sum(x, along(1));
  CHECK(yoke::sum(e, along(1)).to_host() == yoke::sum(yoke::evaluate(x - yoke::sum(x, along(1))), along(1)).to_host());
  CHECK(device_array(yoke::pass::sum(x, along(1)) / yoke::pass::max(x, along(1).keep_dims())).to_host() ==
        device_array(yoke::sum(x, along(1)) / yoke::max(x, along(1).keep_dims())).to_host());
  // A destination with more axes repeats them.
  device_array<float, 3> twice(state.stream, yoke::shape{2, 70, 70});
  twice = x - yoke::pass::mean(x, along(1).keep_dims());
  const device_array once(x - yoke::mean(x, along(1).keep_dims()));
  CHECK(twice(0, whole, whole).copy().to_host() == once.to_host());
  CHECK(twice(1, whole, whole).copy().to_host() == once.to_host());
  device_array<float, 2> spread(state.stream, yoke::shape{70, 70});
  spread = yoke::pass::max(x, along(1).keep_dims()) - yoke::pass::min(x, along(1).keep_dims());
  CHECK(spread.to_host() == device_array(yoke::zeros<float>({70, 70}, state.stream) +
                                         (yoke::max(x, along(1).keep_dims()) - yoke::min(x, along(1).keep_dims())))
                                .to_host());
}

YOKE_ANY_DEVICE_TEST_CASE("expressions with reductions inside are assigned to arrays that they read", "[array]") {
  any_rig state(device);
  const auto keep = along(1).keep_dims();
  const auto original = made(state.stream, yoke::shape{70, 70});
  const auto wanted = device_array(original - yoke::mean(original, keep)).to_host();
  auto x = original.copy();
  x = x - yoke::pass::mean(x, keep);
  CHECK(x.to_host() == wanted);
  x = original.copy();
  x -= yoke::pass::mean(x, keep);
  CHECK(x.to_host() == wanted);
  // The destination in another order than the operand, shifted, and another row for each.
  x = original.copy();
  const auto turned = device_array(original.transpose() - yoke::mean(original.transpose(), keep)).to_host();
  x = x.transpose() - yoke::pass::mean(x.transpose(), keep);
  CHECK(x.to_host() == turned);
  x = original.copy();
  const auto lower = original(yoke::slice(1, 66), whole);
  x(yoke::slice(0, 65), whole) = x(yoke::slice(1, 66), whole) - yoke::pass::max(x(yoke::slice(1, 66), whole), keep);
  CHECK(x(yoke::slice(0, 65), whole).copy().to_host() == device_array(lower - yoke::max(lower, keep)).to_host());
  x = original.copy();
  x = original - yoke::pass::max(x.transpose(), keep);
  CHECK(x.to_host() == device_array(original - yoke::max(original.transpose(), keep)).to_host());
  // Columns of a table that is wider, and a column of the rows' results.
  auto table = made(state.stream, yoke::shape{70, 90});
  const auto before = table.copy();
  table(whole, yoke::slice(10, 80)) = original / yoke::pass::norm(original, keep);
  CHECK(table(whole, yoke::slice(10, 80)).copy().to_host() ==
        device_array(original / yoke::norm(original, keep)).to_host());
  CHECK(table(whole, yoke::slice(80, 90)).copy().to_host() == before(whole, yoke::slice(80, 90)).copy().to_host());
  table(whole, yoke::slice(3, 4)) = yoke::pass::sum(original - yoke::pass::min(original, keep), keep);
  CHECK(table(whole, yoke::slice(3, 4)).copy().to_host() ==
        yoke::sum(yoke::evaluate(original - yoke::min(original, keep)), keep).to_host());
  CHECK(table(whole, 2).copy().to_host() == before(whole, 2).copy().to_host());
}

YOKE_ANY_DEVICE_TEST_CASE("functions of arrays take expressions with reductions inside", "[array][algorithm]") {
  any_rig state(device);
  const auto v = made(state.stream, yoke::shape{5000});
  const auto e = v - yoke::pass::mean(v);
  const auto m = yoke::evaluate(v - yoke::mean(v));
  CHECK(yoke::cumsum(e).to_host() == yoke::cumsum(m).to_host());
  CHECK(yoke::sorted(e).to_host() == yoke::sorted(m).to_host());
  CHECK(yoke::copy_if(v, e > 0.0F).to_host() == yoke::copy_if(v, m > 0.0F).to_host());
  CHECK(yoke::count(e > 0.0F).get() == yoke::count(m > 0.0F).get());
  CHECK(yoke::dot(e, v).get() == yoke::dot(m, v).get());
  CHECK(yoke::histogram(e, 10, -4, 4).to_host() == yoke::histogram(m, 10, -4, 4).to_host());
  const auto table = made(state.stream, yoke::shape{70, 10});
  const device_array sums(yoke::pass::sum(table, along(1)));
  CHECK(sums.to_host() == yoke::sum(table, along(1)).to_host());
  CHECK(yoke::evaluate(yoke::pass::max(table, along(0).keep_dims())).to_host() ==
        yoke::max(table, along(0).keep_dims()).to_host());
  CHECK(yoke::sum(yoke::pass::max(table, along(1))).get() == yoke::sum(yoke::max(table, along(1))).get());
  CHECK(yoke::sum(yoke::pass::max(table, along(1).keep_dims()), along(0)).to_host() ==
        yoke::sum(yoke::max(table, along(1).keep_dims()), along(0)).to_host());
  const auto [total, most] = yoke::in_one_pass(yoke::pass::sum(e), yoke::pass::max(v));
  CHECK(total.get() == yoke::sum(m).get());
  CHECK(most.get() == yoke::max(v).get());
  const auto x = made(state.stream, yoke::shape{70, 100});
  CHECK(yoke::softmax(x - yoke::pass::mean(x, along(1).keep_dims()), along(1)).to_host() ==
        yoke::softmax(x - yoke::mean(x, along(1).keep_dims()), along(1)).to_host());
  auto first = v.copy();
  first(0) = 2.0F * yoke::pass::max(v);
  CHECK(first(0).value() == 2.0F * yoke::max(v).get());
}

YOKE_ANY_DEVICE_TEST_CASE("a recorder takes expressions with reductions inside", "[array][graph]") {
  recorded_rig state(device);
  for (const std::size_t rows : {70U, 5U}) {  // one kernel, and several
    auto x = made(state.stream, yoke::shape{rows, 300});
    auto to = yoke::zeros<float>({rows, 300}, state.stream);
    yoke::graph graph{state.context};
    auto record = graph.record();
    to.bind(record) = x - yoke::pass::max(x, along(1).keep_dims());
    const auto executable = graph.instantiate();
    x = -x;
    executable.launch(state.stream);
    CHECK(to.to_host() == device_array(x - yoke::max(x, along(1).keep_dims())).to_host());
  }
}

YOKE_ANY_DEVICE_TEST_CASE("rows of more elements than 32 bits count have the same results", "[array]") {
  any_rig state(device);
  const auto x = made(state.stream, yoke::shape{70, 100});
  const auto narrow = yoke::softmax(x, along(1)).to_host();
  struct lowered {
    ~lowered() { yoke::detail::narrow_limit() = before; }
    std::int64_t before = std::exchange(yoke::detail::narrow_limit(), 1000);
  } limit;
  CHECK(yoke::softmax(x, along(1)).to_host() == narrow);
}

YOKE_ANY_DEVICE_TEST_CASE("mistakes in reductions inside of expressions are named", "[array]") {
  any_rig state(device);
  const auto x = made(state.stream, yoke::shape{70, 100});
  CHECK_THROWS_WITH(yoke::evaluate(x - yoke::pass::max(x, along(2).keep_dims())), ContainsSubstring("axis 2"));
  CHECK_THROWS_WITH(yoke::evaluate(x - yoke::pass::max(x, along(0, 0))), ContainsSubstring("twice"));
  CHECK_THROWS_WITH(yoke::evaluate(x - yoke::pass::max(x, along(1))), ContainsSubstring("(70,)"));
  const device_array<float, 2> none(state.stream, yoke::shape{70, 0});
  CHECK_THROWS_WITH(yoke::evaluate(yoke::pass::max(none, along(1).keep_dims()) + 1.0F),
                    ContainsSubstring("the greatest of no elements"));
  for (const yoke::shape<3>& shape : {yoke::shape{64, 0, 5}, yoke::shape{64, 5, 0}, yoke::shape{63, 0, 5}}) {
    const device_array<float, 3> empty(state.stream, shape);
    const auto two = along(1, 2).keep_dims();
    CHECK_THROWS_WITH(yoke::evaluate(2.0F * yoke::pass::max(empty, two)), ContainsSubstring("of no elements"));
    CHECK_THROWS_WITH(yoke::evaluate(empty - yoke::pass::min(empty, two)), ContainsSubstring("of no elements"));
    CHECK_THROWS_WITH(yoke::sum(empty - yoke::pass::max(empty, two), along(1, 2)), ContainsSubstring("of no elements"));
    CHECK_THROWS_WITH(yoke::logsumexp(empty, along(1, 2)), ContainsSubstring("of no elements"));
    CHECK(yoke::evaluate(2.0F * yoke::pass::sum(empty, two)).to_host() == std::vector<float>(shape[0]));
  }
  CHECK(yoke::evaluate(yoke::pass::sum(none, along(1).keep_dims()) + 1.0F).to_host() == std::vector<float>(70, 1.0F));
  CHECK(yoke::evaluate(none - yoke::pass::sum(none, along(0).keep_dims())).shape() == yoke::shape{70, 0});
  const device_array<float, 2> nothing;
  CHECK_THROWS_WITH(yoke::evaluate(x - yoke::pass::sum(nothing)), ContainsSubstring("empty"));
}
