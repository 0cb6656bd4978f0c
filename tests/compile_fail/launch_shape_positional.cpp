// SPDX-License-Identifier: MIT
// The parts of a launch's shape are named: `{1024, 64}` might mean blocks or threads.
// expect 1: name the parts of a launch's shape: \{\.grid = blocks, \.block = .*yoke::launch_over\(threads\)
// expect 2: name the parts of a launch's shape
// expect 3: name the parts of a launch's shape
// expect 4: name the parts of a launch's shape
// expect 5: name the parts of a launch's shape
// expect 6: name the parts of a launch's shape
// expect 7: name the parts of a launch's shape
// expect 8: name the parts of a launch's shape
// expect 9: no match|parts_are_named
#include <yoke/yoke.hpp>

namespace cu = yoke::cuda;
namespace ocl = yoke::opencl;

extern const ocl::kernel<void(int)>& open_kernel;
extern const ocl::stream& open_stream;
extern const cu::kernel<void(int)>& cuda_kernel;
extern const cu::stream& cuda_stream;
extern const yoke::kernel<void(int)>& any_kernel;
extern const yoke::stream<>& any_stream;
extern const std::size_t blocks;
extern const yoke::extent3 grid;

// What a shape takes by name costs it no room.
static_assert(sizeof(yoke::launch_shape) == 2 * sizeof(yoke::extent3) + sizeof(std::size_t));

void launch() {
#if YOKE_BAD == 1
  open_kernel(open_stream, {1024, 64}, 1);
#elif YOKE_BAD == 2
  cuda_kernel(cuda_stream, {1024, 64}, 1);
#elif YOKE_BAD == 3
  any_kernel(any_stream, {1024}, 1);
#elif YOKE_BAD == 4
  any_kernel(any_stream, {{4, 4}, {8, 8}}, 1);
#elif YOKE_BAD == 5
  (void)open_kernel.enqueue(open_stream, {blocks, 64}, 1);
#elif YOKE_BAD == 6
  (void)any_kernel.enqueue_timed(any_stream, {grid, 64}, 1);
#elif YOKE_BAD == 7
  const yoke::launch_shape shape{1024, 64};
#elif YOKE_BAD == 8
  constexpr cu::launch_shape shape{1024, 64};
#elif YOKE_BAD == 9
  any_kernel(any_stream, {{}, 64}, 1);
#else
  open_kernel(open_stream, {.grid = 1024, .block = 64}, 1);
  cuda_kernel(cuda_stream, {.grid = 1024, .block = 64, .local_bytes = 16, .cooperative = true}, 1);
  any_kernel(any_stream, {.grid = 1024}, 1);
  any_kernel(any_stream, {.grid = {4, 4}, .block = {8, 8}}, 1);
  (void)open_kernel.enqueue(open_stream, {.grid = blocks, .block = 64}, 1);
  (void)any_kernel.enqueue_timed(any_stream, {.grid = grid, .block = 64}, 1);
  any_kernel(any_stream, yoke::launch_over(blocks, 64), 1);
  any_kernel(any_stream, yoke::launch_over({640, 480}, {16, 16}), 1);
  constexpr yoke::launch_shape shape{.grid = 1024, .block = 64};
  constexpr cu::launch_shape on_cuda{.block = 64, .cluster = 2};
  static_assert(shape.dimensions() == 1 && on_cuda.has_cluster());
#endif
}

int main() {}
