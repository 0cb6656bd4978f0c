// SPDX-License-Identifier: MIT
// cuBLAS, cuFFT, cuSOLVER and cuSPARSE of a CUDA context, opened at run time.
#ifndef YOKE_DRIVER_CUDA_LIBRARIES_MATH_LIBRARIES_HPP
#define YOKE_DRIVER_CUDA_LIBRARIES_MATH_LIBRARIES_HPP

#include <yoke/driver/cuda/facet.hpp>
#include <yoke/driver/cuda/libraries/functions.hpp>
#include <yoke/driver/math_libraries.hpp>

namespace yoke::inline v0_1::cuda {

/// The categories of cuBLAS's, cuFFT's, cuSOLVER's and cuSPARSE's codes: `message()` is the code's name, as
/// "CUBLAS_STATUS_NOT_SUPPORTED".
/// Compare by name across shared objects. Thread safety: safe.
YOKE_API const std::error_category& cublas_error_category() noexcept;
YOKE_API const std::error_category& cufft_error_category() noexcept;
YOKE_API const std::error_category& cusolver_error_category() noexcept;
YOKE_API const std::error_category& cusparse_error_category() noexcept;

namespace detail {
/// Libraries that tests give, which every primary context uses in place of the machine's, also beside the simulator.
struct given_libraries {
  const abi::cublas_functions* cublas = nullptr;
  const abi::cufft_functions* cufft = nullptr;
  const abi::cusolver_functions* cusolver = nullptr;
  const abi::cusparse_functions* cusparse = nullptr;
};
/// Returns: the libraries that tests give. Thread safety: while no other thread makes or uses a context's libraries.
[[nodiscard]] YOKE_API given_libraries& libraries_of_tests() noexcept;
}  // namespace detail

/// A part of `port`.
class math_functions : public facet<math_functions> {
 public:
  /// Returns: the libraries of a context, none of which is opened yet. Throws: `logic_error` for options that name an
  /// unknown library; `error`.
  [[nodiscard]] YOKE_API yoke::detail::owner<yoke::detail::math_libraries> libraries_of_context(
      abi::context context, const yoke::detail::library_options& options, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/libraries/math_libraries.ipp>
#endif

#endif
