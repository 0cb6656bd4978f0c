// SPDX-License-Identifier: MIT
// What the CUDA port keeps of a kernel for its launches.
#ifndef YOKE_DRIVER_CUDA_KERNEL_RECORD_HPP
#define YOKE_DRIVER_CUDA_KERNEL_RECORD_HPP

#include <yoke/core/atomic.hpp>
#include <yoke/driver/cuda/abi.hpp>

#include <cstddef>

namespace yoke::inline YOKE_ABI::cuda::detail {

struct kernel_record {
  explicit kernel_record(abi::kernel of) noexcept : native(of), direct(reinterpret_cast<abi::function>(of)) {}

  abi::kernel native;
  /// What launches in streams of the kernel's context give to the driver: the function there, once it was asked for. The
  /// kernel itself, which the driver takes in its place, has it looked for at each launch.
  abi::function direct;
  /// The dynamic shared memory that launches may have without asking the driver again.
  yoke::detail::atomic<std::size_t> dynamic_shared{0};
};

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
