// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program/global_variable.hpp.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_GLOBAL_VARIABLE_IPP
#define YOKE_DRIVER_CUDA_PROGRAM_GLOBAL_VARIABLE_IPP

#include <yoke/driver/cuda/program/global_variable.hpp>

#include <yoke/driver/cuda/binary/loaded_binaries.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// Returns: "_ZN2ns5tableE" for "ns::table"; "" for a name without namespaces, or one that is not plain.
/// `internal` selects the form of const variables.
[[gnu::cold]] std::string mangled_variable(std::string_view name, bool internal) {
  if (name.substr(0, 2) == "::") name.remove_prefix(2);
  if (name.find("::") == std::string_view::npos) return "";
  std::string mangled = "_ZN";
  for (;;) {
    const std::size_t end = (std::min)(name.find("::"), name.size());
    const std::string_view part = name.substr(0, end);
    if (part.empty() || !std::all_of(part.begin(), part.end(),
                                     [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; })) {
      return "";
    }
    const bool last = end == name.size();
    if (last && internal) mangled += 'L';
    mangled.append(std::to_string(part.size())).append(part);
    if (last) return mangled + "E";
    name.remove_prefix(end + 2);
  }
}

}  // namespace detail

global_variable global_variable_functions::find_global(abi::context context, abi::library module,
                                                       const std::string& name, const source_location& where) const {
  std::vector<std::string> forms{name};
  const std::string_view plain = std::string_view(name).substr(name.rfind('&', 0) == 0 ? 1 : 0);
  if (const auto record = detail::images_of(table()).find(module); record != nullptr) {
    for (const detail::known_name& each : record->names) {
      if (each.name == name || each.name == "&" + name) forms.push_back(each.lowered);
    }
  }
  forms.push_back(std::string(plain.substr(plain.rfind("::", 0) == 0 ? 2 : 0)));
  for (const bool internal : {false, true}) forms.push_back(detail::mangled_variable(plain, internal));
  const detail::current_context scope(table(), context, where);
  for (const std::string& each : forms) {
    if (each.empty() || each[0] == '&') continue;
    global_variable found;
    abi::status status =
        detail::call<&abi::functions::library_get_global>(table(), &found.address, &found.bytes, module, each.c_str());
    const char* call = "cuLibraryGetGlobal";
    if (status == abi::error_not_found) {
      status = detail::call<&abi::functions::library_get_managed>(table(), &found.address, &found.bytes, module,
                                                                  each.c_str());
      call = "cuLibraryGetManaged";
    }
    if (status == abi::success) return found;
    if (status != abi::error_not_found) detail::throw_failure(status, call, "variable \"" + name + "\"", where);
  }
  throw logic_error({abi::error_not_found, error_category()}, "cuLibraryGetGlobal",
                    "no variable \"" + name +
                        "\" in this module; one in a namespace goes by its whole name, a template's by a name "
                        "expression, and one that is static or that nothing uses may be gone",
                    where);
}

}  // namespace yoke::inline v0_1::cuda

#endif
