// SPDX-License-Identifier: MIT
// CUDA's graphs, as in the driver's binary interface; needs no vendor header.
#ifndef YOKE_DRIVER_CUDA_ABI_ABI_GRAPHS_HPP
#define YOKE_DRIVER_CUDA_ABI_ABI_GRAPHS_HPP

#include <yoke/driver/cuda/abi/abi.hpp>

#include <cstddef>
#include <cstdint>

// The vendor's own tags.
struct CUgraph_st;
struct CUgraphExec_st;
struct CUgraphNode_st;

namespace yoke::inline v0_1::cuda::abi {

using graph = ::CUgraph_st*;
using graph_exec = ::CUgraphExec_st*;
using graph_node = ::CUgraphNode_st*;

/// `CUgraphNodeType`.
enum class graph_node_type : unsigned {
  kernel_ = 0,
  memcpy = 1,
  memset = 2,
  host = 3,
  graph_ = 4,
  empty = 5,
  wait_event = 6,
  event_record = 7,
  semaphore_signal = 8,
  semaphore_wait = 9,
  mem_alloc = 10,
  mem_free = 11,
  batch_mem_op = 12,
  conditional = 13,
};

/// `CUgraphExecUpdateResult`.
enum class graph_update_result : unsigned {
  success_ = 0,
  error = 1,
  topology_changed = 2,
  node_type_changed = 3,
  function_changed = 4,
  parameters_changed = 5,
  not_supported = 6,
  unsupported_function_change = 7,
  attributes_changed = 8,
};

/// `CUstreamCaptureMode`.
enum class capture_mode : unsigned {
  global = 0,
  thread_local_ = 1,
  relaxed = 2,
};

/// `CUgraphConditionalNodeType`.
enum class condition_type : unsigned {
  if_ = 0,
  while_ = 1,
  switch_ = 2,
};

inline constexpr unsigned graph_condition_default = 1;  // CU_GRAPH_COND_ASSIGN_DEFAULT

/// `CUgraphEdgeData`.
struct graph_edge_data {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type;
  unsigned char reserved[5];
};

/// `CUDA_CONDITIONAL_NODE_PARAMS`. The driver sets `bodies`.
struct condition_node_params {
  std::uint64_t condition;
  condition_type type;
  uint size;
  graph* bodies;
  context in;
};

/// `CUstreamBatchMemOpType`.
enum class mem_op_type : unsigned {
  wait_value_32 = 1,
  write_value_32 = 2,
  flush_remote_writes = 3,
  wait_value_64 = 4,
  write_value_64 = 5,
  barrier = 6,
};
/// The number of operations in a batch must be smaller.
inline constexpr std::size_t mem_op_limit = 256;

/// `CUstreamBatchMemOpParams`. A 32-bit value is the low half of `value`.
struct mem_op_params {
  mem_op_type type;
  unsigned barrier_type;  // for barriers only: 0 for the system, 1 for the device
  device_pointer address;
  std::uint64_t value;
  unsigned flags;
  device_pointer for_the_driver;
  std::uint64_t reserved;
};

/// `CUDA_BATCH_MEM_OP_NODE_PARAMS`.
struct mem_op_node_params {
  context in;
  unsigned count;
  mem_op_params* operations;
  unsigned flags;
};

/// `CUgraphNodeParams`. The library uses the conditional kind.
struct graph_node_params {
  graph_node_type type;
  int reserved[3];
  union {
    long long padding[29];
    condition_node_params condition;
  };
  long long reserved_too;
};

/// `CUDA_KERNEL_NODE_PARAMS`, version 2. `what` and `in` count if `entry` is null.
struct kernel_node_params {
  function entry;
  uint grid_x;
  uint grid_y;
  uint grid_z;
  uint block_x;
  uint block_y;
  uint block_z;
  uint shared_bytes;
  void** parameters;
  void** extra;
  kernel what;
  context in;
};

/// `CUDA_MEMSET_NODE_PARAMS`, version 1. A pitch counts if the height is above 1.
struct memset_node_params {
  device_pointer destination;
  std::size_t pitch_bytes;
  uint value;
  uint element_bytes;
  std::size_t width;
  std::size_t height;
};

/// `CUDA_HOST_NODE_PARAMS`, version 1.
struct host_node_params {
  host_function run;
  void* data;
};

/// `CUgraphExecUpdateResultInfo`.
struct graph_update_info {
  graph_update_result result;
  graph_node node;
  graph_node from_node;
};

inline constexpr unsigned graph_dot_verbose = 1u << 0;  // CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE

}  // namespace yoke::inline v0_1::cuda::abi

#endif
