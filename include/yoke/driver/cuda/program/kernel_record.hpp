// SPDX-License-Identifier: MIT
// The CUDA port's record of a kernel, limited to the facts that launches need.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_KERNEL_RECORD_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_KERNEL_RECORD_HPP

#include <yoke/core/shared.hpp>
#include <yoke/driver/cuda/abi/abi.hpp>

#include <cstddef>

namespace yoke::inline v0_1::cuda::detail {

/// The facts about a kernel that launches need; `known_kernel` adds the others.
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
