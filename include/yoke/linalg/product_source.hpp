// SPDX-License-Identifier: MIT
// The sources of the own kernels of products, and the numbers that these kernels take.
#ifndef YOKE_LINALG_PRODUCT_SOURCE_HPP
#define YOKE_LINALG_PRODUCT_SOURCE_HPP

#include <yoke/array/evaluation/value_kind.hpp>
#include <yoke/linalg/product.hpp>

#include <string>
#include <string_view>

namespace yoke::inline v0_1::detail {

/// The shapes of the own kernels. All add in the same order, so that they give the same bits.
enum class product_shape : std::uint8_t {
  automatic,
  direct,  ///< a thread for each element
  tiled,   ///< a block of threads for each tile of 64 x 64, by local memory
  wide,    ///< the same with tiles of 128 x 128; not for complex numbers
  packed   ///< a thread for each tile, from packed panels; vectors of OpenCL C
};
[[nodiscard]] constexpr bool is_tiled(product_shape shape) noexcept {
  return shape == product_shape::tiled || shape == product_shape::wide;
}
/// The shape that every product takes where it can, for tests.
[[nodiscard]] YOKE_API product_shape& wanted_product_shape() noexcept;

/// The properties that a kernel of products depends on.
struct product_kernel_form {
  product_shape shape = product_shape::direct;
  value_kind to{}, left{}, right{};
  bool left_conjugated = false;
  bool right_conjugated = false;
};
/// Returns: the type in which a product adds: half and bfloat16 in float, integers without sign.
[[nodiscard]] YOKE_API value_kind product_sums(value_kind to) noexcept;
/// Returns: kernels behind the parts that all products share: the types, and the steps and the end of a sum.
[[nodiscard]] YOKE_API std::string product_program(const product_kernel_form& form, std::string_view kernels);
/// Returns: `yoke_l_direct`, `yoke_l_tiled`, or `yoke_l_pack_left`, `yoke_l_pack_right` and `yoke_l_packed`.
[[nodiscard]] YOKE_API std::string product_source(const product_kernel_form& form);

/// The rows and columns of a tile of packed panels.
inline constexpr std::int64_t packed_rows = 8;
[[nodiscard]] constexpr std::int64_t packed_columns(value_kind sums) noexcept {
  return sums == value_kind::float64 ? 16 : 32;
}
/// The terms of a product that are added in one chain; chains are then added in order.
inline constexpr std::int64_t product_chain = 512;
/// The rows and columns of the tile of a block of threads.
[[nodiscard]] constexpr std::int64_t product_tile(product_shape shape) noexcept {
  return shape == product_shape::wide ? 128 : 64;
}

/// The sizes and strides of a product as kernels take them.
struct product_steps {
  std::int64_t m, n, k, batches;
  std::int64_t to[4], added[4], left[4], right[4];  ///< first element, strides of rows, columns and batches
  std::int64_t scales;                              ///< not 0: sums are multiplied by alpha
  std::int64_t adds;                                ///< not 0: beta times an array is added
};
/// A factor as an argument of a kernel.
struct product_number {
  alignas(16) std::byte bytes[16]{};
  std::size_t size = 0;
};
[[nodiscard]] YOKE_API product_number product_number_of(value_kind sums, const product_factor& of) noexcept;

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/linalg/product_source.ipp>
#endif

#endif
