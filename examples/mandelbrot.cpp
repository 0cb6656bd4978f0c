// SPDX-License-Identifier: MIT
// The Mandelbrot set by a two-dimensional launch; a sample of the values is compared with the host's.
#include "mandelbrot.hpp"

#include <cstdlib>
#include <string>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

int mandelbrot(const std::string& path) {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());

  const auto module = yoke::compile(context, mandelbrot_source);
  const auto kernel = module.get_kernel<void(int*, int, int, float, float, float, int)>("mandelbrot");

  // A grid of blocks of 16 x 8 threads that covers the picture. The kernel writes every element, so `out` needs no
  // upload; the call returns when `steps` holds the result.
  const mandelbrot_view view;
  std::vector<int> steps(view.size());
  const yoke::launch_shape shape{.grid = {(view.width + 15) / 16, (view.height + 7) / 8}, .block = {16, 8}};
  kernel(stream, shape, yoke::out(steps), view.width, view.height, view.left, view.top, view.pixel, view.limit);

  if (!view.write(steps, path)) return EXIT_FAILURE;
  fmt::print("wrote {}\n", path);

  if (const std::string wrong = view.difference(steps, 9); !wrong.empty()) {
    fmt::print(stderr, "{}\n", wrong);
    return EXIT_FAILURE;
  }
  fmt::print("{} rows are right\n", (view.height + 8) / 9);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return mandelbrot(count > 1 ? arguments[1] : "mandelbrot.png");
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}
