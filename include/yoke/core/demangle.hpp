// SPDX-License-Identifier: MIT
// The readable names of mangled ones.
#ifndef YOKE_CORE_DEMANGLE_HPP
#define YOKE_CORE_DEMANGLE_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>

// Instead of <cxxabi.h>, which makes `abi` a name of the global namespace, in programs that include the library's bodies too.
namespace __cxxabiv1 {  // NOLINT: the ABI's own
extern "C" char* __cxa_demangle(const char*, char*, std::size_t*, int*);
}

namespace yoke::inline v0_1::detail {

/// Returns: "void scale<float>(float*, int)" for its mangled name; what is no mangled name unchanged.
[[gnu::cold]] inline std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(__cxxabiv1::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

}  // namespace yoke::inline v0_1::detail

#endif
