// SPDX-License-Identifier: MIT
// Bodies of opencl/pipe.hpp.
#ifndef YOKE_OPENCL_IMPL_PIPE_IPP
#define YOKE_OPENCL_IMPL_PIPE_IPP

#include <yoke/core/text.hpp>
#include <yoke/opencl/pipe.hpp>

namespace yoke::inline YOKE_ABI::detail {

YOKE_COLD void throw_wrong_pipe(std::size_t position, bool is_empty, const source_location& where) {
  throw_error(is_empty ? errc::empty_handle : errc::wrong_context, where, "argument ", position,
              is_empty ? ", a pipe, is empty (moved from, released or never set)"
                       : ", a pipe, is of another context than the stream");
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif
