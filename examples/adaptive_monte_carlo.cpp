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
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace {

constexpr float start = 100, strike = 105, rate = 0.03F, volatility = 0.2F;  // a year ahead
constexpr std::size_t paths = 1 << 14;                                       // of a round
constexpr float wanted = 0.02F;                                              // the standard error of the price

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
  const auto value = [&](auto first) { return yoke::full(first, yoke::shape<0>{}, stream); };  // one, on the device
  auto sum = value(0.0F), squares = value(0.0F), round_sum = value(0.0F), round_squares = value(0.0F);
  auto mean = value(0.0F), error = value(0.0F), median = value(0.0F);
  auto rounds = value(0), go_on = value(0);

  // What a round does, on a recorder's line: `bound(x)` is `x.bind(line)`; in a stream x itself.
  const auto round = [&](const auto& bound) {
    random.fill_normal(bound(z));
    const auto end = start * exp(rate - 0.5F * volatility * volatility + volatility * z);
    bound(gain) = std::exp(-rate) * max(end - strike, 0.0F);
    bound(round_sum) = pass::sum(gain);
    bound(round_squares) = pass::dot(gain, gain);
    bound(rounds) += 1;
    bound(sum) += round_sum;
    bound(squares) += round_squares;
    const auto count = yoke::cast<float>(rounds) * static_cast<float>(paths);
    bound(mean) = sum / count;
    bound(error) = sqrt((squares / count - mean * mean) / count);
    bound(go_on) = yoke::cast<int>(error > wanted and rounds < 1000);
  };
  const auto begin = [&](const auto& bound) {
    bound(sum) = 0;
    bound(squares) = 0;
    bound(rounds) = 0;
    bound(go_on) = 1;
  };

  yoke::graph graph{context};
  auto record = graph.record();
  begin([&](auto& of) { return of.bind(record); });
  record.repeat_while(go_on, [&](auto& line) { round([&](auto& of) { return of.bind(line); }); });
  winners.bind(record) = pass::copy_if(gain, gain > 0.0F);
  yoke::sort(gain.bind(record), {.descending = true});
  median.bind(record) = gain(paths / 2);

  const auto executable = graph.instantiate();
  executable.upload(stream);
  stream.synchronize();
  const auto launched = std::chrono::steady_clock::now();
  executable.launch(stream);  // all of it
  const int of_graph = rounds.value();
  const auto in_graph = std::chrono::steady_clock::now() - launched;

  const double exact = exact_price();
  const bool right = std::abs(mean.value() - exact) < 4 * wanted && error.value() <= wanted && of_graph > 1;
  fmt::print("{:.3f} +- {:.3f} after {} rounds of {} paths; exact: {:.3f}\n", mean.value(), error.value(), of_graph,
             paths, exact);
  // As many outcomes are above 0 as the order says.
  const std::size_t won = winners.size();
  const bool in_order =
      gain(won - 1).value() > 0 && gain(won).value() == 0 && (median.value() > 0) == (won > paths / 2);
  fmt::print("{:.1f} % of the last paths win; half of all win more than {:.2f}: {}\n",
             100.0 * static_cast<double>(won) / paths, median.value(), right && in_order ? "right" : "WRONG");

  // The same in a stream, where the host looks at the error after each round.
  const auto itself = [](auto& of) -> auto& { return of; };
  const auto step = [&] { round(itself); };
  step();  // compiles the kernels that differ
  const auto began = std::chrono::steady_clock::now();
  begin(itself);
  do step();
  while (go_on.value() != 0);
  const auto in_stream = std::chrono::steady_clock::now() - began;
  const auto each = [](auto time, int count) {
    return std::chrono::duration<double, std::micro>(time).count() / count;
  };
  const bool again = std::abs(mean.value() - exact) < 4 * wanted;
  fmt::print("a round takes {:.0f} us in the graph, {:.0f} us in a stream: {}\n", each(in_graph, of_graph),
             each(in_stream, rounds.value()), again ? "right" : "WRONG");
  return right && in_order && again ? EXIT_SUCCESS : EXIT_FAILURE;
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
