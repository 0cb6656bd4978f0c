// SPDX-License-Identifier: MIT
// Arrays and mipmapped arrays: opaque memory of texels, which copies, textures and surfaces reach.
#ifndef YOKE_SIMULATOR_DRIVER_ARRAYS_HPP
#define YOKE_SIMULATOR_DRIVER_ARRAYS_HPP

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "../engine/texels.hpp"
#include "call.hpp"

namespace yoke::simulator {

struct context;

/// An array, or a level of a mipmapped one, which owns the memory.
struct array_object {
  context& owner;
  abi::array_descriptor made;
  texel_box box;
  std::shared_ptr<std::byte[]> memory;
  bool is_level = false;
};
struct mipmap_object {
  context& owner;
  abi::array_descriptor made;
  std::vector<abi::array> levels;
};
/// A texture or surface object: what it was made of.
struct texel_object {
  context& owner;
  abi::resource_descriptor resource;
  abi::texture_descriptor texture;
  std::optional<abi::resource_view_descriptor> view;
};

/// Returns: the bytes of a texel. Throws: refusal for a format that is none.
std::size_t texel_bytes_of(abi::array_format format, unsigned channels);
/// Returns: the object of a handle. Throws: refusal.
std::shared_ptr<array_object> array_of(abi::array handle);
/// Effects: forgets the arrays and objects of a context that goes.
void release_arrays(const context& gone);

}  // namespace yoke::simulator

#endif
