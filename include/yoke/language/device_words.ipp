// SPDX-License-Identifier: MIT
// Body of language/device_words.hpp.
#ifndef YOKE_LANGUAGE_DEVICE_WORDS_IPP
#define YOKE_LANGUAGE_DEVICE_WORDS_IPP

#include <yoke/language/device_words.hpp>
#include <yoke/language/words.hpp>

#include <string_view>

namespace yoke::inline v0_1::detail {

std::string_view language_of_word(std::string_view word) noexcept {
  constexpr std::string_view opencl =
      "kernel global local constant private generic read_only write_only read_write pipe uniform restrict bool uchar "
      "ushort uint ulong half quad complex imaginary size_t ptrdiff_t intptr_t uintptr_t event_t queue_t ndrange_t "
      "clk_event_t reserve_id_t cl_mem_fence_flags sampler_t memory_order memory_scope "
      "image1d_t image1d_buffer_t image1d_array_t image2d_t image2d_array_t image2d_depth_t image2d_array_depth_t "
      "image2d_msaa_t image2d_array_msaa_t image2d_msaa_depth_t image2d_array_msaa_depth_t image3d_t "
      "atomic_int atomic_uint atomic_long atomic_ulong atomic_float atomic_double atomic_flag "
      "atomic_intptr_t atomic_uintptr_t atomic_size_t atomic_ptrdiff_t "
      "NULL NAN INFINITY MAXFLOAT HUGE_VAL HUGE_VALF CHAR_BIT CHAR_MAX CHAR_MIN SCHAR_MAX SCHAR_MIN UCHAR_MAX SHRT_MAX "
      "SHRT_MIN USHRT_MAX INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX";
  constexpr std::string_view cxx =
      "alignas alignof and and_eq asm auto bitand bitor break case catch char class compl concept const consteval "
      "constexpr constinit const_cast continue decltype default delete do double dynamic_cast else enum explicit "
      "export "
      "extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr "
      "operator "
      "or or_eq protected public register reinterpret_cast requires return short signed sizeof static static_assert "
      "static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned "
      "using "
      "virtual void volatile wchar_t while xor xor_eq char8_t char16_t char32_t co_await co_return co_yield";
  if (is_among<std::string_view>(word, opencl)) return "OpenCL C";
  if (is_among<std::string_view>(word, cxx)) return "C++";
  for (const std::string_view prefix : {"CLK_", "CL_", "cl_khr_", "M_", "FLT_", "DBL_", "HALF_"}) {
    if (word.substr(0, prefix.size()) == prefix) return "OpenCL C";
  }
  for (const std::string_view prefix : {"YOKE_", "yoke_"}) {
    if (word.substr(0, prefix.size()) == prefix) return "the dialect";
  }
  if (word.substr(0, 2) == "__" || (word.size() > 1 && word[0] == '_' && word[1] >= 'A' && word[1] <= 'Z')) {
    return "every compiler";
  }
  // A vector: "float4", "longlong2", "double4_32a".
  for (const std::string_view end : {"_16a", "_32a"}) {
    if (word.ends_with(end)) word.remove_suffix(end.size());
  }
  constexpr std::string_view stems = "char uchar short ushort int uint long ulong longlong ulonglong float double half";
  const std::size_t stem = word.find_last_not_of("0123456789") + 1;
  const bool is_vector = is_among<std::string_view>(word.substr(0, stem), stems) &&
                         is_among<std::string_view>(word.substr(stem), "1 2 3 4 8 16");
  return is_vector ? "OpenCL C" : "";
}

}  // namespace yoke::inline v0_1::detail

#endif
