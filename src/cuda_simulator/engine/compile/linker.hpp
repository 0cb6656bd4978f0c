// SPDX-License-Identifier: MIT
// Links images that were compiled apart into one.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_LINKER_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_LINKER_HPP

#include <string>
#include <string_view>
#include <vector>

#include "engine/binary/architectures.hpp"
#include "engine/compile/host_compiler.hpp"
#include "engine/system/process.hpp"
#include "engine/system/temporary_folder.hpp"

namespace yoke::simulator {

/// One thing to link.
struct link_piece {
  std::string name;   ///< for messages
  std::string bytes;  ///< an image, or an archive of images, whose needed members are taken
};

struct link_result {
  std::string image;  ///< empty: it failed
  std::string ptx;    ///< as `image`, with parameters as in PTX
  std::string log;    ///< the reason of a failure
};

/// Effects: runs the host compiler's linker. Returns: the image of all pieces. Throws: std::bad_alloc.
/// Thread safety: any number of threads at once.
link_result link_images(const std::vector<link_piece>& pieces, int compute_capability, int cuda_version);

/// Returns: whether there is something to link in the bytes.
bool can_be_linked(std::string_view bytes);

/// Effects: makes image.so of kernel.o in that folder. `words` gets the command.
process_result link_shared_object(const host_compiler& compiler, const temporary_folder& folder,
                                  std::vector<std::string>& words);
/// Returns: the names in an object that nobody defines, neither it nor the C library.
std::vector<std::string> undefined_names(std::string_view object);
/// Returns: assembler text that defines placeholders for the names, so that an object can be checked before it is
/// linked.
std::string stand_in_text(const std::vector<std::string>& names);

}  // namespace yoke::simulator

#endif
