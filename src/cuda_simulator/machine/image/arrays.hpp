// SPDX-License-Identifier: MIT
// Arrays and mipmapped arrays: opaque memory of texels, accessed by copies, textures and surfaces.
#ifndef YOKE_SIMULATOR_MACHINE_IMAGE_ARRAYS_HPP
#define YOKE_SIMULATOR_MACHINE_IMAGE_ARRAYS_HPP

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/words/texels.hpp"
#include "machine/base/call.hpp"
#include "machine/base/handles.hpp"

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
/// A texture or surface object, with the resource that it was made of.
struct texel_object {
  context& owner;
  abi::resource_descriptor resource;
  abi::texture_descriptor texture;
  std::optional<abi::resource_view_descriptor> view;
};

/// Thread safety: the driver's lock.
struct image_state {
  handle_table<array_object, abi::array, handle_kind::array> arrays{};
  handle_table<mipmap_object, abi::mipmapped_array, handle_kind::mipmap> mipmaps{};
  std::map<abi::texture_object, texel_object> textures{};
  std::map<abi::surface_object, texel_object> surfaces{};
};

/// Returns: the bytes of a texel. Throws: refusal for an invalid format.
std::size_t texel_bytes_of(abi::array_format format, unsigned channels);
/// Returns: the object of a handle. Throws: refusal.
std::shared_ptr<array_object> array_of(abi::array handle);
/// Effects: forgets the arrays and objects of a context that goes.
void release_arrays(const context& gone);

}  // namespace yoke::simulator

#endif
