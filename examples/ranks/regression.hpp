// SPDX-License-Identifier: MIT
// A linear regression whose rows are divided among ranks: each calculates its gradient, and all take the mean.
#ifndef YOKE_EXAMPLES_RANKS_REGRESSION_HPP
#define YOKE_EXAMPLES_RANKS_REGRESSION_HPP

#include <yoke/array.hpp>
#include <yoke/distributed.hpp>

#include <cmath>
#include <random>
#include <vector>

namespace ranks {

/// Returns: whether this rank has found the weights that made the data.
template <yoke::communicator Communicator>
bool regression(Communicator& comm, const yoke::stream<typename Communicator::port_type>& s) {
  constexpr std::size_t rows = 256;  // of each rank
  const std::vector<float> wanted{2.0F, -1.0F, 0.5F};

  // Each rank has rows of its own.
  std::mt19937 engine(static_cast<unsigned>(comm.rank()));
  std::uniform_real_distribution<float> random(-1.0F, 1.0F);
  std::vector<float> inputs(rows * wanted.size());
  std::vector<float> outputs(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      inputs[row * wanted.size() + k] = random(engine);
      outputs[row] += wanted[k] * inputs[row * wanted.size() + k];
    }
  }
  const auto table = yoke::to_device_array(inputs, s);
  const auto x = table.reshape({rows, wanted.size()});
  const auto y = yoke::to_device_array(outputs, s);

  auto weights = yoke::to_device_array(std::vector<float>(wanted.size()), s);
  auto gradient = weights.copy();
  for (int step = 0; step < 100; ++step) {
    const auto error = yoke::evaluate(yoke::sum(x * weights, yoke::along(1)) - y);
    gradient = yoke::pass::mean(x * error(yoke::whole, yoke::newaxis), yoke::along(0));
    comm.all_reduce(gradient, yoke::averaged, s);
    weights -= 1.0F * gradient;
  }
  const auto found = weights.to_host();
  bool right = true;
  for (std::size_t k = 0; k < found.size(); ++k) right = right && std::fabs(found[k] - wanted[k]) < 1e-3F;
  return right;
}

}  // namespace ranks

#endif
