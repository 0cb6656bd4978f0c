// SPDX-License-Identifier: MIT
// Kinds of memory, loads and stores with cache hints, and the functions that move bytes.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

namespace yoke_test {

std::vector<kernel_program> memory_kernels() {
  kernel_program program{"memory", ""};
  std::vector<expression> hints;
  for (const std::string load : {"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu"}) {
    for (const std::string type : {"unsigned long long", "int", "float", "double", "short", "unsigned char"}) {
      hints.push_back({type, load + "((const " + type + "*)&in[row])"});
    }
    hints.push_back({"int", load + "((const int2*)&in[row]).y"});
    hints.push_back({"float", load + "((const float4*)&in[row / 2 * 2]).z"});
  }
  for (const std::string store : {"__stwb", "__stcg", "__stcs", "__stwt"}) {
    hints.push_back(
        {"unsigned long long", "[&] { " + store + "(&out[row], (unsigned long long)a + 1); return out[row]; }()"});
    hints.push_back({"float", "[&] { " + store + "((float*)&out[row], 1.5f); return *(float*)&out[row]; }()"});
    hints.push_back(
        {"unsigned long long", "[&] { " + store + "((uint2*)&out[row], make_uint2(a, 7)); return out[row]; }()"});
  }
  // The first column is scratch, written again at the end.
  hints.insert(hints.begin(), {"unsigned long long", "a"});
  kernel_entry hinted = evaluate("hints", {reals("double", "x", 1.0, 2.0), integers("unsigned long long", "a")}, hints);
  hinted.source.insert(hinted.source.rfind('}'), "  out[row] = a;\n");
  program.kernels.push_back(hinted);

  program.kernels.push_back(whole_kernel("kinds_of_memory", R"(__constant__ int primes[4] = {2, 3, 5, 7};
__device__ float factors[4] = {0.5f, 0.25f, 4.0f, 8.0f};
__device__ int written[32];
__managed__ int managed_value = 11;
extern "C" __global__ void kinds_of_memory(const word* __restrict__ in, word* __restrict__ out) {
  __shared__ int fixed[32];
  extern __shared__ int dynamic[];
  extern __shared__ float same_block[];
  const unsigned row = threadIdx.x;
  fixed[row] = primes[row % 4] * (int)row;
  dynamic[row] = (int)in[row];
  written[row] = (int)row + managed_value;
  __syncthreads();
  out[row] = bits(fixed[31 - row]);
  out[32 + row] = bits(dynamic[(row + 5) % 32]);
  out[64 + row] = bits(factors[row % 4] * (float)row);
  out[96 + row] = bits(written[row]);
  __syncthreads();
  same_block[row] = 1.5f;
  __syncthreads();
  out[128 + row] = bits(dynamic[row]);
}
)",
                                         {{"static", "int", 32},
                                          {"dynamic", "int", 32},
                                          {"globals", "float", 32},
                                          {"written", "int", 32},
                                          {"one block", "int", 32}},
                                         integers("int", "a").values));
  program.kernels.back().shared_bytes = 32 * sizeof(int);

  program.kernels.push_back(whole_kernel("bytes", R"(extern "C" __global__ void bytes(const word* in, word* out) {
  const unsigned row = threadIdx.x;
  unsigned char from[8], to[8];
  memcpy(from, &in[row], 8);
  memset(to, 0x5a, sizeof to);
  memcpy(to + 1, from + 2, 5);
  word result;
  memcpy(&result, to, 8);
  out[row] = result;
  int* const heap = (int*)malloc(4 * sizeof(int));
  if (heap != nullptr) {
    for (int each = 0; each < 4; ++each) heap[each] = each * (int)row;
    out[32 + row] = bits(heap[1] + heap[2] + heap[3]);
  }
  free(heap);
  int* const made = new int[3];
  made[2] = (int)row;
  out[64 + row] = bits(made[2] + 1);
  delete[] made;
  struct pair { int a, b; };
  pair* const single = new pair{(int)row, 2};
  out[96 + row] = bits(single->a * single->b);
  delete single;
  alignas(8) unsigned char room[8];
  pair* const placed = new (room) pair{3, (int)row};
  out[128 + row] = bits(placed->a + placed->b);
}
)",
                                         {{"moved", "unsigned long long", 32},
                                          {"heap", "int", 32},
                                          {"new", "int", 32},
                                          {"one", "int", 32},
                                          {"placed", "int", 32}},
                                         integers("unsigned long long", "a").values));
  return {program};
}

}  // namespace yoke_test
