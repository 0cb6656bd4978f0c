// SPDX-License-Identifier: MIT
// Reads nodes' work from the driver's structures.
#include "machine/base/call.hpp"
#include "machine/graph/graphs.hpp"
#include "machine/launch/launch_queue.hpp"
#include "machine/launch/launch_shape.hpp"
#include "machine/stream/context.hpp"
#include "machine/work/copy.hpp"

namespace yoke::simulator {

context& living_context(abi::context handle) {
  require(handle != nullptr, abi::error_invalid_context);
  context& which = context_of(handle);
  check_context(which);
  return which;
}

node_work work_of(const abi::kernel_node_params* params) {
  require(params != nullptr);
  const auto handle = params->entry != nullptr ? params->entry : reinterpret_cast<abi::function>(params->what);
  context* const in = params->entry != nullptr || params->in == nullptr ? nullptr : &living_context(params->in);
  const launch_wish wish{{params->grid_x, params->grid_y, params->grid_z},
                         {params->block_x, params->block_y, params->block_z},
                         {1, 1, 1},
                         params->shared_bytes,
                         false};
  node_work work;
  work.type = abi::graph_node_type::kernel_;
  work.launch = make_launch(handle, in, wish, params->parameters, params->extra);
  return work;
}
node_work work_of(const abi::copy_3d* params, abi::context in) {
  require(params != nullptr);
  node_work work;
  work.type = abi::graph_node_type::memcpy;
  work.in = &living_context(in);
  work.copy = plan_of(*params);
  require(!work.copy.box.is_empty());
  check_copy(work.copy);
  return work;
}
node_work work_of(const abi::memset_node_params* params, abi::context in) {
  require(params != nullptr);
  require(params->element_bytes == 1 || params->element_bytes == 2 || params->element_bytes == 4);
  node_work work;
  work.type = abi::graph_node_type::memset;
  work.in = &living_context(in);
  work.fill = {params->destination,   params->pitch_bytes, params->value,
               params->element_bytes, params->width,       params->height};
  check_fill(work.fill);
  return work;
}
node_work work_of(const abi::mem_op_node_params* params) {
  require(params != nullptr && params->flags == 0);
  node_work work;
  work.type = abi::graph_node_type::batch_mem_op;
  work.in = &living_context(params->in);
  work.mem_ops = plan_of(params->operations, params->count);
  return work;
}

}  // namespace yoke::simulator
