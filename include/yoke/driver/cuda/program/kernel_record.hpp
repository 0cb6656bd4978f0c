// SPDX-License-Identifier: MIT
// The CUDA port's record of a kernel, as far as launches need it.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_KERNEL_RECORD_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_KERNEL_RECORD_HPP

#include <yoke/core/shared.hpp>
#include <yoke/driver/cuda/abi/abi.hpp>

#include <cstddef>

namespace yoke::inline v0_1::cuda::detail {

/// What launches need to know of a kernel; the body of kernel.hpp adds to it what it needs itself.
struct kernel_record {
  explicit kernel_record(abi::kernel of) noexcept : native(of), direct(reinterpret_cast<abi::function>(of)) {}

  abi::kernel native;
  /// The handle that launches in streams of the kernel's context pass to the driver: the context's function once it is
  /// known, else the kernel, whose function the driver then finds at each launch.
  abi::function direct;
  /// The dynamic shared memory that launches may use without asking the driver again.
  yoke::detail::atomic<std::size_t> dynamic_shared{0};
};

}  // namespace yoke::inline v0_1::cuda::detail

#endif
