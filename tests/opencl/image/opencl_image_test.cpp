// SPDX-License-Identifier: MIT
// What only OpenCL has of images: formats, descriptions, images over buffers, maps, native samplers, and features that are lacking.
#include <image/image_rig.hpp>
#include <yoke/array.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

using namespace yoke_test;

YOKE_OPENCL_TEST_CASE("an image that does not fit is named with its shape and its bytes", "[image][opencl]") {
  rig on(device);
  const std::string most = std::to_string(ocl::get(on.device, ocl::info::max_mem_alloc_size));
  const auto check = [&](const char* text, const auto& act) {
    on.driver.fail_function("create_image", 1, fault_mode::once, opencl_backend::codes::out_of_memory);
    CHECK_THAT(refusal<yoke::memory_error>(yoke::errc::out_of_memory, act),
               ContainsSubstring(text + std::string(": the device takes up to ") + most + " in one allocation") &&
                   ContainsSubstring("clCreateImage"));
    on.driver.disarm();
  };
  using pixel = yoke::unorm<std::uint8_t, 4>;
  check("a 2D image of 640 x 480 of unorm8 x 4, 1228800 bytes", [&] { ocl::image<pixel, 2>(on.context, {640, 480}); });
  check("a 3D image of 8 x 4 x 2 of float32, 256 bytes", [&] { ocl::image<float, 3>(on.context, {8, 4, 2}); });
  check("a 2D layered image of 4 x 3, 5 layers of float32 x 4, 960 bytes", [&] {
    ocl::layered_image<yoke::float4, 2>(on.context, {4, 3}, 5);
  });
  CHECK(on.live().empty());
}

YOKE_OPENCL_TEST_CASE("supported formats are asked, and lacking ones refused by name", "[image][opencl]") {
  rig on(device);
  const auto formats = ocl::supported_image_formats(on.context, yoke::image_kind::d2);
  CHECK(!formats.empty());
  CHECK(ocl::has_image_format<yoke::float4>(on.context));
  if (!ocl::has_image_format<yoke::srgba8>(on.context)) {
    CHECK_THAT(refusal<yoke::unsupported_error>(yoke::errc::unsupported,
                                                [&] {
                                                  ocl::image<yoke::srgba8, 2>(on.context, {4, 4});
                                                }),
               ContainsSubstring("no 2D images of srgb8 x 4; it has ") && ContainsSubstring("float32 x 4"));
  }
  ocl::image<yoke::float4, 2> image{on.context, {5, 3}};
  const auto told = ocl::description_of(image);
  CHECK(told.width == 5);
  CHECK(told.height == 3);
  CHECK(told.element_bytes == 16);
  CHECK(told.row_pitch_bytes >= 80);
  CHECK(told.format.channel_order == ocl::abi::order_rgba);
  CHECK(told.buffer == nullptr);
  CHECK(told.mip_levels == 0);
  CHECK(told.samples == 0);
  const auto memory = ocl::memory_description_of(image);
  CHECK(memory.type == ocl::abi::mem_object_image2d);
  CHECK(memory.size_bytes >= 5 * 3 * 16);
  CHECK(memory.context == on.context.native_handle());
  CHECK(memory.reference_count == 1);
  const ocl::image<yoke::float4, 2> none;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)ocl::description_of(none); }),
             ContainsSubstring("image"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)ocl::memory_description_of(none); }),
             ContainsSubstring("image"));
}

YOKE_OPENCL_TEST_CASE("a line of texels shares a buffer's memory", "[image][opencl]") {
  rig on(device);
  ocl::device_allocation<float> buffer{on.context, counting<float>(16), on.stream};
  const auto line = ocl::image_over(buffer, 12);
  CHECK(ocl::description_of(line).buffer == buffer.native_handle());
  const auto module = yoke::compile(on.context, R"(
    kernel void twice(read_only image1d_buffer_t from, global float* to) {
      int i = get_global_id(0);
      to[i] = 2 * read_imagef(from, i).x;
    })");
  std::vector<float> found(12);
  module.get_kernel<void(yoke::read_image<float, 1>, float*)>("twice")(on.stream, {.grid = 12}, line, yoke::out(found));
  CHECK(found[0] == 2.0F);
  CHECK(found[11] == 24.0F);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { (void)ocl::image_over(buffer, 17); }),
             ContainsSubstring("needs 68 bytes of its buffer, which has 64"));
}

YOKE_OPENCL_TEST_CASE("a line over a buffer is filled and copied as other images are", "[image][opencl]") {
  rig on(device);
  const auto texels = random_texels<float>(16);
  ocl::device_allocation<float> buffer{on.context, texels, on.stream};
  auto line = ocl::image_over(buffer, 16);
  buffer.reset();  // the line keeps the memory
  const auto now = [&] {
    std::vector<float> back(16);
    yoke::copy(line, back, on.stream);
    return back;
  };
  CHECK(now() == texels);
  auto wanted = texels;
  yoke::fill(yoke::region(line, 3, 5), 2.5F, on.stream);
  std::fill_n(wanted.begin() + 3, 5, 2.5F);
  CHECK(now() == wanted);

  ocl::image<float, 2> plane{on.context, {4, 3}};
  ocl::image<float, 1> other{on.context, 16};
  ocl::device_allocation<float> memory{on.context, 20};
  yoke::copy(line, other, on.stream);
  yoke::fill(line, 0.0F, on.stream);
  CHECK(now() == std::vector<float>(16));
  yoke::copy(yoke::region(other, 1, 14), yoke::region(line, 2, 14), on.stream);
  std::vector<float> moved(16);
  std::copy_n(wanted.begin() + 1, 14, moved.begin() + 2);
  CHECK(now() == moved);
  yoke::copy(line, memory.subspan(4, 16), on.stream);
  yoke::fill(line, 0.0F, on.stream);
  yoke::copy(memory.subspan(6, 5), yoke::region(line, 11, 5), on.stream);
  std::vector<float> tail(16);
  std::copy_n(moved.begin() + 2, 5, tail.begin() + 11);
  CHECK(now() == tail);
  yoke::copy(yoke::region(line, 11, 4), yoke::region(plane, {0, 2}, {4, 1}), on.stream);
  std::vector<float> row(4);
  yoke::copy(yoke::region(plane, {0, 2}, {4, 1}), row, on.stream);
  CHECK(row == std::vector<float>(tail.begin() + 11, tail.begin() + 15));

  // Two lines over one buffer each.
  ocl::device_allocation<float> second{on.context, texels, on.stream};
  auto to = ocl::image_over(second, 16);
  yoke::copy(yoke::region(line, 11, 2), yoke::region(to, 0, 2), on.stream);
  std::vector<float> both = texels;
  std::copy_n(tail.begin() + 11, 2, both.begin());
  CHECK(download(second, on.stream) == both);
}

YOKE_OPENCL_TEST_CASE("a command of a line takes the buffer while that is an object, else the line",
                      "[image][opencl]") {
  rig on(device);
  constexpr ocl::abi::status invalid_memory_object = -38, out_of_host_memory = -6;
  ocl::device_allocation<float> buffer{on.context, counting<float>(16), on.stream};
  auto line = ocl::image_over(buffer, 16);
  std::size_t mark = on.driver.mark();
  yoke::fill(line, 1.0F, on.stream);
  CHECK(on.driver.count("enqueue_fill_buffer", mark) == 1);
  CHECK(on.driver.count("retain_memory", mark) == 1);
  CHECK(on.driver.count("release_memory", mark) == 1);

  // As drivers answer to which the buffer has ended with its handle. PoCL 3.1 does not survive these commands of a line.
  ocl::device_allocation<float> memory{on.context, 16};
  ocl::image<float, 1> other{on.context, 16};
  const auto takes_the_line = [&](const char* command, auto&& act) {
    INFO(command);
    on.driver.fail_function("retain_memory", 1, fault_mode::for_ever, invalid_memory_object);
    on.driver.fail_function(command, 1, fault_mode::once, out_of_host_memory);
    refusal<yoke::memory_error>(yoke::errc::out_of_memory, act);
    on.driver.disarm();
  };
  const std::size_t live = on.live().size();
  mark = on.driver.mark();
  takes_the_line("enqueue_fill_image", [&] { yoke::fill(line, 1.0F, on.stream); });
  takes_the_line("enqueue_copy_image", [&] { yoke::copy(line, other, on.stream); });
  takes_the_line("enqueue_copy_image", [&] { yoke::copy(other, line, on.stream); });
  takes_the_line("enqueue_copy_buffer_to_image", [&] { yoke::copy(memory, line, on.stream); });
  takes_the_line("enqueue_copy_image_to_buffer", [&] { yoke::copy(line, memory, on.stream); });
  CHECK(on.driver.count("release_memory", mark) == 0);

  // Another failure is one, and a command that fails lets the buffer go.
  on.driver.fail_function("retain_memory", 1, fault_mode::once, out_of_host_memory);
  CHECK_THAT(refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] { yoke::fill(line, 1.0F, on.stream); }),
             ContainsSubstring("clRetainMemObject"));
  on.driver.fail_function("enqueue_fill_buffer", 1, fault_mode::once, out_of_host_memory);
  refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] { yoke::fill(line, 1.0F, on.stream); });
  CHECK(on.live().size() == live);
  buffer.reset();
  line.reset();
  CHECK(on.live().size() == live - 2);
}

YOKE_OPENCL_TEST_CASE("images over what is no such buffer are refused", "[image][opencl]") {
  rig on(device);
  ocl::device_allocation<float> buffer{on.context, 64};
  ocl::device_allocation<float> none;
  const auto refused = [&](yoke::errc condition, auto&& act, const char* text) {
    CHECK_THAT(refusal<yoke::logic_error>(condition, act), ContainsSubstring(text));
  };
  using enum yoke::errc;
  const std::size_t mark = on.driver.mark();
  refused(
      empty_handle, [&] { (void)ocl::image_over(none, 4); }, "this device allocation is empty");
  refused(
      empty_handle,
      [&] {
        (void)ocl::image_over(none, {4, 4}, 4);
      },
      "this device allocation is empty");
  refused(
      size_mismatch,
      [&] {
        (void)ocl::image_over(buffer, {8, std::size_t{1} << 62}, 8);
      },
      "an image of 8 x 4611686018427387904 needs");
  refused(
      size_mismatch,
      [&] {
        (void)ocl::image_over(buffer, {8, 2}, (std::size_t{1} << 62) + 8);
      },
      "4611686018427387912 elements apart are above the 64 elements");
  refused(
      invalid_argument,
      [&] {
        (void)ocl::image_over(buffer, {8, 2}, 4);
      },
      "rows 16 bytes apart, below the 32 bytes of a row");
  CHECK(on.driver.mark() == mark);  // no driver was asked
}

YOKE_OPENCL_TEST_CASE("supported formats are those of a kind of image and of the flags", "[image][opencl]") {
  namespace abi = ocl::abi;
  rig on(device);
  abi::ulong flags = 0;
  abi::uint kind = 0;
  on.driver.replace<&abi::functions::get_supported_image_formats>([&](abi::context context, abi::ulong with,
                                                                      abi::uint type, abi::uint room,
                                                                      abi::image_format* list, abi::uint* count) {
    flags = with;
    kind = type;
    return on.driver.real().get_supported_image_formats(context, with, type, room, list, count);
  });
  const auto asked = [&](abi::ulong with, abi::uint type) { return flags == with && kind == type; };
  const auto volumes = ocl::supported_image_formats(on.context, yoke::image_kind::d3, abi::mem_read_only);
  CHECK(!volumes.empty());
  CHECK(asked(abi::mem_read_only, abi::mem_object_image3d));
  (void)ocl::supported_image_formats(on.context, yoke::image_kind::d2, abi::mem_write_only);
  CHECK(asked(abi::mem_write_only, abi::mem_object_image2d));
  (void)ocl::supported_image_formats(on.context, yoke::image_kind::d2);
  CHECK(asked(abi::mem_read_write, abi::mem_object_image2d));
}

YOKE_OPENCL_TEST_CASE("a format that no line over a buffer has is named before the driver is asked for one",
                      "[image][opencl]") {
  rig on(device);
  on.driver.replace<&ocl::abi::functions::get_supported_image_formats>(
      [&](ocl::abi::context context, ocl::abi::ulong flags, ocl::abi::uint type, ocl::abi::uint room,
          ocl::abi::image_format* list, ocl::abi::uint* count) -> ocl::abi::status {
        if (type != ocl::abi::mem_object_image1d_buffer) {
          return on.driver.real().get_supported_image_formats(context, flags, type, room, list, count);
        }
        if (count != nullptr) *count = 1;
        if (list != nullptr && room != 0) *list = {ocl::abi::order_rgba, ocl::abi::type_float};
        return 0;
      });
  ocl::device_allocation<float> numbers{on.context, 16};
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] { (void)ocl::image_over(numbers, 16); }),
             ContainsSubstring("no 1D images of float32 over buffers; it has float32 x 4"));
  CHECK(on.driver.count("create_image", mark) == 0);
  ocl::device_allocation<yoke::float4> colours{on.context, 16};
  CHECK(ocl::image_over(colours, 16).width() == 16);
  CHECK(on.driver.count("create_image", mark) == 1);
}

YOKE_OPENCL_TEST_CASE("a plane over a buffer is made, or the lacking feature is named", "[image][opencl]") {
  rig on(device);
  ocl::device_allocation<float> buffer{on.context, counting<float>(64 * 8), on.stream};
  try {
    const auto plane = ocl::image_over(buffer, {5, 8}, 64);
    std::vector<float> back(40);
    yoke::copy(plane, back, on.stream);
    CHECK(back[5] == 65.0F);
  } catch (const yoke::unsupported_error& e) {
    CHECK(e.code() == yoke::errc::unsupported);
    CHECK_THAT(e.what(), ContainsSubstring("no 2D images over buffers (cl_khr_image2d_from_buffer)"));
    return;
  }
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::misaligned,
                                        [&] {
                                          (void)ocl::image_over(buffer, {5, 4}, 7);
                                        }),
             ContainsSubstring("rows 28 bytes apart, which is no multiple of ") && ContainsSubstring("ALIGNMENT"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] {
                                          (void)ocl::image_over(buffer, {64, 9}, 64);
                                        }),
             ContainsSubstring("needs 2304 bytes of its buffer, which has 2048"));
}

YOKE_OPENCL_TEST_CASE("a line or a plane over a buffer is held to the device's limits", "[image][opencl]") {
  static decltype(ocl::abi::functions::get_device_info) real = nullptr;
  real = device.port().table()->get_device_info;
  ocl::abi::functions smaller = *device.port().table();
  smaller.get_device_info = [](ocl::abi::device of, ocl::abi::uint what, std::size_t bytes, void* value,
                               std::size_t* needed) -> ocl::abi::status {
    if (what == ocl::info::image_pitch_alignment.code && bytes == sizeof(ocl::abi::uint)) {
      *static_cast<ocl::abi::uint*>(value) = 1;
      return 0;
    }
    const ocl::abi::status status = real(of, what, bytes, value, needed);
    const bool is_limited = what == ocl::info::image2d_max_width.code || what == ocl::info::image2d_max_height.code ||
                            what == ocl::info::image_max_buffer_size.code;
    if (is_limited && value != nullptr && bytes == sizeof(std::size_t)) *static_cast<std::size_t*>(value) = 8;
    return status;
  };
  const ocl::context context(ocl::device::borrow(ocl::port{&smaller}, device.native_handle()));
  ocl::device_allocation<float> buffer{context, 100};
  const auto told = [&](auto&& act) { return refusal<yoke::logic_error>(yoke::errc::invalid_argument, act); };
  CHECK_THAT(told([&] { (void)ocl::image_over(buffer, 9); }),
             ContainsSubstring("width 9, above this device's 8 (CL_DEVICE_IMAGE_MAX_BUFFER_SIZE)"));
  CHECK_THAT(told([&] {
               (void)ocl::image_over(buffer, {9, 2}, 9);
             }),
             ContainsSubstring("width 9, above this device's 8 (CL_DEVICE_IMAGE2D_MAX_WIDTH)"));
  CHECK_THAT(told([&] {
               (void)ocl::image_over(buffer, {8, 9}, 8);
             }),
             ContainsSubstring("height 9, above this device's 8 (CL_DEVICE_IMAGE2D_MAX_HEIGHT)"));
}

YOKE_OPENCL_TEST_CASE("a depth image is made, copied and launched, or the lacking feature is named",
                      "[image][opencl]") {
  rig on(device);
  using yoke::detail::describe_parameter;
  CHECK(describe_parameter<ocl::read_depth_image>().type == "read_only image2d_depth_t");
  CHECK(describe_parameter<ocl::write_layered_depth_image>().type == "write_only image2d_array_depth_t");
  CHECK(describe_parameter<yoke::read_image<float, 2>>().type == "read_only image2d_t");
  const auto check = [&]<class Stored>(std::vector<ocl::depth<Stored>> texels) {
    using depth_image = ocl::image<ocl::depth<Stored>, 2>;
    if (!ocl::has_image_format<ocl::depth<Stored>>(on.context)) {
      CHECK_THAT(refusal<yoke::unsupported_error>(yoke::errc::unsupported,
                                                  [&] {
                                                    depth_image(on.context, {4, 4});
                                                  }),
                 ContainsSubstring("no 2D images of depth") && ContainsSubstring("(cl_khr_depth_images)"));
      return;
    }
    depth_image image{on.context, texels, {2, 2}, on.stream};
    yoke::fill(yoke::region(image, {1, 0}, {1, 1}), texels[0], on.stream);
    texels[1] = texels[0];
    std::vector<ocl::depth<Stored>> back(4);
    yoke::copy(image, back, on.stream);
    CHECK(back == texels);
    const auto module = yoke::compile(on.context, R"(
      kernel void get(read_only image2d_depth_t from, global float* to) { to[0] = read_imagef(from, (int2)(0, 1)); }
    )");
    std::vector<float> found(1);
    module.get_kernel<void(ocl::read_depth_image, float*)>("get")(on.stream, {.grid = 1}, image, yoke::out(found));
    CHECK(found[0] == Approx(0.5F).margin(1e-4));
  };
  check(std::vector<ocl::depth<float>>{{0.25F}, {0.75F}, {0.5F}, {1}});
  check(std::vector<ocl::depth<std::uint16_t>>{{100}, {7}, {32768}, {65535}});
}

YOKE_CUDA_TEST_CASE("CUDA refuses depth images by name", "[image][cuda]") {
  rig on(device);
  CHECK_THAT(refusal<yoke::unsupported_error>(yoke::errc::unsupported,
                                              [&] {
                                                yoke::cuda::image<ocl::depth<float>, 2>(on.context, {4, 4});
                                              }),
             ContainsSubstring("CUDA has no images of depth32: take unorm16 or float32"));
}

YOKE_OPENCL_TEST_CASE("a native sampler that filters is refused for integers, and an empty one names itself",
                      "[image][opencl]") {
  rig on(device);
  const auto kernel =
      yoke::get_kernel<void(yoke::read_image<yoke::int4, 2>, yoke::sampler, int*)>(yoke::compile(on.context, R"(
YOKE_KERNEL whole(YOKE_READ_IMAGE_2D(int4, from), YOKE_SAMPLER(by), YOKE_GLOBAL int* to) {
  to[0] = yoke_sample_2d(int4, from, by, 1.5f, 0.5f).x;
}
)"),
                                                                                   "whole");
  const ocl::image<yoke::int4, 2> image{
      on.context, std::vector<yoke::int4>{{1, 0, 0, 0}, {2, 0, 0, 0}}, {2, 1}, on.stream};
  ocl::device_allocation<int> to{on.context, 1};
  const auto refused = [&](const ocl::sampler& by) {
    const std::size_t mark = on.driver.mark();
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] { kernel(on.stream, {.grid = 1}, image, by, to); }),
               ContainsSubstring("argument 2 is a sampler with filter_mode::linear") &&
                   ContainsSubstring("integers, which cannot be filtered"));
    CHECK(on.driver.mark() == mark);
  };
  const ocl::sampler smooth{on.context, {.filter = yoke::filter_mode::linear}};
  refused(smooth);
  refused(ocl::sampler::borrow(on.context, smooth.native_handle()));
  try {
    const std::vector<std::uint64_t> linear{ocl::abi::sampler_filter_mode, ocl::abi::filter_linear, 0};
    refused(ocl::sampler(on.context, std::span<const std::uint64_t>(linear)));
    const std::vector<std::uint64_t> nearest{0};
    kernel(on.stream, {.grid = 1}, image, ocl::sampler(on.context, std::span<const std::uint64_t>(nearest)), to);
  } catch (const yoke::unsupported_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("clCreateSamplerWithProperties"));
  }
  kernel(on.stream, {.grid = 1}, image, ocl::sampler(on.context, yoke::sampler{}), to);
  CHECK(download(to, on.stream) == std::vector<int>{2});
  const ocl::sampler none;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)none.description(); }),
             ContainsSubstring("sampler"));
}

YOKE_OPENCL_TEST_CASE("an image is migrated to the device and to the host", "[image][opencl]") {
  rig on(device);
  const ocl::image<float, 2> image{on.context, counting<float>(12), {4, 3}, on.stream};
  const std::size_t mark = on.driver.mark();
  ocl::migrate(image, on.stream, true);
  ocl::migrate(image, on.stream);
  CHECK(on.driver.count("enqueue_migrate_memory", mark) == 2);
  std::vector<float> back(12);
  yoke::copy(image, back, on.stream);
  CHECK(back == counting<float>(12));
  const ocl::image<float, 2> none;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { ocl::migrate(none, on.stream); }),
             ContainsSubstring("image"));
}

YOKE_OPENCL_TEST_CASE("an image is mapped for the host by the driver's pitches", "[image][opencl]") {
  rig on(device);
  const auto before = on.live();
  {
    ocl::image<float, 2> image{on.context, counting<float>(35), {7, 5}, on.stream};
    ocl::migrate(image, on.stream);
    {
      const auto view = ocl::map_image(image, on.stream, {2, 1}, {3, 2});
      CHECK(view.extent() == yoke::extent3(3, 2));
      CHECK(view.row_pitch_bytes() >= 12);
      CHECK(view.row(1)[2] == 19.0F);
      const yoke::host_view<float, 2> table = view.view<2>();
      CHECK(table.shape() == yoke::shape{2, 3});
      CHECK((table(1, 2) == 19.0F && table(0, 1) == 11.0F && view.view<3>()(0, 1, 2) == 19.0F));
      CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { (void)view.view<1>(); }),
                 ContainsSubstring("a view of 1 axes of a mapped image of {3, 2, 1} texels"));
      table(0, 0) = 100;
    }
    std::vector<float> back(35);
    yoke::copy(image, back, on.stream);
    CHECK(back[9] == 100.0F);
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                          [&] {
                                            (void)ocl::map_image(image, on.stream, {6, 0}, {2, 1});
                                          }),
               ContainsSubstring("x = 6"));
  }
  CHECK(on.live() == before);
}

YOKE_OPENCL_TEST_CASE("images of every kind are mapped and described", "[image][opencl]") {
  rig on(device);
  const auto check = [&](auto& image, const yoke::image_origin& origin, const yoke::extent3& part,
                         const std::vector<float>& texels, std::size_t width, std::size_t height) {
    const auto told = ocl::description_of(image);
    CHECK(told.width == image.width());
    const auto at_least_one = [](std::size_t count) { return std::max(count, std::size_t{1}); };  // drivers say 0 or 1
    CHECK(at_least_one(told.height) == image.height());
    CHECK(at_least_one(told.depth) == image.depth());
    CHECK(at_least_one(told.layers) == image.layers());
    CHECK(told.element_bytes == 4);
    if (image.depth() * image.layers() > 1) CHECK(told.slice_pitch_bytes >= image.width() * image.height() * 4);
    auto expected = texels;
    {
      const auto view = ocl::map_image(image, on.stream, origin, part);
      CHECK(view.extent() == part);
      bool same = true;
      for (std::size_t z = 0; z < part.z; ++z) {
        for (std::size_t y = 0; y < part.y; ++y) {
          const std::span<float> row = view.row(y, z);
          same = same && &view.template view<3>()(z, y, 0) == row.data();
          REQUIRE(row.size() == part.x);
          for (std::size_t x = 0; x < part.x; ++x) {
            const std::size_t at = origin.at[0] + x + width * (origin.at[1] + y + height * (origin.at[2] + z));
            same = same && row[x] == texels[at];
            expected[at] = row[x] = -texels[at] - 1;
          }
        }
      }
      CHECK(same);
    }
    CHECK(yoke::to_host(image, on.stream) == expected);
  };
  const auto texels = random_texels<float>(60);
  const auto first = [&](std::size_t count) {
    return std::vector<float>(texels.begin(), texels.begin() + static_cast<std::ptrdiff_t>(count));
  };
  ocl::image<float, 1> line{on.context, first(9), 9, on.stream};
  check(line, {2}, {5}, first(9), 9, 1);
  ocl::image<float, 2> plane{on.context, first(35), {7, 5}, on.stream};
  check(plane, {3, 1}, {4, 4}, first(35), 7, 5);
  ocl::image<float, 3> volume{on.context, first(60), {5, 4, 3}, on.stream};
  check(volume, {1, 2, 1}, {3, 2, 2}, first(60), 5, 4);
  ocl::layered_image<float, 1> lines{on.context, first(36), 9, 4, on.stream};
  check(lines, {4, 1}, {5, 2}, first(36), 9, 4);
  ocl::layered_image<float, 2> planes{on.context, first(60), {5, 4}, 3, on.stream};
  check(planes, {0, 1, 1}, {5, 3, 2}, first(60), 5, 4);
}

YOKE_OPENCL_TEST_CASE("maps and migrations of images refuse wrong streams and regions", "[image][opencl]") {
  rig on(device);
  ocl::image<float, 2> image{on.context, counting<float>(12), {4, 3}, on.stream};
  const ocl::context elsewhere = opencl_backend::another_context(on.device);
  const ocl::stream foreign{elsewhere};
  ocl::stream moved{on.context};
  const ocl::stream kept = std::move(moved);
  const auto refused = [&](yoke::errc condition, auto&& act, const char* text) {
    CHECK_THAT(refusal<yoke::logic_error>(condition, act), ContainsSubstring(text));
  };
  using enum yoke::errc;
  const std::size_t mark = on.driver.mark();
  for (const ocl::stream* wrong : {&foreign, &std::as_const(moved)}) {
    const bool is_empty = wrong == &moved;
    const auto condition = is_empty ? empty_handle : wrong_context;
    const char* const text = is_empty ? "this stream is empty" : "the image is of another context than the stream";
    refused(
        condition,
        [&] {
          (void)ocl::map_image(image, *wrong, {}, {1, 1});
        },
        text);
    refused(
        condition, [&] { ocl::migrate(image, *wrong); }, text);
  }
  refused(
      invalid_argument,
      [&] {
        (void)ocl::map_image(image, on.stream, {}, {4, 0});
      },
      "a region of {4, 0, 1} has no texels to map");
  CHECK(on.driver.mark() == mark);
}

YOKE_OPENCL_TEST_CASE("a map of an image outlives its stream and its image", "[image][opencl]") {
  rig on(device);
  const auto before = on.live();
  {
    std::optional<ocl::image<float, 2>> image(std::in_place, on.context, counting<float>(12), yoke::extent3{4, 3},
                                              on.stream);
    {
      std::optional<ocl::stream> own(on.context);
      const auto view = ocl::map_image(*image, *own, {1, 1}, {2, 2});
      own.reset();
      view.row(1)[1] = 100;
    }
    CHECK(yoke::to_host(*image, on.stream)[10] == 100.0F);
    const auto last = ocl::map_image(*image, on.stream, {}, {4, 3});
    image.reset();
    CHECK(last.row(2)[2] == 100.0F);
    last.row(2)[2] = 7;
  }
  CHECK(on.live() == before);
}

YOKE_OPENCL_TEST_CASE("native samplers are made by fields and properties, asked, adopted and launched",
                      "[image][opencl]") {
  rig on(device);
  const auto before = on.live();
  {
    ocl::sampler smooth{
        on.context, {.address = yoke::address_mode::repeat, .filter = yoke::filter_mode::linear, .normalised = true}};
    const auto told = smooth.description();
    CHECK(told.normalised);
    CHECK(told.address == ocl::abi::address_repeat);
    CHECK(told.filter == ocl::abi::filter_linear);
    CHECK(told.references == 1);
    CHECK(told.context == on.context.native_handle());
    CHECK_THAT(
        refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                   [&] { ocl::sampler(on.context, {.address = yoke::address_mode::mirrored_repeat}); }),
        ContainsSubstring("mirrored_repeat needs normalised coordinates"));
    const auto native = smooth.release();
    CHECK(!smooth);
    { const auto lent = ocl::sampler::borrow(on.context, native); }
    smooth = ocl::sampler::adopt(on.context, native);
    CHECK(smooth.native_handle() == native);
    const std::vector<std::uint64_t> properties{ocl::abi::sampler_filter_mode,
                                                ocl::abi::filter_linear,
                                                ocl::abi::sampler_normalized_coords,
                                                0,
                                                ocl::abi::sampler_addressing_mode,
                                                ocl::abi::address_clamp_to_edge,
                                                0};
    ocl::image<float, 1> line{on.context, counting<float>(4), 4, on.stream};
    const auto module = yoke::compile(on.context, R"(
YOKE_KERNEL k(YOKE_READ_IMAGE_1D(float, from), YOKE_SAMPLER(by), YOKE_GLOBAL float* to) {
  to[0] = yoke_sample_1d(float, from, by, 2.0f);
}
)");
    const auto kernel = module.get_kernel<void(yoke::read_image<float, 1>, yoke::sampler, float*)>("k");
    std::vector<float> found(1);
    try {
      const ocl::sampler by(on.context, std::span<const std::uint64_t>(properties));
      const auto kept = by.description().properties;
      CHECK((kept.empty() || kept == properties));  // from OpenCL 3.0 on
      kernel(on.stream, {.grid = 1}, line, by, yoke::out(found));
      CHECK(found[0] == 2.5F);
      // Without the 0 at the end, which the driver gets all the same.
      const std::vector<std::uint64_t> pairs(properties.begin(), properties.end() - 1);
      const ocl::sampler open(on.context, pairs);
      CHECK(open.description().properties == kept);
      CHECK(open.description().filter == ocl::abi::filter_linear);
      CHECK_FALSE(open.description().normalised);
      kernel(on.stream, {.grid = 1}, line, open, yoke::out(found));
      CHECK(found[0] == 2.5F);
      CHECK(ocl::sampler(on.context, std::span(properties).first(0)).description().filter == ocl::abi::filter_nearest);
    } catch (const yoke::unsupported_error& e) {
      CHECK_THAT(e.what(), ContainsSubstring("clCreateSamplerWithProperties"));
    }
    CHECK_THAT(refusal<yoke::logic_error>(
                   yoke::errc::invalid_argument,
                   [&] { ocl::sampler(on.context, std::span<const std::uint64_t>(properties).first(3)); }),
               ContainsSubstring("the 3 numbers of a sampler's properties end in a key without a value"));
    const ocl::sampler none;
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle,
                                          [&] { kernel(on.stream, {.grid = 1}, line, none, yoke::out(found)); }),
               ContainsSubstring("argument 2, a sampler, is empty"));
  }
  CHECK(on.live() == before);
}

YOKE_OPENCL_TEST_CASE("texels are copied to and from shared virtual memory", "[image][opencl]") {
  if (!device.port().svm(device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  rig on(device);
  const std::vector<float> texels = counting<float>(20);
  const std::vector<float> zeros(20);
  ocl::image<float, 2> image{on.context, zeros, {5, 4}, on.stream};
  ocl::svm_allocation<float, ocl::svm::coarse> shared{on.context, 20, on.stream};
  yoke::copy(texels, shared, on.stream);
  yoke::copy(shared, image, on.stream);
  std::vector<float> found(20);
  yoke::copy(image, found, on.stream);
  CHECK(found == texels);

  yoke::fill(shared, 0.0F, on.stream);
  yoke::copy_async(image, shared, on.stream).wait();
  CHECK(yoke::to_host(shared, on.stream) == texels);

  // Regions, and memory whose rows are further apart.
  const yoke::box_layout part{.width = 2, .height = 3, .row_pitch = 5, .offset = 6};
  yoke::fill(shared, -1.0F, on.stream);
  yoke::copy(yoke::region(image, {1, 1}, {2, 3}), yoke::strided(shared, part), on.stream);
  std::vector<float> wanted(20, -1.0F);
  for (const std::size_t at : {6u, 7u, 11u, 12u, 16u, 17u}) wanted[at] = texels[at];
  CHECK(yoke::to_host(shared, on.stream) == wanted);
  yoke::fill(image, 0.0F, on.stream);
  yoke::copy(yoke::strided(shared, part), yoke::region(image, {3, 0}, {2, 3}), on.stream);
  yoke::copy(image, found, on.stream);
  CHECK((found[3] == texels[6] && found[4] == texels[7] && found[14] == texels[17] && found[2] == 0 && found[19] == 0));

  if (device.port().svm(device.native_handle(), {}).fine) {
    ocl::svm_allocation<float, ocl::svm::fine> fine{on.context, 20, on.stream};
    yoke::copy(texels, image, on.stream);
    yoke::copy(image, fine, on.stream);
    CHECK(std::equal(fine.begin(), fine.end(), texels.begin()));
  }
  refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { yoke::copy(image, shared.subspan(0, 19), on.stream); });
  const auto view = shared.map(on.stream, ocl::map_read);
  refusal<yoke::logic_error>(yoke::errc::mapped, [&] { yoke::copy(shared, image, on.stream); });
}

YOKE_OPENCL_TEST_CASE("an image is made with access flags, and launches keep to them", "[image][opencl]") {
  rig on(device);
  const auto flags_of = [&](const ocl::image_options& options) {
    return ocl::memory_description_of(ocl::make_image<yoke::float4, 2>(on.context, {5, 3}, options)).flags;
  };
  CHECK(flags_of({}) == ocl::abi::mem_read_write);
  CHECK(flags_of({.kernels = ocl::kernel_access::read_only}) == ocl::abi::mem_read_only);
  CHECK(flags_of({.kernels = ocl::kernel_access::write_only}) == ocl::abi::mem_write_only);
  CHECK(flags_of({.host = ocl::host_access::none}) == (ocl::abi::mem_read_write | ocl::abi::mem_host_no_access));
  CHECK(flags_of({.in_host_memory = true}) == (ocl::abi::mem_read_write | ocl::abi::mem_alloc_host_ptr));
  const auto module = yoke::compile(on.context, R"(
      YOKE_KERNEL copy(YOKE_READ_IMAGE_2D(float4, from), YOKE_WRITE_IMAGE_2D(float4, to)) {
        int x = (int)get_global_id(0);
        yoke_write_2d(float4, to, x, 0, yoke_read_2d(float4, from, x, 0));
      })");
  const auto copy =
      module.get_kernel<void(yoke::read_image<yoke::float4, 2>, yoke::write_image<yoke::float4, 2>)>("copy");
  const auto from = ocl::make_image<2>(on.context, std::vector<yoke::float4>(5, {1, 2, 3, 4}), {5, 1},
                                       {.kernels = ocl::kernel_access::read_only});
  auto to = ocl::make_image<yoke::float4, 2>(on.context, {5, 1}, {.kernels = ocl::kernel_access::write_only});
  copy(on.stream, {.grid = 1, .block = 5}, from, to);
  CHECK(yoke::to_host(to, on.stream)[4].z == 3);
  auto read = ocl::make_image<yoke::float4, 2>(on.context, {5, 1}, {.kernels = ocl::kernel_access::read_only});
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { copy(on.stream, {.grid = 1, .block = 5}, from, read); }),
             ContainsSubstring("argument 2, an image, is written by the kernel") &&
                 ContainsSubstring("kernel_access::read_only"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { copy(on.stream, {.grid = 1, .block = 5}, to, to); }),
             ContainsSubstring("argument 1, an image, is read by the kernel") &&
                 ContainsSubstring("kernel_access::write_only"));
}

YOKE_OPENCL_TEST_CASE("an image copies texels of the host whose rows and slices lie apart", "[image][opencl]") {
  rig on(device);
  const auto host = counting<float>(7 * 5 * 3);
  const auto plane = ocl::make_image<2>(on.context, host, {4, 3}, {.row_pitch = 7});
  const auto rows = yoke::to_host(plane, on.stream);
  const auto volume = ocl::make_image<3>(on.context, host, {4, 3, 2}, {.row_pitch = 7, .slice_pitch = 35});
  const auto slices = yoke::to_host(volume, on.stream);
  const auto dense = ocl::make_image<1>(on.context, host, 105);
  CHECK(yoke::to_host(dense, on.stream) == host);
  for (std::size_t y = 0; y < 3; ++y) {
    for (std::size_t x = 0; x < 4; ++x) {
      INFO(x << ", " << y);
      CHECK(rows[4 * y + x] == host[7 * y + x]);
      CHECK(slices[12 + 4 * y + x] == host[35 + 7 * y + x]);
    }
  }
  const auto refuse = [&](yoke::errc code, const char* words, auto&& act) {
    CHECK_THAT(refusal<yoke::logic_error>(code, act), ContainsSubstring(words));
  };
  using yoke::errc;
  refuse(errc::size_mismatch, "the rows of 4 texels do not fit a row pitch of 3", [&] {
    (void)ocl::make_image<2>(on.context, host, {4, 3}, {.row_pitch = 3});
  });
  refuse(errc::size_mismatch, "takes 112 texels of the host, and the range has 105", [&] {
    (void)ocl::make_image<2>(on.context, host, {4, 16}, {.row_pitch = 7});
  });
  refuse(errc::size_mismatch, "a slice pitch of 30 texels is no multiple of the row pitch of 7 that holds 3 rows", [&] {
    (void)ocl::make_image<3>(on.context, host, {4, 3, 2}, {.row_pitch = 7, .slice_pitch = 30});
  });
  refuse(errc::invalid_argument, "has no slice pitch", [&] {
    (void)ocl::make_image<2>(on.context, host, {4, 3}, {.slice_pitch = 35});
  });
  refuse(errc::invalid_argument, "has no pitches", [&] {
    (void)ocl::make_image<float, 2>(on.context, {4, 3}, {.row_pitch = 7});
  });
  refuse(errc::size_mismatch, "the range has no texels", [&] {
    (void)ocl::make_image<2>(on.context, std::vector<float>(), {4, 3});
  });
  CHECK(ocl::make_image<2>(on.context, host, {4, 15}, {.row_pitch = 7}).height() == 15);
}

YOKE_OPENCL_TEST_CASE("an image over texels of the host keeps them", "[image][opencl]") {
  rig on(device);
  {
    auto over = ocl::image_over<2>(on.context, counting<float>(28), {4, 4}, {.row_pitch = 7});
    const auto memory = ocl::memory_description_of(over);
    CHECK((memory.flags & ocl::abi::mem_use_host_ptr) != 0);
    CHECK(memory.host_pointer != nullptr);
    CHECK(yoke::to_host(over, on.stream)[5] == counting<float>(28)[8]);
    yoke::fill(over, 3.0F, on.stream);
    const auto view = ocl::map_image(over, on.stream, {0, 0}, {4, 4}, yoke::map_mode::read);
    CHECK(view.row(3)[3] == 3);
  }
  refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
    (void)ocl::image_over<2>(on.context, std::vector<float>(16), {4, 4}, {.in_host_memory = true});
  });
  CHECK(on.live().empty());
}
