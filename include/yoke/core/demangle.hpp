// SPDX-License-Identifier: MIT
// Turns mangled symbol names into readable ones.
#ifndef YOKE_CORE_DEMANGLE_HPP
#define YOKE_CORE_DEMANGLE_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>

// Declared here because <cxxabi.h> adds the name `abi` to the global namespace of every program that includes the
// bodies.
namespace __cxxabiv1 {  // NOLINT: the ABI's own
extern "C" char* __cxa_demangle(const char*, char*, std::size_t*, int*);
}

namespace yoke::inline v0_1::detail {

/// Returns: "void scale<float>(float*, int)" for its mangled name; any other text unchanged.
[[gnu::cold]] inline std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(__cxxabiv1::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

}  // namespace yoke::inline v0_1::detail

#endif
