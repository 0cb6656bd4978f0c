// SPDX-License-Identifier: MIT
// The limits of a GPU's assembler, which the host compiler does not know: too much of some memory is an error.
#ifndef YOKE_SIMULATOR_ENGINE_BINARY_IMAGE_LIMITS_HPP
#define YOKE_SIMULATOR_ENGINE_BINARY_IMAGE_LIMITS_HPP

#include <cstddef>
#include <string>

#include "engine/binary/image.hpp"

namespace yoke::simulator {

/// Larger shared memory has to be dynamic and requested at each launch; the same on every compute capability.
inline constexpr std::size_t static_shared_limit = 48 * 1024;
inline constexpr std::size_t constant_limit = 64 * 1024;

/// Returns: the bytes of parameters that a kernel may take.
std::size_t parameter_limit(int compute_capability, int cuda_version);

/// Returns: an error for each limit that the image goes beyond, with its kernel, its bytes and the limit; empty if
/// there is none.
std::string exceeded_limits(const image& made, const std::string& file_name, int cuda_version);

}  // namespace yoke::simulator

#endif
