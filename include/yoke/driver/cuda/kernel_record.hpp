// SPDX-License-Identifier: MIT
// What the CUDA port keeps of a kernel.
#ifndef YOKE_DRIVER_CUDA_KERNEL_RECORD_HPP
#define YOKE_DRIVER_CUDA_KERNEL_RECORD_HPP

#include <yoke/core/atomic.hpp>
#include <yoke/driver/cuda/abi.hpp>
#include <yoke/driver/types.hpp>

namespace yoke::inline YOKE_ABI::cuda::detail {

struct kernel_record {
  explicit kernel_record(abi::kernel of) noexcept : native(of), direct(reinterpret_cast<abi::function>(of)) {}

  abi::kernel native;
  /// What launches in streams of the kernel's context give to the driver: the function there, once it was asked for. The
  /// kernel itself, which the driver takes in its place, has it looked for at each launch.
  abi::function direct;
  /// The dynamic shared memory that launches may have without asking the driver again.
  yoke::detail::atomic<std::size_t> dynamic_shared{0};
  std::string name{};                        ///< in the image; "" unknown
  bool by_compiler = false;                  ///< the compiler has compared it with the signature asked for
  std::vector<parameter_info> registered{};  ///< of a C name: those that the compiler has compared
  bool is_registered = false;                ///< whether there were such
  std::vector<parameter_layout> ptx{};       ///< what the PTX says
  bool has_ptx = false;                      ///< whether it says anything
};

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif
