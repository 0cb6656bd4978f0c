// SPDX-License-Identifier: MIT
// Images hold texels that a format has, in 1 to 3 dimensions; copies keep texels and constness; textures keep what they read.
// expect 1: constraint|no type named|template argument .* is invalid|not satisfied
// expect 2: constraint|not satisfied|template argument
// expect 3: constraint|not satisfied|template argument
// expect 4: texels of 0 to 1 are stored as std::uint8_t or std::uint16_t
// expect 5: the_element_types_differ_see_a_range_by_as_texels_of_unorm_std_uint8_t_4_or_its_like
// expect 6: const
// expect 7: \bthe_destination_is_const_pass_memory_that_is_not_const\b.*fill_mismatch<const float>
// expect 8: no matching (function|conversion)
// expect 9: deleted|implicitly-deleted
// expect 10: constraint
// expect 11: the range ends with the statement: pass a variable
// expect 12: the_element_types_differ_see_a_range_by_as_texels_of_unorm_std_uint8_t_4_or_its_like.*unorm<unsigned char, 4>
// expect 13: the_element_types_differ_see_a_range_by_as_texels_of_unorm_std_uint8_t_4_or_its_like.*unorm<unsigned char, 4>
// expect 14: the_element_types_differ_see_a_range_by_as_texels_of_unorm_std_uint8_t_4_or_its_like.*unorm<unsigned char, 4>
// expect 15: the_element_types_differ_see_a_range_by_as_texels_of_unorm_std_uint8_t_4_or_its_like.*unorm<unsigned char, 4>
// expect 16: the_texels_are_of_another_type_pass_a_unorm_std_uint8_t_4_or_its_like.*fill_mismatch<.*unorm<unsigned char, 4>
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/image.hpp>
#include <yoke/link.hpp>
#include <yoke/random.hpp>
#include <yoke/struct.hpp>
#include <yoke/yoke.hpp>

#include <memory>
#include <vector>

namespace cu = yoke::cuda;
namespace ocl = yoke::opencl;

extern const ocl::stream& stream;
extern const cu::context& cuda_context;
extern ocl::image<float, 2>& plane;
extern const ocl::image<float, 2>& constant;
extern cu::device_allocation<float>& memory;
extern std::vector<float>& host;
extern std::vector<int>& integers;
extern const ocl::context& context;
using colour = yoke::unorm<std::uint8_t, 4>;
extern ocl::image<colour, 2>& picture;
extern ocl::image<yoke::float4, 2>& other_picture;
extern yoke::device_array<yoke::uchar4, 2, ocl::port>& colours;
extern std::vector<std::uint8_t>& bytes;

void use() {
#if YOKE_BAD == 1
  (void)ocl::image<double, 2>{};
#elif YOKE_BAD == 2
  (void)ocl::image<float, 4>{};
#elif YOKE_BAD == 3
  (void)ocl::layered_image<float, 3>{};
#elif YOKE_BAD == 4
  (void)sizeof(yoke::unorm<int, 4>);
#elif YOKE_BAD == 5
  yoke::copy(integers, plane, stream);
#elif YOKE_BAD == 6
  yoke::copy(host, constant, stream);
#elif YOKE_BAD == 7
  yoke::fill(constant, 1.0F, stream);
#elif YOKE_BAD == 8
  (void)cu::texture(memory);
#elif YOKE_BAD == 9
  auto copied = plane;
#elif YOKE_BAD == 10
  (void)cu::array<double>(cuda_context, {.width = 4});
#elif YOKE_BAD == 11
  yoke::copy(yoke::as_texels<float>(std::vector<float>(4)), plane, stream);
#elif YOKE_BAD == 12
  (void)ocl::image<colour, 2>(context, bytes, {2, 2}, stream);
#elif YOKE_BAD == 13
  yoke::copy(other_picture, picture, stream);
#elif YOKE_BAD == 14
  yoke::copy(colours, picture, stream);
#elif YOKE_BAD == 15
  yoke::copy(picture, bytes, stream);
#elif YOKE_BAD == 16
  yoke::fill(picture, yoke::uchar4{1, 2, 3, 4}, stream);
#else
  (void)ocl::image<float, 3>{};
  (void)ocl::layered_image<float, 2>{};
  (void)sizeof(yoke::unorm<std::uint16_t, 4>);
  yoke::copy(host, plane, stream);
  yoke::copy(constant, host, stream);
  yoke::fill(plane, 1.0F, stream);
  (void)cu::texture(std::make_shared<const cu::device_allocation<float>>(std::move(memory)));
  auto moved = std::move(plane);
  (void)cu::array<yoke::int2>(cuda_context, {.width = 4});
  yoke::copy(yoke::as_texels<float>(host), plane, stream);
  const auto texels = yoke::as_texels<colour>(bytes);
  (void)ocl::image<colour, 2>(context, texels, {2, 2}, stream);
  yoke::copy(picture, picture, stream);
  yoke::copy(texels, picture, stream);
  yoke::copy(picture, texels, stream);
  yoke::fill(picture, colour{{1, 2, 3, 4}}, stream);
  (void)integers;
#endif
}

int main() {}
