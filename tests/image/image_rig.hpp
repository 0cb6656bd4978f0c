// SPDX-License-Identifier: MIT
// What tests of images share: texels of every type, and whether a device has them.
#ifndef YOKE_TESTS_IMAGE_IMAGE_RIG_HPP
#define YOKE_TESTS_IMAGE_IMAGE_RIG_HPP

#include <support/rig.hpp>

#include <yoke/image.hpp>

#include <cstring>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace yoke_test {

/// Returns: `count` texels, no two runs of them alike. Floating-point ones are numbers from -1 to 1.
template <class T>
std::vector<T> random_texels(std::size_t count) {
  constexpr yoke::image_format format = yoke::texel_traits<T>::format;
  static std::mt19937 dice{std::random_device{}()};
  std::vector<T> texels(count);
  std::vector<unsigned char> bytes(count * sizeof(T));
  for (unsigned char& each : bytes) each = static_cast<unsigned char>(dice());
  std::uniform_real_distribution<float> numbers(-1, 1);
  for (std::size_t i = 0; i < count * format.channels; ++i) {
    if (format.type == yoke::channel_type::float32) {
      const float number = numbers(dice);
      std::memcpy(bytes.data() + i * sizeof number, &number, sizeof number);
    } else if (format.type == yoke::channel_type::half_float) {
      const yoke::half number{numbers(dice)};
      std::memcpy(bytes.data() + i * sizeof number, &number, sizeof number);
    }
  }
  std::memcpy(static_cast<void*>(texels.data()), bytes.data(), bytes.size());
  return texels;
}

/// Returns: the bytes of texels, which compare equal exactly where the texels are the same.
template <class T>
std::string bytes_of(const std::vector<T>& texels) {
  return {reinterpret_cast<const char*>(texels.data()), texels.size() * sizeof(T)};
}

using every_texel =
    std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, yoke::half, float,
               yoke::char4, yoke::uchar4, yoke::short4, yoke::ushort4, yoke::int4, yoke::uint4, yoke::half4,
               yoke::float4, yoke::unorm<std::uint8_t>, yoke::unorm<std::uint8_t, 4>, yoke::unorm<std::uint16_t, 4>,
               yoke::snorm<std::int8_t, 4>, yoke::snorm<std::int16_t>, yoke::float2, yoke::int2, yoke::uchar2,
               yoke::half2, yoke::unorm<std::uint16_t, 2>, yoke::srgba8>;

/// Effects: calls `body.template operator()<T>()` for each texel type.
template <class Body>
void for_each_texel(Body&& body) {
  [&]<class... T>(std::tuple<T...>*) { (body.template operator()<T>(), ...); }(static_cast<every_texel*>(nullptr));
}

/// Returns: an image, or an empty one if the device lacks the format; then the refusal must name it.
template <class Image, class Context, class... Given>
Image made_or_refused(const Context& in, const Given&... given) {
  try {
    return Image{in, given...};
  } catch (const yoke::unsupported_error& e) {
    CHECK(e.code() == yoke::errc::unsupported);
    CHECK_THAT(e.what(), ContainsSubstring(yoke::to_string(Image::format)));
    return Image{};
  }
}

}  // namespace yoke_test

#endif
