// SPDX-License-Identifier: MIT
// Bodies of program/kernel/object_argument.hpp.
#ifndef YOKE_PROGRAM_KERNEL_OBJECT_ARGUMENT_IPP
#define YOKE_PROGRAM_KERNEL_OBJECT_ARGUMENT_IPP

#include <yoke/core/text.hpp>
#include <yoke/program/kernel/object_argument.hpp>

namespace yoke::inline v0_1::detail {

void throw_wrong_object(const char* noun, std::size_t position, object_fault why, const source_location& where) {
  constexpr const char* reasons[] = {
      ", is empty (moved from, released or never set)", ", is of another context than the stream",
      (", is written by the kernel, and its memory was made without that (kernel_access::read_only, or without "
       "CUDA_ARRAY3D_SURFACE_LDST)"),
      ", is read by the kernel, and its memory was made without that (kernel_access::write_only)"};
  constexpr errc codes[] = {errc::empty_handle, errc::wrong_context, errc::invalid_argument, errc::invalid_argument};
  const auto which = static_cast<std::size_t>(why);
  throw_error(codes[which], where, "argument ", position, ", ", noun, reasons[which]);
}

}  // namespace yoke::inline v0_1::detail

#endif
