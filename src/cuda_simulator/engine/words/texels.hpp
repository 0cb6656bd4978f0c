// SPDX-License-Identifier: MIT
// Arrays of texels, and the texture and surface objects by which kernels reach them, as the hardware filters.
#ifndef YOKE_SIMULATOR_ENGINE_WORDS_TEXELS_HPP
#define YOKE_SIMULATOR_ENGINE_WORDS_TEXELS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "prelude/services.hpp"

namespace yoke::simulator {

/// Numbers are the driver's: `CUarray_format`, `CUaddress_mode`, `CUfilter_mode`, flags of arrays and textures.
struct texel_format {
  unsigned type = 0;
  unsigned channels = 1;
};
/// Returns: the bytes of a channel; 0 for an invalid type.
std::size_t channel_bytes(unsigned type) noexcept;

/// A box of texels: a level of an array, or linear memory. Layers and faces lie along z.
struct texel_box {
  std::byte* first = nullptr;
  std::size_t width = 1;
  std::size_t height = 1;
  std::size_t depth = 1;
  std::size_t row_bytes = 0;
  std::size_t slice_bytes = 0;
  std::size_t texel_bytes = 0;
};

/// The texels that a texture object reads, and how. `keeps` owns the levels' memory, if anything does.
struct texture_view {
  texel_format format{};
  std::vector<texel_box> levels{};
  bool layered = false;
  bool cube = false;
  bool seamless = false;  // filters go on over the edges of a cube's faces
  unsigned address[3]{};
  bool linear = false;
  bool as_integer = false;
  bool normalised = false;
  bool srgb = false;
  bool mip_linear = false;
  float bias = 0;
  float least_level = 0;
  float last_level = 0;
  float border[4]{};
  std::shared_ptr<const void> keeps{};
};

/// Returns: the number of a new object, which is never given twice. Thread safety: safe.
std::uint64_t add_texture(std::shared_ptr<const texture_view> view);
std::uint64_t add_surface(std::shared_ptr<const texture_view> view);
/// Returns: whether the object existed. Thread safety: safe.
bool remove_texture(std::uint64_t number);
bool remove_surface(std::uint64_t number);

/// Effects: reads through a texture object. Returns: the error, or null. Thread safety: safe.
const char* sample_texture(const yoke_simulator::sample_request& what, unsigned* words);
/// Effects: reads a texel of a surface to `to`, or writes `from` there. Returns: the error, or null.
const char* access_surface(const yoke_simulator::surface_request& what, void* to, const void* from);

}  // namespace yoke::simulator

#endif
