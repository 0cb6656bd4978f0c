// SPDX-License-Identifier: MIT
// What a port gets to compile a program, and what it tells a cache about the program.
#ifndef YOKE_DRIVER_COMPILE_REQUEST_HPP
#define YOKE_DRIVER_COMPILE_REQUEST_HPP

#include <yoke/driver/types.hpp>
#include <yoke/language/language.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1 {

/// What a compiled program depends on besides its text and its compiler: the port's part of a cache's key.
struct build_target {
  std::string backend;  ///< "cuda", "opencl"
  std::string product;  ///< the form in which the program is stored
  std::string driver;   ///< versions of platform and driver
  std::string devices;  ///< what identifies the devices, for each of them
  /// Whether the compiler takes headers only from the folders given, and its own.
  bool closed = false;
};

/// The input of a kernel compiler.
struct compile_request {
  std::string text;    ///< prelude, then `#line 1`, then the user's source
  std::string source;  ///< the user's source alone, for messages
  source_lines lines;
  kernel_language language{};        ///< the port's
  bool portable = false;             ///< whether the text contains the prelude
  bool rewritten = false;            ///< whether the text behind its first `lines.before` lines differs from the source
  std::string standard;              ///< the language's standard; "" leaves it to the port and the options
  std::vector<std::string> options;  ///< as the caller gave them
  std::vector<std::string> include_folders;
  std::string hint{};                   ///< what a refusal adds: "kernel.cu:3 says __kernel, ..."; "": nothing
  std::string kept{};                   ///< the folder that this compilation is kept in; "": none
  std::string* used_options = nullptr;  ///< if not null, the port writes the options of its compiler there
  /// Whether the program will be stored: then intermediate code is compiled to what loads without another compilation.
  bool to_keep = false;
  /// Places in `options` of definitions that the text has, before `#line 1`: the compiler need not get them.
  std::vector<std::size_t> in_text{};
};

namespace detail {
/// Returns: the options that are not in a request's text.
template <class Request>
std::vector<std::string> options_beside_text(const Request& request) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < request.options.size(); ++i) {
    bool there = false;
    for (const std::size_t place : request.in_text) there = there || place == i;
    if (!there) others.push_back(request.options[i]);
  }
  return others;
}
}  // namespace detail

}  // namespace yoke::inline v0_1

#endif
