// SPDX-License-Identifier: MIT
// Structs that the host shares with kernels: as text for compilers, with a compilation, and in exported binaries.
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

/// A struct's registration; `YOKE_STRUCT` of `yoke/struct.hpp` specialises it. By hand: `name`, its name in
/// kernels, and `visit(v)`, which calls `v.template member<M>(name, offset)` for each member in order, `M` being its type.
template <class T>
struct device_struct;

namespace detail {
template <class T>
concept registered_struct = requires { device_struct<T>::name; };
}  // namespace detail

/// Returns: a registered struct's description for kernels' compilers, with the structs within it; `yoke/struct.hpp` has the
/// body. Throws: `std::bad_alloc`.
template <detail::registered_struct T>
[[nodiscard]] struct_description describe_struct();

/// One member of a shared struct.
struct struct_member {
  std::string name;
  std::string opencl_c;  ///< its type, for an array the type of its elements; "" where a language has none
  std::string cuda;
  std::string dialect;
  std::string host;                    ///< as the host has it, for messages
  std::vector<std::size_t> extents{};  ///< of an array, outermost first
  std::size_t offset = 0;              ///< in bytes
  std::size_t bytes = 0;               ///< of all of it

  friend bool operator==(const struct_member&, const struct_member&) = default;
};

/// A struct that host and kernels share, in the host's layout: the result of `yoke::describe_struct<T>()`, for
/// `compile_options::types`.
struct struct_description {
  std::string name;
  std::size_t bytes = 0;
  std::size_t alignment = 0;
  std::vector<struct_member> members{};
  std::vector<struct_description> nested{};  ///< the structs among its members, each before those that need it
  std::string host{};                        ///< its whole name on the host, "sim::particle"; "": not known

  friend bool operator==(const struct_description&, const struct_description&) = default;
};

/// The words in which a struct's text is written.
enum class struct_words : std::uint8_t {
  native,    ///< OpenCL C where that is compiled, else CUDA C++
  dialect,   ///< the portable dialect
  opencl_c,  ///< OpenCL C, also where it is translated to CUDA C++
};

/// Returns: text for the head of a kernel source: definitions of the structs and of those within them, each once, and
/// checks that end the compilation when the size or an offset differs from the host's. The compiler's message then names
/// struct and member, and has both numbers. The text serves OpenCL C and CUDA C++; the compilation fails
/// in a language that lacks a member's type.
/// Throws: `logic_error` for two different structs of one name, for names of structs and members that are no identifiers
/// or are words of one of the languages ("kernel", "float4"), and for unknown `words`; `std::bad_alloc`. Thread safety: safe.
[[nodiscard]] YOKE_API std::string struct_source(std::span<const struct_description> structs,
                                                 struct_words words = struct_words::native,
                                                 const source_location& where = source_location::current());

namespace detail {

/// Returns: a type's name in C++, for the name in `std::type_info`. Throws: `std::bad_alloc`.
YOKE_API std::string readable_type_name(const char* mangled);

/// Returns: the description of that name, also one within another; null when there is none.
YOKE_API const struct_description* find_struct(std::span<const struct_description> in, std::string_view name) noexcept;

/// Returns: how two structs of one name differ, "struct cell has 12 bytes in `there`, 16 bytes in `here`"; "" for
/// equal ones. Throws: `std::bad_alloc`.
YOKE_API std::string struct_difference(const struct_description& there, const struct_description& here,
                                       std::string_view there_name, std::string_view here_name);

/// Returns: text to append to a CUDA C++ source: checks of structs that it defines itself. `what` is for messages: "of
/// parameter 1 of kernel f". Throws: `std::bad_alloc`.
YOKE_API std::string struct_checks(const struct_description& of, std::string_view what);

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/structs/device_struct.ipp>
#endif

#endif
