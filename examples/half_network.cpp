// SPDX-License-Identifier: MIT
// Trains a small neural network to tell points inside of a circle from those outside: products of half precision are added in
// float, and everything else is float.
#include <fmt/core.h>

#include <cstdlib>
#include <yoke/array.hpp>
#include <yoke/linalg.hpp>
#include <yoke/random.hpp>
#include <yoke/yoke.hpp>

namespace {

/// Returns: the product of two matrices in half precision, added in float.
template <class A, class B>
yoke::device_array<float, 2> product(const A& a, const B& b) {
  return yoke::matmul<float>(yoke::cast<yoke::half>(a), yoke::cast<yoke::half>(b));
}

int train() {
  const yoke::context ctx;
  const yoke::stream stream{ctx};
  constexpr std::size_t points = 256;
  constexpr std::size_t neurons = 16;

  yoke::random_generator random{1};
  const auto x = random.normal<float>({points, 2}, stream);
  const yoke::device_array<float, 2> inside = yoke::cast<float>(yoke::sum(x * x, yoke::along(1).keep_dims()) < 1.2F);

  auto w1 = random.normal<float>({2, neurons}, stream, 0, 1.5F);
  auto b1 = random.normal<float>({neurons}, stream, 0, 0.5F);
  auto w2 = random.normal<float>({neurons, 1}, stream, 0, 0.3F);
  auto b2 = yoke::zeros<float>({1}, stream);

  float right = 0;
  for (int step = 1; step <= 200; ++step) {
    const yoke::device_array<float, 2> hidden = tanh(product(x, w1) + b1);
    const yoke::device_array<float, 2> guess = 1.0F / (1.0F + exp(-(product(hidden, w2) + b2)));

    // The slopes of the loss, from the result back to the points.
    const yoke::device_array<float, 2> wrong = guess - inside;
    const yoke::device_array<float, 2> back = product(wrong, w2.transpose()) * (1.0F - hidden * hidden);
    constexpr float rate = 2.0F / points;
    w2 -= rate * product(hidden.transpose(), wrong);
    b2 -= rate * yoke::sum(wrong, yoke::along(0));
    w1 -= rate * product(x.transpose(), back);
    b1 -= rate * yoke::sum(back, yoke::along(0));

    if (step % 50 == 0) {
      right = static_cast<float>(yoke::count((guess > 0.5F) == (inside > 0.5F)).get()) / static_cast<float>(points);
      fmt::print("step {}: {:.1f} % of the points are told right\n", step, 100 * right);
    }
  }
  return right > 0.95F ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return train();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
