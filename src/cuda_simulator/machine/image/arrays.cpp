// SPDX-License-Identifier: MIT
// Finds arrays, and removes a context's arrays from the tables when it ends.
#include "machine/image/arrays.hpp"

#include "machine/base/ledger.hpp"
#include "machine/base/state.hpp"
#include "machine/stream/context.hpp"

namespace yoke::simulator {

std::size_t texel_bytes_of(abi::array_format format, unsigned channels) {
  const std::size_t bytes = channel_bytes(static_cast<unsigned>(format));
  require(bytes != 0 && (channels == 1 || channels == 2 || channels == 4));
  return bytes * channels;
}

std::shared_ptr<array_object> array_of(abi::array handle) {
  auto found = state<image_state>().arrays.find(handle);
  require(found != nullptr || !state<image_state>().arrays.is_orphan(handle), abi::error_context_is_destroyed);
  require(found != nullptr);
  return found;
}

void release_arrays(const context& gone) {
  auto& all = state<image_state>();
  auto& objects = state<ledger>();
  const auto depart = [&](object_kind kind) {
    return [&objects, &gone, kind](const auto handle) {
      objects.depart(&gone, kind, reinterpret_cast<std::uintptr_t>(handle));
    };
  };
  all.arrays.orphan_if([&](const array_object& each) { return &each.owner == &gone; }, depart(object_kind::array));
  all.mipmaps.orphan_if([&](const mipmap_object& each) { return &each.owner == &gone; }, depart(object_kind::mipmap));
  const auto forget = [&](auto& table, object_kind kind, auto remove) {
    std::erase_if(table, [&](const auto& each) {
      if (&each.second.owner != &gone) return false;
      objects.depart(&gone, kind, static_cast<std::uintptr_t>(each.first));
      remove(each.first);
      return true;
    });
  };
  forget(all.textures, object_kind::texture, &remove_texture);
  forget(all.surfaces, object_kind::surface, &remove_surface);
}

}  // namespace yoke::simulator
