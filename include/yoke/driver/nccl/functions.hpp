// SPDX-License-Identifier: MIT
// NCCL's types, and the list of its entry points with the version that brought each.
#ifndef YOKE_DRIVER_NCCL_FUNCTIONS_HPP
#define YOKE_DRIVER_NCCL_FUNCTIONS_HPP

#include <yoke/driver/cuda/abi/abi.hpp>

#include <climits>
#include <cstddef>

struct ncclComm;
struct ncclWindow_vidmem;

namespace yoke::inline v0_1::nccl::abi {

using communicator = ::ncclComm*;     ///< `ncclComm_t`
using window = ::ncclWindow_vidmem*;  ///< `ncclWindow_t`
using stream = cuda::abi::stream;     ///< `cudaStream_t`, which is the driver's
using status = int;                   ///< `ncclResult_t`

/// `ncclUniqueId`. Functions take it by value.
struct unique_id {
  char bytes[128];
};

/// `ncclDataType_t`.
enum class data_type : int {
  int8 = 0,
  uint8 = 1,
  int32 = 2,
  uint32 = 3,
  int64 = 4,
  uint64 = 5,
  float16 = 6,
  float32 = 7,
  float64 = 8,
  bfloat16 = 9,
  float8_e4m3 = 10,  ///< from 2.24 on
  float8_e5m2 = 11
};
/// `ncclRedOp_t`. Operators that programs make have numbers from `first_made_operation` on.
enum class operation : int { sum = 0, product = 1, max = 2, min = 3, average = 4 };
inline constexpr int first_made_operation = 5;
/// `ncclScalarResidence_t`.
enum class scalar_place : int { device = 0, host = 1 };

inline constexpr unsigned config_magic = 0xcafebeef;
inline constexpr int config_undefined = INT_MIN;

/// `ncclConfig_t` of NCCL 2.30.7. Older libraries read the part that they know, newer ones count the rest as undefined.
struct config {
  std::size_t size = sizeof(config);
  unsigned magic = config_magic;
  unsigned version = 23007;
  int blocking = config_undefined;      // 2.14
  int cluster_size = config_undefined;  // 2.17
  int least_blocks = config_undefined;
  int most_blocks = config_undefined;
  const char* network = nullptr;
  int split_share = config_undefined;    // 2.18
  int traffic_class = config_undefined;  // 2.26: in what was padding
  const char* name = nullptr;            // 2.27
  int collnet = config_undefined;
  int block_policy = config_undefined;
  int shrink_share = config_undefined;
  int multicast_blocks = config_undefined;
  int network_channels = config_undefined;  // 2.28
  int nvlink_centric = config_undefined;
  int graph_usage = config_undefined;  // 2.29
  int rma_contexts = config_undefined;
  int most_peers = config_undefined;          // 2.30
  int graph_stream_order = config_undefined;  // 2.30.5
};
static_assert(sizeof(config) == 96);

/// The oldest version that the library uses. A version's number is major * 10000 + minor * 100 + patch.
inline constexpr int required_version = 21800;

}  // namespace yoke::inline v0_1::nccl::abi

// X(own name, NCCL's name, first version, function type). An entry newer than `required_version` may be missing.
#define YOKE_NCCL_FUNCTIONS(X)                                                                                         \
  X(get_version, "ncclGetVersion", 20700, status(int*))                                                                \
  X(get_unique_id, "ncclGetUniqueId", 20700, status(unique_id*))                                                       \
  X(get_error_string, "ncclGetErrorString", 20700, const char*(status))                                                \
  X(get_last_error, "ncclGetLastError", 21300, const char*(communicator))                                              \
  X(init_rank, "ncclCommInitRankConfig", 21400, status(communicator*, int, unique_id, int, config*))                   \
  X(finalize, "ncclCommFinalize", 21400, status(communicator))                                                         \
  X(destroy, "ncclCommDestroy", 20700, status(communicator))                                                           \
  X(abort, "ncclCommAbort", 20700, status(communicator))                                                               \
  X(get_async_error, "ncclCommGetAsyncError", 20700, status(communicator, status*))                                    \
  X(split, "ncclCommSplit", 21800, status(communicator, int, int, communicator*, config*))                             \
  X(group_start, "ncclGroupStart", 20700, status())                                                                    \
  X(group_end, "ncclGroupEnd", 20700, status())                                                                        \
  X(all_reduce, "ncclAllReduce", 20700,                                                                                \
    status(const void*, void*, std::size_t, data_type, operation, communicator, stream))                               \
  X(reduce, "ncclReduce", 20700,                                                                                       \
    status(const void*, void*, std::size_t, data_type, operation, int, communicator, stream))                          \
  X(broadcast, "ncclBroadcast", 20700, status(const void*, void*, std::size_t, data_type, int, communicator, stream))  \
  X(all_gather, "ncclAllGather", 20700, status(const void*, void*, std::size_t, data_type, communicator, stream))      \
  X(reduce_scatter, "ncclReduceScatter", 20700,                                                                        \
    status(const void*, void*, std::size_t, data_type, operation, communicator, stream))                               \
  X(send, "ncclSend", 20700, status(const void*, std::size_t, data_type, int, communicator, stream))                   \
  X(receive, "ncclRecv", 20700, status(void*, std::size_t, data_type, int, communicator, stream))                      \
  X(create_scaled_sum, "ncclRedOpCreatePreMulSum", 21100,                                                              \
    status(operation*, void*, data_type, scalar_place, communicator))                                                  \
  X(destroy_operation, "ncclRedOpDestroy", 21100, status(operation, communicator))                                     \
  X(register_memory, "ncclCommRegister", 21900, status(communicator, void*, std::size_t, void**))                      \
  X(deregister_memory, "ncclCommDeregister", 21900, status(communicator, void*))                                       \
  X(allocate, "ncclMemAlloc", 21900, status(void**, std::size_t))                                                      \
  X(free, "ncclMemFree", 21900, status(void*))                                                                         \
  X(register_window, "ncclCommWindowRegister", 22700, status(communicator, void*, std::size_t, window*, int))          \
  X(deregister_window, "ncclCommWindowDeregister", 22700, status(communicator, window))                                \
  X(all_to_all, "ncclAlltoAll", 22803, status(const void*, void*, std::size_t, data_type, communicator, stream))       \
  X(gather, "ncclGather", 22803, status(const void*, void*, std::size_t, data_type, int, communicator, stream))        \
  X(scatter, "ncclScatter", 22803, status(const void*, void*, std::size_t, data_type, int, communicator, stream))      \
  X(revoke, "ncclCommRevoke", 22807, status(communicator, int))

// NCCL's codes: X(own name, constant, value, condition, exception, text).
#define YOKE_NCCL_STATUS_CODES(X)                                                                                      \
  X(success, "ncclSuccess", 0, success, runtime, "success")                                                            \
  X(unhandled_cuda_error, "ncclUnhandledCudaError", 1, command_failed, communication, "a CUDA call of NCCL failed")    \
  X(system_error, "ncclSystemError", 2, command_failed, communication, "a call to the operating system failed")        \
  X(internal_error, "ncclInternalError", 3, command_failed, communication, "an internal error of NCCL")                \
  X(invalid_argument, "ncclInvalidArgument", 4, invalid_argument, logic, "an argument is not valid")                   \
  X(invalid_usage, "ncclInvalidUsage", 5, invalid_argument, logic, "the call is not allowed here")                     \
  X(remote_error, "ncclRemoteError", 6, rank_lost, communication, "another rank has failed or ended")                  \
  X(in_progress, "ncclInProgress", 7, command_failed, communication, "the call has not ended yet")                     \
  X(timed_out, "ncclTimeout", 8, timed_out, communication, "another rank did not answer in time")

namespace yoke::inline v0_1::nccl::abi {

#define YOKE_STATUS_CODE(own, constant, value, ...) inline constexpr status own = value;
YOKE_NCCL_STATUS_CODES(YOKE_STATUS_CODE)
#undef YOKE_STATUS_CODE

/// NCCL's entry points as plain function pointers. Tests replace them.
struct functions {
#define YOKE_MEMBER(own, symbol, since, ...) cuda::abi::pointer_to<__VA_ARGS__> own = nullptr;
  YOKE_NCCL_FUNCTIONS(YOKE_MEMBER)
#undef YOKE_MEMBER
};

}  // namespace yoke::inline v0_1::nccl::abi

#endif
