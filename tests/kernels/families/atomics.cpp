// SPDX-License-Identifier: MIT
// The atomic functions on every type: each alone on a word of its own, and many threads on one.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

namespace yoke_test {

namespace {

/// What was there and what is there then, for each function in its three scopes.
kernel_entry alone(const std::string& name, const std::string& type, const std::vector<std::string>& functions,
                   const std::vector<std::string>& scopes = {"", "_block", "_system"}) {
  std::vector<expression> rows;
  for (const std::string& function : functions) {
    for (const std::string& scope : scopes) {
      // A compare-and-swap finds what it expects in every other row.
      const std::string arguments = function == "atomicCAS" ? ", row % 2 == 0 ? a : b, b)" : ", b)";
      const std::string call = function + scope + "(cell" + arguments;
      rows.push_back({type, "[&] { cells[row] = bits(a); return " + call + "; }()"});
      rows.push_back(
          {type, "[&] { cells[row] = bits(a); (void)" + call + "; return value<" + type + ">(cells[row]); }()"});
    }
  }
  const bool real = is_real(type);
  // Subnormal floats may be flushed in global memory: there are none here.
  kernel_entry kernel = evaluate("atomics_of_" + name,
                                 {real ? reals(type, "a", -99.0, 99.0) : integers(type, "a"),
                                  real ? reals(type, "b", -99.0, 99.0) : integers(type, "b")},
                                 rows);
  kernel.source = "__device__ word cells_of_" + name + "[32];\n" + kernel.source;
  kernel.source.insert(kernel.source.find("  out["), "  word* const cells = cells_of_" + name + ";\n  " + type +
                                                         "* const cell = (" + type + "*)&cells[row];\n");
  return kernel;
}

/// A total of 256 threads in 4 blocks; the block that comes last writes it out.
kernel_entry together(const std::string& name, const std::string& type, const std::string& function,
                      const std::string& first, const std::string& brought, word expected) {
  const std::string body = "__device__ " + type + " total_of_" + name + " = " + first + ";\n" +
                           "__device__ unsigned arrived_at_" + name + " = 0;\n" +
                           "extern \"C\" __global__ void together_" + name +
                           "(const word*, word* out) {\n"
                           "  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "  __shared__ bool last;\n"
                           "  " +
                           function + "(&total_of_" + name + ", (" + type + ")(" + brought +
                           "));\n"
                           "  __threadfence();\n"
                           "  __syncthreads();\n"
                           "  if (threadIdx.x == 0) last = atomicInc(&arrived_at_" +
                           name +
                           ", gridDim.x - 1) == gridDim.x - 1;\n"
                           "  __syncthreads();\n"
                           "  if (last && threadIdx.x == 0) out[0] = bits(*(volatile " +
                           type + "*)&total_of_" + name +
                           ");\n"
                           "}\n";
  return whole_kernel("together_" + name, body, {{"total", type, 1, 0, 0, {expected}}}, {}, {4, 1, 1}, {64, 1, 1});
}

}  // namespace

std::vector<kernel_program> atomic_kernels() {
  kernel_program program{"atomics", ""};
  auto& kernels = program.kernels;
  const std::vector<std::string> all = {"atomicExch", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"};
  std::vector<std::string> of_int = all, of_unsigned = all, of_long = all;
  for (const char* const each : {"atomicAdd", "atomicSub", "atomicCAS"}) {
    of_int.emplace_back(each);
    of_unsigned.emplace_back(each);
  }
  for (const char* const each : {"atomicInc", "atomicDec"}) of_unsigned.emplace_back(each);
  for (const char* const each : {"atomicAdd", "atomicCAS"}) of_long.emplace_back(each);
  kernels.push_back(alone("int", "int", of_int));
  kernels.push_back(alone("unsigned", "unsigned", of_unsigned));
  kernels.push_back(alone("unsigned_long_long", "unsigned long long", of_long));
  kernels.push_back(alone("long_long", "long long", {"atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"}));
  kernels.push_back(alone("unsigned_short", "unsigned short", {"atomicCAS"}, {""}));
  kernels.push_back(alone("float", "float", {"atomicAdd", "atomicExch"}));
  kernels.push_back(alone("double", "double", {"atomicAdd"}));

  kernels.push_back(together("add_int", "int", "atomicAdd", "5", "rank", 5 + 255 * 128));
  kernels.push_back(together("add_unsigned_long_long", "unsigned long long", "atomicAdd", "0", "rank * 0x100000001ull",
                             255 * 128 * 0x100000001ull));
  kernels.push_back(together("add_float", "float", "atomicAdd", "0.5f", "rank", word_of(255.0F * 128.0F + 0.5F)));
  kernels.push_back(together("add_double", "double", "atomicAdd", "0.5", "rank", word_of(255.0 * 128.0 + 0.5)));
  kernels.push_back(together("max_int", "int", "atomicMax", "-7", "rank * 37 % 256", 255));
  kernels.push_back(together("min_long_long", "long long", "atomicMin", "1", "-(long long)rank", word_of(-255LL)));
  kernels.push_back(together("xor_unsigned", "unsigned", "atomicXor", "0", "1u << (rank % 31)", 0xff));
  kernels.push_back(together("count_unsigned", "unsigned", "atomicInc", "0", "99", 256 % 100));

  kernels.push_back(whole_kernel("atomics_of_vectors", R"(__device__ float2 pair_cells[32];
__device__ float4 quad_cells[32];
extern "C" __global__ void atomics_of_vectors(const word*, word* out) {
  const unsigned row = threadIdx.x;
  pair_cells[row] = make_float2(row, 0.5f);
  quad_cells[row] = make_float4(row, 1, 2, 3);
  const float2 pair = atomicAdd(&pair_cells[row], make_float2(1, 2));
  const float4 quad = atomicAdd(&quad_cells[row], make_float4(1, 2, 3, 4));
  out[row] = bits(pair.x + pair.y);
  out[32 + row] = bits(pair_cells[row].x + 10 * pair_cells[row].y);
  out[64 + row] = bits(quad.x + quad.y + quad.z + quad.w);
  out[96 + row] = bits(quad_cells[row].x + 10 * quad_cells[row].y + 100 * quad_cells[row].z + 1000 * quad_cells[row].w);
}
)",
                                 {{"pair before", "float", 32},
                                  {"pair after", "float", 32},
                                  {"quad before", "float", 32},
                                  {"quad after", "float", 32}}));
  kernels.push_back(whole_kernel("atomics_of_sixteen_bytes", R"(struct __align__(16) wide { word low, high; };
__device__ wide wide_cells[32];
extern "C" __global__ void atomics_of_sixteen_bytes(const word*, word* out) {
  const unsigned row = threadIdx.x;
  wide_cells[row] = wide{row, ~word(row)};
  const wide first = atomicExch(&wide_cells[row], wide{7, row});
  const wide second = atomicCAS(&wide_cells[row], wide{row % 2 == 0 ? 7ull : 8ull, row}, wide{row, row + 1});
  out[row] = first.low + first.high;
  out[32 + row] = second.low * 1000 + second.high;
  out[64 + row] = wide_cells[row].low * 1000 + wide_cells[row].high;
}
)",
                                 {{"exchanged", "word", 32}, {"compared", "word", 32}, {"after", "word", 32}}));
  kernels.push_back(whole_kernel(
      "atomics_in_shared_memory", R"(extern "C" __global__ void atomics_in_shared_memory(const word*, word* out) {
  __shared__ unsigned counts[8];
  __shared__ float sum;
  if (threadIdx.x < 8) counts[threadIdx.x] = 0;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd_block(&counts[threadIdx.x * 3 % 8], 1u);
  atomicAdd(&sum, (float)threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = counts[threadIdx.x];
  if (threadIdx.x == 8) out[8] = bits(sum);
}
)",
      {{"counts", "unsigned", 8, 0, 0, std::vector<word>(8, 16)}, {"sum", "float", 1, 0, 0, {word_of(127.0F * 64.0F)}}},
      {}, {1, 1, 1}, {128, 1, 1}));
  kernels.push_back(whole_kernel("lock", R"(__device__ int lock_word = 0;
__device__ unsigned guarded = 0;
__device__ unsigned locked_by = 0;
extern "C" __global__ void lock(const word*, word* out) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock_word, 0, 1) != 0) __nanosleep(20);
    __threadfence();
    *(volatile unsigned*)&guarded = *(volatile unsigned*)&guarded + 1;
    __threadfence();
    atomicExch(&lock_word, 0);
    if (atomicAdd(&locked_by, 1u) == gridDim.x - 1) out[0] = atomicAdd(&guarded, 0u);
  }
}
)",
                                 {{"count", "unsigned", 1, 0, 0, {16}}}, {}, {16, 1, 1}));
  return {program};
}

}  // namespace yoke_test
