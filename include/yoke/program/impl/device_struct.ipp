// SPDX-License-Identifier: MIT
// Body of program/device_struct.hpp: definitions and checks of shared structs.
#ifndef YOKE_PROGRAM_IMPL_DEVICE_STRUCT_IPP
#define YOKE_PROGRAM_IMPL_DEVICE_STRUCT_IPP

#include <yoke/core/error.hpp>
#include <yoke/core/text.hpp>
#include <yoke/program/device_struct.hpp>
#include <yoke/program/identifier.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// Effects: adds the structs that are not there yet, those within them first.
YOKE_COLD void add_structs(std::vector<const struct_description*>& to, std::span<const struct_description> structs,
                           const source_location& where) {
  for (const struct_description& each : structs) {
    if (!is_identifier(each.name)) {
      throw_error(errc::invalid_argument, "struct name \"" + each.name + "\" is no identifier", where);
    }
    bool known = false;
    for (const struct_description* other : to) {
      if (other->name != each.name) continue;
      if (!(*other == each)) {
        throw_error(errc::invalid_argument, "two structs that differ have the name \"" + each.name + "\"", where);
      }
      known = true;
    }
    if (known) continue;
    add_structs(to, each.nested, where);
    to.push_back(&each);
  }
}

/// A language's words and its ways to say the same.
struct struct_language {
  bool cxx = false;
  struct_words words = struct_words::native;

  /// Returns: the type's name; "" where the language has no such type, or lays it out otherwise.
  [[nodiscard]] std::string type_of(const struct_member& member) const {
    if (words == struct_words::dialect) return member.dialect;
    const std::string& name = cxx && words == struct_words::native ? member.cuda : member.opencl_c;
    return name.rfind(cxx ? "yoke::opencl::" : "cuda::", 0) == 0 ? "" : name;
  }
  [[nodiscard]] std::string name() const {
    return words == struct_words::dialect ? "the dialect" : cxx ? "CUDA C++" : "OpenCL C";
  }
  /// Returns: lines that end the compilation unless both are the same number, which is not 0. Both are in the message.
  [[nodiscard]] std::string check(const std::string& fact, const std::string& what, std::size_t host,
                                  const std::string& device) const {
    const std::string by_assertion =
        text("template <unsigned long host, unsigned long device>\nstruct shared_struct_", fact,
             " {\n  static_assert(host == device, \"", what, "\");\n  enum { same };\n};\nstatic_assert(shared_struct_",
             fact, "<", host, ", ", device, ">::same == 0, \"\");\n");
    if (cxx) return by_assertion;
    // An array declared twice: of all that is wrong in C, this is what compilers tell with both numbers. OpenCL C that is
    // translated for CUDA is C++.
    const std::string array = "extern __constant char shared_struct_" + fact + "_on_host_and_device[";
    return text("#ifdef __cplusplus\n", by_assertion, "#else\n", array, host, "];\n", array, device, "];\n#endif\n");
  }
};

YOKE_COLD std::string struct_text(const struct_description& of, const struct_language& in) {
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
    if (each.offset == 0) continue;  // the first one is there in every language
    out +=
        in.check("offset_of_" + each.name + "_in_" + of.name,
                 text(of.name, "::", each.name, " is at byte ", each.offset, " on the host, at another on the device"),
                 each.offset, "SHARED_STRUCT_BYTES_BEFORE(" + of.name + ", " + each.name + ")");
  }
  return out + in.check("size_of_" + of.name,
                        text(of.name, " has ", of.bytes, " bytes on the host, not so many on the device"), of.bytes,
                        "sizeof(" + of.name + ")");
}

}  // namespace yoke::inline YOKE_ABI::detail

namespace yoke::inline YOKE_ABI {

YOKE_COLD std::string struct_source(std::span<const struct_description> structs, struct_words words,
                                    const source_location& where) {
  std::vector<const struct_description*> all;
  detail::add_structs(all, structs, where);
  if (all.empty()) return "";
  // NVRTC has not the builtin; the macro of its own headers is this.
  std::string out =
      "#if defined __EDG__ && !defined __GNUC__\n"
      "#define SHARED_STRUCT_BYTES_BEFORE(name, member) __INTADDR__(&((name*)0)->member)\n#else\n"
      "#define SHARED_STRUCT_BYTES_BEFORE(name, member) __builtin_offsetof(name, member)\n#endif\n";
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

}  // namespace yoke::inline YOKE_ABI

#endif
