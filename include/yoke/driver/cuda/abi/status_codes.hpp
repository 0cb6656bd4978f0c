// SPDX-License-Identifier: MIT
// Every code of the CUDA driver, NVRTC and nvJitLink: name, portable condition, exception class, meaning.
#ifndef YOKE_DRIVER_CUDA_ABI_STATUS_CODES_HPP
#define YOKE_DRIVER_CUDA_ABI_STATUS_CODES_HPP

#include <yoke/driver/cuda/abi/abi.hpp>

// X(own name, constant's name, value, portable condition or success, exception class, meaning)
#define YOKE_CUDA_STATUS_CODES(X)                                                                                      \
  X(success, "CUDA_SUCCESS", 0, success, runtime, "success")                                                           \
  X(error_invalid_value, "CUDA_ERROR_INVALID_VALUE", 1, invalid_argument, logic,                                       \
    "an argument is outside what the call accepts")                                                                    \
  X(error_out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY", 2, out_of_memory, memory,                                         \
    "there is not enough memory, or another resource, for this")                                                       \
  X(error_not_initialized, "CUDA_ERROR_NOT_INITIALIZED", 3, driver_unavailable, unsupported,                           \
    "the driver was not initialised, or its initialisation failed")                                                    \
  X(error_deinitialized, "CUDA_ERROR_DEINITIALIZED", 4, driver_unavailable, runtime, "the driver is shutting down")    \
  X(error_profiler_disabled, "CUDA_ERROR_PROFILER_DISABLED", 5, unsupported, unsupported,                              \
    "an external profiler owns this run")                                                                              \
  X(error_profiler_not_initialized, "CUDA_ERROR_PROFILER_NOT_INITIALIZED", 6, success, runtime,                        \
    "the profiler was not initialised")                                                                                \
  X(error_profiler_already_started, "CUDA_ERROR_PROFILER_ALREADY_STARTED", 7, success, runtime,                        \
    "the profiler runs already")                                                                                       \
  X(error_profiler_already_stopped, "CUDA_ERROR_PROFILER_ALREADY_STOPPED", 8, success, runtime,                        \
    "the profiler does not run")                                                                                       \
  X(error_stub_library, "CUDA_ERROR_STUB_LIBRARY", 34, driver_unavailable, unsupported,                                \
    "the library loaded is the toolkit's stub, not a driver")                                                          \
  X(error_call_requires_newer_driver, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER", 36, unsupported, unsupported,           \
    "the call needs a newer driver")                                                                                   \
  X(error_device_unavailable, "CUDA_ERROR_DEVICE_UNAVAILABLE", 46, no_device, unsupported,                             \
    "the device is unavailable now: another process has it, or its compute mode prohibits use")                        \
  X(error_no_device, "CUDA_ERROR_NO_DEVICE", 100, no_device, unsupported, "there is no CUDA device")                   \
  X(error_invalid_device, "CUDA_ERROR_INVALID_DEVICE", 101, invalid_handle, logic,                                     \
    "the device ordinal or handle is not valid, or the operation is not for this device")                              \
  X(error_device_not_licensed, "CUDA_ERROR_DEVICE_NOT_LICENSED", 102, unsupported, unsupported,                        \
    "the device has no licence")                                                                                       \
  X(error_invalid_image, "CUDA_ERROR_INVALID_IMAGE", 200, incompatible_binary, logic,                                  \
    "the image of the program is damaged, or none that the driver can read")                                           \
  X(error_invalid_context, "CUDA_ERROR_INVALID_CONTEXT", 201, wrong_context, logic,                                    \
    "no context, or one that is not valid, is current")                                                                \
  X(error_context_already_current, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT", 202, success, logic,                          \
    "the context is current already")                                                                                  \
  X(error_map_failed, "CUDA_ERROR_MAP_FAILED", 205, success, runtime, "mapping failed")                                \
  X(error_unmap_failed, "CUDA_ERROR_UNMAP_FAILED", 206, success, runtime, "unmapping failed")                          \
  X(error_array_is_mapped, "CUDA_ERROR_ARRAY_IS_MAPPED", 207, mapped, logic,                                           \
    "the array is mapped and cannot be destroyed")                                                                     \
  X(error_already_mapped, "CUDA_ERROR_ALREADY_MAPPED", 208, mapped, logic, "the resource is mapped already")           \
  X(error_no_binary_for_gpu, "CUDA_ERROR_NO_BINARY_FOR_GPU", 209, incompatible_binary, logic,                          \
    "the program holds no code that this device can run")                                                              \
  X(error_already_acquired, "CUDA_ERROR_ALREADY_ACQUIRED", 210, success, logic, "the resource was acquired already")   \
  X(error_not_mapped, "CUDA_ERROR_NOT_MAPPED", 211, success, logic, "the resource is not mapped")                      \
  X(error_not_mapped_as_array, "CUDA_ERROR_NOT_MAPPED_AS_ARRAY", 212, success, logic,                                  \
    "the resource is not mapped as an array")                                                                          \
  X(error_not_mapped_as_pointer, "CUDA_ERROR_NOT_MAPPED_AS_POINTER", 213, success, logic,                              \
    "the resource is not mapped as a pointer")                                                                         \
  X(error_ecc_uncorrectable, "CUDA_ERROR_ECC_UNCORRECTABLE", 214, context_lost, lost,                                  \
    "the device's memory had an error that could not be corrected")                                                    \
  X(error_unsupported_limit, "CUDA_ERROR_UNSUPPORTED_LIMIT", 215, unsupported, unsupported,                            \
    "the device does not support this limit")                                                                          \
  X(error_context_already_in_use, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE", 216, wrong_context, logic,                      \
    "the context is bound to another thread")                                                                          \
  X(error_peer_access_unsupported, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", 217, unsupported, unsupported,                \
    "these devices cannot reach each other's memory")                                                                  \
  X(error_invalid_ptx, "CUDA_ERROR_INVALID_PTX", 218, build_failed, compile, "the driver's compiler refused the PTX")  \
  X(error_invalid_graphics_context, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT", 219, wrong_context, logic,                  \
    "the OpenGL or DirectX context is not valid")                                                                      \
  X(error_nvlink_uncorrectable, "CUDA_ERROR_NVLINK_UNCORRECTABLE", 220, context_lost, lost,                            \
    "NVLink had an error that could not be corrected")                                                                 \
  X(error_jit_compiler_not_found, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", 221, unsupported, unsupported,                  \
    "the driver's PTX compiler library was not found")                                                                 \
  X(error_unsupported_ptx_version, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", 222, incompatible_binary, logic,              \
    "the PTX is newer than the driver's compiler")                                                                     \
  X(error_jit_compilation_disabled, "CUDA_ERROR_JIT_COMPILATION_DISABLED", 223, unsupported, unsupported,              \
    "compiling PTX is switched off")                                                                                   \
  X(error_unsupported_exec_affinity, "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY", 224, unsupported, unsupported,            \
    "the device does not support this execution affinity")                                                             \
  X(error_unsupported_devside_sync, "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC", 225, build_failed, compile,                 \
    "the code calls cudaDeviceSynchronize on the device, which is not supported")                                      \
  X(error_contained, "CUDA_ERROR_CONTAINED", 226, context_lost, lost,                                                  \
    "an error of the device was contained; the process cannot use CUDA any more")                                      \
  X(error_invalid_source, "CUDA_ERROR_INVALID_SOURCE", 300, build_failed, compile, "the kernel source is not valid")   \
  X(error_file_not_found, "CUDA_ERROR_FILE_NOT_FOUND", 301, invalid_argument, logic, "the file was not found")         \
  X(error_shared_object_symbol_not_found, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND", 302, driver_unavailable,        \
    unsupported, "a shared library lacks a symbol")                                                                    \
  X(error_shared_object_init_failed, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED", 303, driver_unavailable, unsupported,     \
    "a shared library could not be initialised")                                                                       \
  X(error_operating_system, "CUDA_ERROR_OPERATING_SYSTEM", 304, success, runtime,                                      \
    "a call of the operating system failed")                                                                           \
  X(error_invalid_handle, "CUDA_ERROR_INVALID_HANDLE", 400, invalid_handle, logic,                                     \
    "the driver does not know the handle")                                                                             \
  X(error_illegal_state, "CUDA_ERROR_ILLEGAL_STATE", 401, success, logic,                                              \
    "a resource that the call needs is not in a valid state")                                                          \
  X(error_lossy_query, "CUDA_ERROR_LOSSY_QUERY", 402, unsupported, unsupported,                                        \
    "the answer would leave something out: the object is newer than the query")                                        \
  X(error_not_found, "CUDA_ERROR_NOT_FOUND", 500, kernel_not_found, logic, "the name was not found")                   \
  X(error_not_ready, "CUDA_ERROR_NOT_READY", 600, success, runtime, "the commands before are not done")                \
  X(error_illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS", 700, context_lost, lost,                                      \
    "a kernel used an address that is not valid")                                                                      \
  X(error_launch_out_of_resources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", 701, launch_failed, launch,                   \
    "the launch needs more registers, shared memory or parameters than there are")                                     \
  X(error_launch_timeout, "CUDA_ERROR_LAUNCH_TIMEOUT", 702, context_lost, lost,                                        \
    "a kernel ran longer than the system allows")                                                                      \
  X(error_launch_incompatible_texturing, "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING", 703, launch_failed, launch,       \
    "the launch uses an incompatible texturing mode")                                                                  \
  X(error_peer_access_already_enabled, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", 704, success, logic,                  \
    "peer access is enabled already")                                                                                  \
  X(error_peer_access_not_enabled, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", 705, success, logic,                          \
    "peer access is not enabled")                                                                                      \
  X(error_primary_context_active, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", 708, success, logic,                            \
    "the primary context exists already with other flags")                                                             \
  X(error_context_is_destroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED", 709, context_lost, lost,                            \
    "the current context was destroyed, or its primary context was never made")                                        \
  X(error_assert, "CUDA_ERROR_ASSERT", 710, context_lost, lost, "an assert in a kernel failed")                        \
  X(error_too_many_peers, "CUDA_ERROR_TOO_MANY_PEERS", 711, unsupported, unsupported, "no more peers can be enabled")  \
  X(error_host_memory_already_registered, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", 712, invalid_argument, logic,   \
    "the host memory is registered already")                                                                           \
  X(error_host_memory_not_registered, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", 713, invalid_argument, logic,           \
    "the host memory is not registered")                                                                               \
  X(error_hardware_stack_error, "CUDA_ERROR_HARDWARE_STACK_ERROR", 714, context_lost, lost,                            \
    "a kernel overflowed or corrupted its call stack")                                                                 \
  X(error_illegal_instruction, "CUDA_ERROR_ILLEGAL_INSTRUCTION", 715, context_lost, lost,                              \
    "a kernel ran an illegal instruction")                                                                             \
  X(error_misaligned_address, "CUDA_ERROR_MISALIGNED_ADDRESS", 716, context_lost, lost,                                \
    "a kernel used an address that is not aligned")                                                                    \
  X(error_invalid_address_space, "CUDA_ERROR_INVALID_ADDRESS_SPACE", 717, context_lost, lost,                          \
    "a kernel used an address of another address space")                                                               \
  X(error_invalid_pc, "CUDA_ERROR_INVALID_PC", 718, context_lost, lost,                                                \
    "a kernel's program counter left its address space")                                                               \
  X(error_launch_failed, "CUDA_ERROR_LAUNCH_FAILED", 719, context_lost, lost, "a kernel ended with an exception")      \
  X(error_cooperative_launch_too_large, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", 720, launch_failed, launch,         \
    "a cooperative launch has more blocks than can be resident")                                                       \
  X(error_tensor_memory_leak, "CUDA_ERROR_TENSOR_MEMORY_LEAK", 721, context_lost, lost,                                \
    "a kernel ended without freeing its tensor memory")                                                                \
  X(error_not_permitted, "CUDA_ERROR_NOT_PERMITTED", 800, unsupported, unsupported, "the operation is not permitted")  \
  X(error_not_supported, "CUDA_ERROR_NOT_SUPPORTED", 801, unsupported, unsupported,                                    \
    "the system or the device does not support the operation")                                                         \
  X(error_system_not_ready, "CUDA_ERROR_SYSTEM_NOT_READY", 802, driver_unavailable, unsupported,                       \
    "the system is not ready: a driver daemon, for example the fabric manager, is not running")                        \
  X(error_system_driver_mismatch, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", 803, driver_unavailable, unsupported,           \
    "the display driver and the CUDA driver library have different versions")                                          \
  X(error_compat_not_supported_on_device, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", 804, driver_unavailable,        \
    unsupported, "forward compatibility is not supported on this hardware")                                            \
  X(error_mps_connection_failed, "CUDA_ERROR_MPS_CONNECTION_FAILED", 805, driver_unavailable, unsupported,             \
    "the MPS server cannot be reached")                                                                                \
  X(error_mps_rpc_failure, "CUDA_ERROR_MPS_RPC_FAILURE", 806, driver_unavailable, runtime,                             \
    "a call between MPS client and server failed")                                                                     \
  X(error_mps_server_not_ready, "CUDA_ERROR_MPS_SERVER_NOT_READY", 807, driver_unavailable, unsupported,               \
    "the MPS server takes no new clients now")                                                                         \
  X(error_mps_max_clients_reached, "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED", 808, driver_unavailable, unsupported,         \
    "the MPS server has no room for another client")                                                                   \
  X(error_mps_max_connections_reached, "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED", 809, driver_unavailable, unsupported, \
    "the MPS server has no room for another connection")                                                               \
  X(error_mps_client_terminated, "CUDA_ERROR_MPS_CLIENT_TERMINATED", 810, context_lost, lost,                          \
    "the MPS server terminated this client")                                                                           \
  X(error_cdp_not_supported, "CUDA_ERROR_CDP_NOT_SUPPORTED", 811, unsupported, unsupported,                            \
    "kernels that launch kernels are not supported in this configuration")                                             \
  X(error_cdp_version_mismatch, "CUDA_ERROR_CDP_VERSION_MISMATCH", 812, incompatible_binary, logic,                    \
    "the program mixes versions of CUDA's dynamic parallelism")                                                        \
  X(error_stream_capture_unsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", 900, unsupported, logic,                \
    "the operation is not allowed while a stream is captured")                                                         \
  X(error_stream_capture_invalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", 901, success, logic,                    \
    "an earlier error has invalidated the capture")                                                                    \
  X(error_stream_capture_merge, "CUDA_ERROR_STREAM_CAPTURE_MERGE", 902, success, logic,                                \
    "the operation would merge two captures")                                                                          \
  X(error_stream_capture_unmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", 903, success, logic,                        \
    "the capture was not begun on this stream")                                                                        \
  X(error_stream_capture_unjoined, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", 904, success, logic,                          \
    "the capture has a fork that was not joined")                                                                      \
  X(error_stream_capture_isolation, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", 905, success, logic,                        \
    "a dependency would leave the capture")                                                                            \
  X(error_stream_capture_implicit, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", 906, success, logic,                          \
    "the operation would wait for a capture through the legacy default stream")                                        \
  X(error_captured_event, "CUDA_ERROR_CAPTURED_EVENT", 907, success, logic,                                            \
    "the event was last recorded in a capture")                                                                        \
  X(error_stream_capture_wrong_thread, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", 908, success, logic,                  \
    "the capture was begun on another thread")                                                                         \
  X(error_timeout, "CUDA_ERROR_TIMEOUT", 909, success, runtime, "the time ran out")                                    \
  X(error_graph_exec_update_failure, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", 910, success, runtime,                    \
    "the graph changed in a way that an update cannot follow")                                                         \
  X(error_external_device, "CUDA_ERROR_EXTERNAL_DEVICE", 911, context_lost, lost,                                      \
    "a device outside of CUDA reported an error; the process cannot use CUDA any more")                                \
  X(error_invalid_cluster_size, "CUDA_ERROR_INVALID_CLUSTER_SIZE", 912, launch_failed, launch,                         \
    "the cluster size is not possible for this kernel")                                                                \
  X(error_function_not_loaded, "CUDA_ERROR_FUNCTION_NOT_LOADED", 913, success, logic, "the function is not loaded")    \
  X(error_invalid_resource_type, "CUDA_ERROR_INVALID_RESOURCE_TYPE", 914, invalid_argument, logic,                     \
    "a resource is of the wrong type")                                                                                 \
  X(error_invalid_resource_configuration, "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION", 915, invalid_argument, logic,   \
    "a resource is not enough, or does not fit")                                                                       \
  X(error_key_rotation, "CUDA_ERROR_KEY_ROTATION", 916, success, runtime, "the rotation of keys failed")               \
  X(error_unknown, "CUDA_ERROR_UNKNOWN", 999, success, runtime, "an unknown error inside the driver")

// As above, for nvrtcResult.
#define YOKE_NVRTC_STATUS_CODES(X)                                                                                     \
  X(nvrtc_success, "NVRTC_SUCCESS", 0, success, runtime, "success")                                                    \
  X(nvrtc_error_out_of_memory, "NVRTC_ERROR_OUT_OF_MEMORY", 1, out_of_memory, memory, "there is not enough memory")    \
  X(nvrtc_error_program_creation_failure, "NVRTC_ERROR_PROGRAM_CREATION_FAILURE", 2, success, runtime,                 \
    "the program could not be made")                                                                                   \
  X(nvrtc_error_invalid_input, "NVRTC_ERROR_INVALID_INPUT", 3, invalid_argument, logic, "an argument is not valid")    \
  X(nvrtc_error_invalid_program, "NVRTC_ERROR_INVALID_PROGRAM", 4, invalid_handle, logic, "the program is not valid")  \
  X(nvrtc_error_invalid_option, "NVRTC_ERROR_INVALID_OPTION", 5, invalid_argument, logic, "an option is not valid")    \
  X(nvrtc_error_compilation, "NVRTC_ERROR_COMPILATION", 6, build_failed, compile, "the compiler refused the source")   \
  X(nvrtc_error_builtin_operation_failure, "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE", 7, unsupported, unsupported,       \
    "the library of built-in functions, libnvrtc-builtins, could not be used")                                         \
  X(nvrtc_error_no_name_expressions_after_compilation, "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION", 8,         \
    invalid_argument, logic, "name expressions must be given before compiling")                                        \
  X(nvrtc_error_no_lowered_names_before_compilation, "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION", 9,             \
    invalid_argument, logic, "lowered names are known after compiling only")                                           \
  X(nvrtc_error_name_expression_not_valid, "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID", 10, kernel_not_found, logic,       \
    "the name expression names nothing in the program")                                                                \
  X(nvrtc_error_internal_error, "NVRTC_ERROR_INTERNAL_ERROR", 11, success, runtime,                                    \
    "an internal error of the compiler")                                                                               \
  X(nvrtc_error_time_file_write_failed, "NVRTC_ERROR_TIME_FILE_WRITE_FAILED", 12, success, runtime,                    \
    "the file of times could not be written")                                                                          \
  X(nvrtc_error_no_pch_create_attempted, "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED", 13, success, runtime,                  \
    "no precompiled header was asked for")                                                                             \
  X(nvrtc_error_pch_create_heap_exhausted, "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED", 14, success, runtime,              \
    "the heap is too small for the precompiled header")                                                                \
  X(nvrtc_error_pch_create, "NVRTC_ERROR_PCH_CREATE", 15, success, runtime,                                            \
    "the precompiled header could not be made")                                                                        \
  X(nvrtc_error_cancelled, "NVRTC_ERROR_CANCELLED", 16, success, runtime, "compiling was cancelled")                   \
  X(nvrtc_error_time_trace_file_write_failed, "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED", 17, success, runtime,        \
    "the file of the time trace could not be written")

// As above, for nvJitLink.
#define YOKE_NVJITLINK_STATUS_CODES(X)                                                                                 \
  X(nvjitlink_success, "NVJITLINK_SUCCESS", 0, success, runtime, "success")                                            \
  X(nvjitlink_error_unrecognized_option, "NVJITLINK_ERROR_UNRECOGNIZED_OPTION", 1, invalid_argument, logic,            \
    "an option is not known")                                                                                          \
  X(nvjitlink_error_missing_arch, "NVJITLINK_ERROR_MISSING_ARCH", 2, invalid_argument, logic,                          \
    "no architecture was given")                                                                                       \
  X(nvjitlink_error_invalid_input, "NVJITLINK_ERROR_INVALID_INPUT", 3, invalid_argument, logic,                        \
    "an input is not valid")                                                                                           \
  X(nvjitlink_error_ptx_compile, "NVJITLINK_ERROR_PTX_COMPILE", 4, build_failed, compile, "the PTX was refused")       \
  X(nvjitlink_error_nvvm_compile, "NVJITLINK_ERROR_NVVM_COMPILE", 5, build_failed, compile, "the LTO-IR was refused")  \
  X(nvjitlink_error_internal, "NVJITLINK_ERROR_INTERNAL", 6, success, runtime, "an internal error of the linker")      \
  X(nvjitlink_error_threadpool, "NVJITLINK_ERROR_THREADPOOL", 7, success, runtime, "the linker's threads failed")      \
  X(nvjitlink_error_unrecognized_input, "NVJITLINK_ERROR_UNRECOGNIZED_INPUT", 8, incompatible_binary, logic,           \
    "an input is of no known kind")                                                                                    \
  X(nvjitlink_error_finalize, "NVJITLINK_ERROR_FINALIZE", 9, build_failed, compile, "the result could not be made")    \
  X(nvjitlink_error_null_input, "NVJITLINK_ERROR_NULL_INPUT", 10, invalid_argument, logic, "an input is null")         \
  X(nvjitlink_error_incompatible_options, "NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS", 11, invalid_argument, logic,         \
    "options contradict each other")                                                                                   \
  X(nvjitlink_error_incorrect_input_type, "NVJITLINK_ERROR_INCORRECT_INPUT_TYPE", 12, incompatible_binary, logic,      \
    "an input is of another kind than it was said to be")                                                              \
  X(nvjitlink_error_arch_mismatch, "NVJITLINK_ERROR_ARCH_MISMATCH", 13, incompatible_binary, logic,                    \
    "an input is for another architecture")                                                                            \
  X(nvjitlink_error_outdated_library, "NVJITLINK_ERROR_OUTDATED_LIBRARY", 14, unsupported, unsupported,                \
    "nvJitLink is older than what made the input")                                                                     \
  X(nvjitlink_error_missing_fatbin, "NVJITLINK_ERROR_MISSING_FATBIN", 15, incompatible_binary, logic,                  \
    "an input holds no code for a device")                                                                             \
  X(nvjitlink_error_unrecognized_arch, "NVJITLINK_ERROR_UNRECOGNIZED_ARCH", 16, invalid_argument, logic,               \
    "the architecture is not known")                                                                                   \
  X(nvjitlink_error_unsupported_arch, "NVJITLINK_ERROR_UNSUPPORTED_ARCH", 17, unsupported, unsupported,                \
    "the architecture is not supported any more")                                                                      \
  X(nvjitlink_error_lto_not_enabled, "NVJITLINK_ERROR_LTO_NOT_ENABLED", 18, invalid_argument, logic,                   \
    "LTO-IR was given without the option -lto")

// As above, for cuBLAS.
#define YOKE_CUBLAS_STATUS_CODES(X)                                                                                    \
  X(cublas_success, "CUBLAS_STATUS_SUCCESS", 0, success, runtime, "success")                                           \
  X(cublas_not_initialized, "CUBLAS_STATUS_NOT_INITIALIZED", 1, driver_unavailable, unsupported,                       \
    "the library cannot work with this driver or device")                                                              \
  X(cublas_alloc_failed, "CUBLAS_STATUS_ALLOC_FAILED", 3, out_of_memory, memory, "the library got no memory")          \
  X(cublas_invalid_value, "CUBLAS_STATUS_INVALID_VALUE", 7, invalid_argument, logic, "an argument is not valid")       \
  X(cublas_arch_mismatch, "CUBLAS_STATUS_ARCH_MISMATCH", 8, unsupported, unsupported,                                  \
    "the device lacks a feature that the function needs")                                                              \
  X(cublas_mapping_error, "CUBLAS_STATUS_MAPPING_ERROR", 11, command_failed, runtime, "memory could not be accessed")  \
  X(cublas_execution_failed, "CUBLAS_STATUS_EXECUTION_FAILED", 13, command_failed, runtime,                            \
    "a kernel of the library failed")                                                                                  \
  X(cublas_internal_error, "CUBLAS_STATUS_INTERNAL_ERROR", 14, command_failed, runtime,                                \
    "an internal error of the library")                                                                                \
  X(cublas_not_supported, "CUBLAS_STATUS_NOT_SUPPORTED", 15, unsupported, unsupported,                                 \
    "the library has no such function")                                                                                \
  X(cublas_license_error, "CUBLAS_STATUS_LICENSE_ERROR", 16, unsupported, unsupported, "the license was refused")

// As above, for cuFFT.
#define YOKE_CUFFT_STATUS_CODES(X)                                                                                     \
  X(cufft_success, "CUFFT_SUCCESS", 0, success, runtime, "success")                                                    \
  X(cufft_invalid_plan, "CUFFT_INVALID_PLAN", 1, invalid_handle, logic, "the plan is not valid")                       \
  X(cufft_alloc_failed, "CUFFT_ALLOC_FAILED", 2, out_of_memory, memory, "the library got no memory")                   \
  X(cufft_invalid_type, "CUFFT_INVALID_TYPE", 3, invalid_argument, logic, "the type is not valid")                     \
  X(cufft_invalid_value, "CUFFT_INVALID_VALUE", 4, invalid_argument, logic, "an argument is not valid")                \
  X(cufft_internal_error, "CUFFT_INTERNAL_ERROR", 5, command_failed, runtime, "an internal error of the library")      \
  X(cufft_exec_failed, "CUFFT_EXEC_FAILED", 6, command_failed, runtime, "a kernel of the library failed")              \
  X(cufft_setup_failed, "CUFFT_SETUP_FAILED", 7, driver_unavailable, unsupported,                                      \
    "the library cannot work with this driver or device")                                                              \
  X(cufft_invalid_size, "CUFFT_INVALID_SIZE", 8, invalid_argument, logic, "a size is not valid")                       \
  X(cufft_unaligned_data, "CUFFT_UNALIGNED_DATA", 9, invalid_argument, logic, "data is not aligned")                   \
  X(cufft_incomplete_parameter_list, "CUFFT_INCOMPLETE_PARAMETER_LIST", 10, invalid_argument, logic,                   \
    "an argument is missing")                                                                                          \
  X(cufft_invalid_device, "CUFFT_INVALID_DEVICE", 11, unsupported, unsupported,                                        \
    "the plan was made for another device")                                                                            \
  X(cufft_parse_error, "CUFFT_PARSE_ERROR", 12, command_failed, runtime, "an internal error of the library")           \
  X(cufft_no_workspace, "CUFFT_NO_WORKSPACE", 13, out_of_memory, memory, "the plan has no work area")                  \
  X(cufft_not_implemented, "CUFFT_NOT_IMPLEMENTED", 14, unsupported, unsupported, "the library has no such function")  \
  X(cufft_license_error, "CUFFT_LICENSE_ERROR", 15, unsupported, unsupported, "the license was refused")               \
  X(cufft_not_supported, "CUFFT_NOT_SUPPORTED", 16, unsupported, unsupported, "the library has no such transform")     \
  X(cufft_missing_dependency, "CUFFT_MISSING_DEPENDENCY", 17, unsupported, unsupported,                                \
    "the library lacks another library")                                                                               \
  X(cufft_nvrtc_failure, "CUFFT_NVRTC_FAILURE", 18, build_failed, runtime, "NVRTC failed")                             \
  X(cufft_nvjitlink_failure, "CUFFT_NVJITLINK_FAILURE", 19, build_failed, runtime, "nvJitLink failed")                 \
  X(cufft_nvshmem_failure, "CUFFT_NVSHMEM_FAILURE", 20, command_failed, runtime, "NVSHMEM failed")

// As above, for cuSOLVER.
#define YOKE_CUSOLVER_STATUS_CODES(X)                                                                                  \
  X(cusolver_success, "CUSOLVER_STATUS_SUCCESS", 0, success, runtime, "success")                                       \
  X(cusolver_not_initialized, "CUSOLVER_STATUS_NOT_INITIALIZED", 1, driver_unavailable, unsupported,                   \
    "the library cannot work with this driver or device")                                                              \
  X(cusolver_alloc_failed, "CUSOLVER_STATUS_ALLOC_FAILED", 2, out_of_memory, memory, "the library got no memory")      \
  X(cusolver_invalid_value, "CUSOLVER_STATUS_INVALID_VALUE", 3, invalid_argument, logic, "an argument is not valid")   \
  X(cusolver_arch_mismatch, "CUSOLVER_STATUS_ARCH_MISMATCH", 4, unsupported, unsupported,                              \
    "the device lacks a feature that the function needs")                                                              \
  X(cusolver_mapping_error, "CUSOLVER_STATUS_MAPPING_ERROR", 5, command_failed, runtime,                               \
    "memory could not be accessed")                                                                                    \
  X(cusolver_execution_failed, "CUSOLVER_STATUS_EXECUTION_FAILED", 6, command_failed, runtime,                         \
    "a kernel of the library failed")                                                                                  \
  X(cusolver_internal_error, "CUSOLVER_STATUS_INTERNAL_ERROR", 7, command_failed, runtime,                             \
    "an internal error of the library")                                                                                \
  X(cusolver_matrix_type_not_supported, "CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED", 8, unsupported, unsupported,      \
    "the library has no such function for this matrix")                                                                \
  X(cusolver_not_supported, "CUSOLVER_STATUS_NOT_SUPPORTED", 9, unsupported, unsupported,                              \
    "the library has no such function")                                                                                \
  X(cusolver_zero_pivot, "CUSOLVER_STATUS_ZERO_PIVOT", 10, command_failed, runtime, "a pivot is zero")                 \
  X(cusolver_invalid_license, "CUSOLVER_STATUS_INVALID_LICENSE", 11, unsupported, unsupported,                         \
    "the license was refused")                                                                                         \
  X(cusolver_invalid_workspace, "CUSOLVER_STATUS_INVALID_WORKSPACE", 31, invalid_argument, logic,                      \
    "the workspace is too small")

// As above, for cuSPARSE.
#define YOKE_CUSPARSE_STATUS_CODES(X)                                                                                  \
  X(cusparse_success, "CUSPARSE_STATUS_SUCCESS", 0, success, runtime, "success")                                       \
  X(cusparse_not_initialized, "CUSPARSE_STATUS_NOT_INITIALIZED", 1, driver_unavailable, unsupported,                   \
    "the library cannot work with this driver or device")                                                              \
  X(cusparse_alloc_failed, "CUSPARSE_STATUS_ALLOC_FAILED", 2, out_of_memory, memory, "the library got no memory")      \
  X(cusparse_invalid_value, "CUSPARSE_STATUS_INVALID_VALUE", 3, invalid_argument, logic, "an argument is not valid")   \
  X(cusparse_arch_mismatch, "CUSPARSE_STATUS_ARCH_MISMATCH", 4, unsupported, unsupported,                              \
    "the device lacks a feature that the function needs")                                                              \
  X(cusparse_mapping_error, "CUSPARSE_STATUS_MAPPING_ERROR", 5, command_failed, runtime,                               \
    "memory could not be accessed")                                                                                    \
  X(cusparse_execution_failed, "CUSPARSE_STATUS_EXECUTION_FAILED", 6, command_failed, runtime,                         \
    "a kernel of the library failed")                                                                                  \
  X(cusparse_internal_error, "CUSPARSE_STATUS_INTERNAL_ERROR", 7, command_failed, runtime,                             \
    "an internal error of the library")                                                                                \
  X(cusparse_matrix_type_not_supported, "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", 8, unsupported, unsupported,      \
    "the library has no such function for this matrix")                                                                \
  X(cusparse_zero_pivot, "CUSPARSE_STATUS_ZERO_PIVOT", 9, command_failed, runtime, "a pivot is zero")                  \
  X(cusparse_not_supported, "CUSPARSE_STATUS_NOT_SUPPORTED", 10, unsupported, unsupported,                             \
    "the library has no such function")                                                                                \
  X(cusparse_insufficient_resources, "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", 11, unsupported, unsupported,           \
    "the device lacks resources that the function needs")

namespace yoke::inline v0_1::cuda::abi {

#define YOKE_STATUS_CODE(own, constant, value, condition, thrown, text) inline constexpr status own = value;
YOKE_CUDA_STATUS_CODES(YOKE_STATUS_CODE)
YOKE_NVRTC_STATUS_CODES(YOKE_STATUS_CODE)
YOKE_NVJITLINK_STATUS_CODES(YOKE_STATUS_CODE)
YOKE_CUBLAS_STATUS_CODES(YOKE_STATUS_CODE)
YOKE_CUFFT_STATUS_CODES(YOKE_STATUS_CODE)
YOKE_CUSOLVER_STATUS_CODES(YOKE_STATUS_CODE)
YOKE_CUSPARSE_STATUS_CODES(YOKE_STATUS_CODE)
#undef YOKE_STATUS_CODE

}  // namespace yoke::inline v0_1::cuda::abi

#endif
