// SPDX-License-Identifier: MIT
// A pointer parameter takes device memory of its element type, constness respected, and nothing of the host's.
// expect 1: kernel_argument_mismatch<.*position<1>.*given<int ?\*>.*expected<float ?\*>
// expect 2: kernel_argument_mismatch<.*position<1>.*given<const float ?\*>.*expected<float ?\*>
// expect 3: kernel_argument_mismatch<.*position<2>.*given<float ?\*>.*expected<const float ?\*>
// expect 4: kernel_argument_mismatch<.*position<1>.*given<.*vector<float>?.*>.*expected<float ?\*>
// expect 5: kernel_argument_mismatch<.*position<2>.*given<.*pagelocked_array<float.*>.*expected<const float ?\*>
// expect 6: kernel_argument_mismatch<.*position<1>.*given<const float ?\*>.*expected<float ?\*>
// expect 7: kernel_argument_mismatch<.*position<2>.*given<double ?\*>.*expected<const float ?\*>
// expect 8: kernel_argument_mismatch<.*position<1>.*given<int>.*expected<float ?\*>
// expect 9: kernel_argument_mismatch<.*position<1>.*given<.*array<float, ?4.*>.*expected<float ?\*>
// expect 10: kernel_argument_mismatch<.*position<2>.*given<unsigned int ?\*>.*expected<const float ?\*>
// expect 11: kernel_argument_mismatch<.*position<2>.*given<int ?\*>.*expected<const float ?\*>
#include <yoke/opencl/opencl.hpp>

#include <array>
#include <vector>

namespace ocl = yoke::opencl;

extern const ocl::kernel<void(float*, const float*)>& kernel;
extern const ocl::stream& stream;
extern ocl::device_allocation<float>& floats;
extern const ocl::device_allocation<float>& constants;
extern ocl::device_allocation<int>& ints;
extern ocl::device_span<const float> view;
extern ocl::pagelocked_array<float>& locked;
extern ocl::svm_allocation<double, ocl::svm::coarse>& doubles;
extern ocl::sub_buffer<unsigned>& part;
extern std::vector<float>& host;
extern float* pointer;

void launch() {
  [[maybe_unused]] std::array<float, 4> array{};
#if YOKE_BAD == 1
  kernel(stream, {.grid = 1}, ints, floats);
#elif YOKE_BAD == 2
  kernel(stream, {.grid = 1}, constants, floats);
#elif YOKE_BAD == 3
  kernel(stream, {.grid = 1}, floats, pointer);
#elif YOKE_BAD == 4
  kernel(stream, {.grid = 1}, host, floats);
#elif YOKE_BAD == 5
  kernel(stream, {.grid = 1}, floats, locked);
#elif YOKE_BAD == 6
  kernel(stream, {.grid = 1}, view, floats);
#elif YOKE_BAD == 7
  kernel(stream, {.grid = 1}, floats, doubles);
#elif YOKE_BAD == 8
  kernel(stream, {.grid = 1}, 0, floats);
#elif YOKE_BAD == 9
  (void)kernel.enqueue(stream, {.grid = 1}, array, floats);
#elif YOKE_BAD == 10
  kernel(stream, {.grid = 1}, floats, part);
#elif YOKE_BAD == 11
  (void)kernel.enqueue(stream, {.grid = 1}, floats, ints);
#else
  kernel(stream, {.grid = 1}, floats, constants);
  kernel(stream, {.grid = 1}, floats.span(), view);
  kernel(stream, {.grid = 1}, nullptr, floats);
  kernel(stream, {.grid = 1}, yoke::out(host), yoke::in(locked));
  (void)kernel.enqueue(stream, {.grid = 1}, floats, constants);
#endif
}

int main() {}
