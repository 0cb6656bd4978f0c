// SPDX-License-Identifier: MIT
// Bodies of cuda/compile/global.hpp.
#ifndef YOKE_CUDA_COMPILE_GLOBAL_IPP
#define YOKE_CUDA_COMPILE_GLOBAL_IPP

#include <yoke/cuda/compile/global.hpp>

namespace yoke::inline v0_1::cuda::detail {

std::size_t global_elements(const global_variable& found, const std::string& name, std::size_t element_bytes,
                            const std::size_t* wanted, const source_location& where) {
  const std::size_t count = found.bytes / element_bytes;
  const bool whole = found.bytes % element_bytes == 0;
  if (whole && (wanted == nullptr || *wanted == count)) return count;
  std::string asked = wanted != nullptr ? yoke::detail::text(*wanted, " elements") : "a whole number of elements";
  yoke::detail::throw_error(errc::size_mismatch, where, "variable \"", name, "\" has ", found.bytes, " bytes, not ",
                            asked, " of ", element_bytes, " bytes");
}

global_variable find_global(const module& in, const std::string& name, const source_location& where) {
  const context& of = in.context_of(where);
  if (name.empty() || name.find('\0') != std::string::npos) {
    yoke::detail::throw_error(errc::invalid_argument, where, "variable name \"", name.c_str(),
                              "\" is empty or has a zero character");
  }
  return of.port(where).find_global(of.native_handle(), in.native_handle(), name, where);
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
