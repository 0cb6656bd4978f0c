// SPDX-License-Identifier: MIT
// The price of an option by random paths, in one launch of a graph: the device draws until the price is exact enough, and then sorts
// the last outcomes for their quantiles.
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/random.hpp>
#include <yoke/yoke.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace {

constexpr float start = 100, strike = 105, rate = 0.03F, volatility = 0.2F;  // a year ahead
constexpr std::size_t paths = 1 << 14;                                       // of a round
constexpr float wanted = 0.05F;                                              // the standard error of the price

double normal_below(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
/// Black and Scholes' formula.
double exact_price() {
  const double up = (std::log(start / strike) + rate + 0.5 * volatility * volatility) / volatility;
  return start * normal_below(up) - strike * std::exp(-rate) * normal_below(up - volatility);
}

int price() {
  namespace pass = yoke::pass;
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  yoke::random_generator random{2024};
  auto z = yoke::zeros<float>({paths}, stream);
  auto gain = yoke::zeros<float>({paths}, stream);
  auto winners = yoke::selection<float>{stream, paths};
  yoke::device_value<float> sum{stream}, squares{stream}, round_sum{stream}, round_squares{stream}, mean{stream},
      error{stream};
  yoke::device_value<float> median{stream};
  yoke::device_value<int> rounds{stream}, go_on{stream};

  yoke::graph graph{context};
  auto record = graph.record();
  sum.bind(record) = 0;
  squares.bind(record) = 0;
  rounds.bind(record) = 0;
  go_on.bind(record) = 1;
  record.repeat_while(go_on, [&](auto& line) {
    random.fill_normal(z.bind(line));
    const auto end = start * exp(rate - 0.5F * volatility * volatility + volatility * z);
    gain.bind(line) = std::exp(-rate) * max(end - strike, 0.0F);
    round_sum.bind(line) = pass::sum(gain);
    round_squares.bind(line) = pass::dot(gain, gain);
    rounds.bind(line) += 1;
    sum.bind(line) += round_sum.array();
    squares.bind(line) += round_squares.array();
    const auto count = yoke::cast<float>(rounds.array()) * static_cast<float>(paths);
    mean.bind(line) = sum.array() / count;
    error.bind(line) = sqrt((squares.array() / count - mean.array() * mean.array()) / count);
    go_on.bind(line) = yoke::cast<int>(error.array() > wanted and rounds.array() < 1000);
  });
  winners.bind(record) = pass::copy_if(gain, gain > 0.0F);
  yoke::sort(gain.bind(record), {.descending = true});
  median.bind(record) = gain(paths / 2);

  const auto executable = graph.instantiate();
  executable.launch(stream);  // all of it

  const double exact = exact_price();
  const bool right = std::abs(mean.get() - exact) < 4 * wanted && error.get() <= wanted && rounds.get() > 1;
  fmt::print("{:.3f} +- {:.3f} after {} rounds of {} paths; exact: {:.3f}\n", mean.get(), error.get(), rounds.get(),
             paths, exact);
  // As many outcomes are above 0 as the order says.
  const std::size_t won = winners.size();
  const bool in_order = gain(won - 1).value() > 0 && gain(won).value() == 0 && (median.get() > 0) == (won > paths / 2);
  fmt::print("{:.1f} % of the last paths win; half of all win more than {:.2f}: {}\n",
             100.0 * static_cast<double>(won) / paths, median.get(), right && in_order ? "right" : "WRONG");
  return right && in_order ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return price();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
