// SPDX-License-Identifier: MIT
// The texts behind an image's object for readers that cannot run it: the names of kernels, and their parameters as PTX.
#ifndef YOKE_SIMULATOR_ENGINE_BINARY_IMAGE_TEXTS_HPP
#define YOKE_SIMULATOR_ENGINE_BINARY_IMAGE_TEXTS_HPP

#include <string>

#include "engine/binary/image.hpp"

namespace yoke::simulator {

/// Returns: the kernels' names, one a line, as a cubin's symbol table would have them.
std::string kernel_list_text(const image& of);

/// Returns: a declaration of each kernel, with the sizes and places of its parameters.
std::string ptx_text(const image& of);

}  // namespace yoke::simulator

#endif
