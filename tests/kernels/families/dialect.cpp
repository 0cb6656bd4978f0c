// SPDX-License-Identifier: MIT
// Every word of yoke's dialect in CUDA's terms.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

namespace yoke_test {

std::vector<kernel_program> dialect_kernels() {
  kernel_program program{"dialect", R"(#if YOKE_BACKEND_OPENCL || YOKE_BACKEND_HOST || !YOKE_BACKEND_CUDA
#error "not CUDA"
#endif
YOKE_CONSTANT int primes[4] = {2, 3, 5, 7};
int twice(YOKE_LOCAL_POINTER const int* p, int i) { return 2 * p[i]; }
int first_of(YOKE_CONSTANT_POINTER const int* p) { return p[0]; }
)"};
  program.portable = true;
  program.kernels.push_back(whole_kernel(
      "dialect_places",
      R"(YOKE_KERNEL dialect_places(YOKE_GLOBAL const ulong* YOKE_RESTRICT in, YOKE_GLOBAL ulong* YOKE_RESTRICT out) {
  size_t rank = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
  out[rank] = get_local_id(0) + get_local_id(1) * 10 + get_local_id(2) * 100 + get_group_id(0) * 1000 + get_group_id(1) * 10000 + get_group_id(3) * 5;
  out[96 + rank] = get_local_size(0) + get_local_size(1) * 10 + get_num_groups(0) * 100 + get_num_groups(1) * 1000 + get_work_dim() * 10000 + get_local_size(7) * 100000 + get_global_offset(0);
}
)",
      {{"places", "ulong", 96}, {"extents", "ulong", 96}}, {}, {2, 3, 1}, {8, 2, 1}));
  program.kernels.push_back(whole_kernel(
      "dialect_memory", R"(YOKE_KERNEL dialect_memory(YOKE_GLOBAL const ulong* in, YOKE_GLOBAL ulong* out) {
  YOKE_LOCAL int tile[32];
  int here = (int)get_local_id(0);
  YOKE_PRIVATE int mine = here * 3;
  tile[here] = mine;
  YOKE_BARRIER_LOCAL();
  out[here] = (ulong)twice(tile, 31 - here);
  YOKE_BARRIER_GLOBAL();
  YOKE_BARRIER();
  out[32 + here] = (ulong)(primes[here % 4] * first_of(primes) + clamp(here, 5, 20));
}
)",
      {{"tile", "ulong", 32}, {"constants", "ulong", 32}}));
  program.kernels.push_back(whole_kernel(
      "dialect_dynamic",
      R"(void dynamic_part(YOKE_LOCAL_ARG(int, tile), YOKE_LOCAL_ARG(float, more), YOKE_GLOBAL ulong* out) {
  YOKE_LOCAL_BIND(int, tile)
  YOKE_LOCAL_BIND(float, more)
  int here = (int)get_local_id(0);
  tile[here] = here + 1;
  more[here] = 0.5f;
  YOKE_BARRIER_LOCAL();
  out[here] = (ulong)(tile[31 - here] + (int)(more[here] * 4.0f));
}
YOKE_KERNEL dialect_dynamic(YOKE_GLOBAL const ulong* in, YOKE_GLOBAL ulong* out) { dynamic_part(0, 128, out); }
)",
      {{"dynamic", "ulong", 32}}));
  program.kernels.back().shared_bytes = 256;
  program.kernels.push_back(
      whole_kernel("dialect_types", R"(YOKE_KERNEL dialect_types(YOKE_GLOBAL const ulong* in, YOKE_GLOBAL ulong* out) {
  out[0] = sizeof(yoke_int8) + 10 * sizeof(yoke_int16) + 100 * sizeof(yoke_int32) + 1000 * sizeof(yoke_int64);
  out[1] = sizeof(yoke_uint8) + 10 * sizeof(yoke_uint16) + 100 * sizeof(yoke_uint32) + 1000 * sizeof(yoke_uint64);
  out[2] = sizeof(uchar) + 10 * sizeof(ushort) + 100 * sizeof(uint) + 1000 * sizeof(ulong) + 10000 * sizeof(yoke_float32);
  out[3] = (ulong)(yoke_uint8)300 + (ulong)(yoke_int8)-1 + (ulong)(yoke_uint16)70000 + (ulong)(uchar)511;
}
)",
                   {{"types", "ulong", 4, 0, 0, {8421, 8421, 48421, 44 + ~word{0} + 4464 + 255}}}));
  program.kernels.push_back(whole_kernel(
      "dialect_atomics", R"(YOKE_KERNEL dialect_atomics(YOKE_GLOBAL const ulong* in, YOKE_GLOBAL ulong* out) {
  YOKE_LOCAL int cells[8];
  int here = (int)get_local_id(0);
  if (here < 8) cells[here] = here == 4 ? -1 : here == 2 ? 1000 : 0;
  YOKE_BARRIER_LOCAL();
  yoke_atomic_add(&cells[0], here);
  yoke_atomic_sub(&cells[1], here);
  yoke_atomic_min(&cells[2], here + 5);
  yoke_atomic_max(&cells[3], here);
  yoke_atomic_and(&cells[4], ~(1 << (here % 8)));
  yoke_atomic_or(&cells[5], 1 << (here % 16));
  yoke_atomic_xor(&cells[6], here);
  if (here == 0) {
    int before = yoke_atomic_exchange(&cells[7], 9);
    yoke_atomic_compare_exchange(&cells[7], 9, before + 11);
  }
  YOKE_BARRIER_LOCAL();
  if (here < 8) out[here] = (ulong)(uint)cells[here];
}
)",
      {{"cells", "ulong", 8, 0, 0, {496, 0xffffffff - 495, 5, 31, 0xffffff00, 0xffff, 0, 11}}}));
  return {program};
}

}  // namespace yoke_test
