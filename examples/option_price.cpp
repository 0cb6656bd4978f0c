// SPDX-License-Identifier: MIT
// The price of a European call: random paths, their pay-off in one expression, and the formula of Black and Scholes beside it.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <yoke/array.hpp>
#include <yoke/random.hpp>
#include <yoke/yoke.hpp>

namespace {

struct option {
  float spot, strike, rate, volatility, years;
};

double formula(const option& of) {
  const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const double width = of.volatility * std::sqrt(of.years);
  const double d = (std::log(of.spot / of.strike) + of.rate * of.years) / width + 0.5 * width;
  return of.spot * below(d) - of.strike * std::exp(-of.rate * of.years) * below(d - width);
}

int price() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  constexpr option call{.spot = 100, .strike = 105, .rate = 0.03F, .volatility = 0.2F, .years = 1};
  constexpr std::size_t paths = 1 << 20;
  yoke::random_generator rng{2026};
  const auto z = rng.normal<float>({paths}, stream);

  const float drift = (call.rate - 0.5F * call.volatility * call.volatility) * call.years;
  const float width = call.volatility * std::sqrt(call.years);
  const auto last = call.spot * exp(drift + width * z);
  const double discount = std::exp(-call.rate * call.years);
  // One kernel for each: the arrays of the expressions are never made.
  const double estimate = discount * yoke::mean(max(last - call.strike, 0.0F)).get();
  const double forward = discount * yoke::mean(last).get();  // today's price, whatever the volatility

  const double exact = formula(call);
  const bool right = std::abs(estimate - exact) < 0.06 && std::abs(forward - call.spot) < 0.1;
  fmt::print("by {} paths {:.3f}, by the formula {:.3f}: {}\n", paths, estimate, exact, right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
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
