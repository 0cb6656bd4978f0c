// SPDX-License-Identifier: MIT
// Parses the parameters of kernels from PTX text, without a driver.
#ifndef YOKE_DRIVER_CUDA_BINARY_PTX_HPP
#define YOKE_DRIVER_CUDA_BINARY_PTX_HPP

#include <yoke/driver/types.hpp>

#include <string_view>

namespace yoke::inline v0_1::cuda {

/// A kernel in PTX text: `.entry name ( .param .u64 name_param_0, .. )`.
struct ptx_entry {
  std::string name;
  std::vector<parameter_layout> layout;
};

/// Returns: the kernels that a text defines, in its order; none if the text is not PTX.
/// Throws: `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API std::vector<ptx_entry> parse_ptx(std::string_view text);

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/binary/ptx.ipp>
#endif

#endif
