// SPDX-License-Identifier: MIT
// CUDA C++ as the port's kernel language.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_LANGUAGE_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_LANGUAGE_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// Returns: the description of CUDA C++ that generic code compiles with.
[[nodiscard]] YOKE_API const kernel_language& language() noexcept;
}  // namespace detail

/// A part of `port`.
class language_functions : public facet<language_functions> {
 public:
  [[nodiscard]] const kernel_language& language() const noexcept { return detail::language(); }
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/program/language.ipp>
#endif

#endif
