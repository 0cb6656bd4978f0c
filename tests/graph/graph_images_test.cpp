// SPDX-License-Identifier: MIT
// Images in graphs: copies between all places, fills, and arguments of recorded launches.
#include <graph/graph_rig.hpp>

#include <yoke/image.hpp>

#include <optional>

using namespace yoke_test;
using namespace yoke_test::graphs;

namespace {

template <class T, class Port>
std::vector<T> elements(const yoke::pagelocked_array<T, Port>& of) {
  return {of.begin(), of.end()};
}

}  // namespace

YOKE_DEVICE_TEST_CASE("graphs copy images from and to all places, in whole and in part", "[graph][image]") {
  graph_rig on(device);
  yoke::image<float, 2, port> first{on.context, {8, 4}}, second{on.context, {8, 4}};
  backend::device_allocation<float> memory{on.context, 32};
  backend::pagelocked_array<float> host{on.context, 32}, back{on.context, 32}, part{on.context, 6};
  for (std::size_t i = 0; i < 32; ++i) host[i] = static_cast<float>(i);
  yoke::graph graph{on.context};
  auto record = graph.record();
  yoke::enqueue_copy(host, first, record);
  yoke::enqueue_copy(first, second, record);
  yoke::enqueue_copy(yoke::region(second, {1, 2}, {3, 2}), part, record);
  yoke::enqueue_copy(yoke::region(first, {0, 0}, {2, 2}), yoke::region(second, {6, 2}, {2, 2}), record);
  yoke::enqueue_copy(second, memory, record);
  const auto written = yoke::enqueue_copy(memory.subspan(8, 8), yoke::region(first, {0, 3}, {8, 1}), record);
  const auto read = yoke::copy_async(first, back, record);
  CHECK(graph.node_count() == 7);
  auto executable = graph.instantiate();
  executable.launch(on.stream);
  on.stream.synchronize();
  std::vector<float> expected(host.begin(), host.end()), whole = expected;
  CHECK(elements(part) == std::vector<float>{17, 18, 19, 25, 26, 27});
  whole[22] = 0, whole[23] = 1, whole[30] = 8, whole[31] = 9;
  CHECK(download(memory, on.stream) == whole);
  std::copy(expected.begin() + 8, expected.begin() + 16, expected.begin() + 24);
  CHECK(elements(back) == expected);

  for (float& each : host) each += 100;
  executable.disable(written);
  executable.launch(on.stream);
  on.stream.synchronize();
  CHECK(elements(back) == elements(host));
  executable.disable(read);
  executable.launch(on.stream);
  on.stream.synchronize();
}

YOKE_DEVICE_TEST_CASE("graphs copy volumes and layers, and layers to planes", "[graph][image]") {
  graph_rig on(device);
  yoke::image<std::int32_t, 3, port> volume{on.context, {5, 4, 3}};
  yoke::layered_image<std::int32_t, 1, port> lines{on.context, 5, 4};
  yoke::image<std::int32_t, 2, port> plane{on.context, {5, 4}};
  backend::pagelocked_array<std::int32_t> host{on.context, 60}, back{on.context, 20}, box{on.context, 30};
  for (std::size_t i = 0; i < 60; ++i) host[i] = static_cast<std::int32_t>(i);
  std::fill(box.begin(), box.end(), -1);
  yoke::graph graph{on.context};
  auto record = graph.record();
  yoke::enqueue_copy(host, volume, record);
  yoke::enqueue_copy(yoke::region(volume, {0, 0, 2}, {5, 4}), lines, record);  // a row of one is a layer of the other
  yoke::enqueue_copy(lines, plane, record);
  yoke::enqueue_copy(plane, back, record);
  const yoke::box_layout odd{.width = 2, .height = 2, .depth = 2, .row_pitch = 3, .slice_pitch = 7};
  yoke::enqueue_copy(yoke::region(volume, {1, 1, 1}, {2, 2, 2}), yoke::strided(box, odd), record);
  const auto executable = graph.instantiate();
  executable.launch(on.stream);
  on.stream.synchronize();
  CHECK(elements(back) == std::vector<std::int32_t>(host.begin() + 40, host.end()));
  std::vector<std::int32_t> expected(30, -1);
  for (std::size_t z = 0; z < 2; ++z) {
    for (std::size_t y = 0; y < 2; ++y) {
      for (std::size_t x = 0; x < 2; ++x) expected[z * 7 + y * 3 + x] = host[(z + 1) * 20 + (y + 1) * 5 + x + 1];
    }
  }
  CHECK(elements(box) == expected);
}

YOKE_DEVICE_TEST_CASE("graphs fill images, in whole and in part", "[graph][image]") {
  graph_rig on(device);
  yoke::layered_image<float, 2, port> planes{on.context, {4, 4}, 3};
  yoke::image<yoke::float4, 2, port> wide{on.context, {3, 2}};
  backend::pagelocked_array<float> back{on.context, 48};
  backend::pagelocked_array<yoke::float4> texels{on.context, 6};
  auto executable = [&] {
    yoke::graph graph{on.context};
    auto record = graph.record();
    yoke::fill(planes, 1.5F, record);
    yoke::fill(yoke::region(planes, {1, 1, 1}, {2, 2, 2}), 2.5F, record);
    yoke::enqueue_copy(planes, back, record);
    auto other = record.fork();
    yoke::fill(wide, yoke::float4{1, 2, 3, 4}, other);
    yoke::enqueue_copy(wide, texels, other);
    return graph.instantiate();
  }();
  std::vector<float> expected(48, 1.5F);
  for (const std::size_t z : {1U, 2U}) {
    for (const std::size_t y : {1U, 2U}) expected[z * 16 + y * 4 + 1] = expected[z * 16 + y * 4 + 2] = 2.5F;
  }
  for (int times = 0; times < 2; ++times) {
    std::fill(back.begin(), back.end(), 0.0F);
    executable.launch(on.stream);
    on.stream.synchronize();
    CHECK(elements(back) == expected);
    CHECK(texels[5].w == 4);
    CHECK(texels[0].x == 1);
  }
}

YOKE_DEVICE_TEST_CASE("images and samplers are arguments of recorded launches, and change", "[graph][image]") {
  graph_rig on(device);
  const auto module = yoke::compile(on.context, R"(
YOKE_KERNEL sampled(YOKE_READ_IMAGE_2D(float, from), YOKE_SAMPLER(by), YOKE_GLOBAL float* to) {
  int i = (int)get_global_id(0);
  to[i] = yoke_sample_2d(float, from, by, (float)i + 0.5f, 1.5f);
}
YOKE_KERNEL doubled(YOKE_READ_IMAGE_2D(float, from), YOKE_WRITE_IMAGE_2D(float, to)) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  yoke_write_2d(float, to, x, y, 2 * yoke_read_2d(float, from, x, y));
})");
  const auto sampled = yoke::get_kernel<void(yoke::read_image<float, 2>, yoke::sampler, float*)>(module, "sampled");
  const auto doubled =
      yoke::get_kernel<void(yoke::read_image<float, 2>, yoke::write_image<float, 2>)>(module, "doubled");
  yoke::image<float, 2, port> first{on.context, {8, 4}}, second{on.context, {8, 4}};
  backend::device_allocation<float> memory{on.context, 8};
  yoke::graph graph{on.context};
  auto record = graph.record();
  yoke::fill(first, 3.0F, record);
  yoke::fill(yoke::region(first, {2, 1}, {1, 1}), 9.0F, record);
  doubled(record, {.grid = {8, 4}, .block = {1, 1}}, first, second);
  const auto node = sampled(record, {.grid = 1, .block = 8}, second, yoke::sampler{}, memory);
  auto executable = graph.instantiate();
  CHECK(launched(executable, memory, on.stream) == std::vector<float>{6, 6, 18, 6, 6, 6, 6, 6});
  node.set(executable, first, yoke::sampler{}, memory);
  CHECK(launched(executable, memory, on.stream) == std::vector<float>{3, 3, 9, 3, 3, 3, 3, 3});
}

YOKE_DEVICE_TEST_CASE("a graph keeps an image that it was given, and checks images", "[graph][image]") {
  using Catch::Matchers::ContainsSubstring;
  graph_rig on(device);
  backend::pagelocked_array<float> host{on.context, 32};
  std::fill(host.begin(), host.end(), 7.0F);
  auto executable = [&] {
    yoke::graph graph{on.context};
    auto& image = graph.keep(yoke::image<float, 2, port>{on.context, {8, 4}});
    auto record = graph.record();
    yoke::fill(image, 2.0F, record);
    yoke::enqueue_copy(image, host, record);
    yoke::image<float, 2, port> empty;
    backend::pagelocked_array<float> shorter{on.context, 31};
    CHECK_THROWS_WITH(yoke::fill(empty, 1.0F, record), ContainsSubstring("empty"));
    CHECK_THROWS_WITH(yoke::enqueue_copy(shorter, image, record), ContainsSubstring("31"));
    const auto other = Backend::another_context(on.device);
    yoke::image<float, 2, port> foreign{other, {8, 4}};
    CHECK_THROWS_WITH(yoke::enqueue_copy(image, foreign, record), ContainsSubstring("of another context"));
    CHECK(graph.node_count() == 3);
    return graph.instantiate();
  }();
  executable.launch(on.stream);
  on.stream.synchronize();
  CHECK(elements(host) == std::vector<float>(32, 2.0F));
}
