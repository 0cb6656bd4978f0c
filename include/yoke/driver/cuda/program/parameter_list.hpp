// SPDX-License-Identifier: MIT
// A kernel's parameters in the driver's form, for launches and for graph nodes.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_PARAMETER_LIST_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_PARAMETER_LIST_HPP

#include <yoke/driver/cuda/abi/abi.hpp>
#include <yoke/driver/types.hpp>

#include <array>
#include <limits>
#include <memory>
#include <span>

namespace yoke::inline v0_1::cuda::detail {

/// The parameters of a launch: their addresses, and the offsets of local memory in the dynamic block.
class parameter_list {
 public:
  explicit parameter_list(std::span<const kernel_argument> arguments) {
    void** to = pointers_.data();
    abi::uint* place = places_.data();
    if (arguments.size() > pointers_.size()) [[unlikely]] {
      more_pointers_.reset(new void*[arguments.size()]);
      more_places_.reset(new abi::uint[arguments.size()]);
      to = more_pointers_.get();
      place = more_places_.get();
    }
    first_ = to;
    for (const kernel_argument& argument : arguments) {
      switch (argument.kind) {
        case argument_kind::value:
        case argument_kind::memory: *to++ = const_cast<void*>(argument.data); break;
        case argument_kind::address: *to++ = const_cast<const void**>(&argument.data); break;
        case argument_kind::local:
          shared_bytes = (shared_bytes + 15) / 16 * 16;
          *place = static_cast<abi::uint>(shared_bytes);
          *to++ = place++;
          if (__builtin_add_overflow(shared_bytes, argument.bytes, &shared_bytes)) [[unlikely]] {
            shared_bytes = (std::numeric_limits<std::size_t>::max)() / 2;
          }
          break;
      }
    }
  }
  parameter_list(const parameter_list&) = delete;
  parameter_list& operator=(const parameter_list&) = delete;
  [[nodiscard]] void** get() const noexcept { return first_; }

  std::size_t shared_bytes = 0;

 private:
  std::array<void*, 32> pointers_;
  std::array<abi::uint, 32> places_;
  std::unique_ptr<void*[]> more_pointers_;
  std::unique_ptr<abi::uint[]> more_places_;
  void** first_ = nullptr;
};

}  // namespace yoke::inline v0_1::cuda::detail

#endif
