// SPDX-License-Identifier: MIT
// Compares the signature asked for with what the driver says of a kernel, and explains a difference.
#ifndef YOKE_PROGRAM_SIGNATURE_HPP
#define YOKE_PROGRAM_SIGNATURE_HPP

#include <yoke/driver/types.hpp>
#include <yoke/program/types_option.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// Throws: `launch_error` for a grid or a block with an extent of 0.
[[noreturn, gnu::cold]] YOKE_API void throw_empty_shape(const extent3& grid, const extent3& block,
                                                        const source_location& where);

/// Returns: how much could be compared. `told` are the structs that the module was compiled with.
/// Throws: `logic_error` (`errc::signature_mismatch`) showing both signatures, or what tells a struct from the one told.
YOKE_API signature_check compare_signatures(const std::string& kernel, const std::vector<parameter_info>& asked,
                                            const kernel_signature& found, const types_option& told,
                                            const source_location& where);

/// Returns: whether a parameter is a struct, by value or behind a pointer, that is not among those told in full: only
/// its name and its size can be known.
YOKE_API bool is_untold_struct(const parameter_info& parameter, const types_option& told);

/// Returns: the structs told already and those that the kernels' parameters are or point to, and text for the end of a
/// CUDA C++ source that checks the layouts of the latter there. Throws: `logic_error` (`errc::signature_mismatch`)
/// for one that differs from that of its name; `std::bad_alloc`.
struct kernel_structs {
  types_option types{};
  std::string checks{};
};
YOKE_API kernel_structs structs_of(const std::vector<typed_kernel>& kernels, const types_option& told,
                                   const source_location& where);

/// Effects: where a driver says no more of a kernel than how many parameters it has, takes those that were told of the
/// kernel of that name when it was compiled, if they are as many. Throws: `std::bad_alloc`.
YOKE_API void complete_signature(kernel_signature& found, std::span<const typed_kernel> told,
                                 const std::string& kernel);

/// Throws: `logic_error` for a name that a driver would read only a part of.
YOKE_API void check_kernel_name(const std::string& name, const source_location& where);

/// Returns: a signature as text: `void(float*, const int*, int)`; in the words of CUDA C++ or of OpenCL C.
YOKE_API std::string signature_text(const std::vector<parameter_info>& parameters, bool cxx);

/// Asks whether a driver takes arguments of the kinds and sizes that a signature has. `accepts(ask, arguments)` asks it.
/// Returns: how much that proves. Throws: `logic_error` (`errc::signature_mismatch`) when it does not; what `accepts` does.
YOKE_API signature_check compare_sizes(const std::string& kernel, const std::vector<parameter_info>& asked,
                                       bool (*accepts)(const void* ask, std::span<const kernel_argument> arguments),
                                       const void* ask, const source_location& where);

}  // namespace yoke::inline YOKE_ABI::detail

#if defined(YOKE_HEADER_ONLY)
#include <yoke/program/impl/signature.ipp>
#include <yoke/program/impl/types_option.ipp>
#endif

#endif
