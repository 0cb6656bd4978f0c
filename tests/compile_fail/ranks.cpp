// SPDX-License-Identifier: MIT
// Verbs of ranks on memory, elements and operators that they do not take.
// expect 1: ranks exchange device memory and page-locked memory, no other memory of the host
// expect 2: the destination is const
// expect 3: source and destination have elements of different types
// expect 4: no matching
// expect 5: no matching
// expect 6: no matching
// expect 7: the memory is of another backend than the communicator or the list
// expect 8: nodiscard|ignored|ignoring
// expect 9: ranks exchange device memory and page-locked memory, no other memory of the host
// expect 10: an array of rank 0 has one element, which cannot be divided
#include <yoke/cuda.hpp>
#include <yoke/local.hpp>
#include <yoke/yoke.hpp>

#include <complex>
#include <vector>

#if YOKE_BAD == 8
#pragma GCC diagnostic error "-Wunused-result"
#endif

extern yoke::local_communicator<>& comm;
extern const yoke::stream<>& s;
extern yoke::device_array<float, 1>& x;
extern yoke::device_array<float, 1>& y;
extern const yoke::device_array<float, 1>& constant;
extern yoke::device_array<int, 1>& n;
extern yoke::device_array<bool, 1>& flags;
extern yoke::device_array<std::complex<float>, 1>& z;
extern yoke::device_array<float, 1, yoke::cuda::port>& elsewhere;
extern std::vector<float>& host;
extern yoke::exchange<>& list;

void use() {
#if YOKE_BAD == 1
  comm.all_reduce(host, yoke::summed, s);
#elif YOKE_BAD == 2
  comm.broadcast(constant, 0, s);
#elif YOKE_BAD == 3
  comm.all_gather(x, n, s);
#elif YOKE_BAD == 4
  comm.all_reduce(flags, yoke::summed, s);
#elif YOKE_BAD == 5
  comm.all_reduce(z, yoke::largest, s);
#elif YOKE_BAD == 6
  comm.all_reduce(x, 3, s);
#elif YOKE_BAD == 7
  list.send(elsewhere, 1);
#elif YOKE_BAD == 8
  comm.run_async(list, s);
#elif YOKE_BAD == 9
  list.receive(host, 1);
#elif YOKE_BAD == 10
  yoke::array_partition<0> none({}, 1, yoke::split_rows);
#else
  comm.all_reduce(x, yoke::summed, s);
  comm.all_reduce(constant, y, yoke::averaged, s);
  comm.all_reduce(z, yoke::summed, s);
  comm.all_reduce(n, yoke::largest, s);
  comm.broadcast(flags, 0, s);
  list.send(constant, 1);
  list.receive(x, 1);
  comm.run_async(list, s).finish(s);
#endif
}
