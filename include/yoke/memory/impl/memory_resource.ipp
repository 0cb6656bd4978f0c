// SPDX-License-Identifier: MIT
// Bodies of memory/memory_resource.hpp.
#ifndef YOKE_MEMORY_IMPL_MEMORY_RESOURCE_IPP
#define YOKE_MEMORY_IMPL_MEMORY_RESOURCE_IPP

#include <yoke/memory/memory_resource.hpp>

#include <cxxabi.h>
#include <cstdlib>
#include <memory>

namespace yoke::inline YOKE_ABI::detail {

YOKE_INLINE void throw_null_memory(const char* type, std::size_t bytes, const source_location& where) {
  struct to_free {
    void operator()(char* text) const noexcept { std::free(text); }
  };
  int status = 0;
  const std::unique_ptr<char, to_free> readable(*type == '\0' ? nullptr
                                                              : ::abi::__cxa_demangle(type, nullptr, nullptr, &status));
  const char* const name = readable != nullptr ? readable.get() : type;
  throw_error(errc::out_of_memory, where, "the memory resource ", name, *name == '\0' ? "" : " ", "returned null for ",
              bytes, " bytes");
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
