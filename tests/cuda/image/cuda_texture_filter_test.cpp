// SPDX-License-Identifier: MIT
// Filters of texture objects against a reference in double precision: an address for each axis, borders of four channels,
// layers, rows of linear and pitched memory, and levels of mipmaps.
#include <cuda/cuda_rig.hpp>
#include <image/filter_places.hpp>
#include <image/filter_reference.hpp>
#include <image/image_rig.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

using object = unsigned long long;
using enum yoke::address_mode;
using yoke::filter_mode;

constexpr std::size_t count = 128;  // places that each check reads
constexpr addresses every_address{};
constexpr std::array<yoke::address_mode, 4> modes{clamp_to_edge, border, repeat, mirrored_repeat};

/// Returns: texels as numbers, as filters see them.
std::vector<float> numbers_of(const std::vector<float>& texels) { return texels; }
std::vector<float> numbers_of(const std::vector<yoke::float4>& texels) {
  const auto* const first = reinterpret_cast<const float*>(texels.data());
  return {first, first + 4 * texels.size()};
}
template <class Channel>
std::vector<float> numbers_of(const std::vector<yoke::unorm<Channel, 4>>& texels) {
  std::vector<float> numbers;
  for (const auto& each : texels) {
    for (const Channel channel : each.channels) {
      numbers.push_back(static_cast<float>(channel) / static_cast<float>(std::numeric_limits<Channel>::max()));
    }
  }
  return numbers;
}

template <class T>
constexpr std::size_t channels_of = yoke::texel_traits<T>::format.channels;

/// Returns: random texels, and a border of four random channels within their range, which textures of 8 bits can hold: an H100
/// rounds it as it does texels.
template <class T>
volume random_volume(const std::array<long, 3>& extents, std::vector<T>& texels) {
  texels = random_texels<T>(static_cast<std::size_t>(extents[0] * extents[1] * extents[2]));
  volume result{extents, numbers_of(texels), channels_of<T>, {}};
  for (double& each : result.border) each = static_cast<double>(static_cast<float>(random_of(0, 255)) / 255.0F);
  return result;
}

std::array<float, 4> border_of(const volume& of) {
  std::array<float, 4> result{};
  for (std::size_t i = 0; i < 4; ++i) result[i] = static_cast<float>(of.border[i]);
  return result;
}

/// A kernel that reads a texture at many places: `at` has x, y, z and a level or a layer for each.
template <class T>
auto reader(const rig<cuda_backend>& on, const std::string& fetch) {
  const std::string value = channels_of<T> == 1 ? "float" : "float4";
  const auto module = yoke::compile(
      on.context,
      "extern \"C\" __global__ void k(unsigned long long o, const float* at, " + value + "* to) {\n" +
          "  int i = threadIdx.x;\n  float x = at[4 * i], y = at[4 * i + 1], z = at[4 * i + 2], w = at[4 * i + 3];\n" +
          "  (void)y; (void)z; (void)w;\n  to[i] = " + fetch + ";\n}\n");
  using value_type = std::conditional_t<channels_of<T> == 1, float, yoke::float4>;
  return [&on, kernel = yoke::get_kernel<void(object, const float*, value_type*)>(module, "k")](
             const cu::texture& of, const std::vector<float>& at) {
    std::vector<value_type> found(count);
    kernel(on.stream, {.grid = 1, .block = count}, of.native_handle(), yoke::in(at), yoke::out(found));
    return numbers_of(found);
  };
}
template <class T>
std::string fetch_text(const char* word, const char* places) {
  return std::string(word) + "<" + (channels_of<T> == 1 ? "float" : "float4") + ">(o, " + places + ")";
}

/// Effects: reads a texture over what `from` describes, by every kind of place, and compares.
template <class Read>
void check_reads(const Read& read, const cu::texture& of, const volume& from, std::size_t axes, const addresses& how,
                 filter_mode filter, bool normalised, double range) {
  for (const places where : {places::anywhere, places::in_256ths, places::at_edges}) {
    if (filter == filter_mode::nearest && where != places::anywhere) continue;
    std::vector<float> at(4 * count);
    std::vector<std::array<double, 3>> in_texels(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t axis = 0; axis < axes; ++axis) {
        const auto n = static_cast<double>(from.extents[axis]);
        const double place = random_place(where, n, filter, normalised);
        at[4 * i + axis] = static_cast<float>(normalised ? place / n : place);
        in_texels[i][axis] = static_cast<double>(at[4 * i + axis]) * (normalised ? n : 1);
      }
    }
    const std::vector<float> found = read(of, at);
    double worst = 0;
    double worst_on_plane = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t channel = 0; channel < from.channels; ++channel) {
        const auto got = static_cast<double>(found[from.channels * i + channel]);
        worst = std::max(worst, std::abs(got - filtered(from, in_texels[i], axes, how, filter, channel)));
        if (filter == filter_mode::nearest || axes > 2) continue;
        const auto rounded = filtered_in_256ths(from, in_texels[i], axes, how, channel);
        if (rounded) worst_on_plane = std::max(worst_on_plane, std::abs(got - *rounded));
      }
    }
    INFO("extents " << from.extents[0] << ", " << from.extents[1] << ", " << from.extents[2] << ", channels "
                    << from.channels << ", addresses " << static_cast<int>(how[0]) << ", " << static_cast<int>(how[1])
                    << ", " << static_cast<int>(how[2]) << ", filter " << static_cast<int>(filter) << ", normalised "
                    << normalised << ", places " << static_cast<int>(where));
    // The nearest texel of 8 bits is a quotient, which a device may round otherwise.
    CHECK(worst <= (filter == filter_mode::nearest ? 1e-6 : filter_bound(filter, axes, range)));
    CHECK(worst_on_plane <= 5e-5 * range);
  }
}

/// Effects: calls `act` with each choice of addresses of so many axes; those without normalised coordinates do not repeat.
template <class Act>
void for_each_address(std::size_t axes, bool normalised, const Act& act) {
  const std::size_t last = normalised ? 4 : 2;
  for (std::size_t x = 0; x < last; ++x) {
    for (std::size_t y = 0; y < (axes > 1 ? last : 1); ++y) {
      for (std::size_t z = 0; z < (axes > 2 ? last : 1); ++z) act(addresses{modes[x], modes[y], modes[z]});
    }
  }
}

/// Effects: checks an array by every choice of addresses and both filters.
template <class T>
void check_array(rig<cuda_backend>& on, const std::array<long, 3>& extents, std::size_t axes) {
  std::vector<T> texels;
  const volume from = random_volume(extents, texels);
  const auto n = [&](std::size_t axis) { return axis < axes ? static_cast<std::size_t>(extents[axis]) : 0; };
  cu::array<T> array{on.context, {.width = n(0), .height = n(1), .depth = n(2)}};
  yoke::copy(texels, array, on.stream);
  const auto read = reader<T>(on, axes == 1   ? fetch_text<T>("tex1D", "x")
                                  : axes == 2 ? fetch_text<T>("tex2D", "x, y")
                                              : fetch_text<T>("tex3D", "x, y, z"));
  const double range = yoke::texel_traits<T>::format.type == yoke::channel_type::float32 ? 2 : 1;
  for (const bool normalised : {false, true}) {
    for (const filter_mode filter : {filter_mode::nearest, filter_mode::linear}) {
      for_each_address(axes, normalised, [&](const addresses& how) {
        const cu::texture of{array,
                             {.address = how, .filter = filter, .normalised = normalised, .border = border_of(from)}};
        check_reads(read, of, from, axes, how, filter, normalised, range);
      });
    }
  }
}

}  // namespace

YOKE_CUDA_TEST_CASE("textures of arrays filter as a reference, with an address for each axis", "[image][cuda]") {
  rig on(device);
  check_array<float>(on, {1, 1, 1}, 1);
  check_array<float>(on, {odd(), 1, 1}, 1);
  check_array<float>(on, {1, 1, 1}, 2);
  check_array<float>(on, {1, odd(), 1}, 2);
  check_array<float>(on, {odd(), odd(), 1}, 2);
  check_array<float>(on, {1, 1, 1}, 3);
  check_array<float>(on, {odd(), odd(), odd()}, 3);
}

YOKE_CUDA_TEST_CASE("textures of four channels filter as a reference, with a border of four channels",
                    "[image][cuda]") {
  rig on(device);
  check_array<yoke::float4>(on, {odd(), 1, 1}, 1);
  check_array<yoke::float4>(on, {odd(), odd(), 1}, 2);
  check_array<yoke::float4>(on, {odd(), odd(), odd()}, 3);
  check_array<yoke::unorm<std::uint8_t, 4>>(on, {1, 1, 1}, 2);
  check_array<yoke::unorm<std::uint8_t, 4>>(on, {odd(), odd(), 1}, 2);
  check_array<yoke::unorm<std::uint16_t, 4>>(on, {odd(), odd(), 1}, 2);
}

YOKE_CUDA_TEST_CASE("textures of layers filter each layer as a reference", "[image][cuda]") {
  rig on(device);
  constexpr long layers = 3;
  for (const std::size_t axes : {std::size_t{1}, std::size_t{2}}) {
    const std::array<long, 3> extents{odd(), axes == 1 ? 1 : odd(), layers};
    std::vector<float> texels;
    const volume all = random_volume(extents, texels);
    cu::array<float> array{on.context,
                           {.width = static_cast<std::size_t>(extents[0]),
                            .height = axes == 1 ? 0 : static_cast<std::size_t>(extents[1]),
                            .layers = layers}};
    yoke::copy(texels, array, on.stream);
    for (long layer = 0; layer < layers; ++layer) {
      const std::string at = std::to_string(layer);
      const auto read = reader<float>(
          on, axes == 1 ? "tex1DLayered<float>(o, x, " + at + ")" : "tex2DLayered<float>(o, x, y, " + at + ")");
      volume from = all;
      from.extents[2] = 1;
      from.texels.erase(from.texels.begin(), from.texels.begin() + layer * extents[0] * extents[1]);
      for_each_address(axes, true, [&](const addresses& how) {
        const cu::texture of{
            array, {.address = how, .filter = filter_mode::linear, .normalised = true, .border = border_of(from)}};
        check_reads(read, of, from, axes, how, filter_mode::linear, true, 2);
      });
    }
  }
}

YOKE_CUDA_TEST_CASE("textures of rows of linear and pitched memory filter as a reference", "[image][cuda]") {
  rig on(device);
  const auto check = [&]<class T>(const std::array<long, 3>& extents, double range) {
    const auto width = static_cast<std::size_t>(extents[0]);
    const auto height = static_cast<std::size_t>(extents[1]);
    std::vector<T> texels;
    const volume from = random_volume(extents, texels);
    const auto pitched = std::make_shared<cu::pitched_allocation<T>>(on.context, width, height);
    yoke::copy(texels, *pitched, on.stream);
    // The gaps hold other texels, which no read may see.
    const auto pitch_bytes = static_cast<std::size_t>(cu::get(on.device, cu::info::texture_pitch_alignment));
    const std::size_t row_pitch = (width * sizeof(T) / pitch_bytes + 2) * pitch_bytes / sizeof(T);
    auto padded = random_texels<T>(row_pitch * height);
    for (std::size_t y = 0; y < height; ++y) {
      std::copy_n(texels.begin() + static_cast<std::ptrdiff_t>(y * width), width,
                  padded.begin() + static_cast<std::ptrdiff_t>(y * row_pitch));
    }
    const auto memory = std::make_shared<cu::device_allocation<T>>(on.context, padded, on.stream);
    const cu::texture_rows<T> rows{memory, width, height, row_pitch};
    const auto read = reader<T>(on, fetch_text<T>("tex2D", "x, y"));
    for (const bool normalised : {false, true}) {
      for (const filter_mode filter : {filter_mode::nearest, filter_mode::linear}) {
        for_each_address(2, normalised, [&](const addresses& how) {
          const cu::texture_options options{
              .address = how, .filter = filter, .normalised = normalised, .border = border_of(from)};
          check_reads(read, cu::texture(pitched, options), from, 2, how, filter, normalised, range);
          check_reads(read, cu::texture(rows, options), from, 2, how, filter, normalised, range);
        });
      }
    }
  };
  check.template operator()<float>({1, 1, 1}, 2);
  check.template operator()<float>({odd(), odd(), 1}, 2);
  check.template operator()<yoke::float4>({odd(), odd(), 1}, 2);
  check.template operator()<yoke::unorm<std::uint8_t, 4>>({odd(), odd(), 1}, 1);
}

YOKE_CUDA_TEST_CASE("textures of cubemaps filter each face as a reference", "[image][cuda]") {
  rig on(device);
  const long edge = 2 * random_of(1, 6) + 1;
  std::vector<float> texels;
  const volume all = random_volume({edge, edge, 6}, texels);
  const auto side = static_cast<std::size_t>(edge);
  cu::array<float> cube{on.context, {.width = side, .height = side, .cubemap = true}};
  yoke::copy(texels, cube, on.stream);
  const auto read = reader<float>(on, "texCubemap<float>(o, x, y, z)");
  const double n = static_cast<double>(edge);
  for (const filter_mode filter : {filter_mode::nearest, filter_mode::linear}) {
    const cu::texture of{cube, {.filter = filter, .normalised = true}};
    std::vector<float> at(4 * count);
    std::vector<double> wanted(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto face = static_cast<std::size_t>(i % 6);
      volume from = all;
      from.extents[2] = 1;
      from.texels.erase(from.texels.begin(), from.texels.begin() + static_cast<long>(face) * edge * edge);
      // Within the centres of the outermost texels, so that no other face takes part.
      std::array<double, 3> place{};
      for (std::size_t axis = 0; axis < 2; ++axis) {
        do {
          place[axis] = random_from(0.5, n - 0.5);
        } while (std::abs(place[axis] - std::round(place[axis])) < 1.0 / 64);
      }
      wanted[i] = filtered(from, place, 2, every_address, filter);
      // The direction to that place on a face of the cube from -1 to 1.
      const double across = 2 * place[0] / n - 1;
      const double down = 2 * place[1] / n - 1;
      const std::array<std::array<double, 3>, 6> directions{{{1, -down, -across},
                                                             {-1, -down, across},
                                                             {across, 1, down},
                                                             {across, -1, -down},
                                                             {across, -down, 1},
                                                             {-across, -down, -1}}};
      const double scale = random_from(0.25, 4);  // the length does not matter
      for (std::size_t axis = 0; axis < 3; ++axis) {
        at[4 * i + axis] = static_cast<float>(scale * directions[face][axis]);
      }
    }
    const std::vector<float> found = read(of, at);
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      worst = std::max(worst, std::abs(static_cast<double>(found[i]) - wanted[i]));
    }
    INFO("edge " << edge << ", filter " << static_cast<int>(filter));
    CHECK(worst <= filter_bound(filter, 2, 2));
  }
}

YOKE_CUDA_TEST_CASE("seamless cubemaps filter over the edges of their faces", "[image][cuda]") {
  rig on(device);
  using direction = std::array<double, 3>;
  const auto unit = [](const direction& of) {
    const double length = std::hypot(of[0], of[1], of[2]);
    return direction{of[0] / length, of[1] / length, of[2] / length};
  };
  // The direction to a place on a face, whose coordinates go from -1 to 1, also beyond its edges.
  const auto direction_to = [](std::size_t face, double across, double down) {
    const std::array<direction, 6> all{{{1, -down, -across},
                                        {-1, -down, across},
                                        {across, 1, down},
                                        {across, -1, -down},
                                        {across, -down, 1},
                                        {-across, -down, -1}}};
    return all[face];
  };
  for (const std::size_t layers : {std::size_t{0}, std::size_t{2}}) {
    const long n = layers == 0 ? 2 * random_of(0, 5) + 1 : 2 * random_of(0, 2) + 1;
    const auto side = static_cast<std::size_t>(n);
    const std::size_t of_cube = 6 * side * side;
    const auto texels = random_texels<float>(of_cube * std::max(layers, std::size_t{1}));
    cu::array<float> cubes{on.context, {.width = side, .height = side, .layers = layers, .cubemap = true}};
    yoke::copy(texels, cubes, on.stream);
    const cu::texture of{cubes, {.filter = filter_mode::linear, .normalised = true, .seamless_cubemap = true}};
    const auto read = reader<float>(
        on, layers == 0 ? "texCubemap<float>(o, x, y, z)" : "texCubemapLayered<float>(o, x, y, z, (int)w)");
    // The texels by the directions to their centres.
    std::vector<direction> centres;
    for (std::size_t i = 0; i < of_cube; ++i) {
      const auto at = [&](std::size_t texel) {
        return (2 * static_cast<double>(texel) + 1) / static_cast<double>(n) - 1;
      };
      centres.push_back(unit(direction_to(i / (side * side), at(i % side), at(i / side % side))));
    }
    // The mean of the texels whose centres are nearest.
    const auto nearest = [&](const direction& to, std::size_t of_them, std::size_t layer) {
      std::vector<std::size_t> order(of_cube);
      std::iota(order.begin(), order.end(), std::size_t{0});
      const direction wanted = unit(to);
      const auto nearness = [&](std::size_t i) {
        return centres[i][0] * wanted[0] + centres[i][1] * wanted[1] + centres[i][2] * wanted[2];
      };
      std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(of_them), order.end(),
                        [&](std::size_t a, std::size_t b) { return nearness(a) > nearness(b); });
      double sum = 0;
      for (std::size_t i = 0; i < of_them; ++i) sum += static_cast<double>(texels[layer * of_cube + order[i]]);
      return sum / static_cast<double>(of_them);
    };
    std::vector<float> at(4 * count);
    std::vector<double> wanted(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t face = i % 6;
      const std::size_t layer = layers == 0 ? 0 : i / 6 % layers;
      // Near an edge, and in each sixth round near a corner.
      const double inset = random_from(0.02, 0.48);
      const double one = random_of(0, 1) == 0 ? inset : static_cast<double>(n) - inset;
      const double other = i / 6 % 6 == 5 ? random_from(0.02, 0.48) : random_from(0.5, static_cast<double>(n) - 0.5);
      const bool swapped = random_of(0, 1) == 0;
      const double x = swapped ? one : other;
      const double y = swapped ? other : one;
      double sum = 0;
      for (int corner = 0; corner < 4; ++corner) {
        const double column = std::floor(x - 0.5) + (corner & 1);
        const double row = std::floor(y - 0.5) + (corner >> 1);
        const double share = (1 - std::abs(x - 0.5 - column)) * (1 - std::abs(y - 0.5 - row));
        const auto is_outside = [&](double place) { return place < 0 || place >= static_cast<double>(n); };
        const auto on_face = [&](double place) { return (2 * place + 1) / static_cast<double>(n) - 1; };
        const auto edge = [&](double place) { return is_outside(place) ? (place < 0 ? -1.0 : 1.0) : on_face(place); };
        const bool is_corner = is_outside(column) && is_outside(row);
        const direction to =
            is_corner ? direction_to(face, edge(column), edge(row)) : direction_to(face, on_face(column), on_face(row));
        sum += share * nearest(to, is_corner ? 3 : 1, layer);
      }
      wanted[i] = sum;
      const direction to = direction_to(face, 2 * x / static_cast<double>(n) - 1, 2 * y / static_cast<double>(n) - 1);
      for (std::size_t axis = 0; axis < 3; ++axis) at[4 * i + axis] = static_cast<float>(to[axis]);
      at[4 * i + 3] = static_cast<float>(layer);
    }
    const std::vector<float> found = read(of, at);
    for (std::size_t i = 0; i < count; ++i) {
      INFO("edge " << n << ", face " << i % 6 << ", place " << at[4 * i] << ", " << at[4 * i + 1] << ", "
                   << at[4 * i + 2]);
      CHECK(std::abs(static_cast<double>(found[i]) - wanted[i]) <= filter_bound(filter_mode::linear, 2, 2));
    }
  }
}

YOKE_CUDA_TEST_CASE("gathers give the four texels that a filter would take, of each channel", "[image][cuda]") {
  rig on(device);
  const std::array<long, 3> extents{odd(), odd(), 1};
  std::vector<yoke::float4> texels;
  const volume from = random_volume(extents, texels);
  cu::array<yoke::float4> array{
      on.context,
      {.width = static_cast<std::size_t>(extents[0]), .height = static_cast<std::size_t>(extents[1]), .gather = true}};
  yoke::copy(texels, array, on.stream);
  for (std::size_t channel = 0; channel < 4; ++channel) {
    const auto read = reader<yoke::float4>(on, "tex2Dgather<float4>(o, x, y, " + std::to_string(channel) + ")");
    for_each_address(2, true, [&](const addresses& how) {
      const cu::texture of{array, {.address = how, .normalised = true, .border = border_of(from)}};
      std::vector<float> at(4 * count);
      std::vector<std::array<long, 2>> first(count);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t axis = 0; axis < 2; ++axis) {
          // Between the centres of two texels, and not near either.
          const long n = extents[axis];
          first[i][axis] = random_of(-n, 2 * n - 1);
          at[4 * i + axis] = static_cast<float>(
              (static_cast<double>(first[i][axis]) + 0.5 + random_from(1.0 / 16, 15.0 / 16)) / static_cast<double>(n));
        }
      }
      const std::vector<float> found = read(of, at);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const auto [x, y] = first[i];
        const std::array<std::array<long, 3>, 4> corners{{{x, y + 1, 0}, {x + 1, y + 1, 0}, {x + 1, y, 0}, {x, y, 0}}};
        std::array<double, 4> wanted{};
        std::array<double, 4> given{};
        for (std::size_t corner = 0; corner < 4; ++corner) {
          wanted[corner] = from.at(corners[corner], how, channel);
          given[corner] = static_cast<double>(found[4 * i + corner]);
        }
        // CUDA says nothing of the order of texels in a mirror.
        if (how[0] == mirrored_repeat || how[1] == mirrored_repeat) {
          std::sort(wanted.begin(), wanted.end());
          std::sort(given.begin(), given.end());
        }
        wrong += given == wanted ? 0 : 1;
      }
      INFO("extents " << extents[0] << ", " << extents[1] << ", channel " << channel << ", addresses "
                      << static_cast<int>(how[0]) << ", " << static_cast<int>(how[1]));
      CHECK(wrong == 0);
    });
  }
}

namespace {

/// Returns: a place, normalised, whose nearest texel is the same however a device rounds, in every level.
double place_in_levels(const std::vector<volume>& levels, std::size_t axis) {
  for (;;) {
    const double at = random_from(-1, 2);
    const bool inside = std::all_of(levels.begin(), levels.end(), [&](const volume& each) {
      const double in_texels = at * static_cast<double>(each.extents[axis]);
      return std::abs(in_texels - std::round(in_texels)) > 1.0 / 64;
    });
    if (inside) return at;
  }
}

/// Effects: reads a mipmap of random levels by both filters of texels and of levels, with random biases and bounds.
template <class T>
void check_levels(rig<cuda_backend>& on, const std::array<long, 3>& extents, std::size_t axes, unsigned most) {
  const auto n = [&](std::size_t axis) { return axis < axes ? static_cast<std::size_t>(extents[axis]) : 0; };
  const cu::mipmapped_array<T> mipmap{on.context, {.width = n(0), .height = n(1), .depth = n(2)}, most};
  std::vector<volume> levels;
  for (unsigned i = 0; i < most; ++i) {
    std::array<long, 3> each{1, 1, 1};
    for (std::size_t axis = 0; axis < axes; ++axis) each[axis] = std::max(extents[axis] >> i, 1L);
    std::vector<T> texels;
    levels.push_back(random_volume(each, texels));
    levels.back().border = levels.front().border;
    auto level = mipmap.level(i);
    yoke::copy(texels, level, on.stream);
  }
  const auto read = reader<T>(on, axes == 1   ? fetch_text<T>("tex1DLod", "x, w")
                                  : axes == 2 ? fetch_text<T>("tex2DLod", "x, y, w")
                                              : fetch_text<T>("tex3DLod", "x, y, z, w"));
  const double last_of_all = most - 1;
  for (int turn = 0; turn < 8; ++turn) {
    for (const filter_mode filter : {filter_mode::nearest, filter_mode::linear}) {
      for (const filter_mode level_filter : {filter_mode::nearest, filter_mode::linear}) {
        addresses how = every_address;
        for (std::size_t axis = 0; axis < axes; ++axis) how[axis] = modes[static_cast<std::size_t>(random_of(0, 3))];
        // Whole 64ths, of which a device keeps all digits; no bound is half way between two levels.
        const auto part = [](double least, double most_of_it) {
          return (std::floor(random_from(least, most_of_it) * 32) + 0.5) / 32;
        };
        level_rule rule{level_filter, turn == 0 ? 0 : part(-1.5, 1.5), 0, last_of_all};
        if (turn > 1) rule.least = part(0, last_of_all / 2 + 0.5);
        if (turn > 1) rule.last = rule.least + part(0, last_of_all);
        const cu::texture of{mipmap,
                             {.address = how,
                              .filter = filter,
                              .normalised = true,
                              .border = border_of(levels.front()),
                              .exact_trilinear = true,
                              .level_filter = level_filter,
                              .level_bias = static_cast<float>(rule.bias),
                              .least_level = static_cast<float>(rule.least),
                              .last_level = static_cast<float>(rule.last)}};
        std::vector<float> at(4 * count);
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t axis = 0; axis < axes; ++axis) {
            at[4 * i + axis] = static_cast<float>(place_in_levels(levels, axis));
          }
          double wanted = 0;
          do {
            wanted = random_from(-1, last_of_all + 1);
          } while (std::abs(std::remainder(level_of(wanted, rule, levels.size()) + 0.5, 1)) < 1.0 / 128);
          at[4 * i + 3] = static_cast<float>(wanted);
        }
        const std::vector<float> found = read(of, at);
        double worst = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const std::array<double, 3> place{static_cast<double>(at[4 * i]), static_cast<double>(at[4 * i + 1]),
                                            static_cast<double>(at[4 * i + 2])};
          for (std::size_t channel = 0; channel < channels_of<T>; ++channel) {
            const double wanted =
                filtered(levels, place, axes, how, filter, static_cast<double>(at[4 * i + 3]), rule, channel);
            worst = std::max(worst, std::abs(static_cast<double>(found[channels_of<T> * i + channel]) - wanted));
          }
        }
        INFO("extents " << extents[0] << ", " << extents[1] << ", " << extents[2] << ", levels " << most << ", bias "
                        << rule.bias << ", least " << rule.least << ", last " << rule.last << ", filters "
                        << static_cast<int>(filter) << ", " << static_cast<int>(level_filter) << ", addresses "
                        << static_cast<int>(how[0]) << ", " << static_cast<int>(how[1]) << ", "
                        << static_cast<int>(how[2]));
        const std::size_t weights =
            (filter == filter_mode::linear ? axes : 0) + (level_filter == filter_mode::linear ? 1 : 0);
        // A bias is rounded as a level is.
        const double bias = level_filter == filter_mode::linear ? 2.0 / 512 : 0;
        CHECK(worst <= (weights == 0 ? 0 : filter_bound(filter_mode::linear, weights, 2) + bias));
      }
    }
  }
}

}  // namespace

YOKE_CUDA_TEST_CASE("textures filter between levels of mipmaps as a reference", "[image][cuda]") {
  rig on(device);
  check_levels<float>(on, {1, 1, 1}, 2, 1);
  check_levels<float>(on, {random_of(8, 31), 1, 1}, 1, 4);
  check_levels<float>(on, {random_of(8, 31), random_of(1, 31), 1}, 2, 4);
  check_levels<float>(on, {random_of(4, 15), random_of(4, 15), random_of(4, 15)}, 3, 3);
  check_levels<yoke::float4>(on, {random_of(16, 31), random_of(16, 31), 1}, 2, 5);
}
