// SPDX-License-Identifier: MIT
// Descriptions of the structs that host and kernels share, and the text that defines and checks them in kernels.
#ifndef YOKE_PROGRAM_STRUCTS_DEVICE_STRUCT_HPP
#define YOKE_PROGRAM_STRUCTS_DEVICE_STRUCT_HPP

#include <yoke/core/config.hpp>
#include <yoke/core/source_location.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1 {

struct struct_description;

/// A struct's registration, specialised by `YOKE_STRUCT` of `yoke/struct.hpp`. A specialisation by hand has `name`, the
/// name in kernels, and `visit(v)`, which calls `v.template member<M>(name, offset)` for each member of type `M` in
/// order.
template <class T>
struct device_struct;

namespace detail {
template <class T>
concept registered_struct = requires { device_struct<T>::name; };
}  // namespace detail

/// Returns: a registered struct's description for kernel compilers, with its nested structs. Defined in
/// `yoke/struct.hpp`. Throws: `std::bad_alloc`.
template <detail::registered_struct T>
[[nodiscard]] struct_description describe_struct();

/// One member of a shared struct.
struct struct_member {
  std::string name;
  std::string opencl_c;  ///< the type, or the element type of an array; "" if the language lacks it
  std::string cuda;
  std::string dialect;
  std::string host;                    ///< the type on the host, for messages
  std::vector<std::size_t> extents{};  ///< the extents of an array, outermost first
  std::size_t offset = 0;              ///< in bytes
  std::size_t bytes = 0;               ///< of the whole member

  friend bool operator==(const struct_member&, const struct_member&) = default;
};

/// A struct that host and kernels share, in the host's layout: the result of `yoke::describe_struct<T>()`, for
/// `compile_options::types`.
struct struct_description {
  std::string name;
  std::size_t bytes = 0;
  std::size_t alignment = 0;
  std::vector<struct_member> members{};
  std::vector<struct_description> nested{};  ///< the structs of its members, each before the ones that contain it
  std::string host{};                        ///< its full name on the host, "sim::particle"; "" if unknown

  friend bool operator==(const struct_description&, const struct_description&) = default;
};

/// The language in which a struct's text is written.
enum class struct_words : std::uint8_t {
  native,    ///< OpenCL C on OpenCL, CUDA C++ on CUDA
  dialect,   ///< the portable dialect
  opencl_c,  ///< OpenCL C, also when it is translated to CUDA C++
};

/// Returns: text for the head of a kernel source: definitions of the structs and their nested structs, each once, and
/// checks that end the compilation when the size or an offset differs from the host's. The compiler's message then has
/// the struct, the member and both numbers. The text works in OpenCL C and CUDA C++; compilation fails in a language
/// that lacks a member's type.
/// Throws: `logic_error` for two different structs of one name, for names that are not identifiers or are words of one
/// of the languages ("kernel", "float4"), and for unknown `words`; `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API std::string struct_source(std::span<const struct_description> structs,
                                                 struct_words words = struct_words::native,
                                                 const source_location& where = source_location::current());

namespace detail {

/// Returns: a type's C++ name for its name in `std::type_info`. Throws: `std::bad_alloc`.
YOKE_API std::string readable_type_name(const char* mangled);

/// Returns: the description of that name, also a nested one; null if there is none.
YOKE_API const struct_description* find_struct(std::span<const struct_description> in, std::string_view name) noexcept;

/// Returns: how two structs of one name differ, "struct cell has 12 bytes in `there`, 16 bytes in `here`"; "" if they
/// are equal. Throws: `std::bad_alloc`.
YOKE_API std::string struct_difference(const struct_description& there, const struct_description& here,
                                       std::string_view there_name, std::string_view here_name);

/// Returns: text to append to a CUDA C++ source: checks of structs that the source defines itself. `what` is for
/// messages: "of parameter 1 of kernel f". Throws: `std::bad_alloc`.
YOKE_API std::string struct_checks(const struct_description& of, std::string_view what);

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/structs/device_struct.ipp>
#endif

#endif
