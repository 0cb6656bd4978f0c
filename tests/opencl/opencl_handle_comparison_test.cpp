// SPDX-License-Identifier: MIT
// Equality, order and hashes of the handles that OpenCL alone has, and of its formats of images.
#include <execution/handle_comparison.hpp>
#include <image/image_rig.hpp>

#include <set>

using namespace yoke_test;

YOKE_OPENCL_TEST_CASE("native samplers are compared by the driver's samplers", "[execution][opencl]") {
  rig on(device);
  const ocl::sampler nearest{on.context, yoke::sampler{}};
  const ocl::sampler linear{on.context, {.filter = yoke::filter_mode::linear}};
  check_comparison(nearest, ocl::sampler::borrow(on.context, nearest.native_handle()), linear);
}

YOKE_OPENCL_TEST_CASE("sub-buffers are compared by the driver's sub-buffers", "[execution][opencl]") {
  rig on(device);
  const auto apart = static_cast<std::size_t>(device.limits().base_alignment_bytes / sizeof(int));
  ocl::device_allocation<int> whole{on.context, 2 * apart};
  const ocl::sub_buffer<int> first{whole, 0, apart};
  const ocl::sub_buffer<int> second{whole, apart, apart};
  check_comparison(first, ocl::sub_buffer<int>::borrow(on.context, first.native_handle(), apart), second);
}

YOKE_OPENCL_TEST_CASE("shared virtual memory is compared by its address", "[execution][opencl]") {
  if (!device.port().svm(device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  rig on(device);
  using memory = ocl::svm_allocation<int, ocl::svm::coarse>;
  const memory first{on.context, 8};
  const memory second{on.context, 8, on.stream};
  check_comparison(first, memory::borrow(on.context, first.native_handle(), 8), second);
  const yoke::memory_pool pool{on.context, ocl::svm::coarse{}};
  const memory block{pool, 8, on.stream};
  const memory another{pool, 8, on.stream};
  check_comparison(block, memory::borrow(on.context, block.native_handle(), 8), another);
}

TEST_CASE("OpenCL's formats of images are compared, hashed and printed", "[execution][opencl]") {
  using ocl::abi::image_format;
  const image_format colours{ocl::abi::order_rgba, ocl::abi::type_unorm_int8};
  CHECK(to_string(colours) == "RGBA, UNORM_INT8");
  CHECK(to_string(image_format{ocl::abi::order_r, ocl::abi::type_float}) == "R, FLOAT");
  CHECK(to_string(image_format{ocl::abi::order_bgra, ocl::abi::type_snorm_int16}) == "BGRA, SNORM_INT16");
  CHECK(to_string(image_format{ocl::abi::order_depth, ocl::abi::type_half_float}) == "DEPTH, HALF_FLOAT");
  CHECK(to_string(image_format{ocl::abi::order_srgba, ocl::abi::type_unsigned_int32}) == "sRGBA, UNSIGNED_INT32");
  CHECK(to_string(image_format{0x10C3, 0x10E0}) == "ABGR, UNORM_INT_101010_2");  // the last ones of OpenCL 3.0
  CHECK(to_string(image_format{0x10C4, 1}) == "0x10c4, 0x1");
  CHECK(colours == image_format{ocl::abi::order_rgba, ocl::abi::type_unorm_int8});
  CHECK(image_format{ocl::abi::order_rg, ocl::abi::type_float} < colours);
  const std::hash<image_format> hash;
  CHECK(hash(colours) == hash({ocl::abi::order_rgba, ocl::abi::type_unorm_int8}));
  CHECK(hash(colours) != hash({ocl::abi::order_rgba, ocl::abi::type_unorm_int16}));
  CHECK(hash(colours) != hash({ocl::abi::order_rg, ocl::abi::type_unorm_int8}));
}

YOKE_OPENCL_TEST_CASE("each format that a context has is printed by its own name", "[execution][opencl]") {
  const ocl::context context{device};
  const auto formats = ocl::supported_image_formats(context, yoke::image_kind::d2);
  std::set<std::string> names;
  for (const auto& each : formats) names.insert(to_string(each));
  CHECK(names.size() == std::set<ocl::abi::image_format>(formats.begin(), formats.end()).size());
  CHECK(names.contains("RGBA, FLOAT"));
  const ocl::image<yoke::float4, 2> image{context, {4, 3}};
  CHECK(to_string(ocl::description_of(image).format) == "RGBA, FLOAT");
}
