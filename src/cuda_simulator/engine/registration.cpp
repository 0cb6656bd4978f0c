// SPDX-License-Identifier: MIT
// Writes the registration of kernels and name expressions.
#include "registration.hpp"

#include <algorithm>

#include "kernel_scan.hpp"

namespace yoke::simulator {

namespace {

std::string in_namespace(const std::string& scope, const std::string& text) {
  return scope.empty() ? text : "namespace " + scope + " { " + text + " }";
}

std::string number(std::size_t value) { return std::to_string(value); }

}  // namespace

std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') literal += '\\';
    literal += each == '\n' ? ' ' : each;
  }
  return literal + "\"";
}

std::string registration_text(std::string_view preprocessed, const std::vector<std::string>& name_expressions) {
  const std::vector<found_kernel> kernels = find_kernels(preprocessed);
  const std::string own_place = "# 1 \"yoke/simulator/registration\"\n";
  std::string text = "\n" + own_place;
  std::string list;
  for (std::size_t each = 0; each < kernels.size(); ++each) {
    const found_kernel& kernel = kernels[each];
    // Described where it stands, so that its parameters and bounds mean there what they meant in the source.
    const auto same = std::count_if(kernels.begin(), kernels.end(), [&](const found_kernel& other) {
      return other.scope == kernel.scope && other.name == kernel.name;
    });
    const std::string address =
        same > 1 ? "static_cast<void (*)" + kernel.parameters + ">(&" + kernel.name + ")" : "&" + kernel.name;
    const std::string name = "yoke_simulator_kernel_" + number(each);
    const std::string bounds = kernel.launch_bounds.empty() ? "" : ", " + kernel.launch_bounds;
    std::string description = "static const ::yoke_simulator::kernel_record ";
    description.append(name).append(" = ::yoke_simulator::describe(").append(address).append(bounds).append(");");
    // What is wrong with its bounds or its parameters is wrong in the kernel's own line.
    text.append("# ").append(kernel.place).append(1, '\n');
    text.append(in_namespace(kernel.scope, description)).append(1, '\n').append(own_place);
    list += "::";
    if (!kernel.scope.empty()) list.append(kernel.scope).append("::");
    list.append(name).append(", ");
  }
  std::string expressions;
  for (std::size_t each = 0; each < name_expressions.size(); ++each) {
    // A constant, so that a cast to another signature than the kernel's is refused instead of reinterpreted.
    const std::string name = "yoke_simulator_expression_" + number(each);
    text += "# 1 " + string_literal("name expression " + name_expressions[each]) + "\nstatic constexpr auto " + name +
            " = " + name_expressions[each] + ";\n" + own_place;
    list += "::yoke_simulator::describe_expression(" + name + "), ";
    expressions += "::yoke_simulator::address(" + name + "), ";
  }
  text += "static const ::yoke_simulator::kernel_record yoke_simulator_kernels[] = {" + list +
          "::yoke_simulator::kernel_record{}};\n";
  text += "static const void* const yoke_simulator_expressions[] = {" + expressions + "nullptr};\n";
  text +=
      "extern \"C\" __attribute__((visibility(\"default\"))) const ::yoke_simulator::image_record "
      "yoke_simulator_image = {::yoke_simulator::interface_version, &::yoke_simulator::engine, "
      "&::yoke_simulator::locate, yoke_simulator_kernels, " +
      number(kernels.size() + name_expressions.size()) + ", yoke_simulator_expressions, " +
      number(name_expressions.size()) + "};\n";
  return text;
}

}  // namespace yoke::simulator
