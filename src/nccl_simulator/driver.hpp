// SPDX-License-Identifier: MIT
// The entries of the simulated driver that the simulated NCCL links.
#ifndef YOKE_NCCL_SIMULATOR_DRIVER_HPP
#define YOKE_NCCL_SIMULATOR_DRIVER_HPP

#include <yoke/driver/cuda/abi/functions.hpp>

#include <cstddef>

extern "C" {
int cuCtxGetCurrent(yoke::cuda::abi::context*);
int cuCtxGetDevice(int*);
int cuCtxPushCurrent(yoke::cuda::abi::context);
int cuCtxPopCurrent(yoke::cuda::abi::context*);
int cuCtxSynchronize();
int cuLaunchHostFunc(yoke::cuda::abi::stream, yoke::cuda::abi::host_function, void*);
int cuStreamIsCapturing(yoke::cuda::abi::stream, yoke::cuda::abi::capture_status*);
int cuEventCreate(yoke::cuda::abi::event*, unsigned);
int cuEventDestroy(yoke::cuda::abi::event);
int cuEventRecord(yoke::cuda::abi::event, yoke::cuda::abi::stream);
int cuStreamWaitEvent(yoke::cuda::abi::stream, yoke::cuda::abi::event, unsigned);
int cuMemAlloc(unsigned long long*, std::size_t);
int cuMemFree(unsigned long long);
/// The simulator's own: adds a host function to a capture. `end(data)` is called once no graph, executable or launch has
/// it any more, as for a user object that NCCL gives to a graph.
int cuYokeCaptureHostFunction(yoke::cuda::abi::stream, yoke::cuda::abi::host_function, void* data,
                              yoke::cuda::abi::host_function end);
}

namespace yoke::nccl_simulator {

/// A communicator's context is current in a scope.
struct in_context {
  explicit in_context(yoke::cuda::abi::context context) { pushed = cuCtxPushCurrent(context) == 0; }
  ~in_context() {
    yoke::cuda::abi::context popped = nullptr;
    if (pushed) (void)cuCtxPopCurrent(&popped);
  }
  in_context(const in_context&) = delete;
  in_context& operator=(const in_context&) = delete;
  bool pushed;
};

}  // namespace yoke::nccl_simulator

#endif
