// SPDX-License-Identifier: MIT
// Qualifiers, threads, barriers, scalars, features, structs, launch bounds and messages.
#include <dialect/table.hpp>

namespace yoke_test::dialect {

std::vector<kernel> memory_kernels() {
  std::vector<kernel> all;
  std::vector<std::int64_t> places;
  for (int thread = 0; thread < 24; ++thread) {  // a grid of (2, 1, 2) blocks of (3, 2, 1) threads
    const int gx = thread % 6;
    const int gy = thread / 6 % 2;
    const int gz = thread / 12;
    for (const int each : {gx, gy, gz, gx % 3, gy, 0, gx / 3, gz, 6, 2, 2, 3, 2, 2, 0, 3, gy * 3 + gx % 3, gx, 0, 2}) {
      places.push_back(each);
    }
  }
  all.push_back(whole_kernel("threads", "", R"(
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  YOKE_GLOBAL yoke_uint64* to = out + 20 * get_global_linear_id();
  to[0] = get_global_id(0); to[1] = get_global_id(1); to[2] = get_global_id(2);
  to[3] = get_local_id(0); to[4] = get_local_id(1); to[5] = get_local_id(2);
  to[6] = get_group_id(0); to[7] = get_group_id(2);
  to[8] = get_global_size(0); to[9] = get_global_size(1); to[10] = get_global_size(2);
  to[11] = get_local_size(0); to[12] = get_local_size(1); to[13] = get_num_groups(0);
  to[14] = get_global_offset(1); to[15] = get_work_dim();
  to[16] = get_local_linear_id(); to[17] = yoke_global_id32(0);
  to[18] = get_global_id(3); to[19] = get_num_groups(2);
}
)",
                             places, {2, 1, 2}, {3, 2, 1}));

  kernel memories = whole_kernel("memories", "", R"(
YOKE_CONSTANT int table[4] = {0, 1, 2, 3};
int from_table(YOKE_CONSTANT_POINTER const int* values, int at) { return values[at]; }
float from_local(YOKE_LOCAL_POINTER const float* scratch, int at) { return scratch[at]; }
int from_global(YOKE_GLOBAL const yoke_uint64* values, int at) { return (int)values[at]; }
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* YOKE_RESTRICT in, YOKE_GLOBAL yoke_uint64* YOKE_RESTRICT out,
                YOKE_LOCAL_ARG(float, scratch)) {
  YOKE_LOCAL_BIND(float, scratch)
  YOKE_LOCAL int fixed[64];
  YOKE_PRIVATE int mine[2];
  int i = (int)get_local_id(0);
  scratch[i] = (float)i;
  YOKE_BARRIER_LOCAL();
  fixed[i] = (int)from_local(scratch, 63 - i);
  YOKE_FENCE_LOCAL();
  YOKE_BARRIER();
  mine[0] = fixed[i];
  mine[1] = from_table(table, i % 4);
  out[63 - i] = mine[0] + mine[1];
  YOKE_FENCE_GLOBAL();
  YOKE_BARRIER_GLOBAL();
  int there = (int)out[i];
  YOKE_FENCE();
  YOKE_BARRIER();
  out[i] = there - (3 - i % 4) + i % 4 + fixed[i] - i + from_global(in, 0);
}
)",
                                 {}, {1, 1, 1}, {64, 1, 1});
  memories.dynamic_local = true;
  memories.input = {3};
  for (int i = 0; i < 64; ++i) {
    // Thread 63 - i wrote word i: fixed of it is i, its table entry (63 - i) % 4 == 3 - i % 4.
    memories.results[0].expected.push_back(static_cast<dialect::word>(i + i % 4 + (63 - i) - i + 3));
  }
  all.push_back(memories);

  all.push_back(whole_kernel("scalars", "", R"(
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  out[0] = sizeof(yoke_int8); out[1] = sizeof(yoke_uint8); out[2] = sizeof(yoke_int16); out[3] = sizeof(yoke_uint16);
  out[4] = sizeof(yoke_int32); out[5] = sizeof(yoke_uint32); out[6] = sizeof(yoke_int64); out[7] = sizeof(yoke_uint64);
  out[8] = sizeof(yoke_float32); out[9] = sizeof(uchar); out[10] = sizeof(ushort); out[11] = sizeof(uint);
  out[12] = sizeof(ulong); out[13] = sizeof(size_t) >= 4;
  out[14] = (yoke_int8)-1 < 0; out[15] = (yoke_uint8)-1 > 0;
  out[16] = (yoke_int16)-1 < 0; out[17] = (yoke_uint16)-1 > 0;
  out[18] = (yoke_int32)-1 < 0; out[19] = (yoke_uint32)-1 > 0;
  out[20] = (yoke_int64)-1 < 0; out[21] = (yoke_uint64)-1 > 0;
}
)",
                             {1, 1, 2, 2, 4, 4, 8, 8, 4, 1, 2, 4, 8, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  all.push_back(whole_kernel("double_scalars", "FP64", R"(
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  out[0] = sizeof(yoke_float64);
  out[1] = (yoke_uint64)((yoke_float64)1e300 / 1e299 + 0.5);
}
)",
                             {8, 10}));
  all.push_back(whole_kernel("features", "", R"(
#if YOKE_BACKEND_OPENCL + YOKE_BACKEND_CUDA + YOKE_BACKEND_HOST != 1
#error "one backend at a time"
#endif
#define TWICE(a) YOKE_CAT(a, a)
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  out[0] = (YOKE_HAS_FP64 | YOKE_HAS_FP16 | YOKE_HAS_INT64_ATOMICS | YOKE_HAS_FP64_ATOMICS | YOKE_HAS_SUB_GROUPS) < 2;
  out[1] = YOKE_HAS_FP64_ATOMICS <= (YOKE_HAS_FP64 & YOKE_HAS_INT64_ATOMICS);
  out[2] = TWICE(1) + YOKE_CAT(2, TWICE(3));
  out[3] = YOKE_SUB_GROUP_SIZE == 32 || (YOKE_SUB_GROUP_SIZE == 0 && YOKE_BACKEND_OPENCL);
}
)",
                             {1, 1, 11 + 233, 1}));
  all.push_back(whole_kernel("bounds", "", R"(
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(8, 2, 1) run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  int sum = 0;
  YOKE_UNROLL(4)
  for (int i = 0; i < 8; ++i) sum += i * (int)in[0];
  out[get_local_linear_id()] = sum + (int)get_local_size(1);
}
)",
                             std::vector<std::int64_t>(16, 28 * 3 + 2), {1, 1, 1}, {8, 2, 1}));
  all.back().input = {3};
  all.push_back(whole_kernel("resident", "", R"(
YOKE_ALLOW_UNUSED
YOKE_KERNEL YOKE_RESIDENT_GROUPS(8, 2, 1, 2) run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  int never;
  int set = (int)in[0];
  set = 4;
  out[get_local_linear_id()] = 10 * get_local_size(0) + get_local_size(1);
}
)",
                             std::vector<std::int64_t>(16, 82), {1, 1, 1}, {8, 2, 1}));
  std::vector<std::int64_t> of_warps;
  for (int i = 0; i < 64; ++i) of_warps.push_back(i / 32 * 32 + 31 - i % 32 + i);
  all.push_back(whole_kernel("warps", "", R"(
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  YOKE_LOCAL int values[64];
  int i = (int)get_local_id(0);
  values[i] = i;
  YOKE_BARRIER_WARP();
  int other = values[i / 32 * 32 + 31 - i % 32];
  YOKE_BARRIER_WARP();
  values[i] = other;
#if YOKE_SUB_GROUP_SIZE == 32
  int below = yoke_warp_shuffle_up(other, 1u) + (int)yoke_warp_shuffle_up((uint)other, 3u);
  float real = yoke_warp_shuffle_up((float)other, 1u);
  if (i % 32 >= 3 && (below != 2 * other + 4 || real != (float)other + 1.0f)) values[i] = -1;
  uint same = 0;
  for (int lane = 0; lane < 32; ++lane) same |= (uint)((i / 32 * 32 + lane) % 5 == i % 5) << lane;
  if (yoke_warp_peers((uint)(i % 5) * 51u + 1u) != same) values[i] = -2;
#endif
  out[i] = (yoke_uint64)(yoke_int64)(values[i] + i);
}
)",
                             of_warps, {1, 1, 1}, {64, 1, 1}));
  all.push_back(whole_kernel("used_once", "", R"(
#define NEXT(T, to) yoke_store_once((T)(yoke_load_once(1, (YOKE_GLOBAL const T*)in) + (T)1), 0, (YOKE_GLOBAL T*)(to))
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  for (int i = 0; i < 12; ++i) yoke_store_once((yoke_uint64)0, i, out);
  NEXT(yoke_int8, out);
  NEXT(yoke_uint8, out + 1);
  NEXT(yoke_int16, out + 2);
  NEXT(yoke_uint16, out + 3);
  NEXT(int, out + 4);
  NEXT(uint, out + 5);
  NEXT(yoke_int64, out + 6);
  NEXT(yoke_uint64, out + 7);
  yoke_store_once(yoke_load_once(1, (YOKE_GLOBAL const float*)in), 16, (YOKE_GLOBAL float*)out);
  float2 pair = yoke_load_once(0, (YOKE_GLOBAL const float2*)in);
  yoke_store_once(make_float2(pair.y, pair.x), 9, (YOKE_GLOBAL float2*)out);
  uint4 four = yoke_load_once(0, (YOKE_GLOBAL const uint4*)in);
  yoke_store_once(make_uint4(four.z, four.w, four.x, four.y), 5, (YOKE_GLOBAL uint4*)out);
}
)",
                             {2, 2, 0x303, 0x303, 0x7060505, 0x7060505, 0xf0e0d0c0b0a0909, 0xf0e0d0c0b0a0909, 0x7060504,
                              0x302010007060504, 0xf0e0d0c0b0a0908, 0x706050403020100}));
  all.back().input = {0x706050403020100, 0xf0e0d0c0b0a0908};
  all.push_back(whole_kernel("pauses", "", R"(
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  YOKE_LOCAL uint ready[2];
  if (get_local_id(0) == 0) yoke_atomic_store(ready, 0u);
  YOKE_BARRIER_LOCAL();
  for (uint i = 0; i < 3; ++i) yoke_pause(20u * i);
  yoke_atomic_add(ready, 1u);
  YOKE_BARRIER_LOCAL();
  out[get_local_id(0)] = yoke_atomic_load(ready);
}
)",
                             {4, 4, 4, 4}, {1, 1, 1}, {4, 1, 1}));
  all.push_back(whole_kernel("structs", "", R"(
YOKE_STRUCT(particle) {
  float4 position;
  int id, kind;
  yoke_uint8 flags[4];
  uint2 cell;
};
YOKE_CHECK_SIZE(particle, 48);
YOKE_CHECK_OFFSET(particle, kind, 20);
YOKE_CHECK_OFFSET(particle, flags, 24);
YOKE_CHECK_OFFSET(particle, cell, 32);
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  particle one;
  one.position = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
  one.id = (int)in[0];
  one.kind = 7;
  one.flags[3] = 9;
  one.cell = make_uint2(5, 6);
  particle two = one;
  out[0] = two.id * two.kind + two.flags[3] + two.cell.y + (int)two.position.w;
  out[1] = sizeof(particle);
}
)",
                             {3 * 7 + 9 + 6 + 4, 48}));
  all.back().input = {3};
  all.push_back(whole_kernel("messages", "", R"(
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  YOKE_ASSERT(in[0] == 3);
  if (in[0] != 3) {
    yoke_printf("%d\n", (int)in[0]);
    YOKE_TRAP();
  }
  out[0] = in[0];
}
)",
                             {3}));
  all.back().input = {3};
  return all;
}

}  // namespace yoke_test::dialect
