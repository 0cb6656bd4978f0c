// SPDX-License-Identifier: MIT
// Ranks, element types, constness and backends of arrays are checked when compiling.
// expect 1: this shape has another number of extents than the array has axes
// expect 2: more indices than the array has axes
// expect 3: this view cannot be written
// expect 4: device memory holds trivially copyable|device arrays hold trivially copyable
// expect 5: a complex number is no real one
// expect 6: no matching|could not convert|no match
// expect 7: more than one ellipsis
// expect 8: no matching|no match
// expect 9: the source has more axes than the destination
// expect 10: a broadcast leaves no axis out
// expect 11: deleted|implicitly-deleted
// expect 12: ignoring return|nodiscard|ignored
// expect 13: this view cannot be written
// expect 14: kernel_argument_mismatch|type_differs|incomplete|expected
// expect 15: elements are converted between arithmetic types
// expect 16: a member of an array's elements is a value
// expect 17: expressions are of numbers|structs have no operators
// expect 18: deleted
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/image.hpp>
#include <yoke/link.hpp>
#include <yoke/random.hpp>
#include <yoke/struct.hpp>
#include <yoke/yoke.hpp>

#include <complex>

struct text {
  std::string words;
};
struct cell {
  int key;
  int counts[2];
  int* place;
};

extern const yoke::stream<yoke::any_port>& stream;
extern const yoke::opencl::stream& other;
extern yoke::device_array<float, 2>& a;
extern const yoke::device_array<float, 2>& constant;
extern yoke::device_array<float, 3>& cube;
extern yoke::device_array<int, 2>& whole_numbers;
extern yoke::device_array<cell, 1>& cells;
extern yoke::device_array<std::complex<float>, 2>& phases;
extern yoke::device_view<float, 1>& row;
extern yoke::opencl::context& opencl_context;
extern const yoke::kernel<void(float*), yoke::any_port>& scale;

void use() {
#if YOKE_BAD == 1
  const yoke::device_array<float, 2> x(stream, {3, 4, 5});
#elif YOKE_BAD == 2
  (void)a(1, 2, 3);
#elif YOKE_BAD == 3
  constant.view().fill(1.0F);
#elif YOKE_BAD == 4
  const yoke::device_array<text, 1> x(stream, {3});
#elif YOKE_BAD == 5
  a.assign(phases);
#elif YOKE_BAD == 6
  const yoke::device_array<float, 2> x(other, {3, 4});
#elif YOKE_BAD == 7
  (void)a(yoke::ellipsis, yoke::ellipsis);
#elif YOKE_BAD == 8
  (void)a(1.5);
#elif YOKE_BAD == 9
  a.assign(cube);
#elif YOKE_BAD == 10
  (void)cube.broadcast_to({3, 4});
#elif YOKE_BAD == 11
  const yoke::device_array<float, 2> copy = a;
#elif YOKE_BAD == 12
  a.to_host_async();
#elif YOKE_BAD == 13
  a.broadcast_to({2, 3, 4}).fill(0.0F);
#elif YOKE_BAD == 14
  scale(stream, yoke::launch_over(3), constant);
#elif YOKE_BAD == 15
  (void)cells.astype<int>();
#elif YOKE_BAD == 16
  (void)cells.member<&cell::place>();
#elif YOKE_BAD == 17
  row = cells;
#elif YOKE_BAD == 18
  (void)a.copy().span();
#else
  const yoke::device_array<float, 2> x(stream, {3, 4});
  (void)a(1, 2);
  (void)a.span();
  (void)a.copy().view();
  a.fill(1.0F);
  a.assign(whole_numbers.astype<float>());
  a.assign(whole_numbers);
  phases.assign(a);
  row = a(0);
  cube.assign(a(yoke::ellipsis, yoke::newaxis));
  (void)a.broadcast_to({2, 3, 4}).to_host();
  auto later = constant.to_host_async();
  scale(stream, yoke::launch_over(3), a);
  cells.member<&cell::key>().fill(3);
#endif
}

int main() {}
