// SPDX-License-Identifier: MIT
// The operations through OpenCL's C interface, over the objects that yoke's side has made.
#ifndef YOKE_BENCHMARKS_SIDE_RAW_OPENCL_HPP
#define YOKE_BENCHMARKS_SIDE_RAW_OPENCL_HPP

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "side_yoke.hpp"

#include <vector>

namespace bench {

/// The native objects of one OpenCL device, as C programs hold them.
struct opencl_objects {
  explicit opencl_objects(yoke_side<yoke::opencl::port>& of)
      : context(reinterpret_cast<cl_context>(of.context.native_handle())),
        queue(reinterpret_cast<cl_command_queue>(of.stream.native_handle())),
        other(reinterpret_cast<cl_command_queue>(of.other.native_handle())),
        timed(reinterpret_cast<cl_command_queue>(of.timed.native_handle())),
        program(reinterpret_cast<cl_program>(of.module.native_handle())),
        a(reinterpret_cast<cl_mem>(of.a.native_handle())),
        b(reinterpret_cast<cl_mem>(of.b.native_handle())),
        picture(reinterpret_cast<cl_mem>(of.picture.native_handle())),
        busy_count(of.busy_count) {
    check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr), "clGetCommandQueueInfo");
  }
  cl_context context;
  cl_command_queue queue;
  cl_command_queue other;
  cl_command_queue timed;
  cl_program program;
  cl_mem a;
  cl_mem b;
  cl_mem picture;
  int busy_count;
  cl_device_id device = nullptr;
};

class raw_opencl_side : public opencl_objects {
 public:
  explicit raw_opencl_side(const opencl_objects& with) : opencl_objects(with) {}
  raw_opencl_side(const raw_opencl_side&) = delete;
  raw_opencl_side& operator=(const raw_opencl_side&) = delete;
  ~raw_opencl_side() {
    for (cl_event each : {existing, pending}) clReleaseEvent(each);
  }

  struct kernel {
    kernel(cl_program of, const char* name) {
      cl_int code = CL_SUCCESS;
      native = clCreateKernel(of, name, &code);
      check(code, "clCreateKernel");
    }
    kernel(const kernel&) = delete;
    kernel& operator=(const kernel&) = delete;
    ~kernel() { clReleaseKernel(native); }
    template <class... Arguments>
    void operator()(cl_command_queue on, const Arguments&... arguments) const {
      cl_uint index = 0;
      (check(clSetKernelArg(native, index++, sizeof arguments, &arguments), "clSetKernelArg"), ...);
      const std::size_t size = block;
      check(clEnqueueNDRangeKernel(on, native, 1, nullptr, &size, &size, 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    }
    cl_kernel native = nullptr;
  };
  kernel kernel_1{program, "one"};
  kernel kernel_8{program, "eight"};
  kernel kernel_16{program, "sixteen"};
  kernel kernel_busy{program, "busy"};

  void busy() { kernel_busy(queue, a, busy_count); }
  void busy_other() { kernel_busy(other, b, busy_count); }
  void synchronize() { check(clFinish(queue), "clFinish"); }

  template <int Arguments>
  void launch() {
    if constexpr (Arguments == 1) kernel_1(queue, a);
    if constexpr (Arguments == 8) kernel_8(queue, a, b, b, b, 1.0f, 2.0f, 3, 64);
    if constexpr (Arguments == 16) kernel_16(queue, a, b, b, b, b, b, b, b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64);
  }

  /// The same with other values each time.
  template <int Arguments>
  void launch_changing() {
    const int i = ++step;
    const auto f = static_cast<float>(i);
    if constexpr (Arguments == 8) kernel_8(queue, a, b, b, b, f, f, i, i);
    if constexpr (Arguments == 16) kernel_16(queue, a, b, b, b, b, b, b, b, f, f, f, f, i, i, i, i);
  }

  cl_event marker(cl_command_queue on) {
    cl_event event = nullptr;
    check(clEnqueueMarkerWithWaitList(on, 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
    return event;
  }
  void record() { check(clReleaseEvent(marker(queue)), "clReleaseEvent"); }
  void record_into(cl_event& event, cl_command_queue on) {
    const cl_event next = marker(on);
    check(clReleaseEvent(event), "clReleaseEvent");
    event = next;
  }
  void record_existing() { record_into(existing, queue); }
  void wait_for(const cl_event& event) {
    check(clEnqueueBarrierWithWaitList(queue, 1, &event, nullptr), "clEnqueueBarrierWithWaitList");
  }
  void record_pending() {
    record_into(pending, other);
    check(clFlush(other), "clFlush");  // a wait across queues makes progress once the other one is flushed
  }
  void wait_event() { wait_for(pending); }
  void record_and_wait_event() { record_pending(), wait_for(pending); }
  void wait_own_event() { wait_for(existing); }
  void finish_wait() { check(clFinish(other), "clFinish"), check(clFinish(queue), "clFinish"); }

  [[nodiscard]] cl_mem buffer(cl_mem_flags flags, std::size_t bytes) const {
    cl_int code = CL_SUCCESS;
    const cl_mem memory = clCreateBuffer(context, flags, bytes, nullptr, &code);
    check(code, "clCreateBuffer");
    return memory;
  }
  void allocate(std::size_t bytes) {
    check(clReleaseMemObject(buffer(CL_MEM_READ_WRITE, bytes)), "clReleaseMemObject");
  }
  void allocate_pooled(std::size_t bytes) { allocate(bytes); }  // there is no pool

  struct blocks : native_blocks<cl_mem> {
    template <class Memory>
    blocks(const native_blocks<Memory>& of)  // NOLINT: the same blocks
        : native_blocks<cl_mem>{reinterpret_cast<cl_mem>(of.first), reinterpret_cast<cl_mem>(of.second), of.pageable,
                                of.locked, of.bytes} {}
  };
  void write(cl_command_queue on, cl_bool blocking, const blocks& with, const void* from, cl_event* done = nullptr) {
    check(clEnqueueWriteBuffer(on, with.first, blocking, 0, with.bytes, from, 0, nullptr, done),
          "clEnqueueWriteBuffer");
  }
  void read(cl_command_queue on, cl_bool blocking, const blocks& with, void* to, cl_event* done = nullptr) {
    check(clEnqueueReadBuffer(on, with.first, blocking, 0, with.bytes, to, 0, nullptr, done), "clEnqueueReadBuffer");
  }
  void across(cl_command_queue on, const blocks& with, cl_event* done) {
    check(clEnqueueCopyBuffer(on, with.first, with.second, 0, 0, with.bytes, 0, nullptr, done), "clEnqueueCopyBuffer");
  }
  void copy_up(blocks& with) { write(queue, CL_TRUE, with, with.pageable); }
  void copy_up_locked(blocks& with) { write(queue, CL_TRUE, with, with.locked); }
  void copy_down(blocks& with) { read(queue, CL_TRUE, with, with.pageable); }
  void copy_down_locked(blocks& with) { read(queue, CL_TRUE, with, with.locked); }
  void copy_across(blocks& with) {
    cl_event done = nullptr;
    across(queue, with, &done);
    check(clWaitForEvents(1, &done), "clWaitForEvents");
    check(clReleaseEvent(done), "clReleaseEvent");
  }
  static constexpr std::size_t origin[3] = {0, 0, 0}, region[3] = {image_edge, image_edge, 1};
  void image_up(blocks& with) {
    check(clEnqueueWriteImage(queue, picture, CL_TRUE, origin, region, 0, 0, with.locked, 0, nullptr, nullptr),
          "write");
  }
  void image_down(blocks& with) {
    check(clEnqueueReadImage(queue, picture, CL_TRUE, origin, region, 0, 0, with.locked, 0, nullptr, nullptr), "read");
  }
  void enqueue_up(blocks& with) { write(queue, CL_FALSE, with, with.locked); }
  void enqueue_down(blocks& with) { read(queue, CL_FALSE, with, with.locked); }
  void enqueue_across(blocks& with) { across(queue, with, nullptr); }
  void async_up(blocks& with) { write(queue, CL_FALSE, with, with.locked, in_flight()); }
  void async_down(blocks& with) { read(queue, CL_FALSE, with, with.locked, in_flight()); }
  void async_across(blocks& with) { across(queue, with, in_flight()); }
  void finish_copies() {
    synchronize();
    for (cl_event each : copies) check(clReleaseEvent(each), "clReleaseEvent");
    copies.clear();
  }
  void timed_up(blocks& with) { write(timed, CL_FALSE, with, with.locked); }
  void timed_down(blocks& with) { read(timed, CL_FALSE, with, with.locked); }
  void timed_across(blocks& with) { across(timed, with, nullptr); }

  void map_unmap(blocks& with) {
    cl_int code = CL_SUCCESS;
    void* mapped =
        clEnqueueMapBuffer(queue, with.first, CL_TRUE, CL_MAP_READ, 0, with.bytes, 0, nullptr, nullptr, &code);
    check(code, "clEnqueueMapBuffer");
    check(clEnqueueUnmapMemObject(queue, with.first, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
  }

  template <class Enqueue>
  double device_time(int count, Enqueue enqueue) {
    kernel_busy(timed, a, busy_count);
    enqueue();
    const cl_event start = marker(timed);
    for (int i = 0; i < count; ++i) enqueue();
    const cl_event stop = marker(timed);
    check(clFinish(timed), "clFinish");
    const double spent = ended(stop) - ended(start);
    check(clReleaseEvent(start), "clReleaseEvent");
    check(clReleaseEvent(stop), "clReleaseEvent");
    return spent / count;
  }

 private:
  static double ended(cl_event event) {
    cl_ulong time = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
          "clGetEventProfilingInfo");
    return static_cast<double>(time);
  }
  /// Returns: where the event of a copy goes that somebody is to wait for.
  [[gnu::always_inline]] cl_event* in_flight() {
    if (copies.capacity() == 0) copies.reserve(copies_in_flight);
    return &copies.emplace_back();
  }
  int step = 0;
  std::vector<cl_event> copies;
  cl_event existing = marker(queue);
  cl_event pending = marker(other);
};

}  // namespace bench

#endif
