// SPDX-License-Identifier: MIT
// Normalises names of built-in types, and finds the names of structs in parameters.
#ifndef YOKE_PROGRAM_KERNEL_TYPE_NAMES_HPP
#define YOKE_PROGRAM_KERNEL_TYPE_NAMES_HPP

#include <yoke/driver/pointer_types.hpp>
#include <yoke/language/language.hpp>
#include <yoke/program/kernel/signature.hpp>

#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// Returns: a built-in type's short name; "" for other types, such as typedefs and structs.
[[gnu::cold]] inline std::string builtin_name(const std::string& type) {
  struct alias {
    const char* from;
    const char* to;
  };
  constexpr alias aliases[] = {
      {"unsigned char", "uchar"},  {"unsigned short", "ushort"},
      {"unsigned int", "uint"},    {"unsigned long", "ulong"},
      {"unsigned", "uint"},        {"signed char", "char"},
      {"signed int", "int"},       {"long int", "long"},
      {"long long", "long"},       {"unsigned long long", "ulong"},
      {"yoke_int8", "char"},       {"yoke_uint8", "uchar"},
      {"yoke_int16", "short"},     {"yoke_uint16", "ushort"},
      {"yoke_int32", "int"},       {"yoke_uint32", "uint"},
      {"yoke_int64", "long"},      {"yoke_uint64", "ulong"},
      {"yoke_float32", "float"},   {"yoke_float64", "double"},
      {"yoke_bfloat16", "ushort"}, {"__half", "half"},
      {"yoke_half", "half"},       {"__half2", "half2"},
      {"double4_16a", "double4"},  {"yoke_double4", "double4_32a"},
  };
  std::string name = type;
  for (const alias& each : aliases) {
    if (name == each.from) name = each.to;
  }
  // CUDA has two words for 64-bit integers, and two alignments for vectors of four of them.
  if (name.rfind("longlong", 0) == 0) name.erase(0, 4);
  if (name.rfind("ulonglong", 0) == 0) name.erase(1, 4);
  for (const char* own : {"double4_32a", "long4_32a", "ulong4_32a", "__nv_bfloat16", "__nv_bfloat162"}) {
    if (name == own) return name;
  }
  if (name == "long4_16a" || name == "ulong4_16a") name.resize(name.size() - 4);
  if (const std::string_view vector = yoke::detail::name_on_other_side(name);
      !vector.empty() && !builtin_name(std::string(vector)).empty()) {
    return name;
  }
  constexpr std::string_view complex = "complex<";  // std::, cuda::std:: or thrust::
  if (const std::size_t at = name.rfind(complex); at != std::string::npos && name.back() == '>') {
    const std::string part = name.substr(at + complex.size(), name.size() - at - complex.size() - 1);
    if (part == "float" || part == "double") return part + "2";
  }
  return is_builtin_word(name) ? name : "";
}

/// Whether a parameter is an opaque object of the kernel language: an image, a sampler, a pipe, an event or a queue.
[[gnu::cold]] inline bool is_opaque(const parameter_info& parameter) {
  for (const char* each : {"pipe ", "read_only pipe ", "write_only pipe "}) {
    if (parameter.type.rfind(each, 0) == 0) return true;
  }
  // The dialect's types on CUDA.
  if (parameter.type == "yoke_d_sampler" || parameter.type.rfind("yoke_d_read_", 0) == 0 ||
      parameter.type.rfind("yoke_d_write_image_", 0) == 0) {
    return true;
  }
  const std::string type = parameter.type.substr(parameter.type.rfind(' ') + 1);  // without the access
  if (type.rfind("image", 0) == 0 && type.size() > 7 && type[5] >= '1' && type[5] <= '3' && type[6] == 'd') return true;
  for (const char* each : {"sampler_t", "event_t", "queue_t", "clk_event_t", "reserve_id_t"}) {
    if (type == each) return true;
  }
  return false;
}

/// Returns: the name of the struct that a parameter is or points to; "" for other types and unnamed structs.
[[gnu::cold]] inline std::string struct_name(const parameter_info& parameter) {
  if (is_opaque(parameter)) return "";
  std::string_view name = parameter.type;
  for (pointer_parts parts = parts_of(name); parts.is_pointer; parts = parts_of(name)) name = parts.pointee;
  return builtin_name(std::string(name)).empty() ? std::string(name) : "";
}

}  // namespace yoke::inline v0_1::detail

#endif
