// SPDX-License-Identifier: MIT
// The demonstration behind `./dev demo`: chooses a device, runs the main job in four steps, checks every result.
#include "../examples/mandelbrot.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>
#include <yoke/array.hpp>
#include <yoke/fmt.hpp>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* source = R"(
YOKE_KERNEL doublify(YOKE_GLOBAL float* a, int n) {
  int i = (int)get_global_id(0);
  if (i < n) a[i] *= 2;
}

YOKE_KERNEL saxpy(YOKE_GLOBAL float* y, YOKE_GLOBAL const float* x, float a, int n) {
  int i = (int)get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}
)";

using milliseconds = std::chrono::duration<double, std::milli>;

/// Says what was wrong. Returns: false.
template <class... Args>
bool mismatch(fmt::format_string<Args...> format, Args&&... arguments) {
  fmt::print(stderr, "MISMATCH: {}\n", fmt::format(format, std::forward<Args>(arguments)...));
  return false;
}

void show_device(const yoke::device_choice& choice) {
  const yoke::device_summary facts = choice.chosen.summary();
  fmt::print("device     {} ({}, {} compute units, {} MiB)\n", facts.name, choice.chosen.backend_name(),
             facts.compute_units, facts.global_memory_bytes >> 20);
  fmt::print("platform   {}; {}; driver {}\n", facts.platform, facts.version, facts.driver_version);
  fmt::print("why        {}\n", choice.reason);
}

/// `2 * a`: an expression of arrays, which compiles its own kernel.
bool double_by_expression(const yoke::stream<>& stream) {
  const auto a = yoke::linspace(-1.5F, 2.25F, 16, stream);
  const yoke::device_array doubled(2 * a.reshape({4, 4}));
  const float sum = yoke::sum(doubled).get();
  fmt::print("\n2 * a\n{}\nsum {}\n", doubled, sum);
  const std::vector<float> host = doubled.to_host();
  for (std::size_t i = 0; i < host.size(); ++i) {
    const float expected = 0.5F * static_cast<float>(i) - 3;
    if (host[i] != expected) return mismatch("2 * a: element {} is {}, not {}", i, host[i], expected);
  }
  return sum == 12 || mismatch("the sum is {}, not 12", sum);
}

/// The tutorial's 4 x 4 array, doubled twice: with explicit transfers, then with transfers as part of the launch.
bool double_array(const yoke::module<>& module, const yoke::stream<>& stream) {
  std::array<float, 16> original{};
  for (std::size_t i = 0; i < original.size(); ++i) original[i] = 0.25f * static_cast<float>(i) - 1.5f;
  const auto doublify = module.get_kernel<void(float*, int)>("doublify");

  auto doubled = original;
  auto on_device = yoke::to_device(original, stream);
  doublify(stream, {.grid = 1, .block = 16}, on_device, 16);
  yoke::copy(on_device, doubled, stream);

  auto twice = doubled;
  doublify(stream, {.grid = 1, .block = 16}, yoke::in_out(twice), 16);

  fmt::print("\ndoublify, 4 x 4: the array, doubled by explicit transfers, and again by in_out\n");
  for (std::size_t row = 0; row < 4; ++row) {
    for (const auto* array : {&original, &doubled, &twice}) {
      for (std::size_t column = 0; column < 4; ++column) fmt::print("{:6.2f}", (*array)[4 * row + column]);
      fmt::print("   ");
    }
    fmt::print("\n");
  }
  for (std::size_t i = 0; i < original.size(); ++i) {
    if (doubled[i] != 2 * original[i] || twice[i] != 4 * original[i]) {
      return mismatch("element {} is {}, then {}, not {} and {}", i, doubled[i], twice[i], 2 * original[i],
                      4 * original[i]);
    }
  }
  return true;
}

/// y = a * x + y over so many Mi elements. The numbers are small and whole, so that every result is exact.
bool run_saxpy(const yoke::module<>& module, const yoke::stream<>& stream, std::size_t mebi) {
  const std::size_t n = mebi << 20;
  constexpr int rounds = 10;
  constexpr float a = 2;
  const auto saxpy = module.get_kernel<void(float*, const float*, float, int)>("saxpy");
  std::vector<float> x(n);
  std::vector<float> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 1000);
    y[i] = static_cast<float>(i % 77);
  }
  const auto x_gpu = yoke::to_device(x, stream);
  auto y_gpu = yoke::to_device(y, stream);

  const auto launch = [&] { saxpy(stream, yoke::launch_over(n, 256), y_gpu, x_gpu, a, n); };
  launch();  // warms up
  stream.synchronize();
  auto best = std::chrono::nanoseconds::max();
  for (int round = 0; round < rounds; ++round) {
    const auto start = stream.record_timed();
    launch();
    const auto stop = stream.record_timed();
    best = std::min(best, stop.time_since(start));
  }
  std::vector<float> result(n);
  yoke::copy(y_gpu, result, stream);
  for (std::size_t i = 0; i < n; ++i) {
    const float expected = a * x[i] * (rounds + 1) + y[i];
    if (result[i] != expected) return mismatch("saxpy: element {} is {}, not {}", i, result[i], expected);
  }
  const auto bytes = static_cast<double>(3 * n * sizeof(float));  // x and y read, y written
  fmt::print("\nsaxpy      {} Mi elements, all right; best of {}: {:.3f} ms, {:.1f} GB/s\n", mebi, rounds,
             milliseconds(best).count(), bytes / static_cast<double>(std::max<std::int64_t>(best.count(), 1)));
  return true;
}

bool draw_mandelbrot(const yoke::module<>& module, const yoke::stream<>& stream, const mandelbrot_view& view,
                     const std::string& path) {
  const auto kernel = module.get_kernel<void(int*, int, int, float, float, float, int)>("mandelbrot");
  std::vector<int> steps(view.size());
  const yoke::launch_shape shape{.grid = {(view.width + 15) / 16, (view.height + 7) / 8}, .block = {16, 8}};
  const auto start = std::chrono::steady_clock::now();
  kernel(stream, shape, yoke::out(steps), view.width, view.height, view.left, view.top, view.pixel, view.limit);
  const milliseconds time = std::chrono::steady_clock::now() - start;

  if (const std::string wrong = view.difference(steps, 30); !wrong.empty()) return mismatch("{}", wrong);
  if (!view.write(steps, path)) return false;
  fmt::print("mandelbrot {} x {} in {:.1f} ms with its download, {} rows compared; wrote {}\n", view.width, view.height,
             time.count(), (view.height + 29) / 30, path);
  return true;
}

int demonstrate(const std::string& specification, const std::string& output, bool is_small) {
  if (specification == "?") {
    fmt::print("{}\n", yoke::list_devices());
    return EXIT_SUCCESS;
  }
  const yoke::device_choice choice = yoke::choose_device(specification);
  show_device(choice);

  const yoke::context context{choice.chosen};
  const yoke::stream stream{context, {.timing = true}};
  const yoke::module module = yoke::compile(context, std::string(source) + mandelbrot_source, {.name = "demo.cl"});
  const int width = is_small ? 480 : 1920;
  const mandelbrot_view view{
      .width = width, .height = width * 9 / 16, .limit = 400, .pixel = 3.6f / static_cast<float>(width)};
  const bool right = double_by_expression(stream) && double_array(module, stream) &&
                     run_saxpy(module, stream, is_small ? 1 : 16) && draw_mandelbrot(module, stream, view, output);
  if (right) fmt::print("everything is right\n");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** arguments) {
  std::string specification;
  std::string output = "mandelbrot.png";
  bool is_small = false;
  CLI::App app{"Runs yoke's main job on one device and checks it."};
  app.add_option("--device", specification, "which device, as in YOKE_DEVICE: cuda:0, opencl:pocl:0; ? lists them");
  app.add_option("--output", output, "where the Mandelbrot image goes")->capture_default_str();
  app.add_flag("--small", is_small, "a sixteenth of the elements and of the pixels, for slow devices");
  try {
    app.parse(count, arguments);
    return demonstrate(specification, output, is_small);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? EXIT_SUCCESS : 2;
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
  }
  return EXIT_FAILURE;
}
