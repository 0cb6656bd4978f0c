// SPDX-License-Identifier: MIT
// Translates the OpenCL C source of a compile request to CUDA C++.
#ifndef YOKE_PROGRAM_OPENCL_C_REQUEST_HPP
#define YOKE_PROGRAM_OPENCL_C_REQUEST_HPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/program/source/embedded_header.hpp>

#include <span>
#include <string>

namespace yoke::inline v0_1::detail {

/// The arguments of `read_opencl_c`.
struct opencl_c_request {
  std::span<const embedded_header> headers;
  compile_request& request;  // has source, name, options and folders; the prelude is appended to its text
  std::string& translation;  // gets the source in CUDA C++
  const source_location& where;
};

/// Effects: translates a request's source from OpenCL C, and appends the parts of the prelude that it needs to the
/// request's text.
/// Throws: `compile_error` that names the line that cannot be translated.
void read_opencl_c(const opencl_c_request& request);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/opencl_c_request.ipp>
#endif

#endif
