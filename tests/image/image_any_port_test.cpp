// SPDX-License-Identifier: MIT
// Images on the port that is chosen at run time: every kind, as sides of copies and fills, and as parameters of kernels.
#include <image/image_rig.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace yoke_test;

namespace {

struct any_rig {
  explicit any_rig(const yoke::device<>& on) : context(on), stream(context) {}
  yoke::context<> context;
  yoke::stream<> stream;
};

/// A kind of image: its words in the dialect, and a small shape.
template <unsigned Dimensions, bool Layered>
struct kind {
  static constexpr unsigned dimensions = Dimensions;
  template <class T>
  using image = yoke::basic_image<T, yoke::detail::kind_of_dimensions(Dimensions, Layered), yoke::any_port>;
  template <class V, yoke::image_access Access>
  using parameter = yoke::detail::image_parameter<V, yoke::detail::kind_of_dimensions(Dimensions, Layered), Access>;

  static constexpr std::size_t layers = Layered ? 3 : 1;
  static yoke::extent3 extent() {
    if constexpr (Dimensions == 1) return {7};
    if constexpr (Dimensions == 2) return {7, 5};
    if constexpr (Dimensions == 3) return {7, 5, 4};
  }
  /// How many texels stand along the axes that regions count, with the layers behind the others.
  static std::array<std::size_t, 3> counts() {
    std::array<std::size_t, 3> result{7, Dimensions > 1 ? std::size_t{5} : 1, Dimensions > 2 ? std::size_t{4} : 1};
    if constexpr (Layered) result[Dimensions] = layers;
    return result;
  }
  template <class T>
  static image<T> made(const any_rig& on) {
    if constexpr (Layered)
      return image<T>{on.context, extent(), layers};
    else
      return image<T>{on.context, extent()};
  }
  template <class T>
  static image<T> made(const any_rig& on, const std::vector<T>& texels) {
    if constexpr (Layered)
      return image<T>{on.context, texels, extent(), layers, on.stream};
    else
      return image<T>{on.context, texels, extent(), on.stream};
  }
  /// Returns: a text of the dialect, with the kind's words and its coordinates from `x`, `y` and `z`.
  static std::string text(std::string of) {
    const auto replace = [&of](std::string_view what, const std::string& by) {
      for (std::size_t at = 0; (at = of.find(what, at)) != std::string::npos; at += by.size()) {
        of.replace(at, what.size(), by);
      }
    };
    const std::string number = std::to_string(Dimensions);
    replace("@W", number + (Layered ? "D_ARRAY" : "D"));
    replace("@F", number + (Layered ? "d_array" : "d"));
    replace("@I", Dimensions == 1 ? (Layered ? "x, y" : "x") : Dimensions == 2 && !Layered ? "x, y" : "x, y, z");
    replace("@C", Dimensions == 1   ? (Layered ? "x + 0.5f, y" : "x + 0.5f")
                  : Dimensions == 2 ? (Layered ? "x + 0.5f, y + 0.5f, z" : "x + 0.5f, y + 0.5f")
                                    : "x + 0.5f, y + 0.5f, z + 0.5f");
    return of;
  }
};

/// Effects: calls `body` with every kind.
template <class Body>
void for_each_kind(Body&& body) {
  body(kind<1, false>{});
  body(kind<2, false>{});
  body(kind<3, false>{});
  body(kind<1, true>{});
  body(kind<2, true>{});
}

/// Returns: the texels of an image.
template <class T, class Image>
std::vector<T> texels_of(const Image& image, const any_rig& on) {
  std::vector<T> back(image.size());
  yoke::copy(image, back, on.stream);
  return back;
}

/// Effects: calls `act` with the number of each texel of a part.
template <class Act>
void each_of_part(const std::array<std::size_t, 3>& counts, const std::array<std::size_t, 3>& from,
                  const std::array<std::size_t, 3>& extent, const Act& act) {
  for (std::size_t z = 0; z < extent[2]; ++z) {
    for (std::size_t y = 0; y < extent[1]; ++y) {
      for (std::size_t x = 0; x < extent[0]; ++x) {
        act(from[0] + x + counts[0] * (from[1] + y + counts[1] * (from[2] + z)));
      }
    }
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("images of every kind are copied and filled through any_port", "[image]") {
  any_rig on(device);
  for_each_kind([&]<class Kind>(Kind) {
    using pixel = yoke::unorm<std::uint8_t, 4>;
    const auto counts = Kind::counts();
    INFO("dimensions " << Kind::dimensions << ", layers " << Kind::layers);
    auto from = Kind::template made<pixel>(on);
    const auto texels = random_texels<pixel>(from.size());
    yoke::copy(texels, from, on.stream);
    CHECK(bytes_of(texels_of<pixel>(from, on)) == bytes_of(texels));

    // To another image, a buffer, and back from that.
    auto to = Kind::template made<pixel>(on, random_texels<pixel>(from.size()));
    yoke::copy(from, to, on.stream);
    CHECK(bytes_of(texels_of<pixel>(to, on)) == bytes_of(texels));
    yoke::device_allocation<pixel> buffer{on.context, from.size() + 2};
    yoke::copy(from, buffer.subspan(1, from.size()), on.stream);
    std::vector<pixel> back(from.size());
    yoke::copy(buffer.subspan(1, from.size()), back, on.stream);
    CHECK(bytes_of(back) == bytes_of(texels));
    const auto fresh = random_texels<pixel>(from.size());
    yoke::copy(fresh, buffer.subspan(1, from.size()), on.stream);
    yoke::copy(buffer.subspan(1, from.size()), to, on.stream);
    CHECK(bytes_of(texels_of<pixel>(to, on)) == bytes_of(fresh));

    // A part of one to the last texels of the other, and a part filled.
    std::array<std::size_t, 3> extent{};
    std::array<std::size_t, 3> last{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      extent[axis] = (counts[axis] + 1) / 2;
      last[axis] = counts[axis] - extent[axis];
    }
    const yoke::extent3 part{extent[0], extent[1], extent[2]};
    const yoke::image_origin end{last[0], last[1], last[2]};
    yoke::copy(yoke::region(from, {0, 0, 0}, part), yoke::region(to, end, part), on.stream);
    auto expected = fresh;
    std::vector<std::size_t> places;
    each_of_part(counts, {}, extent, [&](std::size_t at) { places.push_back(at); });
    std::size_t next = 0;
    each_of_part(counts, last, extent, [&](std::size_t at) { expected[at] = texels[places[next++]]; });
    CHECK(bytes_of(texels_of<pixel>(to, on)) == bytes_of(expected));
    const pixel colour{{1, 20, 255, 4}};
    yoke::fill(yoke::region(to, {0, 0, 0}, part), colour, on.stream);
    for (const std::size_t at : places) expected[at] = colour;
    CHECK(bytes_of(texels_of<pixel>(to, on)) == bytes_of(expected));

    // A part to a part of a buffer, and a part of a range of the host that has gaps.
    yoke::copy(yoke::region(from, end, part), buffer.subspan(2, places.size()), on.stream);
    std::vector<pixel> tight(places.size());
    yoke::copy(buffer.subspan(2, places.size()), tight, on.stream);
    std::vector<pixel> wanted;
    each_of_part(counts, last, extent, [&](std::size_t at) { wanted.push_back(texels[at]); });
    CHECK(bytes_of(tight) == bytes_of(wanted));
    const yoke::box_layout box{extent[0], extent[1], extent[2], extent[0] + 1, (extent[0] + 1) * (extent[1] + 1), 0};
    auto gaps = random_texels<pixel>((extent[0] + 1) * (extent[1] + 1) * extent[2]);
    auto with_part = gaps;
    next = 0;
    for (std::size_t z = 0; z < extent[2]; ++z) {
      for (std::size_t y = 0; y < extent[1]; ++y) {
        for (std::size_t x = 0; x < extent[0]; ++x) {
          with_part[x + (extent[0] + 1) * (y + (extent[1] + 1) * z)] = wanted[next++];
        }
      }
    }
    yoke::copy(yoke::region(from, end, part), yoke::strided(gaps, box), on.stream);
    CHECK(bytes_of(gaps) == bytes_of(with_part));

    // Through page-locked memory.
    yoke::pagelocked_array<pixel> locked{on.context, from.size()};
    yoke::copy_async(from, locked, on.stream).wait();
    CHECK(bytes_of(std::vector<pixel>(locked.begin(), locked.end())) == bytes_of(texels));
    yoke::enqueue_copy(locked, to, on.stream);
    CHECK(bytes_of(texels_of<pixel>(to, on)) == bytes_of(texels));
  });
}

YOKE_ANY_DEVICE_TEST_CASE("kernels sample, read and write images of every kind through any_port", "[image]") {
  any_rig on(device);
  for_each_kind([&]<class Kind>(Kind) {
    INFO("dimensions " << Kind::dimensions << ", layers " << Kind::layers);
    const auto counts = Kind::counts();
    const auto module = yoke::compile(on.context, Kind::text(R"(
YOKE_KERNEL moved(YOKE_READ_IMAGE_@W(float, from), YOKE_SAMPLER(by), YOKE_WRITE_IMAGE_@W(float, to), float more) {
  int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
  yoke_write_@F(float, to, @I, yoke_sample_@F(float, from, by, @C) + yoke_read_@F(float, from, @I) + more);
}
)"));
    using yoke::image_access;
    const auto moved =
        yoke::get_kernel<void(typename Kind::template parameter<float, image_access::read>, yoke::sampler,
                              typename Kind::template parameter<float, image_access::write>, float)>(module, "moved");
    const auto numbers = counting<float>(counts[0] * counts[1] * counts[2]);
    const auto from = Kind::template made<float>(on, numbers);
    auto to = Kind::template made<float>(on);
    for (const yoke::sampler& by :
         {yoke::sampler{}, yoke::sampler{.address = yoke::address_mode::border, .filter = yoke::filter_mode::linear}}) {
      // At centres a filter gives the texel itself.
      moved(on.stream, {.grid = {counts[0], counts[1], counts[2]}}, from, by, to, 0.5F);
      std::vector<float> expected;
      for (const float each : numbers) expected.push_back(2 * each + 0.5F);
      CHECK(texels_of<float>(to, on) == expected);
      yoke::fill(to, 0.0F, on.stream);
    }
    const auto done =
        moved.enqueue(on.stream, {.grid = {counts[0], counts[1], counts[2]}}, from, yoke::sampler{}, to, 1.0F);
    done.wait();
    CHECK(texels_of<float>(to, on).back() == 2 * numbers.back() + 1);
  });
}

YOKE_ANY_DEVICE_TEST_CASE("a kernel reads and writes an image of every kind in place through any_port", "[image]") {
  any_rig on(device);
  yoke::compile_options options;
  // OpenCL has them from C 2.0 on.
  if (device.backend_name() == std::string_view("opencl") && device.summary().version.starts_with("OpenCL 3.")) {
    options.options = {"-cl-std=CL3.0"};
  }
  const auto asked = yoke::compile(on.context, R"(
YOKE_KERNEL has(YOKE_GLOBAL int* to) { to[0] = YOKE_HAS_READ_WRITE_IMAGES; }
)",
                                   options);
  std::vector<int> has(1);
  yoke::get_kernel<void(int*)>(asked, "has")(on.stream, {.grid = 1}, yoke::out(has));
  if (has[0] == 0) YOKE_SKIP("the device lacks READ_WRITE_IMAGES");
  for_each_kind([&]<class Kind>(Kind) {
    INFO("dimensions " << Kind::dimensions << ", layers " << Kind::layers);
    const auto counts = Kind::counts();
    const auto module = yoke::compile(on.context, Kind::text(R"(
YOKE_KERNEL in_place(YOKE_READ_WRITE_IMAGE_@W(int4, both), int more) {
  int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
  int4 texel = yoke_read_@F(int4, both, @I);
  texel.y += more;
  yoke_write_@F(int4, both, @I, texel);
}
)"),
                                      options);
    const auto in_place =
        yoke::get_kernel<void(typename Kind::template parameter<yoke::int4, yoke::image_access::read_write>, int)>(
            module, "in_place");
    auto texels = random_texels<yoke::short4>(counts[0] * counts[1] * counts[2]);
    for (yoke::short4& each : texels) each.y = static_cast<std::int16_t>(each.y / 2);
    auto image = Kind::template made<yoke::short4>(on, texels);
    in_place(on.stream, {.grid = {counts[0], counts[1], counts[2]}}, image, 3);
    for (yoke::short4& each : texels) each.y = static_cast<std::int16_t>(each.y + 3);
    CHECK(bytes_of(texels_of<yoke::short4>(image, on)) == bytes_of(texels));
  });
}

YOKE_ANY_DEVICE_TEST_CASE("native images change hands, and what cannot be is refused, through any_port", "[image]") {
  any_rig on(device);
  using yoke::errc;
  const auto texels = counting<float>(7 * 5 * 4);
  yoke::image<float, 3> made{on.context, texels, {7, 5, 4}, on.stream};
  const auto native = made.release();
  CHECK(!made);
  {
    const auto lent = yoke::image<float, 3>::borrow(on.context, native, {7, 5, 4});
    CHECK(lent.native_handle() == native);
    CHECK(texels_of<float>(lent, on) == texels);
  }
  CHECK_THAT(refusal<yoke::logic_error>(errc::size_mismatch,
                                        [&] {
                                          (void)yoke::image<float, 3>::borrow(on.context, native, {7, 4, 5});
                                        }),
             ContainsSubstring("5"));
  CHECK_THAT(refusal<yoke::logic_error>(errc::invalid_argument,
                                        [&] {
                                          (void)yoke::image<std::uint32_t, 3>::adopt(on.context, native, {7, 5, 4});
                                        }),
             ContainsSubstring("another format than unsigned32"));
  const auto owned = yoke::image<float, 3>::adopt(on.context, native, {7, 5, 4});
  CHECK_THAT(refusal<yoke::logic_error>(errc::out_of_range,
                                        [&] {
                                          (void)yoke::region(owned, {0, 0, 3}, {7, 5, 2});
                                        }),
             ContainsSubstring("a region of 2 texels from z = 3 on is outside a 3D image of 7 x 5 x 4, which has 4"));
  std::vector<float> few(3);
  CHECK_THAT(refusal<yoke::logic_error>(errc::size_mismatch, [&] { yoke::copy(owned, few, on.stream); }),
             ContainsSubstring("source has 7 x 5 x 4 elements, destination 3"));
  CHECK_THAT(refusal<yoke::logic_error>(errc::empty_handle, [&] { yoke::copy(made, few, on.stream); }),
             ContainsSubstring("the source is empty"));
  CHECK_THAT(refusal<yoke::logic_error>(errc::invalid_argument,
                                        [&] {
                                          yoke::layered_image<float, 2>(on.context, {4, 4}, 0);
                                        }),
             ContainsSubstring("has layers 0"));
}
