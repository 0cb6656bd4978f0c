// SPDX-License-Identifier: MIT
// A kernel's image takes images of its dimensions, texels and backend, not const if it is written; a sampler takes a sampler.
// The first error names the position, what was given and what is expected, and says what to pass.
// expect 1: \bpass_an_image\b.*kernel_argument_mismatch<1, .*\bgiven_device_memory<float>.*\bexpected_image_of<float, .*d2
// expect 2: \bpass_an_image_of_the_parameters_dimensions\b.*kernel_argument_mismatch<1, .*\bgiven_image_of<float, .*d3>.*\bexpected_image_of<float, .*d2
// expect 3: \bkernels_read_its_texels_as_another_type_unorm_std_uint8_t_4_is_read_as_float4\b.*kernel_argument_mismatch<1, .*\bgiven_image_of<int, .*\bexpected_image_of<float, .*d2
// expect 4: \bpass_an_image_of_the_kernels_backend\b.*kernel_argument_mismatch<1, .*\bgiven_image_of<float, .*\bexpected_image_of<float, .*d2
// expect 5: \bthe_kernel_writes_it_pass_an_image_that_is_not_const\b.*kernel_argument_mismatch<3, .*\bgiven_image_of<.*float, 4.*\bexpected_image_of<.*float, 4
// expect 6: \bpass_a_yoke_sampler\b.*kernel_argument_mismatch<2, .*\bgiven_value<int>.*\bexpected_sampler
// expect 7: \bpass_an_image_of_the_parameters_dimensions\b.*kernel_argument_mismatch<4, .*\bgiven_image_of<float, .*d2>.*\bexpected_image_of<float, .*d2_layered
// expect 8: \bpass_device_memory_or_nullptr\b.*kernel_argument_mismatch<1, .*\bgiven_image_of<float, .*d2>.*\bexpected_device_memory<float>
// expect 9: \bpass_an_image\b.*kernel_argument_mismatch<1, .*\bgiven_host_range<float>.*\bexpected_image_of<float, .*d2
// expect 10: kernels read 1, 2 or 4 channels
// expect 11: \bpass_an_image_of_the_kernels_backend\b.*kernel_argument_mismatch<1, .*\bgiven_image_of<float, .*\bexpected_image_of<float, .*d2
// expect 12: \bkernels_read_its_texels_as_another_type_unorm_std_uint8_t_4_is_read_as_float4\b.*kernel_argument_mismatch<3, .*\bgiven_image_of<float, .*\bexpected_image_of<.*float, 4
// expect 13: \bkernels_only_read_srgb_texels\b.*kernel_argument_mismatch<3, .*\bgiven_image_of<.*float, 4.*\bexpected_image_of<.*float, 4
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/image.hpp>
#include <yoke/link.hpp>
#include <yoke/random.hpp>
#include <yoke/struct.hpp>
#include <yoke/yoke.hpp>

#include <vector>

namespace cu = yoke::cuda;
namespace ocl = yoke::opencl;

using filtered = void(yoke::read_image<float, 2>, yoke::sampler, yoke::write_image<yoke::float4, 2>,
                      yoke::read_layered_image<float, 2>);
extern const ocl::kernel<filtered>& kernel;
extern const ocl::stream& stream;
extern const cu::kernel<void(yoke::read_image<float, 2>)>& on_cuda;
extern const cu::stream& cuda_stream;
extern const ocl::kernel<void(float*)>& of_memory;
extern const ocl::module& module;
extern ocl::image<float, 2>& plane;
extern const ocl::image<yoke::unorm<std::uint8_t>, 2>& bytes;
extern ocl::image<float, 3>& volume;
extern ocl::image<std::int32_t, 2>& integers;
extern cu::image<float, 2>& on_cuda_plane;
extern ocl::image<yoke::float4, 2>& colours;
extern const ocl::image<yoke::float4, 2>& constant;
extern const ocl::layered_image<float, 2>& layers;
extern ocl::device_allocation<float>& floats;
extern ocl::image<yoke::srgba8, 2>& srgb;
extern const ocl::sampler& native;
extern std::vector<float>& host;

void launch() {
  [[maybe_unused]] const yoke::sampler by{};
#if YOKE_BAD == 1
  kernel(stream, {.grid = 1}, floats, by, colours, layers);
#elif YOKE_BAD == 2
  kernel(stream, {.grid = 1}, volume, by, colours, layers);
#elif YOKE_BAD == 3
  kernel(stream, {.grid = 1}, integers, by, colours, layers);
#elif YOKE_BAD == 4
  kernel(stream, {.grid = 1}, on_cuda_plane, by, colours, layers);
#elif YOKE_BAD == 5
  kernel(stream, {.grid = 1}, plane, by, constant, layers);
#elif YOKE_BAD == 6
  kernel(stream, {.grid = 1}, plane, 3, colours, layers);
#elif YOKE_BAD == 7
  (void)kernel.enqueue(stream, {.grid = 1}, plane, by, colours, plane);
#elif YOKE_BAD == 8
  of_memory(stream, {.grid = 1}, plane);
#elif YOKE_BAD == 9
  kernel(stream, {.grid = 1}, host, by, colours, layers);
#elif YOKE_BAD == 10
  (void)module.get_kernel<void(yoke::read_image<yoke::vec<float, 8>, 2>)>("wide");
#elif YOKE_BAD == 11
  on_cuda(cuda_stream, {.grid = 1}, plane);
#elif YOKE_BAD == 12
  kernel(stream, {.grid = 1}, plane, by, plane, layers);
#elif YOKE_BAD == 13
  kernel(stream, {.grid = 1}, plane, by, srgb, layers);
#else
  kernel(stream, {.grid = 1}, plane, by, colours, layers);
  kernel(stream, {.grid = 1}, bytes, native, colours, layers);
  (void)kernel.enqueue(stream, {.grid = 1}, plane, by, colours, layers);
  on_cuda(cuda_stream, {.grid = 1}, on_cuda_plane);
  of_memory(stream, {.grid = 1}, floats);
  (void)module.get_kernel<void(yoke::read_image<yoke::float4, 2>)>("wide");
#endif
}

int main() {}
