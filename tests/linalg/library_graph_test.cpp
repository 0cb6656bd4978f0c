// SPDX-License-Identifier: MIT
// Products and transforms of the vendors' libraries in graphs: what is captured, what the graph keeps, and what falls back.
#include <array/reduction/recorded_rig.hpp>
#include <cuda/cuda_rig.hpp>
#include <linalg/library_rig.hpp>
#include <yoke/fft.hpp>
#include <yoke/graph.hpp>

using namespace yoke_test;
using namespace yoke_test::libraries;

namespace {

/// Its end waits for what launches kept, which may keep the context.
struct graph_rig : library_rig {
  using library_rig::library_rig;
  ~graph_rig() { settle(stream); }
};

constexpr const char* only_simulated = "the fake libraries copy memory in host functions, which a driver refuses";
int products() { return fake_math().count("cublasGemmEx") + fake_math().count("cublasGemmStridedBatchedEx"); }

}  // namespace

YOKE_CUDA_TEST_CASE("products of a library are recorded, with arrays and workspaces that the graph keeps",
                    "[linalg][graph]") {
  if (!is_simulated(device)) YOKE_SKIP(only_simulated);
  const fake_libraries fake;
  {
    const graph_rig state(any_device_of(device));
    auto a = yoke::to_device_array(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3}, state.stream);
    auto c = yoke::zeros<float>({2, 2}, state.stream);
    auto d = yoke::ones<float>({2, 2}, state.stream);
    auto batch = yoke::zeros<float>({2, 2, 2}, state.stream);
    yoke::graph graph{state.context};
    {
      const auto b = yoke::to_device_array(std::vector<float>{1, 0, 0, 1, 1, 1}, {3, 2}, state.stream);
      const auto both = yoke::ones<float>({2, 2, 2}, state.stream);
      auto record = graph.record();
      c.bind(record) = yoke::pass::matmul(a, b);  // before any plain call
      d.bind(record) = 2.0F * yoke::pass::matmul(c, c.transpose()) + 0.5F * d;
      batch.bind(record) = yoke::pass::matmul(both, c);
    }
    CHECK(fake_math().count("cublasGemmEx") == 2);
    CHECK(fake_math().count("cublasGemmStridedBatchedEx") == 1);
    CHECK(fake_math().count("cublasCreate") == 1);
    CHECK(fake_math().count("cublasSetWorkspace") == 3);
    CHECK(c.to_host() == std::vector<float>(4, 0.0F));
    const auto executable = graph.instantiate();
    const int calls = products();
    std::vector<float> expected{1, 1, 1, 1};
    for (const float first : {1.0F, 2.0F, 3.0F}) {
      a.fill(first);
      executable.launch(state.stream);
      const float side = 2 * first;
      CHECK(c.to_host() == std::vector<float>(4, side));
      for (float& each : expected) each = 4 * side * side + 0.5F * each;
      CHECK(d.to_host() == expected);
      CHECK(batch.to_host() == std::vector<float>(8, 2 * side));
    }
    CHECK(products() == calls);
    // A plain call afterwards has its own stream and workspace.
    CHECK(yoke::matmul(c, c)(0, 0).value() == 72);
  }
  CHECK(fake_math().handles.empty());
}

YOKE_CUDA_TEST_CASE("transforms of a library are recorded, and the graph keeps the plan", "[fft][graph]") {
  if (!is_simulated(device)) YOKE_SKIP(only_simulated);
  const fake_libraries fake;
  {
    const graph_rig state(any_device_of(device));
    auto line = yoke::ones<complex>({2, 13}, state.stream);
    auto f = yoke::zeros<complex>({2, 13}, state.stream);
    auto own = yoke::ones<complex>({4, 6}, state.stream);
    const auto reals = yoke::to_device_array(numbers<float>(8, 1), state.stream);
    auto half = yoke::zeros<complex>({5}, state.stream);
    auto back = yoke::zeros<float>({8}, state.stream);
    const std::vector<complex> spectrum = yoke::rfft(reals).to_host();
    {
      yoke::graph graph{state.context};
      {
        auto record = graph.record();
        f.bind(record) = yoke::pass::fft(line);
        own.bind(record) = yoke::pass::fft(own, yoke::along(0, 1));
        half.bind(record) = yoke::pass::rfft(reals);
        back.bind(record) = yoke::pass::irfft(half);
      }
      CHECK(fake_math().count("cufftXtExec") == 5);
      const auto executable = graph.instantiate();
      for (const float value : {1.0F, 2.0F}) {
        line.fill(complex(value, 0));
        own.fill(complex(value, 0));
        executable.launch(state.stream);
        CHECK(is_close(std::vector{f.to_host()[0], f.to_host()[14]}, {complex(13 * value, 0), complex(0, 0)}, 1e-6));
        CHECK(is_close({own.to_host()[0]}, std::vector{complex(24 * value, 0)}, 1e-6));
        CHECK(is_close(back.to_host(), reals.to_host(), 1e-6));
        CHECK(is_close(half.to_host(), spectrum, 1e-6));  // is as it was
      }
      // Nobody else gets the graph's plans.
      const int plans = fake_math().count("cufftXtMakePlanMany");
      (void)yoke::fft(line).to_host();
      CHECK(fake_math().count("cufftXtMakePlanMany") == plans + 1);
      state.drop_idle();
      CHECK(fake_math().plans.size() == 4);
      executable.launch(state.stream);
      CHECK(is_close(back.to_host(), reals.to_host(), 1e-6));
    }
    state.stream.synchronize();
    (void)yoke::rfft(reals).to_host();  // takes a plan that the graph had, or a new one
  }
  CHECK(fake_math().plans.empty());
}

YOKE_CUDA_TEST_CASE("a product that a library cannot capture is tried outside first, then left to own kernels",
                    "[linalg][graph]") {
  for (const int failing : {1, 2}) {
    if (!is_simulated(device)) YOKE_SKIP(only_simulated);
    const fake_libraries fake;
    const graph_rig state(any_device_of(device));
    const auto a = yoke::ones<float>({3, 4}, state.stream);
    auto c = yoke::zeros<float>({3, 3}, state.stream);
    auto f = yoke::ones<complex>({4}, state.stream);
    fake_math().failing_captures = failing;
    yoke::graph graph{state.context};
    {
      auto record = graph.record();
      c.bind(record) = yoke::pass::matmul(a, a.transpose());
      CHECK(products() == 3);  // captured, tried, captured
      fake_math().failing_captures = 1;
      f.bind(record) = yoke::pass::fft(f);
      CHECK(fake_math().count("cufftXtExec") == 1);
    }
    graph.instantiate().launch(state.stream);
    CHECK(c.to_host() == std::vector<float>(9, 4.0F));
    CHECK(is_close(f.to_host(), {complex(4, 0), {}, {}, {}}, 1e-6));
    CHECK(fake_math().captured.size() == (failing == 1 ? 1 : 0));
  }
}

YOKE_CUDA_TEST_CASE("what a library lacks, and the bodies of conditional nodes, are recorded by own kernels",
                    "[linalg][graph]") {
  if (!is_simulated(device)) YOKE_SKIP(only_simulated);
  const fake_libraries fake;
  if (arrays::lacks_conditions(any_device_of(device))) return;
  const graph_rig state(any_device_of(device));
  const auto a = yoke::ones<float>({2, 2}, state.stream);
  auto c = yoke::zeros<float>({2, 2}, state.stream);
  auto d = yoke::zeros<float>({2, 2}, state.stream);
  auto f = yoke::ones<complex>({4}, state.stream);
  const auto yes = yoke::full(1, {1}, state.stream);
  yoke::graph graph{state.context};
  {
    auto record = graph.record();
    fake_math().answers["cublasGemmEx"] = yoke::cuda::abi::cublas_not_supported;
    c.bind(record) = yoke::pass::matmul(a, a);
    CHECK(products() == 1);
    fake_math().answers.clear();
    const auto body = [&](auto& line) {
      d.bind(line) = yoke::pass::matmul(a, a);
      f.bind(line) = yoke::pass::fft(f);
    };
    record.when(yes, body);
    CHECK(products() == 1);
    CHECK(fake_math().count("cufftCreate") == 0);
  }
  graph.instantiate().launch(state.stream);
  CHECK(c.to_host() == std::vector<float>(4, 2.0F));
  CHECK(d.to_host() == std::vector<float>(4, 2.0F));
  CHECK(is_close({f.to_host()[0]}, std::vector{complex(4, 0)}, 1e-6));
}

YOKE_CUDA_TEST_CASE("recorded products and transforms are those of plain calls, by the device's own libraries, too",
                    "[linalg][fft][graph]") {
  const however_small all;
  const graph_rig state(any_device_of(device));
  const auto a = yoke::to_device_array(numbers<float>(64 * 48, 1), {64, 48}, state.stream);
  const auto b = yoke::to_device_array(numbers<float>(48 * 32, 2), {48, 32}, state.stream);
  const auto line = yoke::to_device_array(numbers<complex>(2 * 60, 3), {2, 60}, state.stream);
  auto c = yoke::zeros<float>({64, 32}, state.stream);
  auto f = yoke::zeros<complex>({2, 60}, state.stream);
  yoke::graph graph{state.context};
  {
    auto record = graph.record();
    c.bind(record) = 2.0F * yoke::pass::matmul(a, b) + 1.0F * c;
    f.bind(record) = yoke::pass::fft(line);
  }
  const auto executable = graph.instantiate();
  const auto product = yoke::matmul(a, b).to_host();
  for (int launch = 1; launch <= 3; ++launch) {
    executable.launch(state.stream);
    std::vector<float> expected = product;
    for (float& each : expected) each *= static_cast<float>(2 * launch);
    CHECK(c.to_host() == expected);  // sums of small whole numbers are exact
    CHECK(is_close(f.to_host(), yoke::fft(line).to_host(), 1e-6));
  }
}
