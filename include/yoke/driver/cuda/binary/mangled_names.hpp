// SPDX-License-Identifier: MIT
// Parses the parameters of C++ kernels from their mangled names.
#ifndef YOKE_DRIVER_CUDA_BINARY_MANGLED_NAMES_HPP
#define YOKE_DRIVER_CUDA_BINARY_MANGLED_NAMES_HPP

#include <yoke/core/config.hpp>
#include <yoke/core/demangle.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/pointer_types.hpp>
#include <yoke/driver/types.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// Returns: "void scale<float>(float*, int)" for its mangled name; other names unchanged.
[[gnu::cold]] inline std::string demangled(const std::string& name) {
  return name.rfind("_Z", 0) != 0 ? name : yoke::detail::demangled(name.c_str());
}

/// Returns: the start of the parameter list; npos without one.
[[gnu::cold]] inline std::size_t parameters_begin(std::string_view readable) {
  if (readable.empty() || readable.back() != ')') return std::string_view::npos;
  int depth = 0;
  for (std::size_t i = readable.size(); i-- > 0;) {
    if (readable[i] == ')') ++depth;
    if (readable[i] == '(' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// Returns: "scale" of "void scale<float>(float*, int)", "a::f" of "a::f(int)": a name without type and arguments.
[[gnu::cold]] inline std::string_view base_name(std::string_view readable) {
  const std::size_t end = parameters_begin(readable);
  if (end == std::string_view::npos) return readable;
  std::string_view name = readable.substr(0, end);
  if (!name.empty() && name.back() == '>') {
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
      if (name[i] == '>') ++depth;
      if (name[i] == '<' && --depth == 0) {
        name = name.substr(0, i);
        break;
      }
    }
    if (const std::size_t space = name.rfind(' '); space != std::string_view::npos) name = name.substr(space + 1);
  }
  return name;
}

/// Returns: "scale<float>" of "void scale<float>(float*, int)", "a::f" of "a::f(int)".
[[gnu::cold]] inline std::string_view qualified_name(std::string_view readable) {
  std::string_view name = readable.substr(0, parameters_begin(readable));
  constexpr std::string_view result = "void ";  // the name of a template instance begins with its return type
  if (name.substr(0, result.size()) == result) name.remove_prefix(result.size());
  return name;
}

/// Returns: "float" of "name<float>"; "" if the text does not end there, or has another form.
[[gnu::cold]] inline std::string_view template_argument(std::string_view type, std::string_view name) {
  const bool fits = type.size() > name.size() + 2 && type.substr(0, name.size()) == name && type[name.size()] == '<' &&
                    type.back() == '>';
  if (!fits) return {};
  type = type.substr(name.size() + 1, type.size() - name.size() - 2);
  if (type.back() == ' ') type.remove_suffix(1);  // "name<other<float> >"
  return type;
}

/// Returns: "float4", "yoke::opencl::float3" or "double4_32a" for the vectors of translated OpenCL C,
/// "yoke_d_vector<float, 4>", by their layout; "write_only image2d_t" for the type of a write-only image. Other types
/// unchanged.
[[gnu::cold]] inline std::string own_type_name(std::string_view type) {
  for (const auto& [from, to] :
       {std::pair("yoke_d_write_only::", "write_only "), {"yoke_d_read_write::", "read_write "}}) {
    if (type.starts_with(from)) return to + std::string(type.substr(std::string_view(from).size()));
  }
  const std::string_view arguments = template_argument(type, "yoke_d_vector");
  const std::size_t comma = arguments.rfind(", ");
  if (comma == std::string_view::npos) return std::string(type);
  const std::string_view lanes = arguments.substr(comma + 2);
  std::string name(arguments.substr(0, comma));
  for (const auto& [from, to] : {std::pair("signed char", "char"),
                                 {"unsigned char", "uchar"},
                                 {"unsigned short", "ushort"},
                                 {"unsigned int", "uint"},
                                 {"unsigned long", "ulong"}}) {
    if (name == from) name = to;
  }
  const bool wide = name == "long" || name == "ulong" || name == "double";
  return (lanes == "3" ? "yoke::opencl::" : "") + name + std::string(lanes) + (lanes == "4" && wide ? "_32a" : "");
}

/// Returns: one parameter, parsed from a demangler's text: "float const*", "unsigned int".
[[gnu::cold]] inline parameter_info parse_parameter(std::string_view type) {
  const auto drop = [&](std::string_view end) {
    if (type.size() < end.size() || type.substr(type.size() - end.size()) != end) return false;
    type.remove_suffix(end.size());
    return true;
  };
  parameter_info info;
  (void)drop(" __restrict__");
  if (drop("*")) {
    info.space = address_space::global;
    (void)drop(" volatile");  // signatures do not contain it
    info.is_const = drop(" const");
  } else if (const std::string_view element = template_argument(type, "yoke_d_place"); !element.empty()) {
    info.space = address_space::local;
    type = element;
    (void)drop(" volatile");
    (void)drop(" const");
  } else {
    info.space = address_space::value;
  }
  info.type = own_type_name(type);
  return info;
}

/// Returns: whether the name has a parameter list. Effects: stores the parameters.
[[gnu::cold]] inline bool parse_parameters(std::string_view readable, std::vector<parameter_info>& out) {
  const std::size_t begin = parameters_begin(readable);
  if (begin == std::string_view::npos) return false;
  std::string_view list = readable.substr(begin + 1, readable.size() - begin - 2);
  if (list.empty() || list == "void") return true;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char letter = i < list.size() ? list[i] : ',';
    if (letter == '<' || letter == '(' || letter == '[') ++depth;
    if (letter == '>' || letter == ')' || letter == ']') --depth;
    if (letter != ',' || (depth != 0 && i < list.size())) continue;
    std::string_view part = list.substr(start, i - start);
    if (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    out.resize(out.size() + 1);
    out.back() = parse_parameter(part);
    start = i + 1;
  }
  return true;
}

/// Returns: a demangler's parameter in C++: "const float*".
[[gnu::cold]] inline std::string spelling_of(const parameter_info& parameter) {
  if (parameter.space == address_space::local) return "local<" + parameter.type + ">";
  if (parameter.space != address_space::global) return parameter.type;
  return yoke::detail::pointer_text(parameter.type, parameter.is_const);
}

/// Returns: "(float*, int)", with "?" for types that cannot be spelled.
[[gnu::cold]] inline std::string parameter_list_text(std::span<const parameter_info> parameters) {
  std::string list;
  for (const parameter_info& each : parameters) {
    list += (list.empty() ? "" : ", ") + (each.spelling.empty() ? "?" : each.spelling);
  }
  return "(" + list + ")";
}

/// Returns: "void(*)(float*, int)"; "" when a parameter cannot be spelled.
[[gnu::cold]] inline std::string function_type(std::span<const parameter_info> parameters) {
  for (const parameter_info& each : parameters) {
    if (each.spelling.empty()) return "";
  }
  return "void(*)" + parameter_list_text(parameters);
}

/// Returns: the type, with CUDA's names replaced by different names of the dialect.
[[gnu::cold]] inline std::string in_dialect(const std::string& type) {
  constexpr const char* words[][2] = {
      {"__half", "yoke_half"}, {"__nv_bfloat16", "unsigned short"}, {"double4_32a", "yoke_double4"}};
  const auto is_letter = [](char letter) {
    return letter == '_' || (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
           (letter >= 'A' && letter <= 'Z');
  };
  std::string out;
  for (std::size_t at = 0; at < type.size();) {
    std::size_t end = at;
    while (end < type.size() && is_letter(type[end])) ++end;
    if (end == at) ++end;
    std::string word = type.substr(at, end - at);
    for (const auto& each : words) {
      if (word == each[0]) word = each[1];
    }
    out += word;
    at = end;
  }
  return out;
}

/// Returns: a parameter's spelling in the source. Local memory is an offset in the dynamic block: the dialect has a
/// type for it, CUDA C++ an unsigned int.
[[gnu::cold]] inline std::string in_source(const std::string& spelling, bool portable) {
  const std::string_view element = template_argument(spelling, "local");
  if (element.empty()) return portable ? in_dialect(spelling) : spelling;
  return portable ? "yoke_d_place<" + in_dialect(std::string(element)) + ">" : "unsigned int";
}

/// Returns: a description of the first difference between two parameter lists.
[[gnu::cold]] inline std::string first_difference(const std::vector<std::string>& have,
                                                  const std::vector<std::string>& want) {
  for (std::size_t i = 0; i < have.size() && i < want.size(); ++i) {
    if (have[i] != want[i]) return yoke::detail::text("parameter ", i + 1, " is ", have[i], ", not ", want[i]);
  }
  if (have.size() == want.size()) return "";
  return yoke::detail::text("it has ", have.size(), " parameters, not ", want.size());
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
