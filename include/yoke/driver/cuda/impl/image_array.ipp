// SPDX-License-Identifier: MIT
// The record behind an image on CUDA.
#ifndef YOKE_DRIVER_CUDA_IMPL_IMAGE_ARRAY_IPP
#define YOKE_DRIVER_CUDA_IMPL_IMAGE_ARRAY_IPP

#include <yoke/driver/cuda/image_parameter.hpp>
#include <yoke/driver/cuda/impl/references.ipp>
#include <yoke/driver/cuda/texture.hpp>

#include <optional>

namespace yoke::inline YOKE_ABI::cuda {

/// An array with its objects. What a kernel gets stands first.
struct image_array {
  image_parameter parameter{};
  abi::array array = nullptr;
  yoke::image_kind kind = yoke::image_kind::d2;
  bool owned = true;
};

namespace detail {
/// Effects: calls a release with its context current. If that fails, releases all the same: otherwise the objects would be lost.
/// Returns: the first failure.
template <class Release>
release_result release_in(const abi::functions* table, abi::context context, const Release& release) noexcept {
  std::optional<current_context> scope;
  release_result first = outcome_of("cuCtxPushCurrent", [&] {
    scope.emplace(table, context, source_location{});
    return release_result{};
  });
  add_outcome(first, release());
  return first;
}
}  // namespace detail

}  // namespace yoke::inline YOKE_ABI::cuda

#endif
