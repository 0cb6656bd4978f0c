// SPDX-License-Identifier: MIT
// Bodies of linalg/product_source.hpp.
#ifndef YOKE_LINALG_PRODUCT_SOURCE_IPP
#define YOKE_LINALG_PRODUCT_SOURCE_IPP

#include <yoke/array/evaluation/expression_kernel.hpp>
#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/linalg/product_source.hpp>

#include <cstring>
#include <string_view>

namespace yoke::inline v0_1::detail {

product_shape& wanted_product_shape() noexcept {
  static product_shape wanted = product_shape::automatic;
  return wanted;
}

// clang-format off
inline constexpr std::string_view product_text =
#include <yoke/kernels/linalg/product.ipp>
    ;
inline constexpr std::string_view product_direct_text =
#include <yoke/kernels/linalg/product_direct.ipp>
    ;
inline constexpr std::string_view product_tiled_text =
#include <yoke/kernels/linalg/product_tiled.ipp>
    ;
inline constexpr std::string_view product_packed_text =
#include <yoke/kernels/linalg/product_packed.ipp>
    ;
// clang-format on

value_kind product_sums(value_kind to) noexcept {
  switch (to) {
    case value_kind::half:
    case value_kind::bfloat16: return value_kind::float32;
    case value_kind::int64:
    case value_kind::uint64: return value_kind::uint64;
    case value_kind::float32:
    case value_kind::float64:
    case value_kind::complex64:
    case value_kind::complex128: return to;
    default: return value_kind::uint32;
  }
}

/// Returns: the type of 16 bytes in which threads read numbers from local memory; for complex ones, their own.
[[nodiscard]] inline std::string_view local_words(value_kind sums) {
  switch (sums) {
    case value_kind::float32: return "float4";
    case value_kind::float64: return "double2";
    case value_kind::uint32: return "uint4";
    case value_kind::uint64: return "ulong2";
    default: return value_name(sums);
  }
}

std::string product_program(const product_kernel_form& form, std::string_view kernels) {
  const value_kind sums = product_sums(form.to);
  const bool complex = is_complex(sums);
  const auto load = [&](value_kind kind, const char* from, bool conjugated) {
    const std::string value = converted_text(sums, {text("(", load_text(kind, from, "at"), ")"), kind});
    return conjugated && complex ? text("yoke_l_conjugate(", value, ")") : text("(", value, ")");
  };
  const bool real = !complex && sums != value_kind::uint32 && sums != value_kind::uint64;
  const bool packs = form.shape == product_shape::packed;
  const bool is_double = sums == value_kind::float64;
  return with_macros({{"YOKE_L_NUMBER", value_name(sums)},
                      {"YOKE_L_ZERO", number_text(sums, "0")},
                      {"YOKE_L_COMPLEX", complex},
                      {"YOKE_L_REAL", real},
                      {"YOKE_L_TO", kind_name(form.to)},
                      {"YOKE_L_LEFT", kind_name(form.left)},
                      {"YOKE_L_RIGHT", kind_name(form.right)},
                      {"YOKE_L_LOAD_ADDED(from, at)", load(form.to, "from", false)},
                      {"YOKE_L_LOAD_LEFT(from, at)", load(form.left, "from", form.left_conjugated)},
                      {"YOKE_L_LOAD_RIGHT(from, at)", load(form.right, "from", form.right_conjugated)},
                      {"YOKE_L_STORE(value, to, at)", store_text(form.to, {"value", sums}, "to", "at")},
                      {"YOKE_L_CHAIN", product_chain},
                      {"YOKE_L_TILE", product_tile(form.shape)},
                      {"YOKE_L_BYTES", value_bytes(sums)},
                      {"YOKE_L_LOCAL", local_words(sums)},
                      {"YOKE_L_TOGETHER", complex ? 1 : 16 / value_bytes(sums)},
                      {"YOKE_L_VECTOR", !packs      ? ""
                                        : is_double ? "double8"
                                                    : "float16"},
                      {"YOKE_L_WIDTH", is_double ? 8 : 16},
                      {"YOKE_L_VLOAD", !packs      ? ""
                                       : is_double ? "vload8"
                                                   : "vload16"},
                      {"YOKE_L_VSTORE", !packs      ? ""
                                        : is_double ? "vstore8"
                                                    : "vstore16"}},
                     text(product_text, kernels));
}

std::string product_source(const product_kernel_form& form) {
  return product_program(form, form.shape == product_shape::packed ? product_packed_text
                               : is_tiled(form.shape)              ? product_tiled_text
                                                                   : product_direct_text);
}

product_number product_number_of(value_kind sums, const product_factor& of) noexcept {
  product_number made;
  const auto put = [&](const auto& value) {
    std::memcpy(made.bytes + made.size, &value, sizeof value);
    made.size += sizeof value;
  };
  switch (sums) {
    case value_kind::float32: put(static_cast<float>(of.real)); break;
    case value_kind::float64: put(of.real); break;
    case value_kind::complex64:
      put(static_cast<float>(of.real));
      put(static_cast<float>(of.imag));
      break;
    case value_kind::complex128:
      put(of.real);
      put(of.imag);
      break;
    case value_kind::uint64: put(of.whole); break;
    default: put(static_cast<std::uint32_t>(of.whole));
  }
  return made;
}

}  // namespace yoke::inline v0_1::detail

#endif
