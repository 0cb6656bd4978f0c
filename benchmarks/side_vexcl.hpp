// SPDX-License-Identifier: MIT
// The operations through VexCL's OpenCL backend: kernels that were not generated, its buffers and its markers.
#ifndef YOKE_BENCHMARKS_SIDE_VEXCL_HPP
#define YOKE_BENCHMARKS_SIDE_VEXCL_HPP

#include "side_clhpp.hpp"

// VexCL's handles are OpenCL-CLHPP's; without this it looks for their former name, <CL/cl2.hpp>.
#define VEXCL_HAVE_OPENCL_HPP
#define VEXCL_BACKEND_OPENCL
#include <vexcl/backend.hpp>

#include <utility>

namespace bench {

class vexcl_side {
 public:
  explicit vexcl_side(const opencl_objects& with)
      : queue(with.queue, true),
        other(with.other, true),
        program(with.program, true),
        a(cl::Buffer(with.a, true)),
        b(cl::Buffer(with.b, true)),
        busy_count(with.busy_count) {
    for (vex::backend::kernel* each : {&kernel_1, &kernel_8, &kernel_16, &kernel_busy}) each->config(1, block);
  }

  void busy() { kernel_busy(queue, a, busy_count); }
  void synchronize() { queue.finish(); }
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
  void record() { const vex::backend::event event = vex::backend::enqueue_marker(queue); }
  void record_existing() { existing = vex::backend::enqueue_marker(queue); }
  void busy_other() { kernel_busy(other, b, busy_count); }
  void record_pending() {
    pending[0] = vex::backend::enqueue_marker(other);
    other.flush();
  }
  void wait_event() { vex::backend::enqueue_barrier(queue, pending); }
  void record_and_wait_event() {
    record_pending();
    wait_event();
  }
  void finish_wait() {
    other.finish();
    queue.finish();
  }
  void allocate(std::size_t bytes) { const device_bytes memory(queue, bytes); }

  // A copy from one buffer to another is no operation of the backend: vex::vector's assignment is a kernel.
  using device_bytes = vex::backend::device_vector<unsigned char>;
  struct blocks {
    explicit blocks(const raw_opencl_side::blocks& of)
        : first(cl::Buffer(of.first, true)), pageable(of.pageable), locked(of.locked), bytes(of.bytes) {}
    device_bytes first;
    unsigned char* pageable;
    unsigned char* locked;
    std::size_t bytes;
  };
  void copy_up(blocks& with) { with.first.write(queue, 0, with.bytes, with.pageable, true); }
  void copy_up_locked(blocks& with) { with.first.write(queue, 0, with.bytes, with.locked, true); }
  void copy_down(blocks& with) { with.first.read(queue, 0, with.bytes, with.pageable, true); }
  void copy_down_locked(blocks& with) { with.first.read(queue, 0, with.bytes, with.locked, true); }
  void enqueue_up(blocks& with) { with.first.write(queue, 0, with.bytes, with.locked); }
  void enqueue_down(blocks& with) { with.first.read(queue, 0, with.bytes, with.locked); }
  void map_unmap(blocks& with) { const auto mapped = std::as_const(with.first).map(queue); }

 private:
  vex::backend::command_queue queue;
  vex::backend::command_queue other;
  vex::backend::program program;
  vex::backend::device_vector<float> a;
  vex::backend::device_vector<float> b;
  int busy_count;
  vex::backend::kernel kernel_1{queue, program, "one"};
  vex::backend::kernel kernel_8{queue, program, "eight"};
  vex::backend::kernel kernel_16{queue, program, "sixteen"};
  vex::backend::kernel kernel_busy{queue, program, "busy"};
  int step = 0;
  vex::backend::event existing;
  vex::backend::wait_list pending = vex::backend::wait_list(1);
};

}  // namespace bench

#endif
