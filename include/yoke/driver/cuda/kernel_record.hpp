// SPDX-License-Identifier: MIT
// The CUDA port's record of a kernel, for its launches.
#ifndef YOKE_DRIVER_CUDA_KERNEL_RECORD_HPP
#define YOKE_DRIVER_CUDA_KERNEL_RECORD_HPP

#include <yoke/core/atomic.hpp>
#include <yoke/driver/cuda/abi.hpp>

#include <cstddef>

namespace yoke::inline YOKE_ABI::cuda::detail {

struct kernel_record {
  explicit kernel_record(abi::kernel of) noexcept : native(of), direct(reinterpret_cast<abi::function>(of)) {}

  abi::kernel native;
  /// The handle that launches in streams of the kernel's context pass to the driver: the function in that context once it
  /// is known, else the kernel, for which the driver finds the function at each launch.
  abi::function direct;
  /// The dynamic shared memory that launches may use without asking the driver again.
  yoke::detail::atomic<std::size_t> dynamic_shared{0};
};

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
