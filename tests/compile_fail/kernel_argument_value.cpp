// SPDX-License-Identifier: MIT
// A value parameter converts only without loss: no floating value to an integer or a narrower type, no other class.
// expect 1: kernel_argument_mismatch<.*position<1>.*given<double>.*expected<int>
// expect 2: kernel_argument_mismatch<.*position<1>.*given<float>.*expected<int>
// expect 3: kernel_argument_mismatch<.*position<2>.*given<double>.*expected<float>
// expect 4: kernel_argument_mismatch<.*position<3>.*given<.*vec<float, 2>.*expected<.*vec<float, 4>
// expect 5: kernel_argument_mismatch<.*position<4>.*given<int>.*expected<.*pair_of_ints>
// expect 6: kernel_argument_mismatch<.*position<1>.*given<bool>.*expected<int>
// expect 7: kernel_argument_mismatch<.*position<1>.*given<char>.*expected<int>
// expect 8: kernel_argument_mismatch<.*position<1>.*given<(std::)?nullptr_t>.*expected<int>
// expect 9: kernel_argument_mismatch<.*position<2>.*given<(long double)>.*expected<float>
// expect 10: kernel_argument_mismatch<.*position<1>.*given<.*device_allocation<int.*expected<int>
// expect 11: kernel_argument_mismatch<.*position<1>.*given<.*colour>.*expected<int>
// expect 12: kernel_argument_mismatch<.*position<2>.*given<double>.*expected<float>
#include <yoke/opencl/opencl.hpp>

namespace ocl = yoke::opencl;

struct pair_of_ints {
  int first, second;
};
enum class colour { red };

extern const ocl::kernel<void(int, float, yoke::float4, pair_of_ints)>& kernel;
extern const ocl::stream& stream;
extern ocl::device_allocation<int>& memory;
extern const yoke::float4 four;
extern const pair_of_ints pair;

void launch() {
#if YOKE_BAD == 1
  kernel(stream, {.grid = 1}, 1.0, 1.0F, four, pair);
#elif YOKE_BAD == 2
  kernel(stream, {.grid = 1}, 1.0F, 1.0F, four, pair);
#elif YOKE_BAD == 3
  kernel(stream, {.grid = 1}, 1, 1.0, four, pair);
#elif YOKE_BAD == 4
  kernel(stream, {.grid = 1}, 1, 1.0F, yoke::float2{}, pair);
#elif YOKE_BAD == 5
  kernel(stream, {.grid = 1}, 1, 1.0F, four, 1);
#elif YOKE_BAD == 6
  kernel(stream, {.grid = 1}, true, 1.0F, four, pair);
#elif YOKE_BAD == 7
  kernel(stream, {.grid = 1}, 'a', 1.0F, four, pair);
#elif YOKE_BAD == 8
  kernel(stream, {.grid = 1}, nullptr, 1.0F, four, pair);
#elif YOKE_BAD == 9
  kernel(stream, {.grid = 1}, 1, 1.0L, four, pair);
#elif YOKE_BAD == 10
  kernel(stream, {.grid = 1}, memory, 1.0F, four, pair);
#elif YOKE_BAD == 11
  kernel(stream, {.grid = 1}, colour::red, 1.0F, four, pair);
#elif YOKE_BAD == 12
  (void)kernel.enqueue(stream, {.grid = 1}, 1, 1.0, four, pair);
#else
  kernel(stream, {.grid = 1}, 1, 1.0F, four, pair);
  kernel(stream, {.grid = 1}, 1UL, 1, four, pair);  // another width, an integer for a float: checked when running
  kernel(stream, {.grid = 1}, short{1}, 1.0F, yoke::float4{}, pair_of_ints{1, 2});
  (void)memory, (void)colour::red;
#endif
}

int main() {}
