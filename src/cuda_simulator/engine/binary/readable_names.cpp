// SPDX-License-Identifier: MIT
// Demangles symbols, and cuts a function's name out of its declaration.
#include "engine/binary/readable_names.hpp"

#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace yoke::simulator {

std::string readable_name(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // "f" is the mangled name of the type float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return name ? name.get() : symbol;
}

std::string readable_function_name(const std::string& symbol) {
  std::string name = readable_name(symbol);
  if (name == symbol || name.empty() || name.back() != ')') return name;
  int depth = 0;
  const auto step_back = [&](std::size_t at) {
    if (name[at] == ')' || name[at] == '>') ++depth;
    if (name[at] == '(' || name[at] == '<') --depth;
  };
  std::size_t end = name.size();  // where its parameters begin
  do {
    step_back(--end);
  } while (end > 0 && depth > 0);
  std::size_t begin = end;  // behind its result, which only a template's name has
  while (begin > 0 && (depth > 0 || name[begin - 1] != ' ')) step_back(--begin);
  return name.substr(begin, end - begin);
}

}  // namespace yoke::simulator
