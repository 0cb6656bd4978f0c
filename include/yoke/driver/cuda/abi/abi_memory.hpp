// SPDX-License-Identifier: MIT
// CUDA's structures of virtual memory, pools and lists of copies, as in the driver's binary interface; needs no vendor
// header.
#ifndef YOKE_DRIVER_CUDA_ABI_ABI_MEMORY_HPP
#define YOKE_DRIVER_CUDA_ABI_ABI_MEMORY_HPP

#include <yoke/driver/cuda/abi/abi.hpp>

#include <cstddef>

namespace yoke::inline v0_1::cuda::abi {

/// `CUmemPool_attribute`.
enum class pool_attribute : unsigned {
  reuse_follow_event_dependencies = 1,
  reuse_allow_opportunistic = 2,
  reuse_allow_internal_dependencies = 3,
  release_threshold = 4,
  reserved_mem_current = 5,
  reserved_mem_high = 6,
  used_mem_current = 7,
  used_mem_high = 8,
};

/// `CUmemAllocationType`.
enum class allocation_type : unsigned {
  invalid = 0,
  pinned = 1,
};

/// `CUmemAllocationHandleType`: how memory is handed to other processes.
enum class shared_handle_type : unsigned {
  none = 0,
  file_descriptor = 1,
  win32 = 2,
  win32_kmt = 4,
  fabric = 8,
};

/// `CUmemAccess_flags`: a processor's access to mapped memory.
enum class access_flags : unsigned {
  none = 0,
  read = 1,
  read_write = 3,
};

/// `CUmemAllocationGranularity_flags`.
enum class granularity_kind : unsigned {
  minimum = 0,
  recommended = 1,
};

/// `CUmemcpySrcAccessOrder`: when a copy of a batch reads its source.
enum class source_order : unsigned { in_stream = 1, during_call = 2, any = 3 };

/// `CUmemcpyAttributes` for the copies of a batch.
struct batch_attributes {
  source_order order;
  memory_location source_hint;
  memory_location destination_hint;
  unsigned flags;
};

/// `CUmemcpy3DOperandType`.
enum class batch_side_type : unsigned { pointer = 1, image = 2 };

/// `CUmemcpy3DOperand`: a side of a box in a batch. Pointers count bytes.
struct batch_side {
  batch_side_type type;
  union {
    struct {
      device_pointer address;
      std::size_t row_length;
      std::size_t layer_height;
      memory_location hint;
    } pointer;
    struct {
      array handle;
      std::size_t x, y, z;
    } image;
  };
};

/// `CUDA_MEMCPY3D_BATCH_OP`.
struct batch_copy_3d {
  batch_side source;
  batch_side destination;
  std::size_t width, height, depth;
  source_order order;
  unsigned flags;
};

/// `CUmemAllocationProp`.
struct allocation_properties {
  allocation_type type;
  shared_handle_type handle_types;
  memory_location location;
  void* windows_metadata;
  unsigned char compression;
  unsigned char gpu_direct_rdma;
  unsigned short usage;
  unsigned char reserved[4];
};

/// `CUmemAccessDesc`.
struct access_descriptor {
  memory_location location;
  access_flags flags;
};

/// `CUmemPoolProps`. Drivers before 12.2 ignore `max_bytes`.
struct pool_properties {
  allocation_type type;
  shared_handle_type handle_types;
  memory_location location;
  void* windows_security;
  std::size_t max_bytes;
  unsigned short usage;
  unsigned char reserved[54];
};

/// `CUmemPoolPtrExportData`: bytes by which another process finds memory in an imported pool.
struct pool_export_data {
  unsigned char bytes[64];
};

}  // namespace yoke::inline v0_1::cuda::abi

#endif
