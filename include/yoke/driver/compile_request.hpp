// SPDX-License-Identifier: MIT
// What ports are asked for when a program is compiled, and what they say of it to a cache.
#ifndef YOKE_DRIVER_COMPILE_REQUEST_HPP
#define YOKE_DRIVER_COMPILE_REQUEST_HPP

#include <yoke/driver/types.hpp>

#include <string>
#include <vector>

namespace yoke::inline YOKE_ABI {

/// What a compiled program depends on besides its text and its compiler: the port's word in the key of a cache.
struct build_target {
  std::string backend;  ///< "cuda", "opencl"
  std::string product;  ///< what is stored of the program
  std::string driver;   ///< versions of platform and driver
  std::string devices;  ///< all that tells the devices from others, for each of them
  /// Whether the compiler looks for headers in the folders given alone, and in itself.
  bool closed = false;
};

/// What goes to the kernel compiler, ready made by floor 4.
struct compile_request {
  std::string text;    ///< prelude, then `#line 1`, then the user's source
  std::string source;  ///< the user's source alone, for messages
  source_lines lines;
  bool portable = false;   ///< whether the prelude is in there
  bool rewritten = false;  ///< whether what is behind `lines.before` lines of the text is another than the source
  std::string standard;    ///< of the language; "" leaves it to the port and the options
  std::vector<std::string> options;
  std::vector<std::string> include_folders;
  std::string kept{};                   ///< the folder that this compilation is kept in; "": none
  std::string* used_options = nullptr;  ///< if not null, the port writes there what options its compiler got
  /// Whether the program is to be kept: intermediate code then becomes what loads without being compiled again.
  bool to_keep = false;
};

}  // namespace yoke::inline YOKE_ABI

#endif
