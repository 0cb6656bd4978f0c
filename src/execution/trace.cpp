// SPDX-License-Identifier: MIT
// The library's part for traces.
#include <yoke/driver/cuda/impl/trace.ipp>
#include <yoke/driver/opencl/impl/trace.ipp>
#include <yoke/driver/trace/impl/trace_log.ipp>
#include <yoke/execution/impl/trace.ipp>
