// SPDX-License-Identifier: MIT
// Compares a signature with the driver's description of a kernel, and explains a difference.
#ifndef YOKE_PROGRAM_KERNEL_SIGNATURE_HPP
#define YOKE_PROGRAM_KERNEL_SIGNATURE_HPP

#include <yoke/driver/types.hpp>
#include <yoke/program/kernel/parameter.hpp>
#include <yoke/program/structs/types_option.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// Throws: `launch_error` for a grid or a block with an extent of 0.
[[noreturn, gnu::cold]] YOKE_API void throw_empty_shape(const extent3& grid, const extent3& block,
                                                        const source_location& where);

/// Returns: how much could be compared. `told` are the module's described structs.
/// Throws: `logic_error` (`errc::signature_mismatch`) that shows both signatures, or how a struct differs from the described one.
YOKE_API signature_check compare_signatures(const std::string& kernel, const std::vector<parameter_info>& asked,
                                            const kernel_signature& found, const types_option& told,
                                            const source_location& where);

/// Returns: whether a parameter is an undescribed struct, by value or behind a pointer: only its name and size can be
/// compared.
YOKE_API bool is_untold_struct(const parameter_info& parameter, const types_option& told);

/// Returns: the described structs and those in the kernels' parameters, and text for the end of a
/// CUDA C++ source that checks the layouts of the latter. Throws: `logic_error` (`errc::signature_mismatch`)
/// for one that differs from that of its name; `std::bad_alloc`.
struct kernel_structs {
  types_option types{};
  std::string checks{};
};
YOKE_API kernel_structs structs_of(const std::vector<typed_kernel>& kernels, const types_option& told,
                                   const source_location& where);

/// Effects: if a driver only knows a kernel's number of parameters, takes the stored description of the
/// kernel of that name, if it has as many. Throws: `std::bad_alloc`.
YOKE_API void complete_signature(kernel_signature& found, std::span<const typed_kernel> told,
                                 const std::string& kernel);

/// Throws: `logic_error` for a name of which a driver would read only a part.
YOKE_API void check_kernel_name(const std::string& name, const source_location& where);

/// Returns: a signature as text: `void(float*, const int*, int)`; in the words of CUDA C++ or of OpenCL C.
YOKE_API std::string signature_text(const std::vector<parameter_info>& parameters, bool cxx);

/// Asks by `accepts(ask, arguments)` whether a driver takes arguments of a signature's kinds and sizes.
/// Returns: how much that proves. Throws: `logic_error` (`errc::signature_mismatch`) if it does not; as `accepts`.
YOKE_API signature_check compare_sizes(const std::string& kernel, const std::vector<parameter_info>& asked,
                                       bool (*accepts)(const void* ask, std::span<const kernel_argument> arguments),
                                       const void* ask, const source_location& where);

}  // namespace yoke::inline YOKE_ABI::detail

namespace yoke::inline YOKE_ABI {

namespace detail {
template <class Signature>
struct signature_parameters;
template <class... P>
struct signature_parameters<void(P...)> {
  static std::vector<parameter_info> list() { return {describe_parameter<P>()...}; }
};
}  // namespace detail

/// A kernel for a backend's compiler to compare with `Signature`, a `void(P...)`: one of the `.kernels` of
/// `cuda::compile_options`. `name` is the kernel's name at the end of the source: "saxpy", "ns::scale", "scale<float>".
/// Throws: `std::bad_alloc`. Thread safety: a value.
template <class Signature>
[[nodiscard]] typed_kernel typed(std::string name) {
  return {std::move(name), detail::signature_parameters<Signature>::list()};
}

}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_HEADER_ONLY)
#include <yoke/program/kernel/impl/signature.ipp>
#include <yoke/program/structs/impl/types_option.ipp>
#endif

#endif
