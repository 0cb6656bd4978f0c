// SPDX-License-Identifier: MIT
// The arrays' kernels, compiled by NVRTC for each kind of element, with their parameters compared by type.
#include <array/array_rig.hpp>
#include <yoke/cuda/compile_to.hpp>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

template <class To, class From>
std::size_t copy_kernel_bytes(std::size_t rank, bool wide = false, bool to_bool = false) {
  const cu::compiled_image image =
      cu::compile_to(cu::image_kind::cubin, yoke::detail::copy_source(),
                     {.defines = yoke::detail::copy_definitions<To, From>(rank, wide, to_bool),
                      .kernels = {yoke::typed<void(To*, const From*, yoke::detail::copy_axes)>("yoke_a_copy")},
                      .architecture = "sm_90"});
  CHECK(image.log.empty());
  return image.bytes.size();
}

}  // namespace

TEST_CASE("NVRTC compiles the kernels of arrays without a device", "[array]") {
  if (!cu::nvrtc_available()) YOKE_SKIP("no NVRTC: none is installed");
  CHECK(copy_kernel_bytes<std::uint8_t, std::uint8_t>(1) > 0);
  CHECK(copy_kernel_bytes<std::uint64_t, std::uint64_t>(9, true) > 0);
  CHECK(copy_kernel_bytes<float, int>(3) > 0);
  CHECK(copy_kernel_bytes<std::uint8_t, double>(2, false, true) > 0);
  CHECK(copy_kernel_bytes<yoke::half, double>(2) > 0);
  CHECK(copy_kernel_bytes<yoke::bfloat16, yoke::half>(2) > 0);
  CHECK(copy_kernel_bytes<std::int64_t, yoke::bfloat16>(2, true) > 0);
  const auto sequence_bytes = []<class T>(T) {
    return cu::compile_to(cu::image_kind::cubin, yoke::detail::sequence_source(),
                          {.defines = yoke::specialise<T>("T"),
                           .kernels = {yoke::typed<void(T*, T, T, std::int64_t)>("yoke_a_sequence")},
                           .architecture = "sm_90"})
        .bytes.size();
  };
  CHECK(sequence_bytes(std::int8_t{}) > 0);
  CHECK(sequence_bytes(std::uint64_t{}) > 0);
  CHECK(sequence_bytes(float{}) > 0);
  CHECK(sequence_bytes(double{}) > 0);
}
