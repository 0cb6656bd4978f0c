// SPDX-License-Identifier: MIT
// CUDA's programs from a cache: NVRTC stays closed, and what it compared stays compared.
#include <cuda/cuda_rig.hpp>
#include <program/cache/cache_folder.hpp>
#include <support/process/child.hpp>
#include <support/process/in_child.hpp>

#include <yoke/driver/cuda/compiler/nvrtc.hpp>

using namespace yoke_test;
using yoke::typed;

namespace {

constexpr const char* source = R"(
template <class T> __global__ void scale(T* a, T by) { a[0] *= by; }
namespace ns { __global__ void typed_by_name(int* a, int b) { a[0] = b; } }
extern "C" __global__ void put(float* a, float b) { a[0] = b; }
__device__ int variable = 3;
)";

yoke::program_cache cache_in(const std::string& folder) { return yoke::program_cache{{.folder = folder}, {}}; }

cu::compile_options options_with(const yoke::program_cache& cache) {
  return {.kernels = {typed<void(float*, float)>("put"), typed<void(float*, float)>("scale<float>")},
          .name_expressions = {"scale<int>", "&variable"},
          .cache = &cache};
}

}  // namespace

YOKE_CUDA_TEST_CASE("a hit opens no NVRTC", "[cuda][cache]") {
  const std::string name = current_test_name();
  if (is_child(name)) {
    const cu::context context{device};
    const auto cache = cache_in(std::getenv("YOKE_TEST_CACHE"));
    const auto module = cu::compile(context, source, options_with(cache));
    CHECK(cache.counters().from_disk == 1);
    CHECK(cu::detail::nvrtc_if_loaded() == nullptr);
    if (!is_simulated(device)) CHECK_THAT(contents("/proc/self/maps"), !ContainsSubstring("libnvrtc"));
    CHECK(module.get_kernel<void(float*, float)>("put").checked() == yoke::signature_check::types);
    CHECK(cu::detail::nvrtc_if_loaded() == nullptr);
    (void)cu::compile(context, source);
    CHECK(cu::detail::nvrtc_if_loaded() != nullptr);
    return;
  }
  const scratch_folder scratch;
  const cu::context context{device};
  const auto cache = cache_in(scratch / "cache");
  (void)cu::compile(context, source, options_with(cache));
  INFO(cache.last_not_kept());
  REQUIRE(cache.disk().counters().stores == 1);
  CHECK_FALSE(cache.disk().list().at(0).compiler.empty());
  const child_result child = run_child(name, {{"YOKE_TEST_CACHE", scratch / "cache"}});
  INFO(child.output);
  CHECK(child.status == 0);
}

YOKE_CUDA_TEST_CASE("NVRTC has one name before and after it is opened", "[cuda][cache]") {
  if (!in_child({{"YOKE_SIMULATOR_COMPILER", "/usr/bin/c++"}, {"YOKE_SIMULATOR_OPTIMISE", "2"}})) return;
  const cuda_device::native_type devices[] = {device.native_handle()};
  const auto& port = device.port();
  REQUIRE(cu::detail::nvrtc_if_loaded() == nullptr);
  const std::string before = port.compiler_of(devices, false, {});
  CHECK_FALSE(before.empty());
  CHECK_THAT(before, !ContainsSubstring("/"));  // it is stored, and no path may be
  CHECK(cu::detail::nvrtc_if_loaded() == nullptr);
  const std::string opened = port.compiler_of(devices, true, {});
  REQUIRE(cu::detail::nvrtc_if_loaded() != nullptr);
  CHECK(before == opened);
  CHECK(port.compiler_of(devices, false, {}) == opened);
}

YOKE_CUDA_TEST_CASE("kernels that the compiler compared, and name expressions, come from the cache too",
                    "[cuda][cache]") {
  cuda_rig on(device);
  const scratch_folder scratch;
  const auto first_cache = cache_in(scratch / "cache");
  const auto first = cu::compile(on.context, source, options_with(first_cache));
  const auto cache = cache_in(scratch / "cache");
  for (int round = 0; round < 2; ++round) {
    const auto module = cu::compile(on.context, source, options_with(cache));
    CHECK(cache.counters().compiled == 0);
    CHECK(module.get_kernel<void(float*, float)>("put").checked() == yoke::signature_check::types);
    CHECK(module.get_kernel<void(float*, float)>("scale<float>").checked() == yoke::signature_check::types);
    CHECK(module.get_kernel<void(int*, int)>("ns::typed_by_name").checked() ==
          first.get_kernel<void(int*, int)>("ns::typed_by_name").checked());
    std::vector<int> values{7};
    module.get_kernel<void(int*, int)>("scale<int>")(on.stream, {.grid = 1}, yoke::in_out(values), 6);
    CHECK(values[0] == 42);
    CHECK(cu::get_global<int>(module, "variable").size() == 1);
    CHECK(module.export_binary() == first.export_binary());
    CHECK(module.build_log() == first.build_log());
  }
  CHECK(cache.counters().from_disk == 1);
  CHECK(cache.counters().from_memory == 1);
}

YOKE_CUDA_TEST_CASE("modules of one cached program have variables of their own", "[cuda][cache]") {
  cuda_rig on(device);
  const auto cache = yoke::program_cache{{.enabled = false}, {}};
  constexpr const char* counting =
      R"(__device__ int count = 0; extern "C" __global__ void up(int* a) { a[0] = ++count; })";
  const auto one = cu::compile(on.context, counting, {.cache = &cache});
  const auto other = cu::compile(on.context, counting, {.cache = &cache});
  CHECK(cache.counters().from_memory == 1);
  const auto up = [&](const cu::module& module) {
    std::vector<int> out(1);
    module.get_kernel<void(int*)>("up")(on.stream, {.grid = 1}, yoke::out(out));
    return out[0];
  };
  CHECK(up(one) == 1);
  CHECK(up(one) == 2);
  CHECK(up(other) == 1);
}

YOKE_CUDA_TEST_CASE("what CUDA's compilers are told makes another program", "[cuda][cache]") {
  cuda_rig on(device);
  const auto cache = yoke::program_cache{{.enabled = false}, {}};
  const std::vector<cu::compile_options> all{
      {},
      {.kernels = {typed<void(float*, float)>("put")}},
      {.name_expressions = {"scale<int>"}},
      {.name_expressions = {"scale<float>"}},
      {.standard = "c++20"},
      {.jit = {.max_registers = 32}},
      {.jit = {.max_registers = 64}},
      {.jit = {.verbose = true}},
      {.jit = {.log_bytes = 1024}},
  };
  for (int round = 0; round < 2; ++round) {
    for (cu::compile_options each : all) {
      each.cache = &cache;
      (void)cu::compile(on.context, source, each);
    }
  }
  CHECK(cache.counters().compiled == all.size());
  CHECK(cache.counters().from_memory == all.size());
}
