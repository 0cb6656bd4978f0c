// SPDX-License-Identifier: MIT
// Each call made to fail in turn in what only CUDA's programs have: launch attributes, occupancy, images, variables.
#include <cuda/cuda_rig.hpp>
#include <program/program_faults.hpp>
#include <support/process/temporary_folder.hpp>

#include <yoke/cuda/compile/link.hpp>

using namespace yoke_test;
using namespace yoke_test::program_faults;

YOKE_CUDA_TEST_CASE("faults with CUDA's launch attributes, shared memory and occupancy", "[cuda][faults]") {
  loop(
      "CUDA launch attributes", device,
      [](auto& state) {
        const auto one = yoke::local<int>(1);
        state.add(state.stream, {.grid = 1, .block = 8, .local_bytes = 60 * 1024}, state.memory, 1, one);
        state.add(state.stream, {.grid = 1, .block = 8, .cooperative = true, .priority = 0}, state.memory, 1, one);
        cu::set(state.add, cu::kernel_info::shared_carveout, 50);
        cu::set_cache(state.add, cu::cache_preference::prefer_shared);
        (void)cu::get(state.add, cu::kernel_info::registers);
        (void)cu::active_blocks(state.add, 64);
        (void)cu::best_block(state.add, [](int) { return 16; });
        (void)cu::available_local_bytes(state.add, 1, 64);
        state.stream.synchronize();
        yoke::copy(counting(8), state.memory, state.stream);
      },
      weaker_checks());
}

YOKE_CUDA_TEST_CASE("faults with CUDA's images and variables", "[cuda][faults]") {
  const cu::context stays(device);
  const auto image = raw_image(yoke::compile(stays, R"(
    extern "C" { __device__ int variable[4]; }
    extern "C" __global__ void use(int* a) { a[0] = variable[3]; })"));
  loop(
      "CUDA images", device,
      [&](auto& state) {
        const auto module = cu::load_image(state.context, image);
        const auto variable = cu::get_global<int>(module, "variable");
        yoke::fill(variable, 7, state.stream);
        std::vector<int> out(1);
        yoke::get_kernel<void(int*)>(module, "use")(state.stream, {.grid = 1}, yoke::out(out));
        CHECK(out == std::vector<int>{7});
      },
      weaker_checks());
}

YOKE_CUDA_TEST_CASE("faults with CUDA's linker", "[cuda][faults]") {
  const auto part = [](const char* text) {
    return cu::compile_to(cu::image_kind::ptx, text, {.options = {"-rdc=true"}});
  };
  const temporary_folder folder;
  const auto helper = part("__device__ int helper(int a) { return a + 1; }");
  const std::string path = folder.put("helper.ptx", helper.bytes).string();
  cu::linker list;
  list.add(part("__device__ int helper(int);\n"
                "extern \"C\" __global__ void use(int* a) { a[0] = helper(6); }"),
           "caller");
  list.add_file(path);
  loop(
      "CUDA linker", device,
      [&](auto& state) {
        const auto module = list.link(state.context);
        std::vector<int> out(1);
        yoke::get_kernel<void(int*)>(module, "use")(state.stream, {.grid = 1}, yoke::out(out));
        CHECK(out == std::vector<int>{7});
      },
      weaker_checks());
}
