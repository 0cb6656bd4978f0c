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
  (void)integers;
#endif
}

int main() {}
