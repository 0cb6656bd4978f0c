// SPDX-License-Identifier: MIT
// The lists of entry points: every signature and ABI version as in cudaTypedefs.h, nvrtc.h and nvJitLink.h, every name once.
#if __has_include(<cudaTypedefs.h>) && __has_include(<cudaProfilerTypedefs.h>)
#include <cuda.h>
#include <cudaProfilerTypedefs.h>
#include <cudaTypedefs.h>
#endif
#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#endif
#if __has_include(<nvJitLink.h>)
#include <nvJitLink.h>
#endif

#include <support/catch.hpp>
#include <support/drivers/abi_equal.hpp>
#include <support/drivers/cuda_entries.hpp>
#include <yoke/driver/cuda/compiler/functions.hpp>

#include <set>
#include <string>
#include <utility>

using namespace yoke_test;

// The trait can tell things apart, or the checks below would mean nothing.
namespace {
enum class small_enum : short {};
enum class wide_enum : unsigned {};
}  // namespace
static_assert(abi_equal<int(wide_enum*, int), int(unsigned*, int)>);
static_assert(!abi_equal<int(small_enum), int(unsigned)>);
static_assert(!abi_equal<int(unsigned), int(std::size_t)>);
static_assert(!abi_equal<int(unsigned*), int(std::size_t*)>);
static_assert(!abi_equal<int(unsigned, int), int(unsigned)>);
static_assert(!abi_equal<int(const char*), int(char*)>);
static_assert(!abi_equal<int(void*), int(unsigned long long)>);
static_assert(!abi_equal<int(cuda_abi::copy_2d*), int(cuda_abi::copy_3d*)>);
static_assert(!abi_equal<int(float), int(int)>);

// An entry that the lists below do not compare is an unknown name behind them.
#if defined(CUDA_VERSION) && CUDA_VERSION >= 13000  // older headers lack the optional ones
namespace yoke_test {
// Compared field by field in abi_test.cpp.
template <>
inline constexpr bool same_layout<cuda_abi::uuid, CUuuid> = true;
template <>
inline constexpr bool same_layout<cuda_abi::copy_2d, CUDA_MEMCPY2D_v2> = true;
template <>
inline constexpr bool same_layout<cuda_abi::copy_3d, CUDA_MEMCPY3D_v2> = true;
template <>
inline constexpr bool same_layout<cuda_abi::copy_3d, CUDA_MEMCPY3D_PEER> = true;
template <>
inline constexpr bool same_layout<cuda_abi::allocation_properties, CUmemAllocationProp> = true;
template <>
inline constexpr bool same_layout<cuda_abi::launch_attribute_value, CUlaunchAttributeValue> = true;
template <>
inline constexpr bool same_layout<cuda_abi::kernel_node_params, CUDA_KERNEL_NODE_PARAMS_v2> = true;
template <>
inline constexpr bool same_layout<cuda_abi::memset_node_params, CUDA_MEMSET_NODE_PARAMS_v1> = true;
template <>
inline constexpr bool same_layout<cuda_abi::host_node_params, CUDA_HOST_NODE_PARAMS_v1> = true;
template <>
inline constexpr bool same_layout<cuda_abi::mem_op_params, CUstreamBatchMemOpParams_v1> = true;
template <>
inline constexpr bool same_layout<cuda_abi::mem_op_node_params, CUDA_BATCH_MEM_OP_NODE_PARAMS_v1> = true;
template <>
inline constexpr bool same_layout<cuda_abi::graph_update_info, CUgraphExecUpdateResultInfo_v1> = true;
template <>
inline constexpr bool same_layout<cuda_abi::graph_edge_data, CUgraphEdgeData> = true;
template <>
inline constexpr bool same_layout<cuda_abi::graph_node_params, CUgraphNodeParams> = true;
template <>
inline constexpr bool same_layout<cuda_abi::access_descriptor, CUmemAccessDesc> = true;
template <>
inline constexpr bool same_layout<cuda_abi::pool_properties, CUmemPoolProps> = true;
template <>
inline constexpr bool same_layout<cuda_abi::pool_export_data, CUmemPoolPtrExportData> = true;
template <>
inline constexpr bool same_layout<cuda_abi::ipc_memory_handle, CUipcMemHandle> = true;
template <>
inline constexpr bool same_layout<cuda_abi::ipc_event_handle, CUipcEventHandle> = true;
template <>
inline constexpr bool same_layout<cuda_abi::launch_config, CUlaunchConfig> = true;
template <>
inline constexpr bool same_layout<cuda_abi::memory_location, CUmemLocation> = true;
template <>
inline constexpr bool same_layout<cuda_abi::batch_attributes, CUmemcpyAttributes> = true;
template <>
inline constexpr bool same_layout<cuda_abi::batch_copy_3d, CUDA_MEMCPY3D_BATCH_OP> = true;
template <>
inline constexpr bool same_layout<cuda_abi::array_descriptor, CUDA_ARRAY3D_DESCRIPTOR_v2> = true;
template <>
inline constexpr bool same_layout<cuda_abi::resource_descriptor, CUDA_RESOURCE_DESC_v1> = true;
template <>
inline constexpr bool same_layout<cuda_abi::texture_descriptor, CUDA_TEXTURE_DESC_v1> = true;
template <>
inline constexpr bool same_layout<cuda_abi::resource_view_descriptor, CUDA_RESOURCE_VIEW_DESC_v1> = true;
template <>
inline constexpr bool same_layout<cuda_abi::tensor_map, CUtensorMap> = true;
}  // namespace yoke_test

// The vendor has a pointer type for each name and ABI version; the version here must also be the list's.
#define YOKE_TEST_SAME(own, vendor, abi_version)                                                                       \
  static_assert(abi_equal<decltype(cuda_abi::functions::own), PFN_##vendor##_v##abi_version>);                         \
  static_assert(cuda_entry(#own).version == abi_version);                                                              \
  static_assert(cuda_entry(#own).symbol == std::string_view(#vendor));                                                 \
  struct own {};
namespace cuda_compared {
YOKE_TEST_SAME(init, cuInit, 2000)
YOKE_TEST_SAME(driver_get_version, cuDriverGetVersion, 2020)
YOKE_TEST_SAME(get_error_name, cuGetErrorName, 6000)
YOKE_TEST_SAME(get_error_string, cuGetErrorString, 6000)
YOKE_TEST_SAME(device_get_count, cuDeviceGetCount, 2000)
YOKE_TEST_SAME(device_get, cuDeviceGet, 2000)
YOKE_TEST_SAME(device_get_name, cuDeviceGetName, 2000)
YOKE_TEST_SAME(device_get_uuid, cuDeviceGetUuid, 11040)
YOKE_TEST_SAME(device_total_mem, cuDeviceTotalMem, 3020)
YOKE_TEST_SAME(device_get_attribute, cuDeviceGetAttribute, 2000)
YOKE_TEST_SAME(device_get_by_pci_bus_id, cuDeviceGetByPCIBusId, 4010)
YOKE_TEST_SAME(device_get_pci_bus_id, cuDeviceGetPCIBusId, 4010)
YOKE_TEST_SAME(device_can_access_peer, cuDeviceCanAccessPeer, 4000)
YOKE_TEST_SAME(device_get_p2p_attribute, cuDeviceGetP2PAttribute, 8000)
YOKE_TEST_SAME(device_get_default_mem_pool, cuDeviceGetDefaultMemPool, 11020)
YOKE_TEST_SAME(device_get_mem_pool, cuDeviceGetMemPool, 11020)
YOKE_TEST_SAME(device_set_mem_pool, cuDeviceSetMemPool, 11020)
YOKE_TEST_SAME(primary_context_retain, cuDevicePrimaryCtxRetain, 7000)
YOKE_TEST_SAME(primary_context_release, cuDevicePrimaryCtxRelease, 11000)
YOKE_TEST_SAME(primary_context_set_flags, cuDevicePrimaryCtxSetFlags, 11000)
YOKE_TEST_SAME(primary_context_get_state, cuDevicePrimaryCtxGetState, 7000)
YOKE_TEST_SAME(primary_context_reset, cuDevicePrimaryCtxReset, 11000)
YOKE_TEST_SAME(context_create, cuCtxCreate, 3020)
YOKE_TEST_SAME(context_destroy, cuCtxDestroy, 4000)
YOKE_TEST_SAME(context_push, cuCtxPushCurrent, 4000)
YOKE_TEST_SAME(context_pop, cuCtxPopCurrent, 4000)
YOKE_TEST_SAME(context_set_current, cuCtxSetCurrent, 4000)
YOKE_TEST_SAME(context_get_current, cuCtxGetCurrent, 4000)
YOKE_TEST_SAME(context_get_device, cuCtxGetDevice, 2000)
YOKE_TEST_SAME(context_get_flags, cuCtxGetFlags, 7000)
YOKE_TEST_SAME(context_get_id, cuCtxGetId, 12000)
YOKE_TEST_SAME(context_get_api_version, cuCtxGetApiVersion, 3020)
YOKE_TEST_SAME(context_synchronize, cuCtxSynchronize, 2000)
YOKE_TEST_SAME(context_set_limit, cuCtxSetLimit, 3010)
YOKE_TEST_SAME(context_get_limit, cuCtxGetLimit, 3010)
YOKE_TEST_SAME(context_get_cache_config, cuCtxGetCacheConfig, 3020)
YOKE_TEST_SAME(context_set_cache_config, cuCtxSetCacheConfig, 3020)
YOKE_TEST_SAME(context_get_stream_priority_range, cuCtxGetStreamPriorityRange, 5050)
YOKE_TEST_SAME(context_enable_peer_access, cuCtxEnablePeerAccess, 4000)
YOKE_TEST_SAME(context_disable_peer_access, cuCtxDisablePeerAccess, 4000)
YOKE_TEST_SAME(stream_create, cuStreamCreateWithPriority, 5050)
YOKE_TEST_SAME(stream_destroy, cuStreamDestroy, 4000)
YOKE_TEST_SAME(stream_query, cuStreamQuery, 2000)
YOKE_TEST_SAME(stream_synchronize, cuStreamSynchronize, 2000)
YOKE_TEST_SAME(stream_wait_event, cuStreamWaitEvent, 3020)
YOKE_TEST_SAME(stream_get_context, cuStreamGetCtx, 9020)
YOKE_TEST_SAME(stream_get_flags, cuStreamGetFlags, 5050)
YOKE_TEST_SAME(stream_get_priority, cuStreamGetPriority, 5050)
YOKE_TEST_SAME(stream_get_id, cuStreamGetId, 12000)
YOKE_TEST_SAME(stream_is_capturing, cuStreamIsCapturing, 10000)
YOKE_TEST_SAME(stream_get_capture_info, cuStreamGetCaptureInfo, 10010)
YOKE_TEST_SAME(thread_exchange_capture_mode, cuThreadExchangeStreamCaptureMode, 10010)
YOKE_TEST_SAME(stream_batch_mem_op, cuStreamBatchMemOp, 11070)
YOKE_TEST_SAME(launch_host_function, cuLaunchHostFunc, 10000)
YOKE_TEST_SAME(event_create, cuEventCreate, 2000)
YOKE_TEST_SAME(event_destroy, cuEventDestroy, 4000)
YOKE_TEST_SAME(event_record, cuEventRecord, 2000)
YOKE_TEST_SAME(event_record_with_flags, cuEventRecordWithFlags, 11010)
YOKE_TEST_SAME(event_query, cuEventQuery, 2000)
YOKE_TEST_SAME(event_synchronize, cuEventSynchronize, 2000)
YOKE_TEST_SAME(event_elapsed_time, cuEventElapsedTime, 2000)
YOKE_TEST_SAME(mem_alloc, cuMemAlloc, 3020)
YOKE_TEST_SAME(mem_alloc_pitch, cuMemAllocPitch, 3020)
YOKE_TEST_SAME(mem_free, cuMemFree, 3020)
YOKE_TEST_SAME(mem_alloc_async, cuMemAllocAsync, 11020)
YOKE_TEST_SAME(mem_free_async, cuMemFreeAsync, 11020)
YOKE_TEST_SAME(mem_pool_get_attribute, cuMemPoolGetAttribute, 11020)
YOKE_TEST_SAME(mem_pool_set_attribute, cuMemPoolSetAttribute, 11020)
YOKE_TEST_SAME(mem_pool_trim_to, cuMemPoolTrimTo, 11020)
YOKE_TEST_SAME(mem_pool_create, cuMemPoolCreate, 11020)
YOKE_TEST_SAME(mem_pool_destroy, cuMemPoolDestroy, 11020)
YOKE_TEST_SAME(mem_pool_set_access, cuMemPoolSetAccess, 11020)
YOKE_TEST_SAME(mem_pool_get_access, cuMemPoolGetAccess, 11020)
YOKE_TEST_SAME(mem_pool_export, cuMemPoolExportToShareableHandle, 11020)
YOKE_TEST_SAME(mem_pool_import, cuMemPoolImportFromShareableHandle, 11020)
YOKE_TEST_SAME(mem_pool_export_pointer, cuMemPoolExportPointer, 11020)
YOKE_TEST_SAME(mem_pool_import_pointer, cuMemPoolImportPointer, 11020)
YOKE_TEST_SAME(mem_alloc_from_pool_async, cuMemAllocFromPoolAsync, 11020)
YOKE_TEST_SAME(mem_address_reserve, cuMemAddressReserve, 10020)
YOKE_TEST_SAME(mem_address_free, cuMemAddressFree, 10020)
YOKE_TEST_SAME(mem_create, cuMemCreate, 10020)
YOKE_TEST_SAME(mem_release, cuMemRelease, 10020)
YOKE_TEST_SAME(mem_map, cuMemMap, 10020)
YOKE_TEST_SAME(mem_unmap, cuMemUnmap, 10020)
YOKE_TEST_SAME(mem_set_access, cuMemSetAccess, 10020)
YOKE_TEST_SAME(mem_get_access, cuMemGetAccess, 10020)
YOKE_TEST_SAME(mem_get_granularity, cuMemGetAllocationGranularity, 10020)
YOKE_TEST_SAME(mem_get_properties, cuMemGetAllocationPropertiesFromHandle, 10020)
YOKE_TEST_SAME(mem_export, cuMemExportToShareableHandle, 10020)
YOKE_TEST_SAME(mem_import, cuMemImportFromShareableHandle, 10020)
YOKE_TEST_SAME(mem_retain, cuMemRetainAllocationHandle, 11000)
YOKE_TEST_SAME(mem_alloc_managed, cuMemAllocManaged, 6000)
YOKE_TEST_SAME(stream_attach_mem_async, cuStreamAttachMemAsync, 6000)
YOKE_TEST_SAME(mem_prefetch_async, cuMemPrefetchAsync, 8000)
YOKE_TEST_SAME(mem_prefetch_async_v2, cuMemPrefetchAsync, 12020)
YOKE_TEST_SAME(mem_advise, cuMemAdvise, 8000)
YOKE_TEST_SAME(mem_advise_v2, cuMemAdvise, 12020)
YOKE_TEST_SAME(mem_range_get_attribute, cuMemRangeGetAttribute, 8000)
YOKE_TEST_SAME(mem_range_get_attributes, cuMemRangeGetAttributes, 8000)
YOKE_TEST_SAME(mem_host_alloc, cuMemHostAlloc, 2020)
YOKE_TEST_SAME(mem_free_host, cuMemFreeHost, 2000)
YOKE_TEST_SAME(mem_host_get_device_pointer, cuMemHostGetDevicePointer, 3020)
YOKE_TEST_SAME(mem_host_get_flags, cuMemHostGetFlags, 2030)
YOKE_TEST_SAME(mem_host_register, cuMemHostRegister, 6050)
YOKE_TEST_SAME(mem_host_unregister, cuMemHostUnregister, 4000)
YOKE_TEST_SAME(mem_get_info, cuMemGetInfo, 3020)
YOKE_TEST_SAME(mem_get_address_range, cuMemGetAddressRange, 3020)
YOKE_TEST_SAME(pointer_get_attribute, cuPointerGetAttribute, 4000)
YOKE_TEST_SAME(pointer_get_attributes, cuPointerGetAttributes, 7000)
YOKE_TEST_SAME(memcpy_any, cuMemcpy, 4000)
YOKE_TEST_SAME(memcpy_any_async, cuMemcpyAsync, 4000)
YOKE_TEST_SAME(memcpy_htod, cuMemcpyHtoD, 3020)
YOKE_TEST_SAME(memcpy_htod_async, cuMemcpyHtoDAsync, 3020)
YOKE_TEST_SAME(memcpy_dtoh, cuMemcpyDtoH, 3020)
YOKE_TEST_SAME(memcpy_dtoh_async, cuMemcpyDtoHAsync, 3020)
YOKE_TEST_SAME(memcpy_dtod, cuMemcpyDtoD, 3020)
YOKE_TEST_SAME(memcpy_dtod_async, cuMemcpyDtoDAsync, 3020)
YOKE_TEST_SAME(memcpy_peer, cuMemcpyPeer, 4000)
YOKE_TEST_SAME(memcpy_peer_async, cuMemcpyPeerAsync, 4000)
YOKE_TEST_SAME(memcpy_2d, cuMemcpy2D, 3020)
YOKE_TEST_SAME(memcpy_2d_unaligned, cuMemcpy2DUnaligned, 3020)
YOKE_TEST_SAME(memcpy_2d_async, cuMemcpy2DAsync, 3020)
YOKE_TEST_SAME(memcpy_3d, cuMemcpy3D, 3020)
YOKE_TEST_SAME(memcpy_3d_async, cuMemcpy3DAsync, 3020)
YOKE_TEST_SAME(memcpy_batch_async, cuMemcpyBatchAsync, 12080)
YOKE_TEST_SAME(memcpy_batch_async_v2, cuMemcpyBatchAsync, 13000)
YOKE_TEST_SAME(memcpy_3d_batch_async, cuMemcpy3DBatchAsync, 12080)
YOKE_TEST_SAME(memcpy_3d_batch_async_v2, cuMemcpy3DBatchAsync, 13000)
YOKE_TEST_SAME(array_create, cuArray3DCreate, 3020)
YOKE_TEST_SAME(array_destroy, cuArrayDestroy, 2000)
YOKE_TEST_SAME(array_get_descriptor, cuArray3DGetDescriptor, 3020)
YOKE_TEST_SAME(mipmapped_array_create, cuMipmappedArrayCreate, 5000)
YOKE_TEST_SAME(mipmapped_array_get_level, cuMipmappedArrayGetLevel, 5000)
YOKE_TEST_SAME(mipmapped_array_destroy, cuMipmappedArrayDestroy, 5000)
YOKE_TEST_SAME(texture_create, cuTexObjectCreate, 5000)
YOKE_TEST_SAME(texture_destroy, cuTexObjectDestroy, 5000)
YOKE_TEST_SAME(texture_get_resource, cuTexObjectGetResourceDesc, 5000)
YOKE_TEST_SAME(texture_get_descriptor, cuTexObjectGetTextureDesc, 5000)
YOKE_TEST_SAME(texture_get_view, cuTexObjectGetResourceViewDesc, 5000)
YOKE_TEST_SAME(surface_create, cuSurfObjectCreate, 5000)
YOKE_TEST_SAME(surface_destroy, cuSurfObjectDestroy, 5000)
YOKE_TEST_SAME(surface_get_resource, cuSurfObjectGetResourceDesc, 5000)
YOKE_TEST_SAME(device_get_texture1d_linear_max_width, cuDeviceGetTexture1DLinearMaxWidth, 11010)
YOKE_TEST_SAME(memset_d8, cuMemsetD8, 3020)
YOKE_TEST_SAME(memset_d8_async, cuMemsetD8Async, 3020)
YOKE_TEST_SAME(memset_d16, cuMemsetD16, 3020)
YOKE_TEST_SAME(memset_d16_async, cuMemsetD16Async, 3020)
YOKE_TEST_SAME(memset_d32, cuMemsetD32, 3020)
YOKE_TEST_SAME(memset_d32_async, cuMemsetD32Async, 3020)
YOKE_TEST_SAME(memset_2d_d8, cuMemsetD2D8, 3020)
YOKE_TEST_SAME(memset_2d_d8_async, cuMemsetD2D8Async, 3020)
YOKE_TEST_SAME(memset_2d_d16, cuMemsetD2D16, 3020)
YOKE_TEST_SAME(memset_2d_d16_async, cuMemsetD2D16Async, 3020)
YOKE_TEST_SAME(memset_2d_d32, cuMemsetD2D32, 3020)
YOKE_TEST_SAME(memset_2d_d32_async, cuMemsetD2D32Async, 3020)
YOKE_TEST_SAME(library_load_data, cuLibraryLoadData, 12000)
YOKE_TEST_SAME(library_load_from_file, cuLibraryLoadFromFile, 12000)
YOKE_TEST_SAME(library_unload, cuLibraryUnload, 12000)
YOKE_TEST_SAME(library_get_kernel, cuLibraryGetKernel, 12000)
YOKE_TEST_SAME(library_get_module, cuLibraryGetModule, 12000)
YOKE_TEST_SAME(library_get_global, cuLibraryGetGlobal, 12000)
YOKE_TEST_SAME(library_get_managed, cuLibraryGetManaged, 12000)
YOKE_TEST_SAME(library_get_kernel_count, cuLibraryGetKernelCount, 12040)
YOKE_TEST_SAME(library_enumerate_kernels, cuLibraryEnumerateKernels, 12040)
YOKE_TEST_SAME(kernel_get_function, cuKernelGetFunction, 12000)
YOKE_TEST_SAME(kernel_get_library, cuKernelGetLibrary, 12050)
YOKE_TEST_SAME(kernel_get_name, cuKernelGetName, 12030)
YOKE_TEST_SAME(kernel_get_param_info, cuKernelGetParamInfo, 12040)
YOKE_TEST_SAME(kernel_get_attribute, cuKernelGetAttribute, 12000)
YOKE_TEST_SAME(kernel_set_attribute, cuKernelSetAttribute, 12000)
YOKE_TEST_SAME(kernel_set_cache_config, cuKernelSetCacheConfig, 12000)
YOKE_TEST_SAME(function_get_name, cuFuncGetName, 12030)
YOKE_TEST_SAME(function_get_param_info, cuFuncGetParamInfo, 12040)
YOKE_TEST_SAME(function_get_attribute, cuFuncGetAttribute, 2020)
YOKE_TEST_SAME(function_set_attribute, cuFuncSetAttribute, 9000)
YOKE_TEST_SAME(function_set_cache_config, cuFuncSetCacheConfig, 3000)
YOKE_TEST_SAME(function_get_module, cuFuncGetModule, 11000)
YOKE_TEST_SAME(function_is_loaded, cuFuncIsLoaded, 12040)
YOKE_TEST_SAME(function_load, cuFuncLoad, 12040)
YOKE_TEST_SAME(module_load_data, cuModuleLoadDataEx, 2010)
YOKE_TEST_SAME(module_get_function, cuModuleGetFunction, 2000)
YOKE_TEST_SAME(module_get_global, cuModuleGetGlobal, 3020)
YOKE_TEST_SAME(module_unload, cuModuleUnload, 2000)
YOKE_TEST_SAME(link_create, cuLinkCreate, 6050)
YOKE_TEST_SAME(link_add_data, cuLinkAddData, 6050)
YOKE_TEST_SAME(link_add_file, cuLinkAddFile, 6050)
YOKE_TEST_SAME(link_complete, cuLinkComplete, 5050)
YOKE_TEST_SAME(link_destroy, cuLinkDestroy, 5050)
YOKE_TEST_SAME(launch_kernel, cuLaunchKernel, 4000)
YOKE_TEST_SAME(launch_kernel_ex, cuLaunchKernelEx, 11060)
YOKE_TEST_SAME(launch_cooperative_kernel, cuLaunchCooperativeKernel, 9000)
YOKE_TEST_SAME(occupancy_max_active_blocks, cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050)
YOKE_TEST_SAME(occupancy_max_active_blocks_with_flags, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 7000)
YOKE_TEST_SAME(occupancy_max_potential_block_size, cuOccupancyMaxPotentialBlockSize, 6050)
YOKE_TEST_SAME(occupancy_max_potential_block_size_with_flags, cuOccupancyMaxPotentialBlockSizeWithFlags, 7000)
YOKE_TEST_SAME(occupancy_available_dynamic_shared, cuOccupancyAvailableDynamicSMemPerBlock, 10020)
YOKE_TEST_SAME(occupancy_max_potential_cluster_size, cuOccupancyMaxPotentialClusterSize, 11070)
YOKE_TEST_SAME(occupancy_max_active_clusters, cuOccupancyMaxActiveClusters, 11070)
YOKE_TEST_SAME(memcpy_3d_peer_async, cuMemcpy3DPeerAsync, 4000)
YOKE_TEST_SAME(stream_begin_capture, cuStreamBeginCapture, 10010)
YOKE_TEST_SAME(stream_end_capture, cuStreamEndCapture, 10000)
YOKE_TEST_SAME(graph_create, cuGraphCreate, 10000)
YOKE_TEST_SAME(graph_destroy, cuGraphDestroy, 10000)
YOKE_TEST_SAME(graph_add_kernel_node, cuGraphAddKernelNode, 12000)
YOKE_TEST_SAME(graph_add_memcpy_node, cuGraphAddMemcpyNode, 10000)
YOKE_TEST_SAME(graph_add_memset_node, cuGraphAddMemsetNode, 10000)
YOKE_TEST_SAME(graph_add_host_node, cuGraphAddHostNode, 10000)
YOKE_TEST_SAME(graph_add_child_node, cuGraphAddChildGraphNode, 10000)
YOKE_TEST_SAME(graph_add_empty_node, cuGraphAddEmptyNode, 10000)
YOKE_TEST_SAME(graph_add_event_record_node, cuGraphAddEventRecordNode, 11010)
YOKE_TEST_SAME(graph_add_event_wait_node, cuGraphAddEventWaitNode, 11010)
YOKE_TEST_SAME(graph_add_batch_mem_op_node, cuGraphAddBatchMemOpNode, 11070)
YOKE_TEST_SAME(graph_condition_create, cuGraphConditionalHandleCreate, 12030)
YOKE_TEST_SAME(graph_add_node, cuGraphAddNode, 12030)
YOKE_TEST_SAME(graph_destroy_node, cuGraphDestroyNode, 10000)
YOKE_TEST_SAME(graph_kernel_node_set_attribute, cuGraphKernelNodeSetAttribute, 11000)
YOKE_TEST_SAME(graph_get_nodes, cuGraphGetNodes, 10000)
YOKE_TEST_SAME(graph_get_edges, cuGraphGetEdges, 10000)
YOKE_TEST_SAME(graph_node_get_type, cuGraphNodeGetType, 10000)
YOKE_TEST_SAME(graph_node_get_dependencies, cuGraphNodeGetDependencies, 10000)
YOKE_TEST_SAME(graph_debug_dot_print, cuGraphDebugDotPrint, 11030)
YOKE_TEST_SAME(graph_instantiate, cuGraphInstantiateWithFlags, 11040)
YOKE_TEST_SAME(graph_exec_destroy, cuGraphExecDestroy, 10000)
YOKE_TEST_SAME(graph_launch, cuGraphLaunch, 10000)
YOKE_TEST_SAME(graph_upload, cuGraphUpload, 11010)
YOKE_TEST_SAME(graph_exec_set_kernel_node, cuGraphExecKernelNodeSetParams, 12000)
YOKE_TEST_SAME(graph_exec_set_memcpy_node, cuGraphExecMemcpyNodeSetParams, 10020)
YOKE_TEST_SAME(graph_exec_set_memset_node, cuGraphExecMemsetNodeSetParams, 10020)
YOKE_TEST_SAME(graph_exec_update, cuGraphExecUpdate, 12000)
YOKE_TEST_SAME(graph_node_set_enabled, cuGraphNodeSetEnabled, 11060)
YOKE_TEST_SAME(tensor_map_encode_tiled, cuTensorMapEncodeTiled, 12000)
YOKE_TEST_SAME(tensor_map_replace_address, cuTensorMapReplaceAddress, 12000)
YOKE_TEST_SAME(ipc_get_memory_handle, cuIpcGetMemHandle, 4010)
YOKE_TEST_SAME(ipc_open_memory_handle, cuIpcOpenMemHandle, 11000)
YOKE_TEST_SAME(ipc_close_memory_handle, cuIpcCloseMemHandle, 4010)
YOKE_TEST_SAME(ipc_get_event_handle, cuIpcGetEventHandle, 4010)
YOKE_TEST_SAME(ipc_open_event_handle, cuIpcOpenEventHandle, 4010)
YOKE_TEST_SAME(profiler_start, cuProfilerStart, 4000)
YOKE_TEST_SAME(profiler_stop, cuProfilerStop, 4000)
}  // namespace cuda_compared
#define YOKE_TEST_COMPARED(own, ...) static_assert(sizeof(cuda_compared::own) == 1);
YOKE_CUDA_FUNCTIONS(YOKE_TEST_COMPARED)
#undef YOKE_TEST_COMPARED
static_assert(abi_equal<cuda_abi::get_proc_address*, PFN_cuGetProcAddress_v12000>);
static_assert(abi_equal<cuda_abi::get_proc_address_v1*, PFN_cuGetProcAddress_v11030>);
#undef YOKE_TEST_SAME
#endif

#if __has_include(<nvrtc.h>)
#define YOKE_TEST_SAME(own, vendor)                                                                                    \
  static_assert(abi_equal<decltype(cuda_abi::nvrtc_functions::own), decltype(&::vendor)>);                             \
  struct own {};
namespace nvrtc_compared {
YOKE_TEST_SAME(get_error_string, nvrtcGetErrorString)
YOKE_TEST_SAME(version, nvrtcVersion)
YOKE_TEST_SAME(get_num_supported_archs, nvrtcGetNumSupportedArchs)
YOKE_TEST_SAME(get_supported_archs, nvrtcGetSupportedArchs)
YOKE_TEST_SAME(create_program, nvrtcCreateProgram)
YOKE_TEST_SAME(destroy_program, nvrtcDestroyProgram)
YOKE_TEST_SAME(add_name_expression, nvrtcAddNameExpression)
YOKE_TEST_SAME(compile_program, nvrtcCompileProgram)
YOKE_TEST_SAME(get_lowered_name, nvrtcGetLoweredName)
YOKE_TEST_SAME(get_ptx_size, nvrtcGetPTXSize)
YOKE_TEST_SAME(get_ptx, nvrtcGetPTX)
YOKE_TEST_SAME(get_cubin_size, nvrtcGetCUBINSize)
YOKE_TEST_SAME(get_cubin, nvrtcGetCUBIN)
YOKE_TEST_SAME(get_ltoir_size, nvrtcGetLTOIRSize)
YOKE_TEST_SAME(get_ltoir, nvrtcGetLTOIR)
YOKE_TEST_SAME(get_program_log_size, nvrtcGetProgramLogSize)
YOKE_TEST_SAME(get_program_log, nvrtcGetProgramLog)
}  // namespace nvrtc_compared
#define YOKE_TEST_COMPARED(own, ...) static_assert(sizeof(nvrtc_compared::own) == 1);
YOKE_NVRTC_FUNCTIONS(YOKE_TEST_COMPARED)
#undef YOKE_TEST_COMPARED
#undef YOKE_TEST_SAME
#endif

// The header's functions go on to those of its own version; the library has both.
#if __has_include(<nvJitLink.h>)
#define YOKE_TEST_SAME(own, vendor)                                                                                    \
  static_assert(abi_equal<decltype(cuda_abi::nvjitlink_functions::own), decltype(&::vendor)>);                         \
  struct own {};
namespace nvjitlink_compared {
YOKE_TEST_SAME(create, nvJitLinkCreate)
YOKE_TEST_SAME(destroy, nvJitLinkDestroy)
YOKE_TEST_SAME(add_data, nvJitLinkAddData)
YOKE_TEST_SAME(add_file, nvJitLinkAddFile)
YOKE_TEST_SAME(complete, nvJitLinkComplete)
YOKE_TEST_SAME(get_cubin_size, nvJitLinkGetLinkedCubinSize)
YOKE_TEST_SAME(get_cubin, nvJitLinkGetLinkedCubin)
YOKE_TEST_SAME(get_error_log_size, nvJitLinkGetErrorLogSize)
YOKE_TEST_SAME(get_error_log, nvJitLinkGetErrorLog)
YOKE_TEST_SAME(get_info_log_size, nvJitLinkGetInfoLogSize)
YOKE_TEST_SAME(get_info_log, nvJitLinkGetInfoLog)
}  // namespace nvjitlink_compared
#define YOKE_TEST_COMPARED(own, ...) static_assert(sizeof(nvjitlink_compared::own) == 1);
YOKE_NVJITLINK_FUNCTIONS(YOKE_TEST_COMPARED)
#undef YOKE_TEST_COMPARED
#undef YOKE_TEST_SAME
static_assert(static_cast<int>(cuda_abi::nvjitlink_input::ltoir) == NVJITLINK_INPUT_LTOIR);
static_assert(static_cast<int>(cuda_abi::nvjitlink_input::archive) == NVJITLINK_INPUT_LIBRARY);
#endif

TEST_CASE("no two CUDA entries share a name, or a symbol of one version", "[driver][cuda]") {
  std::set<std::string> names;
  std::set<std::pair<std::string, int>> forms;
  std::multiset<std::string> symbols;
  for (const entry_facts& each : cuda_entries) {
    INFO(each.symbol);
    names.insert(std::string(each.name));
    forms.emplace(each.symbol, each.version);
    symbols.insert(each.symbol);
    CHECK_THAT(each.symbol, StartsWith("cu"));
    CHECK(std::string(each.symbol).find("_v") == std::string::npos);  // the version says it
    CHECK((each.version >= 2000 && each.version % 10 == 0));
  }
  CHECK(names.size() == cuda_entries.size());
  CHECK(forms.size() == cuda_entries.size());
  std::set<std::string> of_two_forms;
  for (const std::string& each : symbols) {
    if (symbols.count(each) > 1) of_two_forms.insert(each);
  }
  CHECK(of_two_forms ==
        std::set<std::string>{"cuMemAdvise", "cuMemPrefetchAsync", "cuMemcpy3DBatchAsync", "cuMemcpyBatchAsync"});
}

TEST_CASE("no two NVRTC entries share a name or a symbol", "[driver][cuda]") {
  std::set<std::string> names;
  std::set<std::string> symbols;
  for (const nvrtc_entry_facts& each : nvrtc_entries) {
    names.insert(std::string(each.name));
    symbols.insert(each.symbol);
    CHECK_THAT(each.symbol, StartsWith("nvrtc"));
  }
  CHECK(names.size() == nvrtc_entries.size());
  CHECK(symbols.size() == nvrtc_entries.size());
}

TEST_CASE("what a driver 12.0 may lack is known, and little", "[driver][cuda]") {
  std::set<std::string> optional;
  for (const entry_facts& each : cuda_entries) {
    if (each.version > cuda_abi::required_version) optional.insert(each.symbol);
  }
  CHECK(optional == std::set<std::string>{"cuFuncGetName", "cuFuncGetParamInfo", "cuFuncIsLoaded", "cuFuncLoad",
                                          "cuGraphAddNode", "cuGraphConditionalHandleCreate", "cuKernelGetLibrary",
                                          "cuKernelGetName", "cuKernelGetParamInfo", "cuLibraryEnumerateKernels",
                                          "cuLibraryGetKernelCount", "cuMemAdvise", "cuMemPrefetchAsync",
                                          "cuMemcpy3DBatchAsync", "cuMemcpyBatchAsync"});
}

TEST_CASE("signatures were compared with cudaTypedefs.h when this was compiled", "[driver][cuda]") {
#if !defined(CUDA_VERSION) || CUDA_VERSION < 13000
  YOKE_SKIP("no header of CUDA 13 was found");
#else
  SUCCEED("as static assertions");
#endif
}
