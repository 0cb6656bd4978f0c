// SPDX-License-Identifier: MIT
// What the verbs of MPI's communicators take.
// expect 1: ranks exchange device memory and page-locked memory, no other memory of the host
// expect 2: the destination is const
// expect 3: both ranges have to have elements of the same type
// expect 4: MPI reduces integers, half, bfloat16, float, double and complex numbers; other elements can be moved
// expect 5: yoke::averaged of integers would round: reduce by yoke::summed, and divide
// expect 6: complex numbers are reduced by yoke::summed alone
// expect 7: the memory ends with the statement, and MPI still uses it: pass a variable
// expect 8: no matching|no viable|cannot convert|could not convert|no match
// expect 9: an operator is yoke::summed, multiplied, smallest, largest, averaged, or a function object without state of two elements
// expect 10: nodiscard|ignored|ignoring
// expect 11: no matching|no viable|cannot convert|could not convert|no match
// expect 12: pass device memory: an allocation, a span, an array or a view
// expect 13: yoke::averaged of integers would round
#include <yoke/mpi.hpp>

#include <yoke/graph.hpp>

#include <complex>
#include <vector>

#if YOKE_BAD == 10
#pragma GCC diagnostic error "-Wunused-result"
#endif

struct particle {
  float place[3];
};

extern yoke::mpi::communicator<>& world;
extern yoke::stream<>& stream;
extern yoke::cuda::stream& cuda_stream;
extern yoke::device_array<float, 1>&a, &b;
extern const yoke::device_array<float, 1>& constant;
extern yoke::device_array<double, 1>& d;
extern yoke::device_array<int, 1>& n;
extern yoke::device_array<std::complex<float>, 1>& z;
extern yoke::device_allocation<particle>& particles;
extern std::vector<float>& host;
extern std::vector<int>& numbers;
extern yoke::graph_recorder<>& record;

void use() {
#if YOKE_BAD == 1
  world.all_reduce(host, yoke::summed, stream);
#elif YOKE_BAD == 2
  world.broadcast(constant, 0, stream);
#elif YOKE_BAD == 3
  world.all_gather(a, d, stream);
#elif YOKE_BAD == 4
  world.all_reduce(particles, yoke::summed, stream);
#elif YOKE_BAD == 5
  world.all_reduce(n, yoke::averaged, stream);
#elif YOKE_BAD == 6
  world.all_reduce(z, yoke::multiplied, stream);
#elif YOKE_BAD == 7
  auto sum = world.send_async(a.copy(), 0, stream);
#elif YOKE_BAD == 8
  world.all_reduce(a, yoke::summed, cuda_stream);
#elif YOKE_BAD == 9
  int mask = 5;
  world.all_reduce(
      n, [mask](int x, int y) { return (x | y) & mask; }, stream);
#elif YOKE_BAD == 10
  world.all_reduce_async(a, yoke::summed, stream);
#elif YOKE_BAD == 11
  world.all_reduce(a, yoke::summed, record);
#elif YOKE_BAD == 12
  world.send(5, 1, stream);
#elif YOKE_BAD == 13
  world.all_reduce(numbers, yoke::averaged);
#else
  world.all_reduce(host, yoke::summed);
  world.all_reduce(numbers, yoke::summed);
  world.broadcast(a, 0, stream);
  world.all_gather(constant, b, stream);
  world.broadcast(particles, 0, stream);
  world.all_reduce(n, yoke::summed, stream);
  world.all_reduce(z, yoke::summed, stream);
  auto sent = world.send_async(a, 0, stream);
  world.all_reduce(
      n, [](int x, int y) { return x | y; }, stream);
  auto sum = world.all_reduce_async(a, yoke::summed, stream);
#endif
}
