// SPDX-License-Identifier: MIT
// The translation from OpenCL C as `compile` calls it.
#ifndef YOKE_PROGRAM_OPENCL_C_REQUEST_HPP
#define YOKE_PROGRAM_OPENCL_C_REQUEST_HPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/program/source/embedded_header.hpp>

#include <span>
#include <string>

namespace yoke::inline v0_1::detail {

/// What `read_opencl_c` works on.
struct opencl_c_request {
  std::span<const embedded_header> headers;
  compile_request& request;  // with source, name, options and folders; the head goes behind its text
  std::string& translation;  // becomes the source in CUDA C++
  const source_location& where;
};

/// Effects: translates a request's source from OpenCL C, behind the parts of the prelude that it needs.
/// Throws: `compile_error` that names the line that cannot be translated.
void read_opencl_c(const opencl_c_request& request);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/opencl_c_request.ipp>
#endif

#endif
