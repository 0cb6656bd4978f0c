// SPDX-License-Identifier: MIT
// Bodies of program/kernel/signature.hpp.
#ifndef YOKE_PROGRAM_KERNEL_SIGNATURE_IPP
#define YOKE_PROGRAM_KERNEL_SIGNATURE_IPP

#include <yoke/program/kernel/compared_structs.hpp>
#include <yoke/program/kernel/signature.hpp>
#include <yoke/program/kernel/type_names.hpp>

#include <algorithm>
#include <cstdint>

namespace yoke::inline v0_1::detail {

/// Returns: as `builtin_name`, but also for pointers to built-in types, "int const*".
std::string known_name(std::string_view type) {
  const pointer_parts parts = parts_of(type);
  if (!parts.is_pointer) return builtin_name(std::string(type));
  const std::string pointee = known_name(parts.pointee);
  return pointee.empty() ? pointee : pointee + (parts.is_const ? " const*" : "*");
}

/// Returns: the CUDA C++ name of a built-in type of OpenCL C; other names unchanged.
std::string cxx_name(const std::string& type) {
  if (type == "uchar") return "unsigned char";
  if (type == "ushort") return "unsigned short";
  if (type == "uint") return "unsigned int";
  if (type == "ulong") return "unsigned long";
  return type == "half" ? "__half" : type;
}

/// Returns: the type of a parameter, or of the element that it points to, in the language's own words; "" if unnamed.
std::string element_name(const parameter_info& parameter, bool cxx) {
  const bool points_twice = !parameter.type.empty() && parameter.type.back() == '*';
  if (!cxx || points_twice || parameter.spelling.empty()) {
    constexpr std::string_view word = "struct ";
    return parameter.type.rfind(word, 0) == 0 ? parameter.type.substr(word.size()) : parameter.type;
  }
  std::string_view name = parameter.spelling;
  if (parameter.space == address_space::value) return std::string(name);
  constexpr std::string_view local = "local<";
  if (parameter.space == address_space::local)
    return std::string(name.substr(local.size(), name.size() - local.size() - 1));
  constexpr std::string_view constant = "const ";
  if (name.substr(0, constant.size()) == constant) name.remove_prefix(constant.size());
  return std::string(name.substr(0, name.size() - 1));
}

std::string parameter_text(const parameter_info& parameter, bool cxx) {
  // Before the address space: drivers report images as global memory.
  if (is_opaque(parameter)) {
    constexpr std::string_view own = "yoke_d_";
    const std::string& name = cxx && !parameter.spelling.empty() ? parameter.spelling : parameter.type;
    return name.rfind(own, 0) == 0 ? name.substr(own.size()) : name;
  }
  const std::string bytes = parameter.bytes == 0 ? "struct" : text("struct of ", parameter.bytes, " bytes");
  const std::string name = element_name(parameter, cxx);
  std::string type = name.empty() ? bytes : cxx ? cxx_name(name) : name;
  switch (parameter.space) {
    case address_space::global: return pointer_text(type, parameter.is_const);
    case address_space::constant: return "constant<" + type + ">";
    case address_space::local: return "local<" + type + ">";
    default: return type;
  }
}

std::string signature_text(const std::vector<parameter_info>& parameters, bool cxx) {
  std::string out = "void(";
  for (std::size_t i = 0; i < parameters.size(); ++i) out += (i == 0 ? "" : ", ") + parameter_text(parameters[i], cxx);
  return out + ")";
}

/// The result of comparing the type names of two parameters.
enum class name_match : std::uint8_t { same, different, unknown };

name_match compare_names(const parameter_info& want, const parameter_info& have, bool cxx) {
  using enum name_match;
  const std::string want_name = element_name(want, cxx);
  const std::string have_name = element_name(have, cxx);
  const std::string want_known = known_name(want_name);
  const std::string have_known = known_name(have_name);
  if (!want_known.empty() && !have_known.empty()) {
    const bool is_bfloat16 = want_known == "__nv_bfloat16" && have_known == "ushort";  // its name in the dialect
    return want_known == have_known || is_bfloat16 ? same : different;
  }
  if (want_name.empty() || have_name.empty()) return unknown;  // a host struct without a name in kernels
  if (want_known.empty()) {
    // Two structs may have different names on both sides; their sizes and members are compared apart.
    return want_name == have_name ? same : have_known.empty() ? unknown : different;
  }
  // The kernel's type is not built in. It may be a typedef in OpenCL, whose drivers report names as written, or an
  // enumeration that stands for an integer. Mangled names of CUDA never contain typedefs.
  if (have.type.rfind("struct ", 0) == 0) return different;
  constexpr const char* integers[] = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"};
  return cxx && std::find(std::begin(integers), std::end(integers), want_known) == std::end(integers) ? different
                                                                                                      : unknown;
}

/// Returns: how the struct of a signature differs from the kernel's, which has another name there; "" when it does not,
/// or when the members of one are unknown.
std::string renamed_struct_difference(const parameter_info& want, const parameter_info& have, bool cxx,
                                      std::span<const struct_description> structs) {
  const struct_description* const found = find_struct(structs, element_name(have, cxx));
  if (found == nullptr || want.describe == nullptr) return "";
  struct_description own = want.describe();
  if (own.name == found->name) return "";
  own.host = found->host;
  return struct_difference(*found, own, "this module", "the signature");
}

/// Whether two images, samplers or pipes have the same type. Names contain the access on OpenCL; in OpenCL C on CUDA
/// only for written images.
bool is_same_object(const parameter_info& want, const parameter_info& have, bool cxx) {
  if (!cxx) {
    if (want.type == have.type) return true;
    // Some drivers do not report the direction of a pipe.
    if (have.type.starts_with("pipe ")) return want.type.ends_with(" " + have.type);
    // The kernel takes an image over a buffer; the driver checks which one the launch passes.
    constexpr std::string_view end = "image1d_t";
    return want.type.ends_with(end) &&
           have.type == want.type.substr(0, want.type.size() - end.size()) + "image1d_buffer_t";
  }
  constexpr std::string_view usual = "read_only ";
  return have.type == want.spelling || have.type == want.type ||
         (want.type.starts_with(usual) && have.type == want.type.substr(usual.size()));
}

/// Whether the address spaces of two parameters match. On CUDA all pointers are alike, and a CUDA C++ kernel takes
/// local memory as an offset, an unsigned int.
bool fits_space(const parameter_info& want, const parameter_info& have, bool cxx) {
  if (cxx && want.space == address_space::constant) return have.space == address_space::global;
  if (cxx && want.space == address_space::local && have.type == "unsigned int") return true;
  const bool same_const = want.space != address_space::global || want.is_const == have.is_const;
  return want.space == have.space && same_const;
}

std::string layout_text(const std::vector<parameter_layout>& layout) {
  std::string out;
  for (const parameter_layout& each : layout) {
    out += (out.empty() ? " of " : ", ") + std::to_string(each.bytes);
    if (each.scalar == scalar_kind::floating) out += " (floating)";
  }
  return out.empty() ? out : out + " bytes";
}

/// Returns: how a parameter differs from the compiled kernel's in size, offset or kind; "" when it fits.
std::string layout_difference(const parameter_info& want, const parameter_layout& have, bool cxx, std::size_t& offset) {
  const bool is_value = want.space == address_space::value;
  const bool is_local = want.space == address_space::local;  // passed as an offset, an unsigned int
  const std::size_t bytes = is_value ? want.bytes : is_local ? sizeof(unsigned) : sizeof(void*);
  const std::size_t alignment = is_value ? want.alignment : bytes;
  const std::size_t end = offset;  // of the previous parameter
  if (alignment > 1) offset = (offset + alignment - 1) / alignment * alignment;
  // The arguments begin at some multiple of 16 in the driver's memory. Alignments above 16 hold there, so offsets
  // within the arguments may differ.
  const bool elsewhere = alignment > 16 && have.offset % 16 == 0 && have.offset >= end && have.offset - end < alignment;
  const std::size_t begin = elsewhere ? have.offset : offset;
  offset = begin + bytes;
  if (bytes != have.bytes) return text("has ", have.bytes, " bytes, ", parameter_text(want, cxx), " has ", bytes);
  if (begin != have.offset) {
    return text("lies at byte ", have.offset, " of the arguments, ", parameter_text(want, cxx), " would lie at byte ",
                begin, ": its alignment differs");
  }
  if (want.scalar != scalar_kind::unknown && have.scalar != scalar_kind::unknown && want.scalar != have.scalar) {
    return std::string("is ") + (have.scalar == scalar_kind::floating ? "floating point, " : "no floating point, ") +
           parameter_text(want, cxx) + (have.scalar == scalar_kind::floating ? " is not" : " is");
  }
  return "";
}

signature_check compare_signatures(const std::string& kernel, const std::vector<parameter_info>& asked,
                                   const kernel_signature& found, std::span<const struct_description> structs,
                                   const source_location& where) {
  const auto refuse = [&](const std::string& why) __attribute__((cold)) {
    std::string message = (kernel.empty() ? "this kernel" : "kernel " + kernel) + " is ";
    message += found.described ? signature_text(found.parameters, found.cxx)
                               : text("a kernel of ", found.count, " parameters", layout_text(found.layout));
    message += ", asked for as " + signature_text(asked, found.cxx) + ": " + why;
    throw_error(errc::signature_mismatch, message, where);
  };
  const auto compare_parameter_structs = [&] { return compare_structs(kernel, asked, found.cxx, structs, where); };
  // Only names are compared for undescribed structs.
  if (found.by_compiler) return compare_parameter_structs() ? signature_check::types : signature_check::names;
  if (!found.counted) {
    (void)compare_parameter_structs();
    return signature_check::nothing;
  }
  if (asked.size() != found.count) {
    std::string why = text("it has ", found.count, " parameters, not ", asked.size());
    const std::size_t common = found.described ? (std::min)(asked.size(), found.count) : 0;
    std::size_t same = 0;
    while (same < common && parameter_text(asked[same], found.cxx) == parameter_text(found.parameters[same], found.cxx))
      ++same;
    if (same < common) why += text(", and parameter ", same + 1, " is the first that differs");
    refuse(why);
  }
  for (std::size_t i = 0; i < asked.size() && !found.cxx; ++i) {
    if (asked[i].type == "bool") refuse(text("parameter ", i + 1, " cannot be bool, which no OpenCL kernel takes"));
  }
  const auto compare_layout = [&] {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < found.layout.size(); ++i) {
      const std::string why = layout_difference(asked[i], found.layout[i], found.cxx, offset);
      if (!why.empty()) refuse(text("parameter ", i + 1, " ", why));
    }
    return signature_check::sizes;
  };
  if (!found.described) {
    (void)compare_parameter_structs();
    return found.laid_out ? compare_layout() : signature_check::count;
  }
  bool all_known = true;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const parameter_info& want = asked[i];
    const parameter_info& have = found.parameters[i];
    const std::string name = have.name.empty() ? "" : " (" + have.name + ")";
    const auto differ = [&] {
      refuse(text("parameter ", i + 1, name, " is ", parameter_text(have, found.cxx), ", not ",
                  parameter_text(want, found.cxx)));
    };
    if (is_opaque(want)) {
      if (!is_same_object(want, have, found.cxx)) differ();
      continue;
    }
    if (!fits_space(want, have, found.cxx) || is_opaque(have)) differ();
    if (want.space == address_space::local && have.space == address_space::value) continue;
    const name_match match = compare_names(want, have, found.cxx);
    if (match == name_match::different) differ();
    if (match != name_match::unknown) continue;
    all_known = false;  // a typedef, an unnamed struct or one of another name
    const std::string why = renamed_struct_difference(want, have, found.cxx, structs);
    if (!why.empty()) refuse(text("parameter ", i + 1, name, ": ", why));
  }
  const bool all_described = compare_parameter_structs();
  const signature_check by_layout = found.laid_out ? compare_layout() : signature_check::count;
  if (!all_known) return by_layout;
  // CUDA's mangled names resolve typedefs, so equal names mean equal types.
  return found.cxx && all_described ? signature_check::types : signature_check::names;
}

void complete_signature(kernel_signature& found, std::span<const typed_kernel> stored, const std::string& kernel) {
  if (!found.counted || found.described || found.laid_out || found.by_compiler) return;
  for (const typed_kernel& each : stored) {
    if (each.name != kernel || each.parameters.size() != found.count) continue;
    found.parameters = each.parameters;
    found.described = true;
    return;
  }
}

void check_kernel_name(const std::string& name, const source_location& where) {
  const std::size_t zero = name.find('\0');
  if (zero == std::string::npos) return;
  throw_error(errc::invalid_argument, where, "kernel name \"", name.substr(0, zero),
              "\" goes on behind a zero character");
}

signature_check compare_sizes(const std::string& kernel, const std::vector<parameter_info>& asked,
                              bool (*accepts)(const void* ask, std::span<const kernel_argument> arguments),
                              const void* ask, const source_location& where) {
  std::size_t most = 0;
  for (const parameter_info& each : asked) most = std::max(most, each.bytes);
  const std::vector<std::byte> zeros(most);
  bool no_structs = true;
  // An image cannot be passed as bytes.
  if (std::any_of(asked.begin(), asked.end(), is_opaque)) return signature_check::count;
  std::vector<kernel_argument> arguments;
  for (const parameter_info& each : asked) {
    const bool value = each.space == address_space::value;
    const bool local = each.space == address_space::local;
    const std::size_t bytes = value || local ? each.bytes : sizeof(void*);
    arguments.push_back({local ? argument_kind::local : argument_kind::value, value ? zeros.data() : nullptr, bytes});
    no_structs = no_structs && (!value || (!each.type.empty() && !is_undescribed_struct(each, {})));
  }
  if (!accepts(ask, arguments)) {
    throw_error(errc::signature_mismatch, where, (kernel.empty() ? "this kernel" : "kernel " + kernel),
                ", asked for as ", signature_text(asked, false),
                ": the driver does not take arguments of these kinds and sizes");
  }
  // Structs by value prove nothing: not every driver checks their sizes.
  return no_structs ? signature_check::sizes : signature_check::count;
}

void throw_empty_shape(const extent3& grid, const extent3& block, const source_location& where) {
  const bool grid_is_empty = grid.x == 0 || grid.y == 0 || grid.z == 0;
  throw_error(errc::launch_failed, where, grid_is_empty ? "grid" : "block", " has an extent of 0: grid {", grid.x, ", ",
              grid.y, ", ", grid.z, "}, block {", block.x, ", ", block.y, ", ", block.z,
              "}; launch_over(0) is the way to launch nothing");
}

void check_written_ranges(std::span<const written_range> ranges, const source_location& where) {
  // Compared as numbers: the ranges may belong to different arrays.
  const auto begin = [](const written_range& range) { return reinterpret_cast<std::uintptr_t>(range.begin); };
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    for (std::size_t j = i + 1; j < ranges.size(); ++j) {
      const written_range& first = ranges[i];
      const written_range& second = ranges[j];
      if (first.begin == nullptr || second.begin == nullptr) continue;
      if (begin(first) >= begin(second) + second.bytes || begin(second) >= begin(first) + first.bytes) continue;
      const std::uintptr_t end = (std::min)(begin(first) + first.bytes, begin(second) + second.bytes);
      throw_error(errc::invalid_argument, where, "arguments ", i + 1, " and ", j + 1, " both write the same ",
                  end - (std::max)(begin(first), begin(second)), " bytes of host memory");
    }
  }
}

}  // namespace yoke::inline v0_1::detail

#endif
