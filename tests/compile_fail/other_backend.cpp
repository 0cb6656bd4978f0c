// SPDX-License-Identifier: MIT
// Memory of one backend is no argument, side of a copy or target of a fill on a stream of another, and comes of no other's context.
// expect 1: \bpass_memory_of_the_kernels_backend\b.*kernel_argument_mismatch<1, .*given_memory_of<.*any_port.*expected_memory_of<.*opencl::port
// expect 2: \bmemory_and_stream_are_of_different_backends_pass_those_of_one\b.*copy_mismatch<.*any_port
// expect 3: \bmemory_and_stream_are_of_different_backends_pass_those_of_one\b.*copy_mismatch<.*any_port
// expect 4: \bmemory_and_stream_are_of_different_backends_pass_those_of_one\b.*fill_mismatch<.*any_port.*opencl::port
// expect 5: \bmemory_and_stream_are_of_different_backends_pass_those_of_one\b.*copy_mismatch<.*any_port
// expect 6: this context is of another port: write device_allocation<T, Port> with its port
// expect 7: this context is of another port: write device_allocation<T, Port> with its port
#include <yoke/yoke.hpp>

#include <vector>

namespace ocl = yoke::opencl;

extern const ocl::kernel<void(float*)>& kernel;
extern const ocl::context& context;
extern const ocl::stream& stream;
extern ocl::device_allocation<float>& memory;
extern yoke::device_allocation<float>& other;
extern yoke::pagelocked_array<float>& locked;
extern std::vector<float>& host;

void use() {
#if YOKE_BAD == 1
  kernel(stream, {.grid = 1}, other);
#elif YOKE_BAD == 2
  yoke::copy(host, other, stream);
#elif YOKE_BAD == 3
  yoke::copy(other, memory, stream);
#elif YOKE_BAD == 4
  yoke::fill(other, 1.0F, stream);
#elif YOKE_BAD == 5
  (void)yoke::copy_async(locked, memory, stream);
#elif YOKE_BAD == 6
  const yoke::device_allocation<float> made{context, 3};
#elif YOKE_BAD == 7
  const yoke::device_allocation<float> made{context, 3, stream};
#else
  const yoke::device_allocation<float, ocl::port> made{context, 3};
  kernel(stream, {.grid = 1}, memory);
  yoke::copy(host, memory, stream);
  yoke::fill(memory, 1.0F, stream);
#endif
}

int main() {}
