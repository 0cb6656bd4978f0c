// SPDX-License-Identifier: MIT
// Accesses out of bounds in kernels are caught where the engine is built with AddressSanitizer.
#include <cuda_simulator/simulator.hpp>
#include <engine/compile/red_zones.hpp>
#include <engine/system/sanitizers.hpp>
#include <support/process/child.hpp>

using namespace yoke_test;

namespace {

constexpr const char* careless = R"(
__device__ int table[4];
extern "C" __global__ void global(int* out, int at) { out[threadIdx.x + at] = 1; }
extern "C" __global__ void variable(int* out, int at) { table[threadIdx.x + at] = 1; }
extern "C" __global__ void shared(int* out, int at) {
  __shared__ int first[4];
  __shared__ int second[4];
  first[threadIdx.x + at] = 1;
  second[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = first[0] + second[0];
}
extern "C" __global__ void dynamic(int* out, int at) {
  extern __shared__ int cells[];
  cells[threadIdx.x + at] = 1;
  __syncthreads();
  out[threadIdx.x] = cells[0];
}
)";

}  // namespace

TEST_CASE("accesses within bounds are quiet, with every kind of memory") {
  const loaded_source source(careless);
  for (const char* kernel : {"global", "variable", "shared", "dynamic"}) {
    std::vector<int> out(4);
    CHECK_THAT(source.run(kernel, shape_of(1, 4, 16), out.data(), 0).text, Equals(""));
    CHECK_THAT(source.run(kernel, shape_of(1, 2, 8), out.data(), 0).text, Equals(""));
  }
}

TEST_CASE("accesses out of bounds end the process with a report") {
  const std::string name = "accesses out of bounds end the process with a report";
  if (is_child(name)) {
    const loaded_source source(careless);
    std::vector<int> out(4);
    source.run(std::getenv("YOKE_TEST_KERNEL"), shape_of(1, 4, 16), out.data(), 1);
    return;
  }
  if (!simulator::with_address_sanitizer) {
    SUCCEED("only AddressSanitizer sees them");
    return;
  }
  for (const char* kernel : {"global", "variable", "shared", "dynamic"}) {
    const child_result child = run_child(name, {{"YOKE_TEST_KERNEL", kernel}});
    INFO(kernel << ": " << child.output);
    CHECK(child.status != 0);
    CHECK_THAT(child.output, ContainsSubstring("ERROR: AddressSanitizer"));
  }
}

TEST_CASE("red zones follow thread-local variables and nothing else") {
  CHECK(simulator::with_red_zones("\t.section\t.tbss,\"awT\",@nobits\na:\n\t.zero\t16\n\t.bss\nb:\n\t.zero\t8\n") ==
        "\t.section\t.tbss,\"awT\",@nobits\na:\n\t.zero\t16\n\t.balign 32\n\t.zero 32\n\t.bss\nb:\n\t.zero\t8\n");
}
