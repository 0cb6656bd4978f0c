// SPDX-License-Identifier: MIT
// Bodies of memory/memory_resource.hpp.
#ifndef YOKE_MEMORY_MEMORY_RESOURCE_IPP
#define YOKE_MEMORY_MEMORY_RESOURCE_IPP

#include <yoke/core/demangle.hpp>
#include <yoke/memory/memory_resource.hpp>

namespace yoke::inline v0_1::detail {

void throw_null_memory(const char* type, std::size_t bytes, const source_location& where) {
  const std::string name = *type == '\0' ? std::string() : demangled(type) + " ";
  throw_error(errc::out_of_memory, where, "the memory resource ", name, "returned null for ", bytes, " bytes");
}

}  // namespace yoke::inline v0_1::detail

#endif
