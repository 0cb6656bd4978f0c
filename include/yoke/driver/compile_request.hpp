// SPDX-License-Identifier: MIT
// The compile request that a port gets, and the build facts that it gives a program cache.
#ifndef YOKE_DRIVER_COMPILE_REQUEST_HPP
#define YOKE_DRIVER_COMPILE_REQUEST_HPP

#include <yoke/driver/types.hpp>
#include <yoke/language/language.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1 {

/// The facts besides text and compiler that a compiled program depends on: the port's part of a cache key.
struct build_target {
  std::string backend;  ///< "cuda", "opencl"
  std::string product;  ///< the stored form of the program
  std::string driver;   ///< versions of platform and driver
  std::string devices;  ///< each device's identity
  /// Whether the compiler takes headers only from the given folders and its own.
  bool closed = false;
};

/// The input of a kernel compiler.
struct compile_request {
  std::string text;    ///< prelude, then `#line 1`, then the user's source
  std::string source;  ///< the user's source alone, for messages
  source_lines lines;
  kernel_language language{};        ///< the port's language
  bool portable = false;             ///< whether the text contains the prelude
  bool plain = false;                ///< whether the text has only the dialect's words, none of images, and no headers
  bool rewritten = false;            ///< whether the text after its first `lines.before` lines differs from the source
  std::string standard;              ///< the language's standard; "" leaves it to the port and the options
  std::vector<std::string> options;  ///< as the caller gave them
  std::vector<std::string> include_folders;
  std::string hint{};                   ///< added to the message of a refusal: "kernel.cu:3 says __kernel, ..."; "":
                                        ///< nothing
  std::string kept{};                   ///< the folder where a copy of this compilation is kept; "": none
  std::string* used_options = nullptr;  ///< if not null, the port writes the compiler's options there
  /// Whether the program will be stored. If so, intermediate code is compiled to a form that loads without another
  /// compilation.
  bool to_keep = false;
  /// Indices in `options` of definitions that the text also has, before `#line 1`: the compiler need not get them.
  std::vector<std::size_t> in_text{};
};

namespace detail {
/// Returns: the options that the request's text does not contain.
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
