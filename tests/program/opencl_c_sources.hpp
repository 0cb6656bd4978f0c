// SPDX-License-Identifier: MIT
// Kernels in plain OpenCL C, written as they are written in public: run on every device, and compiled by NVRTC.
#ifndef YOKE_TESTS_PROGRAM_OPENCL_C_SOURCES_HPP
#define YOKE_TESTS_PROGRAM_OPENCL_C_SOURCES_HPP

#include <utility>

namespace yoke_test::opencl_c_sources {

inline constexpr const char* transpose = R"(#define TILE 8
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose(__global float* restrict out, __global const float* restrict in, int width, int height) {
  __local float tile[TILE][TILE + 1];
  const int x = get_global_id(0), y = get_global_id(1);
  const int lx = get_local_id(0), ly = get_local_id(1);
  if (x < width && y < height) tile[ly][lx] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int ox = get_group_id(1) * TILE + lx, oy = get_group_id(0) * TILE + ly;
  if (ox < height && oy < width) out[oy * height + ox] = tile[lx][ly];
}
)";

inline constexpr const char* gemm = R"(#define TS 16
#define WPT 4
#define LOCAL_PTR __local

inline void load_tile(LOCAL_PTR float* restrict to, const __global float* restrict from, int pitch) {
  const int row = get_local_id(1), column = get_local_id(0) * WPT;
  vstore4(vload4(0, from + row * pitch + column), 0, to + row * TS + column);
}

// C = alpha * A * B + beta * C, row by row; each thread computes four columns.
__kernel __attribute__((reqd_work_group_size(TS / WPT, TS, 1)))
void gemm(const int n, const int k, const float alpha, const __global float* restrict a,
          const __global float* restrict b, const float beta, __global float* c) {
  __local float a_tile[TS * TS];
  __local float4 b_tile[TS][TS / WPT];
  const int column = get_local_id(0), row = get_local_id(1);
  const int first_row = get_group_id(1) * TS, first_column = get_group_id(0) * TS;
  float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
  for (int tile = 0; tile < k; tile += TS) {
    load_tile(a_tile, a + first_row * k + tile, k);
    b_tile[row][column] = ((const __global float4*)(b + (tile + row) * n + first_column))[column];
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int i = 0; i < TS; ++i) {
      sum += a_tile[row * TS + i] * b_tile[i][column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  __global float4* out = (__global float4*)(c + (first_row + row) * n + first_column) + column;
  float4 old = *out;
  float4 result;
  result.xy = alpha * sum.lo + beta * old.xy;
  result.s2 = mad(alpha, sum.z, beta * old.s2);
  result.w = alpha * sum.s3 + beta * old.w;
  *out = result;
}
)";

inline constexpr const char* gemv = R"(typedef float real;
#define REAL4 float4
kernel void gemv(global const real* a, constant real* x, global real* y, local real* restrict tile,
                 const uint rows, const uint columns) {
  const size_t row = get_global_id(0);
  const uint here = get_local_id(0), group = get_local_size(0);
  REAL4 sums = (REAL4)(0, 0, 0, 0);
  for (uint first = 0; first < columns; first += group) {
    tile[here] = first + here < columns ? x[first + here] : (real)0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row < rows) {
      const uint count = min(group, columns - first);
      uint i = 0;
      for (; i + 4 <= count; i += 4) sums += vload4(0, a + row * columns + first + i) * vload4(0, tile + i);
      for (; i < count; ++i) sums.x = fma(a[row * columns + first + i], tile[i], sums.x);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < rows) y[row] = dot(sums, (REAL4)(1.0f));
}
)";

inline constexpr const char* reduce =
    R"(/* A tree in each group; the partial sums, the least and the most go to one place by atomics. */
__kernel void reduce(__global const int* in, __global int* total, __local int* sums, __local int2* ends, uint n) {
  const uint i = get_global_id(0), here = get_local_id(0);
  int value = i < n ? in[i] : 0;
  sums[here] = value;
  ends[here] = (int2)(value, value);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_of = get_local_size(0) >> 1; half_of > 0; half_of >>= 1) {
    if (here < half_of) {
      sums[here] += sums[here + half_of];
      const int2 other = ends[here + half_of];
      ends[here].x = min(ends[here].x, other.x);
      ends[here].s1 = max(ends[here].s1, other.hi);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (here == 0) {
    atomic_add(total, sums[0]);
    atomic_min((volatile __global int*)&total[1], ends[0].x);
    atomic_max(total + 2, ends[0].y);
    atomic_inc(total + 3);
  }
}
)";

inline constexpr const char* complex_numbers = R"(typedef float2 cfloat;
#define I ((cfloat)(0.0f, 1.0f))
inline cfloat cmul(cfloat a, cfloat b) { return (cfloat)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
inline cfloat cconj(cfloat a) { return (cfloat)(a.x, -a.y); }
static cfloat cdiv(const cfloat a, const cfloat b) { return cmul(a, cconj(b)) / dot(b, b); }
__kernel void axpy(__global float2* y, const __global float2* x, const float2 a, const int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  cfloat value = cmul(a, x[i]) + y[i];
  value = value.yx;                      // real and imaginary part change places,
  value.yx = cmul(I, value);             // a turn by a right angle, and back again
  value -= cdiv(x[i] * 2.0f, (float2)(1.0f, 1.0f));
  y[i] = value;
}
)";

inline constexpr const char* halves = R"(#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
__kernel void scale(__global ushort* out_bits, __global const ushort* in_bits, float by, int n) {
  __global half* out = (__global half*)out_bits;
  __global const half* in = (__global const half*)in_bits;
  const int i = get_global_id(0);
  if (4 * i + 4 <= n) {
    float4 four = vload_half4(i, in);
    vstore_half4(four * by, i, out);
  } else {
    for (int rest = 4 * i; rest < n; ++rest) vstore_half_rte(by * vload_half(rest, in), rest, out);
  }
}
)";

inline constexpr std::pair<const char*, const char*> all[] = {
    {"transpose", transpose}, {"gemm", gemm}, {"gemv", gemv}, {"reduce", reduce}, {"complex_numbers", complex_numbers},
    {"halves", halves}};

}  // namespace yoke_test::opencl_c_sources

#endif
