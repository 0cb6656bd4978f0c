// SPDX-License-Identifier: MIT
// Describes the parameters of kernel signatures and compares them with a driver's description of a kernel.
#ifndef YOKE_PROGRAM_KERNEL_SIGNATURE_HPP
#define YOKE_PROGRAM_KERNEL_SIGNATURE_HPP

#include <yoke/driver/types.hpp>
#include <yoke/language/words.hpp>
#include <yoke/program/kernel/argument.hpp>
#include <yoke/program/structs/device_struct.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace yoke::inline v0_1 {

template <std::size_t Position, class Type>
struct opencl_kernels_have_no_bool_parameters {};

namespace detail {

/// Returns: the type's name in CUDA C++; "" if unknown.
template <class T>
std::string spelled() {
  if constexpr (std::is_pointer_v<T>) {
    using pointee = std::remove_pointer_t<T>;
    const std::string name = spelled<std::remove_const_t<pointee>>();
    if (name.empty() || !std::is_const_v<pointee>) return name.empty() ? name : name + "*";
    return std::is_pointer_v<pointee> ? name + " const*" : "const " + name + "*";
  } else {
    return device_type<T>::cuda;
  }
}
/// Returns: the type's name in OpenCL C, with pointers as demanglers write them, "int const*"; "" if unknown.
template <class T>
std::string name_in_kernels() {
  if constexpr (std::is_pointer_v<T>) {
    using pointee = std::remove_pointer_t<T>;
    const std::string name = name_in_kernels<std::remove_const_t<pointee>>();
    return name.empty() ? name : name + (std::is_const_v<pointee> ? " const*" : "*");
  } else {
    return device_type<T>::opencl_c;
  }
}

/// The element type of a parameter.
template <class P>
struct element_of_parameter {
  using type = P;
};
template <class T>
struct element_of_parameter<T*> {
  using type = T;
};
template <class T>
struct element_of_parameter<local<T>> {
  using type = T;
};
template <class T>
struct element_of_parameter<constant<T>> {
  using type = T;
};
/// Ends the compilation for a parameter that kernels of the backend cannot have.
template <class Port, std::size_t Position, class P>
constexpr void check_parameter() noexcept {
  if constexpr (requires { requires !Port::takes_bool; }) {
    if constexpr (std::same_as<std::remove_cv_t<typename element_of_parameter<P>::type>, bool>) {
      (void)opencl_kernels_have_no_bool_parameters<Position, P>::take_unsigned_char;
    }
  }
}

/// The type behind all pointers.
template <class T>
struct innermost {
  using type = std::remove_cv_t<T>;
};
template <class T>
struct innermost<T*> : innermost<std::remove_cv_t<T>> {};

/// Returns: whether a name is OpenCL C's for a number or a vector: "uint", "float4".
constexpr bool is_builtin_word(std::string_view name) noexcept {
  const std::size_t stem = name.find_last_not_of("0123456789") + 1;
  const std::string_view width = name.substr(stem);
  return stem != 0 &&
         is_among<std::string_view>(name.substr(0, stem),
                                    "char uchar short ushort int uint long ulong float double half bool") &&
         (width.empty() || is_among<std::string_view>(width, "2 3 4 8 16"));
}

/// Describes a parameter of another kind than pointer, local memory or value, such as an image. A specialisation has
/// `info()`.
template <class P>
struct described_parameter;

/// Returns: the description of one parameter of a signature.
template <class P>
[[gnu::cold]] parameter_info describe_parameter()
  requires requires { described_parameter<P>::info(); }
{
  return described_parameter<P>::info();
}
template <class P>
[[gnu::cold]] parameter_info describe_parameter() {
  parameter_info info;
  using element = typename innermost<std::remove_cv_t<typename element_of_parameter<P>::type>>::type;
  if constexpr (requires { sizeof(element); } && !std::is_void_v<element>) {
    info.element_bytes = sizeof(element);
    info.element_alignment = alignof(element);
  }
  if constexpr (registered_struct<element>) info.describe = &describe_struct<element>;
  info.scalar = scalar_kind::integer;
  info.alignment = alignof(void*);
  if constexpr (std::is_pointer_v<P>) {
    info.space = address_space::global;
    info.is_const = std::is_const_v<std::remove_pointer_t<P>>;
    info.type = name_in_kernels<std::remove_cv_t<std::remove_pointer_t<P>>>();
    info.spelling = spelled<P>();
  } else if constexpr (is_local<P>) {
    info.space = address_space::local;
    info.type = device_type<typename P::element_type>::opencl_c;
    info.bytes = sizeof(typename P::element_type);
    info.spelling = spelled<typename P::element_type>();
    if (!info.spelling.empty()) info.spelling = "local<" + info.spelling + ">";
  } else if constexpr (is_constant<P>) {
    info.space = address_space::constant;
    info.is_const = true;
    info.type = device_type<typename P::element_type>::opencl_c;
    info.spelling = spelled<const typename P::element_type*>();
  } else {
    info.space = address_space::value;
    info.type = device_type<P>::opencl_c;
    info.bytes = sizeof(P);
    info.alignment = device_type<P>::alignment;
    if constexpr (std::is_floating_point_v<P>) {
      info.scalar = scalar_kind::floating;
    } else if constexpr (!std::is_integral_v<P> && !std::is_enum_v<P>) {
      info.scalar = scalar_kind::unknown;
    }
    info.spelling = spelled<std::remove_const_t<P>>();
  }
  return info;
}

}  // namespace detail

}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::detail {

/// Throws: `launch_error` for a grid or a block with an extent of 0.
[[noreturn, gnu::cold]] YOKE_API void throw_empty_shape(const extent3& grid, const extent3& block,
                                                        const source_location& where);

/// Returns: how much could be compared. `structs` are the module's described structs.
/// Throws: `logic_error` (`errc::signature_mismatch`) that shows both signatures, or how a struct differs from the
/// described one.
YOKE_API signature_check compare_signatures(const std::string& kernel, const std::vector<parameter_info>& asked,
                                            const kernel_signature& found, std::span<const struct_description> structs,
                                            const source_location& where);

/// Effects: if the driver only knows the number of parameters, uses the stored description of the kernel of that name,
/// if it has as many. Throws: `std::bad_alloc`.
YOKE_API void complete_signature(kernel_signature& found, std::span<const typed_kernel> stored,
                                 const std::string& kernel);

/// Throws: `logic_error` for a name with a zero character, which drivers would cut off there.
YOKE_API void check_kernel_name(const std::string& name, const source_location& where);

/// Returns: a signature as text, `void(float*, const int*, int)`, in CUDA C++ or else OpenCL C.
YOKE_API std::string signature_text(const std::vector<parameter_info>& parameters, bool cxx);

/// Effects: calls `accepts(ask, arguments)` to find out whether the driver takes arguments of a signature's kinds and
/// sizes.
/// Returns: how much that proves.
/// Throws: `logic_error` (`errc::signature_mismatch`) if it does not take them; as `accepts`.
YOKE_API signature_check compare_sizes(const std::string& kernel, const std::vector<parameter_info>& asked,
                                       bool (*accepts)(const void* ask, std::span<const kernel_argument> arguments),
                                       const void* ask, const source_location& where);

}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1 {

namespace detail {
template <class Signature>
struct signature_parameters;
template <class... P>
struct signature_parameters<void(P...)> {
  static std::vector<parameter_info> list() { return {describe_parameter<P>()...}; }
};
}  // namespace detail

/// A kernel whose signature the compiler compares with `Signature`, a `void(P...)`: for `.kernels` of
/// `cuda::compile_options`. `name` is the kernel's name as seen at the end of the source: "saxpy", "ns::scale",
/// "scale<float>".
/// Throws: `std::bad_alloc`. Thread safety: a value.
template <class Signature>
[[nodiscard]] typed_kernel typed(std::string name) {
  return {std::move(name), detail::signature_parameters<Signature>::list()};
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/kernel/signature.ipp>
#endif

#endif
