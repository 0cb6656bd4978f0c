// SPDX-License-Identifier: MIT
// The library's part for traces.
#include <yoke/driver/cuda/trace.ipp>
#include <yoke/driver/opencl/trace.ipp>
#include <yoke/driver/trace/trace_log.ipp>
#include <yoke/execution/trace.ipp>
