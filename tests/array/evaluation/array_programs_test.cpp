// SPDX-License-Identifier: MIT
// What arrays compile, and that a second run of a program compiles nothing.
#include <array/array_rig.hpp>
#include <support/process/temporary_folder.hpp>
#include <yoke/cache.hpp>

#include <thread>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

/// A program with a kernel of each kind. Returns: the programs that it needed.
template <class Port>
yoke::program_cache_counters programs_of(const yoke::device<Port>& device, const yoke::program_cache& cache) {
  const yoke::context<Port> context{device};
  yoke::use_array_programs(context, cache);
  const yoke::stream<Port> stream{context};
  for (int twice = 0; twice < 2; ++twice) {
    const auto x = yoke::arange<float>(5000, stream);
    const auto backwards = x(yoke::reversed).to_host();
    auto y = yoke::zeros<float>({5000}, stream);
    y = 2 * x + y;
    y(yoke::slice(1, yoke::none)) = x(yoke::slice(0, -1)) + 1;
    CHECK(yoke::sum(y).get() == 12'497'500.0F);
    CHECK(yoke::max(x.reshape({50, 100}), yoke::along(1))(1).value() == 199);
    CHECK(yoke::cumsum(yoke::cast<int>(x))(4).value() == 10);
    CHECK(x.template astype<int>()(7).value() == 7);
    CHECK(backwards[0] == 4999);
    const yoke::elementwise_kernel<void(float*), Port> twice_of(context, {"y"}, "y[i] = 2 * y[i]");
    twice_of(y);
    const yoke::reduction_kernel<float(const float*), Port> sum(context, {"y"}, {"y[i]", "a + b", "0"});
    CHECK(sum(x(yoke::slice(0, 3))).get() == 3);
  }
  return yoke::array_programs(context).counters();
}

}  // namespace

YOKE_DEVICE_TEST_CASE("a second run of a program compiles no kernel of arrays", "[array][cache]") {
  const temporary_folder folder;
  const auto first = programs_of(device, yoke::program_cache{{.folder = (folder.path() / "cache").string()}, {}});
  CHECK(first.compiled >= 9);
  CHECK(first.not_kept == 0);
  CHECK(first.from_disk == 0);
  const auto second = programs_of(device, yoke::program_cache{{.folder = (folder.path() / "cache").string()}, {}});
  CHECK(second.compiled == 0);
  CHECK(second.from_disk == first.compiled);
  CHECK(second.refused == 0);
  // Kernels from text are asked for again, the others once for each context.
  CHECK(second.from_memory == 2);
}

YOKE_DEVICE_TEST_CASE("arrays of a context have one cache, which YOKE_CACHE turns off", "[array][cache]") {
  rig state(device);
  const auto a = yoke::arange<int>(10, state.stream);
  CHECK(yoke::array_programs(state.context).disk().state() == yoke::cache_state::off);
  CHECK(yoke::array_programs(state.context).counters().compiled == 1);
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                 [&] {
                                   yoke::use_array_programs(state.context, yoke::program_cache{{.enabled = false}, {}});
                                 }),
      Catch::Matchers::ContainsSubstring("the arrays of this context have a cache already"));
}

YOKE_ANY_DEVICE_TEST_CASE("threads that need the same new kernels at once compile each once", "[array]") {
  const yoke::context<> context(device);
  const yoke::context<> alone(device);
  const auto evaluate = [](const yoke::context<>& in, int own) {
    const yoke::stream<> stream(in);
    const auto a = yoke::arange<int>(5000, stream);
    const yoke::device_array b(2 * a + own);
    return yoke::sum(b).get() == 5000 * (4999 + own) && yoke::cumsum(b)(1).value() == 2 + 2 * own &&
           (b(yoke::reversed) - own).to_host()[0] == 9998;
  };
  bool right[4]{};
  {
    std::vector<std::jthread> threads;
    for (int own = 0; own < 4; ++own) threads.emplace_back([&, own] { right[own] = evaluate(context, own); });
  }
  for (const bool each : right) CHECK(each);
  const auto compiled = yoke::array_programs(context).counters().compiled;
  CHECK(evaluate(alone, 1));
  CHECK(compiled == yoke::array_programs(alone).counters().compiled);
  CHECK(evaluate(context, 9));
  CHECK(yoke::array_programs(context).counters().compiled == compiled);
}

YOKE_DEVICE_TEST_CASE("the kernels of a context's arrays end with it", "[array]") {
  interposer driver(Backend::driver());
  {
    const backend::context context{through(driver, device)};
    const backend::stream stream{context};
    CHECK(yoke::sum(yoke::arange<int>(10, stream)).get() == 45);
    CHECK_FALSE(driver.live().empty());
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_ANY_DEVICE_TEST_CASE("a first sum is one compilation, for all its passes", "[array][cache]") {
  const any_rig state(device);
  const auto x = yoke::full(1.0F, {3, 5000}, state.stream);
  const auto shorter = yoke::full(1.0F, {3, 4999}, state.stream);
  const auto before = yoke::array_programs(state.context).counters().compiled;
  const auto compiled = [&] { return yoke::array_programs(state.context).counters().compiled - before; };
  CHECK(yoke::sum(x).get() == 15'000.0F);  // of several tiles
  CHECK(compiled() == 1);
  CHECK(yoke::sum(shorter).get() == 14'997.0F);
  CHECK(compiled() == 1);
  CHECK(yoke::sum(x, yoke::along(1)).to_host() == std::vector<float>(3, 5000));
  CHECK(compiled() == 2);
  CHECK(yoke::sum(shorter, yoke::along(1)).to_host() == std::vector<float>(3, 4999));
  CHECK(yoke::sum(x(yoke::whole, yoke::reversed)).get() == 15'000.0F);
  CHECK(compiled() == 3);
}
