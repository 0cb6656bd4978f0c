// SPDX-License-Identifier: MIT
// Compiler options from the environment, and their merge with the caller's.
#ifndef YOKE_PROGRAM_DEFAULT_OPTIONS_HPP
#define YOKE_PROGRAM_DEFAULT_OPTIONS_HPP

#include <yoke/driver/compile_request.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: the options in the language's environment variable. Throws: `logic_error` that names a malformed variable.
YOKE_API std::vector<std::string> default_options(const kernel_language& language, const source_location& where);
/// Returns: the words of such a variable, split as a shell does. Throws: `logic_error` that names a malformed variable.
YOKE_API std::vector<std::string> split_options(std::string_view variable, std::string_view value,
                                                const source_location& where);
/// Returns: the words with each option's value joined to its name, "-arch=sm_90" for "-arch", "sm_90".
YOKE_API std::vector<std::string> normal_options(const std::vector<std::string>& words,
                                                 const kernel_language& language);
/// Effects: removes the options with one of these names, such as "gpu-architecture" or "std".
YOKE_API void drop_options(std::vector<std::string>& options, std::initializer_list<std::string_view> names);
/// Returns: the defaults that the caller's own options do not replace, then the own options. An own `--use_fast_math`
/// also removes the defaults `--ftz`, `--prec-div`, `--prec-sqrt` and `--fmad`, which would override it.
YOKE_API std::vector<std::string> joined_options(const std::vector<std::string>& defaults,
                                                 const std::vector<std::string>& own);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/default_options.ipp>
#endif

#endif
