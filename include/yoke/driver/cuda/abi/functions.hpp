// SPDX-License-Identifier: MIT
// The list of driver entry points, the table made from it, and notes about the driver's use.
#ifndef YOKE_DRIVER_CUDA_ABI_FUNCTIONS_HPP
#define YOKE_DRIVER_CUDA_ABI_FUNCTIONS_HPP

#include <yoke/core/config.hpp>
#include <yoke/core/shared.hpp>
#include <yoke/driver/cuda/abi/abi.hpp>
#include <yoke/driver/cuda/abi/abi_graphs.hpp>
#include <yoke/driver/cuda/abi/abi_images.hpp>
#include <yoke/driver/cuda/abi/abi_memory.hpp>
#include <yoke/driver/cuda/abi/abi_tensors.hpp>

namespace yoke::inline v0_1::cuda::detail {

// One object for a program and the shared objects that it is linked with, even if they hide their symbols. It has its
// own cache line: every call reads it, and only a forked process writes it.
struct alignas(64) forked_state {
  yoke::detail::atomic<bool> is_so{false};
};
inline constinit YOKE_API_TYPE forked_state forked{};

class context_list;
class extra_references;
class image_list;
class peer_list;

/// Notes about a driver. Every handle has a table of entry points, which points to its notes: shared objects that use
/// the same handles see the same notes, however they were loaded. Each part is made at its first use, and never
/// destroyed, because handles may end while the program ends.
struct driver_notes {
  yoke::detail::atomic<extra_references*> references{nullptr};
  yoke::detail::atomic<context_list*> contexts{nullptr};
  yoke::detail::atomic<image_list*> images{nullptr};
  yoke::detail::atomic<peer_list*> peers{nullptr};
  /// Whether the driver is the simulator, which detects accesses beyond blocks and to freed blocks.
  yoke::detail::atomic<bool> guards_memory{false};
};

/// The notes of tables made by the program and the shared objects that it is linked with, even if they hide their
/// symbols. Objects opened by `dlopen` have their own, unless the program exports its symbols. A copied table keeps its
/// notes.
inline constinit YOKE_API_TYPE driver_notes notes_of_new_tables{};

}  // namespace yoke::inline v0_1::cuda::detail

// X(own name, driver's name, ABI version, function type). cuGetProcAddress gets the version with the name, so that
// every driver returns the entry of this signature: some names changed their meaning from CUDA 12 to 13. The version is
// also the first driver that has the entry. Up to 12000 a symbol is required; above, a missing one is a null entry, and
// its use throws `unsupported_error`. The list generates the loader, the simulator's exports, and the tests' call log,
// failure injector and ledger of live objects.
//
// Kept below the newest version on purpose: cuCtxCreate (11040 and 12050 take more arguments), cuCtxGetDevice and
// cuCtxSynchronize (13000 takes a context, under the same name), cuStreamGetCtx (12050 also returns green contexts),
// cuEventElapsedTime (12080 does not report earlier errors), cuGraphGetEdges and cuGraphNodeGetDependencies (12030 also
// return the data of edges).
//
// cuMemPrefetchAsync and cuMemAdvise are listed in both forms, 8000 with a device and 12020 with a location: older
// drivers have only the first, and only the second knows NUMA nodes. cuMemcpyBatchAsync and cuMemcpy3DBatchAsync are
// listed in both forms, too: the form of 12080 tells which copy it refused.
#define YOKE_CUDA_FUNCTIONS(X)                                                                                         \
  X(init, "cuInit", 2000, status(uint))                                                                                \
  X(driver_get_version, "cuDriverGetVersion", 2020, status(int*))                                                      \
  X(get_error_name, "cuGetErrorName", 6000, status(status, const char**))                                              \
  X(get_error_string, "cuGetErrorString", 6000, status(status, const char**))                                          \
  X(device_get_count, "cuDeviceGetCount", 2000, status(int*))                                                          \
  X(device_get, "cuDeviceGet", 2000, status(device*, int))                                                             \
  X(device_get_name, "cuDeviceGetName", 2000, status(char*, int, device))                                              \
  X(device_get_uuid, "cuDeviceGetUuid", 11040, status(uuid*, device))                                                  \
  X(device_total_mem, "cuDeviceTotalMem", 3020, status(std::size_t*, device))                                          \
  X(device_get_attribute, "cuDeviceGetAttribute", 2000, status(int*, int, device))                                     \
  X(device_get_by_pci_bus_id, "cuDeviceGetByPCIBusId", 4010, status(device*, const char*))                             \
  X(device_get_pci_bus_id, "cuDeviceGetPCIBusId", 4010, status(char*, int, device))                                    \
  X(device_can_access_peer, "cuDeviceCanAccessPeer", 4000, status(int*, device, device))                               \
  X(device_get_p2p_attribute, "cuDeviceGetP2PAttribute", 8000, status(int*, p2p_attribute, device, device))            \
  X(device_get_default_mem_pool, "cuDeviceGetDefaultMemPool", 11020, status(memory_pool*, device))                     \
  X(device_get_mem_pool, "cuDeviceGetMemPool", 11020, status(memory_pool*, device))                                    \
  X(device_set_mem_pool, "cuDeviceSetMemPool", 11020, status(device, memory_pool))                                     \
  X(primary_context_retain, "cuDevicePrimaryCtxRetain", 7000, status(context*, device))                                \
  X(primary_context_release, "cuDevicePrimaryCtxRelease", 11000, status(device))                                       \
  X(primary_context_set_flags, "cuDevicePrimaryCtxSetFlags", 11000, status(device, uint))                              \
  X(primary_context_get_state, "cuDevicePrimaryCtxGetState", 7000, status(device, uint*, int*))                        \
  X(primary_context_reset, "cuDevicePrimaryCtxReset", 11000, status(device))                                           \
  X(context_create, "cuCtxCreate", 3020, status(context*, uint, device))                                               \
  X(context_destroy, "cuCtxDestroy", 4000, status(context))                                                            \
  X(context_push, "cuCtxPushCurrent", 4000, status(context))                                                           \
  X(context_pop, "cuCtxPopCurrent", 4000, status(context*))                                                            \
  X(context_set_current, "cuCtxSetCurrent", 4000, status(context))                                                     \
  X(context_get_current, "cuCtxGetCurrent", 4000, status(context*))                                                    \
  X(context_get_device, "cuCtxGetDevice", 2000, status(device*))                                                       \
  X(context_get_flags, "cuCtxGetFlags", 7000, status(uint*))                                                           \
  X(context_get_id, "cuCtxGetId", 12000, status(context, ulong*))                                                      \
  X(context_get_api_version, "cuCtxGetApiVersion", 3020, status(context, uint*))                                       \
  X(context_synchronize, "cuCtxSynchronize", 2000, status())                                                           \
  X(context_set_limit, "cuCtxSetLimit", 3010, status(limit, std::size_t))                                              \
  X(context_get_limit, "cuCtxGetLimit", 3010, status(std::size_t*, limit))                                             \
  X(context_get_cache_config, "cuCtxGetCacheConfig", 3020, status(cache_config*))                                      \
  X(context_set_cache_config, "cuCtxSetCacheConfig", 3020, status(cache_config))                                       \
  X(context_get_stream_priority_range, "cuCtxGetStreamPriorityRange", 5050, status(int*, int*))                        \
  X(context_enable_peer_access, "cuCtxEnablePeerAccess", 4000, status(context, uint))                                  \
  X(context_disable_peer_access, "cuCtxDisablePeerAccess", 4000, status(context))                                      \
  X(stream_create, "cuStreamCreateWithPriority", 5050, status(stream*, uint, int))                                     \
  X(stream_destroy, "cuStreamDestroy", 4000, status(stream))                                                           \
  X(stream_query, "cuStreamQuery", 2000, status(stream))                                                               \
  X(stream_synchronize, "cuStreamSynchronize", 2000, status(stream))                                                   \
  X(stream_wait_event, "cuStreamWaitEvent", 3020, status(stream, event, uint))                                         \
  X(stream_get_context, "cuStreamGetCtx", 9020, status(stream, context*))                                              \
  X(stream_get_flags, "cuStreamGetFlags", 5050, status(stream, uint*))                                                 \
  X(stream_get_priority, "cuStreamGetPriority", 5050, status(stream, int*))                                            \
  X(stream_get_id, "cuStreamGetId", 12000, status(stream, ulong*))                                                     \
  X(stream_is_capturing, "cuStreamIsCapturing", 10000, status(stream, capture_status*))                                \
  X(stream_get_capture_info, "cuStreamGetCaptureInfo", 10010, status(stream, capture_status*, std::uint64_t*))         \
  X(thread_exchange_capture_mode, "cuThreadExchangeStreamCaptureMode", 10010, status(capture_mode*))                   \
  X(stream_batch_mem_op, "cuStreamBatchMemOp", 11070, status(stream, uint, mem_op_params*, uint))                      \
  X(launch_host_function, "cuLaunchHostFunc", 10000, status(stream, host_function, void*))                             \
  X(event_create, "cuEventCreate", 2000, status(event*, uint))                                                         \
  X(event_destroy, "cuEventDestroy", 4000, status(event))                                                              \
  X(event_record, "cuEventRecord", 2000, status(event, stream))                                                        \
  X(event_record_with_flags, "cuEventRecordWithFlags", 11010, status(event, stream, uint))                             \
  X(event_query, "cuEventQuery", 2000, status(event))                                                                  \
  X(event_synchronize, "cuEventSynchronize", 2000, status(event))                                                      \
  X(event_elapsed_time, "cuEventElapsedTime", 2000, status(float*, event, event))                                      \
  X(mem_alloc, "cuMemAlloc", 3020, status(device_pointer*, std::size_t))                                               \
  X(mem_alloc_pitch, "cuMemAllocPitch", 3020, status(device_pointer*, std::size_t*, std::size_t, std::size_t, uint))   \
  X(mem_free, "cuMemFree", 3020, status(device_pointer))                                                               \
  X(mem_alloc_async, "cuMemAllocAsync", 11020, status(device_pointer*, std::size_t, stream))                           \
  X(mem_free_async, "cuMemFreeAsync", 11020, status(device_pointer, stream))                                           \
  X(mem_pool_get_attribute, "cuMemPoolGetAttribute", 11020, status(memory_pool, pool_attribute, void*))                \
  X(mem_pool_set_attribute, "cuMemPoolSetAttribute", 11020, status(memory_pool, pool_attribute, void*))                \
  X(mem_pool_trim_to, "cuMemPoolTrimTo", 11020, status(memory_pool, std::size_t))                                      \
  X(mem_pool_create, "cuMemPoolCreate", 11020, status(memory_pool*, const pool_properties*))                           \
  X(mem_pool_destroy, "cuMemPoolDestroy", 11020, status(memory_pool))                                                  \
  X(mem_pool_set_access, "cuMemPoolSetAccess", 11020, status(memory_pool, const access_descriptor*, std::size_t))      \
  X(mem_pool_get_access, "cuMemPoolGetAccess", 11020, status(access_flags*, memory_pool, memory_location*))            \
  X(mem_pool_export, "cuMemPoolExportToShareableHandle", 11020, status(void*, memory_pool, shared_handle_type, ulong)) \
  X(mem_pool_import, "cuMemPoolImportFromShareableHandle", 11020,                                                      \
    status(memory_pool*, void*, shared_handle_type, ulong))                                                            \
  X(mem_pool_export_pointer, "cuMemPoolExportPointer", 11020, status(pool_export_data*, device_pointer))               \
  X(mem_pool_import_pointer, "cuMemPoolImportPointer", 11020, status(device_pointer*, memory_pool, pool_export_data*)) \
  X(mem_alloc_from_pool_async, "cuMemAllocFromPoolAsync", 11020,                                                       \
    status(device_pointer*, std::size_t, memory_pool, stream))                                                         \
  X(mem_address_reserve, "cuMemAddressReserve", 10020,                                                                 \
    status(device_pointer*, std::size_t, std::size_t, device_pointer, ulong))                                          \
  X(mem_address_free, "cuMemAddressFree", 10020, status(device_pointer, std::size_t))                                  \
  X(mem_create, "cuMemCreate", 10020, status(physical_memory*, std::size_t, const allocation_properties*, ulong))      \
  X(mem_release, "cuMemRelease", 10020, status(physical_memory))                                                       \
  X(mem_map, "cuMemMap", 10020, status(device_pointer, std::size_t, std::size_t, physical_memory, ulong))              \
  X(mem_unmap, "cuMemUnmap", 10020, status(device_pointer, std::size_t))                                               \
  X(mem_set_access, "cuMemSetAccess", 10020,                                                                           \
    status(device_pointer, std::size_t, const access_descriptor*, std::size_t))                                        \
  X(mem_get_access, "cuMemGetAccess", 10020, status(ulong*, const memory_location*, device_pointer))                   \
  X(mem_get_granularity, "cuMemGetAllocationGranularity", 10020,                                                       \
    status(std::size_t*, const allocation_properties*, granularity_kind))                                              \
  X(mem_get_properties, "cuMemGetAllocationPropertiesFromHandle", 10020,                                               \
    status(allocation_properties*, physical_memory))                                                                   \
  X(mem_export, "cuMemExportToShareableHandle", 10020, status(void*, physical_memory, shared_handle_type, ulong))      \
  X(mem_import, "cuMemImportFromShareableHandle", 10020, status(physical_memory*, void*, shared_handle_type))          \
  X(mem_retain, "cuMemRetainAllocationHandle", 11000, status(physical_memory*, void*))                                 \
  X(mem_alloc_managed, "cuMemAllocManaged", 6000, status(device_pointer*, std::size_t, uint))                          \
  X(stream_attach_mem_async, "cuStreamAttachMemAsync", 6000, status(stream, device_pointer, std::size_t, uint))        \
  X(mem_prefetch_async, "cuMemPrefetchAsync", 8000, status(device_pointer, std::size_t, device, stream))               \
  X(mem_prefetch_async_v2, "cuMemPrefetchAsync", 12020,                                                                \
    status(device_pointer, std::size_t, memory_location, uint, stream))                                                \
  X(mem_advise, "cuMemAdvise", 8000, status(device_pointer, std::size_t, memory_advice, device))                       \
  X(mem_advise_v2, "cuMemAdvise", 12020, status(device_pointer, std::size_t, memory_advice, memory_location))          \
  X(mem_range_get_attribute, "cuMemRangeGetAttribute", 8000,                                                           \
    status(void*, std::size_t, memory_range_attribute, device_pointer, std::size_t))                                   \
  X(mem_range_get_attributes, "cuMemRangeGetAttributes", 8000,                                                         \
    status(void**, std::size_t*, memory_range_attribute*, std::size_t, device_pointer, std::size_t))                   \
  X(mem_host_alloc, "cuMemHostAlloc", 2020, status(void**, std::size_t, uint))                                         \
  X(mem_free_host, "cuMemFreeHost", 2000, status(void*))                                                               \
  X(mem_host_get_device_pointer, "cuMemHostGetDevicePointer", 3020, status(device_pointer*, void*, uint))              \
  X(mem_host_get_flags, "cuMemHostGetFlags", 2030, status(uint*, void*))                                               \
  X(mem_host_register, "cuMemHostRegister", 6050, status(void*, std::size_t, uint))                                    \
  X(mem_host_unregister, "cuMemHostUnregister", 4000, status(void*))                                                   \
  X(mem_get_info, "cuMemGetInfo", 3020, status(std::size_t*, std::size_t*))                                            \
  X(mem_get_address_range, "cuMemGetAddressRange", 3020, status(device_pointer*, std::size_t*, device_pointer))        \
  X(pointer_get_attribute, "cuPointerGetAttribute", 4000, status(void*, pointer_attribute, device_pointer))            \
  X(pointer_get_attributes, "cuPointerGetAttributes", 7000, status(uint, pointer_attribute*, void**, device_pointer))  \
  X(memcpy_any, "cuMemcpy", 4000, status(device_pointer, device_pointer, std::size_t))                                 \
  X(memcpy_any_async, "cuMemcpyAsync", 4000, status(device_pointer, device_pointer, std::size_t, stream))              \
  X(memcpy_htod, "cuMemcpyHtoD", 3020, status(device_pointer, const void*, std::size_t))                               \
  X(memcpy_htod_async, "cuMemcpyHtoDAsync", 3020, status(device_pointer, const void*, std::size_t, stream))            \
  X(memcpy_dtoh, "cuMemcpyDtoH", 3020, status(void*, device_pointer, std::size_t))                                     \
  X(memcpy_dtoh_async, "cuMemcpyDtoHAsync", 3020, status(void*, device_pointer, std::size_t, stream))                  \
  X(memcpy_dtod, "cuMemcpyDtoD", 3020, status(device_pointer, device_pointer, std::size_t))                            \
  X(memcpy_dtod_async, "cuMemcpyDtoDAsync", 3020, status(device_pointer, device_pointer, std::size_t, stream))         \
  X(memcpy_peer, "cuMemcpyPeer", 4000, status(device_pointer, context, device_pointer, context, std::size_t))          \
  X(memcpy_peer_async, "cuMemcpyPeerAsync", 4000,                                                                      \
    status(device_pointer, context, device_pointer, context, std::size_t, stream))                                     \
  X(memcpy_2d, "cuMemcpy2D", 3020, status(const copy_2d*))                                                             \
  X(memcpy_2d_unaligned, "cuMemcpy2DUnaligned", 3020, status(const copy_2d*))                                          \
  X(memcpy_2d_async, "cuMemcpy2DAsync", 3020, status(const copy_2d*, stream))                                          \
  X(memcpy_3d, "cuMemcpy3D", 3020, status(const copy_3d*))                                                             \
  X(memcpy_3d_async, "cuMemcpy3DAsync", 3020, status(const copy_3d*, stream))                                          \
  X(memcpy_batch_async, "cuMemcpyBatchAsync", 12080,                                                                   \
    status(device_pointer*, device_pointer*, std::size_t*, std::size_t, batch_attributes*, std::size_t*, std::size_t,  \
           std::size_t*, stream))                                                                                      \
  X(memcpy_batch_async_v2, "cuMemcpyBatchAsync", 13000,                                                                \
    status(device_pointer*, device_pointer*, std::size_t*, std::size_t, batch_attributes*, std::size_t*, std::size_t,  \
           stream))                                                                                                    \
  X(memcpy_3d_batch_async, "cuMemcpy3DBatchAsync", 12080,                                                              \
    status(std::size_t, batch_copy_3d*, std::size_t*, ulong, stream))                                                  \
  X(memcpy_3d_batch_async_v2, "cuMemcpy3DBatchAsync", 13000, status(std::size_t, batch_copy_3d*, ulong, stream))       \
  X(array_create, "cuArray3DCreate", 3020, status(array*, const array_descriptor*))                                    \
  X(array_destroy, "cuArrayDestroy", 2000, status(array))                                                              \
  X(array_get_descriptor, "cuArray3DGetDescriptor", 3020, status(array_descriptor*, array))                            \
  X(mipmapped_array_create, "cuMipmappedArrayCreate", 5000, status(mipmapped_array*, const array_descriptor*, uint))   \
  X(mipmapped_array_get_level, "cuMipmappedArrayGetLevel", 5000, status(array*, mipmapped_array, uint))                \
  X(mipmapped_array_destroy, "cuMipmappedArrayDestroy", 5000, status(mipmapped_array))                                 \
  X(texture_create, "cuTexObjectCreate", 5000,                                                                         \
    status(texture_object*, const resource_descriptor*, const texture_descriptor*, const resource_view_descriptor*))   \
  X(texture_destroy, "cuTexObjectDestroy", 5000, status(texture_object))                                               \
  X(texture_get_resource, "cuTexObjectGetResourceDesc", 5000, status(resource_descriptor*, texture_object))            \
  X(texture_get_descriptor, "cuTexObjectGetTextureDesc", 5000, status(texture_descriptor*, texture_object))            \
  X(texture_get_view, "cuTexObjectGetResourceViewDesc", 5000, status(resource_view_descriptor*, texture_object))       \
  X(surface_create, "cuSurfObjectCreate", 5000, status(surface_object*, const resource_descriptor*))                   \
  X(surface_destroy, "cuSurfObjectDestroy", 5000, status(surface_object))                                              \
  X(surface_get_resource, "cuSurfObjectGetResourceDesc", 5000, status(resource_descriptor*, surface_object))           \
  X(device_get_texture1d_linear_max_width, "cuDeviceGetTexture1DLinearMaxWidth", 11010,                                \
    status(std::size_t*, array_format, uint, device))                                                                  \
  X(memset_d8, "cuMemsetD8", 3020, status(device_pointer, unsigned char, std::size_t))                                 \
  X(memset_d8_async, "cuMemsetD8Async", 3020, status(device_pointer, unsigned char, std::size_t, stream))              \
  X(memset_d16, "cuMemsetD16", 3020, status(device_pointer, unsigned short, std::size_t))                              \
  X(memset_d16_async, "cuMemsetD16Async", 3020, status(device_pointer, unsigned short, std::size_t, stream))           \
  X(memset_d32, "cuMemsetD32", 3020, status(device_pointer, uint, std::size_t))                                        \
  X(memset_d32_async, "cuMemsetD32Async", 3020, status(device_pointer, uint, std::size_t, stream))                     \
  X(memset_2d_d8, "cuMemsetD2D8", 3020, status(device_pointer, std::size_t, unsigned char, std::size_t, std::size_t))  \
  X(memset_2d_d8_async, "cuMemsetD2D8Async", 3020,                                                                     \
    status(device_pointer, std::size_t, unsigned char, std::size_t, std::size_t, stream))                              \
  X(memset_2d_d16, "cuMemsetD2D16", 3020,                                                                              \
    status(device_pointer, std::size_t, unsigned short, std::size_t, std::size_t))                                     \
  X(memset_2d_d16_async, "cuMemsetD2D16Async", 3020,                                                                   \
    status(device_pointer, std::size_t, unsigned short, std::size_t, std::size_t, stream))                             \
  X(memset_2d_d32, "cuMemsetD2D32", 3020, status(device_pointer, std::size_t, uint, std::size_t, std::size_t))         \
  X(memset_2d_d32_async, "cuMemsetD2D32Async", 3020,                                                                   \
    status(device_pointer, std::size_t, uint, std::size_t, std::size_t, stream))                                       \
  X(library_load_data, "cuLibraryLoadData", 12000,                                                                     \
    status(library*, const void*, jit_option*, void**, uint, library_option*, void**, uint))                           \
  X(library_load_from_file, "cuLibraryLoadFromFile", 12000,                                                            \
    status(library*, const char*, jit_option*, void**, uint, library_option*, void**, uint))                           \
  X(library_unload, "cuLibraryUnload", 12000, status(library))                                                         \
  X(library_get_kernel, "cuLibraryGetKernel", 12000, status(kernel*, library, const char*))                            \
  X(library_get_module, "cuLibraryGetModule", 12000, status(loaded_module*, library))                                  \
  X(library_get_global, "cuLibraryGetGlobal", 12000, status(device_pointer*, std::size_t*, library, const char*))      \
  X(library_get_managed, "cuLibraryGetManaged", 12000, status(device_pointer*, std::size_t*, library, const char*))    \
  X(library_get_kernel_count, "cuLibraryGetKernelCount", 12040, status(uint*, library))                                \
  X(library_enumerate_kernels, "cuLibraryEnumerateKernels", 12040, status(kernel*, uint, library))                     \
  X(kernel_get_function, "cuKernelGetFunction", 12000, status(function*, kernel))                                      \
  X(kernel_get_library, "cuKernelGetLibrary", 12050, status(library*, kernel))                                         \
  X(kernel_get_name, "cuKernelGetName", 12030, status(const char**, kernel))                                           \
  X(kernel_get_param_info, "cuKernelGetParamInfo", 12040, status(kernel, std::size_t, std::size_t*, std::size_t*))     \
  X(kernel_get_attribute, "cuKernelGetAttribute", 12000, status(int*, function_attribute, kernel, device))             \
  X(kernel_set_attribute, "cuKernelSetAttribute", 12000, status(function_attribute, int, kernel, device))              \
  X(kernel_set_cache_config, "cuKernelSetCacheConfig", 12000, status(kernel, cache_config, device))                    \
  X(function_get_name, "cuFuncGetName", 12030, status(const char**, function))                                         \
  X(function_get_param_info, "cuFuncGetParamInfo", 12040, status(function, std::size_t, std::size_t*, std::size_t*))   \
  X(function_get_attribute, "cuFuncGetAttribute", 2020, status(int*, function_attribute, function))                    \
  X(function_set_attribute, "cuFuncSetAttribute", 9000, status(function, function_attribute, int))                     \
  X(function_set_cache_config, "cuFuncSetCacheConfig", 3000, status(function, cache_config))                           \
  X(function_get_module, "cuFuncGetModule", 11000, status(loaded_module*, function))                                   \
  X(function_is_loaded, "cuFuncIsLoaded", 12040, status(function_loading_state*, function))                            \
  X(function_load, "cuFuncLoad", 12040, status(function))                                                              \
  X(module_load_data, "cuModuleLoadDataEx", 2010, status(loaded_module*, const void*, uint, jit_option*, void**))      \
  X(module_get_function, "cuModuleGetFunction", 2000, status(function*, loaded_module, const char*))                   \
  X(module_get_global, "cuModuleGetGlobal", 3020, status(device_pointer*, std::size_t*, loaded_module, const char*))   \
  X(module_unload, "cuModuleUnload", 2000, status(loaded_module))                                                      \
  X(link_create, "cuLinkCreate", 6050, status(uint, jit_option*, void**, link_state*))                                 \
  X(link_add_data, "cuLinkAddData", 6050,                                                                              \
    status(link_state, jit_input, void*, std::size_t, const char*, uint, jit_option*, void**))                         \
  X(link_add_file, "cuLinkAddFile", 6050, status(link_state, jit_input, const char*, uint, jit_option*, void**))       \
  X(link_complete, "cuLinkComplete", 5050, status(link_state, void**, std::size_t*))                                   \
  X(link_destroy, "cuLinkDestroy", 5050, status(link_state))                                                           \
  X(launch_kernel, "cuLaunchKernel", 4000,                                                                             \
    status(function, uint, uint, uint, uint, uint, uint, uint, stream, void**, void**))                                \
  X(launch_kernel_ex, "cuLaunchKernelEx", 11060, status(const launch_config*, function, void**, void**))               \
  X(launch_cooperative_kernel, "cuLaunchCooperativeKernel", 9000,                                                      \
    status(function, uint, uint, uint, uint, uint, uint, uint, stream, void**))                                        \
  X(occupancy_max_active_blocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050,                                  \
    status(int*, function, int, std::size_t))                                                                          \
  X(occupancy_max_active_blocks_with_flags, "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 7000,              \
    status(int*, function, int, std::size_t, uint))                                                                    \
  X(occupancy_max_potential_block_size, "cuOccupancyMaxPotentialBlockSize", 6050,                                      \
    status(int*, int*, function, block_to_shared, std::size_t, int))                                                   \
  X(occupancy_max_potential_block_size_with_flags, "cuOccupancyMaxPotentialBlockSizeWithFlags", 7000,                  \
    status(int*, int*, function, block_to_shared, std::size_t, int, uint))                                             \
  X(occupancy_available_dynamic_shared, "cuOccupancyAvailableDynamicSMemPerBlock", 10020,                              \
    status(std::size_t*, function, int, int))                                                                          \
  X(occupancy_max_potential_cluster_size, "cuOccupancyMaxPotentialClusterSize", 11070,                                 \
    status(int*, function, const launch_config*))                                                                      \
  X(occupancy_max_active_clusters, "cuOccupancyMaxActiveClusters", 11070,                                              \
    status(int*, function, const launch_config*))                                                                      \
  X(memcpy_3d_peer_async, "cuMemcpy3DPeerAsync", 4000, status(const copy_3d*, stream))                                 \
  X(stream_begin_capture, "cuStreamBeginCapture", 10010, status(stream, capture_mode))                                 \
  X(stream_end_capture, "cuStreamEndCapture", 10000, status(stream, graph*))                                           \
  X(graph_create, "cuGraphCreate", 10000, status(graph*, uint))                                                        \
  X(graph_destroy, "cuGraphDestroy", 10000, status(graph))                                                             \
  X(graph_add_kernel_node, "cuGraphAddKernelNode", 12000,                                                              \
    status(graph_node*, graph, const graph_node*, std::size_t, const kernel_node_params*))                             \
  X(graph_add_memcpy_node, "cuGraphAddMemcpyNode", 10000,                                                              \
    status(graph_node*, graph, const graph_node*, std::size_t, const copy_3d*, context))                               \
  X(graph_add_memset_node, "cuGraphAddMemsetNode", 10000,                                                              \
    status(graph_node*, graph, const graph_node*, std::size_t, const memset_node_params*, context))                    \
  X(graph_add_host_node, "cuGraphAddHostNode", 10000,                                                                  \
    status(graph_node*, graph, const graph_node*, std::size_t, const host_node_params*))                               \
  X(graph_add_child_node, "cuGraphAddChildGraphNode", 10000,                                                           \
    status(graph_node*, graph, const graph_node*, std::size_t, graph))                                                 \
  X(graph_add_empty_node, "cuGraphAddEmptyNode", 10000, status(graph_node*, graph, const graph_node*, std::size_t))    \
  X(graph_add_event_record_node, "cuGraphAddEventRecordNode", 11010,                                                   \
    status(graph_node*, graph, const graph_node*, std::size_t, event))                                                 \
  X(graph_add_event_wait_node, "cuGraphAddEventWaitNode", 11010,                                                       \
    status(graph_node*, graph, const graph_node*, std::size_t, event))                                                 \
  X(graph_add_batch_mem_op_node, "cuGraphAddBatchMemOpNode", 11070,                                                    \
    status(graph_node*, graph, const graph_node*, std::size_t, const mem_op_node_params*))                             \
  X(graph_condition_create, "cuGraphConditionalHandleCreate", 12030,                                                   \
    status(std::uint64_t*, graph, context, uint, uint))                                                                \
  X(graph_add_node, "cuGraphAddNode", 12030,                                                                           \
    status(graph_node*, graph, const graph_node*, const graph_edge_data*, std::size_t, graph_node_params*))            \
  X(graph_destroy_node, "cuGraphDestroyNode", 10000, status(graph_node))                                               \
  X(graph_kernel_node_set_attribute, "cuGraphKernelNodeSetAttribute", 11000,                                           \
    status(graph_node, launch_attribute_id, const launch_attribute_value*))                                            \
  X(graph_get_nodes, "cuGraphGetNodes", 10000, status(graph, graph_node*, std::size_t*))                               \
  X(graph_get_edges, "cuGraphGetEdges", 10000, status(graph, graph_node*, graph_node*, std::size_t*))                  \
  X(graph_node_get_type, "cuGraphNodeGetType", 10000, status(graph_node, graph_node_type*))                            \
  X(graph_node_get_dependencies, "cuGraphNodeGetDependencies", 10000, status(graph_node, graph_node*, std::size_t*))   \
  X(graph_debug_dot_print, "cuGraphDebugDotPrint", 11030, status(graph, const char*, uint))                            \
  X(graph_instantiate, "cuGraphInstantiateWithFlags", 11040, status(graph_exec*, graph, ulong))                        \
  X(graph_exec_destroy, "cuGraphExecDestroy", 10000, status(graph_exec))                                               \
  X(graph_launch, "cuGraphLaunch", 10000, status(graph_exec, stream))                                                  \
  X(graph_upload, "cuGraphUpload", 11010, status(graph_exec, stream))                                                  \
  X(graph_exec_set_kernel_node, "cuGraphExecKernelNodeSetParams", 12000,                                               \
    status(graph_exec, graph_node, const kernel_node_params*))                                                         \
  X(graph_exec_set_memcpy_node, "cuGraphExecMemcpyNodeSetParams", 10020,                                               \
    status(graph_exec, graph_node, const copy_3d*, context))                                                           \
  X(graph_exec_set_memset_node, "cuGraphExecMemsetNodeSetParams", 10020,                                               \
    status(graph_exec, graph_node, const memset_node_params*, context))                                                \
  X(graph_exec_update, "cuGraphExecUpdate", 12000, status(graph_exec, graph, graph_update_info*))                      \
  X(graph_node_set_enabled, "cuGraphNodeSetEnabled", 11060, status(graph_exec, graph_node, uint))                      \
  X(tensor_map_encode_tiled, "cuTensorMapEncodeTiled", 12000,                                                          \
    status(tensor_map*, tensor_element, uint, void*, const std::uint64_t*, const std::uint64_t*, const std::uint32_t*, \
           const std::uint32_t*, tensor_interleave, tensor_swizzle, tensor_promotion, tensor_fill))                    \
  X(tensor_map_replace_address, "cuTensorMapReplaceAddress", 12000, status(tensor_map*, void*))                        \
  X(ipc_get_memory_handle, "cuIpcGetMemHandle", 4010, status(ipc_memory_handle*, device_pointer))                      \
  X(ipc_open_memory_handle, "cuIpcOpenMemHandle", 11000, status(device_pointer*, ipc_memory_handle, uint))             \
  X(ipc_close_memory_handle, "cuIpcCloseMemHandle", 4010, status(device_pointer))                                      \
  X(ipc_get_event_handle, "cuIpcGetEventHandle", 4010, status(ipc_event_handle*, event))                               \
  X(ipc_open_event_handle, "cuIpcOpenEventHandle", 4010, status(event*, ipc_event_handle))                             \
  X(profiler_start, "cuProfilerStart", 4000, status())                                                                 \
  X(profiler_stop, "cuProfilerStop", 4000, status())

namespace yoke::inline v0_1::cuda {

namespace abi {
/// The oldest supported driver. Symbols up to this ABI version are required.
inline constexpr int required_version = 12000;

/// The entry points as plain function pointers. Tests replace them.
struct functions {
#define YOKE_MEMBER(name, symbol, version, ...) pointer_to<__VA_ARGS__> name = nullptr;
  YOKE_CUDA_FUNCTIONS(YOKE_MEMBER)
#undef YOKE_MEMBER
  detail::driver_notes* notes = &detail::notes_of_new_tables;  ///< notes about the driver's use
};
}  // namespace abi

}  // namespace yoke::inline v0_1::cuda

#endif
