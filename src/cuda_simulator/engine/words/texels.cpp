// SPDX-License-Identifier: MIT
// Reads texels as the hardware does: centres at a half, weights in steps of 1/256, each index brought into the image.
#include "engine/words/texels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace yoke::simulator {

namespace {

using yoke_simulator::texel_shape;

enum address : unsigned { wrap = 0, clamp = 1, mirror = 2, border = 3 };
enum channel : unsigned { u8 = 1, u16 = 2, u32 = 3, s8 = 8, s16 = 9, s32 = 10, half = 16, single = 32 };

/// Objects by their numbers.
class object_table {
 public:
  explicit object_table(std::uint64_t first) : next_(first) {}
  std::uint64_t add(std::shared_ptr<const texture_view> view) {
    const std::unique_lock lock(mutex_);
    live_.emplace(next_, std::move(view));
    return next_++;
  }
  bool remove(std::uint64_t number) {
    const std::unique_lock lock(mutex_);
    return live_.erase(number) != 0;
  }
  std::shared_ptr<const texture_view> find(std::uint64_t number) {
    const std::shared_lock lock(mutex_);
    const auto found = live_.find(number);
    return found == live_.end() ? nullptr : found->second;
  }

 private:
  std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<const texture_view>> live_;
  std::uint64_t next_;
};
// Never destroyed: kernels may run while the program ends.
object_table& textures() {
  static object_table* const all = new object_table(1);
  return *all;
}
object_table& surfaces() {
  static object_table* const all = new object_table(std::uint64_t{1} << 32);
  return *all;
}

float half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const float digits = static_cast<float>(bits & 1023);
  const float size = exponent == 0    ? std::ldexp(digits, -24)
                     : exponent == 31 ? ((bits & 1023) == 0 ? HUGE_VALF : std::nanf(""))
                                      : std::ldexp(1024 + digits, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}
float linear_of_srgb(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

/// A texel: floats, or integers in `words`.
struct texel {
  float numbers[4] = {0, 0, 0, 1};
  unsigned words[4] = {0, 0, 0, 1};
};

template <class Channel>
Channel channel_at(const std::byte* at, unsigned i) {
  Channel value;
  std::memcpy(&value, at + i * sizeof value, sizeof value);
  return value;
}

texel read_texel(const texture_view& view, const std::byte* at) {
  texel result;
  for (unsigned i = 0; i < view.format.channels; ++i) {
    float& number = result.numbers[i];
    unsigned& word = result.words[i];
    switch (view.format.type) {
      case u8:
        word = channel_at<std::uint8_t>(at, i);
        number = static_cast<float>(word) / 255.0F;
        if (view.srgb && i < 3) number = linear_of_srgb(number);
        break;
      case u16:
        word = channel_at<std::uint16_t>(at, i);
        number = static_cast<float>(word) / 65535.0F;
        break;
      case s8: {
        const int value = channel_at<std::int8_t>(at, i);
        word = static_cast<unsigned>(value);
        number = std::max(static_cast<float>(value) / 127.0F, -1.0F);
        break;
      }
      case s16: {
        const int value = channel_at<std::int16_t>(at, i);
        word = static_cast<unsigned>(value);
        number = std::max(static_cast<float>(value) / 32767.0F, -1.0F);
        break;
      }
      case half: number = half_value(channel_at<std::uint16_t>(at, i)); break;
      case single: number = channel_at<float>(at, i); break;
      default: word = channel_at<std::uint32_t>(at, i); break;
    }
  }
  return result;
}

/// Whether reads return integers.
bool gives_integers(const texture_view& view) {
  const unsigned type = view.format.type;
  return type == u32 || type == s32 || (view.as_integer && type != half && type != single);
}

/// Returns: the index mapped into [0, count), or -1 for the border.
long brought_in(long index, std::size_t count, unsigned how) {
  const long last = static_cast<long>(count) - 1;
  if (index >= 0 && index <= last) return index;
  const long n = last + 1;
  switch (how) {
    case wrap: return (index % n + n) % n;
    case mirror: {
      const long period = (index % (2 * n) + 2 * n) % (2 * n);
      return period < n ? period : 2 * n - 1 - period;
    }
    case border: return -1;
    default: return index < 0 ? 0 : last;
  }
}

/// A coordinate along one axis: the texels to read, and the weight of the second in 256ths.
struct along_axis {
  long first = 0;
  long second = 0;
  int weight = 0;
};

/// Returns: a fraction in 256ths; the middle between two is the greater one.
int in_256ths(float fraction) { return static_cast<int>(std::floor(fraction * 256.0F + 0.5F)); }

/// Returns: a coordinate in texels as the texels beside it, which may lie outside.
along_axis beside(float at) {
  const float from = at - 0.5F;
  const float floor = std::floor(from);
  const auto first = static_cast<long>(floor);
  const int weight = in_256ths(from - floor);
  if (weight == 256) return {first + 1, first + 2, 0};
  return {first, first + 1, weight};
}

/// Weights of the eight texels around a place, in 256ths. Bits 0, 1 and 2 of a texel's index say whether it is the
/// second one along x, y and z.
using corner_weights = std::array<int, 8>;

/// Returns: the weights, whose sum is 256. The hardware rounds the weight of each texel, not of each axis: first those
/// in x and z, then their shares in y. Measured on an H200: exact for planes; in a volume one texel in fifty differs by
/// 1/256.
corner_weights weights_of(int x, int y, int z) {
  const auto share = [](int of, int weight) { return (of * weight + 128) / 256; };
  const int both = share(x, z);
  const int pairs[2][2] = {{256 - x - z + both, z - both}, {x - both, both}};
  corner_weights result{};
  for (const int second_x : {0, 1}) {
    for (const int second_z : {0, 1}) {
      const int pair = pairs[second_x][second_z];
      const int below = second_x == 1 ? pair - share(pair, y) : share(pair, 256 - y);
      const auto at = static_cast<std::size_t>(second_x + 4 * second_z);
      result[at] = below;
      result[at + 2] = pair - below;
    }
  }
  return result;
}

along_axis place_of(float coordinate, std::size_t count, unsigned how, const texture_view& view) {
  if (!view.normalised && how != border) how = clamp;
  float at = coordinate;
  if (view.normalised) {
    if (how == wrap) at -= std::floor(at);
    if (how == mirror) {
      const float turn = std::floor(at);
      at = std::fmod(std::fabs(turn), 2.0F) == 1.0F ? 1.0F - (at - turn) : at - turn;
    }
    at *= static_cast<float>(count);
  }
  if (!(at > -1e9F)) at = -1e9F;  // also for NaN
  at = std::min(at, 1e9F);
  along_axis result;
  if (!view.linear) {
    result.first = result.second = brought_in(static_cast<long>(std::floor(at)), count, how);
    return result;
  }
  result = beside(at);
  result.first = brought_in(result.first, count, how);
  result.second = brought_in(result.second, count, how);
  return result;
}

texel border_of(const texture_view& view) {
  texel result;
  for (int i = 0; i < 4; ++i) {
    result.numbers[i] = view.border[i];
    std::memcpy(&result.words[i], &view.border[i], sizeof result.words[i]);
  }
  return result;
}

texel texel_at(const texture_view& view, const texel_box& box, long x, long y, long z) {
  if (x < 0 || y < 0 || z < 0) return border_of(view);
  return read_texel(view, box.first + static_cast<std::size_t>(z) * box.slice_bytes +
                              static_cast<std::size_t>(y) * box.row_bytes +
                              static_cast<std::size_t>(x) * box.texel_bytes);
}

/// Returns: the sum of what `texel_of` gives for each corner that has a weight.
template <class Texel>
texel sum_of(const corner_weights& weights, const Texel& texel_of) {
  double sums[4] = {};
  for (std::size_t corner = 0; corner < 8; ++corner) {
    if (weights[corner] == 0) continue;
    const texel each = texel_of({(corner & 1) != 0, (corner & 2) != 0, (corner & 4) != 0});
    for (int i = 0; i < 4; ++i) sums[i] += weights[corner] * static_cast<double>(each.numbers[i]);
  }
  texel result;
  for (int i = 0; i < 4; ++i) result.numbers[i] = static_cast<float>(sums[i] / 256);
  return result;
}

/// Returns: the texel that a level has at these places; `z` is an axis, or a layer that is never mixed.
texel mixed(const texture_view& view, const texel_box& box, const along_axis (&at)[3]) {
  if (!view.linear || gives_integers(view)) return texel_at(view, box, at[0].first, at[1].first, at[2].first);
  return sum_of(weights_of(at[0].weight, at[1].weight, at[2].weight), [&](const bool(&second)[3]) {
    const auto index = [&](int axis) { return second[axis] ? at[axis].second : at[axis].first; };
    return texel_at(view, box, index(0), index(1), index(2));
  });
}

/// Effects: turns a direction into a face and coordinates on it from 0 to 1.
void find_face(float& x, float& y, float z, long& face) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  float across = 0, down = 0, along = 1;
  if (ax >= ay && ax >= az) {
    face = x < 0 ? 1 : 0;
    along = ax, across = x < 0 ? z : -z, down = -y;
  } else if (ay >= az) {
    face = y < 0 ? 3 : 2;
    along = ay, across = x, down = y < 0 ? -z : z;
  } else {
    face = z < 0 ? 5 : 4;
    along = az, across = z < 0 ? -x : x, down = -y;
  }
  x = (across / along + 1) / 2;
  y = (down / along + 1) / 2;
}

/// Returns: the texel at a place of a face. A place beyond an edge is on the next face; beyond a corner three faces
/// share it.
texel texel_of_cube(const texture_view& view, const texel_box& box, long cube, long face, long x, long y) {
  const auto n = static_cast<long>(box.width);
  const bool beyond_x = x < 0 || x >= n;
  const bool beyond_y = y < 0 || y >= n;
  if (beyond_x && beyond_y) {
    const long near_x = std::clamp(x, 0L, n - 1);
    const long near_y = std::clamp(y, 0L, n - 1);
    texel mean = texel_of_cube(view, box, cube, face, near_x, near_y);
    const texel across = texel_of_cube(view, box, cube, face, x, near_y);
    const texel down = texel_of_cube(view, box, cube, face, near_x, y);
    for (int i = 0; i < 4; ++i) mean.numbers[i] = (mean.numbers[i] + across.numbers[i] + down.numbers[i]) / 3;
    return mean;
  }
  if (beyond_x || beyond_y) {
    const float a = static_cast<float>(2 * x + 1) / static_cast<float>(n) - 1;
    const float d = static_cast<float>(2 * y + 1) / static_cast<float>(n) - 1;
    float directions[6][3] = {{1, -d, -a}, {-1, -d, a}, {a, 1, d}, {a, -1, -d}, {a, -d, 1}, {-a, -d, -1}};
    auto& [u, v, z] = directions[face];
    find_face(u, v, z, face);
    x = std::clamp(static_cast<long>(u * static_cast<float>(n)), 0L, n - 1);
    y = std::clamp(static_cast<long>(v * static_cast<float>(n)), 0L, n - 1);
  }
  return texel_at(view, box, x, y, cube + face);
}

texel sample_level(const texture_view& view, const texel_box& box, const yoke_simulator::sample_request& what) {
  along_axis at[3];
  float x = what.x, y = what.y;
  long layer = -1;
  // Without a sign: one below 0 is the last (measured on an H100).
  const auto nearest_layer = [&](std::size_t count) {
    return static_cast<long>(std::min<std::size_t>(static_cast<unsigned>(what.layer), count - 1));
  };
  if (view.layered && !view.cube) layer = nearest_layer(box.depth);
  if (view.cube) {
    find_face(x, y, what.z, layer);
    const long cube = view.layered ? 6 * nearest_layer(box.depth / 6) : 0;
    if (view.seamless && view.linear && !gives_integers(view)) {
      const along_axis across = beside(x * static_cast<float>(box.width));
      const along_axis down = beside(y * static_cast<float>(box.height));
      return sum_of(weights_of(across.weight, down.weight, 0), [&](const bool(&second)[3]) {
        return texel_of_cube(view, box, cube, layer, second[0] ? across.second : across.first,
                             second[1] ? down.second : down.first);
      });
    }
    layer += cube;
  }
  at[0] = place_of(x, box.width, view.address[0], view);
  // One dimension is read at y = 0, which a linear filter blends with the row before (measured on an H100).
  at[1] = place_of(y, box.height, view.address[1], view);
  if (what.shape == texel_shape::d3) at[2] = place_of(what.z, box.depth, view.address[2], view);
  if (layer >= 0) at[2].first = at[2].second = layer;
  return mixed(view, box, at);
}

void gather(const texture_view& view, const yoke_simulator::sample_request& what, unsigned* words) {
  texture_view soft = view;
  soft.linear = true;
  const texel_box& box = view.levels.front();
  const along_axis x = place_of(what.x, box.width, view.address[0], soft);
  const along_axis y = place_of(what.y, box.height, view.address[1], soft);
  const long places[4][2] = {{x.first, y.second}, {x.second, y.second}, {x.second, y.first}, {x.first, y.first}};
  for (int i = 0; i < 4; ++i) {
    const texel each = texel_at(view, box, places[i][0], places[i][1], 0);
    const auto channel = static_cast<std::size_t>(std::clamp(what.layer, 0, 3));
    if (gives_integers(view)) {
      words[i] = each.words[channel];
    } else {
      std::memcpy(&words[i], &each.numbers[channel], sizeof words[i]);
    }
  }
}

bool fits(const texture_view& view, texel_shape shape) {
  switch (shape) {
    case texel_shape::cube: return view.cube && !view.layered;
    case texel_shape::cube_layered: return view.cube && view.layered;
    case texel_shape::d1_layered:
    case texel_shape::d2_layered: return view.layered && !view.cube;
    default: return !view.layered && !view.cube;
  }
}

}  // namespace

std::size_t channel_bytes(unsigned type) noexcept {
  switch (type) {
    case u8:
    case s8: return 1;
    case u16:
    case s16:
    case half: return 2;
    case u32:
    case s32:
    case single: return 4;
    default: return 0;
  }
}

std::uint64_t add_texture(std::shared_ptr<const texture_view> view) { return textures().add(std::move(view)); }
std::uint64_t add_surface(std::shared_ptr<const texture_view> view) { return surfaces().add(std::move(view)); }
bool remove_texture(std::uint64_t number) { return textures().remove(number); }
bool remove_surface(std::uint64_t number) { return surfaces().remove(number); }

const char* sample_texture(const yoke_simulator::sample_request& what, unsigned* words) {
  const std::shared_ptr<const texture_view> found = textures().find(what.texture);
  if (found == nullptr) return "a read through what is no texture object, or was destroyed";
  const texture_view& view = *found;
  if (!fits(view, what.shape)) return "a read through a texture object of another kind";
  texel result;
  if (what.shape == texel_shape::gather) {
    gather(view, what, words);
    return nullptr;
  }
  if (what.shape == texel_shape::linear) {
    const texel_box& box = view.levels.front();
    const bool outside = what.layer < 0 || static_cast<std::size_t>(what.layer) >= box.width;
    if (!outside) result = texel_at(view, box, what.layer, 0, 0);
  } else {
    const float last = std::min(view.last_level, static_cast<float>(view.levels.size() - 1));
    const float level = std::clamp(what.level + view.bias, std::min(view.least_level, last), last);
    const float lower = view.mip_linear ? std::floor(level) : std::floor(level + 0.5F);
    const auto first = static_cast<std::size_t>(lower);
    result = sample_level(view, view.levels[first], what);
    const float weight = static_cast<float>(in_256ths(level - lower)) / 256.0F;
    if (view.mip_linear && weight > 0 && first + 1 < view.levels.size()) {
      const texel second = sample_level(view, view.levels[first + 1], what);
      for (int i = 0; i < 4; ++i) result.numbers[i] += weight * (second.numbers[i] - result.numbers[i]);
    }
  }
  if (gives_integers(view)) {
    std::copy(std::begin(result.words), std::end(result.words), words);
  } else {
    std::memcpy(words, result.numbers, sizeof result.numbers);
  }
  return nullptr;
}

const char* access_surface(const yoke_simulator::surface_request& what, void* to, const void* from) {
  const std::shared_ptr<const texture_view> found = surfaces().find(what.surface);
  if (found == nullptr) return "a use of what is no surface object, or was destroyed";
  const texel_box& box = found->levels.front();
  if (what.x % static_cast<int>(what.bytes) != 0) return "x of a surface counts bytes, and is no multiple of the texel";
  if (what.bytes != box.texel_bytes) return "a texel of another size than the surface's";
  const bool by_layer =
      what.shape == texel_shape::d1_layered || what.shape == texel_shape::d2_layered || what.shape == texel_shape::cube;
  long at[3] = {what.x / static_cast<long>(what.bytes), what.y, by_layer ? what.layer : what.z};
  const std::size_t limits[3] = {box.width, box.height, box.depth};
  for (int axis = 0; axis < 3; ++axis) {
    const long last = static_cast<long>(limits[axis]) - 1;
    if (at[axis] >= 0 && at[axis] <= last) continue;
    if (what.mode == 2) return "an access outside a surface";
    if (what.mode == 1) {
      at[axis] = std::clamp(at[axis], 0L, last);
    } else {
      if (to != nullptr) std::memset(to, 0, what.bytes);
      return nullptr;
    }
  }
  std::byte* const place = box.first + static_cast<std::size_t>(at[2]) * box.slice_bytes +
                           static_cast<std::size_t>(at[1]) * box.row_bytes +
                           static_cast<std::size_t>(at[0]) * box.texel_bytes;
  if (to != nullptr) {
    std::memcpy(to, place, what.bytes);
  } else {
    std::memcpy(place, from, what.bytes);
  }
  return nullptr;
}

}  // namespace yoke::simulator
