// SPDX-License-Identifier: MIT
// Instantiates the functions of program/compile.hpp for contexts of any backend.
#ifndef YOKE_PROGRAM_COMPILE_IPP
#define YOKE_PROGRAM_COMPILE_IPP

#include <yoke/program/compile.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1 {
template YOKE_API module<any_port> compile(const context<any_port>&, std::string_view, const compile_options&,
                                           const source_location&);
template YOKE_API module<any_port> compile_file(const context<any_port>&, const std::string&, const compile_options&,
                                                const source_location&);
template YOKE_API module<any_port> load(const context<any_port>&, std::span<const std::byte>, const source_location&);
}  // namespace yoke::inline v0_1

#endif
