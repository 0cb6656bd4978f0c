// SPDX-License-Identifier: MIT
// Every device attribute against <cuda.h>'s constants, and what becomes of a driver's answers.
#include <support/catch.hpp>

#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/error.hpp>
#include <yoke/driver/cuda/loader.hpp>

#if __has_include(<cuda.h>)
#include <cuda.h>
#endif

#include <cctype>
#include <cstring>
#include <iterator>
#include <set>
#include <string>
#include <type_traits>

using namespace yoke_test;
namespace cu = yoke::cuda;
namespace abi = yoke::cuda::abi;

#if defined(CUDA_VERSION) && CUDA_VERSION >= 13000
namespace {
struct named_constant {
  const char* name;
  int value;
};
// What the vendor's header calls an attribute, written down independently of the library.
constexpr named_constant vendor_constants[] = {
// clang-format off
#define YOKE_TEST_CONSTANT(name) {#name, name}
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_WARP_SIZE),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_PITCH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CLOCK_RATE), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_GPU_OVERLAP),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_INTEGRATED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_COMPUTE_MODE),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_ECC_ENABLED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_TCC_DRIVER), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_NUMA_CONFIG), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_NUMA_ID),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED), YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MPS_ENABLED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED),
    YOKE_TEST_CONSTANT(CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED)
#undef YOKE_TEST_CONSTANT
    // clang-format on
};
#if CUDA_VERSION < 13010                                                    // newer ones may have more
static_assert(std::size(vendor_constants) == CU_DEVICE_ATTRIBUTE_MAX - 1);  // they are numbered from 1 without a gap
#endif

// The values of attributes that have names of their own.
static_assert(static_cast<int>(cu::compute_mode::shared) == CU_COMPUTEMODE_DEFAULT);
static_assert(static_cast<int>(cu::compute_mode::prohibited) == CU_COMPUTEMODE_PROHIBITED);
static_assert(static_cast<int>(cu::compute_mode::exclusive_process) == CU_COMPUTEMODE_EXCLUSIVE_PROCESS);
static_assert(static_cast<int>(cu::numa_config::none) == CU_DEVICE_NUMA_CONFIG_NONE);
static_assert(static_cast<int>(cu::numa_config::numa_node) == CU_DEVICE_NUMA_CONFIG_NUMA_NODE);
static_assert(static_cast<int>(cu::rdma_writes_ordering::none) == CU_GPU_DIRECT_RDMA_WRITES_ORDERING_NONE);
static_assert(static_cast<int>(cu::rdma_writes_ordering::owner) == CU_GPU_DIRECT_RDMA_WRITES_ORDERING_OWNER);
static_assert(static_cast<int>(cu::rdma_writes_ordering::all_devices) ==
              CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES);
}  // namespace

TEST_CASE("every attribute key has cuda.h's value", "[driver][cuda]") {
  for (const named_constant& vendor : vendor_constants) {
    INFO(vendor.name);
    int found = 0;
#define YOKE_TEST_KEY(own, constant, number, version, ...)                                                             \
  if (std::strcmp(constant, vendor.name) == 0) {                                                                       \
    ++found;                                                                                                           \
    CHECK(cu::info::own.code == vendor.value);                                                                         \
  }
    YOKE_CUDA_DEVICE_ATTRIBUTES(YOKE_TEST_KEY)
#undef YOKE_TEST_KEY
    CHECK(found == 1);
  }
}
#endif

TEST_CASE("attribute keys are numbered from 1 to 147, each once, each named like its constant", "[driver][cuda]") {
  std::set<int> codes;
  std::set<std::string> names;
  std::size_t total = 0;
#define YOKE_TEST_KEY(own, constant, number, version, ...)                                                             \
  {                                                                                                                    \
    std::string name = "CU_DEVICE_ATTRIBUTE_";                                                                         \
    for (const char* letter = #own; *letter != '\0'; ++letter) {                                                       \
      name += static_cast<char>(std::toupper(static_cast<unsigned char>(*letter)));                                    \
    }                                                                                                                  \
    CHECK(name == constant);                                                                                           \
    CHECK((version >= 12000 && version <= 13000));                                                                     \
    codes.insert(number);                                                                                              \
    names.insert(constant);                                                                                            \
    ++total;                                                                                                           \
  }
  YOKE_CUDA_DEVICE_ATTRIBUTES(YOKE_TEST_KEY)
#undef YOKE_TEST_KEY
  CHECK(total == 147);
  CHECK(codes.size() == total);
  CHECK(*codes.begin() == 1);
  CHECK(*codes.rbegin() == 147);
  CHECK(names.size() == total);
}

TEST_CASE("attributes have types that say what they are", "[driver][cuda]") {
  using cu::info::compute_mode;
  static_assert(std::is_same_v<decltype(cu::info::multiprocessor_count)::value_type, int>);
  static_assert(std::is_same_v<decltype(cu::info::integrated)::value_type, bool>);
  static_assert(std::is_same_v<decltype(cu::info::cooperative_launch)::value_type, bool>);
  static_assert(std::is_same_v<decltype(compute_mode)::value_type, cu::compute_mode>);
  static_assert(std::is_same_v<decltype(cu::info::numa_config)::value_type, cu::numa_config>);
  // A bool is what the constant's name says: "supported", "can", "uses", or one of these.
  const std::set<std::string> other{"gpu_overlap",
                                    "kernel_exec_timeout",
                                    "integrated",
                                    "concurrent_kernels",
                                    "ecc_enabled",
                                    "tcc_driver",
                                    "unified_addressing",
                                    "managed_memory",
                                    "multi_gpu_board",
                                    "pageable_memory_access",
                                    "concurrent_managed_access",
                                    "cooperative_launch",
                                    "cooperative_multi_device_launch",
                                    "pageable_memory_access_uses_host_page_tables",
                                    "direct_managed_mem_access_from_host",
                                    "cluster_launch",
                                    "unified_function_pointers",
                                    "mps_enabled"};
#define YOKE_TEST_KEY(own, constant, number, version, ...)                                                             \
  {                                                                                                                    \
    const std::string name = #own;                                                                                     \
    INFO(name);                                                                                                        \
    const bool says_so = name.ends_with("_supported") || name.starts_with("can_") || other.count(name) != 0;           \
    CHECK(says_so == std::is_same_v<decltype(cu::info::own)::value_type, bool>);                                       \
  }
  YOKE_CUDA_DEVICE_ATTRIBUTES(YOKE_TEST_KEY)
#undef YOKE_TEST_KEY
}

namespace {

/// A driver of one device, number 7, which knows a few attributes.
abi::status answer(int* value, int attribute, abi::device device) {
  if (device != 7) return abi::error_invalid_device;
  switch (attribute) {
    case 16: *value = 132; return abi::success;
    case 18: *value = 1; return abi::success;
    case 20: *value = 3; return abi::success;
    case 95: *value = 0; return abi::success;
    case 117: *value = 3; return abi::success;
    case 134: *value = -1; return abi::success;
    case 124: return abi::error_not_supported;
    case 32: return abi::error_illegal_address;
    default: return abi::error_invalid_value;
  }
}

abi::functions driver() {
  abi::functions table;
  table.device_get_attribute = &answer;
  table.driver_get_version = [](int* version) {
    *version = 12020;
    return abi::success;
  };
  return table;
}

}  // namespace

TEST_CASE("an attribute comes in its own type", "[driver][cuda]") {
  const abi::functions table = driver();
  const int count = cu::get(table, 7, cu::info::multiprocessor_count);
  CHECK(count == 132);
  const bool integrated = cu::get(table, 7, cu::info::integrated);
  CHECK(integrated);
  CHECK_FALSE(cu::get(table, 7, cu::info::cooperative_launch));
  CHECK(cu::get(table, 7, cu::info::compute_mode) == cu::compute_mode::exclusive_process);
  CHECK(cu::get(table, 7, cu::info::gpu_direct_rdma_flush_writes_options) == 3u);
  CHECK(cu::get(table, 7, cu::info::host_numa_id) == -1);
  CHECK(cu::try_get(table, 7, cu::info::multiprocessor_count) == 132);
}

TEST_CASE("an attribute that the driver does not know is nothing, or an error that names both versions",
          "[driver][cuda]") {
  const abi::functions table = driver();
  CHECK_FALSE(cu::try_get(table, 7, cu::info::host_memory_pools_supported).has_value());
  CHECK_FALSE(cu::try_get(table, 7, cu::info::dma_buf_supported).has_value());
  try {
    (void)cu::get(table, 7, cu::info::host_memory_pools_supported);
    FAIL("an unknown attribute was read");
  } catch (const yoke::unsupported_error& e) {
    CHECK(e.code() == yoke::errc::unsupported);
    CHECK(e.call() == std::string("cuDeviceGetAttribute"));
    CHECK_THAT(e.what(),
               StartsWith("the driver does not know CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED (144): it "
                          "serves CUDA 12.2, and CUDA 13.0 has it"));
    CHECK_THAT(e.where().file_name(), EndsWith("cuda_device_info_test.cpp"));
  }
  CHECK_THROWS_WITH(cu::get(table, 7, cu::info::dma_buf_supported), ContainsSubstring("it serves CUDA 12.2 ["));
}

TEST_CASE("a failure to read an attribute is not taken for ignorance", "[driver][cuda]") {
  const abi::functions table = driver();
  CHECK_THROWS_AS(cu::try_get(table, 8, cu::info::multiprocessor_count), yoke::logic_error);
  CHECK_THROWS_WITH(cu::try_get(table, 8, cu::info::multiprocessor_count),
                    StartsWith("no CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT of device 8: "));
  CHECK_THROWS_AS(cu::try_get(table, 7, cu::info::ecc_enabled), yoke::context_lost_error);
}

TEST_CASE("a real device has every attribute that its driver's version promises", "[driver][cuda]") {
  if (const yoke::availability now = cu::available(); !now) YOKE_SKIP("no device: " + now.reason);
  const cu::detail::loaded_driver& driver = *cu::detail::driver_if_loaded();
  abi::device device = 0;
  REQUIRE(driver.table.device_get(&device, 0) == abi::success);
#define YOKE_TEST_KEY(own, constant, number, promised, ...)                                                            \
  {                                                                                                                    \
    INFO(constant);                                                                                                    \
    const auto value = cu::try_get(driver.table, device, cu::info::own);                                               \
    CHECK((value.has_value() || driver.version < (promised)));                                                         \
  }
  YOKE_CUDA_DEVICE_ATTRIBUTES(YOKE_TEST_KEY)
#undef YOKE_TEST_KEY
  CHECK(cu::get(driver.table, device, cu::info::warp_size) == 32);
  CHECK(cu::get(driver.table, device, cu::info::compute_capability_major) >= 5);
}
