// SPDX-License-Identifier: MIT
// The operations through CUDA's driver interface, over the objects that yoke's side has made; no toolkit needed.
#ifndef YOKE_BENCHMARKS_SIDE_RAW_CUDA_HPP
#define YOKE_BENCHMARKS_SIDE_RAW_CUDA_HPP

#include <yoke/cuda.hpp>

#include "side_yoke.hpp"

namespace bench {

class raw_cuda_side {
 public:
  using abi_stream = yoke::cuda::abi::stream;
  using abi_event = yoke::cuda::abi::event;
  using pointer = yoke::cuda::abi::device_pointer;

  explicit raw_cuda_side(yoke_side<yoke::cuda::port>& of)
      : driver(*of.context.port().table()),
        stream(of.stream.native_handle()),
        other(of.other.native_handle()),
        timed(of.timed.native_handle()),
        kernel_1(find(of, of.kernel_1.native_handle())),
        kernel_8(find(of, of.kernel_8.native_handle())),
        kernel_16(find(of, of.kernel_16.native_handle())),
        kernel_busy(find(of, of.kernel_busy.native_handle())),
        a(of.a.native_handle()),
        b(of.b.native_handle()),
        busy_count(of.busy_count),
        existing(of.existing.native_handle()),
        pending(of.pending.native_handle()) {
    const yoke::cuda::abi::array_descriptor plane{image_edge, image_edge, 0, yoke::cuda::abi::array_format{1},
                                                  1,          0};  // of bytes
    check(driver.array_create(&picture, &plane), "cuArray3DCreate");
  }
  ~raw_cuda_side() { driver.array_destroy(picture); }
  raw_cuda_side(const raw_cuda_side&) = delete;
  raw_cuda_side& operator=(const raw_cuda_side&) = delete;

  template <class... Arguments>
  void launch_kernel(yoke::cuda::abi::function function, abi_stream on, Arguments... arguments) {
    void* pointers[] = {&arguments...};
    check(driver.launch_kernel(function, 1, 1, 1, block, 1, 1, 0, on, pointers, nullptr), "cuLaunchKernel");
  }
  void busy() { launch_kernel(kernel_busy, stream, a, busy_count); }
  void synchronize() { check(driver.stream_synchronize(stream), "cuStreamSynchronize"); }

  template <int Arguments>
  void launch() {
    if constexpr (Arguments == 1) launch_kernel(kernel_1, stream, a);
    if constexpr (Arguments == 8) launch_kernel(kernel_8, stream, a, b, b, b, 1.0f, 2.0f, 3, 64);
    if constexpr (Arguments == 16) {
      launch_kernel(kernel_16, stream, a, b, b, b, b, b, b, b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64);
    }
  }

  /// The same with other values each time.
  template <int Arguments>
  void launch_changing() {
    const int i = ++step;
    const auto f = static_cast<float>(i);
    if constexpr (Arguments == 8) launch_kernel(kernel_8, stream, a, b, b, b, f, f, i, i);
    if constexpr (Arguments == 16) launch_kernel(kernel_16, stream, a, b, b, b, b, b, b, b, f, f, f, f, i, i, i, i);
  }

  void record() {
    abi_event event = nullptr;
    check(driver.event_create(&event, yoke::cuda::abi::event_disable_timing), "cuEventCreate");
    check(driver.event_record(event, stream), "cuEventRecord");
    check(driver.event_destroy(event), "cuEventDestroy");
  }
  void record_existing() { check(driver.event_record(existing, stream), "cuEventRecord"); }
  void busy_other() { launch_kernel(kernel_busy, other, b, busy_count); }
  void record_pending() { check(driver.event_record(pending, other), "cuEventRecord"); }
  void wait_event() { check(driver.stream_wait_event(stream, pending, 0), "cuStreamWaitEvent"); }
  void record_and_wait_event() { record_pending(), wait_event(); }
  void wait_own_event() { check(driver.stream_wait_event(stream, existing, 0), "cuStreamWaitEvent"); }
  void finish_wait() { check(driver.stream_synchronize(other), "cuStreamSynchronize"), synchronize(); }

  void allocate(std::size_t bytes) {
    pointer memory = 0;
    check(driver.mem_alloc(&memory, bytes), "cuMemAlloc");
    check(driver.mem_free(memory), "cuMemFree");
  }
  void allocate_ordered(std::size_t bytes) {
    pointer memory = 0;
    check(driver.mem_alloc_async(&memory, bytes, stream), "cuMemAllocAsync");
    check(driver.mem_free_async(memory, stream), "cuMemFreeAsync");
  }

  void allocate_pooled(std::size_t bytes) { allocate_ordered(bytes); }  // the driver's pool

  using blocks = native_blocks<pointer>;
  void up(abi_stream on, const blocks& with, const void* from) {
    check(driver.memcpy_htod_async(with.first, from, with.bytes, on), "cuMemcpyHtoDAsync");
  }
  void down(abi_stream on, const blocks& with, void* to) {
    check(driver.memcpy_dtoh_async(to, with.first, with.bytes, on), "cuMemcpyDtoHAsync");
  }
  void across(abi_stream on, const blocks& with) {
    check(driver.memcpy_dtod_async(with.second, with.first, with.bytes, on), "cuMemcpyDtoDAsync");
  }
  void copy_up(blocks& with) { up(stream, with, with.pageable), synchronize(); }
  void copy_up_locked(blocks& with) { up(stream, with, with.locked), synchronize(); }
  void copy_down(blocks& with) { down(stream, with, with.pageable), synchronize(); }
  void copy_down_locked(blocks& with) { down(stream, with, with.locked), synchronize(); }
  void copy_across(blocks& with) { across(stream, with), synchronize(); }
  void image_up(blocks& with) { image_copy(true, with.locked); }
  void image_down(blocks& with) { image_copy(false, with.locked); }
  void image_copy(bool up, void* host) {
    constexpr auto edge = image_edge;
    const auto memory = yoke::cuda::abi::memory_type::host, array = yoke::cuda::abi::memory_type::array;
    const yoke::cuda::abi::copy_2d what{0,    0,   up ? memory : array, host, 0, picture, edge,
                                        0,    0,   up ? array : memory, host, 0, picture, edge,
                                        edge, edge};
    check(driver.memcpy_2d_async(&what, stream), "cuMemcpy2DAsync"), synchronize();
  }
  void enqueue_up(blocks& with) { up(stream, with, with.locked); }
  void enqueue_down(blocks& with) { down(stream, with, with.locked); }
  void enqueue_across(blocks& with) { across(stream, with); }
  void async_up(blocks& with) { enqueue_up(with), in_flight(); }
  void async_down(blocks& with) { enqueue_down(with), in_flight(); }
  void async_across(blocks& with) { enqueue_across(with), in_flight(); }
  void finish_copies() {
    synchronize();
    for (abi_event each : copies) check(driver.event_destroy(each), "cuEventDestroy");
    copies.clear();
  }
  void timed_up(blocks& with) { up(timed, with, with.locked); }
  void timed_down(blocks& with) { down(timed, with, with.locked); }
  void timed_across(blocks& with) { across(timed, with); }

  template <class Enqueue>
  double device_time(int count, Enqueue enqueue) {
    launch_kernel(kernel_busy, timed, a, busy_count);
    enqueue();
    abi_event start = nullptr;
    abi_event stop = nullptr;
    check(driver.event_create(&start, 0), "cuEventCreate");
    check(driver.event_create(&stop, 0), "cuEventCreate");
    check(driver.event_record(start, timed), "cuEventRecord");
    for (int i = 0; i < count; ++i) enqueue();
    check(driver.event_record(stop, timed), "cuEventRecord");
    check(driver.stream_synchronize(timed), "cuStreamSynchronize");
    float milliseconds = 0;
    check(driver.event_elapsed_time(&milliseconds, start, stop), "cuEventElapsedTime");
    check(driver.event_destroy(start), "cuEventDestroy");
    check(driver.event_destroy(stop), "cuEventDestroy");
    return 1e6 * static_cast<double>(milliseconds) / count;
  }

  const yoke::cuda::abi::functions& driver;
  abi_stream stream;
  abi_stream other;
  abi_stream timed;

 private:
  static yoke::cuda::abi::function find(yoke_side<yoke::cuda::port>& of, yoke::cuda::abi::kernel kernel) {
    const yoke::cuda::abi::functions& with = *of.context.port().table();
    yoke::cuda::abi::function function = nullptr;
    check(with.kernel_get_function(&function, kernel), "cuKernelGetFunction");
    return function;
  }
  yoke::cuda::abi::function kernel_1;
  yoke::cuda::abi::function kernel_8;
  yoke::cuda::abi::function kernel_16;
  yoke::cuda::abi::function kernel_busy;
  pointer a;
  pointer b;
  /// Effects: marks the end of a copy that somebody is to wait for.
  [[gnu::always_inline]] void in_flight() {
    if (copies.capacity() == 0) copies.reserve(copies_in_flight);
    abi_event done = nullptr;
    check(driver.event_create(&done, yoke::cuda::abi::event_disable_timing), "cuEventCreate");
    check(driver.event_record(done, stream), "cuEventRecord");
    copies.push_back(done);
  }
  int step = 0;
  yoke::cuda::abi::array picture = nullptr;
  std::vector<abi_event> copies;
  int busy_count;
  abi_event existing;
  abi_event pending;
};

}  // namespace bench

#endif
