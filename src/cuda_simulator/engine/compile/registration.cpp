// SPDX-License-Identifier: MIT
// Writes the registration of kernels and name expressions.
#include "engine/compile/registration.hpp"

#include <cstdint>
#include <utility>

#include "engine/binary/image_format.hpp"
#include "engine/compile/kernel_scan.hpp"

namespace yoke::simulator {

namespace {

std::string in_namespace(const std::string& scope, const std::string& text) {
  return scope.empty() ? text : "namespace " + scope + " { " + text + " }";
}

std::string number(std::size_t value) { return std::to_string(value); }

// FNV-1a: sources that are linked into one image have records of their own.
std::uint64_t source_digest(std::string_view text) {
  std::uint64_t digest = 14695981039346656037u;
  for (const char each : text) digest = (digest ^ static_cast<unsigned char>(each)) * 1099511628211u;
  return digest;
}

/// Returns: the expression that describes a kernel.
std::string description(const found_kernel& kernel) {
  const bool cast = kernel.is_instance || kernel.is_overloaded;
  const std::string address =
      cast ? "static_cast<void (*)" + kernel.parameters + ">(&" + kernel.name + ")" : "&" + kernel.name;
  const std::string bounds = kernel.launch_bounds.empty() ? "" : ", " + kernel.launch_bounds;
  const std::string call = "::yoke_simulator::describe(" + address + bounds + ")";
  // Behind a qualified name, parameters are looked up in its namespace.
  return kernel.qualifier.empty() ? call : "[] { using namespace " + kernel.qualifier + "; return " + call + "; }()";
}

/// Returns: 12 "file.cu" as the beginning of a compiler's message: file.cu:12.
std::string message_place(const std::string& place) {
  const std::size_t space = place.find(' ');
  std::string file;
  for (std::size_t each = space + 2; each + 1 < place.size(); ++each) {
    if (place[each] == '\\' && each + 2 < place.size()) ++each;
    file += place[each];
  }
  return file + ":" + place.substr(0, space);
}

}  // namespace

std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') literal += '\\';
    literal += each == '\n' ? ' ' : each;
  }
  return literal + "\"";
}

registration register_kernels(std::string_view preprocessed, const std::vector<std::string>& name_expressions) {
  const kernel_scan scan = find_kernels(preprocessed);
  const std::vector<found_kernel>& kernels = scan.kernels;
  const std::string own_place = "# 1 \"yoke/simulator/registration\"\n";
  std::string text = "\n" + own_place;
  std::string list;
  for (std::size_t each = 0; each < kernels.size(); ++each) {
    // Described where the kernel is declared, so that its parameters and bounds mean the same as in the source, and
    // errors in them are reported in the kernel's own line.
    const found_kernel& kernel = kernels[each];
    const std::string name = "yoke_simulator_kernel_" + number(each);
    const std::string record =
        "static const ::yoke_simulator::kernel_record " + name + " = " + description(kernel) + ";";
    text.append("# ").append(kernel.place).append(1, '\n');
    text.append(in_namespace(kernel.scope, record)).append(1, '\n').append(own_place);
    list += "::";
    if (!kernel.scope.empty()) list.append(kernel.scope).append("::");
    list.append(name).append(", ");
  }
  std::string expressions;
  for (std::size_t each = 0; each < name_expressions.size(); ++each) {
    // A constant, so that a cast to a wrong signature is an error instead of a reinterpretation.
    const std::string name = "yoke_simulator_expression_" + number(each);
    text += "# 1 " + string_literal("name expression " + name_expressions[each]) + "\nstatic constexpr auto " + name +
            " = " + name_expressions[each] + ";\n" + own_place;
    list += "::yoke_simulator::describe_expression(" + name + "), ";
    expressions += "::yoke_simulator::address(" + name + "), ";
  }
  text += "static const ::yoke_simulator::kernel_record yoke_simulator_kernels[] = {" + list +
          "::yoke_simulator::kernel_record{}};\n";
  text += "static const void* const yoke_simulator_expressions[] = {" + expressions + "nullptr};\n";
  text += "extern \"C\" __attribute__((visibility(\"default\"))) const ::yoke_simulator::image_record " +
          std::string(record_name) + std::to_string(source_digest(std::string(preprocessed) + text)) +
          " = {::yoke_simulator::interface_version, &::yoke_simulator::engine, "
          "&::yoke_simulator::locate, yoke_simulator_kernels, " +
          number(kernels.size() + name_expressions.size()) + ", yoke_simulator_expressions, " +
          number(name_expressions.size()) + "};\n";
  std::string errors;
  for (const refused_declaration& each : scan.refusals)
    errors += message_place(each.place) + ": error: " + each.words + "\n";
  return registration{std::move(text), std::move(errors)};
}

}  // namespace yoke::simulator
