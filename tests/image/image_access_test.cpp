// SPDX-License-Identifier: MIT
// Images that kernels only read, or only write.
#include <image/image_rig.hpp>

#include <string>
#include <vector>

using namespace yoke_test;

namespace {
constexpr const char* access_source = R"(
YOKE_KERNEL put(YOKE_WRITE_IMAGE_2D(float, to)) {
  yoke_write_2d(float, to, (int)get_global_id(0), 0, (float)get_global_id(0) + 10.0f);
}
YOKE_KERNEL get(YOKE_READ_IMAGE_2D(float, from), YOKE_GLOBAL float* to) {
  int i = (int)get_global_id(0);
  to[i] = yoke_read_2d(float, from, i, 0);
}
)";
using put_signature = void(yoke::write_image<float, 2>);
using get_signature = void(yoke::read_image<float, 2>, float*);

/// Returns: what is alive besides programs and kernels, whose clones launches make.
std::vector<std::string> living(const auto& on) {
  auto all = on.live();
  std::erase_if(all, [](const std::string& each) { return each.starts_with("program") || each.starts_with("kernel"); });
  return all;
}
}  // namespace

YOKE_DEVICE_TEST_CASE("kernels read a read-only image and write a write-only one", "[image]") {
  rig on(device);
  using image = yoke::image<float, 2, port>;
  const auto module = yoke::compile(on.context, access_source);
  const auto put = yoke::get_kernel<put_signature>(module, "put");
  const auto get = yoke::get_kernel<get_signature>(module, "get");
  const auto texels = counting<float>(4);
  const auto before = living(on);
  {
    image source{on.context, texels, {4, 1}, on.stream, {.kernels = yoke::kernel_access::read_only}};
    image sink{on.context, {4, 1}, {.kernels = yoke::kernel_access::write_only}};
    const image both{on.context, {4, 1}};
    CHECK(source.kernels() == yoke::kernel_access::read_only);
    CHECK(sink.kernels() == yoke::kernel_access::write_only);
    CHECK(both.kernels() == yoke::kernel_access::read_write);
    std::vector<float> found(4);
    get(on.stream, {.grid = 1, .block = 4}, source, yoke::out(found));
    CHECK(found == texels);
    put(on.stream, {.grid = 1, .block = 4}, sink);
    yoke::copy(sink, found, on.stream);
    CHECK(found == std::vector<float>{10, 11, 12, 13});
    // Copies and fills write and read either.
    yoke::copy(found, source, on.stream);
    yoke::copy(source, sink, on.stream);
    yoke::fill(yoke::region(source, {0, 0}, {1, 1}), 5.0F, on.stream);
    yoke::copy(source, found, on.stream);
    CHECK(found == std::vector<float>{5, 11, 12, 13});

    const std::size_t mark = on.driver.mark();
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] { put(on.stream, {.grid = 1, .block = 4}, source); }),
               ContainsSubstring("argument 1, an image, is written by the kernel") &&
                   ContainsSubstring("kernel_access::read_only"));
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] { get(on.stream, {.grid = 1, .block = 4}, sink, yoke::out(found)); }),
               ContainsSubstring("argument 1, an image, is read by the kernel") &&
                   ContainsSubstring("kernel_access::write_only"));
    CHECK(on.enqueued(mark) == 0);
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] {
                                            image(on.context, {4, 1}, {.kernels = static_cast<yoke::kernel_access>(3)});
                                          }),
               ContainsSubstring("an image has .kernels 3"));
  }
  CHECK(living(on) == before);
}

YOKE_DEVICE_TEST_CASE("layered images have an access, and an adopted image has the one that it was made with",
                      "[image]") {
  rig on(device);
  using layers = yoke::layered_image<float, 2, port>;
  const auto texels = counting<float>(24);
  layers pages{on.context, texels, {4, 3}, 2, on.stream, {.kernels = yoke::kernel_access::read_only}};
  CHECK(pages.kernels() == yoke::kernel_access::read_only);
  std::vector<float> found(24);
  yoke::copy(pages, found, on.stream);
  CHECK(found == texels);
  const auto lent = layers::borrow(on.context, pages.native_handle(), {4, 3}, 2);
  CHECK(lent.kernels() == yoke::kernel_access::read_only);
  const layers plain{on.context, {4, 3}, 2};
  CHECK(layers::borrow(on.context, plain.native_handle(), {4, 3}, 2).kernels() == yoke::kernel_access::read_write);
}

YOKE_DEVICE_TEST_CASE("the driver knows what kernels may do with an image", "[image]") {
  rig on(device);
  const std::size_t mark = on.driver.mark();
  const yoke::image<float, 2, port> source{on.context, {4, 1}, {.kernels = yoke::kernel_access::read_only}};
  const yoke::image<float, 2, port> sink{on.context, {4, 1}, {.kernels = yoke::kernel_access::write_only}};
  if constexpr (std::same_as<port, yoke::cuda::port>) {
    CHECK(on.driver.count("surface_create", mark) == 1);
    CHECK(yoke::cuda::array<float>::borrow(on.context, source.native_handle()).descriptor().flags == 0);
    CHECK(yoke::cuda::array<float>::borrow(on.context, sink.native_handle()).descriptor().flags ==
          yoke::cuda::abi::array_surface_ldst);
  } else {
    CHECK((ocl::memory_description_of(source).flags & ocl::abi::mem_read_only) != 0);
    CHECK((ocl::memory_description_of(sink).flags & ocl::abi::mem_write_only) != 0);
  }
}
