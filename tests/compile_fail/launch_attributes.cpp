// SPDX-License-Identifier: MIT
// What a backend does not have of launches and streams does not compile there, nor where the backend is chosen at run time.
// expect 1: no (match|matching)
// expect 2: no (match|matching)
// expect 3: no (match|matching)|cannot convert|priority
// expect 4: pass_a_shape_behind_the_stream_as_yoke_launch_over_of_a_count
// expect 5: no (match|matching)
// expect 6: no (match|matching)
// expect 7: no (match|matching)
// expect 8: no (match|matching)
// expect 9: no (match|matching)
// expect 10: no (match|matching)
// expect 11: no (match|matching)
#include <yoke/yoke.hpp>

namespace cu = yoke::cuda;
namespace ocl = yoke::opencl;

extern const ocl::kernel<void(int)>& open_kernel;
extern const ocl::stream& open_stream;
extern const cu::kernel<void(int)>& cuda_kernel;
extern const cu::stream& cuda_stream;
extern const yoke::kernel<void(int)>& any_kernel;
extern const yoke::stream<>& any_stream;
extern const cu::launch_shape& cuda_shape;
extern const yoke::context<>& any_context;
extern const ocl::context& open_context;
extern const cu::context& cuda_context;

void launch() {
#if YOKE_BAD == 1
  open_kernel(open_stream, {.grid = 2, .cluster = 2}, 1);
#elif YOKE_BAD == 2
  open_kernel(open_stream, {.grid = 2, .cooperative = true}, 1);
#elif YOKE_BAD == 3
  (void)open_kernel.enqueue(open_stream, {.grid = 2, .priority = -1}, 1);
#elif YOKE_BAD == 4
  open_kernel(open_stream, cuda_shape, 1);
#elif YOKE_BAD == 5
  cuda_kernel(cuda_stream, {.grid = 2, .global_offset = 1}, 1);
#elif YOKE_BAD == 6
  any_kernel(any_stream, {.grid = 2, .cluster = 2}, 1);
#elif YOKE_BAD == 7
  any_kernel(any_stream, {.grid = 2, .global_offset = 1}, 1);
#elif YOKE_BAD == 8
  any_kernel(any_stream, {.grid = 2, .local_bytes = 16}, 1);
#elif YOKE_BAD == 9
  open_kernel(open_stream, {.grid = 2, .local_bytes = 16}, 1);
#elif YOKE_BAD == 10
  const yoke::stream<> stream{any_context, {.priority = -1}};
#elif YOKE_BAD == 11
  const ocl::stream stream{open_context, {.priority = -1}};
#else
  const yoke::stream_options options{.timing = true};
  const yoke::stream<> any_made{any_context, options};
  const cu::stream cuda_made{cuda_context, options};
  const cu::stream urgent{cuda_context, {.timing = true, .priority = -1}};
  cuda_kernel(cuda_stream, {.grid = 2, .local_bytes = 16}, 1);
  open_kernel(open_stream, yoke::launch_over(100), 1);
  open_kernel(open_stream, {.grid = 2, .global_offset = 1}, 1);
  cuda_kernel(cuda_stream, {.grid = 2, .cluster = 2, .cooperative = true, .priority = -1}, 1);
  cuda_kernel(cuda_stream, cuda_shape, 1);
  cuda_kernel(cuda_stream, yoke::launch_over(100), 1);
  cuda_kernel(cuda_stream, yoke::launch_shape{.grid = 2}, 1);
  (void)cuda_kernel.enqueue(cuda_stream, yoke::launch_over(100, 32), 1);
  const cu::launch_shape kept = yoke::launch_over(100);
  cuda_kernel(cuda_stream, kept, 1);
  any_kernel(any_stream, {.grid = 2}, 1);
#endif
}

int main() {}
