// SPDX-License-Identifier: MIT
// The operations through OpenCL-CLHPP, launches through its functor.
#ifndef YOKE_BENCHMARKS_SIDE_CLHPP_HPP
#define YOKE_BENCHMARKS_SIDE_CLHPP_HPP

#include "side_raw_opencl.hpp"

#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

namespace bench {

class clhpp_side {
 public:
  explicit clhpp_side(const opencl_objects& with)
      : context(with.context, true),
        queue(with.queue, true),
        other(with.other, true),
        program(with.program, true),
        a(with.a, true),
        b(with.b, true),
        busy_count(with.busy_count) {}

  void busy() { kernel_busy(where, a, busy_count); }
  void synchronize() { queue.finish(); }
  template <int Arguments>
  void launch() {
    if constexpr (Arguments == 1) kernel_1(where, a);
    if constexpr (Arguments == 8) kernel_8(where, a, b, b, b, 1.0f, 2.0f, 3, 64);
    if constexpr (Arguments == 16) kernel_16(where, a, b, b, b, b, b, b, b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64);
  }
  /// The same with other values each time.
  template <int Arguments>
  void launch_changing() {
    const int i = ++step;
    const auto f = static_cast<float>(i);
    if constexpr (Arguments == 8) kernel_8(where, a, b, b, b, f, f, i, i);
    if constexpr (Arguments == 16) kernel_16(where, a, b, b, b, b, b, b, b, f, f, f, f, i, i, i, i);
  }
  void record() {
    cl::Event event;
    queue.enqueueMarkerWithWaitList(nullptr, &event);
  }
  void record_existing() { queue.enqueueMarkerWithWaitList(nullptr, &existing); }
  void busy_other() { kernel_busy(cl::EnqueueArgs(other, cl::NDRange(block), cl::NDRange(block)), b, busy_count); }
  void record_pending() {
    other.enqueueMarkerWithWaitList(nullptr, &pending[0]);
    other.flush();
  }
  void wait_event() { queue.enqueueBarrierWithWaitList(&pending); }
  void record_and_wait_event() {
    record_pending();
    wait_event();
  }
  void finish_wait() {
    other.finish();
    queue.finish();
  }
  void allocate(std::size_t bytes) { const cl::Buffer memory(context, CL_MEM_READ_WRITE, bytes); }

  struct blocks {
    explicit blocks(const raw_opencl_side::blocks& of)
        : first(of.first, true), second(of.second, true), pageable(of.pageable), locked(of.locked), bytes(of.bytes) {}
    cl::Buffer first;
    cl::Buffer second;
    unsigned char* pageable;
    unsigned char* locked;
    std::size_t bytes;
  };
  void copy_up(blocks& with) { queue.enqueueWriteBuffer(with.first, CL_TRUE, 0, with.bytes, with.pageable); }
  void copy_up_locked(blocks& with) { queue.enqueueWriteBuffer(with.first, CL_TRUE, 0, with.bytes, with.locked); }
  void copy_down(blocks& with) { queue.enqueueReadBuffer(with.first, CL_TRUE, 0, with.bytes, with.pageable); }
  void copy_down_locked(blocks& with) { queue.enqueueReadBuffer(with.first, CL_TRUE, 0, with.bytes, with.locked); }
  void copy_across(blocks& with) {
    cl::Event done;
    queue.enqueueCopyBuffer(with.first, with.second, 0, 0, with.bytes, nullptr, &done);
    done.wait();
  }
  void enqueue_up(blocks& with) { queue.enqueueWriteBuffer(with.first, CL_FALSE, 0, with.bytes, with.locked); }
  void enqueue_down(blocks& with) { queue.enqueueReadBuffer(with.first, CL_FALSE, 0, with.bytes, with.locked); }
  void enqueue_across(blocks& with) { queue.enqueueCopyBuffer(with.first, with.second, 0, 0, with.bytes); }
  void map_unmap(blocks& with) {
    void* mapped = queue.enqueueMapBuffer(with.first, CL_TRUE, CL_MAP_READ, 0, with.bytes);
    queue.enqueueUnmapMemObject(with.first, mapped);
  }

 private:
  cl::Context context;
  cl::CommandQueue queue;
  cl::CommandQueue other;
  cl::Program program;
  cl::Buffer a;
  cl::Buffer b;
  int busy_count;
  cl::EnqueueArgs where{queue, cl::NDRange(block), cl::NDRange(block)};
  using buffer = cl::Buffer;
  cl::KernelFunctor<buffer> kernel_1{program, "one"};
  cl::KernelFunctor<buffer, buffer, buffer, buffer, cl_float, cl_float, cl_int, cl_int> kernel_8{program, "eight"};
  cl::KernelFunctor<buffer, buffer, buffer, buffer, buffer, buffer, buffer, buffer, cl_float, cl_float, cl_float,
                    cl_float, cl_int, cl_int, cl_int, cl_int>
      kernel_16{program, "sixteen"};
  cl::KernelFunctor<buffer, cl_int> kernel_busy{program, "busy"};
  int step = 0;
  cl::Event existing;
  std::vector<cl::Event> pending = std::vector<cl::Event>(1);
};

}  // namespace bench

#endif
