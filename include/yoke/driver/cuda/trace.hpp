// SPDX-License-Identifier: MIT
// Writes the calls of CUDA's driver, and the work of its devices, to the trace's log.
#ifndef YOKE_DRIVER_CUDA_TRACE_HPP
#define YOKE_DRIVER_CUDA_TRACE_HPP

#include <yoke/core/config.hpp>

#include <chrono>

namespace yoke::inline v0_1::cuda::detail {

/// Effects: when the driver is loaded later, its calls go through the log. Returns: false if it was loaded before, and
/// so is not traced.
[[nodiscard]] bool trace_driver() noexcept;

/// Effects: waits for enqueued work, at most until the deadline, and writes its times to the log.
void end_trace(std::chrono::steady_clock::time_point deadline) noexcept;

}  // namespace yoke::inline v0_1::cuda::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/trace.ipp>
#endif

#endif
