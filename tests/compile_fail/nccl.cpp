// SPDX-License-Identifier: MIT
// What ranks of NCCL reduce, move and wait for.
// expect 1: ranks exchange device memory and page-locked memory, no other memory of the host
// expect 2: NCCL moves device memory: copy page-locked memory to the device first
// expect 3: the destination is const
// expect 4: the two ranges have elements of different types
// expect 5: NCCL reduces 8-, 32- and 64-bit integers, half, bfloat16, float and double
// expect 6: NCCL reduces 8-, 32- and 64-bit integers, half, bfloat16, float and double
// expect 7: NCCL reduces complex numbers by yoke::summed alone
// expect 8: NCCL's operators are yoke::summed, multiplied, smallest, largest, averaged and nccl::scaled_sum
// expect 9: the scaled sum is of another type than the elements
// expect 10: the stream is of another backend than the communicator
// expect 11: the memory is of another backend than the communicator or the list
// expect 12: cannot convert|could not convert|no matching|no viable|invalid initialization
// expect 13: nodiscard|ignored|ignoring
// expect 14: no matching|no viable
// expect 15: a clique takes a range of streams that live
// expect 16: a clique takes a range of streams that live
// expect 17: no viable|no matching|deduction failed
// expect 18: no viable|no matching|deduction failed
// expect 19: no matching
// expect 20: average integers of 64 bits, or float
// expect 21: average integers of 64 bits, or float
#include <yoke/array.hpp>
#include <yoke/cuda.hpp>
#include <yoke/graph.hpp>
#include <yoke/nccl.hpp>
#include <yoke/opencl.hpp>
#include <yoke/yoke.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#if YOKE_BAD == 13
#pragma GCC diagnostic error "-Wunused-result"
#endif

struct pair {
  float x, y;
};

/// A range that makes its streams.
struct made_streams {
  struct iterator {
    using value_type = yoke::stream<>;
    using difference_type = std::ptrdiff_t;
    yoke::stream<> operator*() const;
    iterator& operator++();
    iterator operator++(int);
    bool operator==(const iterator&) const;
  };
  iterator begin() const;
  iterator end() const;
};

extern const yoke::nccl::communicator<>& comm;
extern const yoke::stream<>& stream;
extern const yoke::cuda::stream& cuda_stream;
extern yoke::graph_recorder<>& record;
extern const yoke::context<yoke::opencl::port>& opencl_context;
extern yoke::device_allocation<float>& x;
extern const yoke::device_allocation<float>& fixed;
extern yoke::device_allocation<double>& precise;
extern yoke::device_allocation<std::int16_t>& small;
extern yoke::device_allocation<int>& counts;
extern yoke::device_allocation<std::uint8_t>& bytes;
extern yoke::device_allocation<std::int64_t>& wide;
extern yoke::device_allocation<pair>& pairs;
extern yoke::device_allocation<std::complex<float>>& waves;
extern yoke::cuda::device_allocation<float>& of_cuda;
extern yoke::pagelocked_array<float>& pagelocked;
extern std::vector<float>& host;
extern const yoke::nccl::scaled_sum<float>& scaled;
extern const yoke::exchange<>& list;
extern const yoke::nccl::clique<>& all;
extern std::vector<yoke::device_allocation<float>>& parts;
extern const std::vector<yoke::stream<>>& streams;
extern const made_streams& made;
extern const yoke::array_partition<2>& grid;
extern yoke::device_array<float, 2>& plate;
extern std::vector<yoke::device_array<float, 2>>& plates;
extern const std::vector<yoke::device_array<float, 2>>& fixed_plates;
extern yoke::halo_exchange<const yoke::nccl::clique<>>& halo;

void use() {
#if YOKE_BAD == 1
  comm.all_reduce(host, yoke::summed, stream);
#elif YOKE_BAD == 2
  comm.all_reduce(pagelocked, yoke::summed, stream);
#elif YOKE_BAD == 3
  comm.broadcast(fixed, 0, stream);
#elif YOKE_BAD == 4
  comm.all_gather(x, precise, stream);
#elif YOKE_BAD == 5
  comm.all_reduce(small, yoke::summed, stream);
#elif YOKE_BAD == 6
  comm.all_reduce(pairs, yoke::summed, stream);
#elif YOKE_BAD == 7
  comm.all_reduce(waves, yoke::largest, stream);
#elif YOKE_BAD == 8
  comm.all_reduce(x, std::plus<float>(), stream);
#elif YOKE_BAD == 9
  comm.all_reduce(precise, scaled, stream);
#elif YOKE_BAD == 10
  comm.all_reduce(x, yoke::summed, cuda_stream);
#elif YOKE_BAD == 11
  comm.all_reduce(of_cuda, yoke::summed, stream);
#elif YOKE_BAD == 12
  comm.wait(record);
#elif YOKE_BAD == 13
  comm.run_async(list, stream);
#elif YOKE_BAD == 14
  (void)yoke::nccl::communicator{yoke::nccl::unique_id{}, 1, 0, opencl_context};
#elif YOKE_BAD == 15
  all.all_reduce(parts, yoke::summed, made);
#elif YOKE_BAD == 16
  halo.run(made);
#elif YOKE_BAD == 17
  yoke::halo_exchange(all, grid, plate);
#elif YOKE_BAD == 18
  yoke::halo_exchange(all, grid, fixed_plates);
#elif YOKE_BAD == 19
  halo.run(stream);
#elif YOKE_BAD == 20
  comm.all_reduce(counts, yoke::averaged, stream);
#elif YOKE_BAD == 21
  comm.all_reduce(bytes, yoke::averaged, stream);
#else
  comm.all_reduce(wide, yoke::averaged, stream);
  yoke::halo_exchange(all, grid, plates).run(streams);
  halo.run(streams);
  all.all_reduce(parts, yoke::summed, streams);
  comm.all_reduce(x, yoke::summed, stream);
  comm.all_reduce(fixed, x, scaled, stream);
  comm.all_reduce(x, yoke::averaged, record);
  comm.all_reduce(waves, yoke::summed, stream);
  comm.broadcast(pairs, 0, stream);
  comm.send(small, 0, stream);
  comm.wait(stream);
  (void)comm.run_async(list, stream);
#endif
}
