// SPDX-License-Identifier: MIT
// Bodies of program/structs/device_struct.hpp: write the definitions and checks of shared structs.
#ifndef YOKE_PROGRAM_STRUCTS_DEVICE_STRUCT_IPP
#define YOKE_PROGRAM_STRUCTS_DEVICE_STRUCT_IPP

#include <yoke/core/demangle.hpp>
#include <yoke/core/error.hpp>
#include <yoke/core/narrow.hpp>
#include <yoke/core/text.hpp>
#include <yoke/language/device_words.hpp>
#include <yoke/language/language.hpp>
#include <yoke/language/words.hpp>
#include <yoke/program/structs/device_struct.hpp>

namespace yoke::inline v0_1::detail {

/// Throws: `logic_error` for a name that at least one of the languages does not allow.
void check_device_name(std::string_view what, const std::string& name, const std::string& of,
                       const source_location& where) {
  if (!is_identifier(name))
    throw_error(errc::invalid_argument, where, what, " \"", name, "\"", of, " is no identifier");
  const std::string_view language = language_of_word(name);
  if (language.empty()) return;
  throw_error(errc::invalid_argument, where, what, " \"", name, "\"", of, " is a word of ", language,
              " and can name nothing there");
}

/// Effects: adds the structs that are missing in `to`, nested ones first.
void add_structs(std::vector<const struct_description*>& to, std::span<const struct_description> structs,
                 const source_location& where) {
  for (const struct_description& each : structs) {
    check_device_name("struct name", each.name, "", where);
    for (const struct_member& member : each.members) {
      check_device_name("member", member.name, " of struct \"" + each.name + "\"", where);
    }
    bool known = false;
    for (const struct_description* other : to) {
      if (other->name != each.name) continue;
      if (!(*other == each)) {
        throw_error(errc::invalid_argument, where, "two structs that differ have the name \"", each.name,
                    "\": ", struct_difference(*other, each, "one", "the other"));
      }
      known = true;
    }
    if (known) continue;
    add_structs(to, each.nested, where);
    to.push_back(&each);
  }
}

/// A kernel language: its type names, and its form of compile-time checks.
struct struct_language {
  bool cxx = false;
  struct_words words = struct_words::native;

  /// Returns: the type's name; "" if the language lacks the type or lays it out differently.
  [[nodiscard]] std::string type_of(const struct_member& member) const {
    if (words == struct_words::dialect) return member.dialect;
    const std::string& name = cxx && words == struct_words::native ? member.cuda : member.opencl_c;
    return name_on_other_side(name).empty() ? name : "";
  }
  [[nodiscard]] std::string name() const {
    return words == struct_words::dialect ? "the dialect" : cxx ? "CUDA C++" : "OpenCL C";
  }
  /// Returns: lines that end the compilation, with both numbers in the message, unless they are equal.
  /// Requires: `host` is not 0.
  [[nodiscard]] std::string check(const std::string& fact, const std::string& what, std::size_t host,
                                  const std::string& device) const {
    std::string by_assertion =
        text("template <unsigned long host, unsigned long device>\nstruct shared_struct_", fact,
             " {\n  static_assert(host == device, \"", what, "\");\n  enum { same };\n};\nstatic_assert(shared_struct_",
             fact, "<", host, ", ", device, ">::same == 0, \"\");\n");
    if (cxx) return by_assertion;
    // Declare an array twice with the two sizes: it is the only error of C that compilers report with both numbers.
    // OpenCL C that is translated for CUDA is C++.
    const std::string array = "extern __constant char shared_struct_" + fact + "_on_host_and_device[";
    return text("#ifdef __cplusplus\n", by_assertion, "#else\n", array, host, "];\n", array, device, "];\n#endif\n");
  }
};

std::string struct_text(const struct_description& of, const struct_language& in) {
  for (const struct_member& each : of.members) {
    if (!in.type_of(each).empty()) continue;
    return text("#error \"struct ", of.name, " cannot be shared: ", in.name(), " has no type for its member ",
                each.name, ", which is ", each.host, "\"\n");
  }
  std::string out = (in.cxx ? "struct " : "typedef struct ") + of.name + " {\n";
  for (const struct_member& each : of.members) {
    out += "  " + in.type_of(each) + " " + each.name;
    for (const std::size_t extent : each.extents) out += text("[", extent, "]");
    out += ";\n";
  }
  out += in.cxx ? "};\n" : "} " + of.name + ";\n";
  for (const struct_member& each : of.members) {
    if (each.offset == 0) continue;  // the first member has offset 0 in every language
    out +=
        in.check("offset_of_" + each.name + "_in_" + of.name,
                 text(of.name, "::", each.name, " is at byte ", each.offset, " on the host, at another on the device"),
                 each.offset, "SHARED_STRUCT_BYTES_BEFORE(" + of.name + ", " + each.name + ")");
  }
  return out + in.check("size_of_" + of.name,
                        text(of.name, " has ", of.bytes, " bytes on the host, not so many on the device"), of.bytes,
                        "sizeof(" + of.name + ")");
}

std::string readable_type_name(const char* mangled) { return demangled(mangled); }

const struct_description* find_struct(std::span<const struct_description> in, std::string_view name) noexcept {
  for (const struct_description& each : in) {
    if (each.name == name) return &each;
    if (const struct_description* const within = find_struct(each.nested, name); within != nullptr) return within;
  }
  return nullptr;
}

/// Returns: a member's type with its extents, "float[2][3]".
std::string member_type_text(const struct_member& member) {
  std::string out = member.opencl_c.empty() ? member.host : member.opencl_c;
  if (!member.dialect.empty() && member.dialect != out) out += " (" + member.dialect + ")";
  for (const std::size_t extent : member.extents) out += text("[", extent, "]");
  return out;
}

/// Returns: how the layouts differ, as text to follow the struct's name; "" if they are equal.
std::string layout_difference_of(const struct_description& there, const struct_description& here,
                                 std::string_view in_there, std::string_view in_here) {
  if (there.bytes != here.bytes) {
    return text(" has ", there.bytes, " bytes in ", in_there, ", ", here.bytes, " bytes in ", in_here);
  }
  for (std::size_t i = 0; i < there.members.size() && i < here.members.size(); ++i) {
    const struct_member& a = there.members[i];
    const struct_member& b = here.members[i];
    if (a.name != b.name) {
      return text(" calls its member ", i + 1, " ", a.name, " in ", in_there, ", ", b.name, " in ", in_here);
    }
    const std::string member = text(" has its member ", a.name, " ");
    if (a.offset != b.offset) {
      return text(member, "at byte ", a.offset, " in ", in_there, ", at byte ", b.offset, " in ", in_here);
    }
    if (a.bytes != b.bytes || a.extents != b.extents || a.opencl_c != b.opencl_c || a.dialect != b.dialect) {
      return text(member, "as ", member_type_text(a), " of ", a.bytes, " bytes in ", in_there, ", as ",
                  member_type_text(b), " of ", b.bytes, " bytes in ", in_here);
    }
    const struct_description* const within = find_struct(there.nested, a.opencl_c);
    const struct_description* const other = find_struct(here.nested, b.opencl_c);
    if ((within == nullptr) != (other == nullptr)) return text(member, "as two structs");
    if (within == nullptr) continue;
    const std::string deeper = struct_difference(*within, *other, in_there, in_here);
    if (!deeper.empty()) return member + "of which " + deeper;
  }
  if (there.members.size() != here.members.size()) {
    return text(" has ", there.members.size(), " members in ", in_there, ", ", here.members.size(), " in ", in_here);
  }
  if (there.alignment != here.alignment) {
    return text(" is aligned to ", there.alignment, " bytes in ", in_there, ", to ", here.alignment, " in ", in_here);
  }
  return "";
}

std::string struct_difference(const struct_description& there, const struct_description& here,
                              std::string_view there_name, std::string_view here_name) {
  const std::string layout = layout_difference_of(there, here, there_name, here_name);
  if (there.host.empty() || here.host.empty() || there.host == here.host) {
    return layout.empty() ? "" : "struct " + there.name + layout;
  }
  return text("struct ", there.name, " is ", there.host, " in ", there_name, ", ", here.host, " in ", here_name,
              layout.empty() ? "" : "; it" + layout);
}

/// Defines the macro that the checks use for a member's offset.
inline constexpr const char* struct_offset_macro =
    // NVRTC lacks the builtin; its own headers define the macro like this. The word is split in two, so that the check
    // of the dialect does not find it.
    "#if defined __EDG__ && !defined __GNUC__\n"
    "#define SHARED_STRUCT_BYTES_BEFORE(name, member) __INTADDR__(&((name*)0)->member)\n#else\n"
    "#define SHARED_STRUCT_BYTES_BEFORE(name, member) __builtin_##offsetof(name, member)\n#endif\n";

std::string struct_checks(const struct_description& of, std::string_view what) {
  std::string out = struct_offset_macro;
  for (const struct_description& each : of.nested) out += struct_checks(each, what);
  const struct_language in{true, struct_words::native};
  std::string tag = of.name + "_" + std::string(what);
  for (char& letter : tag) {
    if (!is_identifier(std::string_view(&letter, 1)) && !(letter >= '0' && letter <= '9')) letter = '_';
  }
  for (const struct_member& each : of.members) {
    if (each.offset == 0) continue;
    out += in.check("offset_of_" + each.name + "_in_" + tag,
                    text(of.name, "::", each.name, ", ", what, ", is at byte ", each.offset,
                         " on the host, at another on the device"),
                    each.offset, "SHARED_STRUCT_BYTES_BEFORE(" + of.name + ", " + each.name + ")");
  }
  return out + in.check("size_of_" + tag,
                        text(of.name, ", ", what, ", has ", of.bytes, " bytes on the host, not so many on the device"),
                        of.bytes, "sizeof(" + of.name + ")");
}

}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1 {

std::string struct_source(std::span<const struct_description> structs, struct_words words,
                          const source_location& where) {
  using enum struct_words;
  detail::check_enumerator("struct_words", words, {native, dialect, opencl_c}, where);
  std::vector<const struct_description*> all;
  detail::add_structs(all, structs, where);
  if (all.empty()) return "";
  std::string out = detail::struct_offset_macro;
  out += "#ifdef __OPENCL_VERSION__\n";
  const auto add_all = [&](bool cxx) {
    for (const struct_description* each : all) out += detail::struct_text(*each, {cxx, words});
  };
  add_all(false);
  out += "#else\n";
  bool halves = false;
  bool bfloat16s = false;
  for (const struct_description* each : all) {
    for (const struct_member& member : each->members) {
      halves = halves || member.cuda.rfind("__half", 0) == 0;
      bfloat16s = bfloat16s || member.cuda.rfind("__nv_bfloat16", 0) == 0;
    }
  }
  if (words == struct_words::native && halves) out += "#include <cuda_fp16.h>\n";
  if (words == struct_words::native && bfloat16s) out += "#include <cuda_bf16.h>\n";
  add_all(true);
  return out + "#endif\n";
}

}  // namespace yoke::inline v0_1

#endif
