// SPDX-License-Identifier: MIT
// Layers of 1D images and buffers, on drivers that copy only the first layer of these (NVIDIA's).
#include <image/image_rig.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace yoke_test;

namespace {

bool has_layers(const opencl_interposer& driver, abi::memory image) {
  abi::uint type = 0;
  (void)driver.real().get_memory_info(image, abi::mem_type, sizeof type, &type, nullptr);
  return type == abi::mem_object_image1d_array;
}
bool is_refused(const opencl_interposer& driver, abi::memory image, const std::size_t* origin,
                const std::size_t* region) {
  return has_layers(driver, image) && (origin[1] != 0 || region[1] > 1);
}

/// Effects: makes the driver refuse what NVIDIA's does.
void refuse_layers(opencl_interposer& driver) {
  driver.replace<&abi::functions::enqueue_copy_image_to_buffer>(
      [&driver](abi::queue queue, abi::memory image, abi::memory buffer, const std::size_t* origin,
                const std::size_t* region, auto... more) -> abi::status {
        if (is_refused(driver, image, origin, region)) return abi::invalid_value;
        return driver.real().enqueue_copy_image_to_buffer(queue, image, buffer, origin, region, more...);
      });
  driver.replace<&abi::functions::enqueue_copy_buffer_to_image>(
      [&driver](abi::queue queue, abi::memory buffer, abi::memory image, std::size_t offset, const std::size_t* origin,
                const std::size_t* region, auto... more) -> abi::status {
        if (is_refused(driver, image, origin, region)) return abi::invalid_value;
        return driver.real().enqueue_copy_buffer_to_image(queue, buffer, image, offset, origin, region, more...);
      });
  driver.replace<&abi::functions::enqueue_copy_image>(
      [&driver](abi::queue queue, abi::memory source, abi::memory destination, const std::size_t* from,
                const std::size_t* to, const std::size_t* region, auto... more) -> abi::status {
        if (has_layers(driver, source) != has_layers(driver, destination) &&
            (is_refused(driver, source, from, region) || is_refused(driver, destination, to, region))) {
          return abi::invalid_value;
        }
        return driver.real().enqueue_copy_image(queue, source, destination, from, to, region, more...);
      });
}

/// A rig on such a driver, and the texels of five layers.
struct layer_rig : rig<opencl_backend> {
  explicit layer_rig(const ocl::device& at) : rig(at) { refuse_layers(driver); }
  const std::vector<float> texels = counting<float>(7 * 5);
};

}  // namespace

YOKE_OPENCL_TEST_CASE("layers of 1D images are copied to and from buffers by drivers that take the first alone",
                      "[image][opencl]") {
  layer_rig on(device);
  using layers = yoke::layered_image<float, 1, ocl::port>;
  const std::vector<float>& texels = on.texels;
  const layers from{on.context, texels, {7}, 5, on.stream};
  ocl::device_allocation<float> buffer{on.context, texels.size() + 2};
  layers to{on.context, {7}, 5};

  std::size_t mark = on.driver.mark();
  yoke::copy(from, buffer.subspan(2, texels.size()), on.stream);
  CHECK(on.driver.count("create_image", mark) == 1);
  CHECK(on.driver.count("enqueue_copy_image", mark) == 5);
  CHECK(yoke::to_host(buffer.subspan(2, texels.size()), on.stream) == texels);
  yoke::copy(buffer.subspan(2, texels.size()), to, on.stream);
  std::vector<float> back(texels.size());
  yoke::copy(to, back, on.stream);
  CHECK(back == texels);

  // A part of the third and the fourth layer.
  std::vector<float> part(6);
  ocl::device_allocation<float> small{on.context, 6};
  yoke::copy(yoke::region(from, {2, 2}, {3, 2}), small, on.stream);
  yoke::copy(small, part, on.stream);
  CHECK(part == std::vector<float>{texels[16], texels[17], texels[18], texels[23], texels[24], texels[25]});
  yoke::fill(small, -1.0F, on.stream);
  yoke::copy(small, yoke::region(to, {2, 2}, {3, 2}), on.stream);
  std::vector<float> expected = texels;
  for (const std::size_t at : std::initializer_list<std::size_t>{16, 17, 18, 23, 24, 25}) expected[at] = -1;
  yoke::copy(to, back, on.stream);
  CHECK(back == expected);

  // The first layer alone needs nothing of it.
  mark = on.driver.mark();
  yoke::copy(yoke::region(from, {0, 0}, {7, 1}), buffer.subspan(0, 7), on.stream);
  CHECK(on.driver.count("create_image", mark) == 0);
}

YOKE_OPENCL_TEST_CASE("layers of 1D images are copied to and from planes by such drivers", "[image][opencl]") {
  layer_rig on(device);
  const std::vector<float>& texels = on.texels;
  const yoke::image<float, 2, ocl::port> plane{on.context, texels, {7, 5}, on.stream};
  yoke::layered_image<float, 1, ocl::port> layers{on.context, {7}, 5};
  yoke::image<float, 2, ocl::port> back{on.context, {7, 5}};
  std::vector<float> found(texels.size());
  yoke::copy(plane, layers, on.stream);
  yoke::copy(layers, found, on.stream);
  CHECK(found == texels);
  yoke::copy(layers, back, on.stream);
  yoke::copy(back, found, on.stream);
  CHECK(found == texels);
  yoke::copy(yoke::region(plane, {1, 3}, {4, 2}), yoke::region(layers, {2, 1}, {4, 2}), on.stream);
  yoke::copy(layers, found, on.stream);
  std::vector<float> expected = texels;
  for (std::size_t y = 0; y < 2; ++y) {
    for (std::size_t x = 0; x < 4; ++x) expected[(y + 1) * 7 + x + 2] = texels[(y + 3) * 7 + x + 1];
  }
  CHECK(found == expected);
}

YOKE_OPENCL_TEST_CASE("layers of 1D images are copied to and from lines, volumes and layers of planes by such drivers",
                      "[image][opencl]") {
  layer_rig on(device);
  using layers_type = yoke::layered_image<float, 1, ocl::port>;
  const std::vector<float>& texels = on.texels;
  const layers_type from{on.context, texels, {7}, 5, on.stream};
  layers_type to{on.context, {7}, 5};
  yoke::image<float, 1, ocl::port> line{on.context, {4}};
  yoke::image<float, 3, ocl::port> volume{on.context, {7, 4, 2}};
  yoke::layered_image<float, 2, ocl::port> planes{on.context, {7, 4}, 2};
  // Two texels of the layers from the third on go to a place, and from there to the same texels of `to`, and nowhere else.
  const auto check = [&](std::size_t rows, auto& by, const yoke::image_origin& there, std::size_t texels_there) {
    yoke::fill(by, -1.0F, on.stream);
    yoke::fill(to, 0.0F, on.stream);
    yoke::copy(yoke::region(from, {3, 2}, {2, rows}), yoke::region(by, there, {2, rows}), on.stream);
    yoke::copy(yoke::region(by, there, {2, rows}), yoke::region(to, {3, 2}, {2, rows}), on.stream);
    std::vector<float> expected(texels.size()), found(texels.size()), all(texels_there);
    for (std::size_t y = 2; y < 2 + rows; ++y) {
      for (std::size_t x = 3; x < 5; ++x) expected[y * 7 + x] = texels[y * 7 + x];
    }
    yoke::copy(to, found, on.stream);
    CHECK(found == expected);
    yoke::copy(by, all, on.stream);
    CHECK(std::ranges::count(all, -1.0F) == static_cast<std::ptrdiff_t>(texels_there - 2 * rows));
  };
  check(1, line, {1}, line.size());
  check(2, volume, {4, 1, 1}, volume.size());
  check(2, planes, {4, 1, 1}, planes.size());
}

YOKE_OPENCL_TEST_CASE("what fails in a copy of layers is told, and leaves nothing", "[image][opencl]") {
  layer_rig on(device);
  yoke::layered_image<float, 1, ocl::port> layers{on.context, {7}, 5};
  yoke::image<float, 2, ocl::port> plane{on.context, {7, 5}};
  ocl::device_allocation<float> buffer{on.context, 35};
  const std::vector<std::string> before = on.live();
  const auto check = [&](const char* what, const auto& act, std::initializer_list<const char*> calls) {
    for (const char* call : calls) {
      const std::size_t mark = on.driver.mark();
      act();
      const std::size_t times = on.driver.count(call, mark);
      REQUIRE(times > 0);
      for (std::size_t at = 1; at <= times; ++at) {
        INFO(what << ": " << call << " " << at);
        on.driver.fail_function(call, at, fault_mode::once, -5);
        CHECK_THROWS_AS(act(), yoke::memory_error);
        on.stream.synchronize();
        CHECK(on.live() == before);
        CHECK(on.driver.bad_releases().empty());
      }
    }
  };
  check("to a buffer", [&] { yoke::copy(layers, buffer, on.stream); },
        {"create_image", "get_image_info", "enqueue_copy_image", "enqueue_copy_image_to_buffer"});
  check("from a buffer", [&] { yoke::copy(buffer, layers, on.stream); },
        {"create_image", "get_image_info", "enqueue_copy_image", "enqueue_copy_buffer_to_image"});
  check("to a plane", [&] { yoke::copy(layers, plane, on.stream); },
        {"create_image", "get_image_info", "enqueue_copy_image"});
  check("from a plane", [&] { yoke::copy(plane, layers, on.stream); },
        {"create_image", "get_image_info", "enqueue_copy_image"});
}
