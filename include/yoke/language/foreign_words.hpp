// SPDX-License-Identifier: MIT
// Words that the dialect lacks but one kernel language has, each with advice what to write instead.
#ifndef YOKE_LANGUAGE_FOREIGN_WORDS_HPP
#define YOKE_LANGUAGE_FOREIGN_WORDS_HPP

#include <string_view>
#include <yoke/language/words.hpp>

namespace yoke::inline v0_1::detail {

/// When a word is reported.
enum class word_use : unsigned char {
  any = 'a',       ///< everywhere
  name = 'n',      ///< everywhere, unless the source declares the name
  call = 'c',      ///< in calls, unless the source has a function of that name
  lonely = 'l',    ///< as `call`, but only in a source without includes, which could have the function
  constant = 'k',  ///< everywhere, unless the source declares it or has includes
};

struct foreign_word {
  std::string_view words{};  ///< separated by blanks; one * in a word stands for any letters
  std::string_view advice{};
  word_use use = word_use::any;
};

// Each line has the letter of its `word_use`, the words, and the advice.
inline constexpr std::string_view foreign_word_list =
    "a __kernel kernel __global__ -> write YOKE_KERNEL\n"
    "a __global global -> write YOKE_GLOBAL\n"
    "a __local local __shared__ -> write YOKE_LOCAL; YOKE_LOCAL_ARG and YOKE_LOCAL_BIND for a kernel's parameter, "
    "YOKE_LOCAL_POINTER for a pointer\n"
    "a __constant constant __constant__ -> write YOKE_CONSTANT; YOKE_CONSTANT_POINTER for a pointer\n"
    "a __private private -> write YOKE_PRIVATE\n"
    "a __generic __managed__ -> write YOKE_GLOBAL: every pointer names its memory\n"
    "a restrict -> write YOKE_RESTRICT\n"
    "a __device__ __host__ __forceinline__ __noinline__ __grid_constant__ -> leave it out: helper functions need no "
    "qualifier\n"
    "a __launch_bounds__ reqd_work_group_size -> write YOKE_WORK_GROUP_SIZE(x, y, z) or YOKE_RESIDENT_GROUPS(x, y, z, "
    "n)\n"
    "n threadIdx -> write get_local_id(d)\n"
    "n blockIdx -> write get_group_id(d)\n"
    "n blockDim -> write get_local_size(d)\n"
    "n gridDim -> write get_num_groups(d)\n"
    "n warpSize -> write yoke_sub_group_size()\n"
    "a __syncthreads* CLK_*_MEM_FENCE -> write YOKE_BARRIER_LOCAL(), YOKE_BARRIER_GLOBAL() or YOKE_BARRIER()\n"
    "c barrier work_group_barrier -> write YOKE_BARRIER_LOCAL(), YOKE_BARRIER_GLOBAL() or YOKE_BARRIER()\n"
    "a __threadfence* -> write YOKE_FENCE_LOCAL(), YOKE_FENCE_GLOBAL() or YOKE_FENCE()\n"
    "c mem_fence read_mem_fence write_mem_fence atomic_work_item_fence -> write YOKE_FENCE_LOCAL(), "
    "YOKE_FENCE_GLOBAL() or YOKE_FENCE()\n"
    "c atomic_add atom_add atomicAdd* -> write yoke_atomic_add\n"
    "c atomic_sub atom_sub atomicSub* -> write yoke_atomic_sub\n"
    "c atomic_inc atom_inc atomicInc -> write yoke_atomic_add(p, 1)\n"
    "c atomic_dec atom_dec atomicDec -> write yoke_atomic_sub(p, 1)\n"
    "c atomic_min atom_min atomicMin* -> write yoke_atomic_min\n"
    "c atomic_max atom_max atomicMax* -> write yoke_atomic_max\n"
    "c atomic_and atom_and atomicAnd* -> write yoke_atomic_and\n"
    "c atomic_or atom_or atomicOr* -> write yoke_atomic_or\n"
    "c atomic_xor atom_xor atomicXor* -> write yoke_atomic_xor\n"
    "c atomic_xchg atom_xchg atomicExch* atomic_exchange* -> write yoke_atomic_exchange\n"
    "c atomic_cmpxchg atom_cmpxchg atomicCAS* atomic_compare_exchange* -> write yoke_atomic_compare_exchange\n"
    "c atomic_load* atomic_store* atomic_fetch_* -> write yoke_atomic_load, yoke_atomic_store, yoke_atomic_add\n"
    "c get_sub_group_* get_num_sub_groups get_max_sub_group_size __shfl* __ballot* __any* __all* __activemask "
    "__match_* __reduce_* -> write yoke_sub_group_size(), yoke_sub_group_shuffle(x, lane) and their like\n"
    "c __syncwarp -> write YOKE_BARRIER_WARP() or yoke_sub_group_barrier()\n"
    "l sub_group_* intel_sub_group_* -> write yoke_sub_group_shuffle(x, lane) and its like\n"
    "l work_group_* -> write yoke_work_group_reduce_add(scratch, x) and its like\n"
    "a half __half half2 half3 half4 half8 half16 __half2 -> write yoke_half\n"
    "a __nv_bfloat16 __nv_bfloat162 -> write yoke_bfloat16\n"
    "c vload_half* vloada_half* __half2float -> write yoke_load_half or yoke_half_to_float\n"
    "c vstore_half* vstorea_half* __float2half* -> write yoke_store_half or yoke_float_to_half\n"
    "c make_*3 make_*8 make_*16 vload3 vload8 vload16 vstore3 vstore8 vstore16 -> write vectors of 2 and 4: OpenCL and "
    "CUDA lay out 3 otherwise, CUDA has no more than 4\n"
    "a image*d_t image*d_array_t cudaTextureObject_t cudaSurfaceObject_t -> write YOKE_READ_IMAGE_2D(type, name) and "
    "its like\n"
    "a sampler_t -> write YOKE_SAMPLER(name)\n"
    "a event_t -> the dialect has no events\n"
    "c read_image* tex1D* tex2D* tex3D* surf*read -> write yoke_sample_2d(type, image, sampler, x, y), "
    "yoke_read_2d(type, image, "
    "x, y) and their like\n"
    "c write_image* surf*write -> write yoke_write_2d(type, image, x, y, value) and its like\n"
    "c async_work_group_* wait_group_events prefetch -> write reads, writes and a barrier\n"
    "c __ldg -> read it directly\n"
    "c __ldcs __builtin_nontemporal_load -> write yoke_load_once(i, p)\n"
    "c __stcs __builtin_nontemporal_store -> write yoke_store_once(value, i, p)\n"
    "c __nanosleep -> write yoke_pause(nanoseconds)\n"
    "n dim3 -> the dialect has no such type, write a number for each dimension\n"
    "c __int_as_float __uint_as_float -> write as_float\n"
    "c __float_as_int -> write as_int\n"
    "c __float_as_uint -> write as_uint\n"
    "c __popc __popcll -> write popcount\n"
    "c __clz __clzll -> write clz\n"
    "c __mul24 __umul24 -> write mul24\n"
    "c __*mulhi __*mul64hi -> write mul_hi\n"
    "c __expf __exp10f __logf __log2f __log10f __sinf __cosf __tanf __sincosf __powf __fdividef -> write native_exp, "
    "native_sin, native_divide and their like\n"
    "c __trap -> write YOKE_TRAP()\n"
    "c assert -> write YOKE_ASSERT(condition)\n"
    "a auto decltype -> the dialect is also OpenCL C, which has no such word: write the type\n"
    "a nullptr -> the dialect is also OpenCL C, which has no such word: write 0\n"
    "a constexpr -> the dialect is also OpenCL C, which has no such word: write const, YOKE_CONSTANT or a #define\n"
    "a static_cast reinterpret_cast const_cast dynamic_cast -> the dialect is also OpenCL C, which has no such word: "
    "write (type)value\n"
    "a template typename -> the dialect is also OpenCL C, which has no such word: write the function for each type, or "
    "a macro that makes it\n"
    "a using -> the dialect is also OpenCL C, which has no such word: write typedef\n"
    "a class -> the dialect is also OpenCL C, which has no such word: write struct\n"
    "a namespace operator new delete this virtual public protected friend mutable noexcept explicit try catch throw -> "
    "the dialect is also OpenCL C, which has no such word, and C++ keeps it: leave it out\n"
    "a _Bool -> write bool\n"
    "a typeof __typeof__ __typeof -> write the type\n"
    "c __builtin_offsetof -> write YOKE_CHECK_OFFSET, or pass it as a number: NVRTC has no such word\n"
    "c __builtin_* -> write popcount, clz and their like\n"
    "c static_assert _Static_assert -> write YOKE_CHECK_SIZE or YOKE_CHECK_OFFSET, or check on the host\n"
    "k M_PI M_PI_F M_PI_2 M_PI_2_F M_PI_4 M_PI_4_F M_1_PI M_1_PI_F M_2_PI M_2_PI_F M_E M_E_F M_LN2 M_LN2_F M_LN10 "
    "M_LN10_F M_SQRT2 M_SQRT2_F M_SQRT1_2 M_SQRT1_2_F FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON MAXFLOAT "
    "HUGE_VAL HUGE_VALF INFINITY NAN CHAR_BIT CHAR_MAX CHAR_MIN UCHAR_MAX SHRT_MAX SHRT_MIN USHRT_MAX INT_MAX INT_MIN "
    "UINT_MAX LONG_MAX LONG_MIN ULONG_MAX -> write the number, or define it: NVRTC has no such word\n"
    "a asm __asm __asm__ -> machine code belongs in a branch of #if YOKE_BACKEND_CUDA\n"
    "l fract maxmag minmag bitselect shuffle shuffle2 cross distance normalize fast_length fast_distance "
    "fast_normalize half_* isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered "
    "isunordered isnormal vec_step lgamma_r sincos nan atanpi asinpi acospi tanpi rootn -> the dialect has no "
    "such function, write one of your own\n";

/// Effects: removes the first line from the list. Returns: its entry. Requires: the list is not empty.
[[gnu::cold]] inline foreign_word next_foreign_word(std::string_view& list) {
  const std::string_view line = next_line(list);
  const std::size_t arrow = line.find(" -> ");
  return {line.substr(2, arrow - 2), line.substr(arrow + 4), static_cast<word_use>(line.front())};
}

/// The functions of OpenCL C. Compilers rename or refuse a kernel with such a name.
inline constexpr std::string_view built_in_functions =
    // mathematics
    "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erf erfc "
    "exp "
    "exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma lgamma_r log log2 log10 "
    "log1p logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo rint rootn round rsqrt sin sincos "
    "sinh sinpi sqrt tan tanh tanpi tgamma trunc "
    // whole numbers
    "abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat max min mul_hi rotate sub_sat upsample popcount "
    "mad24 "
    "mul24 "
    // common and geometric
    "degrees mix radians step smoothstep sign cross dot distance length normalize fast_distance fast_length "
    "fast_normalize "
    // relations
    "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan isnormal "
    "isordered isunordered signbit any all bitselect select "
    // the rest
    "shuffle shuffle2 vec_step prefetch barrier mem_fence read_mem_fence write_mem_fence wait_group_events printf "
    "get_work_dim get_global_size get_global_id get_local_size get_local_id get_num_groups get_group_id "
    "get_global_offset";

}  // namespace yoke::inline v0_1::detail

#endif
