// SPDX-License-Identifier: MIT
// Images as memory: every kind and format, made, copied, filled, adopted, and refused.
#include <image/image_rig.hpp>
#include <yoke/array.hpp>

#include <algorithm>
#include <array>
#include <span>

using namespace yoke_test;

namespace {

/// Effects: takes an image of any kind from the host and back, in whole and in part, through buffers and other images.
template <class Image, class Backend, class... Extent>
void check_copies(rig<Backend>& on, const yoke::extent3& origin, const yoke::extent3& part, const Extent&... extent) {
  using T = typename Image::element_type;
  Image image = made_or_refused<Image>(on.context, extent...);
  if (!image) return;
  const auto texels = random_texels<T>(image.size());
  std::vector<T> back(image.size());
  yoke::copy(texels, image, on.stream);
  yoke::copy(image, back, on.stream);
  CHECK(bytes_of(back) == bytes_of(texels));

  // Through a second image and a buffer.
  Image other{on.context, extent...};
  yoke::copy(image, other, on.stream);
  yoke::device_allocation<T, typename Backend::port> buffer{on.context, image.size() + 3};
  yoke::copy(other, buffer.subspan(3, image.size()), on.stream);
  std::vector<T> through(image.size());
  yoke::copy(buffer.subspan(3, image.size()), through, on.stream);
  CHECK(bytes_of(through) == bytes_of(texels));
  const auto fresh = random_texels<T>(image.size());
  yoke::copy(fresh, buffer.subspan(3, image.size()), on.stream);
  yoke::copy(buffer.subspan(3, image.size()), other, on.stream);
  yoke::copy(other, through, on.stream);
  CHECK(bytes_of(through) == bytes_of(fresh));

  // A part from a pitched range of the host, and back into one: the gaps keep their bytes.
  const std::size_t count = part.x * part.y * part.z;
  const yoke::box_layout box{part.x, part.y, part.z, part.x + 2, (part.x + 2) * (part.y + 1), 1};
  const auto pitched = random_texels<T>(1 + (part.x + 2) * (part.y + 1) * part.z);
  const yoke::image_origin at(origin.x, origin.y, origin.z);
  yoke::copy(yoke::strided(pitched, box), yoke::region(image, at, part), on.stream);
  yoke::copy(image, back, on.stream);
  auto expected = texels;
  const auto whole = yoke::detail::whole_box(image.shape());
  const auto each_of_part = [&](auto&& act) {
    for (std::size_t z = 0; z < part.z; ++z) {
      for (std::size_t y = 0; y < part.y; ++y) {
        for (std::size_t x = 0; x < part.x; ++x) {
          act(origin.x + x + (origin.y + y) * whole.row_pitch + (origin.z + z) * whole.slice_pitch,
              box.offset + x + y * box.row_pitch + z * box.slice_pitch);
        }
      }
    }
  };
  each_of_part([&](std::size_t in_image, std::size_t in_range) { expected[in_image] = pitched[in_range]; });
  CHECK(bytes_of(back) == bytes_of(expected));
  auto gaps = random_texels<T>(pitched.size());
  auto wanted = gaps;
  each_of_part([&](std::size_t in_image, std::size_t in_range) { wanted[in_range] = expected[in_image]; });
  yoke::copy(yoke::region(image, at, part), yoke::strided(gaps, box), on.stream);
  CHECK(bytes_of(gaps) == bytes_of(wanted));

  // The same with a pitched buffer, and a part that is one tight range.
  yoke::device_allocation<T, typename Backend::port> rows{on.context, pitched, on.stream};
  auto span = rows.span();
  yoke::copy(yoke::strided(span, box), yoke::region(other, at, part), on.stream);
  std::vector<T> tight(count);
  yoke::copy(yoke::region(other, at, part), tight, on.stream);
  std::vector<T> tight_wanted;
  each_of_part([&](std::size_t, std::size_t in_range) { tight_wanted.push_back(pitched[in_range]); });
  CHECK(bytes_of(tight) == bytes_of(tight_wanted));

  if constexpr (Image::format.type != yoke::channel_type::srgb8) {
    const auto colour = random_texels<T>(1).front();
    yoke::fill(yoke::region(image, at, part), colour, on.stream);
    yoke::copy(image, back, on.stream);
    auto filled = expected;
    each_of_part([&](std::size_t in_image, std::size_t) { filled[in_image] = colour; });
    constexpr auto type = Image::format.type;
    // -128 and -127 stand for the same number, and drivers write the latter.
    if (type == yoke::channel_type::snorm8 || type == yoke::channel_type::snorm16) return;
    CHECK(bytes_of(back) == bytes_of(filled));
  }
}

}  // namespace

YOKE_DEVICE_TEST_CASE("images of every format are copied in whole and in part", "[image]") {
  rig on(device);
  for_each_texel([&]<class T>() {
    INFO(yoke::to_string(yoke::texel_traits<T>::format));
    check_copies<yoke::image<T, 2, port>>(on, {2, 1, 0}, {3, 4}, yoke::extent3{7, 6});
  });
}

YOKE_DEVICE_TEST_CASE("images of every kind are copied in whole and in part", "[image]") {
  rig on(device);
  using pixel = yoke::unorm<std::uint8_t, 4>;
  check_copies<yoke::image<pixel, 1, port>>(on, {5, 0, 0}, {11, 1}, yoke::extent3{37});
  check_copies<yoke::image<float, 2, port>>(on, {0, 0, 0}, {1, 1}, yoke::extent3{1, 1});
  check_copies<yoke::image<yoke::float4, 3, port>>(on, {1, 2, 1}, {3, 2, 2}, yoke::extent3{5, 4, 3});
  check_copies<yoke::image<std::uint16_t, 3, port>>(on, {0, 0, 2}, {17, 9, 3}, yoke::extent3{17, 9, 5});
  check_copies<yoke::layered_image<float, 1, port>>(on, {3, 1, 0}, {5, 3}, yoke::extent3{9}, 6);
  check_copies<yoke::layered_image<pixel, 2, port>>(on, {1, 2, 1}, {4, 3, 2}, yoke::extent3{6, 5}, 4);
  check_copies<yoke::layered_image<float, 2, port>>(on, {0, 0, 0}, {6, 5, 1}, yoke::extent3{6, 5}, 1);
}

YOKE_DEVICE_TEST_CASE("an image is made from a range, copied asynchronously, and moved", "[image]") {
  rig on(device);
  using image = yoke::image<float, 2, typename backend::port>;
  const auto texels = counting<float>(12);
  typename backend::template pagelocked_array<float> host{on.context, 12};
  const auto before = on.live();
  image first{on.context, texels, {4, 3}, on.stream};
  CHECK(first.width() == 4);
  CHECK(first.height() == 3);
  CHECK(first.size() == 12);
  CHECK(first.size_bytes() == 48);
  CHECK((first.depth() == 1 && first.layers() == 1));
  { auto transfer = yoke::copy_async(first, host, on.stream); }
  CHECK(std::vector<float>(host.begin(), host.end()) == texels);
  std::fill(host.begin(), host.end(), 7.0F);
  yoke::enqueue_copy(host, first, on.stream);
  on.stream.synchronize();
  image second = std::move(first);
  CHECK(!first);
  CHECK(first.empty());
  CHECK(first.native_handle() == typename image::native_type{});
  std::vector<float> back(12);
  yoke::copy(second, back, on.stream);
  CHECK(back == std::vector<float>(12, 7.0F));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { yoke::copy(first, back, on.stream); }),
             ContainsSubstring("the source is empty"));
  second = image{on.context, {2, 2}};
  CHECK(second.size() == 4);
  // From any contiguous range of the host.
  const auto holds = [&](const image& made) {
    std::vector<float> now(made.size());
    yoke::copy(made, now, on.stream);
    CHECK(now == texels);
  };
  std::array<float, 12> fixed{};
  std::copy(texels.begin(), texels.end(), fixed.begin());
  float plain[12];
  std::copy(texels.begin(), texels.end(), plain);
  holds(image{on.context, fixed, {4, 3}, on.stream});
  holds(image{on.context, plain, {4, 3}, on.stream});
  holds(image{on.context, std::span<const float>(texels), {4, 3}, on.stream});
  std::copy(texels.begin(), texels.end(), host.begin());
  holds(image{on.context, std::span<float>(host.data(), 12), {4, 3}, on.stream});
  second.reset();
  CHECK(on.live() == before);
}

YOKE_DEVICE_TEST_CASE("native images are adopted, borrowed and released", "[image]") {
  rig on(device);
  using image = yoke::image<float, 2, typename backend::port>;
  const auto texels = counting<float>(12);
  std::vector<float> back(12);
  const auto before = on.live();
  image made{on.context, texels, {4, 3}, on.stream};
  const auto native = made.release();
  CHECK(!made);
  {
    const image lent = image::borrow(on.context, native, {4, 3});
    CHECK(lent.native_handle() == native);
    yoke::copy(lent, back, on.stream);
    CHECK(back == texels);
  }
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] {
                                          (void)image::borrow(on.context, native, {3, 4});
                                        }),
             ContainsSubstring("4") && ContainsSubstring("3"));
  using other = yoke::image<std::uint32_t, 2, typename backend::port>;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] {
                                          (void)other::borrow(on.context, native, {4, 3});
                                        }),
             ContainsSubstring("another format than unsigned32"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] {
                                          (void)image::adopt(on.context, {}, {4, 3});
                                        }),
             ContainsSubstring("image"));
  {
    const image owned = image::adopt(on.context, native, {4, 3});
    yoke::copy(owned, back, on.stream);
    CHECK(back == texels);
  }
  CHECK(on.live() == before);
}

YOKE_DEVICE_TEST_CASE("wrong shapes and regions are refused with the value and the limit", "[image]") {
  rig on(device);
  using plane = yoke::image<float, 2, port>;
  const auto refused = [&](auto&& act) {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument, std::forward<decltype(act)>(act));
  };
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refused([&] { plane(on.context, {0, 4}); }), ContainsSubstring("has width 0"));
  CHECK_THAT(refused([&] { plane(on.context, {4, 4, 2}); }), ContainsSubstring("has depth 2, which must be 1"));
  CHECK_THAT(refused([&] {
               yoke::image<float, 1, port>(on.context, {4, 4});
             }),
             ContainsSubstring("has height 4, which must be 1"));
  CHECK_THAT(refused([&] {
               yoke::layered_image<float, 2, port>(on.context, {4, 4}, 0);
             }),
             ContainsSubstring("has layers 0"));
  CHECK(on.driver.mark() == mark);  // no driver was asked
  const std::string wide = refused([&] { plane(on.context, {1 << 22, 4}); });
  CHECK_THAT(wide, ContainsSubstring("has width 4194304, above this device's ") && ContainsSubstring("WIDTH"));
  CHECK(on.driver.count(std::is_same_v<port, yoke::cuda::port> ? "array_create" : "create_image", mark) == 0);

  plane image{on.context, {8, 5}};
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                        [&] {
                                          (void)yoke::region(image, {5, 0}, {4, 1});
                                        }),
             ContainsSubstring("a region of 4 texels from x = 5 on is outside a 2D image of 8 x 5, which has 8 there"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                        [&] {
                                          (void)yoke::region(image, {0, 6}, {1, 1});
                                        }),
             ContainsSubstring("from y = 6 on"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                        [&] {
                                          (void)yoke::region(image, {}, {8, 5, 2});
                                        }),
             ContainsSubstring("a region of 2 texels from z = 0 on"));
  std::vector<float> wrong(39);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { yoke::copy(wrong, image, on.stream); }),
             ContainsSubstring("39"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] {
                                          plane(on.context, wrong, {8, 5}, on.stream);
                                        }),
             ContainsSubstring("a range of 39 texels for an image of 8 x 5, which has 40"));
}

YOKE_DEVICE_TEST_CASE("a region that overlaps the one it is copied to is refused", "[image]") {
  rig on(device);
  yoke::image<float, 2, typename backend::port> image{on.context, counting<float>(40), {8, 5}, on.stream};
  CHECK_THAT(refusal<yoke::logic_error>(
                 yoke::errc::invalid_argument,
                 [&] {
                   yoke::copy(yoke::region(image, {0, 0}, {4, 2}), yoke::region(image, {3, 1}, {4, 2}), on.stream);
                 }),
             ContainsSubstring("overlap"));
  yoke::copy(yoke::region(image, {0, 0}, {4, 2}), yoke::region(image, {4, 1}, {4, 2}), on.stream);
  std::vector<float> back(40);
  yoke::copy(image, back, on.stream);
  CHECK(back[8 + 4] == 1.0F);
  CHECK(back[16 + 7] == 12.0F);
}

YOKE_DEVICE_TEST_CASE("matrices lie in images as their order says", "[image]") {
  rig on(device);
  // 2 rows of 3 columns: 11 12 13 / 21 22 23.
  const std::vector<float> by_rows{11, 12, 13, 21, 22, 23};
  const std::vector<float> by_columns{11, 21, 12, 22, 13, 23};
  using image = yoke::image<float, 2, typename backend::port>;
  const image c{on.context, by_rows, yoke::matrix_extent(2, 3, yoke::matrix_order::row_major), on.stream};
  const image f{on.context, by_columns, yoke::matrix_extent(2, 3, yoke::matrix_order::column_major), on.stream};
  CHECK((c.width() == 3 && c.height() == 2));
  CHECK((f.width() == 2 && f.height() == 3));
  float element = 0;
  yoke::copy(yoke::region(c, {2, 1}, 1), std::span(&element, 1), on.stream);
  CHECK(element == 23);  // row 1, column 2
  yoke::copy(yoke::region(f, {1, 2}, 1), std::span(&element, 1), on.stream);
  CHECK(element == 23);
}

TEST_CASE("bytes are seen as texels where they are whole and aligned", "[image]") {
  std::vector<std::uint8_t> bytes(12, 3);
  const auto texels = yoke::as_texels<yoke::unorm<std::uint8_t, 4>>(bytes);
  CHECK(texels.size() == 3);
  CHECK(texels[2].channels[3] == 3);
  const std::vector<std::uint8_t> odd(10);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] { (void)yoke::as_texels<yoke::unorm<std::uint8_t, 4>>(odd); }),
             ContainsSubstring("10 bytes") && ContainsSubstring("4 bytes"));
  const auto shifted = std::span(bytes).subspan(1, 8);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::misaligned, [&] { (void)yoke::as_texels<yoke::half4>(shifted); }),
             ContainsSubstring("no multiple of 8"));
}

YOKE_DEVICE_TEST_CASE("arrays are copied to images of their own axes", "[image]") {
  rig on(device);
  constexpr std::size_t rows = 3;
  constexpr std::size_t columns = 4;
  std::vector<float> host(rows * columns);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  const auto a = yoke::to_device_array(host, {rows, columns}, on.stream);
  yoke::image<float, 2, typename backend::port> right{on.context, {columns, rows}};
  yoke::image<float, 2, typename backend::port> wrong{on.context, {rows, columns}};
  yoke::copy(a, right, on.stream);
  std::vector<float> back(host.size());
  yoke::copy(right, back, on.stream);
  CHECK(back == host);
  auto b = yoke::zeros<float>({rows, columns}, on.stream);
  yoke::copy(right, b, on.stream);
  CHECK(b.to_host() == host);
  // The same number of texels, but other axes.
  const auto refused = [&](auto act) {
    CHECK_THROWS_WITH(act(), Catch::Matchers::ContainsSubstring("a box of 4 x 3 elements, the other side is 3 x 4") &&
                                 Catch::Matchers::ContainsSubstring("ravel()"));
  };
  refused([&] { yoke::copy(a, wrong, on.stream); });
  refused([&] { yoke::copy(wrong, b, on.stream); });
  refused([&] { yoke::enqueue_copy(a, wrong, on.stream); });
  refused([&] { yoke::copy(a, yoke::region(wrong, {0, 0}, {rows, columns}), on.stream); });
  yoke::copy(a.ravel(), wrong, on.stream);
  yoke::copy(wrong, b.ravel(), on.stream);
  CHECK(b.to_host() == host);
  // Boxes of the host, too; axes of extent 1 do not count.
  std::vector<float> box(host.size());
  CHECK_THROWS_AS(yoke::copy(a, yoke::strided(box, {.width = 3, .height = 4}), on.stream), yoke::logic_error);
  yoke::copy(a, yoke::strided(box, {.width = 4, .height = 3}), on.stream);
  CHECK(box == host);
  yoke::copy(a.reshape({1, 3, 4}), right, on.stream);
  yoke::copy(a(yoke::whole, yoke::slice(0, 1)).reshape_copy({3, 1}), yoke::region(right, {0, 0}, {3, 1}), on.stream);
}
