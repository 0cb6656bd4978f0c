// SPDX-License-Identifier: MIT
// An image's bytes: a header that cannot be mistaken for anything else, then the shared object.
#ifndef YOKE_SIMULATOR_ENGINE_BINARY_IMAGE_FORMAT_HPP
#define YOKE_SIMULATOR_ENGINE_BINARY_IMAGE_FORMAT_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/binary/architectures.hpp"

namespace yoke::simulator {

/// The records of sources have this name in a shared object, before a number that tells them apart.
inline constexpr std::string_view record_name = "yoke_simulator_image_";

/// The parts of an image.
struct image_parts {
  std::string_view object{};       ///< the shared object; empty: the image has to be linked before it can be loaded
  std::string_view relocatable{};  ///< texts for readers that cannot run the image
  std::string_view texts{};        ///< what is told to those who cannot run it
};

/// Returns: the image of these parts, compiled for `target`.
std::string pack_image(const image_parts& parts, const architecture& target);

/// Returns: the size of the image that begins at `bytes`, of which `limit` may be read; nothing if none begins there.
/// No byte is read beyond the first that differs, so a text that ends early is safe to ask about.
std::optional<std::size_t> image_size(const void* bytes, std::size_t limit = static_cast<std::size_t>(-1));

struct unpacked_image {
  std::string_view object;       ///< with the texts behind it; empty where there is only something to link
  std::string_view relocatable;  ///< empty where there is nothing to link
  architecture target{};
};

/// Returns: the parts of `image`; nothing if it is truncated, modified, or from another version or sanitizer.
std::optional<unpacked_image> unpack_image(std::string_view image);

}  // namespace yoke::simulator

#endif
