// SPDX-License-Identifier: MIT
// Definitions as programs give them to a compiler, and sources that use every part of a prelude beside them.
#ifndef YOKE_TESTS_PROGRAM_SOURCE_ORDINARY_DEFINITIONS_HPP
#define YOKE_TESTS_PROGRAM_SOURCE_ORDINARY_DEFINITIONS_HPP

#include <string>
#include <vector>

namespace yoke_test {

/// Returns: options that define ordinary names, one each.
inline std::vector<std::string> ordinary_definitions() {
  std::vector<std::string> all;
  for (const char* const each : {"T=float",     "N=4",        "n=3",         "x=1",          "to=3",
                                 "value=1",     "A=2",        "B=3",         "C=4",          "D",
                                 "E=5",         "F=float",    "G=1",         "H=2",          "I=7",
                                 "J=8",         "K=9",        "L=10",        "M=16",         "O=0",
                                 "P=int*",      "Q=3",        "R=uint",      "S=(1)",        "U=uint",
                                 "V=double",    "W=32",       "X=1",         "Y=2",          "Z=3",
                                 "a=1",         "b=2",        "c=3",         "d=4",          "e=5",
                                 "f=6",         "g=7",        "h=8",         "i=9",          "j=10",
                                 "k=11",        "l=12",       "m=13",        "o=14",         "p=15",
                                 "q=16",        "r=17",       "s=18",        "t=19",         "u=20",
                                 "v=21",        "y=2",        "z=3",         "w=4",          "from=1",
                                 "size=256",    "count=8",    "index=0",     "result=out",   "type=float",
                                 "name=mine",   "data=in",    "real=float",  "in=1",         "out=2",
                                 "low=0",       "high=1",     "lo_=1",       "first=0",      "last=9",
                                 "end=10",      "begin=0",    "length_=4",   "width=640",    "height=480",
                                 "depth=3",     "stride=4",   "offset=16",   "scale=2.0f",   "alpha=0.5f",
                                 "beta=1.5f",   "lane=0",     "lanes=32",    "mask=255",     "bits=32",
                                 "sum=0",       "by=2",       "at=0",        "of=1",         "me=1",
                                 "left=1",      "right=2",    "before=0",    "found=1",      "made=1",
                                 "share=1",     "edge=1",     "scratch=tmp", "expected=1",   "desired=2",
                                 "condition=1", "chosen=1",   "otherwise=2", "scalar=float", "vector=float4",
                                 "word=7",      "values=4",   "To=int",      "From=float",   "Bytes=8",
                                 "TILE=16",     "BLOCK=256",  "WIDTH=64",    "SIZE=1024",    "WG=128",
                                 "REAL=float",  "TYPE=float", "DIM=3",       "LEN=10",       "block=1",
                                 "grid=2",      "thread=3",   "tile=16",     "radius=2",     "key=1",
                                 "predicate=1", "device=1",   "host=0",      "shared=1",     "SQUARE(x)=((x)*(x))"}) {
    all.push_back(std::string("-D") + each);
  }
  return all;
}

namespace beside_definitions {

inline constexpr const char* dialect = R"(
#if N != 4 || n != 3 || SQUARE(n) != 9
#error "the definitions do not reach the source"
#endif
YOKE_STRUCT(yoke_test_pair) { int yoke_test_0; T yoke_test_1; };
YOKE_CHECK_SIZE(yoke_test_pair, 8);
YOKE_CHECK_OFFSET(yoke_test_pair, yoke_test_1, 4);
YOKE_CONSTANT T yoke_test_table[N] = {1.0f, 2.0f, 3.0f, 4.0f};
T YOKE_CAT(yoke_test_, helper)(YOKE_CONSTANT_POINTER const T* from_0, YOKE_LOCAL_POINTER T* from_1) {
  return from_0[1] + from_1[0];
}
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(1, 1, 1) run(YOKE_GLOBAL yoke_int64* to_0, YOKE_LOCAL_ARG(T, part)) {
  YOKE_LOCAL_BIND(T, part)
  YOKE_LOCAL T fixed[N];
  part[0] = value;
  fixed[0] = yoke_work_group_reduce_add(part, 2.0f) + yoke_work_group_scan_exclusive_add(part, 2.0f);
  fixed[1] = fixed[2] = fixed[3] = 0.0f;
  YOKE_BARRIER_LOCAL();
  YOKE_FENCE();
  YOKE_ASSERT(to_0 != 0);
  float4 v_0 = make_float4(1.0f, 2.0f, 3.0f, 4.0f) * 2.0f + vload4(0, fixed) * 0.0f;
  int2 v_1 = rotate(make_int2(3, 4), make_int2(33, 1)) << 1;
  YOKE_LOCAL int counter[1];
  counter[0] = 5;
  YOKE_UNROLL(2)
  for (int n_0 = 0; n_0 < n; ++n_0) yoke_atomic_add(counter, 1);
  to_0[0] = (yoke_int64)dot(v_0, v_0);
  to_0[1] = any(v_1 < 7) + min(N, n) + convert_int_sat_rte(2.5f) + as_int(1.0f);
  to_0[2] = yoke_atomic_load(counter) + (int)yoke_test_helper(yoke_test_table, fixed);
  to_0[3] = (yoke_int64)(smoothstep(0.0f, 1.0f, 0.5f) * 8.0f) + add_sat((uchar)200, (uchar)100) + yoke_shift_left(1, 33u);
  to_0[4] = yoke_float_to_bfloat16(1.0f) + sizeof(yoke_test_pair);
}
)";

inline constexpr const char* opencl_c = R"(
#if N != 4 || n != 3 || SQUARE(n) != 9 || (1 << n + 1) != 16
#error "the definitions do not reach the source"
#endif
#define VEC (float4)
__constant T table_0[N] = {1.0f, 2.0f, 3.0f, 4.0f};
T helper(__constant const T* from_0, __local T* from_1) { return from_0[1] + from_1[0]; }
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void run(__global long* to_0, __local T* part) {
  __local T fixed[N];
  fixed[0] = 4.0f;
  part[0] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 v_0 = (float4)(1.0f, (float2)(2.0f, 3.0f), 4.0f) * 2.0f;
  v_0.lo.odd += 1.0f;
  v_0.s3 = v_0.even.s1 + 2.0f;
  uchar4 v_1 = rotate((uchar4)(200), (uchar4)(n)) << (uchar4)(9);
  __local int counter[1];
  counter[0] = 5;
  for (int n_0 = 0; n_0 < n; ++n_0) atomic_inc(counter);
  int8 v_2 = (int8)((int4)(value), (int4)(2));
  v_2.hi.hi <<= n + 31;
  to_0[0] = (long)dot(v_0, v_0);
  to_0[1] = v_1.s0 + min(N, n) + convert_int_sat_rte(2.5f) + as_int4(v_0).s0 + convert_uchar4_sat(v_0).s1;
  to_0[2] = counter[0] + (int)helper(table_0, fixed) + (int)normalize(v_0.s012).s0 + isinf(INFINITY);
  to_0[3] = (long)(smoothstep(0.0f, 1.0f, 0.5f) * 8.0f) + add_sat((uchar)200, (uchar)100) + (1 << 30 + n);
  to_0[4] = v_2.s6 + v_2.s7 + sizeof(float3) + clz((ushort)1) + (v_2 >> 1).s7;
}
)";

}  // namespace beside_definitions

}  // namespace yoke_test

#endif
