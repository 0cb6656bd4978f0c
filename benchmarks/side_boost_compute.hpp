// SPDX-License-Identifier: MIT
// The operations through Boost.Compute.
#ifndef YOKE_BENCHMARKS_SIDE_BOOST_COMPUTE_HPP
#define YOKE_BENCHMARKS_SIDE_BOOST_COMPUTE_HPP

#include "side_raw_opencl.hpp"

#include <boost/compute/buffer.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/event.hpp>
#include <boost/compute/kernel.hpp>
#include <boost/compute/program.hpp>
#include <boost/compute/utility/wait_list.hpp>

namespace bench {

class boost_compute_side {
 public:
  explicit boost_compute_side(const opencl_objects& with)
      : context(with.context),
        queue(with.queue),
        program(with.program),
        a(with.a),
        b(with.b),
        busy_count(with.busy_count) {}

  void busy() { enqueue(kernel_busy, a, busy_count); }
  void synchronize() { queue.finish(); }
  template <int Arguments>
  void launch() {
    if constexpr (Arguments == 1) enqueue(kernel_1, a);
    if constexpr (Arguments == 8) enqueue(kernel_8, a, b, b, b, 1.0f, 2.0f, 3, 64);
    if constexpr (Arguments == 16) enqueue(kernel_16, a, b, b, b, b, b, b, b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64);
  }
  /// The same with other values each time.
  template <int Arguments>
  void launch_changing() {
    const int i = ++step;
    const auto f = static_cast<float>(i);
    if constexpr (Arguments == 8) enqueue(kernel_8, a, b, b, b, f, f, i, i);
    if constexpr (Arguments == 16) enqueue(kernel_16, a, b, b, b, b, b, b, b, f, f, f, f, i, i, i, i);
  }
  void record() { const boost::compute::event event = queue.enqueue_marker(); }
  void record_existing() { existing = queue.enqueue_marker(); }
  void allocate(std::size_t bytes) { const boost::compute::buffer memory(context, bytes); }

  struct blocks {
    explicit blocks(const raw_opencl_side::blocks& of)
        : first(of.first), second(of.second), pageable(of.pageable), bytes(of.bytes) {}
    boost::compute::buffer first;
    boost::compute::buffer second;
    unsigned char* pageable;
    std::size_t bytes;
  };
  void copy_up(blocks& with) { queue.enqueue_write_buffer(with.first, 0, with.bytes, with.pageable); }
  void copy_down(blocks& with) { queue.enqueue_read_buffer(with.first, 0, with.bytes, with.pageable); }
  void copy_across(blocks& with) { queue.enqueue_copy_buffer(with.first, with.second, 0, 0, with.bytes).wait(); }
  void enqueue_across(blocks& with) { queue.enqueue_copy_buffer(with.first, with.second, 0, 0, with.bytes); }
  void map_unmap(blocks& with) {
    void* mapped = queue.enqueue_map_buffer(with.first, CL_MAP_READ, 0, with.bytes);
    queue.enqueue_unmap_buffer(with.first, mapped);
  }

 private:
  template <class... Arguments>
  void enqueue(boost::compute::kernel& kernel, const Arguments&... arguments) {
    kernel.set_args(arguments...);
    queue.enqueue_1d_range_kernel(kernel, 0, block, block);
  }
  boost::compute::context context;
  boost::compute::command_queue queue;
  boost::compute::program program;
  boost::compute::buffer a;
  boost::compute::buffer b;
  int busy_count;
  int step = 0;
  boost::compute::event existing;
  boost::compute::kernel kernel_1{program, "one"};
  boost::compute::kernel kernel_8{program, "eight"};
  boost::compute::kernel kernel_16{program, "sixteen"};
  boost::compute::kernel kernel_busy{program, "busy"};
};

}  // namespace bench

#endif
