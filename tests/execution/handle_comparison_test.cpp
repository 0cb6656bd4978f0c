// SPDX-License-Identifier: MIT
// Handles of one driver object are equal, ordered alike and have one hash.
#include <execution/handle_comparison.hpp>
#include <image/image_rig.hpp>

#include <set>

using namespace yoke_test;

YOKE_DEVICE_TEST_CASE("streams, events and kernels are compared by the driver's objects", "[execution]") {
  rig on(device);
  const backend::stream second{on.context};
  check_comparison(on.stream, backend::stream::borrow(on.context, on.stream.native_handle()), second);
  const auto first = backend::event::adopt(on.context, on.stream.record().release());
  const auto next = backend::event::adopt(on.context, on.stream.record().release());
  check_comparison(first, backend::event::borrow(on.context, first.native_handle()), next);
  on.stream.synchronize();
  const auto module = yoke::compile(on.context, R"(
YOKE_KERNEL one(YOKE_GLOBAL int* a) { a[0] = 1; }
YOKE_KERNEL two(YOKE_GLOBAL int* a) { a[0] = 2; })");
  using kernel = typename backend::template kernel<void(int*)>;
  const auto one = module.template get_kernel<void(int*)>("one");
  check_comparison<kernel>(one, kernel::borrow(module, one.native_handle()),
                           module.template get_kernel<void(int*)>("two"));
}

YOKE_DEVICE_TEST_CASE("device memory and a pool's blocks are compared by the driver's memory", "[execution]") {
  rig on(device);
  using memory = typename backend::template device_allocation<int>;
  const memory x{on.context, 8};
  const memory y{on.context, 8};
  check_comparison(x, memory::borrow(on.context, x.native_handle(), 8), y);
  check_comparison(x, memory::borrow(on.context, x.native_handle(), 3), y);  // whatever the count
  const yoke::memory_pool pool{on.context};
  const memory block{pool, 8, on.stream};
  const memory another{pool, 8, on.stream};
  check_comparison(block, memory::borrow(on.context, block.native_handle(), 8), another);
  CHECK(block != x);
}

YOKE_DEVICE_TEST_CASE("images are compared by the driver's images", "[execution][image]") {
  rig on(device);
  using image = yoke::image<float, 2, port>;
  const image first{on.context, {4, 3}};
  const image second{on.context, {4, 3}};
  check_comparison(first, image::borrow(on.context, first.native_handle(), {4, 3}), second);
}

YOKE_ANY_DEVICE_TEST_CASE("handles of any backend are compared as those of one", "[execution]") {
  const yoke::context<> context{device};
  const yoke::device_allocation<int> x{context, 8};
  const yoke::device_allocation<int> y{context, 8};
  check_comparison(x, yoke::device_allocation<int>::borrow(context, x.native_handle(), 8), y);
  const yoke::image<float, 2> image{context, {4, 3}};
  const yoke::image<float, 2> other{context, {4, 3}};
  check_comparison(image, yoke::image<float, 2>::borrow(context, image.native_handle(), {4, 3}), other);
}

TEST_CASE("formats of images and samplers are compared, hashed and printed", "[execution][image]") {
  using yoke::channel_type;
  using yoke::image_format;
  const image_format format = yoke::texel_traits<yoke::unorm<std::uint8_t, 4>>::format;
  CHECK(format == image_format{channel_type::unorm8, 4});
  CHECK(format != image_format{channel_type::unorm8, 2});
  CHECK(image_format{channel_type::unorm8, 2} < format);
  CHECK(image_format{channel_type::float32, 4} < image_format{channel_type::unorm8, 1});  // the type comes first
  CHECK(to_string(format) == "unorm8 x 4");
  CHECK(to_string(image_format{channel_type::float32, 1}) == "float32");
  CHECK(to_string(image_format{channel_type::half_float, 2}) == "half x 2");
  std::set<std::size_t> hashes;
  std::set<image_format> formats;
  std::set<std::string> names;
  for (unsigned type = 0; type <= static_cast<unsigned>(channel_type::depth32); ++type) {
    for (const unsigned channels : {1u, 2u, 4u}) {
      const image_format each{static_cast<channel_type>(type), static_cast<std::uint8_t>(channels)};
      hashes.insert(std::hash<image_format>{}(each));
      formats.insert(each);
      names.insert(to_string(each));
    }
  }
  CHECK(hashes.size() == 45);
  CHECK(formats.size() == 45);
  CHECK(names.size() == 45);

  const yoke::sampler nearest{};
  const yoke::sampler linear{.filter = yoke::filter_mode::linear};
  CHECK(nearest == yoke::sampler{});
  CHECK(nearest < linear);
  CHECK(std::hash<yoke::sampler>{}(nearest) == std::hash<yoke::sampler>{}(yoke::sampler{}));
  CHECK(std::hash<yoke::sampler>{}(nearest) != std::hash<yoke::sampler>{}(linear));
  CHECK(std::hash<yoke::sampler>{}(nearest) != std::hash<yoke::sampler>{}({.normalised = true}));
}
