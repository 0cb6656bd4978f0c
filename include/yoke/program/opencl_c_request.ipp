// SPDX-License-Identifier: MIT
// Body of program/opencl_c_request.hpp.
#ifndef YOKE_PROGRAM_OPENCL_C_REQUEST_IPP
#define YOKE_PROGRAM_OPENCL_C_REQUEST_IPP

#include <yoke/language/dialect.hpp>
#include <yoke/language/opencl_c.hpp>
#include <yoke/program/opencl_c_request.hpp>
#include <yoke/program/source/expanded_source.hpp>

namespace yoke::inline v0_1::detail {

/// Throws: `compile_error` that names the line that cannot be translated.
[[noreturn, gnu::cold]] inline void refuse_opencl_c(const opencl_c_translation& translation, const source_place& place,
                                                    const compile_request& request, const source_location& where) {
  const std::string log = text(place.name, ":", place.line, ": error: ", translation.problem, "\n");
  throw compile_error(make_error_code(errc::build_failed), "",
                      "translating " + request.lines.name + " from OpenCL C to CUDA C++ failed:\n" + log,
                      {log, "", request.source, ""}, where);
}

void read_opencl_c(const opencl_c_request& asked) {
  compile_request& request = asked.request;
  const std::string& name = request.lines.name;
  // {false, false}: OpenCL C lacks the raw strings and digit separators of C++.
  const expanded_source expanded =
      header_expander(request.include_folders, request.options, asked.headers, {false, false})
          .run(request.source, name);
  opencl_c_translation translation = translate_opencl_c(expanded.text);
  if (!translation.problem.empty()) {
    refuse_opencl_c(translation, expanded.place_of(translation.line), request, asked.where);
  }
  std::string prelude(request.language.prelude);
  prelude += request.language.opencl_c_prelude;
  // Only these words of the prelude are OpenCL C's own.
  const bool images =
      translation.text.find("image") != std::string::npos || translation.text.find("sampler_t") != std::string::npos;
  request.text += "#define YOKE_D_OPENCL_C 1\n" + dialect_for(prelude, {"YOKE_D_OPENCL_C", images ? "image2d_t" : ""}) +
                  translation.definitions;
  asked.translation = std::move(translation.text);
}

}  // namespace yoke::inline v0_1::detail

#endif
