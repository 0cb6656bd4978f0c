// SPDX-License-Identifier: MIT
// Every driver call of products, transforms, solutions and sparse products made to fail in turn, by own kernels, by a library
// and in graphs.
#include <linalg/however_small.hpp>
#include <memory/memory_faults.hpp>
#include <support/drivers/fake_math_libraries.hpp>
#include <support/sample.hpp>
#include <yoke/array.hpp>
#include <yoke/fft.hpp>
#include <yoke/graph.hpp>
#include <yoke/linalg.hpp>
#include <yoke/sparse.hpp>

#include <complex>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::memory_faults;

namespace {

using complex = std::complex<float>;

template <class State>
void multiply(State& state) {
  const auto a = yoke::full(2.0F, {20, 40}, state.stream);
  const auto b = yoke::full(3.0F, {40, 70}, state.stream);
  auto c = yoke::full(1.0F, {20, 70}, state.stream);
  c = 0.5F * yoke::pass::matmul(a, b) + c;
  const float one = c(19, 69).value();
  CHECK(one == 121);
}
template <class State>
void transform(State& state) {
  const auto a = yoke::full(complex(1, 0), {2, 131}, state.stream);
  const auto f = yoke::fft(a).to_host();
  const auto back = yoke::ifft(yoke::fft(a)).to_host();
  CHECK((std::abs(f[0] - complex(131, 0)) < 1e-3F && std::abs(f[200]) < 1e-3F &&
         std::abs(back[7] - complex(1, 0)) < 1e-4F));
}
template <class State>
void factor(State& state) {
  const auto a = yoke::to_device_array(std::vector<float>{4, 1, 1, 3}, {2, 2}, state.stream);
  const auto x = yoke::solve(a, yoke::ones<float>({2}, state.stream)).to_host();
  const auto l = yoke::cholesky(a).to_host();
  CHECK((std::abs(x[0] - 2.0F / 11) < 1e-6F && std::abs(x[1] - 3.0F / 11) < 1e-6F && l[0] == 2));
}

struct forgetting {
  ~forgetting() { fake_math().calls.clear(); }  // the fake's own blocks are not the library's
};
fault_loop_options of_libraries() {
  fault_loop_options options = of_arrays();
  options.absorbed.push_back({"stream_get_capture_info", "a stream that the driver tells nothing of is in no capture"});
  return options;
}

}  // namespace

YOKE_DEVICE_TEST_CASE("faults in products", "[linalg][faults]") {
  if (!takes(device, "opencl")) return;
  loop(
      "by own kernels", device, [](auto& state) { multiply(state); }, of_arrays());
}

YOKE_DEVICE_TEST_CASE("faults in transforms", "[linalg][faults]") {
  if (!takes(device, "opencl")) return;
  loop(
      "by own kernels, with tables", device, [](auto& state) { transform(state); }, of_arrays());
}

YOKE_DEVICE_TEST_CASE("faults in solutions and factorisations", "[linalg][faults]") {
  if (!runs_whole()) return;  // each run compiles all kernels anew
  loop(
      "by own kernels", device, [](auto& state) { factor(state); }, of_arrays());
}

YOKE_DEVICE_TEST_CASE("faults in sparse products", "[linalg][faults]") {
  if (!runs_whole()) return;
  loop(
      "from coordinates", device,
      [](auto& state) {
        const auto rows = yoke::to_device_array(std::vector<int>{0, 2, 1, 2}, state.stream);
        const auto columns = yoke::to_device_array(std::vector<int>{1, 0, 1, 2}, state.stream);
        const auto values = yoke::to_device_array(std::vector<float>{5, 6, 7, 8}, state.stream);
        const auto m = yoke::csr_matrix<float, int, port>::from_coordinates(rows, columns, values, {3, 3});
        const auto x = yoke::to_device_array(std::vector<float>{1, 2, 3}, state.stream);
        const auto y = yoke::matvec(m, x).to_host();
        const auto z = yoke::matvec(m.transpose(), x).to_host();
        CHECK((y == std::vector<float>{10, 14, 30} && z == std::vector<float>{18, 19, 24}));
      },
      of_arrays());
}

YOKE_DEVICE_TEST_CASE("faults in recorded products and transforms", "[linalg][faults]") {
  if (!runs_whole()) return;
  loop(
      "recorded, launched twice", device,
      [](auto& state) {
        const auto a = yoke::full(complex(1, 0), {8, 16}, state.stream);
        auto f = yoke::zeros<complex>({8, 16}, state.stream);
        auto c = yoke::zeros<complex>({8, 8}, state.stream);
        yoke::graph graph{state.context};
        {
          auto record = graph.record();
          f.bind(record) = yoke::pass::fft(a);
          c.bind(record) = yoke::pass::matmul(f, f.transpose());
        }
        auto executable = graph.instantiate();
        executable.launch(state.stream);
        executable.launch(state.stream);
        const complex one = c(0, 0).value();
        CHECK(one == complex(256, 0));
      },
      of_arrays());
}

YOKE_DEVICE_TEST_CASE("faults of the driver while a library works", "[linalg][faults]") {
  if constexpr (std::is_same_v<port, yoke::cuda::port>) {
    const however_small all;
    const with_fake_math fake;
    fake_math().calls.reserve(512);
    loop(
        "products, transforms and sparse products", device,
        [](auto& state) {
          const forgetting calls;
          const auto a = yoke::to_device_array(std::vector<float>{1, 2, 3, 4}, {2, 2}, state.stream);
          auto c = yoke::to_device_array(std::vector<float>{1, 1, 1, 1}, {2, 2}, state.stream);
          c = 0.5F * yoke::pass::matmul(a, a) + 2.0F * c;
          const auto f = yoke::fft(yoke::to_device_array(std::vector<complex>{1, 1, 1, 1}, state.stream)).to_host();
          const auto product = c.to_host();
          const yoke::csr_matrix<float, int, port> sparse{yoke::to_device_array({0, 1, 2}, state.stream),
                                                          yoke::to_device_array({1, 0}, state.stream),
                                                          yoke::to_device_array({2.0F, 3.0F}, state.stream),
                                                          {2, 2}};
          const auto by_rows = yoke::matmul(sparse, a).to_host();
          CHECK((by_rows == std::vector<float>{6, 8, 3, 6}));
          CHECK((product == std::vector<float>{5.5F, 7, 9.5F, 13} && std::abs(f[0] - complex(4, 0)) < 1e-6F &&
                 std::abs(f[3]) < 1e-6F));
        },
        of_libraries());
    if (runs_whole()) {
      loop(
          "factors", device,
          [](auto& state) {
            const forgetting calls;
            const auto a = yoke::to_device_array(std::vector<float>{4, 1, 1, 3}, {2, 2}, state.stream);
            const auto [q, r] = yoke::qr(a);
            const auto whole = yoke::matmul(q, r).to_host();
            const auto l = yoke::cholesky(a).to_host();
            CHECK((std::abs(whole[0] - 4) < 1e-5F && std::abs(whole[3] - 3) < 1e-5F && l[0] == 2));
          },
          of_libraries());
    }
    CHECK(fake_math().handles.empty());
    CHECK(fake_math().plans.empty());
  } else {
    SUCCEED("OpenCL has no library");
  }
}
