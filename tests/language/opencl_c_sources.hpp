// SPDX-License-Identifier: MIT
// Kernels in plain OpenCL C, written as they are written in public: run on every device, and compiled by NVRTC.
#ifndef YOKE_TESTS_LANGUAGE_OPENCL_C_SOURCES_HPP
#define YOKE_TESTS_LANGUAGE_OPENCL_C_SOURCES_HPP

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

inline constexpr const char* language = R"(
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
#define VEC(a, b) (float2)(a, b)
#define SHARED(T, n) __local T block[n]
typedef struct { float4 place; int low, class; } particle;
__constant float weights[4] = {0.5f, 1.0f, 2.0f, 4.0f};
constant float4 table[2] = {(float4)(1.0f, 2.0f, 3.0f, 4.0f), (float4)(8.0f)};
constant int both = 1;

int sum8(const int8 v) { const int4 s = v.lo + v.hi; return s.x + s.y + s.z + s.w; }
float first_of(__constant const float* p, __local const float* q, __private float* r) { return p[0] + q[0] + *r; }

__kernel void language(__global float* out, __global int* counts, __global uchar* bytes, __global const float* in,
                       const float4 by) {
  SHARED(float, 4);
  __local float4 tile[2];
  float __local alone;
  __local float* at = block;
  int or = 1, new = 2;
  float own = 0.25f;
  at[0] = 1.0f; alone = 2.0f; tile[1] = table[0] * by;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  float4 v = vload4(0, in);              // 1, 2, 3, 4
  float4 w = 1.0f;
  float4 u = {4.0f, 3.0f, 2.0f, 1.0f};
  w.xy = v.wz;                           // 4, 3, 1, 1
  w.hi += VEC(1.0f, 2.0f);               // 4, 3, 2, 3
  w.even *= 2.0f;                        // 8, 3, 4, 3
  w.s3 = v.odd.y;                        // 8, 3, 4, 4
  vstore4(w, 0, out);
  vstore4(-v + u * 2.0f, 1, out);        // 7, 4, 1, -2
  vstore4(select(v, u, v < u), 2, out);  // 4, 3, 3, 4
  vstore4(clamp(v.wzyx, 2.0f, 3.0f), 3, out);            // 3, 3, 2, 2
  vstore4(fma(v, u, (float4)(0.5f)) + mad(v, u, w), 4, out);
  float3 a = (float3)(1, 0, 0), b = (float3)(0, 1, 0);
  vstore3(cross(a, b).xyz, 7, out);      // at 21: 0, 0, 1
  out[24] = dot(v, u) + length((float2)(3.0f, 4.0f)) + any(v > u) + all(v > u);  // 20 + 5 + 1 + 0
  out[25] = first_of(weights, at, &own) + alone + tile[1].y + both;              // 1.75 + 2 + 4 + 1
  out[26] = (normalize((float2)(3.0f, 4.0f)).y > 0.79f) + fmax(v, 3.5f).x + mix(v, u, 0.5f).x;  // 1 + 3.5 + 2.5
  float whole, cosine;
  out[27] = fract(2.25f, &whole) + sincos(0.0f, &cosine);
  out[27] += whole + cosine + (fabs(half_sqrt(4.0f) + native_recip(2.0f) - 2.5f) < 0.01f ? 1.0f : 0.0f);  // 0.25 + 2 + 1 + 1
  out[28] = isnan(NAN) && isinf(INFINITY) && FLT_MAX > 1e38f && M_PI_F > 3.14f ? 1.0f : 0.0f;
  out[29] = as_float(as_int(v.y)) + as_float4(as_uint4(v)).z + convert_float(or + new);  // 2 + 3 + 3
  vstore4(convert_uchar4_sat_rte((float4)(-1.0f, 0.5f, 1.5f, 300.0f)), 0, bytes);
  vstore2(convert_uchar2((int2)(7, 9)), 2, bytes);
  bytes[6] = convert_uchar_sat(300) + (uchar)1;
  bytes[7] = as_uchar4(as_uint((float)1)).w;
  int8 many = (int8)((int4)(1, 2, 3, 4), 5, 6, (int2)(7, 8));
  counts[0] = sum8(many) + many.s0123.w + (int)many.s45.y;   // 36 + 4 + 6
  counts[1] = mad24(3, 4, 5) + mul24(2, 3) + max(1, 2) + popcount(7u) + (int)abs(-3) + rotate(1u, 4u);
  counts[2] = atomic_add(counts + 8, 5);
  counts[2] += atom_inc(counts + 8);
  counts[2] += atomic_cmpxchg(counts + 8, 6, 9);                                 // 0 + 5 + 6
  counts[3] = (int)sizeof(float3) + (int)sizeof(short2) + (int)sizeof(many);     // 16 + 4 + 32
  particle p;
  p.place = v; p.low = 1; p.class = 2;
  p.place.xyz = u.xyz;
  __global particle* none = 0;
  counts[4] = (int)p.place.x + p.low + p.class + (none == 0);                    // 4 + 1 + 2 + 1
  uint2 bits = (uint2)(5u, 6u);
  bits <<= 1u; bits ^= (uint2)(1u); ++bits;
  counts[5] = (int)(bits.x + bits.y);                                            // 12 + 14
  counts[6] = (int)(in[3] + tile[1].x);                                          // 4 + 2
#ifdef __OPENCL_VERSION__
  counts[7] = get_work_dim() + (int)get_global_size(0) + (int)((uintptr_t)out & 3) + (int)((intptr_t)none);
#endif
}
)";

inline constexpr const char* group_copy = R"(
__kernel void through_local(__global float4* out, __global const float4* in, int n, __local float4* tile) {
  event_t copied = async_work_group_copy(tile, in + get_group_id(0) * n, n, 0);
  wait_group_events(1, &copied);
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) tile[i] = -tile[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  copied = async_work_group_copy(out + get_group_id(0) * n, tile, n, 0);
  wait_group_events(1, &copied);
}
)";

inline constexpr const char* strided_copy = R"(
__kernel void columns(__global float2* out, __global const float2* in, int n, int width, __local float2* given) {
  __local float2 fixed[8];
  const size_t column = get_group_id(0);
  event_t come = async_work_group_strided_copy(given, in + column, n, width, 0);
  come = async_work_group_strided_copy(fixed, in + column, n, width, come);
  wait_group_events(1, &come);
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) given[i] += fixed[n - 1 - i];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t gone = async_work_group_strided_copy(out + column, given, n, width, 0);
  wait_group_events(1, &gone);
  barrier(CLK_LOCAL_MEM_FENCE);
  gone = async_work_group_strided_copy(out + n * width + column, fixed, 1, 1, 0);
  wait_group_events(1, &gone);
}
)";

// Each function at the width of its arguments.
inline constexpr const char* narrow = R"(
__kernel void narrow(__global int* out, const uchar a, const char c, const short2 s, const uchar4 v) {
  out[0] = rotate(a, (uchar)3);
  out[1] = add_sat(a, a);
  out[2] = clz(a);
  out[3] = popcount((char)a);
  out[4] = mul_hi(a, a);
  out[5] = abs(c);
  out[6] = upsample(c, a);
  out[7] = hadd(c, c) + rhadd(a, (uchar)1);
  out[8] = mad_sat(c, c, c);
  out[9] = mad_hi(a, a, a);
  out[10] = sub_sat(c, (char)1);
  out[11] = (int)sizeof(min(a, a)) + (int)sizeof(max(s.x, s.y)) + (int)sizeof(abs_diff(c, c));
  vstore4(convert_int4(rotate(v, (uchar4)(3))), 3, out);
  vstore4(convert_int4(add_sat(v, v)), 4, out);
  vstore4(convert_int4(clz(v)), 5, out);
  vstore4(convert_int4(popcount(v)), 6, out);
  vstore4(convert_int4(mul_hi(v, v)), 7, out);
  vstore4(convert_int4(mad_hi(v, v, v)), 8, out);
  vstore4(convert_int4(mad_sat(v, v, v)), 9, out);
  vstore4(convert_int4(max(v, (uchar)16)), 10, out);
  vstore4(convert_int4(hadd(v, v.yxwz)), 11, out);
  vstore2(convert_int2(abs(s)), 24, out);
  vstore2(convert_int2(abs_diff(s, s.yx)), 25, out);
  vstore2(upsample(s, as_ushort2(s)), 26, out);
  vstore2(convert_int2(rhadd(s, s.yx)), 27, out);
  vstore2(convert_int2(sub_sat(s, (short2)(1, -32767))), 28, out);
}
)";

// Each of these writes where plain C++ would write to a copy.
inline constexpr const char* lanes = R"(
__kernel void lanes(__global float* out, __global int* whole, float4 f, int4 z) {
  float8 e = (float8)(0, 1, 2, 3, 4, 5, 6, 7);
  e.lo.xy = f.zw;
  e.hi.lo = f.xy;
  e.s0123.hi = f.lo;
  e.odd.even *= 2.0f;
  (e.s67) = f.wz;
  vstore8(e, 0, out);
  if (z.x) (e.lo) = f;
  e.lo.x = 99.0f;
  e.hi.s3 += 3.0f;
  (e.lo).y = 98.0f;
  e.odd.hi.x = 97.0f;
  (e.even).hi = f.xy;
  vstore8(e, 1, out);
  float16 s = (float16)((float8)(1, 2, 3, 4, 5, 6, 7, 8), (float8)(0));
  s.lo.hi.hi = f.xy;
  vstore8(s.lo, 2, out);
  f.xy = e.s45 = e.s67;                   // 20 and 33
  f.lo.hi = 7.0f;
  f.hi.lo -= 17.0f;
  vstore4(f, 6, out);
  __global float4* at = (__global float4*)out + 7;
  *at = f;
  at->lo.xy = (float2)(10.0f, 20.0f);
  at[0].hi.x = 3.0f;
  at->s3 = e.lo.hi.even + e.hi.lo.odd + e.lo.y - e.lo.odd.hi - 30.0f + 40.0f;
  vstore4((int4)(0), 0, whole);
  z.s01++;                                // 2, 3
  z.lo.hi--;                              // 2, 2
  vstore4(z, 0, whole);
  z.even >>= (int2)(1);                   // 1, 1
  z.hi.hi <<= 33;                         // 8
  z.lo.y ^= 1;                            // 3
  z.hi.x |= 16;
  whole[4] = z.x; whole[5] = z.w; whole[6] = z.y; whole[7] = z.z & 16;
}
)";

inline constexpr const char* shifts = R"(
enum { shifted = 1 << 5, beyond = 1 << 30 + 3 - 30, wrapped = 1 << 33 };
#define N (1 << 3)
#define RIGHT(x, by) x >> by
#if N != 8 || RIGHT(256, 4) != 16
#error "the preprocessor shifts otherwise"
#endif
#define APPLY(a, o, b) a o b
__constant int table[N] = {1 << 31, N, 1 << (1 + 1)};
__kernel void shifts(__global long* out, int n, uchar c, ulong u, uint q) {  // 33, 200, 5, 2^31
  out[0] = 1 << n;
  out[1] = c << n;
  out[2] = u << (n + 32);
  out[3] = q >> n;
  out[4] = -8 >> n;
  out[5] = 1 << 2 + 1 << n;
  out[6] = APPLY(3, <<, n);
  int m = 5;
  m <<= n;
  out[7] = m;
  m >>= n;
  out[8] = m;
  c <<= n;
  out[9] = c;                             // 400 modulo 256
  volatile uint v = 3;
  v <<= n;
  out[10] = v;
  uchar4 w = (uchar4)(1, 2, 3, 200);
  out[11] = (w << (uchar4)(9)).z;         // a lane has 8 bits
  out[12] = (w << (uchar)9).w;
  out[13] = (w >> (uchar)n).w;
  w <<= (uchar)9;
  out[14] = w.x;
  w.xy <<= (uchar)n;
  out[15] = w.y;
  out[16] = shifted;
  out[17] = beyond;
  out[18] = n > 3 ? 1 << n : 2 << n;
  switch (n) {
    case 1 << 5 | 1 << 0: out[19] = 42; break;
    default: out[19] = 43;
  }
  out[20] = (n == 33) << n;
  out[21] = u >> n + 32;                  // 5 >> 1
  out[22] = 2 & 1 << n;
  out[23] = (long)1 << n;
  out[24] = 1 << 5;
  out[25] = table[0];
  out[26] = table[1];
  out[27] = table[2];
  out[28] = sizeof(c << n) + sizeof(1) + sizeof(w >> w) / sizeof(uchar2);
  w.lo <<= 1;                             // from 4, 8, 6, 144
  w.xy <<= 1;
  w.lo.x <<= 1;
  w.hi.xy >>= 2;
  w.hi <<= 9;
  out[29] = w.x;
  out[30] = w.y;
  out[31] = w.z;
  out[32] = w.w;
  out[33] = wrapped;
}
)";

// Images that a kernel writes and reads; where a device has none, another kernel says so.
inline constexpr const char* read_back = R"(
#if __OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300
#define __opencl_c_read_write_images 1
#endif
#ifdef __opencl_c_read_write_images
float4 doubled(read_write image2d_t both, int2 at) {
  for (int k = 0; k < 3; ++k) {
    write_imagef(both, at, read_imagef(both, at) * 2.0f);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
  }
  return read_imagef(both, at);
}
kernel void numbers(read_write image2d_t both, global float4* out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  out[at.y * get_image_width(both) + at.x] = doubled(both, at);
}
kernel void integers(__read_write image1d_t line, __read_write image3d_t volume, __read_write image2d_array_t layers,
                     __global int* out) {
  int x = get_global_id(0);
  write_imageui(line, x, read_imageui(line, x) + 1u);
  write_imagei(volume, (int4)(x, 1, 1, 0), read_imagei(volume, (int4)(x, 1, 1, 0)) - 1);
  write_imagei(layers, (int4)(x, 0, 1, 0), read_imagei(layers, (int4)(x, 0, 1, 0)) * 3);
  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
  out[x] = (int)read_imageui(line, x).x + 100 * read_imagei(volume, (int4)(x, 1, 1, 0)).x +
           10000 * read_imagei(layers, (int4)(x, 0, 1, 0)).x;
}
#else
kernel void none(global int* out) { out[0] = 1; }
#endif
)";

struct source {
  const char* kernel;
  const char* text;
};
inline constexpr source all[] = {
    {"transpose", transpose},  {"gemm", gemm},         {"gemv", gemv},         {"reduce", reduce},
    {"axpy", complex_numbers}, {"scale", halves},      {"language", language}, {"through_local", group_copy},
    {"columns", strided_copy}, {"narrow", narrow},     {"lanes", lanes},       {"shifts", shifts},
    {"numbers", read_back},    {"integers", read_back}};

}  // namespace yoke_test::opencl_c_sources

#endif
